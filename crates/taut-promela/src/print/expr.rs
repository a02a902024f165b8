//! Expressions and formulas as text, with the parentheses they need.

use taut_ltl::Node;

use super::Printer;
use crate::ast::*;

impl Printer {
    /// An expression.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(value) => self.put(&value.to_string()),
            ExprKind::Char(code) => self.character(*code),
            ExprKind::Bool(value) => self.put(if *value { "true" } else { "false" }),
            ExprKind::Skip => self.put("skip"),
            ExprKind::Reference(reference) => self.reference(reference),
            ExprKind::Unary(operator, operand) => {
                self.put(match operator {
                    Unary::Negate => "-",
                    Unary::Not => "!",
                    Unary::Complement => "~",
                });
                self.operand(operand, 15);
            }
            ExprKind::Binary(operator, left, right) => {
                self.operand(left, operator.level());
                self.put(&format!(" {} ", operator.text()));
                self.operand(right, operator.level() + 1);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.put("(");
                self.expr(condition);
                self.put(" -> ");
                self.expr(yes);
                self.put(" : ");
                self.expr(no);
                self.put(")");
            }
            ExprKind::Run { name, arguments, priority } => {
                self.put(&format!("run {}(", name.text));
                self.list(arguments, ", ", Printer::expr);
                self.put(")");
                self.priority(*priority);
            }
            ExprKind::Channel(query, channel) => {
                self.put(query.text());
                self.put("(");
                self.reference(channel);
                self.put(")");
            }
            ExprKind::Poll { channel, random, patterns } => {
                self.reference(channel);
                self.put(if *random { "??[" } else { "?[" });
                self.list(patterns, ", ", Printer::pattern);
                self.put("]");
            }
            ExprKind::Timeout => self.put("timeout"),
            ExprKind::NonProgress => self.put("np_"),
            ExprKind::Process(query, process) => {
                self.put(query.text());
                self.put("(");
                self.expr(process);
                self.put(")");
            }
            ExprKind::RemoteLabel { proctype, process, label } => {
                self.process(proctype, process.as_deref());
                self.put("@");
                self.put(&label.text);
            }
            ExprKind::RemoteVariable { proctype, process, variable } => {
                self.process(proctype, process.as_deref());
                self.put(":");
                self.part(variable);
            }
            ExprKind::Memory(op, arguments) => {
                self.put(op.text());
                if *op != MemoryOp::SyncWord {
                    self.put("(");
                    self.list(arguments, ", ", Printer::expr);
                    self.put(")");
                }
            }
        }
    }

    /// An operand, in parentheses unless it binds at least as tightly as the given level.
    fn operand(&mut self, expr: &Expr, level: u8) {
        let own = match &expr.kind {
            ExprKind::Binary(operator, ..) => operator.level(),
            // Two signs in a row could be read as one.
            ExprKind::Unary(..) | ExprKind::Run { .. } => 14,
            _ => 16,
        };
        if own >= level {
            return self.expr(expr);
        }
        self.put("(");
        self.expr(expr);
        self.put(")");
    }

    fn process(&mut self, proctype: &Name, process: Option<&Expr>) {
        self.put(&proctype.text);
        if let Some(process) = process {
            self.put("[");
            self.expr(process);
            self.put("]");
        }
    }

    fn character(&mut self, code: u8) {
        let text = match code {
            b'\n' => "'\\n'".into(),
            b'\r' => "'\\r'".into(),
            b'\t' => "'\\t'".into(),
            12 => "'\\f'".into(),
            b'\'' | b'\\' => format!("'\\{}'", char::from(code)),
            32..127 => format!("'{}'", char::from(code)),
            _ => code.to_string(),
        };
        self.put(&text);
    }

    /// A variable, an element, a field.
    pub(super) fn reference(&mut self, reference: &Reference) {
        self.list(&reference.parts, ".", Printer::part);
    }

    fn part(&mut self, part: &Part) {
        self.put(&part.name.text);
        if let Some(index) = &part.index {
            self.put("[");
            self.expr(index);
            self.put("]");
        }
    }

    /// A field of a receive.
    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Reference(reference) => self.reference(reference),
            Pattern::Constant(value) => self.expr(value),
            Pattern::Eval(value) => {
                self.put("eval(");
                self.expr(value);
                self.put(")");
            }
        }
    }

    /// A formula; every part of it that is no plain name is in parentheses.
    pub(super) fn formula(&mut self, formula: &Formula) {
        match formula.node() {
            Node::Constant(truth) => self.put(if truth { "true" } else { "false" }),
            Node::Atom(expr) => self.expr(expr),
            Node::Prefix(operator, inner) => {
                self.put(operator.symbol());
                self.put(if operator.is_temporal() { " " } else { "" });
                self.inner(inner);
            }
            Node::Infix(operator, left, right) => {
                self.inner(left);
                self.put(&format!(" {} ", operator.symbol()));
                self.inner(right);
            }
        }
    }

    fn inner(&mut self, formula: &Formula) {
        let plain = matches!(
            formula,
            Formula::Atom(Expr {
                kind: ExprKind::Reference(_)
                    | ExprKind::Number(_)
                    | ExprKind::Bool(_)
                    | ExprKind::RemoteLabel { .. },
                ..
            })
        );
        if plain {
            return self.formula(formula);
        }
        self.put("(");
        self.formula(formula);
        self.put(")");
    }
}
