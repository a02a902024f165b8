//! Checking a program: search, replay what was found, say what was covered.

use std::fmt;
use std::time::Duration;

use taut_ir::{DefId, Finding, FullBuffer, Memory, MemoryModel, Program, PropId, PropertyKind};
use taut_search::{Completion, Exploration, Found, Interrupt, Limits, Order, SearchOptions, Stats};
use taut_witness::{ReplayError, Trace, replay};

use crate::grow::Growing;
use crate::load::Loaded;
use crate::verdict::{Coverage, PropertyResult, Unknown, Verdict, Witness};

/// One check of one program under one memory model.
#[derive(Clone, Debug)]
pub struct Check<'p> {
    growing: Growing<'p>,
    memory: Memory,
    options: SearchOptions,
    asserts: bool,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// The memory model and its buffers.
    pub memory: Memory,
    /// The engine that gave the answers.
    pub engine: &'static str,
    /// An answer to every question, in the order of the program.
    pub results: Vec<PropertyResult>,
    /// Counts of the search.
    pub stats: Stats,
    /// The program that was searched, which results and traces refer to. A Promela model has been given as
    /// many processes as it needs.
    pub program: Program,
    /// Whether every reachable state was visited.
    pub complete: bool,
    /// For each definition and step, whether a process took it.
    pub reached: Vec<Vec<bool>>,
}

/// The engine claimed a violation that the replayer does not accept: a bug in Taut. The verdict is
/// withheld.
#[derive(Clone, Debug)]
pub struct EngineFault {
    /// What was claimed.
    pub property: String,
    /// What the replayer says.
    pub refusal: ReplayError,
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the engine's run for `{}` does not replay: {}", self.property, self.refusal)
    }
}

impl std::error::Error for EngineFault {}

impl<'p> Check<'p> {
    /// A check under sequential consistency, breadth first, that stops at the first violation and uses
    /// at most three quarters of the memory that is free now.
    pub fn new(program: &'p Program) -> Check<'p> {
        let limits = Limits { bytes: default_memory_limit(), ..Limits::default() };
        let options = SearchOptions { limits, ..SearchOptions::default() };
        let growing = Growing { program, model: None };
        Check { growing, memory: Memory::new(MemoryModel::Sc), options, asserts: true }
    }

    /// A check of a program that was read: as [`Check::new`], but under the memory model and with the bound
    /// that the program asks for, and with as many processes as it starts if it is a Promela model.
    pub fn of(loaded: &'p Loaded) -> Check<'p> {
        let model = loaded.memory_model().unwrap_or(MemoryModel::Sc);
        let mut check = Check::new(&loaded.program).model(model).bound(Some(loaded.bound()));
        check.growing.model = loaded.promela.as_deref();
        check
    }

    /// Chooses the memory model.
    #[must_use]
    pub fn model(mut self, model: MemoryModel) -> Self {
        self.memory.model = model;
        self
    }

    /// Entries a buffer; `None` for buffers without a bound.
    #[must_use]
    pub fn bound(mut self, bound: Option<u32>) -> Self {
        self.memory.bound = bound.map(|k| k.max(1));
        self
    }

    /// What a store into a full buffer does.
    #[must_use]
    pub fn full_buffer(mut self, full_buffer: FullBuffer) -> Self {
        self.memory.full_buffer = full_buffer;
        self
    }

    /// The order of the search; breadth first gives shortest runs.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.options.order = order;
        self
    }

    /// Goes on after the first violation, until every question has its answer.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.options.all = all;
        self
    }

    /// Whether to look for deadlocks.
    #[must_use]
    pub fn deadlock(mut self, deadlock: bool) -> Self {
        self.options.deadlock = deadlock;
        self
    }

    /// Whether to look at assertions.
    #[must_use]
    pub fn asserts(mut self, asserts: bool) -> Self {
        self.asserts = asserts;
        self
    }

    /// Stores at most so many states.
    #[must_use]
    pub fn max_states(mut self, states: Option<u64>) -> Self {
        self.options.limits.states = states;
        self
    }

    /// Uses at most so many bytes for states.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.options.limits.bytes = Some(bytes);
        self
    }

    /// Takes at most so long.
    #[must_use]
    pub fn timeout(mut self, time: Option<Duration>) -> Self {
        self.options.limits.time = time;
        self
    }

    /// Ends when somebody raises this flag.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.options.limits.interrupt = interrupt;
        self
    }

    /// Runs the check. An error is a bug in Taut, never of the program.
    pub fn run(&self) -> Result<Report, EngineFault> {
        let (program, exploration) = self.growing.explore(self.memory, &self.options, self.asserts);
        let answers = Answers { check: self, program: &program, exploration: &exploration };
        let asked = answers.asked();
        let results = asked.into_iter().map(|q| answers.answer(q)).collect::<Result<_, _>>()?;
        Ok(Report {
            memory: self.memory,
            engine: "explicit",
            results,
            stats: exploration.stats,
            program,
            complete: exploration.completion == Completion::Complete,
            reached: exploration.reached,
        })
    }
}

/// What a search says about the questions that were asked.
struct Answers<'a> {
    check: &'a Check<'a>,
    program: &'a Program,
    exploration: &'a Exploration,
}

impl Answers<'_> {
    /// The questions asked of the program, in the order of the report.
    fn asked(&self) -> Vec<Question> {
        let memory = self.check.memory;
        let is_asked = |&id: &PropId| {
            self.check.asserts || self.program.property(id).kind != PropertyKind::Assert
        };
        let properties = self.program.property_ids().filter(is_asked);
        let mut all: Vec<_> = properties.map(Question::Property).collect();
        if self.check.options.deadlock {
            all.push(Question::Deadlock);
        }
        if self.exploration.may_fault {
            all.push(Question::Fault);
        }
        if memory.full_buffer == FullBuffer::Error && memory.model != MemoryModel::Sc {
            all.push(Question::FullBuffer);
        }
        all
    }

    fn answer(&self, question: Question) -> Result<PropertyResult, EngineFault> {
        let (name, kind) = question.name_and_kind(self.program);
        let found = self.exploration.found.iter().find(|f| question.is_answered_by(f.finding));
        let verdict = match found {
            Some(found) => Verdict::Violated(Box::new(self.witness(&name, found)?)),
            None => self.without_witness(),
        };
        Ok(PropertyResult { name, kind, verdict })
    }

    fn witness(&self, name: &str, found: &Found) -> Result<Witness, EngineFault> {
        let memory = self.check.memory;
        let trace = Trace { memory, finding: found.finding, actions: found.actions.clone() };
        match replay(self.program, &trace) {
            Ok(run) => Ok(Witness { trace, run }),
            Err(refusal) => Err(EngineFault { property: name.into(), refusal }),
        }
    }

    fn without_witness(&self) -> Verdict {
        match self.exploration.completion {
            Completion::Limit(limit) => Verdict::Unknown(Unknown::Limit(limit)),
            Completion::FirstFinding => Verdict::Unknown(Unknown::Stopped),
            Completion::NoProcess(_) => unreachable!("a search without processes was made again"),
            Completion::Complete => Verdict::Holds(Coverage::new(
                self.exploration.bounds_met,
                self.check.memory,
                thread_bound(self.program),
                self.program.call_depth,
            )),
        }
    }
}

/// The most processes that wait to be spawned of any one definition.
fn thread_bound(program: &Program) -> u32 {
    let slots = |d: usize| program.spawn_slots(DefId::from(d)).count() as u32;
    (0..program.defs.len()).map(slots).max().unwrap_or(0)
}

/// Something that is asked of a program.
#[derive(Clone, Copy)]
enum Question {
    Property(PropId),
    Deadlock,
    Fault,
    FullBuffer,
}

impl Question {
    fn is_answered_by(self, finding: Finding) -> bool {
        match (self, finding) {
            (Question::Property(asked), Finding::Property(found)) => asked == found,
            (Question::Deadlock, Finding::Deadlock)
            | (Question::Fault, Finding::Fault(_))
            | (Question::FullBuffer, Finding::FullBuffer) => true,
            _ => false,
        }
    }

    fn name_and_kind(self, program: &Program) -> (String, &'static str) {
        match self {
            Question::Property(id) => {
                let property = program.property(id);
                (property.name.clone(), property.kind.word())
            }
            Question::Deadlock => ("deadlock".into(), "deadlock"),
            Question::Fault => ("fault".into(), "fault"),
            Question::FullBuffer => ("full-buffer".into(), "full-buffer"),
        }
    }
}

impl Report {
    /// The verdict on a property by its name.
    pub fn verdict(&self, property: &str) -> Option<&Verdict> {
        self.results.iter().find(|r| r.name == property).map(|r| &r.verdict)
    }

    /// The violated properties with their witnesses.
    pub fn violations(&self) -> impl Iterator<Item = (&PropertyResult, &Witness)> {
        self.results.iter().filter_map(|r| match &r.verdict {
            Verdict::Violated(witness) => Some((r, &**witness)),
            _ => None,
        })
    }

    /// Whether anything is violated.
    pub fn is_violated(&self) -> bool {
        self.violations().next().is_some()
    }

    /// Whether a limit left something open.
    pub fn is_unknown(&self) -> bool {
        self.results.iter().any(|r| matches!(r.verdict, Verdict::Unknown(Unknown::Limit(_))))
    }
}

/// Three quarters of the memory that is free now, as Linux tells it; none where it does not.
pub fn default_memory_limit() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024 / 4 * 3)
}
