//! What comes of a check: the report, and the faults of engines.

mod evidence;
mod raced;
mod record;
mod vacuous;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use taut_budget::{Met, Reason};
use taut_dual::DualCounts;
use taut_engine::{EngineId, Within};
use taut_explicit::{Limit, Reduce, Resumed, Stats, StoreKind};
use taut_ir::{DefId, Fairness, Memory, Program, PropId};
use taut_symbolic::SymbolicCounts;
use taut_witness::{ReplayError, Trace, replay};

use crate::verdict::{PropertyResult, Unknown, Verdict, VerdictKind, Witness};

pub use evidence::{Open, Proof};
pub use raced::{RACE, RaceLevel, Races};
pub use record::{About, SearchRecord};
pub use vacuous::{Vacuity, VacuityKind, Vacuous};

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// The memory model and its buffers.
    pub memory: Memory,
    /// Which runs counted for what is asked of runs.
    pub fairness: Fairness,
    /// The engine that gave the answers.
    pub engine: EngineId,
    /// What searches were allowed to leave out.
    pub reduce: Reduce,
    /// How the search for states kept them; searches for runs keep them whole.
    pub store: StoreKind,
    /// How many threads searched.
    pub threads: usize,
    /// The scope that was looked at, if the answers about states are from an engine with scopes: the last one.
    pub scope: Option<Within>,
    /// Whether some run may leave that scope.
    pub(crate) leaves: bool,
    /// Whether the engine has one thread, however many are asked for.
    pub(crate) is_single: bool,
    /// More counts, if the answers about states are from the symbolic engine.
    pub symbolic: Option<SymbolicCounts>,
    /// More counts, if the answers about states are from the dual engine.
    pub dual: Option<DualCounts>,
    /// An answer to every question, in the order of the program.
    pub results: Vec<PropertyResult>,
    /// Counts of all searches together.
    pub stats: Stats,
    /// Each search with its questions and its counts.
    pub searches: Vec<SearchRecord>,
    /// The limit that ended the search of states.
    pub(crate) limit: Option<Limit>,
    /// The program that was searched, which results and traces refer to. A Promela model has been given as
    /// many processes as it needs.
    pub program: Arc<Program>,
    /// Whether every reachable state was visited.
    pub complete: bool,
    /// For each definition and step, whether a process took it.
    pub reached: Vec<Vec<bool>>,
    /// What never happens, if it was looked for ([`Report::with_vacuity`]) and is known.
    pub vacuity: Option<Vacuity>,
    /// The answer about data races, if they were looked for ([`Report::with_races`]).
    pub races: Option<Races>,
    /// The evidence for what holds, if it was asked for ([`Report::with_proof`]).
    pub proof: Option<Proof>,
    /// What was taken from a checkpoint. The counts are those of the whole searches; times are those since then.
    pub resumed: Option<Resumed>,
}

/// The engine claimed a violation that is none: a bug in Taut. The verdict is withheld.
#[derive(Clone, Debug)]
pub struct EngineFault {
    /// What was claimed.
    pub property: String,
    /// Why it is none.
    pub refusal: Refusal,
}

/// Why what an engine found is no violation.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The replayer does not accept the run.
    Replay(ReplayError),
    /// The engine itself cannot show the run.
    Engine(String),
    /// What is said to hold has no certificate, or one that the checker refuses.
    Proof(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Replay(refusal) => refusal.fmt(f),
            Refusal::Engine(reason) | Refusal::Proof(reason) => f.write_str(reason),
        }
    }
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.refusal {
            Refusal::Proof(why) => {
                write!(f, "the answer `holds` for `{}` is not proven: {why}", self.property)
            }
            other => write!(f, "the engine's run for `{}` does not replay: {other}", self.property),
        }
    }
}

impl std::error::Error for EngineFault {}

/// Has the replayer judge a run.
pub(crate) fn witness(
    program: &Arc<Program>,
    trace: Trace,
    name: &str,
) -> Result<Verdict, EngineFault> {
    match replay(program, &trace) {
        Ok(run) => {
            Ok(Verdict::Violated(Box::new(Witness { program: program.clone(), trace, run })))
        }
        Err(refusal) => {
            Err(EngineFault { property: name.into(), refusal: Refusal::Replay(refusal) })
        }
    }
}

/// The most processes that wait to be spawned of any one definition.
pub(crate) fn thread_bound(program: &Program) -> u32 {
    let slots = |d: usize| program.spawn_slots(DefId::from(d)).count() as u32;
    (0..program.defs.len()).map(slots).max().unwrap_or(0)
}

impl Report {
    /// Names the limit on time as it was given. A search that comes after others was given what they had left
    /// of it.
    pub(crate) fn name_time_limit(&mut self, given: Duration) {
        for result in &mut self.results {
            match &mut result.verdict {
                Verdict::Unknown(Unknown::Limit(Limit::Time(left))) => *left = given,
                Verdict::Unknown(Unknown::Spent(met)) => {
                    if let Reason::Time(left) = &mut met.reason {
                        *left = given;
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a note to the first answer, if there is anything to be said.
    pub(crate) fn add_note(&mut self, text: &str) {
        let Some(first) = self.results.first_mut().filter(|_| !text.is_empty()) else { return };
        first.note = Some(match first.note.take() {
            Some(note) => format!("{note}; {text}"),
            None => text.into(),
        });
    }

    /// Gives the questions that no search came to the reason why.
    pub(crate) fn leave_open(&mut self, met: Met) {
        for result in &mut self.results {
            if matches!(result.verdict, Verdict::NotAsked) {
                result.verdict = Verdict::Unknown(Unknown::Spent(met));
            }
        }
    }

    /// The counts of the search of states; of the last one if several engines searched.
    pub fn states_search(&self) -> Option<&SearchRecord> {
        self.searches.iter().rfind(|search| search.about == About::States)
    }

    /// Where the answer about a property belongs: answers come in the order of the program.
    pub(crate) fn position(&self, property: PropId) -> usize {
        let before: Vec<_> =
            self.program.properties[..property.index()].iter().map(|p| &p.name).collect();
        self.results.iter().take_while(|r| before.contains(&&r.name)).count()
    }

    /// The verdict on a property by its name.
    pub fn verdict(&self, property: &str) -> Option<&Verdict> {
        let mut all = self.results.iter().chain(self.races.iter().map(|races| &races.result));
        all.find(|r| r.name == property).map(|r| &r.verdict)
    }

    /// Whether a property holds for sure, of all executions. A `holds` up to a bound is no proof, and neither is one by a
    /// store that may miss states.
    pub fn proves(&self, property: &str) -> bool {
        matches!(self.verdict(property), Some(Verdict::Holds(coverage)) if coverage.is_everything())
    }

    /// The violated properties with their witnesses.
    pub fn violations(&self) -> impl Iterator<Item = (&PropertyResult, &Witness)> {
        self.results.iter().filter_map(|r| match &r.verdict {
            Verdict::Violated(witness) => Some((r, &**witness)),
            _ => None,
        })
    }

    /// Whether anything is violated, or some cover is never reached.
    pub fn is_violated(&self) -> bool {
        self.results.iter().any(|result| result.verdict.is_bad())
    }

    /// The report in one verdict: violated if something is, else never if no run reaches some cover, else unknown if
    /// something is open, else holds; covered if there is nothing but covers.
    pub fn verdict_kind(&self) -> VerdictKind {
        let has = |kind| self.answers(kind).next().is_some();
        if has(VerdictKind::Violated) {
            VerdictKind::Violated
        } else if has(VerdictKind::Never) {
            VerdictKind::Never
        } else if self.is_unknown() {
            VerdictKind::Unknown
        } else if has(VerdictKind::Covered) && !has(VerdictKind::Holds) {
            VerdictKind::Covered
        } else {
            VerdictKind::Holds
        }
    }

    /// The answers of one kind.
    pub(crate) fn answers(
        &self,
        kind: VerdictKind,
    ) -> impl Iterator<Item = &PropertyResult> + Clone {
        self.results.iter().filter(move |result| result.verdict.kind() == kind)
    }

    /// Whether a limit left something open, or nothing of what was asked could be decided.
    pub fn is_unknown(&self) -> bool {
        let undecided = |r: &PropertyResult| matches!(r.verdict, Verdict::Unknown(_));
        let nothing = !self.results.is_empty() && self.results.iter().all(undecided);
        nothing || self.results.iter().any(|r| r.verdict.is_open())
    }
}
