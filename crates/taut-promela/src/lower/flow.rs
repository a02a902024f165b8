//! The control structure of a process, element by element as SPIN builds it.
//!
//! Which statements are steps of their own, where atomicity is kept across a jump, and which escapes lead
//! away from a statement decide how many states a model has. SPIN 6.5 decides them while it builds its
//! sequences of elements (its `flow.c`), and this module does the same in the same order: `if` and `do` get an
//! element and a target (`.`, the place after them), `break` and `goto` are elements that are mostly jumped
//! over, `unless` hangs its escape on every element of its main sequence. [`super::table`] makes states and
//! transitions of it.

use std::collections::HashMap;

use taut_source::Span;

use crate::ast::{self, Expr, ExprKind, Name, Reference, Sequence, Statement, StatementKind};
use crate::{Binding, Symbols};

/// An element of a process, by its number; it is also the number of its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ElId(pub(super) usize);

/// A sequence of a process, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeqId(pub(super) usize);

/// A statement that is one step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Basic<'m> {
    /// Something of the text that needs no control structure.
    Statement(&'m Statement),
    /// Waits until an expression is true.
    Condition(&'m Expr),
    /// `x = e` that is not written as such: the result of an inline.
    Assign(&'m Reference, &'m Expr),
    /// `x = number`
    Set(&'m Reference, i32),
    /// `x = x + 1`
    Increment(&'m Reference),
    /// `x <= e`
    AtMost(&'m Reference, &'m Expr),
    /// `x < e`
    Below(&'m Reference, &'m Expr),
    /// `x <= number`
    AtMostNumber(&'m Reference, i32),
    /// A declaration after the first statement: the variable gets its initial value here.
    Declare(&'m ast::Variables, &'m ast::Declarator),
    /// The parts of `for (m in q)`: the counter, by its number, starts at 0.
    ResetCounter(usize),
    /// The counter is less than the length of the channel.
    CounterBelow(usize, &'m Reference),
    /// The counter goes up.
    IncrementCounter(usize),
    /// A message is taken into the variable.
    Rotate(&'m Reference, &'m Reference),
    /// And put back at the end.
    RotateBack(&'m Reference, &'m Reference),
    /// `else`
    Else,
    /// Always possible, no effect.
    Skip,
}

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum Kind<'m> {
    Basic(Basic<'m>),
    If(Vec<SeqId>),
    Do(Vec<SeqId>),
    /// The main sequence and the escape.
    Unless(SeqId, SeqId),
    Atomic(SeqId),
    /// `d_step`, or `LOCKED` if true.
    DStep(SeqId, bool),
    Block(SeqId),
    Goto(Jump),
    /// The place after a choice.
    Dot,
    /// The place after a loop.
    Break,
    /// The end of the process.
    Stop,
}

/// Where a `goto` or `break` leads.
#[derive(Clone, Debug)]
pub(super) enum Jump {
    /// A label, as seen from these inline calls, innermost last.
    Label(Vec<usize>, String),
    /// The place after a loop, by the loop's number.
    Break(usize),
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element<'m> {
    pub(super) kind: Kind<'m>,
    pub(super) next: Option<ElId>,
    /// In an atomic sequence and not the last of it: after it the process holds the others.
    pub(super) atomic: bool,
    /// The last of an atomic sequence.
    pub(super) last_atomic: bool,
    /// Inside of a `d_step`.
    pub(super) in_step: bool,
    /// The escapes from it, outermost first.
    pub(super) escapes: Vec<SeqId>,
    pub(super) span: Span,
}

/// A sequence of elements.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seq {
    first: Option<ElId>,
    last: Option<ElId>,
    /// The last element when it was closed; the places after choices come behind it.
    extent: Option<ElId>,
}

/// The elements of a process.
#[derive(Debug, Default)]
pub(super) struct Flow<'m> {
    /// By [`ElId`]; number 0 is not used, as in SPIN, where state 0 is no state.
    elements: Vec<Element<'m>>,
    sequences: Vec<Seq>,
    /// The whole process.
    pub(super) body: Option<SeqId>,
    labels: HashMap<(usize, String), ElId>,
    breaks: HashMap<usize, ElId>,
    /// Counters of `for (m in q)`: whether each needs more than a byte is up to the channel.
    pub(super) counters: usize,
    /// The calls of inlines met so far.
    frames: usize,
    loops: usize,
}

/// A statement before it becomes an element.
enum Node<'m> {
    Basic(Basic<'m>, Span),
    If(Vec<SeqId>, Span),
    Do(Vec<SeqId>, usize, Span),
    Unless(SeqId, SeqId, Span),
    Atomic(SeqId, Span),
    DStep(SeqId, bool, Span),
    Block(SeqId, Span),
    Goto(Jump, Span),
    Labelled(String, usize, Box<Node<'m>>),
}

/// Builds a [`Flow`].
struct Builder<'m> {
    flow: Flow<'m>,
    /// The sequences being built, innermost last.
    open: Vec<SeqId>,
    /// The loops around, innermost last.
    around: Vec<usize>,
    /// The calls of inlines around, innermost last; the process itself is 0.
    calls: Vec<usize>,
    /// Where `return` of each call puts its value.
    results: Vec<Option<&'m Reference>>,
    /// Whether declarations give initial values when the process starts: before the first statement.
    at_start: bool,
    /// Labels that others refer to, which must be real states.
    seen: Vec<String>,
    /// Whether skips in a row are left as they are: SPIN does that in claims.
    keep_skips: bool,
    symbols: &'m Symbols,
}

impl<'m> Flow<'m> {
    /// The elements of a process with this body. Labels in `seen` are referred to by other processes.
    pub(super) fn new(
        body: &'m Sequence,
        span: Span,
        seen: Vec<String>,
        symbols: &'m Symbols,
    ) -> Flow<'m> {
        Flow::build(body, span, seen, false, symbols)
    }

    /// The elements of a claim with this body.
    pub(super) fn of_claim(body: &'m Sequence, span: Span, symbols: &'m Symbols) -> Flow<'m> {
        Flow::build(body, span, Vec::new(), true, symbols)
    }

    fn build(
        body: &'m Sequence,
        span: Span,
        seen: Vec<String>,
        keep_skips: bool,
        symbols: &'m Symbols,
    ) -> Flow<'m> {
        let unused = Element {
            kind: Kind::Stop,
            next: None,
            atomic: false,
            last_atomic: false,
            in_step: false,
            escapes: Vec::new(),
            span,
        };
        let flow = Flow { elements: vec![unused], ..Flow::default() };
        let mut builder = Builder {
            flow,
            open: Vec::new(),
            around: Vec::new(),
            calls: vec![0],
            results: Vec::new(),
            at_start: true,
            seen,
            keep_skips,
            symbols,
        };
        let seq = builder.open();
        builder.sequence(body);
        let stop = builder.element(Kind::Stop, span);
        builder.append(stop, seq);
        builder.close();
        builder.flow.body = Some(seq);
        builder.keep_seen_jumps();
        builder.tie_blocks();
        builder.flow
    }

    /// The number of the first state that is not used.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(super) fn element(&self, id: ElId) -> &Element<'m> {
        taut_budget::tick();
        &self.elements[id.0]
    }

    pub(super) fn element_mut(&mut self, id: ElId) -> &mut Element<'m> {
        &mut self.elements[id.0]
    }

    pub(super) fn first(&self, seq: SeqId) -> ElId {
        self.sequences[seq.0].first.expect("a sequence has a statement")
    }

    pub(super) fn last(&self, seq: SeqId) -> ElId {
        self.sequences[seq.0].last.expect("a sequence has a statement")
    }

    pub(super) fn extent(&self, seq: SeqId) -> Option<ElId> {
        self.sequences[seq.0].extent
    }

    /// Where a jump leads.
    pub(super) fn target(&self, jump: &Jump) -> ElId {
        match jump {
            Jump::Break(number) => self.breaks[number],
            Jump::Label(calls, name) => {
                let found = calls.iter().rev().find_map(|c| self.labels.get(&(*c, name.clone())));
                *found.expect("the front end has found the label")
            }
        }
    }

    /// The labels with their elements.
    pub(super) fn labels(&self) -> impl Iterator<Item = (&str, ElId)> {
        self.labels.iter().map(|((_, name), at)| (name.as_str(), *at))
    }
}

impl<'m> Builder<'m> {
    fn open(&mut self) -> SeqId {
        let id = SeqId(self.flow.sequences.len());
        self.flow.sequences.push(Seq::default());
        self.open.push(id);
        id
    }

    fn close(&mut self) -> SeqId {
        let id = self.open.pop().expect("a sequence is open");
        let seq = &mut self.flow.sequences[id.0];
        seq.extent = seq.last;
        id
    }

    fn here(&self) -> SeqId {
        *self.open.last().expect("a sequence is open")
    }

    fn element(&mut self, kind: Kind<'m>, span: Span) -> ElId {
        let id = ElId(self.flow.elements.len());
        self.flow.elements.push(Element {
            kind,
            next: None,
            atomic: false,
            last_atomic: false,
            in_step: false,
            escapes: Vec::new(),
            span,
        });
        id
    }

    /// Puts an element at the end of a sequence. A jump with a label that means something by itself gets a
    /// skip before it, which carries the label: jumps are no states.
    fn append(&mut self, id: ElId, to: SeqId) {
        if matches!(self.flow.element(id).kind, Kind::Goto(_)) && self.has_special_label(id) {
            let skip = self.element(Kind::Basic(Basic::Skip), self.flow.element(id).span);
            self.move_labels(id, skip);
            self.append(skip, to);
        }
        let seq = &mut self.flow.sequences[to.0];
        match seq.last {
            None => seq.first = Some(id),
            Some(last) => self.flow.elements[last.0].next = Some(id),
        }
        self.flow.sequences[to.0].last = Some(id);
    }

    fn has_special_label(&self, id: ElId) -> bool {
        let special =
            |name: &str| ["accept", "end", "progress"].iter().any(|p| name.starts_with(p));
        self.flow.labels().any(|(name, at)| at == id && special(name))
    }

    fn move_labels(&mut self, from: ElId, to: ElId) {
        self.flow.labels.values_mut().filter(|at| **at == from).for_each(|at| *at = to);
    }

    /// A jump with a label that other processes look at becomes a skip and the jump.
    fn keep_seen_jumps(&mut self) {
        let seen: Vec<ElId> = self
            .flow
            .labels()
            .filter(|(name, _)| self.seen.iter().any(|s| s == name))
            .map(|(_, at)| at)
            .filter(|at| matches!(self.flow.element(*at).kind, Kind::Goto(_)))
            .collect();
        for at in seen {
            let copy = ElId(self.flow.elements.len());
            let jump = self.flow.element(at).clone();
            self.flow.elements.push(jump);
            let element = self.flow.element_mut(at);
            element.kind = Kind::Basic(Basic::Skip);
            element.next = Some(copy);
        }
    }

    /// Lets every block go on with what comes after it, outer blocks first.
    fn tie_blocks(&mut self) {
        for id in (1..self.flow.len()).rev().map(ElId) {
            let element = self.flow.element(id);
            let (Kind::Atomic(seq) | Kind::Block(seq) | Kind::DStep(seq, _)) = element.kind else {
                continue;
            };
            let mut next = element.next;
            while let Some(dot) = next
                && matches!(self.flow.element(dot).kind, Kind::Dot)
            {
                next = self.flow.element(dot).next;
            }
            let last = self.flow.last(seq);
            let last = self.flow.element_mut(last);
            last.next = last.next.or(next);
        }
    }

    fn sequence(&mut self, body: &'m Sequence) {
        body.steps.iter().for_each(|s| self.statement(s));
    }

    /// A sequence of its own.
    fn inner(&mut self, body: &'m Sequence) -> SeqId {
        let seq = self.open();
        self.at_start = false;
        self.sequence(body);
        if self.flow.sequences[seq.0].first.is_none() {
            // Nothing but declarations that are no steps.
            let span = body.steps.first().map_or(Span::NONE, |s| s.at.0);
            self.add(Node::Basic(Basic::Skip, span));
        }
        self.close()
    }

    fn statement(&mut self, statement: &'m Statement) {
        taut_budget::tick();
        match &statement.kind {
            StatementKind::Declare(variables) => self.declare(variables, statement.at.0),
            StatementKind::Exclusive { .. } => {}
            _ => {
                let node = self.node(statement);
                self.add(node);
                self.at_start = false;
            }
        }
    }

    /// After the first statement a declaration is a step: it gives the variable its value.
    fn declare(&mut self, variables: &'m ast::Variables, span: Span) {
        if self.at_start {
            return;
        }
        for declarator in &variables.list {
            if !matches!(declarator.initial, Some(ast::Initial::Channel { .. })) {
                self.add(Node::Basic(Basic::Declare(variables, declarator), span));
            }
        }
    }

    fn node(&mut self, statement: &'m Statement) -> Node<'m> {
        let span = statement.at.0;
        match &statement.kind {
            StatementKind::Label(name, labelled) => self.labelled(name, labelled.as_deref(), span),
            StatementKind::Unless(main, escape) => self.unless(main, escape, span),
            StatementKind::If(options) => {
                let options = options.iter().map(|o| self.option(o)).collect();
                Node::If(options, span)
            }
            StatementKind::Do(options) => {
                let number = self.enter_loop();
                let options = options.iter().map(|o| self.option(o)).collect();
                self.around.pop();
                Node::Do(options, number, span)
            }
            StatementKind::ForRange(variable, low, high, body) => {
                self.add(Node::Basic(Basic::Assign(variable, low), span));
                self.counted(Basic::AtMost(variable, high), body, Basic::Increment(variable), span)
            }
            StatementKind::ForIn(variable, over, body) => self.for_in(variable, over, body, span),
            StatementKind::Select(variable, low, high) => self.select(variable, low, high, span),
            StatementKind::Break => {
                Node::Goto(Jump::Break(*self.around.last().expect("a loop is around")), span)
            }
            StatementKind::Goto(name) => {
                Node::Goto(Jump::Label(self.calls.clone(), name.text.clone()), span)
            }
            StatementKind::Else => Node::Basic(Basic::Else, span),
            StatementKind::Atomic(body) => {
                let seq = self.inner(body);
                self.make_atomic(seq, false);
                Node::Atomic(seq, span)
            }
            StatementKind::DStep(body) | StatementKind::Locked(body) => {
                let seq = self.inner(body);
                self.make_atomic(seq, true);
                Node::DStep(seq, matches!(statement.kind, StatementKind::Locked(_)), span)
            }
            StatementKind::Block(body) => Node::Block(self.inner(body), span),
            StatementKind::Call(call) => self.call(call, span),
            StatementKind::Return(value) => {
                let result = self.results.iter().rev().find_map(|r| *r);
                let basic = result.map_or(Basic::Skip, |r| Basic::Assign(r, value));
                Node::Basic(basic, span)
            }
            StatementKind::Condition(Expr { kind: ExprKind::Skip, .. }) => {
                Node::Basic(Basic::Skip, span)
            }
            StatementKind::Condition(e) if constant(e) == Some(1) => Node::Basic(Basic::Skip, span),
            StatementKind::Condition(e) => Node::Basic(Basic::Condition(e), span),
            _ => Node::Basic(Basic::Statement(statement), span),
        }
    }

    fn labelled(&mut self, name: &'m Name, inner: Option<&'m Statement>, span: Span) -> Node<'m> {
        let frame = *self.calls.last().expect("the process");
        let node = match inner {
            Some(statement) => self.node(statement),
            None => Node::Basic(Basic::Skip, span),
        };
        Node::Labelled(name.text.clone(), frame, Box::new(node))
    }

    fn enter_loop(&mut self) -> usize {
        let number = self.flow.loops;
        self.flow.loops += 1;
        self.around.push(number);
        number
    }

    /// An option of a choice: skips in a row without labels count once, as in SPIN.
    fn option(&mut self, body: &'m Sequence) -> SeqId {
        let seq = self.inner(body);
        if !self.keep_skips {
            self.prune(seq);
        }
        seq
    }

    fn prune(&mut self, seq: SeqId) {
        let (first, last) = (self.flow.first(seq), self.flow.last(seq));
        let (mut count, mut before, mut at) = (0, first, Some(first));
        while let Some(id) = at {
            taut_budget::tick();
            let element = self.flow.element(id);
            at = element.next;
            let (skip, print) = match element.kind {
                Kind::Basic(Basic::Skip) => (true, false),
                Kind::Basic(Basic::Statement(s)) => {
                    let print =
                        matches!(s.kind, StatementKind::Printf(..) | StatementKind::Printm(_));
                    (print, print)
                }
                _ => (false, false),
            };
            if !skip || self.flow.labels().any(|(_, l)| l == id) {
                count = 0;
                before = id;
                continue;
            }
            count += 1;
            if count > 1 && !print && id != first && id != last {
                self.flow.element_mut(before).next = at;
            } else {
                before = id;
            }
        }
    }

    fn unless(&mut self, main: &'m Statement, escape: &'m Statement, span: Span) -> Node<'m> {
        let main = self.node(main);
        let escape = self.node(escape);
        let escape = self.as_sequence(escape);
        match main {
            // SPIN moves the label and the kind of block outwards.
            Node::Labelled(name, frame, inner) => match *inner {
                Node::Atomic(seq, at) => {
                    let seq = self.wrapped(seq, escape, span);
                    Node::Labelled(name, frame, Box::new(Node::Atomic(seq, at)))
                }
                Node::DStep(seq, locked, at) => {
                    let seq = self.wrapped(seq, escape, span);
                    Node::Labelled(name, frame, Box::new(Node::DStep(seq, locked, at)))
                }
                Node::Block(seq, at) => {
                    let seq = self.wrapped(seq, escape, span);
                    Node::Labelled(name, frame, Box::new(Node::Block(seq, at)))
                }
                other => {
                    let main = self.as_sequence(Node::Labelled(name, frame, Box::new(other)));
                    Node::Unless(main, escape, span)
                }
            },
            main => {
                let main = self.as_sequence(main);
                Node::Unless(main, escape, span)
            }
        }
    }

    /// A sequence that holds an `unless` only.
    fn wrapped(&mut self, main: SeqId, escape: SeqId, span: Span) -> SeqId {
        self.open();
        self.add(Node::Unless(main, escape, span));
        self.close()
    }

    /// The sequence of a block, or a new one for anything else.
    fn as_sequence(&mut self, node: Node<'m>) -> SeqId {
        if let Node::Block(seq, _) = node {
            return seq;
        }
        self.open();
        self.add(node);
        self.close()
    }

    /// A loop that counts: `do :: else -> break :: condition; body; increment od`.
    fn counted(
        &mut self,
        condition: Basic<'m>,
        body: &'m Sequence,
        increment: Basic<'m>,
        span: Span,
    ) -> Node<'m> {
        let number = self.enter_loop();
        self.open();
        self.add(Node::Basic(condition, span));
        self.at_start = false;
        self.sequence(body);
        self.add(Node::Basic(increment, span));
        let main = self.close();
        self.around.pop();
        let exit = self.exit_option(number, true, span);
        Node::Do(vec![exit, main], number, span)
    }

    fn exit_option(&mut self, number: usize, with_else: bool, span: Span) -> SeqId {
        self.open();
        if with_else {
            self.add(Node::Basic(Basic::Else, span));
        }
        self.add(Node::Goto(Jump::Break(number), span));
        self.close()
    }

    fn for_in(
        &mut self,
        variable: &'m Reference,
        over: &'m Reference,
        body: &'m Sequence,
        span: Span,
    ) -> Node<'m> {
        if let Some(size) = array_size(self.symbols, over) {
            self.add(Node::Basic(Basic::Set(variable, 0), span));
            let last = size as i32 - 1;
            let condition = Basic::AtMostNumber(variable, last);
            return self.counted(condition, body, Basic::Increment(variable), span);
        }
        let counter = self.flow.counters;
        self.flow.counters += 1;
        self.add(Node::Basic(Basic::ResetCounter(counter), span));
        let number = self.enter_loop();
        self.open();
        self.add(Node::Basic(Basic::CounterBelow(counter, over), span));
        self.add(Node::Basic(Basic::Rotate(over, variable), span));
        self.add(Node::Basic(Basic::RotateBack(over, variable), span));
        self.at_start = false;
        self.sequence(body);
        self.add(Node::Basic(Basic::IncrementCounter(counter), span));
        let main = self.close();
        self.around.pop();
        let exit = self.exit_option(number, true, span);
        Node::Do(vec![exit, main], number, span)
    }

    /// SPIN's lexer turns a `select` with two plain numbers outside of inlines into a choice.
    fn select(
        &mut self,
        variable: &'m Reference,
        low: &'m Expr,
        high: &'m Expr,
        span: Span,
    ) -> Node<'m> {
        if let Some((low, high)) = self.small_range(variable, low, high) {
            let options = (low..=high).map(|value| {
                self.open();
                self.add(Node::Basic(Basic::Set(variable, value), span));
                self.close()
            });
            return Node::If(options.collect(), span);
        }
        self.add(Node::Basic(Basic::Assign(variable, low), span));
        let number = self.enter_loop();
        self.open();
        self.add(Node::Basic(Basic::Below(variable, high), span));
        self.add(Node::Basic(Basic::Increment(variable), span));
        let main = self.close();
        self.around.pop();
        let exit = self.exit_option(number, false, span);
        Node::Do(vec![exit, main], number, span)
    }

    fn small_range(&self, variable: &Reference, low: &Expr, high: &Expr) -> Option<(i32, i32)> {
        let [ast::Part { name, index: None }] = &variable.parts[..] else { return None };
        let plain = name.text.chars().all(|c| c.is_ascii_alphanumeric());
        let (ExprKind::Number(low), ExprKind::Number(high)) = (&low.kind, &high.kind) else {
            return None;
        };
        let small = *low >= 0 && low <= high && high - low <= 32;
        (plain && small && self.calls.len() == 1).then_some((*low, *high))
    }

    fn call(&mut self, call: &'m ast::Call, span: Span) -> Node<'m> {
        self.flow.frames += 1;
        self.calls.push(self.flow.frames);
        self.results.push(call.result.as_ref());
        let seq = self.inner(&call.body);
        self.results.pop();
        self.calls.pop();
        Node::Block(seq, span)
    }

    /// Makes elements of a statement at the end of the sequence being built.
    fn add(&mut self, node: Node<'m>) {
        taut_budget::tick();
        let mut labels = Vec::new();
        let mut node = node;
        while let Node::Labelled(name, frame, inner) = node {
            labels.push((frame, name));
            node = *inner;
        }
        let here = self.here();
        let (id, placed) = match node {
            Node::Basic(basic, span) => (self.element(Kind::Basic(basic), span), false),
            Node::Atomic(seq, span) => (self.element(Kind::Atomic(seq), span), false),
            Node::DStep(seq, locked, span) => (self.element(Kind::DStep(seq, locked), span), false),
            Node::Block(seq, span) => (self.element(Kind::Block(seq), span), false),
            Node::Goto(jump, span) => (self.element(Kind::Goto(jump), span), false),
            Node::If(options, span) => (self.choice(options, None, span), true),
            Node::Do(options, number, span) => (self.choice(options, Some(number), span), true),
            Node::Unless(main, escape, span) => (self.escaping(main, escape, span), true),
            Node::Labelled(..) => unreachable!("labels are off"),
        };
        for label in labels {
            self.flow.labels.insert(label, id);
        }
        if !placed {
            self.append(id, here);
        }
    }

    fn choice(&mut self, options: Vec<SeqId>, number: Option<usize>, span: Span) -> ElId {
        let here = self.here();
        let options = self.else_last(options);
        let kind = match number {
            None => Kind::If(options.clone()),
            Some(_) => Kind::Do(options.clone()),
        };
        let id = self.element(kind, span);
        let dot = self.element(Kind::Dot, span);
        options.iter().for_each(|o| self.append(dot, *o));
        let Some(number) = number else {
            self.append(id, here);
            self.append(dot, here);
            return id;
        };
        self.append(dot, here);
        let after = self.element(Kind::Break, span);
        self.flow.breaks.insert(number, after);
        self.append(id, here);
        self.append(after, here);
        id
    }

    fn else_last(&self, options: Vec<SeqId>) -> Vec<SeqId> {
        let is_else = |s: &SeqId| {
            matches!(self.flow.element(self.flow.first(*s)).kind, Kind::Basic(Basic::Else))
        };
        let (mut last, mut options): (Vec<_>, Vec<_>) = options.into_iter().partition(is_else);
        options.append(&mut last);
        options
    }

    fn escaping(&mut self, main: SeqId, escape: SeqId, span: Span) -> ElId {
        let here = self.here();
        let id = self.element(Kind::Unless(main, escape), span);
        let dot = self.element(Kind::Dot, span);
        self.append(dot, main);
        self.append(dot, escape);
        self.attach(main, escape);
        self.append(id, here);
        self.append(dot, here);
        id
    }

    /// Hangs an escape on all elements of a sequence.
    fn attach(&mut self, seq: SeqId, escape: SeqId) {
        let extent = self.flow.extent(seq);
        let mut at = Some(self.flow.first(seq));
        while let Some(id) = at {
            taut_budget::tick();
            self.attach_to(id, escape);
            if Some(id) == extent {
                break;
            }
            at = self.flow.element(id).next;
        }
    }

    fn attach_to(&mut self, id: ElId, escape: SeqId) {
        if self.flow.element(id).escapes.contains(&escape) {
            return;
        }
        // The escapes that are there already can be escaped from, too.
        for inner in self.flow.element(id).escapes.clone() {
            self.attach(inner, escape);
        }
        self.flow.element_mut(id).escapes.insert(0, escape);
        match self.flow.element(id).kind.clone() {
            Kind::Unless(main, _) => self.attach(main, escape),
            Kind::If(options) | Kind::Do(options) => {
                options.into_iter().for_each(|o| self.attach(o, escape));
            }
            Kind::DStep(seq, _) => self.attach_to(self.flow.first(seq), escape),
            Kind::Atomic(seq) | Kind::Block(seq) => self.attach(seq, escape),
            Kind::Basic(_) | Kind::Goto(_) | Kind::Dot | Kind::Break | Kind::Stop => {}
        }
    }

    /// Marks the elements of an atomic sequence (of a `d_step` if `step`), all but the last.
    fn make_atomic(&mut self, seq: SeqId, step: bool) {
        let (first, last) = (self.flow.first(seq), self.flow.last(seq));
        self.walk_atomic(first, last, step);
        match self.flow.element(last).kind.clone() {
            Kind::Block(inner) | Kind::Atomic(inner) => self.make_atomic(inner, step),
            Kind::Unless(main, _) => self.make_atomic(main, step),
            _ => {
                let element = self.flow.element_mut(last);
                element.atomic = false;
                element.last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, first: ElId, last: ElId, step: bool) {
        let mut at = Some(first);
        while let Some(id) = at {
            taut_budget::tick();
            let element = self.flow.element_mut(id);
            element.atomic = true;
            element.in_step |= step;
            let subs = match element.kind.clone() {
                // An atomic block inside of another is a plain block.
                Kind::Atomic(seq) | Kind::Block(seq) => {
                    element.kind = Kind::Block(seq);
                    vec![seq]
                }
                Kind::DStep(seq, _) if step => {
                    element.kind = Kind::Block(seq);
                    vec![seq]
                }
                Kind::If(options) | Kind::Do(options) => options,
                Kind::Unless(main, escape) => vec![main, escape],
                _ => vec![],
            };
            for sub in subs {
                let (first, last) = (self.flow.first(sub), self.flow.last(sub));
                self.walk_atomic(first, last, step);
            }
            if id == last {
                break;
            }
            at = self.flow.element(id).next;
        }
    }
}

/// The number of elements of a whole array; none of anything else.
fn array_size(symbols: &Symbols, over: &Reference) -> Option<u32> {
    let Binding::Variable(id) = symbols.binding(over) else { return None };
    let mut variable = symbols.variable(id);
    for part in &over.parts[1..] {
        let ast::Type::User(name) = &variable.ty else { return None };
        let fields = &symbols.typedef(&name.text)?.fields;
        variable = fields.iter().find(|f| f.name == part.name.text)?;
    }
    let whole = over.parts.last().is_some_and(|p| p.index.is_none());
    variable.size.filter(|_| whole)
}

fn constant(e: &Expr) -> Option<i32> {
    match &e.kind {
        ExprKind::Number(value) => Some(*value),
        ExprKind::Bool(value) => Some(i32::from(*value)),
        ExprKind::Skip => Some(1),
        _ => None,
    }
}
