//! Atomic sections and locked blocks.
//!
//! DIVERGENCE: in the paper memory updates of other threads' buffers may still happen while a thread is
//! between `atomic_begin` and `atomic_end`, and stores inside go to the thread's own buffer, which must be
//! empty again at `atomic_end`. Here an atomic section locks the bus: it begins when the process's own
//! buffer is empty, and until it ends nobody else moves, nothing commits, and its stores act on memory at
//! once. What other processes can see at the end of a section is the same; what the section itself can
//! read is not: it cannot see a store of another process arrive in its middle.

use taut_ir::{Control, Effect, Expr, Mode, PointId};
use taut_source::Diagnostic;

use super::Lowering;
use super::body::Builder;
use crate::ast::{Block, Stmt, StmtKind};
use crate::codes;

/// How deep `atomic_begin` and `atomic_end` nest.
pub(super) const DEEPEST_SECTION: usize = 100;

/// A statement with what belongs to it: a section is its `atomic_begin` with what is inside.
pub(super) struct Piece<'s> {
    pub stmt: &'s Stmt,
    /// For `atomic_begin`: the statements up to `atomic_end`, and that one.
    inside: Option<(&'s [Stmt], &'s Stmt)>,
}

/// Splits statements into pieces; declarations and bare labels fall away.
pub(super) fn pieces<'s>(cx: &mut Lowering<'_>, stmts: &'s [Stmt]) -> Vec<Piece<'s>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(stmt) = stmts.get(at).filter(|_| !cx.hopeless()) {
        at += 1;
        let mut inside = None;
        match &stmt.kind {
            _ if stmt.is_declaration() => continue,
            StmtKind::Nothing => continue,
            StmtKind::AtomicEnd => {
                unbalanced(cx, stmt, "`atomic_end` without `atomic_begin`");
                continue;
            }
            StmtKind::AtomicBegin => match matching_end(&stmts[at..]) {
                Some(length) => {
                    inside = Some((&stmts[at..at + length], &stmts[at + length]));
                    at += length + 1;
                }
                None => {
                    unbalanced(cx, stmt, "`atomic_begin` without `atomic_end`");
                    continue;
                }
            },
            _ => {}
        }
        all.push(Piece { stmt, inside });
    }
    all
}

/// How many statements stand before the `atomic_end` of a section.
fn matching_end(stmts: &[Stmt]) -> Option<usize> {
    let mut open = 1u32;
    stmts.iter().position(|stmt| {
        match stmt.kind {
            StmtKind::AtomicBegin => open += 1,
            StmtKind::AtomicEnd => open -= 1,
            _ => {}
        }
        open == 0
    })
}

fn unbalanced(cx: &mut Lowering<'_>, stmt: &Stmt, message: &str) {
    cx.report(
        Diagnostic::error(codes::UNBALANCED_ATOMIC, message, stmt.span)
            .label("its other half is not in the same list of statements")
            .help("both must stand in the same block; `atomic { … }` is never unbalanced"),
    );
}

impl Builder<'_, '_> {
    /// `atomic_begin … atomic_end`
    pub(super) fn section(&mut self, piece: &Piece<'_>, from: PointId, to: PointId) {
        let Some((inside, end)) = piece.inside else { return };
        let begin = piece.stmt;
        if self.frame.sections.len() >= DEEPEST_SECTION {
            let message = format!("atomic sections nest more than {DEEPEST_SECTION} levels deep");
            let found = Diagnostic::error(codes::TOO_DEEP, message, begin.span);
            return self.cx.report(found.label("too deep here"));
        }
        let outside = self.frame.is_atomic();
        self.frame.sections.push(begin.span.start);
        let last = self.entry_of(&Piece { stmt: end, inside: None });
        let pieces = pieces(self.cx, inside);
        let entry = self.entry(&pieces, last);
        self.enter(begin, outside, Expr::TRUE, from, entry);
        self.list(&pieces, entry, last);
        self.step(last, Expr::TRUE, Mode::Locked, vec![], Control::Goto(to), end.span);
        self.frame.sections.pop();
    }

    /// The step into a section: it waits for the process's own buffer.
    fn enter(&mut self, stmt: &Stmt, nested: bool, guard: Expr, from: PointId, entry: PointId) {
        let sections = std::mem::take(&mut self.frame.sections);
        let mode = if nested { Mode::Locked } else { Mode::Fence };
        self.step(from, guard, mode, vec![], Control::Goto(entry), stmt.span);
        self.frame.sections = sections;
    }

    /// `atomic { … }`: one locked step if its statements follow each other without a choice, else a
    /// section. An `assume` at its start is waited for outside.
    pub(super) fn atomic_block(&mut self, stmt: &Stmt, block: &Block, from: PointId, to: PointId) {
        if is_straight(block) {
            return self.locked_block(stmt, block, from, to);
        }
        let outside = self.frame.is_atomic();
        self.frame.sections.push(stmt.span.start);
        let all = self.open(block, to);
        let (guard, rest) = match all.first() {
            Some(Piece {
                stmt: Stmt { labels, may_end: false, kind: StmtKind::Assume(e, _), .. },
                ..
            }) if labels.is_empty() && !e.acts() => (self.expr(e), &all[1..]),
            _ => (Expr::TRUE, &all[..]),
        };
        let entry = self.entry(rest, to);
        self.enter(stmt, outside, guard, from, entry);
        self.list(rest, entry, to);
        self.frame.sections.pop();
    }

    /// `locked { … }`: one locked step.
    pub(super) fn locked_block(&mut self, stmt: &Stmt, block: &Block, from: PointId, to: PointId) {
        let mut guard = Expr::TRUE;
        let mut effects = Vec::new();
        let mut first = true;
        self.begin(from);
        self.in_one_step = true;
        for inner in &block.stmts {
            match &inner.kind {
                _ if inner.is_declaration() => continue,
                StmtKind::Assume(condition, _) if first => guard = self.expr(condition),
                _ => effects.extend(self.straight(inner)),
            }
            first = false;
        }
        self.in_one_step = false;
        self.step(from, guard, Mode::Locked, effects, Control::Goto(to), stmt.span);
    }

    /// The effects of a statement in a locked block.
    fn straight(&mut self, stmt: &Stmt) -> Vec<Effect> {
        let plain = stmt.labels.is_empty() && !stmt.may_end;
        if plain && is_plain(stmt) {
            let mut here = self.head;
            return self.effects(stmt, &mut here).unwrap_or_default();
        }
        let message = "this cannot stand in a locked block";
        let found = Diagnostic::error(codes::NOT_STRAIGHT, message, stmt.span);
        let found = found.label(match plain {
            true => "not an assignment, assertion or spawn",
            false => "a label would name a point inside of one step",
        });
        self.cx.report(found.help(
            "a locked block is one step: an `assume` first if any, then assignments; \
             `atomic { … }` may hold any statement",
        ));
        Vec::new()
    }
}

/// Whether a block can be one step.
fn is_straight(block: &Block) -> bool {
    let mut stmts = block.stmts.iter().filter(|s| !s.is_declaration());
    let unlabelled = |s: &Stmt| s.labels.is_empty() && !s.may_end;
    let first = stmts.next().is_none_or(|s| {
        let waits = matches!(s.kind, StmtKind::Assume(..)) && !s.acts();
        unlabelled(s) && (waits || is_plain(s))
    });
    first && stmts.all(|s| unlabelled(s) && is_plain(s))
}

/// Whether a statement is nothing but effects.
fn is_plain(stmt: &Stmt) -> bool {
    let plain = match &stmt.kind {
        StmtKind::Skip
        | StmtKind::Assign(_)
        | StmtKind::Local(_)
        | StmtKind::Free(_)
        | StmtKind::Assert(..)
        | StmtKind::Sfence
        | StmtKind::Spawn(..) => true,
        StmtKind::Rmw(rmw) => !rmw.op.compares(),
        _ => false,
    };
    plain && !stmt.acts()
}
