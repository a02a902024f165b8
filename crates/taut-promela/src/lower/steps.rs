//! From the table of a process to the steps of its definition.
//!
//! Each state that can be reached is a program point. A `d_step` is one transition of SPIN's; here it is a chain of
//! steps that holds the others throughout, with program points of its own in which the first statement that can be
//! taken is taken, and with an error where none can: nothing in between is a state that anybody sees.

use std::collections::{HashMap, HashSet};

use taut_ir::{
    ChanId, ChannelOp, Control, Effect, Expr, Fault, Lvalue, Mode, PointId, ProgramPoint, Step,
    StepId,
};

use super::flow::{Basic, ElId, Element, Flow, Kind};
use super::statement::Act;
use super::table::{Table, Transition};
use super::{Lowering, text};
use crate::ast;

/// The control structure of a proctype.
pub(super) struct Graph<'m> {
    pub(super) flow: Flow<'m>,
    pub(super) table: Table,
    /// The program point of each state that has one.
    pub(super) points: HashMap<ElId, PointId>,
}

impl<'m> Graph<'m> {
    /// Numbers the states that can be reached, in the order of the text, and those that labels name.
    pub(super) fn new(flow: Flow<'m>, table: Table) -> Graph<'m> {
        let mut reached = vec![false; flow.len()];
        // What is behind a label that nothing leads to is code, too, if dead.
        let mut todo = vec![table.start];
        todo.extend(flow.labels().map(|(_, at)| at));
        while let Some(state) = todo.pop() {
            taut_budget::tick();
            if !std::mem::replace(&mut reached[state.0], true) {
                todo.extend(table.transitions[state.0].iter().filter_map(|t| t.target));
            }
        }
        let states = (0..flow.len()).filter(|s| reached[*s]).map(ElId);
        let points = states.enumerate().map(|(i, s)| (s, PointId::from(i))).collect();
        Graph { flow, table, points }
    }

    /// Where the process starts.
    pub(super) fn entry(&self) -> PointId {
        self.points[&self.table.start]
    }
}

/// The steps and program points of a definition while they are made.
struct Assembly<'g, 'm> {
    graph: &'g Graph<'m>,
    points: HashMap<ElId, PointId>,
    /// The program points inside of `d_step`s that were met, and those whose steps are still to be made.
    inner: HashSet<ElId>,
    todo: Vec<(ElId, Inside)>,
    list: Vec<ProgramPoint>,
    steps: Vec<Step>,
    /// Must hold before every step.
    provided: Expr,
}

impl<'m> Lowering<'m> {
    /// The program points and steps of a definition.
    pub(super) fn assemble(
        &mut self,
        graph: &Graph<'m>,
        provided: Option<&'m ast::Expr>,
    ) -> (Vec<ProgramPoint>, Vec<Step>) {
        let provided = provided.map_or(Expr::TRUE, |e| self.expr(e));
        let mut assembly = Assembly {
            graph,
            points: graph.points.clone(),
            inner: HashSet::new(),
            todo: Vec::new(),
            list: vec![ProgramPoint::new(); graph.points.len()],
            steps: Vec::new(),
            provided,
        };
        let mut states: Vec<_> = graph.points.iter().map(|(s, l)| (*l, *s)).collect();
        states.sort();
        for (point, state) in states {
            assembly.list[point.index()].end = graph.table.marks[state.0].end;
            self.state(&mut assembly, state);
        }
        for (name, at) in graph.flow.labels() {
            assembly.list[graph.points[&at].index()].labels.push(name.into());
        }
        assembly.list.iter_mut().for_each(|l| l.labels.sort());
        (assembly.list, assembly.steps)
    }

    /// The steps that leave a state.
    fn state(&mut self, assembly: &mut Assembly<'_, 'm>, state: ElId) {
        taut_budget::tick();
        let mut before: Vec<(Option<ElId>, StepId)> = Vec::new();
        for transition in &assembly.graph.table.transitions[state.0] {
            let escaped = |(escape, _): &&(Option<ElId>, StepId)| {
                escape.is_some() && *escape != transition.escape
            };
            let yields: Vec<_> = before.iter().filter(escaped).map(|(_, s)| *s).collect();
            // SPIN's `else` does not wait for a rendezvous, only for what a process can do alone.
            let alone = |s: &StepId| !self.is_rendezvous(&assembly.steps[s.index()]);
            let all = before.iter().map(|(_, s)| *s).filter(|s| yields.contains(s) || alone(s));
            let all: Vec<_> = all.collect();
            let made = self.transition(assembly, state, transition, yields, all);
            before.extend(made.into_iter().map(|step| (transition.escape, step)));
            while let Some((at, inside)) = assembly.todo.pop() {
                taut_budget::tick();
                self.inner_point(assembly, at, inside);
            }
        }
    }

    /// Whether a step sends or receives on a channel that holds nothing, as far as that is known.
    fn is_rendezvous(&self, step: &Step) -> bool {
        let channels = &self.program.channels;
        let capacity =
            |v: i64| ChanId::of_value(v, channels.len()).map(|c| channels[c.index()].capacity);
        match step.channel.as_ref().map(ChannelOp::channel) {
            None => false,
            Some(Expr::Const(value)) => capacity(*value) == Some(0),
            Some(_) => channels.iter().all(|c| c.capacity == 0),
        }
    }

    /// The steps of a transition: one, or the first steps of a `d_step`. They yield to `yields`, and `else` to
    /// all before it.
    fn transition(
        &mut self,
        assembly: &mut Assembly<'_, 'm>,
        state: ElId,
        transition: &Transition,
        yields: Vec<StepId>,
        all: Vec<StepId>,
    ) -> Vec<StepId> {
        let graph = assembly.graph;
        let element = graph.flow.element(transition.element);
        let source = assembly.points[&state];
        let exit = (transition.target, transition.holds);
        match element.kind {
            Kind::DStep(seq, locked) => {
                let first = graph.flow.first(seq);
                let inside = Inside { exit, locked };
                let mut made = Vec::new();
                // An `else` of a choice inside yields to that choice only, one that is the first statement to
                // all that could be taken instead of the `d_step`.
                let outright = first_of_blocks(&graph.flow, first);
                for entry in entries(&graph.flow, first) {
                    let element = graph.flow.element(entry);
                    let is_else = matches!(element.kind, Kind::Basic(Basic::Else));
                    let waits = is_else && entry == outright;
                    let mut first_to = if waits { all.clone() } else { yields.clone() };
                    first_to.extend(&made);
                    made.push(self.inner_step(assembly, source, entry, inside, first_to, true));
                }
                made
            }
            _ => {
                let is_else = matches!(element.kind, Kind::Basic(Basic::Else));
                let act = match element.kind {
                    Kind::Basic(basic) => self.act(basic, element.span),
                    _ => Act::skip(),
                };
                let target = match (&element.kind, transition.target) {
                    (Kind::Stop, _) | (_, None) => Control::Exit,
                    (_, Some(to)) => Control::Goto(assembly.points[&to]),
                };
                let step = Step {
                    yields_to: if is_else { all } else { yields },
                    holds: transition.holds,
                    whole: element.atomic || element.last_atomic,
                    ..plain(act, source, target, element)
                };
                vec![self.push(assembly, step, (true, true))]
            }
        }
    }

    /// Adds a step. One that begins a transition waits for what its process provides; one that ends it is
    /// the last that moved.
    fn push(
        &mut self,
        assembly: &mut Assembly<'_, 'm>,
        mut step: Step,
        (begins, ends): (bool, bool),
    ) -> StepId {
        taut_budget::tick();
        let sends = matches!(step.channel, Some(ChannelOp::Send { .. }));
        step.drains = sends && self.sends_drain();
        self.follow(&mut step);
        if begins {
            step.guard = assembly.provided.clone().and(step.guard);
        }
        if let (Some(last), true) = (self.last, ends) {
            step.effects.push(Effect::assign(Lvalue::Var(last), Expr::Pid));
        }
        if step.target == Control::Exit {
            step.effects.extend(self.drop_priority());
        }
        let id = StepId::from(assembly.steps.len());
        assembly.steps.push(step);
        id
    }

    /// A step of a `d_step` from a program point; what comes behind it is to be done.
    fn inner_step(
        &mut self,
        assembly: &mut Assembly<'_, 'm>,
        source: PointId,
        at: ElId,
        inside: Inside,
        yields_to: Vec<StepId>,
        begins: bool,
    ) -> StepId {
        let element = assembly.graph.flow.element(at).clone();
        let mut act = match element.kind {
            Kind::Basic(basic) => self.act(basic, element.span),
            _ => Act::skip(),
        };
        if inside.locked {
            act.mode = if act.mode == Mode::Sync { Mode::Sync } else { Mode::Locked };
        }
        let next = next_inside(&assembly.graph.flow, at);
        let (target, holds) = match (next, inside.exit) {
            (Some(next), _) => (Control::Goto(assembly.point(next)), true),
            (None, (Some(to), holds)) => (Control::Goto(assembly.points[&to]), holds),
            (None, (None, _)) => (Control::Exit, false),
        };
        let step = Step { yields_to, holds, whole: true, ..plain(act, source, target, &element) };
        let id = self.push(assembly, step, (begins, next.is_none()));
        if let Some(next) = next
            && assembly.inner.insert(next)
        {
            assembly.todo.push((next, inside));
        }
        id
    }

    /// The steps that leave a program point inside of a `d_step`: the first that can be taken is.
    fn inner_point(&mut self, assembly: &mut Assembly<'_, 'm>, at: ElId, inside: Inside) {
        let source = assembly.points[&at];
        let mut made: Vec<StepId> = Vec::new();
        for entry in entries(&assembly.graph.flow, at) {
            let step = self.inner_step(assembly, source, entry, inside, made.clone(), false);
            made.push(step);
        }
        let span = assembly.graph.flow.element(at).span;
        if made.iter().any(|s| is_free(&assembly.steps[s.index()])) {
            return;
        }
        let mut fail = Step::skip(source, source, span);
        fail.text = Some("a d_step that blocks".into());
        fail.effects = vec![Effect::Fail(Fault::Blocked)];
        // A send that waits for the own buffer does not block: the `d_step` is interrupted there until the
        // buffer is empty.
        fail.drains = made.iter().any(|s| assembly.steps[s.index()].drains);
        fail.yields_to = made;
        assembly.steps.push(fail);
    }
}

impl Assembly<'_, '_> {
    /// The program point of an element inside of a `d_step`; one that a label names has one already.
    fn point(&mut self, at: ElId) -> PointId {
        if let Some(known) = self.points.get(&at) {
            self.list[known.index()].inner = true;
            return *known;
        }
        let new = PointId::from(self.list.len());
        self.list.push(ProgramPoint { inner: true, ..ProgramPoint::new() });
        self.points.insert(at, new);
        new
    }
}

/// What all steps of a `d_step` share.
#[derive(Clone, Copy)]
struct Inside {
    /// Where it leads, and whether the process holds the others after it.
    exit: (Option<ElId>, bool),
    /// Whether it is a `LOCKED` block.
    locked: bool,
}

fn plain(act: Act, source: PointId, target: Control, element: &Element<'_>) -> Step {
    Step {
        guard: act.guard,
        mode: act.mode,
        channel: act.channel,
        effects: act.effects,
        target,
        text: Some(text::of(element)),
        ..Step::skip(source, source, element.span)
    }
}

/// Whether a step can always be taken once those it yields to cannot.
fn is_free(step: &Step) -> bool {
    let guard = matches!(step.guard, Expr::Const(v) if v != 0);
    guard && step.channel.is_none() && !step.needs_drained()
}

/// The statements that can be the first at an element, in order.
pub(super) fn entries(flow: &Flow<'_>, at: ElId) -> Vec<ElId> {
    let element = flow.element(at);
    match &element.kind {
        Kind::If(options) | Kind::Do(options) => {
            options.iter().flat_map(|o| entries(flow, flow.first(*o))).collect()
        }
        Kind::Atomic(seq) | Kind::Block(seq) | Kind::DStep(seq, _) | Kind::Unless(seq, _) => {
            entries(flow, flow.first(*seq))
        }
        Kind::Dot | Kind::Break => match element.next {
            Some(next) if flow.element(next).in_step => entries(flow, next),
            _ => vec![at],
        },
        Kind::Basic(_) | Kind::Goto(_) | Kind::Stop => vec![at],
    }
}

/// The first element that is no block.
pub(super) fn first_of_blocks(flow: &Flow<'_>, at: ElId) -> ElId {
    match flow.element(at).kind {
        Kind::Atomic(seq) | Kind::Block(seq) => first_of_blocks(flow, flow.first(seq)),
        _ => at,
    }
}

/// What comes after a statement inside of a `d_step`; none if that is outside.
pub(super) fn next_inside(flow: &Flow<'_>, at: ElId) -> Option<ElId> {
    let mut next = after(flow, at)?;
    for _ in 0..500 {
        let element = flow.element(next);
        if !element.in_step {
            return None;
        }
        match element.kind {
            Kind::Goto(_) | Kind::Dot | Kind::Break => next = after(flow, next)?,
            _ => return Some(next),
        }
    }
    None
}

fn after(flow: &Flow<'_>, at: ElId) -> Option<ElId> {
    match &flow.element(at).kind {
        Kind::Goto(jump) => Some(flow.target(jump)),
        _ => flow.element(at).next,
    }
}
