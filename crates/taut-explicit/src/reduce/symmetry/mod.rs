//! Processes that can change places.
//!
//! Two processes with the same code that were given the same are *equal* if nothing in the program tells one
//! from the other. Then a state in which they have changed places, with their program points, registers, stacks and
//! buffers, allows the same up to the same change, and violates what is asked if and only if the first one does: the change is an
//! automorphism of the transition relation (Ip and Dill, *Better verification through symmetry*, 1996; Emerson and
//! Sistla 1996). So one of all states that differ by such changes is enough. Kept is the one in which equal
//! processes are sorted by their bits.
//!
//! Which processes are equal is decided by the code (`equal`); here is where their bits lie. What is asked must be
//! the same for each of them. It is for properties of states and steps only: fairness tells processes apart.
//!
//! A run through sorted states is no run of the program: from one to the next, processes may have changed
//! places. Who rebuilds it follows real states, and takes from each the action to a state that, sorted, is the
//! next one: there is one, since the real state and its sorted one differ by a change of equal processes.

mod equal;
mod invariant;

use std::cmp::Ordering;

use taut_ir::{ProcId, Program};
use taut_memory::{Field, MemorySystem};

use super::simplify::Question;
use equal::equal;
use taut_machine::Machine;

/// The equal processes of a program.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    groups: Vec<Group>,
}

/// Equal processes: for each the fields that hold all about it, in the same order.
#[derive(Clone, Debug)]
struct Group {
    members: Vec<Vec<Field>>,
}

impl Symmetry {
    /// The equal processes of a valid program under a memory system.
    pub fn of<M: MemorySystem>(
        program: &Program,
        question: &Question,
        machine: &Machine<M>,
    ) -> Symmetry {
        let groups = equal(program, question).into_iter().map(|processes| {
            let members = processes.into_iter().map(|p| fields(machine, p)).collect();
            Group { members }
        });
        Symmetry { groups: groups.filter(Group::is_alike).collect() }
    }

    /// Whether no two processes are equal.
    pub fn is_trivial(&self) -> bool {
        self.groups.is_empty()
    }

    /// Sorts equal processes. False if they were.
    #[inline]
    pub fn canonicalise(&self, state: &mut [u64]) -> bool {
        let mut changed = false;
        for group in &self.groups {
            changed |= group.sort(state);
        }
        changed
    }
}

/// All fields of a process.
fn fields<M: MemorySystem>(machine: &Machine<M>, process: ProcId) -> Vec<Field> {
    let compiled = &machine.processes()[process.index()];
    let own = compiled.fields.iter().map(|(field, _)| *field);
    let waiting = machine.memory().buffer_fields(process);
    let all = [compiled.pc].into_iter().chain(own).chain(waiting);
    all.filter(|field| field.width() > 0).collect()
}

impl Group {
    /// Whether the fields of all members hold the same kind of thing, as they must.
    fn is_alike(&self) -> bool {
        let shape = |member: &Vec<Field>| member.iter().map(|f| f.interval()).collect::<Vec<_>>();
        self.members.iter().all(|member| shape(member) == shape(&self.members[0]))
    }

    /// Sorts the members by insertion: there are few, and mostly they are sorted.
    #[inline]
    fn sort(&self, state: &mut [u64]) -> bool {
        let mut changed = false;
        for end in 1..self.members.len() {
            let mut at = end;
            while at > 0 && self.compare(at - 1, at, state) == Ordering::Greater {
                self.swap(at - 1, at, state);
                changed = true;
                at -= 1;
            }
        }
        changed
    }

    #[inline]
    fn compare(&self, a: usize, b: usize, state: &[u64]) -> Ordering {
        let bits = |field: &Field| field.bits(state);
        self.members[a].iter().map(bits).cmp(self.members[b].iter().map(bits))
    }

    #[inline]
    fn swap(&self, a: usize, b: usize, state: &mut [u64]) {
        for (a, b) in self.members[a].iter().zip(&self.members[b]) {
            let (of_a, of_b) = (a.bits(state), b.bits(state));
            a.set_bits(state, of_b);
            b.set_bits(state, of_a);
        }
    }
}
