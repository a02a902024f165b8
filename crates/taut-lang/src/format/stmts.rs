//! Statements as text.

use super::Writer;
use super::exprs::{arguments, expression, list, read_modify_write, reference, variables};
use crate::ast::{Assign, AssignSign, Block, CaseLabel, If, Name, Stmt, StmtKind, Switch};
use crate::names;

impl Writer<'_> {
    /// The statements of a block.
    pub(super) fn statements(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        if let Some(text) = simple(&stmt.kind) {
            let text = format!("{}{text};", labels(stmt));
            return self.line(stmt.span.start, &text, stmt.span.end);
        }
        if !self.joined(stmt.span, |writer| writer.compound(stmt)) {
            self.compound(stmt);
        }
    }

    fn compound(&mut self, stmt: &Stmt) {
        let labels = labels(stmt);
        match &stmt.kind {
            StmtKind::Atomic(block) => self.block(stmt, &format!("{labels}atomic {{"), block, "}"),
            StmtKind::Locked(block) => self.block(stmt, &format!("{labels}locked {{"), block, "}"),
            StmtKind::Loop(block) => self.block(stmt, &format!("{labels}loop {{"), block, "}"),
            StmtKind::While(condition, block, _) => {
                let (open, close) = if block.braces { ("{", "}") } else { ("do", "od;") };
                let head = format!("{labels}while ({}) {open}", expression(condition));
                self.block(stmt, &head, block, close);
            }
            StmtKind::DoWhile(block, condition, _) => {
                let close = format!("}} while ({});", expression(condition));
                self.block(stmt, &format!("{labels}do {{"), block, &close);
            }
            StmtKind::For(all) => {
                let part = |part: &Option<Stmt>| {
                    part.as_ref().and_then(|s| simple(&s.kind)).unwrap_or_default()
                };
                let space = |text: String| if text.is_empty() { text } else { format!(" {text}") };
                let condition = all.condition.as_ref().map(expression).unwrap_or_default();
                let (init, step) = (part(&all.init), part(&all.step));
                let head = format!("{labels}for ({init};{};{}) {{", space(condition), space(step));
                self.block(stmt, &head, &all.body, "}");
            }
            StmtKind::Switch(all) => self.switch(stmt, &labels, all),
            StmtKind::Choose(blocks) => self.choose(stmt, &labels, blocks),
            StmtKind::If(all) => self.if_statement(stmt, &labels, all),
            _ => {}
        }
    }

    /// A head, a block and its end.
    fn block(&mut self, stmt: &Stmt, head: &str, block: &Block, close: &str) {
        self.line(stmt.span.start, head, block.open.end);
        self.indented(|w| w.statements(&block.stmts));
        self.inner_comments(block);
        self.closing(block.end.start, close, stmt.span.end);
    }

    /// Comments after the last statement of a block.
    pub(super) fn inner_comments(&mut self, block: &Block) {
        self.indent += 1;
        self.comments_before(block.end.start);
        self.indent -= 1;
    }

    fn switch(&mut self, stmt: &Stmt, labels: &str, all: &Switch) {
        let head = format!("{labels}switch ({}) {{", expression(&all.value));
        self.line(stmt.span.start, &head, all.open.end);
        self.indented(|w| {
            for case in &all.cases {
                for label in &case.labels {
                    w.line(label.span.start, &case_label(label), label.span.end);
                }
                w.indented(|w| w.statements(&case.block.stmts));
                w.inner_comments(&case.block);
            }
            w.comments_before(all.end.start);
        });
        self.closing(all.end.start, "}", stmt.span.end);
    }

    fn choose(&mut self, stmt: &Stmt, labels: &str, blocks: &[Block]) {
        let mut from = stmt.span.start;
        for (index, block) in blocks.iter().enumerate() {
            match index {
                0 => self.line(from, &format!("{labels}choose {{"), block.open.end),
                _ => self.closing(from, "} or {", block.open.end),
            }
            self.indented(|w| w.statements(&block.stmts));
            self.inner_comments(block);
            from = block.end.start;
        }
        self.closing(from, "}", stmt.span.end);
    }

    fn if_statement(&mut self, stmt: &Stmt, labels: &str, all: &If) {
        let mut from = stmt.span.start;
        let braces = all.branches.first().is_some_and(|(_, _, b)| b.braces);
        for (index, (condition, _, block)) in all.branches.iter().enumerate() {
            let head = format!("({}) {}", expression(condition), if braces { "{" } else { "then" });
            match (index, braces) {
                (0, _) => self.line(from, &format!("{labels}if {head}"), block.open.end),
                (_, true) => self.closing(from, &format!("}} else if {head}"), block.open.end),
                (_, false) => self.closing(from, &format!("elif {head}"), block.open.end),
            }
            self.indented(|w| w.statements(&block.stmts));
            self.inner_comments(block);
            from = block.end.start;
        }
        if let Some(block) = &all.otherwise {
            self.closing(from, if braces { "} else {" } else { "else" }, block.open.end);
            self.indented(|w| w.statements(&block.stmts));
            self.inner_comments(block);
            from = block.end.start;
        }
        self.closing(from, if braces { "}" } else { "fi;" }, stmt.span.end);
    }
}

fn case_label(label: &CaseLabel) -> String {
    match &label.values {
        None => "default:".into(),
        Some((from, None)) => format!("case {}:", expression(from)),
        Some((from, Some(to))) => format!("case {}..{}:", expression(from), expression(to)),
    }
}

fn labels(stmt: &Stmt) -> String {
    let end = if stmt.may_end { "end: " } else { "" };
    let labels = stmt.labels.iter().map(|l| format!("{}: ", names::quoted(&l.text)));
    format!("{end}{}", labels.collect::<String>())
}

/// A statement that stands on one line, without its `;`.
fn simple(kind: &StmtKind) -> Option<String> {
    Some(match kind {
        StmtKind::Nothing => String::new(),
        StmtKind::Skip => "skip".into(),
        StmtKind::Assume(e, false) => format!("assume({})", expression(e)),
        StmtKind::Assume(e, true) => format!("await({})", expression(e)),
        StmtKind::Assert(e, name) => format!("assert({}){}", expression(e), as_name(name.as_ref())),
        StmtKind::Assign(assign) => assignment(assign),
        StmtKind::Rmw(rmw) => {
            let result = rmw.result.as_ref();
            let result = result.map_or(String::new(), |r| format!("{} := ", reference(r)));
            format!("{result}{}", read_modify_write(rmw))
        }
        StmtKind::Free(e) => format!("free {}", expression(e)),
        StmtKind::ChooseValue(place, bounds) => {
            let (lo, hi) = (expression(&bounds.0), expression(&bounds.1));
            format!("{} := choose({lo}..{hi})", reference(place))
        }
        StmtKind::Call(name, args, true) => {
            format!("call {}{}", names::quoted(&name.text), arguments(args))
        }
        StmtKind::Call(name, args, false) => {
            format!("{}({})", names::quoted(&name.text), list(args))
        }
        StmtKind::Spawn(name, args) => {
            format!("spawn {}{}", names::quoted(&name.text), arguments(args))
        }
        StmtKind::Goto(label) => format!("goto {}", names::quoted(&label.text)),
        StmtKind::Local(declared) => variables(declared),
        StmtKind::Return(None) => "return".into(),
        StmtKind::Return(Some(value)) => format!("return {}", expression(value)),
        StmtKind::Fence => "fence".into(),
        StmtKind::Sfence => "sfence".into(),
        StmtKind::Sync => "sync".into(),
        StmtKind::AtomicBegin => "atomic_begin".into(),
        StmtKind::AtomicEnd => "atomic_end".into(),
        StmtKind::Break(label) => jump("break", label.as_ref()),
        StmtKind::Continue(label) => jump("continue", label.as_ref()),
        _ => return None,
    })
}

/// ` as name`, if there is one.
pub(super) fn as_name(name: Option<&Name>) -> String {
    name.map_or(String::new(), |n| format!(" as {}", title(n)))
}

/// A name that may be any text.
pub(super) fn title(name: &Name) -> String {
    if names::is_plain(&name.text) { name.text.clone() } else { names::enclose(&name.text, '"') }
}

fn jump(word: &str, label: Option<&Name>) -> String {
    label.map_or(word.into(), |label| format!("{word} {}", names::quoted(&label.text)))
}

fn assignment(assign: &Assign) -> String {
    let places: Vec<_> = assign.places.iter().map(reference).collect();
    let places = places.join(", ");
    let atomic = if assign.atomic { "atomic " } else { "" };
    match assign.sign {
        AssignSign::Set => format!("{atomic}{places} := {}", list(&assign.values)),
        AssignSign::With(op) => format!("{places} {}= {}", op.symbol(), list(&assign.values)),
        AssignSign::Step(op) => format!("{places}{0}{0}", op.symbol()),
    }
}
