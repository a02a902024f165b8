//! Asking the machine: what an answer is looked up by, and how it is made.

use std::collections::HashSet;

use taut_budget::tick;
use taut_fault::{Fault, is_on};
use taut_ir::{Action, ProcId};

use super::columns::{Columns, Numbers};
use super::sight::How;
use super::{Answer, Asked, Brief, Change, Memo, PATCHED, Patch};
use crate::outcome::{BoundsMet, Outcome, Successors};
use crate::state::{ProcessState, State};

impl<'p> Memo<'p> {
    /// Finds the answer for a process, or for a rendezvous of two, in a row that was read.
    pub(super) fn find(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        id: ProcId,
        partner: Option<ProcId>,
    ) -> Asked {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let told = partner.filter(|_| !is_on(Fault::ReceiversAreOne));
        for id in [Some(id), told].into_iter().flatten() {
            self.write_key(numbers.columns(), row, id, &mut key);
        }
        let (number, is_new) = self.keys.insert(&key);
        self.key = key;
        if is_new {
            tick();
            let answer = self.ask(numbers, row, id, partner);
            self.answers.push(answer);
        }
        match self.answers[number as usize] {
            Some(_) => Asked::Kept(number),
            None => Asked::Whole,
        }
    }

    /// What the answer for a process depends on, as bytes. The parts of fixed length come first, and each part says how
    /// long what follows is: two keys are equal only if all that is seen is.
    fn write_key(&self, columns: &Columns<'p>, row: &[u32], id: ProcId, key: &mut Vec<u8>) {
        let brief = self.now[id.index()];
        let view = &self.views[brief.view as usize];
        if !is_on(Fault::ProcessesAreOne) {
            key.extend_from_slice(&id.0.to_le_bytes());
        }
        key.extend_from_slice(&row[id.index()].to_le_bytes());
        for &(other, how) in view.others.iter().filter(|_| !is_on(Fault::OthersAreNotAsked)) {
            let Brief { started, drained, point, .. } = self.now[other as usize];
            key.push(u8::from(started) | u8::from(drained) << 1);
            match how {
                How::Life => {}
                How::Point => key.extend_from_slice(&point.to_le_bytes()),
                How::Whole => key.extend_from_slice(&row[other as usize].to_le_bytes()),
            }
        }
        let shared = columns.shared_bytes(row[row.len() - 1]);
        let seen = view.ranges.iter().filter(|_| !is_on(Fault::MemoryIsNotAsked));
        seen.for_each(|range| key.extend_from_slice(&shared[range.clone()]));
        if view.channels && !is_on(Fault::ChannelsAreNotAsked) {
            let tail = &shared[columns.cells.memory..];
            key.extend_from_slice(&(tail.len() as u32).to_le_bytes());
            key.extend_from_slice(tail);
        }
    }

    /// Asks the machine what a process, or a rendezvous, can do where processes that it does not see are at rest; none if
    /// that is not so in general.
    #[cold]
    fn ask(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        id: ProcId,
        partner: Option<ProcId>,
    ) -> Option<Answer> {
        let (state, next) = self.moves(numbers.columns(), row, id, partner, true);
        let mut answer = Answer::default();
        let mut reached = Vec::new();
        self.collect(state.clone(), next, &mut answer, &mut reached);
        for (action, after) in reached {
            let change = self.change(numbers, row, &state, action, &after)?;
            let seen = self.sees(id, partner, &self.patches[change.patch as usize]);
            debug_assert!(seen, "what is written is seen");
            if !seen {
                return None;
            }
            if answer.moves.is_empty() || !is_on(Fault::OneMoveIsKept) {
                answer.moves.push(change);
            }
        }
        if is_on(Fault::LookedUpIsRight) {
            answer.findings.clear();
        }
        if is_on(Fault::LookedUpIsUnbounded) {
            answer.bounds = BoundsMet::default();
        }
        Some(answer)
    }

    /// Whether a process, or one of two, sees all that a patch changes.
    fn sees(&self, id: ProcId, partner: Option<ProcId>, patch: &Patch) -> bool {
        let pair = || [Some(id), partner].into_iter().flatten();
        let mut views = pair().map(|id| &self.views[self.now[id.index()].view as usize]);
        let is_seen = |at: u32| {
            let mut views = pair().map(|id| &self.views[self.now[id.index()].view as usize]);
            views.any(|view| view.ranges.iter().any(|range| range.contains(&(at as usize))))
        };
        patch.bytes.iter().all(|&(at, _)| is_seen(at))
            && (patch.channels.is_none() || views.any(|view| view.channels))
    }

    /// What a process, or a rendezvous of two, can do; and the state in which that was tried, with all processes or
    /// only with those that are seen.
    pub(super) fn moves(
        &self,
        columns: &Columns<'p>,
        row: &[u32],
        id: ProcId,
        partner: Option<ProcId>,
        alone: bool,
    ) -> (State, Successors) {
        let program = self.machine.program();
        let mut state = columns.state(row);
        let seen = |id: ProcId| self.views[self.now[id.index()].view as usize].others.iter();
        let is_seen = |other: ProcId| {
            let pair = [Some(id), partner].into_iter().flatten();
            pair.into_iter().any(|one| one == other || seen(one).any(|&(p, _)| p == other.0))
        };
        for other in program.process_ids().filter(|&other| alone && !is_seen(other)) {
            state.processes[other.index()] = ProcessState::resting(program, other);
        }
        let next = self.machine.successors_by(&state, id, |action| match action {
            Action::Handshake { receiver, .. } => partner == Some(receiver),
            Action::Step { .. } | Action::Commit { .. } => partner.is_none(),
        });
        (state, next)
    }

    /// Follows moves to states in which nobody holds the others.
    pub(super) fn collect(
        &self,
        state: State,
        next: Successors,
        answer: &mut Answer,
        reached: &mut Vec<(Action, State)>,
    ) {
        let mut passed = HashSet::new();
        let mut left = vec![(None, state, next)];
        while let Some((first, _, next)) = left.pop() {
            tick();
            answer.bounds = answer.bounds.or(next.bounds);
            for (action, done) in next.moves {
                answer.findings.extend(done.findings());
                let Outcome::State(after) = done.outcome else { continue };
                let first = first.unwrap_or(action);
                if after.holder.is_none() {
                    reached.push((first, after));
                } else if passed.insert(after.clone()) {
                    let next = self.machine.successors(&after);
                    left.push((Some(first), after, next));
                }
            }
        }
    }

    /// The difference between two states; none if it is not one of this action alone.
    fn change(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        before: &State,
        action: Action,
        after: &State,
    ) -> Option<Change> {
        let mut parts = Vec::new();
        for id in self.machine.program().process_ids() {
            let (was, is) = (before.process(id), after.process(id));
            if was == is {
                continue;
            }
            let own = action.process() == id
                || matches!(action, Action::Handshake { receiver, .. } if receiver == id);
            // Another process may be started, and nothing else.
            if !own && was.started {
                return None;
            }
            parts.push((id.0, numbers.number_of_process(id, is)));
        }
        let cells = &numbers.columns().cells;
        let was = numbers.columns().shared_bytes(row[row.len() - 1]);
        cells.encode(&after.memory, &after.channels, &mut self.bytes);
        let patch = Patch::between(was, &self.bytes, cells.memory);
        let next = self.patches.len() as u32;
        let number = *self.patch_numbers.entry(patch.clone()).or_insert(next);
        if number == next {
            self.patches.push(patch);
        }
        Some(Change { action, parts: parts.into(), patch: number })
    }
}

impl Patch {
    fn between(was: &[u8], is: &[u8], memory: usize) -> Patch {
        let pairs = was[..memory].iter().zip(&is[..memory]).enumerate();
        let bytes = pairs.filter(|(_, (was, is))| was != is);
        let bytes = bytes.map(|(at, (_, &is))| (at as u32, is)).collect();
        let channels = (was[memory..] != is[memory..]).then(|| is[memory..].to_vec());
        Patch { bytes, channels }
    }
}

/// The number of memory after a patch.
pub(super) fn patched<'p>(
    patches: &[Patch],
    cache: &mut [(u32, u32, u32)],
    bytes: &mut Vec<u8>,
    numbers: &mut impl Numbers<'p>,
    (shared, patch): (u32, u32),
) -> u32 {
    let mixed = (u64::from(shared) << 32 | u64::from(patch)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let slot = match is_on(Fault::PatchesAreOne) {
        false => (mixed >> 40) as usize % PATCHED,
        true => patch as usize % PATCHED,
    };
    if is_on(Fault::PatchesAreLost) {
        return shared;
    }
    let is_same = cache[slot].0 == shared || is_on(Fault::PatchesAreOne);
    if is_same && cache[slot].1 == patch {
        return cache[slot].2;
    }
    let Patch { bytes: changed, channels } = &patches[patch as usize];
    let was = numbers.columns().shared_bytes(shared);
    let memory = numbers.columns().cells.memory;
    bytes.clear();
    bytes.extend_from_slice(&was[..memory]);
    changed.iter().for_each(|&(at, byte)| bytes[at as usize] = byte);
    bytes.extend_from_slice(channels.as_deref().unwrap_or(&was[memory..]));
    let after = numbers.number_of_shared(bytes);
    cache[slot] = (shared, patch, after);
    after
}
