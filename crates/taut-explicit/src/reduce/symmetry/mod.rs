//! Processes that can change places, and slots that can be numbered anew.
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
//! Allocated objects are interchangeable in a similar way (`slots`). With both, the order of equal processes and the numbers of slots depend
//! on each other. Then all orders are tried that sort the processes by what is no reference, and the smallest state is kept.
//!
//! A run through sorted states is no run of the program: from one to the next, processes may have changed
//! places. Who rebuilds it follows real states, and takes from each the action to a state that, sorted, is the
//! next one: there is one, since the real state and its sorted one differ by a change of equal processes.

mod equal;
mod invariant;
mod slots;

use std::cmp::Ordering;

use taut_fault::{Fault, is_on};
use taut_ir::{ProcId, Program};
use taut_memory::{Field, MemorySystem};

use super::simplify::Question;
use equal::equal;
use slots::Renumbering;
use taut_machine::Machine;

/// The equal processes of a program.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    groups: Vec<Group>,
    slots: Option<Renumbering>,
}

/// The most orders of equal processes that are tried where slots are numbered anew.
const MOST_ORDERS: usize = 24;

/// Equal processes: for each the fields that hold all about it, in the same order.
#[derive(Clone, Debug)]
struct Group {
    members: Vec<Vec<Field>>,
    /// Those among them that hold no reference and are no buffer's.
    plain: Vec<Vec<Field>>,
}

impl Symmetry {
    /// The equal processes of a valid program under a memory system.
    pub fn of<M: MemorySystem>(
        program: &Program,
        question: &Question,
        machine: &Machine<M>,
    ) -> Symmetry {
        let slots = Renumbering::of(program, question, machine);
        let groups = equal(program, question).into_iter().map(|processes| Group {
            members: processes.iter().map(|p| fields(machine, *p)).collect(),
            plain: processes.iter().map(|p| plain_fields(machine, *p, slots.as_ref())).collect(),
        });
        let mut groups: Vec<Group> = groups.filter(Group::is_alike).collect();
        let orders = groups.iter().map(|group| (1..=group.members.len()).product::<usize>());
        if slots.is_some() && orders.product::<usize>() > MOST_ORDERS {
            groups.clear();
        }
        Symmetry { groups, slots }
    }

    /// True if slots are numbered anew: steps that name a slot stand for those that name another.
    pub fn renumbers(&self) -> bool {
        self.slots.is_some()
    }

    /// Whether no two processes are equal.
    pub fn is_trivial(&self) -> bool {
        self.groups.is_empty() && self.slots.is_none()
    }

    /// Sorts equal processes. False if they were.
    #[inline]
    pub fn canonicalise(&self, state: &mut [u64]) -> bool {
        if let Some(slots) = &self.slots {
            return self.renumber(slots, state);
        }
        let mut changed = false;
        for group in &self.groups {
            changed |= group.sort(state);
        }
        changed
    }
}

impl Symmetry {
    /// The smallest state over all orders of equal processes, with slots numbered anew.
    fn renumber(&self, slots: &Renumbering, state: &mut [u64]) -> bool {
        if self.groups.is_empty() {
            return slots.canonicalise(state);
        }
        let mut best: Option<Vec<u64>> = None;
        let mut candidate = state.to_vec();
        self.each_order(0, &mut candidate, &mut |ordered| {
            let mut numbered = ordered.to_vec();
            slots.canonicalise(&mut numbered);
            if best.as_ref().is_none_or(|best| numbered < *best) {
                best = Some(numbered);
            }
        });
        let Some(best) = best.filter(|best| best != state) else { return false };
        state.copy_from_slice(&best);
        true
    }

    /// Calls a function with each order of equal processes in which they are sorted by what is no reference.
    fn each_order(&self, group: usize, state: &mut Vec<u64>, f: &mut dyn FnMut(&[u64])) {
        let Some(members) = self.groups.get(group) else { return f(state) };
        let before = state.clone();
        for order in members.sorted_orders(&before) {
            members.put_in_order(&order, &before, state);
            self.each_order(group + 1, state, f);
        }
        *state = before;
    }
}

/// The fields of a process that hold no reference and are no buffer's.
fn plain_fields<M: MemorySystem>(
    machine: &Machine<M>,
    process: ProcId,
    slots: Option<&Renumbering>,
) -> Vec<Field> {
    let compiled = &machine.processes()[process.index()];
    let own = compiled.fields.iter().map(|(field, _)| *field);
    let all = [compiled.pc].into_iter().chain(own).filter(|field| field.width() > 0);
    all.filter(|field| slots.is_none_or(|slots| !slots.is_reference(field))).collect()
}

/// All fields of a process.
fn fields<M: MemorySystem>(machine: &Machine<M>, process: ProcId) -> Vec<Field> {
    let compiled = &machine.processes()[process.index()];
    if is_on(Fault::PointsChangeAlone) {
        return vec![compiled.pc];
    }
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

    /// The orders of the members in which their plain fields are sorted.
    fn sorted_orders(&self, state: &[u64]) -> Vec<Vec<usize>> {
        let bits = |member: usize| -> Vec<u64> {
            self.plain[member].iter().map(|field| field.bits(state)).collect()
        };
        let keys: Vec<Vec<u64>> = (0..self.members.len()).map(bits).collect();
        let mut orders = vec![Vec::new()];
        for _ in 0..self.members.len() {
            let mut longer = Vec::new();
            for order in &orders {
                let left = || (0..keys.len()).filter(|member| !order.contains(member));
                let least = left().map(|member| &keys[member]).min();
                for member in left().filter(|&member| Some(&keys[member]) == least) {
                    longer.push([order.as_slice(), &[member]].concat());
                }
            }
            orders = longer;
        }
        orders
    }

    /// Puts the members of a state in an order.
    fn put_in_order(&self, order: &[usize], from: &[u64], to: &mut [u64]) {
        for (place, &member) in order.iter().enumerate() {
            for (source, target) in self.members[member].iter().zip(&self.members[place]) {
                target.set_bits(to, source.bits(from));
            }
        }
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
