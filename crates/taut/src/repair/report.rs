//! What comes of a repair.

use std::fmt;

use taut_ir::MemoryModel;

use super::cheapest::RepairEvidence;
use super::need::Justification;
use super::race::Races;
use crate::load::{LoadError, Loaded};
use crate::outcome::{EngineFault, Report};

/// A place as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPlace {
    /// The name of the file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// What is done there.
    pub kind: taut_repair::RepairKind,
    /// Where it is, in words: "after `x := 1`".
    pub words: String,
    /// The processes that come by.
    pub processes: Vec<String>,
    /// What it costs.
    pub cost: u64,
    /// Number of loops around it, without the main loop of its process.
    pub loops: u32,
    /// A run that of all places of its set it alone breaks.
    pub need: Option<Justification>,
}

/// A set of places that fixes a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSet {
    /// Its places, in the order of the source.
    pub places: Vec<ShownPlace>,
    /// What they cost together.
    pub cost: u64,
}

/// What came of a repair.
#[derive(Clone, Debug)]
pub struct RepairReport {
    /// The memory models, at least one, the weakest last.
    pub models: Vec<MemoryModel>,
    /// How many places there are.
    pub candidates: usize,
    /// How many variants of the program were checked.
    pub checks: u64,
    /// How many counterexamples were learned from.
    pub counterexamples: usize,
    /// EditSites at which a change would be of use and the source cannot be changed: file, line and why.
    pub unpatchable: Vec<(String, u32, &'static str)>,
    /// If the program is wrong under sequential consistency, or no set of places repairs it: the loads and stores in a
    /// counterexample that have to be one step each.
    pub races: Races,
    /// Covers that the program as it was reaches, and the fixed one does not: the memory model and the name.
    pub lost: Vec<(MemoryModel, String)>,
    /// The result.
    pub outcome: Outcome,
}

/// The result of a repair.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The program is wrong under sequential consistency already: no fence fixes it.
    WrongUnderSc(Box<Report>),
    /// The program was to be weakened, and it is wrong as it is.
    Wrong(Box<Report>),
    /// Nothing is wrong, or there is nothing that could be weaker: the checks under each model.
    Right(Vec<Report>),
    /// It is fixed.
    Repaired(Box<Repaired>),
    /// It is as weak as it can be. The places of its sets are those that stay as strong as they are.
    Weakened(Box<Repaired>),
    /// No set of places fixes it. What is wrong with what was tried last, if there is a run.
    Unrepairable(Option<Box<Without>>),
    /// A limit was met before there was an answer; in words.
    Unknown(String),
}

/// A program that was fixed.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// The set that was chosen, or if all were asked for all cheapest ones; the first is the one that was proven
    /// again from the edited text.
    pub sets: Vec<ShownSet>,
    /// Whether no set costs less.
    pub optimal: bool,
    /// The file that was edited: that of the program, or the list of atomic writes of a DVE model.
    pub file: String,
    /// Its text before.
    pub original: String,
    /// Its text after.
    pub text: String,
    /// What was made weaker, in the order of the source.
    pub weakened: Vec<ShownWeakening>,
    /// The checks of the program as it is in the edited file, under each model.
    pub proofs: Vec<Report>,
    /// The program as it is in the edited file.
    pub loaded: Box<Loaded>,
    /// If they were asked for, for each place of the first set what is wrong without it.
    pub(super) without: Vec<Option<Without>>,
    /// If it was asked for, the evidence that nothing cheaper is enough.
    pub evidence: Option<RepairEvidence>,
}

/// A fence or an atomic write that was made weaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownWeakening {
    /// The name of the file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// Its text, on one short line.
    pub was: String,
    /// What it is now, in words.
    pub becomes: String,
}

/// What is wrong with a program that has some places only.
#[derive(Clone, Debug)]
pub struct Without {
    /// The program with the places that it has.
    pub loaded: Loaded,
    /// Its check.
    pub report: Report,
}

impl RepairReport {
    /// The names of the memory models, in words: `TSO and PSO`.
    pub fn model_names(&self) -> String {
        let names: Vec<_> = self.models.iter().map(|model| model.name().to_uppercase()).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            _ => names.concat(),
        }
    }
}

impl Repaired {
    /// The places of the first set with what is wrong without them, if that was asked for.
    pub fn runs(&self) -> impl Iterator<Item = (&ShownPlace, &Without)> {
        let places = self.sets.first().into_iter().flat_map(|set| &set.places);
        places.zip(&self.without).filter_map(|(place, without)| Some((place, without.as_ref()?)))
    }
}

/// Why no repair could be made.
#[derive(Debug)]
pub enum RepairError {
    /// Something that cannot be asked; in words.
    Refused(String),
    /// The edited source is not what was checked: a bug in Taut.
    Source(Box<LoadError>),
    /// The edited program was not proven though its model was: a bug in Taut.
    NotProven(Vec<Report>),
    /// A bug in an engine.
    Engine(EngineFault),
}

impl From<EngineFault> for RepairError {
    fn from(fault: EngineFault) -> RepairError {
        RepairError::Engine(fault)
    }
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepairError::Refused(why) => f.write_str(why),
            RepairError::Source(error) => write!(f, "the edited source cannot be read:\n{error}"),
            RepairError::NotProven(_) => f.write_str("the edited program was not proven right"),
            RepairError::Engine(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for RepairError {}
