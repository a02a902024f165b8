//! Which engine answers what is asked of states.
//!
//! The explicit search is fast and covers everything as long as no buffer is full. As soon as one would be,
//! its answer would only be one up to the bound; then the symbolic search takes over, which has no bound but may
//! not end. What it cannot answer within its limits is answered up to the bound after all.

use std::sync::Arc;
use std::time::{Duration, Instant};

use taut_ir::{FullBuffer, Memory, MemoryModel, Program};
use taut_search::{Completion, Exploration, Limits, SearchOptions, StoreKind};
use taut_symbolic::{Growing, SymbolicOptions};

use crate::check::{Check, EngineFault, Report};
use crate::rounds::Scopes;
use crate::states;
use crate::verdict::{PropertyResult, Verdict};

/// Which search answers what is asked of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The explicit search as long as buffers stay within the bound; as soon as one would not, the symbolic
    /// one; and for what that leaves open, the explicit one up to the bound.
    Auto,
    /// State by state, with buffers up to the bound.
    #[default]
    Explicit,
    /// With sets of buffer contents, without a bound. Where there are no store buffers, state by state.
    Symbolic,
    /// By translation from TSO to SC, in rounds or up to an age of stores. For TSO only.
    Rounds(Scopes),
}

/// Symbolic states that the automatic choice spends before it goes back to a bound.
const AUTOMATIC_STATES: u64 = 50_000;

impl Check<'_> {
    /// What is asked of states and steps.
    pub(crate) fn states(&self) -> Result<Report, EngineFault> {
        let has_buffers = matches!(self.memory.model, MemoryModel::Tso | MemoryModel::Pso);
        match self.engine {
            Engine::Rounds(scopes) => self.rounds(scopes),
            Engine::Symbolic if has_buffers => self.symbolic(self.options.limits.clone()),
            Engine::Auto if has_buffers && self.memory.full_buffer == FullBuffer::Wait => {
                self.automatic()
            }
            Engine::Auto | Engine::Explicit | Engine::Symbolic => {
                let explored =
                    self.growing.explore(self.memory, &self.search_options(), self.asserts);
                self.explored(explored, self.memory)
            }
        }
    }

    fn automatic(&self) -> Result<Report, EngineFault> {
        let started = Instant::now();
        let fitting = SearchOptions { must_fit: true, ..self.search_options() };
        let explored = self.growing.explore(self.memory, &fitting, self.asserts);
        if explored.1.completion != Completion::BufferFull {
            return self.explored(explored, self.memory);
        }
        let mut limits = self.left(started.elapsed());
        // The other half is for an answer up to the bound, which is better than none.
        limits.time = limits.time.map(|time| time / 2);
        limits.states = Some(limits.states.map_or(AUTOMATIC_STATES, |n| n.min(AUTOMATIC_STATES)));
        let symbolic = self.symbolic(limits)?;
        if !symbolic.is_unknown() {
            return Ok(symbolic);
        }
        let options =
            SearchOptions { limits: self.left(started.elapsed()), ..self.search_options() };
        let bounded = self.growing.explore(self.memory, &options, self.asserts);
        Ok(combine(symbolic, self.explored(bounded, self.memory)?))
    }

    /// The limits that are left after some time.
    pub(crate) fn left(&self, elapsed: Duration) -> Limits {
        let time = self.options.limits.time.map(|time| time.saturating_sub(elapsed));
        Limits { time, ..self.options.limits.clone() }
    }

    fn explored(
        &self,
        (program, exploration): (Program, Exploration),
        memory: Memory,
    ) -> Result<Report, EngineFault> {
        let program = Arc::new(program);
        let asked =
            states::Asked { memory, asserts: self.asserts, deadlock: self.options.deadlock };
        let mut results = states::answers(asked, &program, &exploration)?;
        results.retain(|result| self.is_asked(&result.name));
        Ok(Report {
            results,
            stats: exploration.stats,
            complete: is_complete(&exploration),
            reached: exploration.reached,
            ..self.nothing(memory, program)
        })
    }

    fn symbolic(&self, limits: Limits) -> Result<Report, EngineFault> {
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..self.memory };
        let SearchOptions { all, deadlock, unasked, .. } = self.search_options();
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

fn kept_growing(program: &Program, growing: &Growing) -> String {
    let process = &program.process(growing.process).name;
    format!("the buffer of {process} kept growing: {}", growing.language)
}

/// The symbolic answers, and up to the bound what they leave open.
fn combine(symbolic: Report, bounded: Report) -> Report {
    let answer = |result: PropertyResult| {
        let open = symbolic.results.iter().find(|s| s.name == result.name);
        match open {
            Some(open) if !open.verdict.is_open() => open.clone(),
            Some(open) if matches!(result.verdict, Verdict::Holds(_)) => {
                let why = open.verdict.coverage();
                let note = match &open.note {
                    Some(note) => format!("without a bound, {why}; {note}"),
                    None => format!("without a bound, {why}"),
                };
                PropertyResult { note: Some(note), ..result }
            }
            _ => result,
        }
    };
    let results = bounded.results.into_iter().map(answer).collect();
    Report { results, ..bounded }
}
