//! The engines that answer what is asked of states, one search each. [`crate::plan`] says which of them are asked, and
//! for how long.

use std::sync::Arc;

use taut_explicit::{Completion, Exploration, Limit, SearchOptions, StoreKind};
use taut_ir::{FullBuffer, Memory, Program};
use taut_symbolic::{Diverging, SymbolicOptions};

use crate::check::{Check, EngineFault, Report};
use crate::plan::question::Question;
use crate::rounds::Scopes;
use crate::safety;

/// Which search answers what is asked of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The explicit search as long as buffers stay within the bound; as soon as one would not, the symbolic
    /// one and, in turns with it, the explicit one up to the bound.
    Auto,
    /// State by state, with buffers up to the bound.
    #[default]
    Explicit,
    /// With sets of buffer contents, without a bound. Where there are no store buffers, and in programs with
    /// priorities, state by state.
    Symbolic,
    /// By translation from TSO to SC, in rounds or up to an age of stores. For TSO only.
    Rounds(Scopes),
}

impl Check<'_> {
    /// What is asked of states, by the engine that was chosen, or else state by state.
    pub(crate) fn by_one_engine(&self) -> Result<Report, EngineFault> {
        let has_buffers = taut_symbolic::supports(self.memory.model);
        match self.engine {
            Engine::Symbolic if has_buffers && self.is_symbolic() => self.symbolic(),
            _ => self.explicit(),
        }
    }

    /// Whether the symbolic engine knows the program. It knows no priorities: which steps are independent, and which
    /// loops can be accelerated, depends there on what all other processes could do.
    pub(crate) fn is_symbolic(&self) -> bool {
        self.growing.program.priorities.is_none()
    }

    /// What is asked of states, state by state.
    pub(crate) fn explicit(&self) -> Result<Report, EngineFault> {
        let explored = self.growing.explore(self.memory, &self.search_options(), self.asserts);
        self.explored(explored, self.memory)
    }

    /// The same, as long as no buffer is full; none as soon as one is.
    pub(crate) fn fitting(&self) -> Result<Option<Report>, EngineFault> {
        let options = SearchOptions { must_fit: true, ..self.search_options() };
        let explored = self.growing.explore(self.memory, &options, self.asserts);
        match explored.1.completion {
            Completion::BufferFull => Ok(None),
            _ => self.explored(explored, self.memory).map(Some),
        }
    }

    fn explored(
        &self,
        (program, exploration): (Program, Exploration),
        memory: Memory,
    ) -> Result<Report, EngineFault> {
        let program = Arc::new(program);
        let mut questions = self.questions(&program, taut_ir::may_fault(&program));
        if memory.bound.is_none() {
            questions.retain(|&question| question != Question::FullBuffer);
        }
        let results = safety::answers(&questions, memory, &program, &exploration)?;
        Ok(Report {
            results,
            stats: exploration.stats,
            complete: is_complete(&exploration),
            limit: limit(&exploration),
            reached: exploration.reached,
            ..self.nothing(memory, program)
        })
    }

    /// What is asked of states, with sets of buffer contents.
    pub(crate) fn symbolic(&self) -> Result<Report, EngineFault> {
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..self.memory };
        let SearchOptions { all, deadlock, unasked, limits, .. } = self.search_options();
        let options =
            SymbolicOptions { all, deadlock, unasked, limits, ..SymbolicOptions::default() };
        let (program, search) = self.growing.explore_symbolically(memory, &options, self.asserts);
        let note = search.growing.as_ref().map(|growing| kept_growing(&program, growing));
        let mut report = self.explored((program, search.exploration), memory)?;
        for result in report.results.iter_mut().filter(|r| r.verdict.is_open()) {
            result.note.clone_from(&note);
        }
        Ok(Report {
            engine: "symbolic",
            symbolic: Some(search.counts),
            store: StoreKind::Exact,
            threads: 1,
            ..report
        })
    }
}

/// Whether every reachable state was visited for sure.
pub(crate) fn is_complete(exploration: &Exploration) -> bool {
    exploration.completion == Completion::Complete && exploration.stats.lossy.is_none()
}

/// The limit that ended a search.
pub(crate) fn limit(exploration: &Exploration) -> Option<Limit> {
    match exploration.completion {
        Completion::Limit(limit) => Some(limit),
        _ => None,
    }
}

fn kept_growing(program: &Program, growing: &Diverging) -> String {
    let process = &program.process(growing.process).name;
    format!("the buffer of {process} kept growing: {}", growing.language)
}
