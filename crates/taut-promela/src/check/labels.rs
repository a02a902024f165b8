//! Labels: every `goto` has a target.
//!
//! An inline may be called twice in one process, so the labels of each call are its own: a `goto` in a call
//! finds those first.

use std::collections::HashMap;

use taut_diag::{Diagnostic, Span};

use super::Checker;
use crate::ast::*;
use crate::codes;
use taut_diag::nearest;

/// The labels of a process or of one inline call: each with its place and the `d_step` it is in.
#[derive(Default)]
pub(super) struct Frame {
    labels: HashMap<String, (Span, u32)>,
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
        if let Some((first, _)) = frame.labels.get(&name.text) {
            let first = *first;
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
        frame.labels.insert(name.text.clone(), (name.at.0, step));
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
        let Some((place, step)) = found else {
            let message = format!("there is no label `{}` in this process", name.text);
            let mut d =
                Diagnostic::error(codes::UNKNOWN_LABEL, message, name.at.0).label("unknown label");
            let known = self.frames.iter().flat_map(|f| f.labels.keys().map(String::as_str));
            if let Some(near) = nearest(&name.text, known) {
                d = d.help(format!("did you mean `{near}`?"));
            }
            return self.report(d);
        };
        if step != self.step {
            let message = "a `goto` cannot lead into or out of a `d_step`";
            self.report(
                Diagnostic::error(codes::STEP_JUMP, message, name.at.0)
                    .label("this jump")
                    .related(place, "the label is here")
                    .help("use `atomic` instead of `d_step`"),
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
