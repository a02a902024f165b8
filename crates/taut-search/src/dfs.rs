//! Depth-first search.
//!
//! A state is visited when it is taken from the stack, not when it is found, so that the stack is a path
//! of the state graph. Successors wait on the stack as words; their bytes count against the memory limit.

use taut_ir::Finding;
use taut_memory::MemorySystem;

use crate::explore::{Completion, Explorer};
use crate::ledger::{Entry, Ledger};
use crate::limits::Patience;
use crate::machine::{Bound, BoundsMet, Scratch, Sink, Way};
use crate::reduce::symmetry::Symmetry;
use crate::store::{Inserted, StateId};

/// States visited between two looks at the limits.
const BETWEEN_LOOKS: u64 = 64;

/// A state on the stack; its successors that still wait are `words[next..end]`.
struct Frame {
    next: usize,
    end: usize,
    state: StateId,
}

/// Takes the successors of one state.
struct Successors<'a, 'w> {
    words: &'a mut Vec<u64>,
    symmetry: &'a Symmetry,
    symmetric: &'a mut u64,
    ledger: &'a mut Ledger,
    bounds_met: &'a mut BoundsMet,
    passed: &'a mut u64,
    faults: &'a mut u64,
    patience: &'a mut Patience<'w>,
    source: StateId,
}

impl Sink for Successors<'_, '_> {
    fn successor(&mut self, _: Way, state: &[u64]) {
        let at = self.words.len();
        self.words.extend_from_slice(state);
        let changed = self.symmetry.canonicalise(&mut self.words[at..]);
        *self.symmetric += u64::from(changed);
    }

    fn finding(&mut self, way: Way, finding: Finding) {
        *self.faults += u64::from(matches!(finding, Finding::Fault(_)));
        self.ledger.note(Entry { finding, state: self.source, action: Some(way.action) });
    }

    fn held(&mut self, bound: Bound) {
        self.bounds_met.note(bound);
    }

    fn passed(&mut self, actions: u64) {
        *self.passed += actions;
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        self.patience.lasts(bytes + self.words.capacity() as u64 * 8)
    }
}

/// What is kept from one state to the next.
struct Space<'w> {
    /// The states that wait to be visited.
    waiting: Vec<u64>,
    scratch: Scratch,
    patience: Patience<'w>,
}

/// Runs the search from the initial state, which is in the store.
pub(crate) fn run<M: MemorySystem>(explorer: &mut Explorer<'_, M>) -> Completion {
    let words_a_state = explorer.machine.words();
    let patience = explorer.patience();
    let mut space = Space { waiting: Vec::new(), scratch: Scratch::default(), patience };
    let mut stack: Vec<Frame> = Vec::new();
    let mut visited = 0_u64;
    stack.push(open(explorer, StateId(0), &mut space));
    while let Some(frame) = stack.last_mut() {
        if let Some(completion) = explorer.end() {
            return completion;
        }
        if let Some(limit) = space.patience.ended() {
            return Completion::Limit(limit);
        }
        if frame.next == frame.end {
            let frame = stack.pop().expect("just seen");
            let successors = stack.last().map_or(0, |f| f.end);
            space.waiting.truncate(successors.min(frame.end));
            continue;
        }
        let at = frame.next;
        frame.next += words_a_state;
        let parent = frame.state;
        if let Some(completion) = explorer.refuse(&space.waiting[at..at + words_a_state]) {
            return completion;
        }
        explorer.inserted += 1;
        let state = &space.waiting[at..at + words_a_state];
        let Inserted::New(id) = explorer.store.insert(state, parent) else { continue };
        explorer.check_state(id);
        stack.push(open(explorer, id, &mut space));
        explorer.depth = explorer.depth.max(stack.len() as u64 - 1);
        visited += 1;
        if visited.is_multiple_of(BETWEEN_LOOKS) {
            explorer.extra_bytes =
                (space.waiting.capacity() * 8 + stack.capacity() * size_of::<Frame>()) as u64;
            space.patience.beside(explorer.store.bytes());
            if let Some(completion) = explorer.end_before(BETWEEN_LOOKS as usize) {
                return completion;
            }
        }
    }
    explorer.end().unwrap_or(Completion::Complete)
}

/// Expands a state into a new frame on top of the waiting words.
fn open<M: MemorySystem>(
    explorer: &mut Explorer<'_, M>,
    state: StateId,
    space: &mut Space<'_>,
) -> Frame {
    let next = space.waiting.len();
    let mut sink = Successors {
        words: &mut space.waiting,
        symmetry: &explorer.symmetry,
        symmetric: &mut explorer.symmetric,
        ledger: &mut explorer.ledger,
        bounds_met: &mut explorer.bounds_met,
        passed: &mut explorer.passed,
        faults: &mut explorer.faults,
        patience: &mut space.patience,
        source: state,
    };
    if !explorer.machine.expand(explorer.store.state(state), &mut space.scratch, &mut sink) {
        explorer.check_stuck(state);
    }
    Frame { next, end: space.waiting.len(), state }
}
