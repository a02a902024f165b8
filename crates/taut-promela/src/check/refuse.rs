//! What SPIN refuses though every name and type is right.
//!
//! A verdict about a model that SPIN does not read could not be compared with anything, and most of these
//! places are mistakes: a label that no jump can reach, one variable that receives two fields. Each function
//! here is one message of SPIN 6.5. What SPIN says and goes on after is a warning here.

use taut_source::{Diagnostic, Span};

use super::{Binding, Checker, Remote};
use crate::ast::*;
use crate::codes;

impl Checker<'_> {
    /// Reports a label at the beginning of a block: SPIN wants it before the block.
    pub(super) fn no_first_label(&mut self, body: &Sequence, block: &str) {
        let Some(StatementKind::Label(name, _)) = body.steps.first().map(|s| &s.kind) else {
            return;
        };
        let message = format!("the label `{}` cannot begin {block}", name.text);
        let d = Diagnostic::error(codes::LABEL_PLACE, message, name.at.0);
        self.report(d.label("the first statement has a label").help(match block {
            "an inline" => "put a statement before it, such as `skip`",
            _ => "put the label before the block",
        }));
    }

    /// Warns of a label at the beginning of an option, which names the whole choice.
    pub(super) fn warn_of_option_label(&mut self, first: &Statement) {
        let StatementKind::Label(name, _) = &first.kind else { return };
        let message = format!("the label `{}` stands before a guard", name.text);
        self.report(
            Diagnostic::warning(codes::LABEL_PLACE, message, name.at.0)
                .label("a jump to it leads to the whole `if` or `do`")
                .help("put the label before the `if` or `do`"),
        );
    }

    /// Reports labels before the two parts of an `unless`, except before a block that is escaped from.
    pub(super) fn unless_labels(&mut self, main: &Statement, escape: &Statement) {
        if let StatementKind::Label(name, labelled) = &main.kind
            && !labelled.as_ref().is_some_and(|s| is_block(&s.kind))
        {
            let message = format!("the label `{}` cannot stand before this `unless`", name.text);
            self.report(
                Diagnostic::error(codes::LABEL_PLACE, message, name.at.0)
                    .label("before a statement that is no block")
                    .help("write `label: { statement unless { … } }`"),
            );
        }
        if let StatementKind::Label(name, _) = &escape.kind {
            let message = format!("the label `{}` cannot name an escape", name.text);
            self.report(
                Diagnostic::error(codes::LABEL_PLACE, message, name.at.0)
                    .label("no jump can lead to the first statement of an escape"),
            );
        }
    }

    /// Reports an `unless` that begins a `d_step`.
    pub(super) fn no_first_unless(&mut self, body: &Sequence) {
        let first = body.steps.first().map(unlabelled);
        if let Some(first) = first.filter(|s| matches!(s.kind, StatementKind::Unless(..))) {
            self.refused_in_step("an `unless` as the first statement", first.at.0);
        }
    }

    /// Warns of any other `unless` inside of a `d_step`, which has no escape there.
    pub(super) fn warn_of_unless_in_step(&mut self, span: Span) {
        if self.step > 0 {
            self.report(
                Diagnostic::warning(
                    codes::STEP_PLACE,
                    "the escape of an `unless` in a `d_step` is ignored",
                    span,
                )
                .label("inside of a `d_step`"),
            );
        }
    }

    /// Reports a `run` inside of a `d_step`.
    pub(super) fn no_run_in_step(&mut self, span: Span) {
        self.refused_in_step("`run`", span);
    }

    /// Reports a look into another process in a condition or an assertion inside of a `d_step`.
    pub(super) fn no_remote_in_step(&mut self, condition: &Expr) {
        if let Some(span) = find(condition, &is_remote) {
            self.refused_in_step("a reference to another process", span);
        }
    }

    fn refused_in_step(&mut self, what: &str, span: Span) {
        if self.step == 0 {
            return;
        }
        let message = format!("{what} cannot stand in a `d_step`");
        self.report(
            Diagnostic::error(codes::STEP_PLACE, message, span)
                .label("inside of a `d_step`")
                .help("use `atomic` instead of `d_step`"),
        );
    }

    /// Reports a look into another process in a `provided` clause.
    pub(super) fn no_remote_in_provided(&mut self, condition: &Expr) {
        let Some(span) = find(condition, &is_remote) else { return };
        let message = "a `provided` clause cannot look into another process";
        self.report(
            Diagnostic::error(codes::PROVIDED, message, span).label("this is of another process"),
        );
    }

    /// Reports a label of a proctype that is defined below.
    pub(super) fn defined_later(&mut self, remote: &Remote, number: u32) {
        let span = self.symbols.proctypes[number as usize].span;
        let message = format!("`{}` is defined later", remote.proctype.text);
        self.report(
            Diagnostic::error(codes::UNKNOWN_PROCTYPE, message, remote.proctype.at.0)
                .label("a label of a proctype that is not known yet")
                .related(span, "defined here")
                .help("move its definition before this one"),
        );
    }

    /// Reports a label of the own proctype that stands below.
    pub(super) fn label_ahead(&mut self, name: &Name) {
        let message = format!("the label `{}` of this proctype is not known yet", name.text);
        self.report(
            Diagnostic::error(codes::UNKNOWN_LABEL, message, name.at.0)
                .label("no label of this name stands before this place"),
        );
    }

    /// Reports one variable in two fields of a receive. Elements and fields are not looked at, as in SPIN.
    pub(super) fn received_once(&mut self, patterns: &[Pattern]) {
        let mut known: Vec<(&str, Span)> = Vec::new();
        for pattern in patterns {
            let Pattern::Reference(reference) = pattern else { continue };
            let [part] = reference.parts.as_slice() else { continue };
            let is_variable = matches!(self.symbols.binding(reference), Binding::Variable(_));
            if part.index.is_some() || !is_variable {
                continue;
            }
            let name = part.name.text.as_str();
            match known.iter().find(|(other, _)| *other == name) {
                None => known.push((name, reference.at.0)),
                Some(&(_, first)) => {
                    let message = format!("`{name}` receives two fields of one message");
                    self.report(
                        Diagnostic::error(codes::RECEIVED_TWICE, message, reference.at.0)
                            .label("again here")
                            .related(first, "first here")
                            .help("use `_` for a field that is not needed"),
                    );
                }
            }
        }
    }

    /// What SPIN says about an `else` beside sends and receives: a warning, and after `xr` or `xs` an error.
    pub(super) fn else_beside_messages(&mut self, options: &[Sequence], at: Span) {
        let first = options.iter().filter_map(|option| option.steps.first()).map(unlabelled);
        let message = first
            .filter(|s| {
                matches!(s.kind, StatementKind::Send { .. } | StatementKind::Receive { .. })
            })
            .map(|s| s.at.0)
            .next();
        let Some(message) = message else { return };
        let d = match self.exclusive.is_empty() {
            true => Diagnostic::warning(
                codes::DUBIOUS_ELSE,
                "dubious use of `else` beside a send or a receive",
                at,
            )
            .help("whether it can be taken depends on the channel"),
            false => Diagnostic::error(
                codes::DUBIOUS_ELSE,
                "`else` cannot stand beside a send or a receive after `xr` or `xs`",
                at,
            )
            .help("it would look at a channel that is another process's alone"),
        };
        self.report(d.label("this `else`").related(message, "this waits for a channel"));
    }

    /// `xr c` and `xs c`: one process alone receives, or sends.
    pub(super) fn exclusive(&mut self, receive: bool, channels: &[Reference]) {
        for channel in channels {
            self.channel_reference(channel);
            let Binding::Variable(id) = self.symbols.binding(channel) else { continue };
            let claim = (receive, id, self.process, channel.at.0);
            let other = self.exclusive.iter().find(|(r, other, process, _)| {
                (*r, *other) == (receive, id) && *process != self.process
            });
            if let Some((.., first)) = other.copied() {
                let word = if receive { "xr" } else { "xs" };
                let name = &channel.parts[0].name.text;
                let message = format!("two proctypes claim `{word} {name}`");
                self.report(
                    Diagnostic::error(codes::EXCLUSIVE_TWICE, message, channel.at.0)
                        .label("claimed again here")
                        .related(first, "first claimed here"),
                );
            }
            self.exclusive.push(claim);
        }
    }

    /// Reports a new channel that is not declared at the start of its proctype.
    pub(super) fn channel_at_start(&mut self, variables: &Variables) {
        if self.at_start || self.process.is_none() {
            return;
        }
        for declarator in &variables.list {
            let Some(Initial::Channel { at, .. }) = &declarator.initial else { continue };
            let name = &declarator.name.text;
            let message = format!("the channel `{name}` must be made at the start of its proctype");
            self.report(
                Diagnostic::error(codes::CHANNEL_PLACE, message, at.0)
                    .label("made after a statement, or inside of a block")
                    .help("move the declaration before the first statement of the proctype"),
            );
        }
    }

    /// Reports what cannot be hidden: a bit, a channel, and what is local.
    pub(super) fn hidden(&mut self, variables: &Variables, declarator: &Declarator) {
        if variables.visibility != Some(Visibility::Hidden) {
            return;
        }
        let (message, label, help) = match variables.ty {
            _ if self.process.is_some() => {
                ("only a global variable can be hidden", "local to a proctype", "remove `hidden`")
            }
            Type::Bit | Type::Bool => {
                ("a bit cannot be hidden", "a bit or bool", "declare it `hidden byte`")
            }
            Type::Chan => ("a channel cannot be hidden", "a channel", "remove `hidden`"),
            _ => return,
        };
        self.report(
            Diagnostic::error(codes::HIDDEN_BIT, message, declarator.name.at.0)
                .label(label)
                .help(help),
        );
    }

    /// Reports a value that is read from `_`, which has none.
    pub(super) fn no_value_of_underscore(&mut self, reference: &Reference) {
        let Binding::Predefined(which) = self.symbols.binding(reference) else { return };
        if PREDEFINED[which as usize] == "_" {
            self.report(
                Diagnostic::error(codes::WRITE_ONLY, "`_` has no value", reference.at.0)
                    .label("it can only be assigned"),
            );
        }
    }

    /// Reports an array that is indexed with itself where it is assigned: `a[a[0]] = 1`. An index that
    /// computes is not looked at, as in SPIN.
    pub(super) fn no_self_index(&mut self, target: &Reference) {
        let path = |r: &Reference| r.parts.iter().map(|p| p.name.text.clone()).collect::<Vec<_>>();
        let own = path(target);
        let mut inner = last_index(target);
        while let Some(reference) = inner {
            if path(reference) == own {
                let message = format!("`{}` is indexed with itself", own.join("."));
                return self.report(
                    Diagnostic::error(codes::SELF_INDEX, message, reference.at.0)
                        .label("the array that is assigned")
                        .help("store the index in a variable first"),
                );
            }
            inner = last_index(reference);
        }
    }

    /// Reports arithmetic on a channel in a value that is assigned; the channel itself may be.
    pub(super) fn no_channel_arithmetic(&mut self, value: &Expr) {
        let parts = match &value.kind {
            ExprKind::Unary(_, inner) => vec![&**inner],
            ExprKind::Binary(_, left, right) => vec![&**left, &**right],
            ExprKind::Conditional(a, b, c) => vec![&**a, &**b, &**c],
            _ => return,
        };
        for part in parts {
            match &part.kind {
                ExprKind::Reference(r) if self.type_of(r) == Some(Type::Chan) => self.report(
                    Diagnostic::error(codes::CHANNEL_VALUE, "a channel is no number", part.at.0)
                        .label("part of a computation"),
                ),
                _ => self.no_channel_arithmetic(part),
            }
        }
    }

    /// Reports a variable of `for` or `select` that is no plain variable.
    pub(super) fn plain_counter(&mut self, variable: &Reference, word: &str) {
        if is_plain(variable) {
            return;
        }
        let message = format!("the variable of `{word}` must be a plain one");
        self.report(
            Diagnostic::error(codes::LOOP_VARIABLE, message, variable.at.0)
                .label("an element or a field"),
        );
    }

    /// Reports a range of constants whose first is above its last.
    pub(super) fn rising(&mut self, low: &Expr, high: &Expr) {
        let (ExprKind::Number(first), ExprKind::Number(last)) = (&low.kind, &high.kind) else {
            return;
        };
        if first > last {
            let message = format!("the range {first} .. {last} is empty");
            self.report(
                Diagnostic::error(codes::EMPTY_RANGE, message, low.at.0)
                    .label("above the last value"),
            );
        }
    }

    /// Reports a priority that is none. A `run` may say 0, which is the default.
    pub(super) fn priority_range(&mut self, priority: Option<i32>, lowest: i32, span: Span) {
        if priority.is_some_and(|p| !(lowest..=255).contains(&p)) {
            self.report(
                Diagnostic::error(codes::PRIORITY_RANGE, "a priority is from 1 to 255", span)
                    .label("this priority is not"),
            );
        }
    }

    /// Reports a `printm` of something that is no name.
    pub(super) fn printed_name(&mut self, value: &Expr) {
        if !matches!(value.kind, ExprKind::Reference(_)) {
            self.report(
                Diagnostic::error(codes::PRINTM, "`printm` prints a symbolic name", value.at.0)
                    .label("neither a name nor a variable")
                    .help("use `printf(\"%d\", …)`"),
            );
        }
    }
}

/// Whether a jump may lead to a label before it, though it is the main part of an `unless`.
fn is_block(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Block(_)
            | StatementKind::Atomic(_)
            | StatementKind::DStep(_)
            | StatementKind::Locked(_)
    )
}

/// A statement without the labels before it.
pub(super) fn unlabelled(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Label(_, Some(labelled)) => unlabelled(labelled),
        _ => statement,
    }
}

/// Whether a reference is one name without an index.
pub(super) fn is_plain(reference: &Reference) -> bool {
    matches!(reference.parts.as_slice(), [part] if part.index.is_none())
}

/// The reference that is the last index of a reference.
fn last_index(reference: &Reference) -> Option<&Reference> {
    match &reference.parts.last()?.index.as_deref()?.kind {
        ExprKind::Reference(inner) => Some(inner),
        _ => None,
    }
}

fn is_remote(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::RemoteLabel { .. } | ExprKind::RemoteVariable { .. })
}

/// Where an expression has something of a kind.
fn find(expr: &Expr, is: &impl Fn(&ExprKind) -> bool) -> Option<Span> {
    if is(&expr.kind) {
        return Some(expr.at.0);
    }
    let parts = match &expr.kind {
        ExprKind::Unary(_, inner) => vec![&**inner],
        ExprKind::Binary(_, left, right) => vec![&**left, &**right],
        ExprKind::Conditional(a, b, c) => vec![&**a, &**b, &**c],
        _ => Vec::new(),
    };
    parts.into_iter().find_map(|part| find(part, is))
}
