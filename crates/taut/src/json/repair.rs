//! A repair.

use serde::Serialize;
use serde_json::Value;

use super::check::CheckDocument;
use crate::load::Loaded;
use crate::outcome::Report;
use crate::repair::{
    Outcome, Race, RepairEvidence, RepairReport, Repaired, ShownPlace, ShownSet, ShownWeakening,
    unified,
};

/// What came of a repair, as the schema `repair` describes it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RepairDocument<'a> {
    /// The file of the program, as it was named.
    pub file: &'a str,
    /// The memory model; of several the weakest.
    pub model: &'static str,
    /// All memory models, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<&'static str>,
    /// What came of it, in a word.
    pub outcome: &'static str,
    /// The places of the set that was chosen.
    pub places: Vec<PlaceDocument<'a>>,
    /// What they cost together.
    pub cost: Option<u64>,
    /// Whether no set costs less.
    pub optimal: bool,
    /// Number of sets that were tried.
    pub iterations: u64,
    /// Number of counterexamples that were learned from.
    pub counterexamples: usize,
    /// Number of places that there are.
    pub candidates: usize,
    /// All cheapest sets, if they were asked for, else the one that was chosen.
    pub sets: Vec<SetDocument<'a>>,
    /// Places at which the source cannot be changed.
    pub unpatchable: Vec<UnpatchableDocument<'a>>,
    /// What was made weaker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weakened: Option<Vec<WeakeningDocument<'a>>>,
    /// Loads and stores that have to be one step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub races: Vec<RaceDocument<'a>>,
    /// Whether everything asked holds if each race is one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub races_enough: Option<bool>,
    /// Covers that the program as it was reaches, and the fixed one does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost_covers: Vec<LostCoverDocument<'a>>,
    /// The change of the source as a unified diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'a str>,
    /// The evidence that no set costs less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<CheapestDocument<'a>>,
    /// The check that decided: of the fixed program, or the one with the counterexample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Value>,
    /// The same under each memory model, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Value>,
}

/// The evidence that no set costs less, in a certificate.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CheapestDocument<'a> {
    /// Number of runs; none if it has no such evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// True if the checker has accepted the certificate.
    pub accepted: bool,
    /// Why there is no such evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

impl<'a> From<&'a RepairEvidence> for CheapestDocument<'a> {
    fn from(evidence: &'a RepairEvidence) -> CheapestDocument<'a> {
        let accepted = evidence.accepted.is_some();
        CheapestDocument { runs: evidence.runs(), accepted, reason: evidence.open.as_deref() }
    }
}

/// A cover that the fixed program does not reach.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LostCoverDocument<'a> {
    /// The name of the cover.
    pub property: &'a str,
    /// The memory model.
    pub model: &'static str,
}

impl<'a> From<&'a (taut_ir::MemoryModel, String)> for LostCoverDocument<'a> {
    fn from((model, name): &'a (taut_ir::MemoryModel, String)) -> LostCoverDocument<'a> {
        LostCoverDocument { property: name, model: model.name() }
    }
}

/// A fence or an atomic write that was made weaker.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct WeakeningDocument<'a> {
    /// The file.
    pub file: &'a str,
    /// The line.
    pub line: u32,
    /// Its text.
    pub was: &'a str,
    /// What it is now, in words.
    pub becomes: &'a str,
}

impl<'a> From<&'a ShownWeakening> for WeakeningDocument<'a> {
    fn from(shown: &'a ShownWeakening) -> WeakeningDocument<'a> {
        let ShownWeakening { file, line, was, becomes } = shown;
        WeakeningDocument { file, line: *line, was, becomes }
    }
}

/// A set of places.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SetDocument<'a> {
    /// Its places, in the order of the source.
    pub places: Vec<PlaceDocument<'a>>,
    /// What they cost together.
    pub cost: u64,
}

/// A place that is changed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlaceDocument<'a> {
    /// The file.
    pub file: &'a str,
    /// The line.
    pub line: u32,
    /// `fence`, `sfence` or `atomic`.
    pub kind: &'static str,
    /// The processes that come by.
    pub process: &'a [String],
    /// Where it is, in words.
    pub r#where: &'a str,
    /// What it costs.
    pub cost: u64,
    /// Number of loops around it.
    pub loops: u32,
    /// A run that of all places of its set it alone breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks: Option<NeedDocument<'a>>,
}

/// A run that a place breaks.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NeedDocument<'a> {
    /// The property that it violates.
    pub property: &'a str,
    /// Its number of steps.
    pub steps: usize,
    /// How the place breaks it, in words.
    pub how: &'a str,
}

/// A place at which a change would be of use and the source cannot be changed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct UnpatchableDocument<'a> {
    /// The file.
    pub file: &'a str,
    /// The line.
    pub line: u32,
    /// Why it cannot be changed.
    pub why: &'a str,
}

/// A load and a store that have to be one step.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RaceDocument<'a> {
    /// The file.
    pub file: &'a str,
    /// The line of the load.
    pub load: u32,
    /// The line of the store.
    pub store: u32,
    /// The statement of the store.
    pub statement: &'a str,
    /// The variable.
    pub variable: &'a str,
    /// The process that loads and stores.
    pub process: &'a str,
    /// The process that stores in between.
    pub other: &'a str,
    /// What to write instead.
    pub instead: &'a str,
}

impl<'a> From<&'a Race> for RaceDocument<'a> {
    fn from(race: &'a Race) -> RaceDocument<'a> {
        let Race { file, load, store, statement, variable, process, other, instead } = race;
        let (load, store) = (*load, *store);
        RaceDocument { file, load, store, statement, variable, process, other, instead }
    }
}

impl<'a> From<&'a ShownPlace> for PlaceDocument<'a> {
    fn from(place: &'a ShownPlace) -> PlaceDocument<'a> {
        let breaks = place.need.as_ref().map(|need| NeedDocument {
            property: &need.property,
            steps: need.steps,
            how: &need.words,
        });
        let ShownPlace { file, line, kind, words, processes, cost, loops, .. } = place;
        let (line, cost, loops) = (*line, *cost, *loops);
        PlaceDocument {
            file,
            line,
            kind: kind.word(),
            process: processes,
            r#where: words,
            cost,
            loops,
            breaks,
        }
    }
}

impl<'a> From<&'a ShownSet> for SetDocument<'a> {
    fn from(set: &'a ShownSet) -> SetDocument<'a> {
        SetDocument { places: set.places.iter().map(PlaceDocument::from).collect(), cost: set.cost }
    }
}

impl<'a> RepairDocument<'a> {
    /// The document of a repair. `arguments` are those of the command, if there is one.
    pub fn new(
        loaded: &'a Loaded,
        report: &'a RepairReport,
        arguments: Vec<String>,
    ) -> RepairDocument<'a> {
        let fixed = match &report.outcome {
            Outcome::Repaired(fixed) | Outcome::Weakened(fixed) => Some(fixed),
            _ => None,
        };
        let weakened = match &report.outcome {
            Outcome::Weakened(fixed) => {
                Some(fixed.weakened.iter().map(WeakeningDocument::from).collect())
            }
            _ => None,
        };
        let sets = fixed.map_or(&[][..], |fixed| &fixed.sets);
        let sets: Vec<_> = sets.iter().map(SetDocument::from).collect();
        let Ending { outcome, why, checks } = Ending::of(loaded, &report.outcome);
        let mut checks: Vec<Value> =
            checks.into_iter().map(|(l, check)| value(l, check, arguments.clone())).collect();
        let check = checks.last().cloned();
        if checks.len() < 2 {
            checks.clear();
        }
        let races = &report.races;
        let names: Vec<_> = report.models.iter().map(|model| model.name()).collect();
        RepairDocument {
            file: &loaded.name,
            model: names.last().copied().unwrap_or_default(),
            models: if names.len() > 1 { names } else { Vec::new() },
            outcome,
            places: sets.first().map(|set| set.places.clone()).unwrap_or_default(),
            cost: sets.first().map(|set| set.cost),
            optimal: fixed.is_some_and(|fixed| fixed.optimal),
            iterations: report.checks,
            counterexamples: report.counterexamples,
            candidates: report.candidates,
            sets,
            unpatchable: unpatchable(report),
            weakened,
            races: races.races.iter().map(RaceDocument::from).collect(),
            races_enough: races.enough.filter(|_| !races.races.is_empty()),
            lost_covers: report.lost.iter().map(LostCoverDocument::from).collect(),
            diff: fixed.map(|fixed| diff(fixed)),
            why,
            proof: fixed.and_then(|fixed| fixed.evidence.as_ref()).map(CheapestDocument::from),
            check,
            checks,
        }
    }
}

/// How a repair ended: in a word, why there is no answer, and the checks that decided.
struct Ending<'a> {
    outcome: &'static str,
    why: Option<&'a str>,
    checks: Vec<(&'a Loaded, &'a Report)>,
}

impl<'a> Ending<'a> {
    fn of(loaded: &'a Loaded, outcome: &'a Outcome) -> Ending<'a> {
        let of_fixed = |fixed: &'a Repaired| {
            fixed.proofs.iter().map(|proof| (&*fixed.loaded, proof)).collect()
        };
        let (outcome, why, checks) = match outcome {
            Outcome::WrongUnderSc(check) => ("wrong-under-sc", None, vec![(loaded, &**check)]),
            Outcome::Wrong(check) => ("wrong", None, vec![(loaded, &**check)]),
            Outcome::Right(checks) => {
                ("right", None, checks.iter().map(|check| (loaded, check)).collect())
            }
            Outcome::Repaired(fixed) => ("fixed", None, of_fixed(fixed)),
            Outcome::Weakened(fixed) => ("weakened", None, of_fixed(fixed)),
            Outcome::Unrepairable(last) => {
                let last = last.as_deref().map(|last| (&last.loaded, &last.report));
                ("unrepairable", None, last.into_iter().collect())
            }
            Outcome::Unknown(why) => ("unknown", Some(why.as_str()), Vec::new()),
        };
        Ending { outcome, why, checks }
    }
}

fn unpatchable(report: &RepairReport) -> Vec<UnpatchableDocument<'_>> {
    let all = report.unpatchable.iter();
    all.map(|(file, line, why)| UnpatchableDocument { file, line: *line, why }).collect()
}

fn value(loaded: &Loaded, check: &Report, arguments: Vec<String>) -> Value {
    let document = CheckDocument::new(loaded, check, arguments);
    serde_json::to_value(&document).expect("numbers and strings")
}

/// The change of the source that a repair makes, as a unified diff.
fn diff(fixed: &Repaired) -> String {
    unified(&fixed.file, &fixed.original, &fixed.text)
}
