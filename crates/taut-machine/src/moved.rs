//! Who has moved in a chain.
//!
//! Fairness asks who moves between two stored states. One action says it, unless a process held the others
//! in between; then those are the processes that took a step or part in a rendezvous on the way. There are
//! few such sets in a chain, often one, so they are numbered.

use taut_ir::{Action, ProcId};

/// The sets of processes that have moved on the ways through a chain.
#[derive(Default)]
pub(crate) struct Movers {
    /// Whether anybody wants to know.
    tracked: bool,
    /// Sorted; set number n is at position n - 1.
    sets: Vec<Vec<ProcId>>,
}

impl Movers {
    pub(super) fn tracked() -> Movers {
        Movers { tracked: true, sets: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.sets.clear();
    }

    /// The number of the set after an action; 0 if nobody wants to know.
    #[inline]
    pub(super) fn after(&mut self, number: u32, action: Action) -> u32 {
        if self.tracked { self.join(number, action) } else { 0 }
    }

    fn join(&mut self, number: u32, action: Action) -> u32 {
        let mut set = match number {
            0 => Vec::new(),
            n => self.sets[n as usize - 1].clone(),
        };
        movers(action, |process| {
            if let Err(at) = set.binary_search(&process) {
                set.insert(at, process);
            }
        });
        let known = self.sets.iter().position(|s| *s == set);
        let at = known.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        at as u32 + 1
    }

    /// Calls `f` with the processes that move on a way.
    pub(crate) fn of(&self, number: u32, action: Action, mut f: impl FnMut(ProcId)) {
        match number {
            0 => movers(action, f),
            n => self.sets[n as usize - 1].iter().for_each(|&p| f(p)),
        }
    }
}

/// Calls `f` with the processes that move in an action: who takes a step, sends or receives.
fn movers(action: Action, mut f: impl FnMut(ProcId)) {
    match action {
        Action::Step { process, .. } => f(process),
        Action::Handshake { process, receiver, .. } => {
            f(process);
            f(receiver);
        }
        Action::Commit { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_ir::StepId;

    fn step(p: u32) -> Action {
        Action::step(ProcId(p), StepId(0))
    }

    fn all(movers: &Movers, number: u32, action: Action) -> Vec<u32> {
        let mut all = Vec::new();
        movers.of(number, action, |p| all.push(p.0));
        all
    }

    #[test]
    fn equal_sets_have_one_number() {
        let mut movers = Movers::tracked();
        let a = movers.after(0, step(2));
        let b = movers.after(a, step(1));
        let c = movers.after(movers.sets.len() as u32, step(1));
        assert_eq!((a, b, c), (1, 2, 2));
        assert_eq!(movers.after(a, step(2)), a);
        assert_eq!(all(&movers, b, step(7)), [1, 2]);
        assert_eq!(all(&movers, 0, step(7)), [7]);
    }

    #[test]
    fn nothing_is_noted_if_nobody_asks() {
        let mut movers = Movers::default();
        assert_eq!(movers.after(0, step(2)), 0);
        assert_eq!(movers.after(0, step(1)), 0);
    }
}
