//! A second search of states, for what the check itself does not tell.
//!
//! Every question is a property *forbid*: a state that violates it answers it. The search ends at a fixed number of
//! states, so that its result does not depend on the machine; a search that ends there decides nothing but what it found.
//!
//! - *Does a left side ever get true?* Forbid it.
//! - *Does this process ever move?* Forbid that it is not at its entry. If the entry has no step that leads back to it,
//!   that calls, or after which the process holds the others, the first move leads to a state that properties look
//!   at and in which the process is elsewhere. Other entries are not asked about.

use taut_explicit::{Completion, Limits, Order, SearchOptions, StoreKind, explore};
use taut_ir::{
    Control, DefId, Expr, Fault, Finding, FullBuffer, Memory, ProcId, ProcessDef, Program, PropId,
    Property, PropertyKind, Span, Start, Step,
};

use super::antecedents::antecedents;
use super::{VacuityKind, Vacuous, one_line};
use crate::check::Check;
use crate::outcome::Report;
use crate::verdict::Verdict;

/// States that are spent on a second search.
const MOST_STATES: u64 = 50_000;

/// What a check leaves to be asked: the properties of which the left sides are looked for.
pub(super) struct Questions {
    properties: Vec<PropId>,
}

/// One question to a search of states.
struct Probe {
    /// What no state must be, if the answer is to be no.
    forbidden: Expr,
    /// What is vacuous if it is no.
    vacuous: Vacuous,
}

/// The result of a second search.
pub(super) struct Probed {
    /// The program that was searched, without the questions.
    pub(super) program: Program,
    /// For each definition and step, whether a process took it.
    pub(super) reached: Vec<Vec<bool>>,
    /// Whether every reachable state was visited.
    pub(super) is_complete: bool,
    /// Whether a bound held something back.
    pub(super) meets_bound: bool,
    /// The questions without an answer.
    unanswered: Vec<Vacuous>,
}

impl Probed {
    /// What is vacuous because no state answers the question; nothing if the search was cut off.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &Vacuous> {
        self.unanswered.iter().filter(|_| self.is_complete)
    }
}

impl Questions {
    /// What is to be asked after a report: of the properties that hold.
    pub(super) fn of(report: &Report) -> Questions {
        let holds = |name: &str| matches!(report.verdict(name), Some(Verdict::Holds(_)));
        let program = &report.program;
        let properties = program.property_ids().filter(|&id| holds(&program.property(id).name));
        Questions { properties: properties.collect() }
    }

    /// Whether there is nothing to ask of a program.
    pub(super) fn is_empty(&self, program: &Program, reached: &[Vec<bool>]) -> bool {
        self.probes(program).is_empty_given(program, reached)
    }

    /// The questions about a program. A grown program has the same properties in the same order.
    fn probes(&self, program: &Program) -> Probes {
        let left_sides = self.properties.iter().flat_map(|&id| of_property(program, id));
        let mut of_properties: Vec<Probe> = left_sides.collect();
        of_properties.dedup_by(|a, b| a.vacuous == b.vacuous);
        Probes { of_properties, of_processes: of_processes(program) }
    }
}

/// All questions about a program.
struct Probes {
    of_properties: Vec<Probe>,
    of_processes: Vec<(DefId, Probe)>,
}

impl Probes {
    /// Whether nothing is left to ask, given the steps that were taken. Of a definition that never moves, no single
    /// process needs to be asked about.
    fn is_empty_given(&self, program: &Program, reached: &[Vec<bool>]) -> bool {
        let moves = |id: DefId| reached[id.index()].iter().any(|&taken| taken);
        debug_assert_eq!(program.defs.len(), reached.len());
        self.of_properties.is_empty() && !self.of_processes.iter().any(|(id, _)| moves(*id))
    }

    fn into_list(self) -> Vec<Probe> {
        self.of_properties
            .into_iter()
            .chain(self.of_processes.into_iter().map(|(_, p)| p))
            .collect()
    }
}

/// Searches the program for states that answer the questions; with `every_step`, also for every step that can be
/// taken. None if the search says nothing.
pub(super) fn search(
    check: &Check<'_>,
    report: &Report,
    questions: &Questions,
    every_step: bool,
) -> Option<Probed> {
    let bound = Some(check.memory.bound.unwrap_or(Memory::DEFAULT_BOUND));
    let memory = Memory { bound, full_buffer: FullBuffer::Wait, ..check.memory };
    let given = &check.options.limits;
    let time = given.time.map(|time| time.saturating_sub(report.stats.time));
    let limits = Limits {
        states: Some(given.states.map_or(MOST_STATES, |n| n.min(MOST_STATES))),
        time,
        progress: None,
        ..given.clone()
    };
    let mut options = SearchOptions {
        order: Order::Bfs,
        all: true,
        deadlock: false,
        store: StoreKind::Exact,
        threads: 1,
        limits,
        ..check.options.clone()
    };
    let searched = check.growing.grow(time, |program, terms| {
        options.spawn_all = terms.spawn_all;
        options.limits.time = terms.time;
        let asking = Asking::new(program, questions, every_step);
        options.unasked = asking.unasked();
        Ok::<_, std::convert::Infallible>(explore(&asking.program, memory, &options))
    });
    let (program, exploration) = match searched {
        Ok(searched) => searched,
        Err(never) => match never {},
    };
    let asking = Asking::new(&program, questions, every_step);
    let found = |id: PropId| exploration.found.iter().any(|f| f.finding == Finding::Property(id));
    let is_complete = match exploration.completion {
        Completion::Complete => true,
        // A search that ends when every question has its answer has found all of them.
        _ => asking.ids().all(found),
    };
    let unanswered = asking.unanswered(found);
    let bounds = exploration.bounds_met;
    let meets_bound = bounds.buffer || bounds.threads || bounds.calls;
    Some(Probed { program, reached: exploration.reached, is_complete, meets_bound, unanswered })
}

/// A program with the questions as further properties.
struct Asking {
    program: Program,
    probes: Vec<Probe>,
    /// The first of the properties that are questions.
    first: usize,
}

impl Asking {
    fn new(program: &Program, questions: &Questions, every_step: bool) -> Asking {
        let probes = questions.probes(program).into_list();
        let mut program = program.clone();
        let first = program.properties.len();
        for (i, probe) in probes.iter().enumerate() {
            program.properties.push(forbid(i, probe.forbidden.clone()));
        }
        if every_step {
            // A question without an answer: the search must not end early.
            program.properties.push(forbid(probes.len(), Expr::Const(0)));
        }
        Asking { program, probes, first }
    }

    fn ids(&self) -> impl Iterator<Item = PropId> {
        (self.first..self.program.properties.len()).map(PropId::from)
    }

    /// Everything that the program itself asks.
    fn unasked(&self) -> Vec<Finding> {
        let own = (0..self.first).map(PropId::from).map(Finding::Property);
        own.chain([Finding::Fault(Fault::Range), Finding::FullBuffer]).collect()
    }

    /// What is vacuous if nothing else is found than what was.
    fn unanswered(self, found: impl Fn(PropId) -> bool) -> Vec<Vacuous> {
        let ids = (self.first..).map(PropId::from);
        let missed = self.probes.into_iter().zip(ids).filter(|(_, id)| !found(*id));
        missed.map(|(probe, _)| probe.vacuous).collect()
    }
}

fn forbid(number: usize, expr: Expr) -> Property {
    // No name of a property in a program has a blank in it.
    let name = format!("vacuity {number}");
    Property { name, kind: PropertyKind::Forbid(expr), span: Span::NONE }
}

/// The left sides in a property.
fn of_property(program: &Program, id: PropId) -> Vec<Probe> {
    let property = program.property(id);
    let of = |antecedent: super::antecedents::Antecedent| {
        let text = one_line(&antecedent.text);
        let vacuous = Vacuous {
            kind: VacuityKind::Antecedent,
            span: property.span,
            owner: property.name.clone(),
            message: format!("{}: the left side `{text}` is never true", property.name),
            text,
        };
        Probe { forbidden: antecedent.expr, vacuous }
    };
    antecedents(program, property).into_iter().map(of).collect()
}

/// The processes that run from the start, where there are several of a definition.
fn of_processes(program: &Program) -> Vec<(DefId, Probe)> {
    let runs = |&id: &ProcId| program.process(id).start == Start::Initially;
    let of_def = |def: DefId| {
        let all: Vec<ProcId> =
            program.process_ids().filter(runs).filter(|&p| program.process(p).def == def).collect();
        let asks = all.len() > 1 && shows_first_move(&program.defs[def.index()]);
        all.into_iter().filter(move |_| asks)
    };
    let defs = (0..program.defs.len()).map(DefId::from);
    defs.flat_map(|def| of_def(def).map(move |p| (def, of_process(program, p)))).collect()
}

fn of_process(program: &Program, id: ProcId) -> Probe {
    let (process, def) = (program.process(id), program.def_of(id));
    let vacuous = Vacuous {
        kind: VacuityKind::Process,
        span: def.span,
        owner: process.name.clone(),
        text: process.name.clone(),
        message: format!("process `{}` never moves", process.name),
    };
    Probe { forbidden: Expr::At(id, vec![def.entry]).not(), vacuous }
}

/// Whether a process that has moved is seen elsewhere than at its entry.
fn shows_first_move(def: &ProcessDef) -> bool {
    let leads_away = |step: &&Step| match step.target {
        Control::Goto(to) => to != def.entry && !step.holds && step.channel.is_none(),
        Control::Call { .. } | Control::Return => false,
        Control::Exit => true,
    };
    let mut first = def.steps.iter().filter(|step| step.source == def.entry).peekable();
    first.peek().is_some() && first.all(|step| leads_away(&step))
}
