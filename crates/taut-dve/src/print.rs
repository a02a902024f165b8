//! Writing a model as DVE text.
//!
//! One transition a line. [`crate::parse`] reads the text back as the same tree, and so do DiVinE 2 and 3,
//! whose grammars group operators otherwise (DiVinE 2: `and` with `or`, `|` with `&`; DiVinE 3: to the right,
//! and bit operators before `*`): wherever any of the three readings differs there are parentheses. Channels
//! of a process, expressions and formulas are written as they are, and only DiVinE 3 knows them.

use std::fmt::Write;

use crate::ast::{
    Assertion, BinaryOp, ChanDecl, Expr, ExprKind, Message, Model, Name, Place, Process, Sync,
    Transition, UnaryOp, VarDecl,
};

/// Deeper expressions get only the parentheses that [`crate::parse`] needs, because too many nested ones
/// would be refused. (`a - b - c - ..` has none of ours and one a sign for DiVinE 3.)
const DEEPEST_CAREFUL: u32 = 100;

/// A model as DVE text.
pub fn print(model: &Model) -> String {
    let _phase = taut_budget::phase("the program is written");
    let mut out = String::new();
    for variable in &model.globals {
        let _ = writeln!(out, "{};", declaration(variable));
    }
    for channel in &model.channels {
        let _ = writeln!(out, "{};", channel_declaration(channel));
    }
    for process in &model.processes {
        separate(&mut out);
        print_process(&mut out, process);
    }
    for one in &model.expressions {
        separate(&mut out);
        let _ = writeln!(out, "expression {}() {{ {} }}", one.name, print_expr(&one.expr));
    }
    for one in &model.formulas {
        separate(&mut out);
        let _ = writeln!(out, "property ltl {} \"{}\"", one.name, one.text);
    }
    separate(&mut out);
    let order = if model.system.synchronous { "sync" } else { "async" };
    let _ = match &model.system.property {
        Some(name) => writeln!(out, "system {order} property {name};"),
        None => writeln!(out, "system {order};"),
    };
    out
}

/// An expression as DVE text.
pub fn print_expr(expr: &Expr) -> String {
    taut_budget::tick();
    let mut careful = Writer::new(true);
    careful.expr(expr);
    if careful.deepest <= DEEPEST_CAREFUL {
        return careful.out;
    }
    let mut plain = Writer::new(false);
    plain.expr(expr);
    plain.out
}

/// A blank line before everything but the first.
fn separate(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

fn declaration(variable: &VarDecl) -> String {
    let constant = if variable.constant { "const " } else { "" };
    let mut out = format!("{constant}{} {}", variable.ty.keyword(), variable.name);
    if let Some(length) = variable.length {
        let _ = write!(out, "[{length}]");
    }
    // What is not said is 0; a constant always says it.
    let said = variable.initial.iter().rposition(|&v| v != 0).map_or(0, |last| last + 1);
    let said = if variable.constant { said.max(1) } else { said };
    let values: Vec<String> = variable.initial[..said].iter().map(i64::to_string).collect();
    match (variable.length, values.is_empty()) {
        (_, true) => {}
        (None, _) => {
            let _ = write!(out, " = {}", values[0]);
        }
        (Some(_), _) => {
            let _ = write!(out, " = {{{}}}", values.join(", "));
        }
    }
    out
}

fn channel_declaration(channel: &ChanDecl) -> String {
    match &channel.types {
        None => format!("channel {}", channel.name),
        Some(types) => {
            let types: Vec<_> = types.iter().map(|t| t.keyword()).collect();
            format!("channel {{{}}} {}[{}]", types.join(", "), channel.name, channel.capacity)
        }
    }
}

fn print_process(out: &mut String, process: &Process) {
    let _ = writeln!(out, "process {} {{", process.name);
    for variable in &process.locals {
        let _ = writeln!(out, "  {};", declaration(variable));
    }
    for channel in &process.channels {
        let _ = writeln!(out, "  {};", channel_declaration(channel));
    }
    print_names(out, "state", &process.states);
    print_names(out, "init", std::slice::from_ref(&process.init));
    print_names(out, "accept", &process.accept);
    print_names(out, "commit", &process.commit);
    print_asserts(out, &process.asserts);
    if let Some((last, others)) = process.transitions.split_last() {
        out.push_str("  trans\n");
        for transition in others {
            let _ = writeln!(out, "    {},", print_transition(transition));
        }
        let _ = writeln!(out, "    {};", print_transition(last));
    }
    out.push_str("}\n");
}

fn print_names(out: &mut String, keyword: &str, names: &[Name]) {
    if !names.is_empty() {
        let names: Vec<_> = names.iter().map(|n| n.text.as_str()).collect();
        let _ = writeln!(out, "  {keyword} {};", names.join(", "));
    }
}

fn print_asserts(out: &mut String, asserts: &[Assertion]) {
    if !asserts.is_empty() {
        let one = |a: &Assertion| format!("{}: {}", a.state, print_expr(&a.condition));
        let all: Vec<String> = asserts.iter().map(one).collect();
        let _ = writeln!(out, "  assert {};", all.join(", "));
    }
}

/// A transition as DVE text, without the comma after it.
pub fn print_transition(transition: &Transition) -> String {
    let mut out = format!("{} -> {} {{", transition.source, transition.target);
    if let Some(guard) = &transition.guard {
        let _ = write!(out, " guard {};", print_expr(guard));
    }
    if let Some(sync) = &transition.sync {
        let _ = write!(out, " sync {};", print_sync(sync));
    }
    if !transition.effects.is_empty() {
        let one =
            |a: &crate::ast::Assign| format!("{} = {}", place(&a.place), print_expr(&a.value));
        let all: Vec<String> = transition.effects.iter().map(one).collect();
        let _ = write!(out, " effect {};", all.join(", "));
    }
    out.push_str(if out.ends_with('{') { "}" } else { " }" });
    out
}

fn print_sync(sync: &Sync) -> String {
    let owner = sync.process.as_ref().map_or(String::new(), |p| format!("{p}->"));
    let (sign, values): (_, Vec<String>) = match &sync.message {
        Message::Send(values) => ('!', values.iter().map(print_expr).collect()),
        Message::Receive(places) => ('?', places.iter().map(place).collect()),
    };
    let values = match values.len() {
        0 | 1 => values.concat(),
        _ => format!("{{{}}}", values.join(", ")),
    };
    format!("{owner}{}{sign}{values}", sync.channel)
}

fn place(place: &Place) -> String {
    match &place.index {
        Some(index) => format!("{}[{}]", place.name, print_expr(index)),
        None => place.name.text.clone(),
    }
}

/// Writes one expression.
struct Writer {
    out: String,
    /// With all parentheses that any version of DiVinE needs, or only with those that we need.
    careful: bool,
    depth: u32,
    deepest: u32,
}

impl Writer {
    fn new(careful: bool) -> Writer {
        Writer { out: String::new(), careful, depth: 0, deepest: 0 }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Num(value) => self.text(value),
            ExprKind::Bool(value) => self.text(value),
            ExprKind::Name(name) => self.text(name),
            ExprKind::Index(name, index) => {
                self.text(name);
                self.enclosed("[", index, "]");
            }
            ExprKind::State(process, state) => self.text(format_args!("{process}.{state}")),
            ExprKind::Remote(process, name, index) => {
                self.text(format_args!("{process}->{name}"));
                if let Some(index) = index {
                    self.enclosed("[", index, "]");
                }
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => {
                self.operand(left, self.parenthesised(*op, left, true));
                self.text(format_args!(" {} ", op.text()));
                self.operand(right, self.parenthesised(*op, right, false));
            }
        }
    }

    fn text(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.out, "{text}");
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        self.text(op.text());
        if op == UnaryOp::Not {
            self.out.push(' ');
        }
        let unary = matches!(operand.kind, ExprKind::Unary(..));
        let compound = unary && self.careful || matches!(operand.kind, ExprKind::Binary(..));
        self.deeper(|w| w.operand(operand, compound));
    }

    fn operand(&mut self, operand: &Expr, parenthesised: bool) {
        if parenthesised { self.enclosed("(", operand, ")") } else { self.expr(operand) }
    }

    fn enclosed(&mut self, open: &str, inner: &Expr, close: &str) {
        self.out.push_str(open);
        self.deeper(|w| w.expr(inner));
        self.out.push_str(close);
    }

    fn deeper(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        inner(self);
        self.depth -= 1;
    }

    fn parenthesised(&self, op: BinaryOp, operand: &Expr, left: bool) -> bool {
        if self.careful {
            return needs_parentheses(op, operand, left);
        }
        let ExprKind::Binary(inner, ..) = &operand.kind else { return false };
        let least = op.precedence() + u8::from(!left);
        inner.precedence() < least
    }
}

/// Whether an operand must stand in parentheses for every version of DiVinE to read it alike.
fn needs_parentheses(op: BinaryOp, operand: &Expr, left: bool) -> bool {
    let ExprKind::Binary(inner, ..) = &operand.kind else { return false };
    if *inner == op {
        return !(left && associative(op));
    }
    let bits = |op: BinaryOp| {
        use BinaryOp::*;
        matches!(op, BitAnd | BitOr | BitXor | Shl | Shr)
    };
    let comparison = |op: BinaryOp| (7..=8).contains(&op.precedence());
    bits(op)
        || bits(*inner)
        || comparison(op) && comparison(*inner)
        || op.shares_level_in_divine_2(*inner)
        || inner.precedence() <= op.precedence()
}

/// Whether `(a op b) op c` equals `a op (b op c)`, also for what is not computed.
fn associative(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Add | BinaryOp::Mul)
}
