//! Labels: every `goto` has a target.
//!
//! An inline may be called twice in one process, so the labels of each call are its own: a `goto` in a call
//! finds those first.

use std::collections::HashMap;

use taut_source::{Diagnostic, Span};

use super::Checker;
use super::refuse::unlabelled;
use crate::ast::*;
use crate::codes;
use taut_source::nearest;

/// The labels of a process or of one inline call, each with its place.
#[derive(Default)]
pub(super) struct Frame {
    labels: HashMap<String, Place>,
}

/// Where a label stands.
#[derive(Clone, Copy)]
struct Place {
    span: Span,
    /// The `d_step` it is in.
    step: u32,
    /// Whether it stands right before a `d_step`, which SPIN takes for its first statement.
    names_step: bool,
}

impl Checker<'_> {
    /// Collects the labels of a body, those of inline calls apart, as the innermost frame.
    pub(super) fn frame(&mut self, body: &Sequence) {
        let mut frame = Frame::default();
        let mut step = self.step;
        let mut count = self.steps;
        self.collect(body, &mut frame, &mut step, &mut count);
        self.frames.push(frame);
    }

    fn collect(&mut self, body: &Sequence, frame: &mut Frame, step: &mut u32, count: &mut u32) {
        body.steps.iter().for_each(|s| self.collect_one(s, frame, step, count));
    }

    fn collect_one(
        &mut self,
        statement: &Statement,
        frame: &mut Frame,
        step: &mut u32,
        count: &mut u32,
    ) {
        match &statement.kind {
            StatementKind::Label(name, labelled) => {
                self.label(name, frame, *step);
                let is_step = matches!(unlabelled(statement).kind, StatementKind::DStep(_));
                if is_step && let Some(known) = frame.labels.get_mut(&name.text) {
                    known.names_step = true;
                }
                if let Some(labelled) = labelled {
                    self.collect_one(labelled, frame, step, count);
                }
            }
            StatementKind::Unless(main, escape) => {
                self.collect_one(main, frame, step, count);
                self.collect_one(escape, frame, step, count);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|o| self.collect(o, frame, step, count));
            }
            StatementKind::DStep(body) => {
                // Numbered in the order in which the checker meets them.
                *count += 1;
                let outer = std::mem::replace(step, *count);
                self.collect(body, frame, step, count);
                *step = outer;
            }
            StatementKind::Atomic(body)
            | StatementKind::Block(body)
            | StatementKind::Locked(body)
            | StatementKind::ForRange(.., body)
            | StatementKind::ForIn(.., body) => self.collect(body, frame, step, count),
            StatementKind::Call(call) => *count += steps_in(&call.body),
            _ => {}
        }
    }

    /// A label where it stands.
    fn label(&mut self, name: &Name, frame: &mut Frame, step: u32) {
        if let Some(known) = frame.labels.get(&name.text) {
            let first = known.span;
            self.report(
                Diagnostic::error(
                    codes::LABEL_TWICE,
                    format!("the label `{}` stands twice in this process", name.text),
                    name.at.0,
                )
                .label("again here")
                .related(first, "first here"),
            );
            return;
        }
        let place = Place { span: name.at.0, step, names_step: false };
        frame.labels.insert(name.text.clone(), place);
        if let Some(process) = self.process {
            let labels = &mut self.symbols.proctypes[process as usize].labels;
            if !labels.contains(&name.text) {
                labels.push(name.text.clone());
            }
        }
    }

    /// `goto label`
    pub(super) fn goto(&mut self, name: &Name) {
        let found = self.frames.iter().rev().find_map(|f| f.labels.get(&name.text)).copied();
        let Some(place) = found else {
            let message = format!("there is no label `{}` in this process", name.text);
            let mut d =
                Diagnostic::error(codes::UNKNOWN_LABEL, message, name.at.0).label("unknown label");
            let known = self.frames.iter().flat_map(|f| f.labels.keys().map(String::as_str));
            if let Some(near) = nearest(&name.text, known) {
                d = d.help(format!("did you mean `{near}`?"));
            }
            return self.report(d);
        };
        if place.step != self.step || place.names_step {
            let message = "a `goto` cannot lead into or out of a `d_step`";
            let help = match place.names_step {
                true => "put a `skip` between the label and the `d_step`",
                false => "use `atomic` instead of `d_step`",
            };
            self.report(
                Diagnostic::error(codes::STEP_JUMP, message, name.at.0)
                    .label("this jump")
                    .related(place.span, "the label is here")
                    .help(help),
            );
        }
    }
}

/// How many `d_step`s are in a body, inline calls included.
fn steps_in(body: &Sequence) -> u32 {
    body.steps.iter().map(steps_in_one).sum()
}

fn steps_in_one(statement: &Statement) -> u32 {
    match &statement.kind {
        StatementKind::Label(_, Some(labelled)) => steps_in_one(labelled),
        StatementKind::Unless(main, escape) => steps_in_one(main) + steps_in_one(escape),
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().map(steps_in).sum()
        }
        StatementKind::DStep(body) => 1 + steps_in(body),
        StatementKind::Atomic(body)
        | StatementKind::Block(body)
        | StatementKind::Locked(body)
        | StatementKind::ForRange(.., body)
        | StatementKind::ForIn(.., body) => steps_in(body),
        StatementKind::Call(call) => steps_in(&call.body),
        _ => 0,
    }
}
