//! The short cut for robust programs: sequential consistency answers, and no buffer is searched.
//!
//! A robust program has SC's answers under TSO and PSO, as far as [`taut_robust::carries`] says. So two things are looked
//! for, in this order and with budgets that grow: the answers under SC, and the proof that the program is robust. Each
//! is far smaller than a search with buffers: neither has buffers in its states.
//!
//! - A violation under SC is one under the memory model, whether or not the program is robust: the same run with each
//!   store committed at once ([`with_commits`]). The replayer judges it.
//! - What holds under SC holds if the program is robust. The answer says so in its note.
//! - A program that is not robust is left to the other searches.

use std::sync::Arc;
use std::time::Duration;

use taut_budget::{Instant, Level};
use taut_engine::Explicit;
use taut_ir::{Action, FullBuffer, Memory, MemoryModel, Program};
use taut_robust::{Proof, Robustness};
use taut_witness::{BoundsMet, Machine, Outcome, State, Trace, replay};

use super::safety::{Series, Turned};
use super::{SearchRecord, Turn};
use crate::check::Check;
use crate::outcome::{EngineFault, Report, thread_bound};
use crate::question::Question;
use crate::verdict::{Coverage, PropertyResult, Verdict, Witness};

/// Explicit states with buffers that a state of the search under SC counts for: it has a part of the turn only, as the
/// other searches wait for it.
const PRICE_OF_SC: u64 = 8;
/// The same for the search for attacks, which steps with the replayer's machine.
const PRICE_OF_ATTACKS: u64 = 200;

/// The note of an answer.
const ROBUST: &str = "the program is robust, so this is the answer under sc";
/// The note of a violation.
const FOUND: &str = "found under sc, with each store committed at once";

/// The search under SC, and the proof that it answers.
pub(super) struct Shortcut {
    series: Series,
    /// The answers under SC, of the last turn.
    sc: Option<Report>,
    /// Whether a larger budget could change these.
    is_sc_cut: bool,
    proof: Known,
    /// Whether the answer was given.
    answered: bool,
}

/// What is known about robustness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Robust(Proof),
    /// No attack was found yet.
    Open,
    /// The program is not robust, or that is not to be found out.
    No,
}

impl Shortcut {
    /// The short cut of a check; none if SC's answers would not be those of the check.
    pub(super) fn of(check: &Check<'_>) -> Option<Shortcut> {
        let (program, Memory { model, .. }) = (check.growing.program, check.memory);
        let is_asked = model.is_relaxed() && taut_robust::has_question(model);
        let is_off = !check.shortcut;
        let is_whole = check.options.whole || program.races.is_some() || check.growing.is_open();
        if is_off || !is_asked || is_whole || check.memory.full_buffer != FullBuffer::Wait {
            return None;
        }
        let questions = check.questions(program, true);
        let asked: Vec<_> = questions
            .into_iter()
            .filter_map(|q| if let Question::Property(id) = q { Some(id) } else { None })
            .collect();
        let proof = match taut_robust::is_robust_by_code(program, model).ok()? {
            true => Known::Robust(Proof { states: None, bounds: BoundsMet::default() }),
            false => Known::Open,
        };
        // Last, because it takes an analysis of ranges.
        taut_robust::carries(program, &asked).then_some(Shortcut {
            series: Series::default(),
            sc: None,
            is_sc_cut: true,
            proof,
            answered: false,
        })
    }

    /// Whether the code alone shows that the program is robust.
    pub(super) fn is_by_code(&self) -> bool {
        matches!(self.proof, Known::Robust(Proof { states: None, .. }))
    }

    /// One turn beside other searches; the answers, if there are any.
    pub(super) fn turn(
        &mut self,
        turn: &Turn,
        check: &Check<'_>,
    ) -> Result<Option<Report>, EngineFault> {
        if self.proof == Known::No {
            return Ok(None);
        }
        if self.is_sc_cut {
            self.search(&turn.with_budget(|budget| budget / PRICE_OF_SC), check)?;
        }
        if self.proof == Known::Open && !self.is_violated(check) {
            self.attack(turn, check);
        }
        let answer = self.answer(check);
        if answer.is_none() && !self.is_sc_cut && self.sc_is_open(check) {
            self.proof = Known::No;
        }
        Ok(answer)
    }

    /// Whether the search under SC left something open.
    fn sc_is_open(&self, check: &Check<'_>) -> bool {
        self.sc.as_ref().is_some_and(|sc| !check.is_answered_by(sc))
    }

    /// One turn in which no other search waits; none if a run under SC is none with buffers.
    pub(super) fn alone(
        &mut self,
        turn: &Turn,
        check: &Check<'_>,
    ) -> Result<Option<Turned>, EngineFault> {
        self.search(turn, check)?;
        let report = self.answer(check).or_else(|| carried(check, self.sc.as_ref()?, None));
        Ok(report.map(|report| Turned { report, is_cut: self.is_sc_cut }))
    }

    /// Searches under SC.
    fn search(&mut self, turn: &Turn, check: &Check<'_>) -> Result<(), EngineFault> {
        let mut under_sc = check.clone().model(MemoryModel::Sc);
        under_sc.options.limits.checkpoints = None;
        let turned =
            self.series.turn(turn, &under_sc, |check| check.by(&Explicit, &check.job()))?;
        self.is_sc_cut = turned.is_cut;
        self.sc = Some(turned.report);
        Ok(())
    }

    fn is_violated(&self, check: &Check<'_>) -> bool {
        !check.options.all && self.sc.as_ref().is_some_and(Report::is_violated)
    }

    /// The time of all turns.
    pub(super) fn time(&self) -> Duration {
        self.series.time()
    }

    /// Looks for an attack.
    fn attack(&mut self, turn: &Turn, check: &Check<'_>) {
        let started = Instant::now();
        let states = turn.budget().map(|budget| budget / PRICE_OF_ATTACKS);
        let most = states.or(check.options.limits.states).unwrap_or(u64::MAX);
        let (program, model) = (check.growing.program, check.memory.model);
        let budget = check.whole_budget().within(turn.time());
        // An attack that takes too long is given up, which has to leave the rest of the check alive.
        if !taut_budget::UNWINDS {
            self.proof = Known::No;
            return;
        }
        let decided = budget.run(Level::Work, || taut_robust::check(program, model, most));
        self.proof = match decided {
            Ok(Ok(Robustness::Robust(proof))) => Known::Robust(proof),
            Ok(Ok(Robustness::Unknown(taut_robust::OpenReason::States(_)))) => Known::Open,
            _ => Known::No,
        };
        self.series.add(started.elapsed());
    }

    /// The answers, if they are known.
    fn answer(&mut self, check: &Check<'_>) -> Option<Report> {
        let sc = self.sc.as_ref()?;
        let report = match self.proof {
            Known::Robust(proof) if !self.is_sc_cut => carried(check, sc, Some(proof)),
            _ if self.is_violated(check) => carried(check, sc, None),
            _ => None,
        };
        let report = report.filter(|report| check.is_answered_by(report))?;
        self.answered = true;
        Some(report)
    }

    /// The counts of the search under SC, if it gave the answer or was the only one.
    pub(super) fn record(&self, is_alone: bool) -> Option<SearchRecord> {
        let sc = self.sc.as_ref().filter(|_| self.answered || is_alone)?;
        let robust = match self.proof {
            Known::Robust(proof) => Some(proof.states),
            Known::Open | Known::No => None,
        };
        Some(SearchRecord { model: MemoryModel::Sc, robust, ..self.series.record(sc) })
    }
}

/// A report under SC as one under the memory model of the check; none if a run is not one under it. Without a proof only
/// what is violated is said.
fn carried(check: &Check<'_>, sc: &Report, proof: Option<Proof>) -> Option<Report> {
    let memory = check.memory.bounded(None);
    let program = &sc.program;
    let result = |result: &PropertyResult| -> Option<PropertyResult> {
        let (verdict, note) = match (&result.verdict, proof) {
            (Verdict::Violated(witness), _) => {
                (Verdict::Violated(Box::new(relaxed(witness, memory)?)), Some(FOUND.into()))
            }
            (Verdict::Holds(coverage), Some(proof)) => {
                let coverage = joined(coverage, program, memory, proof);
                (Verdict::Holds(coverage), Some(ROBUST.into()))
            }
            (Verdict::Holds(_), None) => (Verdict::NotAsked, None),
            (other, _) => (other.clone(), result.note.clone()),
        };
        Some(PropertyResult { verdict, note, ..result.clone() })
    };
    let results = sc.results.iter().map(result).collect::<Option<Vec<_>>>()?;
    Some(Report { memory, results, ..sc.clone() })
}

/// A coverage under SC with the bounds that the proof met.
fn joined(coverage: &Coverage, program: &Program, memory: Memory, proof: Proof) -> Coverage {
    let threads = proof.bounds.threads.then(|| thread_bound(program));
    let calls = proof.bounds.calls.then_some(program.call_depth);
    let (threads, calls) = (coverage.threads.or(threads), coverage.calls.or(calls));
    Coverage { threads, calls, ..coverage.clone() }.of(program, memory)
}

/// A run under SC as one under a memory model, if it is one.
fn relaxed(witness: &Witness, memory: Memory) -> Option<Witness> {
    let (program, finding) = (&witness.program, witness.trace.finding);
    let (actions, last) = with_commits(program, memory, &witness.trace.actions)?;
    // A failed assertion is a finding of its step, before the stores of the step commit; a state is one after them.
    let with_last = actions.iter().chain(&last).copied().collect();
    [actions.clone(), with_last].into_iter().find_map(|actions| {
        let trace = Trace::new(memory, finding, actions);
        let run = replay(program, &trace).ok()?;
        Some(Witness::new(Arc::clone(program), trace, run))
    })
}

/// The actions of a run under SC, with the commits of each step after it, and the commits of the last one.
fn with_commits(
    program: &Program,
    memory: Memory,
    actions: &[Action],
) -> Option<(Vec<Action>, Vec<Action>)> {
    let machine = Machine::new(program, memory);
    let (mut state, mut all, mut commits) = (machine.initial(), Vec::new(), Vec::new());
    for &action in actions {
        all.append(&mut commits);
        all.push(action);
        let Outcome::State(after) = machine.apply(&state, action).ok()?.outcome else { break };
        state = after;
        while let Some((commit, after)) = committed(&machine, &state) {
            commits.push(commit);
            state = after;
        }
    }
    Some((all, commits))
}

/// A commit that a state allows, and the state after it.
fn committed(machine: &Machine<'_>, state: &State) -> Option<(Action, State)> {
    if state.processes.iter().all(|process| process.buffer.is_empty()) {
        return None;
    }
    machine.actions(state).into_iter().filter(|a| matches!(a, Action::Commit { .. })).find_map(
        |action| match machine.apply(state, action).ok()?.outcome {
            Outcome::State(after) => Some((action, after)),
            Outcome::Failure(_) => None,
        },
    )
}
