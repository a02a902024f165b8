//! Statements.

use taut_source::Diagnostic;

use super::{Binding, Checker, Scope};
use crate::ast::*;
use crate::codes;

impl Checker<'_> {
    /// Statements in a row, in the scope that is open.
    pub(super) fn sequence(&mut self, body: &Sequence) {
        for step in &body.steps {
            if self.diagnostics.is_full() {
                return;
            }
            self.statement(step);
        }
    }

    /// Statements in a scope of their own.
    fn scope(&mut self, body: &Sequence) {
        self.scopes.push(Scope::new());
        self.sequence(body);
        self.scopes.pop();
    }

    /// A block, which a label cannot begin.
    fn block(&mut self, body: &Sequence, named: &str) {
        self.no_first_label(body, named);
        self.scope(body);
    }

    fn statement(&mut self, statement: &Statement) {
        taut_budget::tick();
        let declares =
            matches!(statement.kind, StatementKind::Declare(_) | StatementKind::Exclusive { .. });
        self.at_start &= declares;
        match &statement.kind {
            StatementKind::Declare(variables) => self.variables(variables, false),
            StatementKind::Exclusive { receive, channels } => self.exclusive(*receive, channels),
            StatementKind::Label(name, labelled) => {
                self.label_name(name);
                if let Some(labelled) = labelled {
                    self.statement(labelled);
                }
            }
            StatementKind::Unless(main, escape) => {
                self.warn_of_unless_in_step(statement.at.0);
                self.unless_labels(main, escape);
                self.statement(main);
                self.statement(escape);
            }
            StatementKind::Condition(condition) => self.condition(condition),
            StatementKind::Assign(target, value) => self.assign(target, value),
            StatementKind::Increment(target) | StatementKind::Decrement(target) => {
                self.number_target(target);
                self.no_value_of_underscore(target);
            }
            StatementKind::Send { channel, values, .. } => self.send(channel, values),
            StatementKind::Receive { channel, patterns, .. } => self.receive(channel, patterns),
            StatementKind::If(options) => self.options(options),
            StatementKind::Do(options) => {
                self.loops += 1;
                self.options(options);
                self.loops -= 1;
            }
            StatementKind::Break => self.break_statement(statement),
            StatementKind::Goto(label) => self.goto(label),
            StatementKind::Else if self.allowed_else == Some(statement.at.0) => {}
            StatementKind::Else => self.report(
                Diagnostic::error(codes::ELSE_PLACE, "`else` must begin an option", statement.at.0)
                    .label("not the first statement of an option of `if` or `do`"),
            ),
            StatementKind::Atomic(body) => self.block(body, "an `atomic` block"),
            StatementKind::Block(body) => self.block(body, "a block"),
            StatementKind::Locked(body) => self.block(body, "a `LOCKED` block"),
            StatementKind::DStep(body) => self.d_step(body),
            StatementKind::Call(call) => self.call(call),
            other => self.simple(other),
        }
    }

    /// The statements without much to check.
    fn simple(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::ForRange(variable, low, high, body) => {
                self.plain_counter(variable, "for");
                self.rising(low, high);
                self.number_target(variable);
                self.expr(low, false);
                self.expr(high, false);
                self.loop_body(body);
            }
            StatementKind::ForIn(variable, over, body) => self.for_in(variable, over, body),
            StatementKind::Select(variable, low, high) => {
                self.plain_counter(variable, "select");
                self.rising(low, high);
                self.number_target(variable);
                self.expr(low, false);
                self.expr(high, false);
            }
            StatementKind::Assert(value) => {
                self.expr(value, true);
                if self.step > 0 {
                    self.no_remote_in_step(value);
                }
            }
            StatementKind::Return(value) => self.expr(value, true),
            StatementKind::Printf(_, values) => values.iter().for_each(|v| self.expr(v, false)),
            StatementKind::Printm(value) => {
                self.expr(value, false);
                self.printed_name(value);
            }
            StatementKind::SetPriority(process, priority) => {
                self.expr(process, false);
                self.expr(priority, false);
            }
            _ => unreachable!("checked by `statement`"),
        }
    }

    /// A condition: `run` may stand alone, and so may an operation without a value.
    fn condition(&mut self, condition: &Expr) {
        match &condition.kind {
            ExprKind::Run { name, arguments, priority } => {
                self.priority_range(*priority, 0, name.at.0);
                self.run(name, arguments);
            }
            ExprKind::Memory(op, arguments) => self.memory(*op, arguments, condition.at.0, true),
            _ => {
                self.expr(condition, true);
                self.no_remote_in_step(condition);
            }
        }
    }

    fn assign(&mut self, target: &Reference, value: &Expr) {
        self.target(target);
        self.no_self_index(target);
        match &value.kind {
            ExprKind::Run { name, arguments, priority } => {
                self.priority_range(*priority, 0, name.at.0);
                self.run(name, arguments);
            }
            _ => self.expr(value, true),
        }
        if target.parts.len() == 1 {
            self.no_channel_arithmetic(value);
        }
        let Some(ty) = self.type_of(target) else { return };
        self.same_mtype(&ty, value);
        let number = match &value.kind {
            ExprKind::Number(number) => *number != 0,
            ExprKind::Binary(..) | ExprKind::Unary(..) => true,
            _ => false,
        };
        if ty == Type::Chan && number && target.parts.len() == 1 {
            self.report(
                Diagnostic::error(codes::CHANNEL_VALUE, "a channel is no number", value.at.0)
                    .label("this is no channel")
                    .related(target.at.0, "the variable is a channel"),
            );
        }
    }

    fn send(&mut self, channel: &Reference, values: &[Expr]) {
        self.channel_reference(channel);
        match self.in_trace {
            true => self.event_values(values),
            false => values.iter().for_each(|v| self.argument(v)),
        }
        let widths: Vec<usize> = values.iter().map(|v| self.width_of(v)).collect();
        self.message(channel, widths.into_iter().sum());
    }

    fn receive(&mut self, channel: &Reference, patterns: &[Pattern]) {
        self.channel_reference(channel);
        self.patterns(patterns, true);
        self.received_once(patterns);
        let widths: Vec<usize> = patterns
            .iter()
            .map(|p| match p {
                Pattern::Reference(r) => self.type_of(r).map_or(1, |t| self.symbols.width(&t)),
                _ => 1,
            })
            .collect();
        self.message(channel, widths.into_iter().sum());
    }

    /// Reports more values than a message of the channel has.
    fn message(&mut self, channel: &Reference, given: usize) {
        let Binding::Variable(id) = self.symbols.binding(channel) else { return };
        let known = self.symbols.variable(id);
        let Some(most) = known.fields.filter(|_| channel.parts.len() == 1) else { return };
        if given <= most {
            return;
        }
        let message = format!("a message of `{}` has {most} fields, not {given}", known.name);
        let span = known.span;
        self.report(
            Diagnostic::error(codes::MESSAGE_FIELDS, message, channel.at.0)
                .label("too many fields")
                .related(span, "the channel is declared here"),
        );
    }

    /// The options of `if` or `do`: `else` begins at most one of them.
    fn options(&mut self, options: &[Sequence]) {
        let mut first_else = None;
        for option in options {
            let Some((first, rest)) = option.steps.split_first() else { continue };
            let guard = begins_with_else(first);
            self.warn_of_option_label(first);
            match (guard, first_else) {
                (Some(at), Some(first)) => self.report(
                    Diagnostic::error(codes::ELSE_TWICE, "a choice has one `else` at most", at)
                        .label("the second one")
                        .related(first, "the first one"),
                ),
                (Some(at), None) => first_else = Some(at),
                (None, _) => {}
            }
            // Options share the scope around them: only braces open one.
            match guard {
                Some(_) => self.labels_of(first),
                None => {
                    self.allowed_else = nested_else(first);
                    self.statement(first);
                }
            }
            rest.iter().for_each(|s| self.statement(s));
        }
        if let Some(at) = first_else {
            self.else_beside_messages(options, at);
        }
    }

    /// The names of the labels before an `else`.
    fn labels_of(&mut self, statement: &Statement) {
        if let StatementKind::Label(name, Some(labelled)) = &statement.kind {
            self.label_name(name);
            self.labels_of(labelled);
        }
    }

    /// Reports a label that has the name of a variable.
    fn label_name(&mut self, name: &Name) {
        self.met.push(name.text.clone());
        let Some(id) = self.scopes.iter().rev().find_map(|s| s.get(&name.text)) else { return };
        let span = self.symbols.variable(*id).span;
        self.report(
            Diagnostic::error(
                codes::LABEL_NAME,
                format!("the label `{}` has the name of a variable", name.text),
                name.at.0,
            )
            .label("choose another name")
            .related(span, "the variable is declared here"),
        );
    }

    fn loop_body(&mut self, body: &Sequence) {
        self.loops += 1;
        self.scope(body);
        self.loops -= 1;
    }

    /// `for (x in a)`: a is an array or a channel.
    fn for_in(&mut self, variable: &Reference, over: &Reference, body: &Sequence) {
        self.plain_counter(variable, "for");
        self.reference(variable, true);
        self.reference_of_any_kind(over);
        let array = self.is_array(over);
        let channel = self.type_of(over).is_none_or(|t| t == Type::Chan);
        if !array && !channel {
            self.report(
                Diagnostic::error(
                    codes::NEEDS_CHANNEL,
                    "`for` needs an array or a channel",
                    over.at.0,
                )
                .label("this is neither"),
            );
        }
        if !array && channel {
            self.messages_of(variable, over);
        } else if over.parts.len() > 1 {
            self.report(
                Diagnostic::error(codes::LOOP_VARIABLE, "`for` needs a plain array", over.at.0)
                    .label("a field of a structure"),
            );
        }
        self.loop_body(body);
    }

    /// `for (m in c)`: the message is one whole structure, of the type of the variable, and `c` holds messages.
    fn messages_of(&mut self, variable: &Reference, channel: &Reference) {
        let Binding::Variable(id) = self.symbols.binding(channel) else { return };
        let known = self.symbols.variable(id);
        let wanted = match known.message.as_deref() {
            Some([Type::User(name)]) => Some(name.text.clone()),
            _ => None,
        };
        let given = match self.type_of(variable) {
            Some(Type::User(name)) => Some(name.text),
            _ => None,
        };
        if given.is_some() && given == wanted {
            return;
        }
        let span = known.span;
        self.report(
            Diagnostic::error(
                codes::LOOP_VARIABLE,
                "the messages of this channel are not of the type of the variable",
                variable.at.0,
            )
            .label("must be a structure of the type of the messages")
            .related(span, "the channel holds messages of one structure and is no rendezvous"),
        );
    }

    fn break_statement(&mut self, statement: &Statement) {
        if self.loops > 0 {
            return;
        }
        let d = match self.step {
            0 => {
                Diagnostic::error(codes::OUTSIDE_LOOP, "`break` outside of a loop", statement.at.0)
                    .label("there is no `do` or `for` around it")
            }
            _ => Diagnostic::error(
                codes::STEP_JUMP,
                "`break` cannot leave a `d_step`",
                statement.at.0,
            )
            .label("the loop is outside of the `d_step`"),
        };
        self.report(d);
    }

    fn d_step(&mut self, body: &Sequence) {
        self.steps += 1;
        let step = std::mem::replace(&mut self.step, self.steps);
        let loops = std::mem::take(&mut self.loops);
        self.no_first_unless(body);
        self.block(body, "a `d_step`");
        (self.step, self.loops) = (step, loops);
    }

    /// A call of an inline: its body stands where the call stands.
    fn call(&mut self, call: &Call) {
        if let Some(result) = &call.result {
            self.target(result);
        }
        self.calls.push((call.name.text.clone(), call.name.at.0));
        self.frame(&call.body);
        self.block(&call.body, "an inline");
        self.frames.pop();
        self.calls.pop();
    }
}

/// Where an `else` stands that begins a block that begins an option, as in `:: atomic { else -> … }`.
fn nested_else(statement: &Statement) -> Option<taut_source::Span> {
    match &statement.kind {
        StatementKind::Label(_, Some(labelled)) => nested_else(labelled),
        StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
            let first = body.steps.first()?;
            begins_with_else(first).or_else(|| nested_else(first))
        }
        _ => None,
    }
}

/// Where the `else` stands that begins an option, if one does.
fn begins_with_else(statement: &Statement) -> Option<taut_source::Span> {
    match &statement.kind {
        StatementKind::Else => Some(statement.at.0),
        StatementKind::Label(_, Some(labelled)) => begins_with_else(labelled),
        _ => None,
    }
}
