//! Fixing a program: the cheapest fences and atomic writes that make it right, put into its own source.
//!
//! A program is first checked under sequential consistency: what is wrong there no fence fixes; if an update is lost
//! there, the locked instruction is proposed that keeps it (`race`). Then its source is
//! read for places (`source` for languages with fences, `list` for those without), [`taut_repair`] finds a cheapest set, the
//! source is edited, and what came of it is read and checked again like any other program. Only what that
//! check says is said to hold.
//!
//! The opposite ([`Repair::relax`]) uses the same loop. A program that is right is read with all that can be weaker made
//! weaker (`weaker`). The places are what it had: the loop finds the cheapest set of fences and orders to give back.
//!
//! ```
//! use taut::repair::{Outcome, Repair};
//! use taut::{Check, MemoryModel, load};
//!
//! let lock = "shared bool want[2] = 0;
//! process p[2](i) begin
//!   want[i] := 1;
//!   await(want[1 - i] == 0);
//!   cs: skip;
//! end
//! forbid mutex: p[0]@cs && p[1]@cs;
//! ";
//! let loaded = load::from_text("lock.taut", lock).expect("a program");
//! let check = Check::of(&loaded).model(MemoryModel::Tso).deadlock(false);
//! let report = Repair::new(&loaded).run(&check).expect("a report");
//! let Outcome::Repaired(fixed) = report.outcome else { panic!("one fence is enough") };
//! assert_eq!(fixed.sets[0].places[0].words, "after `want[i] := 1`");
//! assert!(fixed.text.contains("want[i] := 1;\n  fence;\n"));
//! ```

mod asked;
mod cheapest;
mod covers;
mod diff;
mod judge;
mod list;
mod need;
mod options;
mod places;
mod race;
mod races;
mod report;
mod same;
mod shown;
mod source;
mod weaker;

use taut_budget::Level;
use taut_ir::MemoryModel;
use taut_repair::Set;
use taut_repair::greedy::greedy;
use taut_repair::minimal::{self, End, minimal};

use crate::check::Check;
use crate::load::Loaded;
use crate::outcome::Report;
use asked::{Asked, open, violated};
pub use cheapest::RepairEvidence;
pub use diff::unified;
use judge::Checks;
pub use need::Justification;
use options::Choice;
pub use options::{Costs, Strategy, With};
use places::{Edit, Source};
pub use race::{Race, Races};
pub use report::{
    Outcome, RepairError, RepairReport, Repaired, ShownPlace, ShownSet, ShownWeakening, Without,
};
use shown::{in_order, listed, shown};

/// Why what stays has no certificate.
const RELAXED: &str = "the checker knows fences that are put in, not what is taken out";

/// A repair to be made.
#[derive(Clone, Copy, Debug)]
pub struct Repair<'l> {
    loaded: &'l Loaded,
    with: Option<With>,
    costs: Costs,
    strategy: Strategy,
    all: bool,
    show_runs: bool,
    relax: bool,
    proof: bool,
    models: &'l [MemoryModel],
}

impl<'l> Repair<'l> {
    /// A repair by a cheapest set of what is usual for the memory model.
    pub fn new(loaded: &'l Loaded) -> Repair<'l> {
        Repair {
            loaded,
            with: None,
            costs: Costs::default(),
            strategy: Strategy::default(),
            all: false,
            show_runs: false,
            relax: false,
            proof: false,
            models: &[],
        }
    }

    /// Whether the opposite is wanted: the weakest orders and fences with which a program that is right still is.
    #[must_use]
    pub fn relax(mut self, relax: bool) -> Self {
        self.relax = relax;
        self
    }

    /// Whether evidence is wanted that nothing cheaper is enough ([`Repaired::certificate`]).
    #[must_use]
    pub fn proof(mut self, proof: bool) -> Self {
        self.proof = proof;
        self
    }

    /// The memory models under each of which the program must be right, the weakest last; by default that of the check.
    #[must_use]
    pub fn models(mut self, models: &'l [MemoryModel]) -> Self {
        self.models = models;
        self
    }

    /// What may be put into the program.
    #[must_use]
    pub fn with(mut self, with: Option<With>) -> Self {
        self.with = with;
        self
    }

    /// What each change costs.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = costs;
        self
    }

    /// How a set is looked for.
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Whether all cheapest sets are wanted.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.all = all;
        self
    }

    /// Whether a run is wanted for each place: of the program with all places of the first set but this one.
    #[must_use]
    pub fn show_runs(mut self, show_runs: bool) -> Self {
        self.show_runs = show_runs;
        self
    }

    /// Makes the repair. All checks are made as this one would be; what it asks must hold in the end.
    ///
    /// Covers ask for runs, which fences take away, so they are not asked by the searches for places. Those that the
    /// program as it is reaches, and the fixed one does not, are listed.
    pub fn run(&self, check: &Check<'_>) -> Result<RepairReport, RepairError> {
        // A limit on time is one for all checks together.
        let given = &check.clone().budget(&check.whole_budget());
        let check = &given.clone().covers(false);
        let asked = Asked::new(check, self.models);
        let mut report = RepairReport {
            models: asked.models.clone(),
            candidates: 0,
            checks: 0,
            counterexamples: 0,
            unpatchable: Vec::new(),
            races: Races::default(),
            lost: Vec::new(),
            outcome: Outcome::Unrepairable(None),
        };
        match self.relax {
            true => self.weaken(&asked, &mut report)?,
            false => self.strengthen(&asked, &mut report)?,
        }
        if let Outcome::Repaired(fixed) | Outcome::Weakened(fixed) = &report.outcome {
            report.lost = covers::lost(given, &report.models, self.loaded, &fixed.loaded)?;
        }
        Ok(report)
    }

    /// Finds what is missing.
    fn strengthen(&self, asked: &Asked<'_>, report: &mut RepairReport) -> Result<(), RepairError> {
        let check = asked.check;
        let under_sc = asked.on(self.loaded, MemoryModel::Sc).run()?;
        if under_sc.violations().next().is_some() {
            report.races = Races::find(self.loaded, check, MemoryModel::Sc, &under_sc)?;
            report.outcome = Outcome::WrongUnderSc(Box::new(under_sc));
            return Ok(());
        }
        let source = self.source(self.choice(asked)?)?;
        self.search(&*source, asked, report)?;
        if let Outcome::Unrepairable(Some(last)) = &report.outcome {
            let model = last.report.memory.model;
            report.races = Races::find(&last.loaded, check, model, &last.report)?;
        }
        Ok(())
    }

    /// Finds what is not needed.
    fn weaken(&self, asked: &Asked<'_>, report: &mut RepairReport) -> Result<(), RepairError> {
        let choice = self.choice(asked)?;
        let source = weaker::Weakened::new(self.loaded, choice)?;
        let as_it_is = asked.of(self.loaded, true)?;
        report.unpatchable = source.unpatchable();
        report.outcome = if let Some(why) = open(&as_it_is) {
            Outcome::Unknown(format!("the program as it is: {why}"))
        } else if as_it_is.iter().any(Report::is_violated) {
            violated(as_it_is).map_or(Outcome::Unrepairable(None), |r| Outcome::Wrong(Box::new(r)))
        } else if source.subject().places().is_empty() {
            Outcome::Right(as_it_is)
        } else {
            return self.search(&source, asked, report);
        };
        Ok(())
    }

    /// Finds a set of places with the strategy that was asked for.
    fn search(
        &self,
        source: &dyn Source,
        asked: &Asked<'_>,
        report: &mut RepairReport,
    ) -> Result<(), RepairError> {
        report.candidates = source.subject().places().len();
        report.unpatchable = source.unpatchable();
        let mut checks = Checks::new(source.loaded(), asked);
        // The loop keeps what it has learned when its budget ends.
        let search = || match self.strategy {
            Strategy::Minimal => minimal(source.subject(), &mut checks, self.all),
            Strategy::Greedy => greedy(source.subject(), &mut checks),
        };
        let repair = match asked.budget().run(Level::Command, search) {
            Ok(repair) => repair?,
            Err(met) => {
                report.outcome = Outcome::Unknown(met.to_string());
                return Ok(());
            }
        };
        report.checks = repair.checks;
        report.counterexamples = repair.lessons.len();
        report.outcome = self.outcome(source, &repair, checks.last, asked)?;
        Ok(())
    }

    /// What may be put into the program, or taken out, if that makes sense.
    fn choice(&self, asked: &Asked<'_>) -> Result<Choice, RepairError> {
        let refused = |why: &str| Err(RepairError::Refused(why.into()));
        let Some(model) = asked.relaxed().last() else {
            return refused(match self.relax {
                true => {
                    "under sequential consistency no order and no fence does anything: name a memory model with buffers"
                }
                false => "under sequential consistency there is nothing that a fence could fix",
            });
        };
        // It looks at what processes do with a variable meanwhile, not at what they could do.
        if self.strategy == Strategy::Greedy && self.loaded.program.priorities.is_some() {
            return refused(
                "the greedy strategy does not support priorities of processes; use `--strategy minimal`",
            );
        }
        let with = match (self.strategy, self.with) {
            (Strategy::Greedy, _) if self.relax => {
                return refused("the greedy strategy puts atomic writes in, and takes nothing out");
            }
            (Strategy::Greedy, None | Some(With::Atomics)) if !self.all => With::Atomics,
            (Strategy::Greedy, None | Some(With::Atomics)) => {
                return refused("the greedy strategy finds one set, not all");
            }
            (Strategy::Greedy, _) => {
                return refused("the greedy strategy knows atomic writes only");
            }
            (Strategy::Minimal, None) if self.relax => With::Both,
            (Strategy::Minimal, with) => with.unwrap_or(With::usual(model)),
        };
        let store_fences = asked.relaxed().any(|model| model.has_store_fences());
        Ok(Choice { store_fences, with, costs: self.costs })
    }

    fn source(&self, choice: Choice) -> Result<Box<dyn Source + 'l>, RepairError> {
        Ok(match self.loaded.model.repair_list() {
            Some(list) => Box::new(list::Listed::new(self.loaded, list, choice)),
            None => Box::new(source::Statements::new(self.loaded, choice)?),
        })
    }

    fn outcome(
        &self,
        source: &dyn Source,
        repair: &minimal::Repair,
        last: Vec<Report>,
        asked: &Asked<'_>,
    ) -> Result<Outcome, RepairError> {
        match &repair.end {
            End::Unrepairable => self.hopeless(source, repair, asked),
            End::Unknown { set, fix, why } => {
                let known = self.known(source, set, fix.as_ref());
                Ok(Outcome::Unknown(format!("{why}{known}")))
            }
            End::Done => match repair.sets.first() {
                // The last check was of the program with all places, whose states are others.
                Some(set) if set.is_empty() && !self.relax && self.proof => {
                    Ok(Outcome::Right(asked.of(self.loaded, true)?))
                }
                Some(set) if set.is_empty() && !self.relax => Ok(Outcome::Right(last)),
                Some(set) => self.fixed(source, repair, set, asked),
                None => Ok(Outcome::Unrepairable(None)),
            },
        }
    }

    /// What is known when a limit is met: what nothing costs less than, and a set that is enough.
    fn known(&self, source: &dyn Source, allowed: &Set, fix: Option<&Set>) -> String {
        let subject = source.subject();
        let mut words = match (self.strategy, subject.cost(allowed), self.relax) {
            (Strategy::Greedy, ..) | (_, 0, _) => String::new(),
            (_, cost, false) => format!("; whatever fixes it costs at least {cost}"),
            (_, cost, true) => format!("; what must stay costs at least {cost}"),
        };
        if let Some(fix) = fix {
            let verb = if self.relax { "keep" } else { "put in" };
            words.push_str(&format!("; enough, at a cost of {}: {verb} ", subject.cost(fix)));
            words.push_str(&listed(source, fix));
        }
        words
    }

    /// What is wrong with the set that was tried last, in the user's own text.
    fn hopeless(
        &self,
        source: &dyn Source,
        repair: &minimal::Repair,
        asked: &Asked<'_>,
    ) -> Result<Outcome, RepairError> {
        let Some(lesson) = repair.lessons.last() else { return Ok(Outcome::Unrepairable(None)) };
        let without = self.with_set(source, &lesson.set, asked)?;
        Ok(Outcome::Unrepairable(without.map(Box::new)))
    }

    /// What is wrong with a program in which some places are changed.
    fn with_set(
        &self,
        source: &dyn Source,
        set: &Set,
        asked: &Asked<'_>,
    ) -> Result<Option<Without>, RepairError> {
        let loaded = source.reread(&source.edit(set).text).map_err(RepairError::Source)?;
        let wrong = violated(asked.of(&loaded, false)?);
        Ok(wrong.map(|report| Without { loaded, report }))
    }

    fn fixed(
        &self,
        source: &dyn Source,
        repair: &minimal::Repair,
        set: &Set,
        asked: &Asked<'_>,
    ) -> Result<Outcome, RepairError> {
        let Edit { file, original, text } = source.edit(set);
        let loaded = Box::new(source.reread(&text).map_err(RepairError::Source)?);
        let proofs = asked.of(&loaded, true)?;
        if proofs.iter().any(Report::is_violated) {
            return Err(RepairError::NotProven(proofs));
        }
        if let Some(words) = open(&proofs) {
            return Ok(Outcome::Unknown(format!("the fixed program: {words}")));
        }
        let sets = repair.sets.iter().map(|set| shown(source, repair, set)).collect();
        let optimal = self.strategy == Strategy::Minimal;
        let without = match self.show_runs {
            true => self.without(source, set, asked)?,
            false => Vec::new(),
        };
        let weakened = source.weakened(set);
        let evidence = match self.proof {
            true if self.relax => Some(RepairEvidence::open(RELAXED)),
            true => Some(cheapest::evidence((self.loaded, &loaded), source, repair, set, asked)?),
            false => None,
        };
        let fixed = Box::new(Repaired {
            sets,
            optimal,
            file,
            original,
            text,
            weakened,
            proofs,
            loaded,
            without,
            evidence,
        });
        Ok(if self.relax { Outcome::Weakened(fixed) } else { Outcome::Repaired(fixed) })
    }

    /// What is wrong without each place of a set, in the order in which they are shown.
    fn without(
        &self,
        source: &dyn Source,
        set: &Set,
        asked: &Asked<'_>,
    ) -> Result<Vec<Option<Without>>, RepairError> {
        let mut all = Vec::new();
        for id in in_order(source, set) {
            let rest = set.iter().copied().filter(|&other| other != id).collect();
            all.push(self.with_set(source, &rest, asked)?);
        }
        Ok(all)
    }
}
