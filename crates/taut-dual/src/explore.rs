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
    Action, Control, Finding, FullBuffer, Memory, MemoryModel, ProcId, Program, may_fault,
};

use crate::compile::{TooLarge, compile};
use crate::constraint::Constraint;
use crate::kept::KeptId;
use crate::locals::Locals;
use crate::places::Places;
use crate::pre::Move;
use crate::refuse::CODE;
use crate::search::{DualCounts, End, Search};
use crate::seeds::{Seeds, TooMany};
use crate::system::{Point, System};
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
    let watch = LimitMonitor::new(options.limits.clone());
    let (system, names) =
        compile(program).map_err(|(why, places)| refusal(program, why, &places))?;
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
    let completion = explorer.run(questions, options.all).map_err(|why| too_many(program, why))?;
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
    let exploration = Exploration {
        found,
        completion,
        bounds_met: BoundsMet::default(),
        may_fault,
        reached: system.reached,
        stats,
    };
    Ok(DualSearch { exploration, counts })
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
                    actions.extend(exits(self.program, self.system, &last));
                }
                Outcome::Found(finding, actions)
            }
        })
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

/// The exits that are left in a deadlock: of the youngest processes, as far as they have finished.
fn exits(program: &Program, system: &System, last: &Constraint) -> Vec<Action> {
    let exit = |process: ProcId| {
        let Point::At(point, _) = system.point(process.index(), last.control(process.index()))
        else {
            return None;
        };
        let mut steps = program.def_of(process).steps_from(*point);
        let (step, _) = steps.find(|(_, step)| step.target == Control::Exit)?;
        Some(Action::step(process, step))
    };
    let youngest_first = (0..program.processes.len()).rev().map(ProcId::from);
    youngest_first.map_while(exit).collect()
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

pub(crate) fn refusal(program: &Program, why: TooLarge, places: &Places) -> Unsupported {
    let text = "the data of this program are too large for the dual engine";
    let (span, label) = match why {
        TooLarge::Values(cell) => {
            (program.var(places.place(cell).0).span, "may have more than 4096 values")
        }
        TooLarge::Points(process) => {
            (program.def_of(process).span, "has too many combinations of program points and values")
        }
        TooLarge::Loads(process, step) => {
            (program.def_of(process).steps[step.index()].span, "loads too many variables at once")
        }
    };
    let help = "give its variables smaller ranges, or use `--engine explicit`";
    Unsupported::new(text).at(CODE, span).label(label).help(help)
}

pub(crate) fn too_many(program: &Program, TooMany(finding): TooMany) -> Unsupported {
    let name = finding.name(program);
    Unsupported::new(format!("too many states violate `{name}` for the dual engine to list them"))
}
