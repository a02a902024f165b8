//! One exploration: everything that is asked of a program, by one backward search as long as nothing is found.
//!
//! The search starts from what violates any of the questions. If something is reached, its question is answered; if
//! more is asked, the others are searched for once more.

use taut_engine::Unsupported;
use taut_explicit::limits::LimitMonitor;
use taut_explicit::{
    Asking, BoundsMet, Completion, Exploration, Found, Limit, SearchOptions, Stats, asked,
};
use taut_ir::{
    Action, Control, Effect, Finding, FullBuffer, Lifecycle, Memory, MemoryModel, ProcId, Program,
    Span, Start, may_fault,
};

use crate::compile::{MOST_VALUES, NotCompiled, compile};
use crate::constraint::Constraint;
use crate::kept::KeptId;
use crate::locals::Locals;
use crate::places::Places;
use crate::pre::Move;
use crate::refuse::{CODE, PREFIX};
use crate::search::{DualCounts, End, Search};
use crate::seeds::{Seeds, TooMany};
use crate::start::slots;
use crate::system::{Bound, ControlId, Point, System};
use crate::witness;

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct DualSearch {
    /// What was found, and how the search ended.
    pub exploration: Exploration,
    /// Counts.
    pub counts: DualCounts,
}

/// Explores a valid program under TSO with buffers without bounds. Refuses what [`crate::supports`] refuses, and data that are
/// too large.
pub fn explore(program: &Program, options: &SearchOptions) -> Result<DualSearch, Unsupported> {
    let program = &*crate::ghosts::shared(program);
    crate::refuse::check(program)?;
    let without = LimitMonitor::new(options.limits.clone());
    let refused = match attempt(program, options, without, MOST_VALUES) {
        Ok(Some(search)) => return Ok(search),
        Err(NoAttempt::Values(refused)) => refused,
        Err(NoAttempt::Other(refused)) => return Err(refused),
        Ok(None) => {
            debug_assert!(false, "nothing leaves the largest window");
            return Err(Unsupported::new("the dual engine has left its window"));
        }
    };
    let watch = LimitMonitor::new(options.limits.clone());
    match attempt(program, options, watch, WINDOW) {
        Ok(Some(search)) => Ok(search),
        _ => Err(refused),
    }
}

/// The number of values that a cell may have, if it has too many otherwise (`compile.rs`).
const WINDOW: usize = 16;

/// Why there was no search.
pub(crate) enum NoAttempt {
    /// A cell has too many values.
    Values(Unsupported),
    Other(Unsupported),
}

impl NoAttempt {
    pub(crate) fn of(program: &Program, why: NotCompiled, places: &Places) -> NoAttempt {
        let refused = refusal(program, why, places);
        match why {
            NotCompiled::Values(_) => NoAttempt::Values(refused),
            _ => NoAttempt::Other(refused),
        }
    }
}

/// The search with a window; none if a run leaves the window.
fn attempt(
    program: &Program,
    options: &SearchOptions,
    watch: LimitMonitor,
    window: usize,
) -> Result<Option<DualSearch>, NoAttempt> {
    let (system, names) =
        compile(program, window).map_err(|(why, places)| NoAttempt::of(program, why, &places))?;
    let _phase = taut_budget::phase("constraints are searched backward");
    let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, model: MemoryModel::Tso };
    let may_fault = may_fault(program);
    let asking = Asking { deadlock: options.deadlock, unasked: &options.unasked, may_fault };
    let questions = asked(program, memory, asking);
    let mut explorer = Explorer {
        program,
        system: &system,
        names: &names,
        watch,
        counts: DualCounts::default(),
        found: Vec::new(),
        peak_bytes: 0,
    };
    explorer.counts.points = system.processes.iter().map(|p| p.points.len() as u64 - 1).sum();
    let mut completion = explorer
        .run(questions, options.all)
        .map_err(|why| NoAttempt::Other(too_many(program, why)))?;
    let mut bounds_met = BoundsMet::default();
    if matches!(completion, Completion::Complete | Completion::Answered) {
        match explorer.bounds() {
            Ok(Met::Outside) if explorer.found.is_empty() => return Ok(None),
            // Only what was found is known.
            Ok(Met::Outside) => completion = Completion::FirstFinding,
            Ok(Met::Bounds(met)) => bounds_met = met,
            Err(limit) => completion = Completion::Limit(limit),
        }
    }
    if bounds_met.threads && program.lifecycle == Lifecycle::Stack {
        return Err(NoAttempt::Other(again_on_a_stack(program, bounds_met)));
    }
    let Explorer { watch, counts, found, peak_bytes, .. } = explorer;
    let stats = Stats {
        states: counts.added,
        transitions: counts.made,
        matched: counts.made.saturating_sub(counts.added),
        depth: counts.longest,
        peak_bytes,
        time: watch.elapsed(),
        ..Stats::default()
    };
    let exploration =
        Exploration { found, completion, bounds_met, may_fault, reached: system.reached, stats };
    Ok(Some(DualSearch { exploration, counts }))
}

/// The bounds that some run meets.
enum Met {
    /// A run leaves the window.
    Outside,
    Bounds(BoundsMet),
}

struct Explorer<'a> {
    program: &'a Program,
    system: &'a System,
    names: &'a [Locals],
    watch: LimitMonitor,
    counts: DualCounts,
    found: Vec<Found>,
    peak_bytes: u64,
}

impl Explorer<'_> {
    fn run(&mut self, mut questions: Vec<Finding>, all: bool) -> Result<Completion, TooMany> {
        while !questions.is_empty() {
            match self.search(&questions)? {
                Outcome::Limit(limit) => return Ok(Completion::Limit(limit)),
                Outcome::Nothing => return Ok(Completion::Complete),
                Outcome::Found(finding, Some(actions)) => {
                    self.found.push(Found { finding, actions });
                    questions.retain(|question| !question.same_kind(finding));
                }
                Outcome::Found(_, None) => return Ok(Completion::Limit(Limit::Run)),
            }
            if !all {
                return Ok(Completion::FirstFinding);
            }
        }
        Ok(if self.found.is_empty() { Completion::Complete } else { Completion::Answered })
    }

    /// One search for all of the questions.
    fn search(&mut self, questions: &[Finding]) -> Result<Outcome, TooMany> {
        let mut seeds = Seeds::new(self.program, self.system, self.names);
        questions.iter().try_for_each(|&question| seeds.add(question))?;
        let Some((some, _)) = seeds.list.first() else { return Ok(Outcome::Nothing) };
        let mut search = Search::new(self.system, seeds.obligations, some.clone());
        let mut starts: Vec<(KeptId, Finding)> = Vec::new();
        for (constraint, finding) in &seeds.list {
            starts.extend(search.start(constraint).map(|id| (id, *finding)));
        }
        let end = search.run(&self.watch, self.counts.added);
        self.count(&search.counts);
        self.peak_bytes = self.peak_bytes.max(search.kept.bytes());
        Ok(match end {
            End::Limit(limit) => Outcome::Limit(limit),
            End::Unreachable => Outcome::Nothing,
            End::Reached(id) => {
                let Some((start, finding)) = root(&search, id, &starts) else {
                    return Ok(Outcome::Limit(Limit::Run));
                };
                let mut actions = witness::run(&mut search.undo, &search.kept, id);
                if finding == Finding::Deadlock
                    && let Some(actions) = &mut actions
                {
                    let last = Constraint::of(search.kept.shape(), search.kept.row(start));
                    let left = exits(self.program, self.system, &last, actions);
                    actions.extend(left);
                }
                Outcome::Found(finding, actions)
            }
        })
    }

    /// The bounds that some run meets.
    fn bounds(&mut self) -> Result<Met, Limit> {
        let mut met = BoundsMet::default();
        for (bound, places) in self.system.bounds() {
            if !self.is_met(&places)? {
                continue;
            }
            match bound {
                Bound::Values(_) => return Ok(Met::Outside),
                Bound::Calls => met.calls = true,
                Bound::Threads(def) => {
                    met.threads = true;
                    met.no_process.get_or_insert(def);
                }
            }
        }
        Ok(Met::Bounds(met))
    }

    /// Whether one of some control points is reached.
    fn is_met(&mut self, places: &[(usize, ControlId)]) -> Result<bool, Limit> {
        let seeds = Seeds::new(self.program, self.system, self.names);
        let everything = Constraint::everything(seeds.shape());
        let mut search = Search::new(self.system, seeds.obligations, everything.clone());
        for &(process, control) in places {
            let mut c = everything.clone();
            c.set_control(process, control);
            search.start(&c);
        }
        let end = search.run(&self.watch, self.counts.added);
        self.count(&search.counts);
        match end {
            End::Limit(limit) => Err(limit),
            End::Reached(_) => Ok(true),
            End::Unreachable => Ok(false),
        }
    }

    fn count(&mut self, counts: &DualCounts) {
        self.counts.made += counts.made;
        self.counts.added += counts.added;
        self.counts.kept = counts.kept;
        self.counts.compared += counts.compared;
        self.counts.longest = self.counts.longest.max(counts.longest);
    }
}

enum Outcome {
    Nothing,
    Found(Finding, Option<Vec<Action>>),
    Limit(Limit),
}

/// The processes in the order of their starts, after some actions.
fn by_age(program: &Program, actions: &[Action]) -> Vec<ProcId> {
    let is_first = |p: &ProcId| program.process(*p).start == Start::Initially;
    let mut started: Vec<ProcId> = program.process_ids().filter(is_first).collect();
    for action in actions {
        let Action::Step { process, step, .. } = *action else { continue };
        for effect in &program.def_of(process).steps[step.index()].effects {
            let Effect::Spawn { def, .. } = effect else { continue };
            let next = slots(program, *def).find(|p| !started.contains(p));
            started.extend(next);
        }
    }
    started
}

/// The exits that are left in a deadlock: of the youngest processes, as far as they have finished.
fn exits(program: &Program, system: &System, last: &Constraint, actions: &[Action]) -> Vec<Action> {
    let exit = |process: ProcId| {
        let Point::At(point, _) = system.point(process.index(), last.control(process.index()))
        else {
            return None;
        };
        let mut steps = program.def_of(process).steps_from(*point);
        let (step, _) = steps.find(|(_, step)| step.target == Control::Exit)?;
        Some(Action::step(process, step))
    };
    by_age(program, actions).into_iter().rev().map_while(exit).collect()
}

/// The constraint and the finding that a chain starts from.
fn root(
    search: &Search<'_>,
    from: KeptId,
    starts: &[(KeptId, Finding)],
) -> Option<(KeptId, Finding)> {
    let mut here = from;
    loop {
        let (next, by) = search.kept.origin(here);
        if by == Move::Start {
            return starts.iter().find(|(id, _)| *id == here).copied();
        }
        here = next;
    }
}

fn refusal(program: &Program, why: NotCompiled, places: &Places) -> Unsupported {
    let step = |p: ProcId, step: taut_ir::StepId| program.def_of(p).steps[step.index()].span;
    match why {
        NotCompiled::Values(cell) => too_large(places.place(cell).map_or_else(
            || (Span::NONE, "is started with more than 4096 combinations of values"),
            |(var, _)| (program.var(var).span, "may have more than 4096 values"),
        )),
        NotCompiled::Points(process) => too_large((
            program.def_of(process).span,
            "has too many combinations of program points and values",
        )),
        NotCompiled::Loads(process, id) => {
            too_large((step(process, id), "loads too many variables at once"))
        }
        NotCompiled::Late(process, id) => {
            let what =
                "processes that are started while stores of the process that starts them may wait";
            unknown(what, step(process, id), "stores may wait here")
                .help("put a fence before it, or use `--engine symbolic`")
        }
        NotCompiled::Ghost(var) => {
            let what = "a ghost of a process that is started again";
            unknown(what, program.var(var).span, "outlives the process").help(OTHER)
        }
        NotCompiled::Named(span) => {
            let what = "a property that names one of several processes that are started again";
            unknown(what, span, "names one of them").help(OTHER)
        }
    }
}

const OTHER: &str = "use `--engine symbolic` or `--engine explicit`";

fn unknown(what: &str, span: Span, label: &'static str) -> Unsupported {
    Unsupported::new(format!("{PREFIX}{what}")).at(CODE, span).label(label)
}

fn too_large((span, label): (Span, &'static str)) -> Unsupported {
    let text = "the data of this program are too large for the dual engine";
    let help = "give its variables smaller ranges, or use `--engine explicit`";
    Unsupported::new(text).at(CODE, span).label(label).help(help)
}

/// A start needs the slot of a process that has exited.
fn again_on_a_stack(program: &Program, met: BoundsMet) -> Unsupported {
    let span = met.no_process.map_or(Span::NONE, |def| program.defs[def.index()].span);
    unknown("processes that are started again", span, "is started more often than there are of it")
        .help(OTHER)
}

pub(crate) fn too_many(program: &Program, TooMany(finding): TooMany) -> Unsupported {
    let name = finding.name(program);
    Unsupported::new(format!("too many states violate `{name}` for the dual engine to list them"))
}
