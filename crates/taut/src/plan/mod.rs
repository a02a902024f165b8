//! The plan of a check: which searches are made, in which order, and for how long.
//!
//! A check has *questions*. Those about states and steps share one search; each question about runs has a search of
//! its own, because its automaton is part of the state. No search is made that answers no question.
//!
//! **Turns.** A search may never end, and another one may be answered in a millisecond. So searches take turns. In a
//! turn a search may store so many states (its *budget*), and it is made again, from the start, with eight times as
//! many in its next turn ([`turn`]). The turns before the last one store at most a seventh of its
//! budget. So a search that needs its whole last budget costs a seventh more than without turns, and one that ends just
//! beyond the budget before costs little more than twice as much.
//! The budget is counted in states, not in time, so the same command makes the same turns on every machine. The last
//! search that is open has no budget: nothing waits for it.
//!
//! *Why are the answers those of a search without budgets?* A search that stayed below its budget is such a search:
//! a limit that is not met changes nothing, and one thread finds what several find. One that met its budget is dropped,
//! except for the violations that it found. Those are replayed like any other.
//!
//! **Told at once.** A violation is handed to the [observer](crate::Check::observe) when it has been replayed, before
//! the next turn. Without [`all`](crate::Check::all) the check ends there, and questions that have no answer yet are
//! [`Verdict::NotAsked`].
//!
//! | file | idea |
//! | --- | --- |
//! | `turn.rs` | budgets, and a check that is limited to one turn |
//! | `safety.rs` | the search that answers all questions about states, by one engine or several |
//! | `stages.rs` | the searches of one engine, of ever larger parts of the runs |
//! | `portfolio.rs` | the automatic choice: the explicit engine, and those whose answers have no bound |
//! | `shortcut.rs` | robust programs: SC answers, and no buffer is searched |
//! | `temporal.rs` | the search for a run that violates a property |
//! | `covers.rs` | the search for runs that `cover` asks for, after all others |
//! | `cuts.rs` | what ended runs early, in the coverage of every answer |

mod covers;
mod cuts;
mod portfolio;
mod safety;
mod shortcut;
mod stages;
mod temporal;
mod turn;

use std::sync::Arc;

use taut_budget::{Budget, Instant, Level, Met, given_up};
use taut_explicit::Checkpoints;

pub(crate) use turn::Turn;

use crate::check::Check;
use crate::counts::sum;
use crate::outcome::{About, EngineFault, Report, SearchRecord};
use crate::verdict::{PropertyResult, QuestionKind, Unknown, Verdict};
use safety::States;
use temporal::Run;
use turn::{FIRST_BUDGET, GROWTH};

impl Check<'_> {
    /// Runs the check. An error is a bug in Taut, never of the program.
    pub fn run(&self) -> Result<Report, EngineFault> {
        let started = Instant::now();
        let mut report = self.planned()?;
        self.add_covers(&mut report, started)?;
        self.add_robust(&mut report)?;
        let resumed = self.options.limits.checkpoints.as_ref().map(Checkpoints::take_resumed);
        report.resumed = resumed.filter(|resumed| resumed.searches > 0);
        Ok(report)
    }

    /// What the searches say, within the budget.
    fn planned(&self) -> Result<Report, EngineFault> {
        let checked = self.whole_budget().run(Level::Check, || Plan::new(self).run());
        checked.unwrap_or_else(|met| Ok(self.unstarted(met)))
    }

    /// The report of a check whose budget was spent outside of its searches.
    fn unstarted(&self, met: Met) -> Report {
        let program = Arc::new(self.growing.program.clone());
        // Whether a step can fault takes an analysis, for which nothing is left.
        let questions = self.questions(&program, true);
        let of_states = questions.into_iter().map(|question| question.name_and_kind(&program));
        let of_runs = self.runs_asked().map(|id| {
            let property = program.property(id);
            (property.name.clone(), (&property.kind).into())
        });
        let unknown = |(name, kind)| PropertyResult {
            name,
            kind,
            verdict: Verdict::Unknown(Unknown::Spent(met)),
            stats: None,
            note: None,
        };
        let results = of_states.chain(of_runs).map(unknown).collect();
        Report { results, ..self.nothing(self.memory, program.clone()) }
    }
}

/// A search that takes turns with others.
trait Task {
    /// Searches for one turn; the violations that are new.
    fn attempt(
        &mut self,
        turn: &Turn,
        check: &Check<'_>,
    ) -> Result<Vec<PropertyResult>, EngineFault>;

    /// Whether every question of this search has its final answer.
    fn is_done(&self) -> bool;

    /// Whether the search needs budgets even if no other search waits.
    fn needs_turns(&self) -> bool;
}

/// A check that is being made.
pub(crate) struct Plan<'c, 'p> {
    check: &'c Check<'p>,
    started: Instant,
    states: Option<States>,
    runs: Vec<Run>,
    /// Whether a violation was found.
    violated: bool,
    /// The budget of the whole check. A search looks at its limits itself; this one ends what is done beside
    /// searches, such as compilation and the analyses for reductions.
    budget: Budget,
    /// The limit that ended the check outside of a search.
    met: Option<Met>,
    /// Analyses that the program is too large for.
    given_up: Vec<&'static str>,
}

impl<'c, 'p> Plan<'c, 'p> {
    /// The searches of a check.
    pub(crate) fn new(check: &'c Check<'p>) -> Plan<'c, 'p> {
        // Runs are searched state by state, which needs a fixed number of processes.
        let is_fixed = check.growing.program.replicated.is_empty();
        let runs: Vec<Run> = check.runs_asked().filter(|_| is_fixed).map(Run::new).collect();
        let states = check.needs_states().then(|| States::new(check));
        let (started, budget) = (Instant::now(), check.whole_budget());
        // Those of other checks in this thread.
        drop(given_up());
        Plan {
            check,
            started,
            states,
            runs,
            violated: false,
            budget,
            met: None,
            given_up: Vec::new(),
        }
    }

    /// Makes all searches.
    pub(crate) fn run(mut self) -> Result<Report, EngineFault> {
        let mut budget = FIRST_BUDGET;
        while !self.is_over() {
            for task in 0..self.tasks().len() {
                self.take_turn(task, budget)?;
            }
            budget = budget.saturating_mul(GROWTH);
        }
        Ok(self.report())
    }

    /// The searches in the order of their turns: states first, as a fault or a failed assertion explains more.
    fn tasks(&mut self) -> Vec<&mut dyn Task> {
        let states = self.states.iter_mut().map(|task| task as &mut dyn Task);
        states.chain(self.runs.iter_mut().map(|task| task as &mut dyn Task)).collect()
    }

    /// Whether every question has its answer, or the first violation was enough.
    fn is_over(&mut self) -> bool {
        self.is_enough() || self.met.is_some() || self.tasks().iter().all(|task| task.is_done())
    }

    /// Whether one violation was asked for and found.
    fn is_enough(&self) -> bool {
        self.violated && !self.check.options.all
    }

    fn take_turn(&mut self, task: usize, budget: u64) -> Result<(), EngineFault> {
        let (check, started, work) = (self.check, self.started, self.budget.clone());
        let enough = self.is_enough() || self.met.is_some();
        let mut tasks = self.tasks();
        let open = tasks.iter().filter(|task| !task.is_done()).count();
        let task = &mut tasks[task];
        if enough || task.is_done() {
            return Ok(());
        }
        let budget = (open > 1 || task.needs_turns()).then_some(budget);
        let turn = Turn::new(&check.options, budget, started.elapsed());
        // After a limit was met the task is asked for what it knew before, and never for another turn.
        let attempted = work.run(Level::Work, || task.attempt(&turn, check));
        self.note_given_up();
        let violated = match attempted {
            Ok(violated) => violated?,
            Err(met) => {
                self.met = Some(met);
                return Ok(());
            }
        };
        for result in &violated {
            check.tell(result);
        }
        self.violated |= !violated.is_empty();
        Ok(())
    }

    fn note_given_up(&mut self) {
        for sentence in given_up() {
            if !self.given_up.contains(&sentence) {
                self.given_up.push(sentence);
            }
        }
    }

    /// What all searches say together.
    fn report(self) -> Report {
        let Plan { check, states, runs, met, violated, given_up, .. } = self;
        let mut report = match states {
            Some(states) => states.report(check),
            None => check.nothing(check.memory, Arc::new(check.growing.program.clone())),
        };
        for run in runs {
            report.searches.extend(run.record(check));
            let (property, result) = run.result(check);
            report.results.insert(report.position(property), result);
        }
        let all = report.searches.iter().map(|search| search.stats);
        report.stats = all.reduce(sum).unwrap_or_default();
        if let Some(met) = met.filter(|_| check.options.all || !violated) {
            report.leave_open(met);
        }
        report.add_note(&given_up.join("; "));
        let limits = &check.options.limits;
        if let Some(time) = limits.budget.given_time().or(limits.time) {
            report.name_time_limit(time);
        }
        cuts::name(check, &mut report);
        report
    }
}

/// The answer to a question whose search did not get to its end because something else is violated.
fn not_asked(name: String, kind: QuestionKind) -> PropertyResult {
    PropertyResult { name, kind, verdict: Verdict::NotAsked, stats: None, note: None }
}
