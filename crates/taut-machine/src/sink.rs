//! Where the outcomes of actions go: to the sink, or, while a process holds the others, into the chain.

use taut_ir::{Action, Choice, Finding, ProcId, PropId};
use taut_memory::Question;

use super::Sink;
use super::moved::Movers;
use super::transient::{Provenance, TransientClosure};
use crate::bits::BitSet;

/// Space to work in, kept from one state to the next.
#[derive(Default)]
pub struct Scratch {
    pub(super) work: Work,
    pub(super) chain: TransientClosure,
    /// Whether every transient state is kept, so that paths can be told.
    pub(super) tracing: bool,
    /// The processes that could take a step or send in the state that was expanded last, if that is noted.
    pub(super) enabled: Option<BitSet>,
    /// The same, and those that only priorities stop; noted where a property asks what is enabled.
    pub(super) able: BitSet,
}

#[derive(Default)]
pub(super) struct Work {
    /// The outcome of an action.
    pub(super) next: Vec<u64>,
    /// The transient state that is expanded.
    pub(super) transient: Vec<u64>,
    /// The transient state to go straight on with.
    pub(super) continuation: Vec<u64>,
    pub(super) failed: Vec<PropId>,
    pub(super) message: Vec<i64>,
    /// The number of the outcome in which the step is taken, where there are several.
    pub(super) choice: Choice,
    /// Whether an open question is left here instead of being answered.
    pub(super) asks: bool,
    /// The first question that was left open.
    pub(super) open: Option<Question>,
}

impl Scratch {
    /// Space that can tell the path to an outcome.
    pub fn tracing() -> Scratch {
        Scratch { tracing: true, ..Scratch::default() }
    }

    /// The same, noting who moves and who could.
    pub fn noting(mut self) -> Scratch {
        self.enabled = Some(BitSet::default());
        self.chain.movers = Movers::tracked();
        self
    }

    /// The processes that could take a step or send in the state that was expanded last.
    pub fn enabled(&self) -> Option<&BitSet> {
        self.enabled.as_ref()
    }

    /// The processes that could take a step or send in the state that was expanded last, whatever their priority.
    pub fn able(&self) -> &BitSet {
        &self.able
    }

    /// Calls `f` with the processes that move on a way from the state that was expanded last.
    pub fn movers(&self, way: Provenance, f: impl FnMut(ProcId)) {
        self.chain.movers.of(way.movers, way.action, f);
    }

    /// The actions from the state that was expanded last to one of its outcomes.
    pub fn path(&self, way: Provenance) -> Vec<Action> {
        self.chain.path(way)
    }

    pub(super) fn prepare(&mut self, words: usize) {
        self.work.next.resize(words, 0);
        self.work.transient.resize(words, 0);
        self.work.continuation.resize(words, 0);
        self.chain.clear(words);
    }
}

/// Where the outcomes of actions in one state go.
pub(super) struct SuccessorSink<'a, S> {
    pub(super) sink: &'a mut S,
    chain: &'a mut TransientClosure,
    /// Which state: 0 for the one that is expanded, else a transient one.
    after: u32,
    /// Who has moved before it.
    movers: u32,
    /// Whether any action led to a state or went wrong.
    pub(super) moved: bool,
    /// Whether a bound held any back.
    pub(super) blocked: bool,
    pub(super) continuation: Continuation,
}

/// Whether the search goes straight on with a transient state, without adding it to the chain. It does not with
/// one after a step that joins others; most `atomic` sequences have few of those.
pub(super) enum Continuation {
    Never,
    /// With the first that comes.
    Open,
    /// With the one in [`Work::continuation`], which came like this and is held by so and so.
    On(Provenance, u32),
}

/// Who holds the others after an action, and whether other steps lead to where it leads.
#[derive(Clone, Copy)]
pub(super) struct Hold {
    pub(super) holder: Option<u32>,
    pub(super) joins: bool,
}

pub(super) const NOBODY: Hold = Hold { holder: None, joins: false };

impl<'a, S: Sink> SuccessorSink<'a, S> {
    pub(super) fn new(
        sink: &'a mut S,
        chain: &'a mut TransientClosure,
        (after, movers): (u32, u32),
        continuation: Continuation,
    ) -> Self {
        SuccessorSink { sink, chain, after, movers, moved: false, blocked: false, continuation }
    }

    /// Takes the state in `work.next`.
    #[inline(always)]
    pub(super) fn successor(&mut self, action: Action, hold: Hold, work: &mut Work) {
        self.moved = true;
        let mut way = Provenance { after: self.after, action, movers: self.movers };
        if hold.holder.is_some() || self.movers > 0 {
            way.movers = self.chain.movers.after(self.movers, action);
        }
        match hold.holder {
            None => self.sink.successor(way, &work.next),
            Some(holder) => self.held_state(way, holder, hold.joins, work),
        }
    }

    #[inline(never)]
    fn held_state(&mut self, way: Provenance, holder: u32, joins: bool, work: &mut Work) {
        self.chain.passed += 1;
        if joins {
            self.chain.add(way, holder, &work.next);
        } else if matches!(self.continuation, Continuation::Open) {
            std::mem::swap(&mut work.next, &mut work.continuation);
            self.continuation = Continuation::On(way, holder);
        } else {
            self.chain.push(way, holder, &work.next);
        }
    }

    pub(super) fn finding(&mut self, action: Action, finding: Finding) {
        self.moved = true;
        let way = Provenance { after: self.after, action, movers: self.movers };
        self.sink.finding(way, finding);
    }
}
