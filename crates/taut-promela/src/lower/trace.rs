//! `trace` and `notrace` assertions as a ghost variable that sends and receives move.
//!
//! # Meaning
//!
//! An assertion is a finite automaton over *events*: the sends and receives that happen. A receive that leaves the
//! message in the channel is no event, and neither is a poll. The automaton has the states and transitions that SPIN gives
//! a process with the same text ([`super::flow`], [`super::table`]). A send is *in scope* if the text of the assertion
//! names a send on its channel, reachable or not, and a receive likewise; all other events are ignored. The value of a
//! field must be the constant or the value of `eval` in the assertion; `_`, variables, and expressions in a send stand
//! for any value. A `goto` or `break` that begins an option takes any event in scope.
//!
//! - `trace`: each event in scope must have a transition. An event without one is a violation, and the automaton
//!   stays where it is.
//! - `notrace`: a violation if an event leads to the closing brace. The first event without a transition ends the
//!   assertion.
//! - Both: when nothing can happen any more and a process lives, the automaton must be at an `end` label or at its closing
//!   brace, else that is a deadlock ([`taut_ir::EventTrace`]). Of an unfinished `notrace` SPIN says the same.
//! - An event with two transitions is an error, as in SPIN: it violates the property `trace_deterministic`, which exists
//!   where two transitions of a state can take the same event. The first transition is taken.
//!
//! DIVERGENCE: SPIN calls the offer of a rendezvous an event, even if no process accepts it. Here both events happen
//! when the rendezvous does. For a sorted send SPIN compares the last message of the channel, and for a random receive
//! the first, which may be other messages than the one that is sent or received. Here it is that one.
//!
//! # Encoding
//!
//! The state of the automaton is the ghost variable `trace`. A step with an event that may be in scope gets effects,
//! before its others: assertions, and the assignment of the next state. Ghost variables are sequentially
//! consistent under every memory model and an event is one step at every granularity, so the automaton sees all events in
//! the order in which they happen. In a rendezvous the effects of the sender come first
//! ([`taut_ir::EffectOrder::SenderFirst`]): its event comes before the event of the receiver, as in SPIN. Variables that the
//! assertion reads (`eval`, elements of channel arrays) are read by the process that takes the step.
//!
//! The effects compute the values of the message again. That is sound for a send: between the message and the first
//! effect nothing changes but the channel, and messages that ask for lengths of channels are refused. A receive may
//! change what its own expressions read. Where all values that matter are constants or go to locals that can hold them,
//! the effects read the locals. Otherwise the receive stores its fields in ghosts (`trace:0`, `trace:1`, …), then come
//! the effects of the automaton, then the assignments in the order of the text, and last the ghosts are 0 again: they
//! make no difference between states. A receive that assigns a variable that the assertion reads is refused: SPIN assigns
//! some fields before the event and the last one after it.

use std::collections::{BTreeMap, HashMap};

use taut_ir::{
    Assignment, BinaryOp, ChanId, ChannelOp, Effect, EventState, EventTrace, Expr, Lvalue,
    Overflow, Pattern, PropId, Property, PropertyKind, Step, Type, VarId,
};
use taut_source::{Diagnostic, Span};

use super::constant::cast;
use super::flow::{Basic, ElId, Element, Flow, Kind};
use super::table::{Marks, Table};
use super::{Lowering, text};
use crate::ast::{self, ExprKind, Item, Statement, StatementKind};
use crate::{Binding, codes};

/// The most transitions of an assertion: the expressions in the effects are as tall.
const MOST_MOVES: usize = 500;
/// The most conditions of transitions, and pairs of them, in all effects of a model.
const MOST_CONDITIONS: usize = 1 << 19;

/// The automaton of a trace assertion.
pub(super) struct Observer {
    negated: bool,
    property: PropId,
    /// Asks for one transition per event, where there can be two.
    deterministic: Option<PropId>,
    /// The ghost that holds the state; states are numbered from 0, where it starts.
    state: VarId,
    /// The state of the closing brace.
    stop: i64,
    /// By state: what its labels say.
    marks: Vec<Marks>,
    moves: Vec<Move>,
    /// The conditions in all effects so far.
    conditions: usize,
    /// The events of the whole text: they make the scope.
    named: Vec<Event>,
    /// The ghosts that hold the fields of a message in the middle of a receive.
    fields: Vec<VarId>,
}

/// A transition.
#[derive(Clone, Debug)]
struct Move {
    from: i64,
    /// None if it takes every event in scope.
    event: Option<Event>,
    to: i64,
    text: String,
    span: Span,
}

impl Move {
    /// Whether one event of a run can take both.
    fn meets(&self, other: &Move) -> bool {
        match (&self.event, &other.event) {
            (Some(a), Some(b)) => a.meets(b),
            _ => true,
        }
    }
}

/// An event that an assertion names.
#[derive(Clone, Debug)]
struct Event {
    sends: bool,
    /// The channel as a value.
    channel: Expr,
    /// The value that each field must have; `None` if any will do.
    fields: Vec<Option<Expr>>,
}

impl Event {
    /// Whether one event of a run can be both, as far as constants tell.
    fn meets(&self, other: &Event) -> bool {
        let differ = |(a, b): (&Option<Expr>, &Option<Expr>)| match (a, b) {
            (Some(a), Some(b)) => are_different(a, b),
            _ => false,
        };
        let apart = self.sends != other.sends || are_different(&self.channel, &other.channel);
        !apart && !self.fields.iter().zip(&other.fields).any(differ)
    }

    /// The fields whose values matter.
    fn wanted(&self) -> impl Iterator<Item = (usize, &Expr)> {
        self.fields.iter().enumerate().filter_map(|(i, value)| Some((i, value.as_ref()?)))
    }

    /// The expressions in it.
    fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.fields.iter().flatten().chain([&self.channel])
    }
}

/// Whether two expressions are different constants.
fn are_different(a: &Expr, b: &Expr) -> bool {
    matches!((a, b), (Expr::Const(a), Expr::Const(b)) if a != b)
}

/// An event of a step, by the expressions of the step.
struct Happening {
    sends: bool,
    channel: Expr,
    values: Vec<Expr>,
}

/// The states of an automaton while they are found.
struct States {
    list: Vec<ElId>,
    numbers: HashMap<ElId, i64>,
}

impl States {
    fn number(&mut self, state: ElId) -> i64 {
        let new = self.list.len() as i64;
        let number = *self.numbers.entry(state).or_insert(new);
        if number == new {
            self.list.push(state);
        }
        number
    }
}

impl<'m> Lowering<'m> {
    /// Makes the automaton of the model's trace assertion, its ghost and its properties.
    pub(super) fn trace(&mut self) {
        let items = self.parsed.model.items.iter();
        let mut traces = items.filter_map(|item| match item {
            Item::Trace(trace) => Some(trace),
            _ => None,
        });
        let Some(trace) = traces.next() else { return };
        let span = trace.at.0;
        let mut flow = Flow::of_claim(&trace.body, span, self.symbols());
        let Some(table) = Table::new(&mut flow) else {
            let text = format!("jumps in `{}` lead to each other and nowhere else", trace.word());
            let d = Diagnostic::error(codes::JUMP_CIRCLE, text, span).label("in this assertion");
            return self.diagnostics.push(d);
        };
        let events = self.events(&flow);
        let mut states = States { list: Vec::new(), numbers: HashMap::new() };
        let moves = moves(&flow, &table, &events, &mut states);
        if moves.len() > MOST_MOVES {
            let text = format!("a `{}` with more than {MOST_MOVES} transitions", trace.word());
            let d = Diagnostic::error(codes::TOO_LARGE, text, span).label("this assertion");
            return self.diagnostics.push(d);
        }
        let stop = states.number(flow.last(flow.body.expect("a trace has a body")));
        let hi = states.list.len() as i64 - 1;
        let state = self.ghost("trace", Type { lo: 0, hi, overflow: Overflow::Wrap });
        self.program.event_trace = Some(EventTrace {
            word: trace.word().into(),
            state,
            states: (0..)
                .zip(&states.list)
                .map(|(n, at)| described(&table, &moves, n, *at))
                .collect(),
            span,
        });
        let property = self.trace_property(trace.word(), span);
        let two = overlapping(&moves).next().map(|(_, second)| second.span);
        let deterministic = two.map(|span| self.trace_property("trace_deterministic", span));
        self.observer = Some(Observer {
            negated: trace.negated,
            property,
            deterministic,
            state,
            stop,
            marks: states.list.iter().map(|at| table.marks[at.0]).collect(),
            moves,
            conditions: 0,
            named: events.into_values().collect(),
            fields: Vec::new(),
        });
    }

    fn trace_property(&mut self, name: &str, span: Span) -> PropId {
        let id = PropId::from(self.program.properties.len());
        let kind = PropertyKind::Assert;
        self.program.properties.push(Property { name: name.into(), kind, span });
        id
    }

    /// The events of the whole text, by their elements.
    fn events(&mut self, flow: &Flow<'m>) -> BTreeMap<ElId, Event> {
        let mut events = BTreeMap::new();
        for id in (1..flow.len()).map(ElId) {
            let Kind::Basic(Basic::Statement(statement)) = flow.element(id).kind else { continue };
            let Some(event) = self.event(statement) else { continue };
            let mut asks = false;
            event.expressions().for_each(|e| asks |= asks_channels(e));
            if asks {
                self.changing_length(statement.at.0);
            }
            events.insert(id, event);
        }
        events
    }

    fn event(&mut self, statement: &'m Statement) -> Option<Event> {
        match &statement.kind {
            StatementKind::Send { channel, values, .. } => {
                let channel = self.reference(channel);
                let mut fields = Vec::new();
                for value in values {
                    match self.sent_constant(value) {
                        Some(value) => fields.push(Some(Expr::Const(value))),
                        None => fields.resize(fields.len() + self.width_of_value(value), None),
                    }
                }
                Some(Event { sends: true, channel, fields })
            }
            StatementKind::Receive { channel, patterns, .. } => {
                let channel = self.reference(channel);
                let field = |pattern| match pattern {
                    Pattern::Match(value) => Some(value),
                    Pattern::Bind(_) | Pattern::Any => None,
                };
                let fields = self.pattern(patterns).into_iter().map(field).collect();
                Some(Event { sends: false, channel, fields })
            }
            _ => None,
        }
    }

    /// The constant that a field of a send is compared with. As in SPIN, an expression is none, even one of
    /// constants only.
    fn sent_constant(&self, value: &ast::Expr) -> Option<i64> {
        match &value.kind {
            ExprKind::Number(v) => Some(i64::from(*v)),
            ExprKind::Char(code) => Some(i64::from(*code)),
            ExprKind::Bool(v) => Some(i64::from(*v)),
            ExprKind::Skip => Some(1),
            ExprKind::Reference(reference) => match self.symbols().binding(reference) {
                Binding::Mtype { value, .. } => Some(i64::from(value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Number of fields that a value of a send stands for: a whole structure for all its parts.
    fn width_of_value(&mut self, value: &'m ast::Expr) -> usize {
        match &value.kind {
            ExprKind::Reference(reference) => self.parts(reference).len().max(1),
            _ => 1,
        }
    }

    fn changing_length(&mut self, span: Span) {
        let text = "a trace cannot ask what is in a channel";
        let d = Diagnostic::error(codes::TRACE, text, span);
        let d = d.label("depends on the channel that the event changes");
        self.diagnostics.push(d.help("compare with a variable or a constant"));
    }

    /// Lets the automaton follow the event of a step, if it may be in scope.
    pub(super) fn follow(&mut self, step: &mut Step) {
        let Some(observer) = &self.observer else { return };
        let (sends, channel) = match &step.channel {
            Some(ChannelOp::Send { channel, .. }) => (true, channel.clone()),
            Some(ChannelOp::Receive { channel, keep: false, .. }) => (false, channel.clone()),
            _ => return,
        };
        if !observer.may_name(sends, &channel) {
            return;
        }
        let wanted = observer.wanted(sends, &channel);
        let (values, after) = match &mut step.channel {
            Some(ChannelOp::Send { message, .. }) => (message.clone(), Vec::new()),
            Some(ChannelOp::Receive { pattern, .. }) => {
                self.check_receive(pattern, step.span);
                self.received(pattern, &channel, &wanted)
            }
            None => return,
        };
        let happening = Happening { sends, channel, values };
        let mut asked = wanted.iter().filter_map(|i| happening.values.get(*i));
        if asks_channels(&happening.channel) || asked.any(asks_channels) {
            let text =
                "a channel that a trace names, and a value that depends on a channel's length";
            self.unsupported(text.into(), step.span, "store the value in a variable first");
            return;
        }
        if !self.fits_trace(step.span) {
            return;
        }
        let Some(observer) = &self.observer else { return };
        let mut effects = observer.effects(&happening, &self.program.channels);
        effects.extend(after);
        effects.append(&mut step.effects);
        step.effects = effects;
    }

    /// Whether there is room for the effects of one more step; reports the first that there is none for.
    fn fits_trace(&mut self, span: Span) -> bool {
        let Some(observer) = &mut self.observer else { return false };
        let pairs = observer.deterministic.map_or(0, |_| overlapping(&observer.moves).count());
        let before = observer.conditions;
        observer.conditions = before.saturating_add(observer.moves.len() + pairs);
        if before <= MOST_CONDITIONS && observer.conditions > MOST_CONDITIONS {
            let text = "a trace assertion with too many transitions for so many sends and receives";
            self.diagnostics.push(Diagnostic::error(codes::TOO_LARGE, text, span).label("here"));
        }
        self.observer.as_ref().is_some_and(|o| o.conditions <= MOST_CONDITIONS)
    }

    /// Refuses a receive that assigns a variable that the assertion reads.
    fn check_receive(&mut self, pattern: &[Pattern], span: Span) {
        let Some(observer) = &self.observer else { return };
        let read: Vec<VarId> = observer
            .named
            .iter()
            .flat_map(Event::expressions)
            .flat_map(|e| e.variables())
            .collect();
        let assigns = |field: &Pattern| match field {
            Pattern::Bind(place) => place.variable().is_some_and(|v| read.contains(&v)),
            Pattern::Match(_) | Pattern::Any => false,
        };
        if pattern.iter().any(assigns) {
            let text = "a receive into a variable that the trace assertion reads";
            self.unsupported(text.into(), span, "receive into another variable, and copy it");
        }
    }

    /// The values of the fields of a receive for the effects of the automaton, and the effects that come after
    /// those.
    fn received(
        &mut self,
        pattern: &mut Vec<Pattern>,
        channel: &Expr,
        wanted: &[usize],
    ) -> (Vec<Expr>, Vec<Effect>) {
        // A channel that is known cannot change.
        let is_fixed = matches!(channel, Expr::Const(_));
        if is_fixed && wanted.is_empty() {
            return (Vec::new(), Vec::new());
        }
        match self.kept_values(pattern, channel, wanted) {
            Some(values) => (values, Vec::new()),
            None => self.divert(pattern, wanted),
        }
    }

    /// The values of the fields if they can be read after the receive: those that matter are constants or go to locals
    /// that can hold every value of the field, and nothing else depends on what is assigned.
    fn kept_values(
        &self,
        pattern: &[Pattern],
        channel: &Expr,
        wanted: &[usize],
    ) -> Option<Vec<Expr>> {
        let Expr::Const(channel) = channel else { return None };
        let channel = ChanId::of_value(*channel, self.program.channels.len())?;
        let fields = &self.program.channels[channel.index()].fields;
        let registers = &self.program.defs[self.current().def.index()].registers;
        let kept = |index: usize| match pattern.get(index)? {
            Pattern::Match(Expr::Const(value)) => Some(Expr::Const(*value)),
            Pattern::Bind(Lvalue::Reg(register)) => {
                let (ty, field) = (registers.get(register.index())?.ty, fields.get(index)?);
                (ty.lo <= field.lo && ty.hi >= field.hi).then_some(Expr::Reg(*register))
            }
            _ => None,
        };
        let of_field = |index| match wanted.contains(&index) {
            true => kept(index),
            false => Some(Expr::Const(0)),
        };
        let last = wanted.last().map_or(0, |last| last + 1);
        (0..last).map(of_field).collect()
    }

    /// Lets a receive store its fields in ghosts first. The values of the fields, and the effects that come after
    /// those of the automaton: the assignments of the receive, and the ghosts' way back to 0.
    fn divert(&mut self, pattern: &mut Vec<Pattern>, wanted: &[usize]) -> (Vec<Expr>, Vec<Effect>) {
        let size = wanted.last().map_or(0, |last| last + 1);
        if pattern.len() < size {
            pattern.resize(size, Pattern::Any);
        }
        let (mut values, mut after, mut used) = (Vec::new(), Vec::new(), Vec::new());
        for (index, field) in pattern.iter_mut().enumerate() {
            if let Pattern::Match(value) = field {
                values.push(value.clone());
                continue;
            }
            if *field == Pattern::Any && !wanted.contains(&index) {
                values.push(Expr::Const(0));
                continue;
            }
            let ghost = self.field_ghost(index);
            let place = std::mem::replace(field, Pattern::Bind(Lvalue::Var(ghost)));
            if let Pattern::Bind(place) = place {
                after.push(Effect::assign(place, Expr::Var(ghost)));
            }
            values.push(Expr::Var(ghost));
            used.push(ghost);
        }
        let reset = |v| Assignment { place: Lvalue::Var(v), value: Expr::Const(0), atomic: false };
        if !used.is_empty() {
            after.push(Effect::Assign(used.into_iter().map(reset).collect()));
        }
        (values, after)
    }

    /// The ghost for a field of a message; it can hold the field of every channel.
    fn field_ghost(&mut self, index: usize) -> VarId {
        loop {
            let known = self.observer.as_ref().map_or(&[][..], |o| &o.fields[..]);
            if let Some(ghost) = known.get(index) {
                return *ghost;
            }
            let field = known.len();
            let types = self.program.channels.iter().filter_map(|c| c.fields.get(field));
            let (lo, hi) = types.fold((0, 1), |(lo, hi), ty| (ty.lo.min(lo), ty.hi.max(hi)));
            let ty = Type { lo, hi, overflow: Overflow::Wrap };
            let ghost = self.ghost(&format!("trace:{field}"), ty);
            let observer = self.observer.as_mut().expect("a trace is being followed");
            observer.fields.push(ghost);
        }
    }
}

/// The transitions between all states that can be reached.
fn moves(
    flow: &Flow<'_>,
    table: &Table,
    events: &BTreeMap<ElId, Event>,
    states: &mut States,
) -> Vec<Move> {
    let mut moves = Vec::new();
    states.number(table.start);
    let mut done = 0;
    while let Some(state) = states.list.get(done).copied() {
        for transition in &table.transitions[state.0] {
            let element: &Element<'_> = flow.element(transition.element);
            if matches!(element.kind, Kind::Stop) {
                continue;
            }
            let to = transition.target.expect("only the end leads nowhere");
            let (from, to) = (done as i64, states.number(to));
            let event = events.get(&transition.element).cloned();
            moves.push(Move { from, event, to, text: text::of(element), span: element.span });
        }
        done += 1;
    }
    moves
}

/// What a report says of a state.
fn described(table: &Table, moves: &[Move], number: i64, state: ElId) -> EventState {
    let expects = moves.iter().filter(|m| m.from == number);
    let expects = expects.map(|m| match m.event {
        Some(_) => (m.text.clone(), m.span),
        None => ("any event".into(), m.span),
    });
    EventState { may_end: table.marks[state.0].end, expects: expects.collect() }
}

/// The pairs of transitions of one state that one event may take, in the order of the state.
fn overlapping(moves: &[Move]) -> impl Iterator<Item = (&Move, &Move)> {
    moves.iter().enumerate().flat_map(|(index, second)| {
        let before = moves[..index].iter();
        before
            .filter(|first| first.from == second.from && first.meets(second))
            .map(move |f| (f, second))
    })
}

impl Observer {
    /// Whether the automaton is at a state with a mark; none if no state has it.
    pub(super) fn marked(&self, has: fn(Marks) -> bool) -> Option<Expr> {
        let marked = (0..).zip(&self.marks).filter(|(_, marks)| has(**marks));
        let at = marked.map(|(number, _)| Expr::Var(self.state).equals(Expr::Const(number)));
        at.reduce(|a, b| Expr::binary(BinaryOp::Or, a, b))
    }

    /// The events of the text that an event of a step may be in scope by.
    fn scope<'o>(&'o self, sends: bool, channel: &'o Expr) -> impl Iterator<Item = &'o Event> {
        let may_be = move |e: &&Event| e.sends == sends && !are_different(&e.channel, channel);
        self.named.iter().filter(may_be)
    }

    /// Whether an event of a step may be in scope.
    fn may_name(&self, sends: bool, channel: &Expr) -> bool {
        self.scope(sends, channel).next().is_some()
    }

    /// The fields of a step's message whose values matter, in order.
    fn wanted(&self, sends: bool, channel: &Expr) -> Vec<usize> {
        let events = self.scope(sends, channel);
        let mut fields: Vec<usize> = events.flat_map(|e| e.wanted().map(|(i, _)| i)).collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// The effects of an event: whether it is right, and the next state.
    fn effects(&self, happening: &Happening, channels: &[taut_ir::Channel]) -> Vec<Effect> {
        let in_scope = self.in_scope(happening);
        let condition = |m: &Move| self.condition(m, &in_scope, happening, channels);
        let moves: Vec<(Expr, &Move)> = self.moves.iter().map(|m| (condition(m), m)).collect();
        let moves: Vec<(Expr, &Move)> =
            moves.into_iter().filter(|(c, _)| *c != Expr::Const(0)).collect();
        let now = Expr::Var(self.state);
        let (right, otherwise) = match self.negated {
            false => {
                let followed = any(moves.iter().map(|(condition, _)| condition.clone()));
                (any([not(in_scope.clone()), followed]), now)
            }
            true => {
                let last = moves.iter().filter(|(_, m)| m.to == self.stop);
                let stop = Expr::Const(self.stop);
                (not(any(last.map(|(c, _)| c.clone()))), choose(in_scope.clone(), stop, now))
            }
        };
        let mut effects = vec![Effect::Assert { condition: right, property: self.property }];
        effects.extend(self.determinism(&moves));
        let next = moves.into_iter().rev().fold(otherwise, |otherwise, (condition, m)| {
            choose(condition, Expr::Const(m.to), otherwise)
        });
        effects.push(Effect::assign(Lvalue::Var(self.state), next));
        effects
    }

    /// The assertion that an event takes one transition only, if it may take two.
    fn determinism(&self, moves: &[(Expr, &Move)]) -> Option<Effect> {
        let property = self.deterministic?;
        let mut two = Vec::new();
        for (index, (second, b)) in moves.iter().enumerate() {
            // A `notrace` that is matched is over: SPIN does not look at the rest.
            let counts = |a: &Move| !(self.negated && a.to == self.stop);
            let before = moves[..index].iter();
            let before = before.filter(|(_, a)| a.from == b.from && a.meets(b) && counts(a));
            two.extend(before.map(|(first, _)| both(first.clone(), second.clone())));
        }
        if two.is_empty() {
            return None;
        }
        Some(Effect::Assert { condition: not(any(two)), property })
    }

    /// Whether an event is in scope.
    fn in_scope(&self, happening: &Happening) -> Expr {
        let mut named: Vec<&Expr> = Vec::new();
        for event in self.scope(happening.sends, &happening.channel) {
            if !named.contains(&&event.channel) {
                named.push(&event.channel);
            }
        }
        any(named.into_iter().map(|c| happening.channel.clone().equals(c.clone())))
    }

    /// Whether an event takes a transition.
    fn condition(
        &self,
        m: &Move,
        in_scope: &Expr,
        happening: &Happening,
        channels: &[taut_ir::Channel],
    ) -> Expr {
        let here = Expr::Var(self.state).equals(Expr::Const(m.from));
        let Some(event) = &m.event else { return both(here, in_scope.clone()) };
        if event.sends != happening.sends || are_different(&event.channel, &happening.channel) {
            return Expr::Const(0);
        }
        let is_it = happening.channel.clone().equals(event.channel.clone());
        let mut condition = both(here, is_it);
        let types = match &event.channel {
            Expr::Const(value) => ChanId::of_value(*value, channels.len()),
            _ => None,
        };
        let types = types.map_or(&[][..], |c| &channels[c.index()].fields);
        for (field, wanted) in event.wanted() {
            let value = happening.values.get(field).cloned().unwrap_or(Expr::Const(0));
            // What is received has the type of the field, what is sent gets it.
            let value = match types.get(field) {
                Some(ty) if happening.sends => cast(*ty, value),
                _ => value,
            };
            condition = both(condition, value.equals(wanted.clone()));
        }
        condition
    }
}

/// Whether an expression depends on what is in a channel.
fn asks_channels(expr: &Expr) -> bool {
    let mut asks = false;
    expr.visit(&mut |e| asks |= matches!(e, Expr::Channel(..) | Expr::Poll(_)));
    asks
}

/// Whether any of some conditions holds.
fn any(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    let or = |a: Expr, b: Expr| match (a, b) {
        (Expr::Const(0), e) | (e, Expr::Const(0)) => e,
        (Expr::Const(_), _) | (_, Expr::Const(_)) => Expr::TRUE,
        (a, b) => Expr::binary(BinaryOp::Or, a, b),
    };
    let mut all: Vec<Expr> = conditions.into_iter().collect();
    // Half by half, so that the expression does not grow tall.
    while all.len() > 1 {
        let mut halves = all.into_iter();
        let mut joined = Vec::new();
        while let Some(first) = halves.next() {
            joined.push(match halves.next() {
                Some(second) => or(first, second),
                None => first,
            });
        }
        all = joined;
    }
    all.pop().unwrap_or(Expr::Const(0))
}

/// Whether both conditions hold.
fn both(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Const(0), _) | (_, Expr::Const(0)) => Expr::Const(0),
        (Expr::Const(_), e) | (e, Expr::Const(_)) => e,
        (a, b) => Expr::binary(BinaryOp::And, a, b),
    }
}

/// Whether a condition does not hold.
fn not(condition: Expr) -> Expr {
    match condition {
        Expr::Const(value) => Expr::Const(i64::from(value == 0)),
        condition => condition.not(),
    }
}

/// `condition ? yes : no`, without a condition that is known.
fn choose(condition: Expr, yes: Expr, no: Expr) -> Expr {
    match condition {
        Expr::Const(0) => no,
        Expr::Const(_) => yes,
        condition => Expr::Cond(Box::new(condition), Box::new(yes), Box::new(no)),
    }
}
