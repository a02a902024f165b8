//! Depth-first search.
//!
//! A state is visited when it is taken from the stack, not when it is found, so that the stack is a path
//! of the state graph. Successors wait on the stack as words; their bytes count against the memory limit.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::explore::{Completion, Explorer};
use crate::ledger::{Entry, Ledger};
use crate::machine::{Bound, BoundsMet, Sink};
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
struct Successors<'a> {
    words: &'a mut Vec<u64>,
    ledger: &'a mut Ledger,
    bounds_met: &'a mut BoundsMet,
    source: StateId,
    alive: bool,
}

impl Sink for Successors<'_> {
    fn successor(&mut self, _: Action, state: &[u64]) {
        self.words.extend_from_slice(state);
        self.alive = true;
    }

    fn finding(&mut self, action: Action, finding: Finding) {
        self.ledger.note(Entry { finding, state: self.source, action: Some(action) });
        self.alive = true;
    }

    fn held(&mut self, bound: Bound) {
        self.bounds_met.note(bound);
        self.alive = true;
    }
}

/// Runs the search from the initial state, which is in the store.
pub(crate) fn run<M: MemorySystem>(explorer: &mut Explorer<'_, M>) -> Completion {
    let words_a_state = explorer.machine.words();
    let mut waiting: Vec<u64> = Vec::new();
    let mut scratch = Vec::new();
    let mut stack: Vec<Frame> = Vec::new();
    let mut visited = 0_u64;
    stack.push(open(explorer, StateId(0), &mut waiting, &mut scratch));
    while let Some(frame) = stack.last_mut() {
        if let Some(completion) = explorer.end() {
            return completion;
        }
        if frame.next == frame.end {
            let frame = stack.pop().expect("just seen");
            let successors = stack.last().map_or(0, |f| f.end);
            waiting.truncate(successors.min(frame.end));
            continue;
        }
        let at = frame.next;
        frame.next += words_a_state;
        let parent = frame.state;
        if let Some(completion) = explorer.refuse(&waiting[at..at + words_a_state]) {
            return completion;
        }
        explorer.transitions += 1;
        let Inserted::New(id) = explorer.store.insert(&waiting[at..at + words_a_state], parent)
        else {
            continue;
        };
        explorer.check_state(id);
        stack.push(open(explorer, id, &mut waiting, &mut scratch));
        explorer.depth = explorer.depth.max(stack.len() as u64 - 1);
        visited += 1;
        if visited.is_multiple_of(BETWEEN_LOOKS) {
            explorer.extra_bytes =
                (waiting.capacity() * 8 + stack.capacity() * size_of::<Frame>()) as u64;
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
    waiting: &mut Vec<u64>,
    scratch: &mut Vec<u64>,
) -> Frame {
    let next = waiting.len();
    let mut sink = Successors {
        words: waiting,
        ledger: &mut explorer.ledger,
        bounds_met: &mut explorer.bounds_met,
        source: state,
        alive: false,
    };
    explorer.machine.expand(explorer.store.state(state), scratch, &mut sink);
    if !sink.alive {
        explorer.check_stuck(state);
    }
    Frame { next, end: waiting.len(), state }
}
