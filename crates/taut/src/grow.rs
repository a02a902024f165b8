//! Exploring programs that grow: whenever a search runs out of processes to start, it is made again on a
//! program with more of them.
//!
//! A search that ended in [`Completion::NoProcess`] says nothing about the model, so its result is dropped.
//! Programs that are not made from a model do not grow: their processes are bounded, and a bound that was
//! met is part of the coverage.

use std::time::Instant;

use taut_ir::{Effect, Memory, Program, Step};
use taut_search::{Completion, Exploration, Limit, SearchOptions, explore};

use crate::promela::Model;

/// A program, and the model it was made from if it can be made larger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growing<'p> {
    pub(crate) program: &'p Program,
    pub(crate) model: Option<&'p Model>,
}

impl Growing<'_> {
    /// Explores the program, made as large as it needs to be; the program that was explored in the end and
    /// the result. Without `asserts`, assertions are not looked at.
    pub(crate) fn explore(
        self,
        memory: Memory,
        options: &SearchOptions,
        asserts: bool,
    ) -> (Program, Exploration) {
        let started = Instant::now();
        let mut options = options.clone();
        let limit = options.limits.time;
        options.spawn_all = self.model.is_some();
        let mut program = self.program.clone();
        loop {
            let mut exploration = match asserts {
                true => explore(&program, memory, &options),
                false => explore(&without_assertions(&program), memory, &options),
            };
            let Completion::NoProcess(def) = exploration.completion else {
                exploration.stats.time = started.elapsed();
                if let (Completion::Limit(Limit::Time(_)), Some(time)) =
                    (exploration.completion, limit)
                {
                    exploration.completion = Completion::Limit(Limit::Time(time));
                }
                return (program, exploration);
            };
            match self.model.and_then(|model| model.grown(&program, def)) {
                Some(larger) => program = larger,
                None => options.spawn_all = false,
            }
            // One limit for all searches together.
            options.limits.time = limit.map(|time| time.saturating_sub(started.elapsed()));
        }
    }
}

/// The same program without its assertions. Steps, states and runs are the same, so a run of the one is a
/// run of the other.
fn without_assertions(program: &Program) -> Program {
    let mut program = program.clone();
    let steps = program.defs.iter_mut().flat_map(|def| &mut def.steps);
    steps.for_each(|step: &mut Step| {
        step.effects.retain(|effect| !matches!(effect, Effect::Assert { .. }));
    });
    program
}
