//! Comparing models by what they say, whatever text they came from.

use taut_source::Span;

use crate::ast::{
    ChanDecl, Expr, ExprKind, Message, Model, Name, Place, Process, Transition, VarDecl,
};

/// Whether two models are equal except for their places in source files.
pub fn same(a: &Model, b: &Model) -> bool {
    without_spans(a) == without_spans(b)
}

/// A model that points into no source file.
pub fn without_spans(model: &Model) -> Model {
    let mut model = model.clone();
    variables(&mut model.globals);
    channels(&mut model.channels);
    model.processes.iter_mut().for_each(process);
    for one in &mut model.expressions {
        (one.name.span, one.span) = (Span::NONE, Span::NONE);
        expr(&mut one.expr);
    }
    for one in &mut model.formulas {
        (one.name.span, one.span, one.text_span) = (Span::NONE, Span::NONE, Span::NONE);
    }
    model.system.span = Span::NONE;
    names(model.system.property.as_mut_slice());
    model
}

fn names(names: &mut [Name]) {
    names.iter_mut().for_each(|n| n.span = Span::NONE);
}

fn variables(all: &mut [VarDecl]) {
    all.iter_mut().for_each(|v| (v.name.span, v.span) = (Span::NONE, Span::NONE));
}

fn channels(all: &mut [ChanDecl]) {
    all.iter_mut().for_each(|c| (c.name.span, c.span) = (Span::NONE, Span::NONE));
}

fn process(process: &mut Process) {
    (process.name.span, process.init.span, process.span) = (Span::NONE, Span::NONE, Span::NONE);
    channels(&mut process.channels);
    variables(&mut process.locals);
    names(&mut process.states);
    names(&mut process.accept);
    names(&mut process.commit);
    for one in &mut process.asserts {
        (one.state.span, one.span) = (Span::NONE, Span::NONE);
        expr(&mut one.condition);
    }
    process.transitions.iter_mut().for_each(transition);
}

fn transition(one: &mut Transition) {
    (one.source.span, one.target.span) = (Span::NONE, Span::NONE);
    (one.span, one.close) = (Span::NONE, Span::NONE);
    one.guard.iter_mut().for_each(expr);
    if let Some(sync) = &mut one.sync {
        (sync.channel.span, sync.span) = (Span::NONE, Span::NONE);
        names(sync.process.as_mut_slice());
        match &mut sync.message {
            Message::Send(values) => values.iter_mut().for_each(expr),
            Message::Receive(places) => places.iter_mut().for_each(place),
        }
    }
    for effect in &mut one.effects {
        effect.span = Span::NONE;
        place(&mut effect.place);
        expr(&mut effect.value);
    }
}

fn place(place: &mut Place) {
    (place.name.span, place.span) = (Span::NONE, Span::NONE);
    place.index.iter_mut().for_each(expr);
}

fn expr(one: &mut Expr) {
    one.span = Span::NONE;
    match &mut one.kind {
        ExprKind::Num(_) | ExprKind::Bool(_) => {}
        ExprKind::Name(name) => name.span = Span::NONE,
        ExprKind::Index(name, index) => {
            name.span = Span::NONE;
            expr(index);
        }
        ExprKind::State(process, state) => {
            (process.span, state.span) = (Span::NONE, Span::NONE);
        }
        ExprKind::Remote(process, name, index) => {
            (process.span, name.span) = (Span::NONE, Span::NONE);
            index.iter_mut().for_each(|i| expr(i));
        }
        ExprKind::Unary(_, a) => expr(a),
        ExprKind::Binary(_, a, b) => {
            expr(a);
            expr(b);
        }
    }
}
