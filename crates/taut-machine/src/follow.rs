//! Following a chain of transient states to its ends.

use taut_memory::MemorySystem;

use super::sink::{Continuation, Scratch, SuccessorSink};
use super::stop::{StepContext, copy};
use super::{Machine, Sink};

impl<M: MemorySystem> Machine<M> {
    /// Follows a chain: every transient state lets its holder go on.
    pub(super) fn follow(&self, scratch: &mut Scratch, sink: &mut impl Sink) {
        let mut dropped = 0;
        let mut index = 0;
        while index < scratch.chain.len() {
            copy(scratch.chain.state(index), &mut scratch.work.transient);
            index += 1;
            if !self.go_straight_on(index, scratch, sink, &mut dropped) {
                break;
            }
        }
        sink.passed(scratch.chain.passed - dropped);
    }

    /// Lets the holder go on from a transient state of the chain, as far as that needs no other state of it.
    /// Where the holder cannot, it holds nobody any more, and the state is an end of the chain. False if
    /// the sink has had enough.
    fn go_straight_on(
        &self,
        after: usize,
        Scratch { work, chain, tracing, .. }: &mut Scratch,
        sink: &mut impl Sink,
        dropped: &mut u64,
    ) -> bool {
        let mut way = chain.way(after - 1);
        let mut holder = chain.holder(after - 1);
        while sink.go_on(chain.bytes()) {
            let transient = std::mem::take(&mut work.transient);
            let continuation = if *tracing { Continuation::Never } else { Continuation::Open };
            let mut out = SuccessorSink::new(sink, chain, (after as u32, way.movers), continuation);
            let moment = StepContext { state: &transient, timeout: false, could_start: 0 };
            let process = &self.processes[holder as usize];
            if !self.is_outranked(process, moment) {
                self.expand_steps(process, moment, work, &mut out);
            }
            let SuccessorSink { moved, continuation, .. } = out;
            if !moved {
                *dropped += 1;
                sink.successor(way, &transient);
            }
            work.transient = transient;
            match continuation {
                Continuation::On(next_way, next) => (way, holder) = (next_way, next),
                Continuation::Never | Continuation::Open => return true,
            }
            std::mem::swap(&mut work.transient, &mut work.continuation);
        }
        false
    }
}
