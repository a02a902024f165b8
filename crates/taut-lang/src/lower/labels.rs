//! Labels of one body, found before its code is lowered so that jumps forward know their target.
//!
//! Labels that name the same point of the program share a *group*, and a group has one program point: the
//! labels of one statement, a label at the end of a block and the point after it, a `loop` and the first
//! statement in it (a loop takes no step of its own).

use std::collections::HashMap;

use taut_ir::PointId;
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::atomic::DEEPEST_SECTION;
use crate::ast::{Block, Name, Stmt, StmtKind};
use crate::codes;

/// The number of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group(usize);

/// Labels of one point.
#[derive(Debug, Default)]
pub(super) struct Point {
    pub labels: Vec<String>,
    pub may_end: bool,
    /// Where the atomic sections around it start, outermost first.
    pub sections: Vec<u32>,
    pub point: Option<PointId>,
}

/// All labels of a body.
#[derive(Debug, Default)]
pub(super) struct Labels {
    points: Vec<Point>,
    names: HashMap<String, (Group, Span)>,
    /// The group of a statement, by where it starts.
    statements: HashMap<u32, Group>,
    /// The group at the end of a block, by where its closing word starts.
    ends: HashMap<u32, Group>,
}

impl Labels {
    /// The labels of a body; labels declared twice are reported.
    pub(super) fn of(body: &Block, cx: &mut Lowering<'_>) -> Labels {
        let mut labels = Labels::default();
        Collector { labels: &mut labels, sections: Vec::new(), cx }.block(body, None);
        labels
    }

    pub(super) fn of_statement(&self, stmt: &Stmt) -> Option<Group> {
        self.statements.get(&stmt.span.start).copied()
    }

    pub(super) fn at_end(&self, block: &Block) -> Option<Group> {
        self.ends.get(&block.end.start).copied()
    }

    pub(super) fn find(&self, name: &str) -> Option<Group> {
        self.names.get(name).map(|(group, _)| *group)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }

    pub(super) fn point(&mut self, group: Group) -> &mut Point {
        &mut self.points[group.0]
    }
}

struct Collector<'c, 'l, 'a> {
    labels: &'c mut Labels,
    sections: Vec<u32>,
    cx: &'l mut Lowering<'a>,
}

impl Collector<'_, '_, '_> {
    /// Collects the labels of a block whose first statement belongs to a group already, perhaps; returns
    /// the group of its first statement.
    fn block(&mut self, block: &Block, inherited: Option<Group>) -> Option<Group> {
        let depth = self.sections.len();
        let mut pending = inherited;
        let mut first = None;
        let mut seen = false;
        for stmt in &block.stmts {
            if stmt.is_declaration() {
                continue;
            }
            if !stmt.labels.is_empty() || stmt.may_end {
                pending = Some(self.add(pending, stmt));
            }
            if matches!(stmt.kind, StmtKind::Nothing) {
                continue;
            }
            let group = self.statement(stmt, pending.take());
            if !seen {
                first = group;
            }
            seen = true;
        }
        if let Some(group) = pending {
            self.labels.ends.insert(block.end.start, group);
        }
        self.sections.truncate(depth);
        first
    }

    /// Adds the labels of a statement to a group.
    fn add(&mut self, group: Option<Group>, stmt: &Stmt) -> Group {
        let group = group.unwrap_or_else(|| {
            let sections = self.sections.clone();
            self.labels.points.push(Point { sections, ..Point::default() });
            Group(self.labels.points.len() - 1)
        });
        self.labels.points[group.0].may_end |= stmt.may_end;
        for label in &stmt.labels {
            self.declare(label, group);
        }
        group
    }

    fn declare(&mut self, label: &Name, group: Group) {
        self.labels.points[group.0].labels.push(label.text.clone());
        let known = self.labels.names.insert(label.text.clone(), (group, label.span));
        if let Some((_, first)) = known {
            let message = format!("label `{}` is declared twice", label.text);
            self.cx.report(
                Diagnostic::error(codes::DECLARED_TWICE, message, label.span)
                    .label("declared again here")
                    .related(first, "first declared here"),
            );
        }
    }

    /// Goes through a statement; returns its group.
    fn statement(&mut self, stmt: &Stmt, group: Option<Group>) -> Option<Group> {
        let mut group = group;
        match &stmt.kind {
            // Beyond that depth the lowering refuses the program.
            StmtKind::AtomicBegin if self.sections.len() > DEEPEST_SECTION => {}
            StmtKind::AtomicBegin => self.sections.push(stmt.span.start),
            StmtKind::AtomicEnd => {
                self.sections.pop();
            }
            StmtKind::Atomic(block) => {
                self.sections.push(stmt.span.start);
                self.block(block, None);
                self.sections.pop();
            }
            // These take no step of their own.
            StmtKind::Loop(block) | StmtKind::DoWhile(block, ..) => {
                group = self.block(block, group).or(group);
            }
            _ => stmt.blocks().into_iter().for_each(|block| {
                self.block(block, None);
            }),
        }
        if let Some(group) = group {
            self.labels.statements.insert(stmt.span.start, group);
        }
        group
    }
}
