//! Statements, labels, conditions and whole processes that no execution uses, by the steps that were taken.
//!
//! A statement may have become several steps, such as the two ways a compare-and-swap can go, and an inline or a
//! procedure may stand in several places. All steps at one place of the source are judged together, in all
//! definitions: the statement is used if any of them is.
//!
//! - A program point is *reached* if its process starts there, or a step that was taken leads there.
//! - A statement that stands at no reached program point is never *reached*.
//! - One that stands at a reached program point, but of which no step was taken, is never *passed*: a wait if nothing
//!   else leaves the program point, else a branch whose condition is never true. The same is a loop of its own
//!   that is entered and never left.
//! - A condition with two ways of which only the second was taken is never true.
//!
//! **Monitors are no news.** `assert(false)` says that a place is never reached, and so does a property that forbids a
//! program point. Where every path leads to such a place at once, as in a process that waits for something bad and then
//! asserts false, the program says itself that it should not happen, and the verdict says that it does not. These
//! places ([`Doomed`]) are not listed.

use std::collections::BTreeMap;

use taut_ir::{
    Cfg, Control, DefId, Effect, Expr, Lvalue, PointId, ProcessDef, Program, PropertyKind, Start,
    Step,
};
use taut_source::Span;

use super::{VacuityKind, Vacuous, one_line};
use crate::load::Loaded;

/// Everything vacuous in a program, given which steps were taken. The search must have been complete.
pub(super) fn vacuous(program: &Program, taken: &[Vec<bool>], loaded: &Loaded) -> Vec<Vacuous> {
    let _phase = taut_budget::phase("unused statements are looked for");
    let all = Statements::new(program, taken, loaded);
    let mut list = all.statements();
    list.extend(all.labels());
    list.extend(all.processes());
    list
}

/// What is known of all steps at one place.
#[derive(Clone, Copy)]
struct Use {
    /// A definition that the place belongs to.
    def: DefId,
    /// Some definition that it belongs to has a process that starts.
    starts: bool,
    reached: bool,
    passed: bool,
    /// At some reached program point, other statements can be taken instead.
    is_option: bool,
    asserts: bool,
    /// All of its steps lead to where nothing should come.
    is_doomed: bool,
    /// A condition that is reached and never true.
    never_true: bool,
    ever_true: bool,
}

struct Statements<'a> {
    program: &'a Program,
    taken: &'a [Vec<bool>],
    loaded: &'a Loaded,
    /// For each definition, its control-flow graph.
    graphs: Vec<Cfg>,
    /// For each definition and program point, whether a process is ever there.
    reached: Vec<Vec<bool>>,
    doomed: Doomed,
}

impl<'a> Statements<'a> {
    fn new(program: &'a Program, taken: &'a [Vec<bool>], loaded: &'a Loaded) -> Statements<'a> {
        debug_assert_eq!(program.defs.len(), taken.len(), "a list of steps per definition");
        let reached =
            (0..program.defs.len()).map(|d| points(program, DefId::from(d), taken)).collect();
        let graphs: Vec<_> = program.defs.iter().map(Cfg::of).collect();
        let doomed = Doomed::of(program, &graphs);
        Statements { program, taken, loaded, graphs, reached, doomed }
    }

    fn defs(&self) -> impl Iterator<Item = (DefId, &'a ProcessDef)> {
        self.program.defs.iter().enumerate().map(|(i, def)| (DefId::from(i), def))
    }

    fn statements(&self) -> Vec<Vacuous> {
        let mut uses: BTreeMap<Span, Use> = BTreeMap::new();
        for (id, def) in self.defs() {
            for (span, steps) in by_place(def) {
                taut_budget::tick();
                let of_def = self.of_group(id, def, &steps);
                uses.entry(span).and_modify(|known| known.join(of_def)).or_insert(of_def);
            }
        }
        uses.into_iter().filter_map(|(span, known)| self.statement(span, known)).collect()
    }

    /// What is known of the steps of one definition at one place.
    fn of_group(&self, id: DefId, def: &ProcessDef, steps: &[usize]) -> Use {
        let (taken, reached) = (&self.taken[id.index()], &self.reached[id.index()]);
        let source = |&i: &usize| def.steps[i].source;
        let is_other = |step: &Step| step.span != def.steps[steps[0]].span;
        let cfg = &self.graphs[id.index()];
        let has_other = |from: PointId| cfg.steps_from(def, from).any(|(_, step)| is_other(step));
        let condition =
            steps.iter().filter_map(|&yes| way_out(def, steps, yes).map(|no| (yes, no)));
        let condition: Vec<_> = condition.collect();
        Use {
            def: id,
            starts: self.starts(id),
            reached: steps.iter().any(|i| reached[source(i).index()]),
            passed: steps.iter().any(|&i| taken[i]) && !is_stuck(def, steps, taken),
            is_option: steps
                .iter()
                .map(source)
                .any(|from| reached[from.index()] && has_other(from)),
            asserts: steps.iter().any(|&i| asserts(&def.steps[i])),
            is_doomed: steps.iter().all(|&i| self.doomed.has_step(id, &def.steps[i])),
            never_true: condition.len() == 1
                && condition.iter().all(|&(yes, no)| !taken[yes] && taken[no]),
            ever_true: condition.iter().any(|&(yes, _)| taken[yes]),
        }
    }

    fn statement(&self, span: Span, known: Use) -> Option<Vacuous> {
        let source = self.loaded.sources.text(span);
        // The end of a body is no statement. Of a process that never starts, that it does not is enough to say.
        if source.trim() == "}" || known.is_doomed || !known.starts {
            return None;
        }
        let text = one_line(source);
        let (kind, message) = match known {
            Use { reached: false, asserts: true, .. } => {
                (VacuityKind::Assertion, format!("`{text}` is never reached"))
            }
            Use { reached: false, .. } => {
                (VacuityKind::Statement, format!("`{text}` is never reached"))
            }
            Use { passed: false, is_option: true, .. } => {
                (VacuityKind::Guard, format!("`{text}` is never taken"))
            }
            Use { passed: false, .. } => (VacuityKind::Wait, format!("`{text}` is never passed")),
            Use { never_true: true, ever_true: false, .. } => {
                (VacuityKind::Guard, format!("the condition of `{text}` is never true"))
            }
            _ => return None,
        };
        let owner = self.program.defs[known.def.index()].name.clone();
        Some(Vacuous { kind, span, message: format!("{owner}: {message}"), owner, text })
    }

    fn labels(&self) -> Vec<Vacuous> {
        // A label of an inline or a procedure has several program points.
        let mut known: BTreeMap<(&str, &str), (bool, Span)> = BTreeMap::new();
        for (id, def) in self.defs().filter(|(id, _)| self.starts(*id)) {
            let spans = spans(def);
            for (i, point) in def.points.iter().enumerate() {
                let span = spans[i];
                for label in &point.labels {
                    let entry = known.entry((&def.name, label)).or_insert((false, span));
                    entry.0 |= self.reached[id.index()][i] || self.doomed.points[id.index()][i];
                }
            }
        }
        let missed = known.into_iter().filter(|(_, (reached, _))| !reached);
        missed
            .map(|((owner, label), (_, span))| Vacuous {
                kind: VacuityKind::Label,
                span,
                owner: owner.into(),
                text: label.into(),
                message: format!("{owner}: label `{label}` is never reached"),
            })
            .collect()
    }

    /// Definitions of which no process moves. One without any step has nothing to do.
    fn processes(&self) -> Vec<Vacuous> {
        let idle = self.defs().filter(|(id, def)| {
            let is_monitor = self.doomed.points[id.index()][def.entry.index()];
            let moves = self.taken[id.index()].iter().any(|&taken| taken);
            !def.steps.is_empty() && !moves && !is_monitor
        });
        let message = |id: DefId, name: &str| match (self.starts(id), self.is_spawned(id)) {
            (true, _) => format!("process `{name}` never moves"),
            (false, true) => format!("process `{name}` never starts"),
            (false, false) => format!("process `{name}` never starts: no statement starts it"),
        };
        idle.map(|(id, def)| Vacuous {
            kind: VacuityKind::Process,
            span: def.span,
            owner: def.name.clone(),
            text: def.name.clone(),
            message: message(id, &def.name),
        })
        .collect()
    }

    /// Whether a process of a definition ever starts.
    fn starts(&self, id: DefId) -> bool {
        let def = &self.program.defs[id.index()];
        self.reached[id.index()][def.entry.index()]
    }

    /// Whether some statement starts a process of a definition.
    fn is_spawned(&self, id: DefId) -> bool {
        let mut effects =
            self.program.defs.iter().flat_map(|def| &def.steps).flat_map(|s| &s.effects);
        effects.any(|effect| matches!(effect, Effect::Spawn { def, .. } if *def == id))
    }
}

impl Use {
    /// Adds what is known of the same place in another definition.
    fn join(&mut self, other: Use) {
        // What one definition never reaches says nothing about how another one leaves it.
        self.starts |= other.starts;
        self.is_option |= other.is_option;
        self.reached |= other.reached;
        self.passed |= other.passed;
        self.never_true |= other.never_true;
        self.ever_true |= other.ever_true;
        self.asserts |= other.asserts;
        self.is_doomed &= other.is_doomed;
    }
}

/// The program points from which every path leads, by steps that no process is meant to take, to `assert(false)` or to a
/// program point that a property forbids.
struct Doomed {
    points: Vec<Vec<bool>>,
}

impl Doomed {
    fn of(program: &Program, graphs: &[Cfg]) -> Doomed {
        let points = program.defs.iter().map(|def| vec![false; def.points.len()]).collect();
        let mut doomed = Doomed { points };
        for property in &program.properties {
            if let PropertyKind::Forbid(Expr::At(process, at)) = &property.kind {
                let def = program.process(*process).def.index();
                at.iter().for_each(|point| doomed.points[def][point.index()] = true);
            }
        }
        while doomed.grow(program, graphs) {}
        doomed
    }

    /// Adds program points all of whose steps are doomed; whether there were any. Each round adds one at least, so it ends.
    ///
    /// Backwards, as most steps lead to one that comes later: then a few rounds are enough.
    fn grow(&mut self, program: &Program, graphs: &[Cfg]) -> bool {
        let mut grown = false;
        for (i, def) in program.defs.iter().enumerate() {
            for at in (0..def.points.len()).rev().map(PointId::from) {
                taut_budget::tick();
                let mut steps = graphs[i].steps_from(def, at).map(|(_, step)| step).peekable();
                let is_doomed =
                    steps.peek().is_some() && steps.all(|step| self.has_step(DefId::from(i), step));
                if is_doomed && !self.points[i][at.index()] {
                    self.points[i][at.index()] = true;
                    grown = true;
                }
            }
        }
        grown
    }

    /// Whether a step asserts false, or leads to where that is all there is.
    fn has_step(&self, def: DefId, step: &Step) -> bool {
        let fails =
            |effect: &Effect| matches!(effect, Effect::Assert { condition: Expr::Const(0), .. });
        let leads_on = match step.target {
            Control::Goto(to) => self.points[def.index()][to.index()],
            _ => false,
        };
        leads_on || step.effects.iter().any(fails)
    }
}

/// The steps of a definition by their places, the end of the process left out: an endless process is no news.
fn by_place(def: &ProcessDef) -> BTreeMap<Span, Vec<usize>> {
    let mut places: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    for (i, step) in def.steps.iter().enumerate() {
        if !step.span.is_none() && step.span != def.span {
            places.entry(step.span).or_default().push(i);
        }
    }
    places
}

fn asserts(step: &Step) -> bool {
    step.effects.iter().any(|effect| matches!(effect, Effect::Assert { .. }))
}

/// The other way of a condition, if a step is the way on which it is true.
fn way_out(def: &ProcessDef, steps: &[usize], yes: usize) -> Option<usize> {
    let first = &def.steps[yes];
    if !is_pure(first) || matches!(first.guard, Expr::Const(_)) {
        return None;
    }
    let negated = first.guard.clone().not();
    let mut later = steps.iter().copied().filter(|&no| no > yes);
    later.find(|&no| {
        let second = &def.steps[no];
        second.source == first.source && second.guard == negated && is_pure(second)
    })
}

fn is_pure(step: &Step) -> bool {
    step.effects.is_empty() && step.channel.is_none()
}

/// Whether a statement that is a loop of its own was entered and not left: a wait that loads one program point after the
/// other, or a loop with an empty body. Its steps only test and load.
fn is_stuck(def: &ProcessDef, steps: &[usize], taken: &[bool]) -> bool {
    let sources: Vec<PointId> = steps.iter().map(|&i| def.steps[i].source).collect();
    let inside = |i: usize| match def.steps[i].target {
        Control::Goto(to) => sources.contains(&to),
        _ => false,
    };
    let mut leaving = steps.iter().copied().filter(|&i| !inside(i)).peekable();
    leaving.peek().is_some()
        && leaving.all(|i| !taken[i])
        && steps.iter().all(|&i| only_loads(&def.steps[i]))
        && goes_round(def, steps)
}

fn only_loads(step: &Step) -> bool {
    let is_register = |place: &Lvalue| matches!(place, Lvalue::Reg(_) | Lvalue::RegElem(..));
    let loads = |effect: &Effect| match effect {
        Effect::Assign(list) => list.iter().all(|a| is_register(&a.place)),
        _ => false,
    };
    step.channel.is_none() && step.effects.iter().all(loads)
}

/// Whether some of the steps form a cycle.
fn goes_round(def: &ProcessDef, steps: &[usize]) -> bool {
    let next = |from: PointId| {
        steps.iter().filter(move |&&i| def.steps[i].source == from).filter_map(|&i| {
            match def.steps[i].target {
                Control::Goto(to) => Some(to),
                _ => None,
            }
        })
    };
    let comes_back = |start: PointId| {
        let (mut open, mut seen) = (vec![start], Vec::new());
        while let Some(at) = open.pop() {
            for to in next(at) {
                if to == start {
                    return true;
                }
                if !seen.contains(&to) {
                    seen.push(to);
                    open.push(to);
                }
            }
        }
        false
    };
    steps.iter().any(|&i| comes_back(def.steps[i].source))
}

/// Where each program point stands: where a step leaves it, else where one leads to it.
fn spans(def: &ProcessDef) -> Vec<Span> {
    let mut leaving = vec![None; def.points.len()];
    let mut arriving = leaving.clone();
    for step in &def.steps {
        if !step.span.is_none() {
            leaving[step.source.index()].get_or_insert(step.span);
        }
        if let Control::Goto(to) = step.target {
            arriving[to.index()].get_or_insert(step.span);
        }
    }
    let each = leaving.into_iter().zip(arriving);
    each.map(|(leaving, arriving)| leaving.or(arriving).unwrap_or(def.span)).collect()
}

/// For each program point of a definition, whether a process is ever there.
fn points(program: &Program, id: DefId, taken: &[Vec<bool>]) -> Vec<bool> {
    let def = &program.defs[id.index()];
    let mut reached = vec![false; def.points.len()];
    reached[def.entry.index()] = starts(program, id, taken);
    let owner = def.procedure_of();
    let steps = || def.steps.iter().zip(&taken[id.index()]).filter(|(_, taken)| **taken);
    let returns = |procedure| {
        let mut all = steps();
        all.any(|(s, _)| s.target == Control::Return && owner[s.source.index()] == Some(procedure))
    };
    for (step, _) in steps() {
        match &step.target {
            Control::Goto(to) => reached[to.index()] = true,
            Control::Call { procedure, return_to, .. } => {
                reached[def.procedures[procedure.index()].entry.index()] = true;
                reached[return_to.index()] |= returns(*procedure);
            }
            Control::Return | Control::Exit => {}
        }
    }
    reached
}

/// Whether a process of a definition ever runs.
fn starts(program: &Program, id: DefId, taken: &[Vec<bool>]) -> bool {
    let at_start = program.processes.iter().any(|p| p.def == id && p.start == Start::Initially);
    let spawns = |step: &Step| {
        step.effects.iter().any(|effect| matches!(effect, Effect::Spawn { def, .. } if *def == id))
    };
    let mut steps =
        program.defs.iter().zip(taken).flat_map(|(def, taken)| def.steps.iter().zip(taken));
    at_start || steps.any(|(step, taken)| *taken && spawns(step))
}
