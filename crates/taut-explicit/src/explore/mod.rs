//! Exploring a program: the one way from a program and options to a result.
//!
//! [`Explorer::run`] is the whole of it:
//!
//! | method | part |
//! | --- | --- |
//! | `prepare` | the program is simplified, if everything may be reduced |
//! | `lay_out` | buffers get a size: the bound, or twice as many entries each time they do not suffice |
//! | `search` | the machine of that size is searched (`attempt`) |
//! | `repeat_by_one_thread` | once more, if several threads raced |
//! | `shorten` | runs are made shorter, if they may be (`shorten`) |
//!
//! A machine is compiled once per program, memory and size of buffers, and a small program is compiled and searched
//! once; [`crate::Effort`] tells.
//!
//! **The same result at any number of threads.** A search by one thread is deterministic. A search by several
//! threads that finds nothing and visits every state has the same counts, because none of them depends on an order.
//! If it finds something, or ends at something else than time, memory or an interrupt, its outcome may be *raced*
//! (`bfs`). Then:
//!
//! - if it visited every state, its counts stand, and one thread looks once more for the kinds that were found. It ends
//!   at the last of them;
//! - if it ended early, one thread makes the same search, and that result is the one that counts.
//!
//! The price: a search that is shared and finds something takes its own time and then that of one thread, so with
//! many threads hardly more than with one, and never more than twice that. Levels of fewer than some thousand states
//! are never shared, so most violations are found before there is anything to repeat. A search that finds nothing pays
//! nothing. If there is no time left to repeat a search, the first result is reported: it is right, and where a time
//! limit is met no two runs are alike.

mod asked;
mod attempt;
mod shorten;
#[cfg(test)]
pub(crate) mod tests;

use std::cell::Cell;

use taut_ir::{Finding, FullBuffer, Memory, Program, may_fault};

use crate::exploration::{Completion, Effort, Exploration, Stats};
use crate::limits::LimitMonitor;
use crate::part::Peers;
use crate::reduce::simplify::{Question, Rules, Simplified, simplify};
use crate::search::{PARALLEL_FROM_STATES, SearchContext};
use crate::settings::{Reduce, SearchOptions};
use crate::sizes::Sizes;
pub use asked::{Asking, asked};
use attempt::{Attempt, Subject};

/// Explores a valid program: `Explorer::new(program, memory, options).run()`.
pub fn explore(program: &Program, memory: Memory, options: &SearchOptions) -> Exploration {
    Explorer::new(program, memory, options).run()
}

/// A search of the states of a valid program.
///
/// With `memory.bound` `None` buffers have no bound: they are laid out for a few entries, and whenever
/// that is not enough the search starts again with twice as many. For a program that can fill a buffer
/// without end this ends at the limits.
pub struct Explorer<'a> {
    program: &'a Program,
    memory: Memory,
    options: &'a SearchOptions,
    /// Levels with this number of states per thread are shared.
    sharing: usize,
    /// Sizes of tables and buffers of a search with files, if not those that fit the limit on memory.
    sizes: Option<Sizes>,
    /// The work so far.
    effort: Cell<Effort>,
    /// The other parts, where this is one part of a search.
    peers: Option<&'a dyn Peers>,
}

impl<'a> Explorer<'a> {
    /// An explorer with these options.
    pub fn new(program: &'a Program, memory: Memory, options: &'a SearchOptions) -> Explorer<'a> {
        let (sharing, sizes) = (PARALLEL_FROM_STATES, None);
        let (effort, peers) = (Cell::default(), None);
        Explorer { program, memory, options, sharing, sizes, effort, peers }
    }

    /// Has levels with this number of states per thread shared.
    #[cfg(test)]
    pub(crate) fn sharing(self, sharing: usize) -> Explorer<'a> {
        Explorer { sharing, ..self }
    }

    /// Has files with buffers of these sizes.
    #[cfg(test)]
    pub(crate) fn with_sizes(self, sizes: Sizes) -> Explorer<'a> {
        Explorer { sizes: Some(sizes), ..self }
    }

    /// Explores one part of the states, together with other processes ([`crate::part`]). All of them get the same result, but for
    /// the runs, which the first one has, and which are not made shorter ([`Explorer::shortened`]).
    #[must_use]
    pub fn with_peers(self, peers: &'a dyn Peers) -> Explorer<'a> {
        Explorer { peers: Some(peers), ..self }
    }

    /// A result of several processes with shorter runs, if there are any.
    pub fn shortened(self, mut exploration: Exploration) -> Exploration {
        let watch = LimitMonitor::new(self.options.limits.clone());
        let context = SearchContext::new(self.options, &watch);
        let is_simplified = self.prepare().is_some();
        if self.may_be_shorter(&exploration, is_simplified) {
            let memory = self.memory.bounded(Some(exploration.stats.buffer_size));
            let subject = Subject::new(self.program, memory);
            self.shorten(&mut exploration, &subject, context);
        }
        exploration
    }

    /// Explores the program.
    pub fn run(self) -> Exploration {
        let watch = LimitMonitor::new(self.options.limits.clone());
        let simple = self.prepare();
        let program = simple.as_ref().map_or(self.program, |simple| &simple.program);
        let context = SearchContext {
            large: self.sharing,
            sizes: self.sizes,
            ..SearchContext::new(self.options, &watch)
        };
        let (mut exploration, subject) = self.lay_out(program, context);
        if self.options.reduce.all() {
            self.speak_of_given(&mut exploration, simple.as_ref());
        }
        if self.peers.is_none() && self.may_be_shorter(&exploration, simple.is_some()) {
            self.shorten(&mut exploration, &subject, context);
        }
        exploration.stats.effort = self.effort.get();
        exploration
    }

    /// A simpler program in which the same is found, if that is asked for and there is one.
    fn prepare(&self) -> Option<Simplified> {
        if self.options.reduce != Reduce::All {
            return None;
        }
        let question = Question::of_states(self.program, &self.options.unasked);
        let simple = simplify(self.program, self.memory.model, &question, Rules::ALL);
        Some(simple).filter(|simple| simple.program != *self.program)
    }

    /// Searches with buffers of the bound, or of as many entries as it takes; and what was searched in the end.
    fn lay_out<'p>(
        &self,
        program: &'p Program,
        context: SearchContext<'_>,
    ) -> (Exploration, Subject<'p>) {
        if let Some(size) = self.memory.bound {
            let subject = Subject::new(program, self.memory);
            let exploration = self.search(&subject, SearchContext { size, ..context });
            return (exploration.expect("a bounded search ends"), subject);
        }
        // Without a bound no buffer is ever full.
        let memory = Memory { full_buffer: FullBuffer::Wait, ..self.memory };
        let mut size = Memory::DEFAULT_BOUND;
        loop {
            let subject = Subject::new(program, memory.bounded(Some(size)));
            let context = SearchContext { size, must_fit: true, ..context };
            if let Some(exploration) = self.search(&subject, context) {
                return (exploration, subject);
            }
            size *= 2;
        }
    }

    /// Searches with buffers of a size; `None` if that was not enough and must be. The result is the same at any
    /// number of threads.
    fn search(&self, subject: &Subject<'_>, context: SearchContext<'_>) -> Option<Exploration> {
        let attempt = subject.search(context, &self.effort, self.peers);
        if !attempt.raced || attempt.exploration.completion.is_cut() {
            return attempt.fitting();
        }
        self.repeat_by_one_thread(attempt, subject, context).fitting()
    }

    /// Makes a search of several threads again, by one.
    fn repeat_by_one_thread(
        &self,
        shared: Attempt,
        subject: &Subject<'_>,
        context: SearchContext<'_>,
    ) -> Attempt {
        // If every state was visited, only the runs are looked for once more.
        let all = context.options.all || context.options.whole;
        let options = SearchOptions { all, whole: false, threads: 1, ..context.options.clone() };
        let asked: Vec<Finding> = match shared.exploration.completion {
            Completion::Complete => shared.exploration.found.iter().map(|f| f.finding).collect(),
            _ => Vec::new(),
        };
        let alone = SearchContext { options: &options, asked: &asked, is_again: true, ..context };
        let again = subject.search(alone, &self.effort, None);
        shared.repeated(again)
    }

    /// Says what was found in a simpler program as of the given one.
    fn speak_of_given(&self, exploration: &mut Exploration, simple: Option<&Simplified>) {
        if let Some(simple) = simple {
            exploration.reached = simple.reached(std::mem::take(&mut exploration.reached));
        }
        debug_assert!(
            exploration.reached.iter().map(Vec::len).eq(self
                .program
                .defs
                .iter()
                .map(|d| d.steps.len())),
            "a simpler program keeps the numbers of definitions and steps"
        );
        // Whether anything is said of faults must not depend on what was left out.
        exploration.may_fault = may_fault(self.program);
        exploration.stats.pruned.fused = fused(self.program, &exploration.stats);
    }
}

/// The actions of local steps after which no state was stored. Where the program itself has processes hold
/// others, those are not told from what it passes over anyway, and none is counted.
fn fused(program: &Program, stats: &Stats) -> u64 {
    let holds = program.defs.iter().flat_map(|d| &d.steps).any(|step| step.holds);
    let inserted = (stats.matched + stats.states).saturating_sub(1);
    if holds { 0 } else { stats.transitions.saturating_sub(inserted) }
}
