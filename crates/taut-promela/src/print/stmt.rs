//! Statements as text.

use super::Printer;
use crate::ast::*;

impl Printer {
    /// `{ statements }`
    pub(super) fn braces(&mut self, body: &Sequence) {
        self.put("{");
        self.indent += 1;
        self.line();
        self.sequence(body, false);
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    /// Statements, each on its line; the first of an option is its guard.
    fn sequence(&mut self, sequence: &Sequence, option: bool) {
        for (index, step) in sequence.steps.iter().enumerate() {
            if index > 0 {
                self.put(if option && index == 1 { " ->" } else { ";" });
                self.line();
            }
            self.statement(step);
        }
    }

    fn options(&mut self, open: &str, options: &[Sequence], close: &str) {
        self.put(open);
        for option in options {
            self.line();
            self.put(":: ");
            self.indent += 1;
            self.sequence(option, true);
            self.indent -= 1;
        }
        self.line();
        self.put(close);
    }

    /// A statement, without what ends it.
    pub(super) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare(variables) => self.variables(variables),
            StatementKind::Exclusive { receive, channels } => {
                self.put(if *receive { "xr " } else { "xs " });
                self.list(channels, ", ", Printer::reference);
            }
            StatementKind::Label(name, labelled) => {
                self.put(&format!("{}:", name.text));
                if let Some(labelled) = labelled {
                    self.put(" ");
                    self.statement(labelled);
                }
            }
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.put(" unless ");
                self.statement(escape);
            }
            StatementKind::Condition(condition) => self.expr(condition),
            StatementKind::Assign(target, value) => {
                self.reference(target);
                self.put(" = ");
                self.expr(value);
            }
            StatementKind::Increment(target) => {
                self.reference(target);
                self.put("++");
            }
            StatementKind::Decrement(target) => {
                self.reference(target);
                self.put("--");
            }
            StatementKind::Send { channel, sorted, values } => {
                self.reference(channel);
                self.put(if *sorted { "!!" } else { "!" });
                self.list(values, ", ", Printer::value);
            }
            StatementKind::Receive { channel, random, copy, patterns } => {
                self.reference(channel);
                self.put(if *random { "??" } else { "?" });
                self.put(if *copy { "<" } else { "" });
                self.list(patterns, ", ", Printer::pattern);
                self.put(if *copy { ">" } else { "" });
            }
            StatementKind::If(options) => self.options("if", options, "fi"),
            StatementKind::Do(options) => self.options("do", options, "od"),
            StatementKind::Atomic(body) => self.block("atomic ", body),
            StatementKind::DStep(body) => self.block("d_step ", body),
            StatementKind::Locked(body) => self.block("LOCKED ", body),
            StatementKind::Block(body) => self.block("", body),
            other => self.simple(other),
        }
    }

    fn block(&mut self, word: &str, body: &Sequence) {
        self.put(word);
        self.braces(body);
    }

    /// The statements that begin with a word of their own.
    fn simple(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::ForRange(variable, low, high, body) => {
                self.range("for (", variable, low, high);
                self.block(" ", body);
            }
            StatementKind::ForIn(variable, over, body) => {
                self.put("for (");
                self.reference(variable);
                self.put(" in ");
                self.reference(over);
                self.block(") ", body);
            }
            StatementKind::Select(variable, low, high) => {
                self.range("select (", variable, low, high)
            }
            StatementKind::Break => self.put("break"),
            StatementKind::Goto(label) => self.put(&format!("goto {}", label.text)),
            StatementKind::Else => self.put("else"),
            StatementKind::Assert(condition) => {
                self.put("assert(");
                self.expr(condition);
                self.put(")");
            }
            StatementKind::Printf(text, values) => {
                self.put(&format!("printf({text}"));
                for value in values {
                    self.put(", ");
                    self.expr(value);
                }
                self.put(")");
            }
            StatementKind::Printm(value) => {
                self.put("printm(");
                self.expr(value);
                self.put(")");
            }
            StatementKind::SetPriority(process, priority) => {
                self.put("set_priority(");
                self.expr(process);
                self.put(", ");
                self.expr(priority);
                self.put(")");
            }
            StatementKind::Return(value) => {
                self.put("return ");
                self.expr(value);
            }
            StatementKind::Call(call) => self.call(call),
            _ => unreachable!("printed by `statement`"),
        }
    }

    fn range(&mut self, open: &str, variable: &Reference, low: &Expr, high: &Expr) {
        self.put(open);
        self.reference(variable);
        self.put(" : ");
        self.expr(low);
        self.put(" .. ");
        self.expr(high);
        self.put(")");
    }

    fn call(&mut self, call: &Call) {
        if let Some(result) = &call.result {
            self.reference(result);
            self.put(" = ");
        }
        self.put(&format!("{}({})", call.name.text, call.arguments.join(", ")));
    }

    /// A value of a send: two `!` in a row would be another statement.
    fn value(&mut self, value: &Expr) {
        let negated = matches!(leftmost(value).kind, ExprKind::Unary(Unary::Not, _));
        if !negated {
            return self.expr(value);
        }
        self.put("(");
        self.expr(value);
        self.put(")");
    }
}

/// The operand at the very left of an expression.
fn leftmost(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Binary(_, left, _) => leftmost(left),
        _ => expr,
    }
}
