//! Searching programs that grow: whenever a search runs out of processes to start, it is made again on a
//! program with more of them.
//!
//! A search that ended in [`Completion::NoProcess`] says nothing about the model, so its result is dropped.
//! Programs that are not made from a model do not grow: their processes are bounded, and a bound that was
//! met is part of the coverage.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use taut_budget::Instant;
use taut_engine::{Engine, EngineError, EngineResult, Job};
use taut_explicit::{Completion, Exploration, Limit, Limits, SearchOptions, explore};
use taut_ir::{DefId, Effect, Memory, Process, Program, PropId, Start, Step, may_fault};
use taut_ltl::TooLarge;
use taut_repair::{RepairProblem, Set};
use taut_symbolic::{SymbolicOptions, SymbolicSearch};
use taut_temporal::{TemporalOptions, TemporalSearch, find_accepting_lasso};

use crate::load::Loaded;

/// A program, and what it was made from if it can be made larger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessPool<'p> {
    pub(crate) program: &'p Program,
    pub(crate) loaded: Option<&'p Loaded>,
    /// What is done to every program of the model.
    pub(crate) change: Option<Change<'p>>,
}

/// EditSites that are changed about a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'p> {
    pub(crate) subject: &'p RepairProblem,
    pub(crate) set: &'p Set,
}

impl<'p> ProcessPool<'p> {
    /// A program as it is.
    pub(crate) fn new(program: &'p Program) -> ProcessPool<'p> {
        ProcessPool { program, loaded: None, change: None }
    }

    /// A program that was read, which is made larger if its language can do that.
    pub(crate) fn of(loaded: &'p Loaded) -> ProcessPool<'p> {
        let grown = Some(loaded).filter(|loaded| loaded.grows());
        ProcessPool { program: &loaded.program, loaded: grown, change: None }
    }

    /// Whether only a search can tell the number of processes.
    pub(crate) fn is_open(self) -> bool {
        self.loaded.is_some() && self.program.spawns()
    }

    /// The program with all the processes that it can start. A search tells how many those are; how it ended, if one
    /// was made.
    pub(crate) fn whole<T: Searched>(
        self,
        search: impl FnOnce(Self) -> (Program, T),
    ) -> (Program, Option<Completion>) {
        if !self.is_open() {
            return (self.program.clone(), None);
        }
        let (program, mut searched) = search(self);
        (program, Some(*searched.completion()))
    }

    /// Whether the program could fault, by a look at its code, however large it is made.
    ///
    /// A larger program has more processes of the same code and larger numbers of processes, and nothing else that
    /// could fault. So a look at the largest one is enough. Store buffers make no difference: the values that go through
    /// them are those of the code.
    pub(crate) fn may_fault(self) -> bool {
        let Some(loaded) = self.loaded else { return may_fault(self.program) };
        let mut slots: BTreeMap<String, u32> =
            spawned(self.program).map(|name| (name, 1)).collect();
        let kinds = slots.len();
        let Some(mut last) = slots.last_entry() else { return may_fault(self.program) };
        // One of each, and of the last one as many as there is room for: every definition is there, and pids are as
        // large as they get.
        let is_initial = |p: &&Process| p.start == Start::Initially;
        let initial = self.program.processes.iter().filter(is_initial).count();
        let room = loaded.most_processes().saturating_sub(initial);
        *last.get_mut() = (room + 1).saturating_sub(kinds).max(1) as u32;
        loaded.with_slots(&slots).is_none_or(|largest| may_fault(&largest))
    }

    /// A larger program with more processes of a definition.
    fn with_more(self, program: &Program, def: DefId) -> Option<Program> {
        let larger = self.loaded?.with_more(program, def)?;
        Some(match self.change {
            Some(Change { subject, set }) => subject.change(larger, set),
            None => larger,
        })
    }
}

/// How one search of a program that may be made larger is to go.
pub(crate) struct Terms {
    /// End if there is no process to start.
    pub(crate) spawn_all: bool,
    /// What is left of the time.
    pub(crate) time: Option<Duration>,
}

/// The result of any search.
pub(crate) trait Searched {
    fn completion(&mut self) -> &mut Completion;
    fn set_time(&mut self, time: Duration);
}

impl Searched for Exploration {
    fn completion(&mut self) -> &mut Completion {
        &mut self.completion
    }

    fn set_time(&mut self, time: Duration) {
        self.stats.time = time;
    }
}

impl Searched for SymbolicSearch {
    fn completion(&mut self) -> &mut Completion {
        &mut self.exploration.completion
    }

    fn set_time(&mut self, time: Duration) {
        self.exploration.stats.time = time;
    }
}

impl Searched for EngineResult {
    fn completion(&mut self) -> &mut Completion {
        &mut self.exploration.completion
    }

    fn set_time(&mut self, time: Duration) {
        self.exploration.stats.time = time;
    }
}

impl Searched for TemporalSearch {
    fn completion(&mut self) -> &mut Completion {
        &mut self.completion
    }

    fn set_time(&mut self, time: Duration) {
        self.stats.time = time;
    }
}

impl ProcessPool<'_> {
    /// Searches one stage with an engine, the program made as large as it needs to be; the program that was searched in
    /// the end and the result. Without `asserts`, assertions are not looked at.
    pub(crate) fn search(
        self,
        engine: &dyn Engine,
        job: &Job<'_>,
        asserts: bool,
    ) -> Result<(Program, EngineResult), EngineError> {
        let mut options = job.options.clone();
        self.grow(options.limits.time, |program, terms| {
            options.spawn_all = terms.spawn_all;
            options.limits.time = terms.time;
            let run = |program| {
                engine.run(&Job::new(program, job.memory, options.clone()).at_stage(job.stage))
            };
            if asserts { run(program) } else { run(&without_assertions(program)) }
        })
    }

    /// Explores the program, made as large as it needs to be; the program that was explored in the end and
    /// the result. Without `asserts`, assertions are not looked at.
    pub(crate) fn explore(
        self,
        memory: Memory,
        options: &SearchOptions,
        asserts: bool,
    ) -> (Program, Exploration) {
        let mut options = options.clone();
        let explored = self.grow(options.limits.time, |program, terms| {
            options.spawn_all = terms.spawn_all;
            options.limits.time = terms.time;
            Ok::<_, Infallible>(match asserts {
                true => explore(program, memory, &options),
                false => explore(&without_assertions(program), memory, &options),
            })
        });
        match explored {
            Ok(explored) => explored,
            Err(never) => match never {},
        }
    }

    /// Explores the program symbolically, with buffers without bounds.
    pub(crate) fn explore_symbolically(
        self,
        memory: Memory,
        options: &SymbolicOptions,
        asserts: bool,
    ) -> (Program, SymbolicSearch) {
        let mut options = options.clone();
        let explored = self.grow(options.limits.time, |program, terms| {
            options.spawn_all = terms.spawn_all;
            options.limits.time = terms.time;
            Ok::<_, Infallible>(match asserts {
                true => taut_symbolic::explore(program, memory, &options),
                false => taut_symbolic::explore(&without_assertions(program), memory, &options),
            })
        });
        match explored {
            Ok(explored) => explored,
            Err(never) => match never {},
        }
    }

    /// Looks for a run that violates a property, the program made as large as it needs to be.
    pub(crate) fn find_accepting_lasso(
        self,
        memory: Memory,
        property: PropId,
        options: &TemporalOptions,
    ) -> Result<(Program, TemporalSearch), TooLarge> {
        let mut options = options.clone();
        self.grow(options.limits.time, |program, terms| {
            options.spawn_all = terms.spawn_all;
            options.limits.time = terms.time;
            find_accepting_lasso(program, memory, property, &options)
        })
    }

    /// Searches, on larger programs if need be; one limit on time for all searches together.
    pub(crate) fn grow<T: Searched, E>(
        self,
        limit: Option<Duration>,
        mut search: impl FnMut(&Program, Terms) -> Result<T, E>,
    ) -> Result<(Program, T), E> {
        let started = Instant::now();
        let mut program = self.program.clone();
        let mut spawn_all = self.loaded.is_some();
        loop {
            let time = limit.map(|time| time.saturating_sub(started.elapsed()));
            let mut result = search(&program, Terms { spawn_all, time })?;
            let Completion::NoProcess(def) = *result.completion() else {
                result.set_time(started.elapsed());
                if let (Completion::Limit(Limit::Time(_)), Some(time)) =
                    (*result.completion(), limit)
                {
                    *result.completion() = Completion::Limit(Limit::Time(time));
                }
                return Ok((program, result));
            };
            match self.with_more(&program, def) {
                Some(larger) => program = larger,
                None => spawn_all = false,
            }
        }
    }
}

impl Loaded {
    /// The program with all the processes that it can start, with the limit that ended the search for them, if one did.
    pub fn with_all_processes(&self, memory: Memory, limits: &Limits) -> (Program, Option<Limit>) {
        let options =
            SearchOptions { whole: true, limits: limits.clone(), ..SearchOptions::default() };
        let search = |pool: ProcessPool<'_>| pool.explore(memory, &options, true);
        match ProcessPool::of(self).whole(search) {
            (program, Some(Completion::Limit(limit))) => (program, Some(limit)),
            (program, _) => (program, None),
        }
    }
}

/// The names of the definitions that are started by a step.
fn spawned(program: &Program) -> impl Iterator<Item = String> {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let effects = steps.flat_map(|step| &step.effects);
    let defs = effects.filter_map(|effect| match effect {
        Effect::Spawn { def, .. } => Some(*def),
        _ => None,
    });
    defs.map(|def| program.defs[def.index()].name.clone())
}

/// The same program without its assertions. Steps, states and runs are the same, so a run of the one is a
/// run of the other.
pub(crate) fn without_assertions(program: &Program) -> Program {
    let mut program = program.clone();
    let steps = program.defs.iter_mut().flat_map(|def| &mut def.steps);
    steps.for_each(|step: &mut Step| {
        step.effects.retain(|effect| !matches!(effect, Effect::Assert { .. }));
    });
    program
}
