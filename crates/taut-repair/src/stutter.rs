//! What a property of runs can tell of a fence where nothing waits.
//!
//! Such a fence changes nothing but adds a state, in which its process is at the fence. A property over states does
//! not mind. A formula without `X` does not, either, if what it looks at is in the new state as in the one after, or
//! if it is in all the new states in a row as in the one before: then the run stutters there. Whoever counts steps
//! (`X`, automata) or asks whether processes can move may tell any change.

use taut_ir::{Action, Atom, Expr, Program, PropertyKind};
use taut_witness::{Machine, Run};

use crate::contract::Steps;

/// A property of runs, looking at a run.
pub(crate) struct Stutter<'a> {
    machine: Machine<'a>,
    run: &'a Run,
    /// The steps of fences, chosen or not.
    fences: Steps,
    /// What the property looks at; none if it is about states.
    atoms: Option<&'a [Atom]>,
    counts: bool,
}

impl<'a> Stutter<'a> {
    pub(crate) fn new(
        program: &'a Program,
        run: &'a Run,
        fences: Steps,
        property: Option<&'a PropertyKind>,
    ) -> Stutter<'a> {
        let machine = Machine::new(program, run.memory);
        let atoms = property.and_then(PropertyKind::atoms);
        Stutter { machine, run, fences, atoms, counts: property.is_some_and(counts_steps) }
    }

    /// Whether it may tell any change of a run.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    /// Whether it may tell that a fence stands at a row, which is a step of one.
    pub(crate) fn sees(&self, row: usize) -> bool {
        let Some(atoms) = self.atoms else { return false };
        let is_fence = |row: usize| self.is_fence(row);
        let first = (0..row).rev().take_while(|&r| is_fence(r)).last().unwrap_or(row);
        let last = (row..self.run.rows.len()).take_while(|&r| is_fence(r)).last().unwrap_or(row);
        let at = |row: usize| self.machine.valuation(self.run.before(row), atoms);
        let after = self.machine.valuation(&self.run.rows[last].after, atoms);
        let is_as_before = || {
            first > 0 && {
                let before = at(first - 1);
                (first..=last).all(|r| at(r) == before)
            }
        };
        at(row) != after && !is_as_before()
    }

    fn is_fence(&self, row: usize) -> bool {
        let Action::Step { process, step, .. } = self.run.rows[row].action else { return false };
        let def = self.machine.program().process(process).def;
        self.fences.contains(&(def, step))
    }
}

fn counts_steps(property: &PropertyKind) -> bool {
    let asks_who_can_move = || {
        let mut asks = false;
        for expr in property.exprs() {
            expr.visit(&mut |e| asks |= matches!(e, Expr::Enabled(_)));
        }
        asks
    };
    match property {
        PropertyKind::Ltl(ltl) => ltl.formula.has_next() || asks_who_can_move(),
        PropertyKind::Never(_) => true,
        PropertyKind::Assert
        | PropertyKind::Forbid(_)
        | PropertyKind::Cover(_)
        | PropertyKind::Invariant(_) => false,
    }
}
