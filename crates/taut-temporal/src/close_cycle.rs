//! A run of a simplified program ([`taut_explicit::reduce::simplify`]) as one of the given program, whose cycle closes.
//!
//! Every action of the run can be taken in the given program, and the cycle can be taken again and again. But
//! what the simpler program does not keep need not be the same when the cycle has gone round once. A register
//! that is dead where the cycle begins holds afterwards what the cycle left in it, which is the same each time:
//! then the second round closes. A variable that nobody reads may count the rounds; if it does not close soon, the
//! search has to be made again without leaving it out.

use taut_ir::{Action, Memory, Program};
use taut_memory::MemorySystem;

use super::restore::{FoundLasso, Outcomes};
use taut_machine::{Machine, MachineVisitor, Scratch, compile};

/// How often a cycle may go round before it closes.
const MOST_ROUNDS: usize = 4;

/// The run with as many rounds of its cycle as it takes; none if it does not close soon.
pub(super) fn closed(program: &Program, memory: Memory, run: FoundLasso) -> Option<FoundLasso> {
    let Some(cycle) = run.cycle.filter(|&cycle| cycle < run.actions.len()) else {
        return Some(run);
    };
    let (stem, round) = run.actions.split_at(cycle);
    let (before, again) = compile(program, memory, &[], 1).visit(Rounds { stem, round })?;
    let actions = [stem, &round.repeat(before + again)].concat();
    Some(FoundLasso { actions, cycle: Some(cycle + round.len() * before) })
}

/// A cycle to go round, once the memory system is known.
struct Rounds<'a> {
    stem: &'a [Action],
    round: &'a [Action],
}

impl MachineVisitor for Rounds<'_> {
    type Out = Option<(usize, usize)>;

    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Self::Out {
        rounds(machine, self.stem, self.round)
    }
}

/// After how many rounds a state comes that comes again, and after how many more it does.
fn rounds<M: MemorySystem>(
    machine: &Machine<M>,
    stem: &[Action],
    round: &[Action],
) -> Option<(usize, usize)> {
    let mut seen = vec![after(machine, machine.initial().to_vec(), stem)?];
    while seen.len() <= MOST_ROUNDS {
        let next = after(machine, seen.last()?.clone(), round)?;
        if let Some(before) = seen.iter().position(|state| *state == next) {
            return Some((before, seen.len() - before));
        }
        seen.push(next);
    }
    None
}

/// The state after some actions, of which none is within a chain of transient states at the end.
fn after<M: MemorySystem>(
    machine: &Machine<M>,
    mut state: Vec<u64>,
    mut actions: &[Action],
) -> Option<Vec<u64>> {
    while !actions.is_empty() {
        let mut scratch = Scratch::tracing();
        let mut outcomes = Outcomes::default();
        machine.expand(&state, &mut scratch, &mut outcomes);
        let mut all = outcomes.all(machine.words());
        let (path, next) = all.find_map(|(way, next)| {
            let path = scratch.path(way);
            actions.starts_with(&path).then_some((path.len(), next))
        })?;
        state = next.to_vec();
        actions = &actions[path..];
    }
    Some(state)
}
