//! Following trails from other states than those they were found in; what that proves is in [`crate::cycle`].

use std::sync::Arc;

use taut_automata::Language;
use taut_fault::{Fault, is_on};
use taut_ir::ProcId;

use crate::cycle::{Cycle, Link};
use crate::edge::{EdgeKind, State};
use crate::expander::Expander;
use crate::node::with_language;

/// Follows trails from other states than those they were found in.
pub(crate) struct Simulator<'s, 'm> {
    expander: &'s mut Expander<'m>,
    /// The process each word of whose buffer must be able to follow.
    process: ProcId,
}

impl<'s, 'm> Simulator<'s, 'm> {
    pub(crate) fn new(expander: &'s mut Expander<'m>, process: ProcId) -> Simulator<'s, 'm> {
        Simulator { expander, process }
    }

    /// What a trail from a state appends to the buffer, if it is a cycle there.
    pub(crate) fn stores(&mut self, state: &State, trail: &[Link]) -> Option<Language> {
        let (memory, process) = (self.expander.memory(), self.process);
        let before = memory.language(state, process);
        let mut marked: Box<[u64]> = (**state).into();
        memory.mark(&mut marked, process);
        let end = self.follow_trail(marked.into(), trail)?;
        let stores = memory.after_mark(before, memory.language(&end, process));
        let is_loop = *with_language(self.expander, &end, process, before) == **state;
        let stores_something = stores != Language::EPSILON && stores != Language::EMPTY;
        (is_loop && stores_something).then_some(stores)
    }

    /// The language after any number of rounds through cycles from a state; none unless every cycle can be
    /// followed from there, whatever was stored before.
    pub(crate) fn accelerate(&mut self, state: &State, cycles: &[Arc<Cycle>]) -> Option<Language> {
        let all = self.after_rounds(state, cycles)?;
        let grown = with_language(self.expander, state, self.process, all);
        cycles.iter().all(|cycle| self.comes_round(&grown, cycle)).then_some(all)
    }

    /// The language in a state with any number of rounds through cycles after it, possible or not.
    pub(crate) fn after_rounds(&self, state: &[u64], cycles: &[Arc<Cycle>]) -> Option<Language> {
        let memory = self.expander.memory();
        let before = memory.language(state, self.process);
        let all = memory.with_languages(|languages| {
            let any = cycles.iter().fold(Language::EMPTY, |any, c| languages.union(any, c.stores));
            let mut rounds = languages.star(any);
            if is_on(Fault::AtLeastOneRound) {
                rounds = languages.concat(any, rounds);
            }
            match is_on(Fault::OnlyRounds) {
                true => rounds,
                false => languages.concat(before, rounds),
            }
        });
        let settled = memory.settled(all);
        (!memory.overflowed()).then_some(settled)
    }

    /// Whether a cycle can be followed from all words of a state, and does what it did where it was found.
    fn comes_round(&mut self, state: &State, cycle: &Cycle) -> bool {
        let Some(end) = self.follow_trail(state.clone(), &cycle.trail) else { return false };
        let (memory, process) = (self.expander.memory(), self.process);
        let before = memory.language(state, process);
        let expected = memory.with_languages(|languages| languages.concat(before, cycle.stores));
        let settled = memory.settled(expected);
        // An overflow has no language to compare with.
        !memory.overflowed() && end == with_language(self.expander, state, process, settled)
    }

    /// Follows a trail for all words of the process; none if they do not agree, or if the trail takes an entry
    /// from its buffer.
    fn follow_trail(&mut self, state: State, trail: &[Link]) -> Option<State> {
        trail.iter().try_fold(state, |at, link| self.take(&at, link))
    }

    fn take(&mut self, state: &State, link: &Link) -> Option<State> {
        let part = match &link.split {
            Some((from, part)) => self.part(state, from, part)?,
            None => state.clone(),
        };
        if !self.expander.may_happen(&part, &link.kind) {
            return None;
        }
        match &link.kind {
            EdgeKind::Steps { process, timeout, actions } => {
                self.expander.follow(&part, *process, *timeout, actions)
            }
            EdgeKind::Commit { process, .. } if *process == self.process => None,
            EdgeKind::Commit { process, place, value } => {
                let memory = self.expander.memory();
                let committed = memory.committed(&part, *process);
                let same = committed.iter().find(|c| (c.place, c.value) == (*place, *value))?;
                let same = *same;
                let mut after = self.expander.after_commit(&part, *process, &same);
                after.pop().filter(|_| after.is_empty())
            }
        }
    }

    /// The part of a state that corresponds to the part of another one. Where that one was split, the languages
    /// of other processes must be the same.
    fn part(&self, state: &State, from: &[u64], part: &[u64]) -> Option<State> {
        let memory = self.expander.memory();
        let mut ours: Box<[u64]> = (**state).into();
        for process in memory.processes() {
            let (whole, split) = (memory.language(from, process), memory.language(part, process));
            // Our own process must agree on all words anyway, which is seen when the step is taken.
            if whole != split && process != self.process {
                if memory.language(state, process) != whole {
                    return None;
                }
                memory.set_language(&mut ours, process, split);
            }
        }
        Some(ours.into())
    }
}
