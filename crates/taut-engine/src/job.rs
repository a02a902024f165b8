//! One search that is asked for, and its result.

use taut_explicit::{Completion, Exploration, SearchOptions};
use taut_ir::{Memory, Program};

use crate::within::Within;

/// One search that is asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job<'j> {
    /// A valid program.
    pub program: &'j Program,
    /// The memory model and its buffers.
    pub memory: Memory,
    /// What is looked for, how, and how far. An engine takes what it knows of it.
    pub options: SearchOptions,
    /// The stage of the search, one of [`crate::Engine::stages`].
    pub stage: u32,
}

impl<'j> Job<'j> {
    /// A search of a valid program: its first stage.
    pub fn new(program: &'j Program, memory: Memory, options: SearchOptions) -> Job<'j> {
        Job { program, memory, options, stage: 0 }
    }

    /// The same job in another stage.
    #[must_use]
    pub fn at_stage(mut self, stage: u32) -> Job<'j> {
        self.stage = stage;
        self
    }
}

/// The result of one search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EngineResult {
    /// What was found, and how the search ended. Runs are runs of the program of the job.
    pub exploration: Exploration,
    /// The memory that the runs are under. An engine whose buffers have no bound says so here.
    pub memory: Memory,
    /// The scope that was looked at, if it was some runs only.
    pub scoped: Option<Scoped>,
    /// Counts that only this engine has.
    pub counts: Vec<Count>,
    /// What else is to be said about answers that a limit left open.
    pub note: Option<String>,
    /// The program that runs are of, where that is not the program of the job.
    pub instance: Option<Instance>,
    /// The reason why the result says nothing about deadlocks, if it does not.
    pub no_deadlock: Option<&'static str>,
}

/// The instance of a program with any number of processes that runs are of.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The program: with a fixed number of processes.
    pub program: Program,
    /// For each finding, in their order, the number of processes that it takes, in words.
    pub notes: Vec<String>,
}

impl EngineResult {
    /// A result about all runs under a memory.
    pub fn new(exploration: Exploration, memory: Memory) -> EngineResult {
        EngineResult {
            exploration,
            memory,
            scoped: None,
            counts: Vec::new(),
            note: None,
            instance: None,
            no_deadlock: None,
        }
    }

    /// How the search ended.
    pub fn completion(&self) -> Completion {
        self.exploration.completion
    }
}

/// A result about the runs within a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoped {
    /// The scope.
    pub within: Within,
    /// Whether some run may leave it. If none can, the scope has all runs.
    pub leaves: bool,
}

/// A count that only one engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Its name in JSON.
    pub name: &'static str,
    /// What is counted, in words.
    pub title: &'static str,
    /// The number.
    pub value: u64,
}
