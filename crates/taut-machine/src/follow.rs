//! Following a chain of held states to its ends.

use taut_memory::MemorySystem;

use super::sink::{Scratch, Straight, SuccessorSink};
use super::step::{StepContext, copy};
use super::{Machine, Sink};

impl<M: MemorySystem> Machine<M> {
    /// Follows a chain: every held state lets its holder go on.
    pub(super) fn follow(&self, scratch: &mut Scratch, sink: &mut impl Sink) {
        let mut dropped = 0;
        let mut index = 0;
        while index < scratch.chain.len() {
            copy(scratch.chain.state(index), &mut scratch.work.held);
            index += 1;
            if !self.go_straight_on(index, scratch, sink, &mut dropped) {
                break;
            }
        }
        sink.passed(scratch.chain.passed - dropped);
    }

    /// Lets the holder go on from a held state of the chain, as far as that needs no other state of it.
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
            let held = std::mem::take(&mut work.held);
            let straight = if *tracing { Straight::Never } else { Straight::Open };
            let mut out = SuccessorSink::new(sink, chain, (after as u32, way.movers), straight);
            let moment = StepContext { state: &held, timeout: false, could_start: 0 };
            let process = &self.processes[holder as usize];
            if !self.is_outranked(process, moment) {
                self.expand_steps(process, moment, work, &mut out);
            }
            let SuccessorSink { moved, straight, .. } = out;
            if !moved {
                *dropped += 1;
                sink.successor(way, &held);
            }
            work.held = held;
            match straight {
                Straight::On(next_way, next) => (way, holder) = (next_way, next),
                Straight::Never | Straight::Open => return true,
            }
            std::mem::swap(&mut work.held, &mut work.straight);
        }
        false
    }
}
