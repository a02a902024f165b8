//! Traces to the violation of a property of runs.
//!
//! A run is a sequence of *positions*: the states in which nobody holds the others. What leads from one to
//! the next is a transition, of one action or of several. The property reads the truth of its atoms at the
//! positions, and nothing else.
//!
//! Nothing here goes through the automaton of a formula. A formula is evaluated on the lasso itself
//! ([`taut_ltl::evaluate`]); that nothing can fix a finite run is told by a tableau, or by progressing
//! the formula along it ([`taut_ltl::progress`]). Fairness is looked at as it is defined, with everything
//! that can happen at every position of the cycle.

use taut_ir::{Atom, Program, Property, PropertyKind};
use taut_ltl::{Automaton, Formula};

use super::difference::difference;
use super::error::ReplayError;
use super::states::check_failure;
use crate::fairness::Requirement;
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::temporal::Outlook;
use crate::text;
use crate::trace::{AtomTruths, Lasso, Row, Run, Trace};

/// Replays a trace to the violation of a property of runs.
pub(super) fn replay(
    program: &Program,
    trace: &Trace,
    property: &Property,
) -> Result<Run, ReplayError> {
    let atoms = property.kind.atoms().unwrap_or_default();
    let machine = Machine::new(program, trace.memory);
    let run = follow(machine, trace, atoms)?;
    let judge = Judge { machine, property, atoms, run: &run };
    match trace.lasso {
        None => judge.bad_prefix()?,
        Some(lasso) => judge.lasso(lasso)?,
    }
    Ok(run)
}

/// Takes all actions, each of which must lead to a state.
fn follow(machine: Machine<'_>, trace: &Trace, atoms: &[Atom]) -> Result<Run, ReplayError> {
    let program = machine.program();
    let (initial, lasso) = (machine.initial(), trace.lasso);
    let mut run = Run { memory: trace.memory, initial, rows: Vec::new(), lasso, atoms: None };
    for (i, &action) in trace.actions.iter().enumerate() {
        let done = machine.apply(run.last(), action).map_err(|refusal| {
            ReplayError::impossible(program, i + 1, action, refusal.describe(program))
        })?;
        match done.outcome {
            Outcome::State(after) => {
                run.rows.push(Row { action, record: done.record, after, failure: None });
            }
            Outcome::Failure(failure) => check_failure(program, trace, i + 1, failure.finding)?,
        }
    }
    run.atoms = Some(truths(machine, &run, atoms));
    Ok(run)
}

fn truths(machine: Machine<'_>, run: &Run, atoms: &[Atom]) -> AtomTruths {
    let at = |row: usize| {
        let state = run.before(row);
        let valuation = state.holder.is_none().then(|| machine.valuation(state, atoms))?;
        Some((0..atoms.len()).map(|i| i < 64 && valuation >> i & 1 == 1).collect())
    };
    AtomTruths {
        texts: atoms.iter().map(|atom| atom.text.clone()).collect(),
        at: (0..=run.rows.len()).map(at).collect(),
    }
}

struct Judge<'a> {
    machine: Machine<'a>,
    property: &'a Property,
    atoms: &'a [Atom],
    run: &'a Run,
}

impl Judge<'_> {
    fn program(&self) -> &Program {
        self.machine.program()
    }

    /// The positions among some rows: the rows that begin where nobody holds the others.
    fn positions(&self, rows: std::ops::Range<usize>) -> Vec<usize> {
        rows.filter(|&row| self.run.before(row).holder.is_none()).collect()
    }

    fn word(&self, positions: &[usize]) -> Vec<u64> {
        let valuation = |&row: &usize| self.machine.valuation(self.run.before(row), self.atoms);
        positions.iter().map(valuation).collect()
    }

    /// Whether the finite run cannot be fixed, whatever comes after it.
    fn bad_prefix(&self) -> Result<(), ReplayError> {
        let end = self.run.rows.len();
        self.check_free(end, "the trace ends")?;
        let word = self.word(&self.positions(0..end + 1));
        let bad = match &self.property.kind {
            PropertyKind::Ltl(ltl) => cannot_hold(&ltl.formula, &word),
            PropertyKind::Never(never) => is_accepted_at_once(&never.automaton, &word),
            _ => false,
        };
        if bad {
            return Ok(());
        }
        let (word, name) = (self.property.kind.word(), &self.property.name);
        let why = format!(
            "the trace has no cycle, and what happens decides nothing about {word} `{name}`"
        );
        Err(ReplayError::lasso(why))
    }

    fn lasso(&self, lasso: Lasso) -> Result<(), ReplayError> {
        let rows = self.run.rows.len();
        if lasso.cycle > rows {
            let start = lasso.cycle.saturating_add(1);
            let why = format!("the cycle starts at action {start}, and there are {rows}");
            return Err(ReplayError::lasso(why));
        }
        self.check_free(lasso.cycle, "the cycle starts")?;
        let stem = self.positions(0..lasso.cycle);
        let cycle = if lasso.cycle == rows {
            self.check_end()?;
            vec![rows]
        } else {
            self.check_closed(lasso.cycle)?;
            let cycle = self.positions(lasso.cycle..rows);
            self.check_fair(lasso, &cycle)?;
            cycle
        };
        self.check_violated(&self.word(&stem), &self.word(&cycle))
    }

    /// Whether nobody holds the others before a row.
    fn check_free(&self, row: usize, what: &str) -> Result<(), ReplayError> {
        let Some(holder) = self.run.before(row).holder else { return Ok(()) };
        let name = &self.program().process(holder).name;
        Err(ReplayError::lasso(format!("{what} while {name} goes on and holds all others")))
    }

    /// Whether the run ends where it is claimed to, and runs that end count.
    fn check_end(&self) -> Result<(), ReplayError> {
        if let PropertyKind::Ltl(ltl) = &self.property.kind
            && !ltl.finite_runs
        {
            let name = &self.property.name;
            let why = format!("the run ends, and ltl `{name}` is about runs that do not");
            return Err(ReplayError::lasso(why));
        }
        let next = self.machine.successors(self.run.last());
        let why = match next.moves.first() {
            Some((action, _)) => {
                let can = text::describe_action(self.program(), *action);
                format!("the run does not end there: this can happen: {can}")
            }
            None if next.bounds.any() => {
                "the run does not end there: only a bound holds it up".to_string()
            }
            None => return Ok(()),
        };
        Err(ReplayError::lasso(why))
    }

    fn check_closed(&self, cycle: usize) -> Result<(), ReplayError> {
        self.check_free(self.run.rows.len(), "the cycle ends")?;
        match difference(self.program(), self.run.before(cycle), self.run.last()) {
            None => Ok(()),
            Some(what) => Err(ReplayError::lasso(format!("the cycle does not close: {what}"))),
        }
    }

    fn check_fair(&self, lasso: Lasso, cycle: &[usize]) -> Result<(), ReplayError> {
        let ends = cycle.iter().skip(1).copied().chain([self.run.rows.len()]);
        let actions = self.run.actions();
        let mut waiting = Requirement::all(self.program(), self.run.memory, lasso.fairness);
        for (&start, end) in cycle.iter().zip(ends) {
            let state = self.run.before(start);
            let next = self.machine.successors(state);
            waiting
                .retain(|wanted| !wanted.is_met(self.machine, state, &next, &actions[start..end]));
        }
        let Some(breach) = waiting.first() else { return Ok(()) };
        let (fairness, why) = (lasso.fairness, breach.describe_breach(self.program()));
        Err(ReplayError::lasso(format!("the cycle is not fair ({fairness}): {why}")))
    }

    fn check_violated(&self, stem: &[u64], cycle: &[u64]) -> Result<(), ReplayError> {
        let name = &self.property.name;
        let why = match &self.property.kind {
            PropertyKind::Ltl(ltl) if taut_ltl::evaluate(&ltl.formula, stem, cycle) => {
                format!("ltl `{name}` holds on this run")
            }
            PropertyKind::Never(never) if !never.automaton.accepts(stem, cycle) => {
                format!("the automaton of never `{name}` does not accept this run")
            }
            _ => return Ok(()),
        };
        Err(ReplayError::lasso(why))
    }
}

/// Whether no run that begins with these valuations satisfies the formula. The tableau tells exactly;
/// formulas that are too large for it are progressed, which sees most of what is lost.
fn cannot_hold(formula: &Formula, word: &[u64]) -> bool {
    if let Some(outlook) = Outlook::new(formula) {
        return outlook.is_lost(word);
    }
    let mut rest = formula.clone();
    word.iter().any(|&valuation| {
        rest = taut_ltl::progress(&rest, valuation);
        rest == Formula::False
    })
}

/// Whether the automaton can be in a universal state after these valuations.
fn is_accepted_at_once(automaton: &Automaton, word: &[u64]) -> bool {
    let universal = automaton.universal();
    let mut at = vec![false; automaton.states.len()];
    automaton.initial.iter().for_each(|&q| at[q as usize] = true);
    for &valuation in word {
        let mut next = vec![false; at.len()];
        let current = automaton.states.iter().zip(&at).filter(|(_, here)| **here);
        for edge in current.flat_map(|(state, _)| &state.edges) {
            next[edge.target as usize] |= edge.guard.is_satisfied(valuation);
        }
        at = next;
    }
    at.iter().zip(universal).any(|(&here, universal)| here && universal)
}
