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

use crate::compile::compile;
use crate::constraint::Constraint;
use crate::ends::{Ending, prepare};
use crate::kept::KeptId;
use crate::locals::Locals;
use crate::not_compiled::NotCompiled;
use crate::places::{Cell, Places};
use crate::pre::Move;
use crate::refuse::{CODE, PREFIX};
use crate::search::{DualCounts, End, Search};
use crate::seeds::{Seeds, TooMany};
use crate::start::slots;
use crate::system::{Bound, ControlId, Point, System};
use crate::window::{self, Attempt, Windows};
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
    let (program, ending) = prepare(program);
    crate::refuse::check(&program)?;
    let watch = LimitMonitor::new(options.limits.clone());
    window::search(options.all, |windows| {
        attempt(&program, ending.as_ref(), options, &watch, windows)
    })
}

/// What becomes of a program that was not compiled.
pub(crate) fn not_compiled<S>(
    program: &Program,
    (why, places): (NotCompiled, Places),
) -> Attempt<S> {
    Attempt::Large(why, refusal(program, why, &places), Box::new(places))
}

/// The search with some windows.
fn attempt(
    program: &Program,
    ending: Option<&Ending>,
    options: &SearchOptions,
    watch: &LimitMonitor,
    windows: &Windows,
) -> Attempt<DualSearch> {
    let flag = ending.filter(|_| options.deadlock);
    let (system, names) = match compile(program, windows, flag) {
        Ok(compiled) => compiled,
        Err(why) => return not_compiled(program, why),
    };
    let _phase = taut_budget::phase("constraints are searched backward");
    let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, model: MemoryModel::Tso };
    let may_fault = may_fault(program);
    let asking = Asking { deadlock: options.deadlock, unasked: &options.unasked, may_fault };
    let questions = asked(program, memory, asking);
    let mut explorer = Explorer::new(program, &system, &names, watch);
    let mut completion = match explorer.run(questions, options.all) {
        Ok(completion) => completion,
        Err(why) => return Attempt::Refused(too_many(program, why)),
    };
    let (mut bounds_met, mut left) = (BoundsMet::default(), None);
    if matches!(completion, Completion::Complete | Completion::Answered) {
        match explorer.bounds() {
            Ok(Met::Outside(by)) => {
                // Only what was found is known.
                completion = Completion::FirstFinding;
                left = Some(by);
            }
            Ok(Met::Bounds(met)) => bounds_met = met,
            Err(limit) => completion = Completion::Limit(limit),
        }
    }
    if bounds_met.threads && program.lifecycle == Lifecycle::Stack {
        return Attempt::Refused(again_on_a_stack(program, bounds_met));
    }
    if bounds_met.threads && ending.is_some_and(|ending| ending.stops_started(program)) {
        return Attempt::Refused(again_after_a_stop(program, bounds_met));
    }
    let (has_found, beyond) = (!explorer.found.is_empty(), system.beyond());
    let search = explorer.finish(completion, bounds_met, may_fault);
    match left {
        None => Attempt::Whole(search),
        Some(by) => {
            let found = has_found.then_some(search);
            Attempt::Left { found, by: Some(by), beyond }
        }
    }
}

/// The bounds that some run meets.
enum Met {
    /// A run leaves a window, by this cell and value.
    Outside((Cell, i64)),
    Bounds(BoundsMet),
}

struct Explorer<'a> {
    program: &'a Program,
    system: &'a System,
    names: &'a [Locals],
    watch: &'a LimitMonitor,
    counts: DualCounts,
    found: Vec<Found>,
    peak_bytes: u64,
}

impl<'a> Explorer<'a> {
    fn new(
        program: &'a Program,
        system: &'a System,
        names: &'a [Locals],
        watch: &'a LimitMonitor,
    ) -> Explorer<'a> {
        let points = system.processes.iter().map(|p| p.points.len() as u64 - 1).sum();
        let counts = DualCounts { points, ..DualCounts::default() };
        Explorer { program, system, names, watch, counts, found: Vec::new(), peak_bytes: 0 }
    }

    /// The result, with the counts of all searches.
    fn finish(self, completion: Completion, bounds_met: BoundsMet, may_fault: bool) -> DualSearch {
        let Explorer { watch, counts, found, peak_bytes, system, .. } = self;
        let stats = Stats {
            states: counts.added,
            transitions: counts.made,
            matched: counts.made.saturating_sub(counts.added),
            depth: counts.longest,
            peak_bytes,
            time: watch.elapsed(),
            ..Stats::default()
        };
        let reached = system.reached.clone();
        let exploration = Exploration { found, completion, bounds_met, may_fault, reached, stats };
        DualSearch { exploration, counts }
    }

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
        let end = search.run(self.watch, self.counts.added);
        self.count(&search.counts);
        self.peak_bytes = self.peak_bytes.max(search.kept.bytes());
        Ok(match end {
            End::Limit(limit) => Outcome::Limit(limit),
            End::Unreachable => Outcome::Nothing,
            End::Reached(id) => {
                let Some((start, finding)) = root(&search, id, &starts) else {
                    return Ok(Outcome::Limit(Limit::Run));
                };
                let run = witness::run(&mut search.undo, &search.kept, id);
                let actions = run.map(|(mut actions, names)| {
                    if finding == Finding::Deadlock {
                        let last = Constraint::of(search.kept.shape(), search.kept.row(start));
                        let left = exits(self.program, self.system, &last, &actions);
                        actions.extend(self.stops(&last, &names));
                        actions.extend(left);
                    }
                    actions
                });
                Outcome::Found(finding, actions)
            }
        })
    }

    /// The steps that stop processes in a deadlock, once the run is over (`ends.rs`).
    fn stops(&self, last: &Constraint, names: &[ProcId]) -> Vec<Action> {
        let Some(ends) = &self.system.ends else { return Vec::new() };
        let seeds = Seeds::new(self.program, self.system, self.names);
        let at = |p: usize| match self.system.point(p, last.control(p)) {
            Point::At(point, locals) => Some((p, *point, seeds.ends(p, *point, locals).1)),
            _ => None,
        };
        let all: Vec<_> = (0..names.len()).filter_map(at).collect();
        let is_held = (0..names.len()).any(|p| self.system.is_atomic(p, last.control(p)));
        if is_held || !all.iter().any(|(.., is_over)| *is_over) {
            return Vec::new();
        }
        let stop = |&(p, point, _): &_| Some(Action::step(names[p], ends.stop(p, point)?));
        all.iter().filter_map(stop).collect()
    }

    /// The bounds that some run meets. Windows come first: beyond them nothing is known.
    fn bounds(&mut self) -> Result<Met, Limit> {
        let (of_values, others): (Vec<_>, Vec<_>) =
            self.system.bounds().into_iter().partition(|(b, _)| matches!(b, Bound::Values(..)));
        let places: Vec<_> = of_values.into_iter().flat_map(|(_, places)| places).collect();
        if let Some((process, control)) = self.reached(&places)?
            && let Point::Bounded(Bound::Values(cell, value)) = self.system.point(process, control)
        {
            return Ok(Met::Outside((*cell, *value)));
        }
        let mut met = BoundsMet::default();
        for (bound, places) in others {
            if self.reached(&places)?.is_none() {
                continue;
            }
            match bound {
                Bound::Values(..) => {}
                Bound::Calls => met.calls = true,
                Bound::Threads(def) => {
                    met.threads = true;
                    met.no_process.get_or_insert(def);
                }
            }
        }
        Ok(Met::Bounds(met))
    }

    /// One of some control points that a run reaches, if there is one.
    fn reached(
        &mut self,
        places: &[(usize, ControlId)],
    ) -> Result<Option<(usize, ControlId)>, Limit> {
        if places.is_empty() {
            return Ok(None);
        }
        let seeds = Seeds::new(self.program, self.system, self.names);
        let everything = Constraint::everything(seeds.shape());
        let mut search = Search::new(self.system, seeds.obligations, everything.clone());
        let mut starts = Vec::new();
        for &(process, control) in places {
            let mut c = everything.clone();
            c.set_control(process, control);
            starts.extend(search.start(&c).map(|id| (id, (process, control))));
        }
        let end = search.run(self.watch, self.counts.added);
        // Those that are kept are those of the questions.
        self.count(&DualCounts { kept: self.counts.kept, ..search.counts });
        match end {
            End::Limit(limit) => Err(limit),
            End::Reached(id) => Ok(root(&search, id, &starts).map(|(_, place)| place)),
            End::Unreachable => Ok(None),
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

/// The constraint that a chain starts from, with what it was made for.
fn root<T: Copy>(search: &Search<'_>, from: KeptId, starts: &[(KeptId, T)]) -> Option<(KeptId, T)> {
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
            || (Span::NONE, "is started with too many combinations of values"),
            |(var, _)| (program.var(var).span, "takes too many values"),
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

/// A start needs the slot of a process that may have stopped.
fn again_after_a_stop(program: &Program, met: BoundsMet) -> Unsupported {
    let span = met.no_process.map_or(Span::NONE, |def| program.defs[def.index()].span);
    let what = "processes that are started again and stop when the run is over";
    unknown(what, span, "is started more often than there are of it").help(OTHER)
}

pub(crate) fn too_many(program: &Program, TooMany(finding): TooMany) -> Unsupported {
    let name = finding.name(program);
    Unsupported::new(format!("too many states violate `{name}` for the dual engine to list them"))
}
