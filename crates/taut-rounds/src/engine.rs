//! The translation as an engine: a program under TSO is translated to one that does the same under SC, within a
//! scope, and that one is explored.
//!
//! What is found is mapped back to a run of the program itself, with real buffers, and the replayer judges it like
//! any other.
//!
//! The result is about the runs within the scope. With [`Scopes::Rounds`] and [`Scopes::Ages`] the scopes are tried
//! from the smallest on, one per stage, and each is also asked whether a run could leave it
//! ([`Translation::may_leave_scope`]). Once none can, all runs are within it, and what holds there holds for all
//! executions.

use std::ops::RangeInclusive;
use std::time::Duration;

use taut_budget::Instant;
use taut_engine::{
    Bounds, Capabilities, Engine, EngineError, EngineId, EngineResult, Job, Scoped, Unsupported,
    Within, WithinKind,
};
use taut_explicit::{Completion, Exploration, SearchOptions, explore};
use taut_ir::{
    Finding, FullBuffer, Memory, MemoryModel, Program, PropId, Property, PropertyKind, Span,
};

use crate::states::translate_states;
use crate::{Role, Scope, TranslateError, Translation, map_back, supports};

/// The scopes that the engine looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scopes {
    /// One.
    One(Scope),
    /// One round per process, then two, and so on: until something is violated, a limit is met, or all runs are
    /// within the scope.
    Rounds,
    /// Stores of age 0, then up to 1, and so on, likewise.
    Ages,
}

/// The largest `k` that is tried when scopes grow. Few programs cover all their runs with more and not with
/// less, and the work grows with each.
pub const MOST_AUTOMATIC: u32 = 8;

impl Scopes {
    /// The scope of a stage.
    fn scope(self, stage: u32) -> Scope {
        match self {
            Scopes::One(scope) => scope,
            Scopes::Rounds => Scope::Rounds(stage),
            Scopes::Ages => Scope::Age(stage),
        }
    }

    fn grow(self) -> bool {
        !matches!(self, Scopes::One(_))
    }
}

/// The engine of rounds, with the scopes that it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds(pub Scopes);

impl Rounds {
    /// The name.
    pub const ID: EngineId = EngineId::new("rounds");

    /// The engine as it is meant if no scope is given: stores of growing age.
    pub const USUAL: Rounds = Rounds(Scopes::Ages);

    const CAPABILITIES: Capabilities = Capabilities::ALL
        .under(supports)
        .only(MemoryModel::USUAL, "rounds are for TSO alone; ask with `--model tso`")
        .without_bound(
            Bounds::Fixed("buffers have no bound in rounds; leave --bound out"),
            "no buffer is ever full in rounds; leave --full-buffer out",
        )
        .without_deadlock("rounds do not tell what gets stuck")
        // The first level of a translation has a state for every guess of what a round begins with. A search breadth
        // first has to finish it, and may not get that far.
        .in_turns();
}

impl Default for Rounds {
    fn default() -> Rounds {
        Rounds::USUAL
    }
}

impl From<TranslateError> for Unsupported {
    fn from(error: TranslateError) -> Unsupported {
        Unsupported::new(error.to_string()).at("E0009", error.span())
    }
}

impl Engine for Rounds {
    fn id(&self) -> EngineId {
        Rounds::ID
    }

    fn title(&self) -> &'static str {
        "rounds: TSO by translation to SC"
    }

    fn capabilities(&self) -> Capabilities {
        Rounds::CAPABILITIES
    }

    fn stages(&self) -> RangeInclusive<u32> {
        if self.0.grow() { 0..=MOST_AUTOMATIC } else { 0..=0 }
    }

    fn supports(&self, job: &Job<'_>) -> Result<(), Unsupported> {
        if !supports(job.memory.model) {
            return Err(Unsupported::new("rounds are for TSO only"));
        }
        translate_states(job.program, self.0.scope(job.stage))?;
        Ok(())
    }

    fn run(&self, job: &Job<'_>) -> Result<EngineResult, EngineError> {
        let scope = self.0.scope(job.stage);
        let translation = translate_states(job.program, scope).map_err(Unsupported::from)?;
        let options = SearchOptions { deadlock: false, ..job.options.clone() };
        let (mut exploration, leaves) = search(&translation, self.0.grow(), &options);
        for found in &mut exploration.found {
            found.actions = map_back(&translation, &found.actions).map_err(|why| {
                let property = found.finding.name(job.program);
                EngineError::Fault { property, reason: why.to_string() }
            })?;
        }
        // The arithmetic of rounds cannot fault.
        exploration.may_fault = taut_ir::may_fault(job.program);
        exploration.reached = reached(job.program, &translation, &exploration.reached);
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..job.memory };
        let mut result = EngineResult::new(exploration, memory);
        result.scoped = Some(Scoped { within: scope.into(), leaves });
        Ok(result)
    }
}

/// The words for [`Scope::Rounds`]. The paper's `k` and the number of rounds differ by one, so both are said.
static ROUNDS: WithinKind = WithinKind {
    name: "rounds",
    short: |k| Scope::Rounds(k).to_string(),
    long: |k| format!("{} per process (k = {k})", Scope::Rounds(k)),
};

/// The words for [`Scope::Age`].
static AGE: WithinKind = WithinKind {
    name: "age",
    short: |k| Scope::Age(k).to_string(),
    long: |k| Scope::Age(k).to_string(),
};

impl From<Scope> for Within {
    fn from(scope: Scope) -> Within {
        match scope {
            Scope::Rounds(k) => Within::new(&ROUNDS, k),
            Scope::Age(k) => Within::new(&AGE, k),
        }
    }
}

/// Explores a translation; and whether a run may leave the scope.
///
/// The scope is one more question, so that a search which ends without a finding has answered it. If
/// the first finding is that a run may leave, what is asked of the program is searched for again.
fn search(
    translation: &Translation,
    ask_scope: bool,
    options: &SearchOptions,
) -> (Exploration, bool) {
    let program = &translation.program;
    let sc = Memory::new(MemoryModel::Sc);
    if !ask_scope {
        return (explore(program, sc, options), true);
    }
    let started = Instant::now();
    let asked = PropId::from(program.properties.len());
    let mut exploration = explore(&asking(program, translation), sc, options);
    let about_scope = |finding: Finding| finding == Finding::Property(asked);
    let leaves = exploration.found.iter().any(|f| about_scope(f.finding));
    exploration.found.retain(|f| !about_scope(f.finding));
    if leaves && exploration.completion == Completion::FirstFinding {
        let mut options = options.clone();
        options.limits.time = remaining(options.limits.time, started);
        exploration = explore(program, sc, &options);
    }
    let unsure = exploration.completion != Completion::Complete;
    (exploration, leaves || unsure)
}

fn remaining(time: Option<Duration>, started: Instant) -> Option<Duration> {
    time.map(|time| time.saturating_sub(started.elapsed()))
}

/// A translation with one more question: may a run leave the scope?
fn asking(program: &Program, translation: &Translation) -> Program {
    let mut program = program.clone();
    let kind = PropertyKind::Forbid(translation.may_leave_scope());
    program.properties.push(Property { name: "scope".into(), kind, span: Span::NONE });
    program
}

/// For each step of the program, whether a process took it.
fn reached(program: &Program, translation: &Translation, reached: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut all: Vec<Vec<bool>> = program.defs.iter().map(|d| vec![false; d.steps.len()]).collect();
    for (def, steps) in reached.iter().enumerate() {
        for (step, _) in steps.iter().enumerate().filter(|(_, reached)| **reached) {
            if let Some(Role::Take(original)) = translation.map.role(def.into(), step.into()) {
                all[def][original.index()] = true;
            }
        }
    }
    all
}
