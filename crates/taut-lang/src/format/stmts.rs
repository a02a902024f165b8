//! Statements as text.

use super::Writer;
use super::exprs::{arguments, expression, list, reference, variables};
use crate::ast::{Assign, Block, If, Name, Rmw, Stmt, StmtKind};
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
        StmtKind::Rmw(rmw) => read_modify_write(rmw),
        StmtKind::ChooseValue(place, bounds) => {
            let (lo, hi) = (expression(&bounds.0), expression(&bounds.1));
            format!("{} := choose({lo}..{hi})", reference(place))
        }
        StmtKind::Call(name, args) => {
            format!("call {}{}", names::quoted(&name.text), arguments(args))
        }
        StmtKind::Spawn(name, args) => {
            format!("spawn {}{}", names::quoted(&name.text), arguments(args))
        }
        StmtKind::Goto(label) => format!("goto {}", names::quoted(&label.text)),
        StmtKind::Local(declared) => variables(declared),
        StmtKind::Return => "return".into(),
        StmtKind::Fence => "fence".into(),
        StmtKind::Sfence => "sfence".into(),
        StmtKind::Sync => "sync".into(),
        StmtKind::AtomicBegin => "atomic_begin".into(),
        StmtKind::AtomicEnd => "atomic_end".into(),
        StmtKind::Break => "break".into(),
        StmtKind::Continue => "continue".into(),
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

fn assignment(assign: &Assign) -> String {
    let places: Vec<_> = assign.places.iter().map(reference).collect();
    let atomic = if assign.atomic { "atomic " } else { "" };
    format!("{atomic}{} := {}", places.join(", "), list(&assign.values))
}

fn read_modify_write(rmw: &Rmw) -> String {
    let result = rmw.result.as_ref().map_or(String::new(), |r| format!("{} := ", reference(r)));
    format!("{result}{}({}, {})", rmw.op.word(), reference(&rmw.location), list(&rmw.args))
}
