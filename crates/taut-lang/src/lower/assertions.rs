//! The list of properties: what is declared and what `assert` statements bring, in the order of the source.
//!
//! An `assert` without a name is called after its line; all copies of it, in instances and in copies of
//! procedures, belong to one property.

use std::collections::{HashMap, HashSet};

use taut_ir::{Expr, Ltl, PropId, Property, PropertyKind};
use taut_ltl::Formula;
use taut_source::{Diagnostic, Span};

use super::{Lowering, MOST_PROPERTIES, visit};
use crate::ast::{
    Asked, Block, File, GraphEffect, GraphItem, ItemKind, Name, PropertyItem, StmtKind,
};
use crate::codes;

impl<'a> Lowering<'a> {
    /// Lists all properties; what they ask is filled in later.
    pub(super) fn name_properties(&mut self, file: &'a File) {
        let mut names = Names::new(file, self.map.file(file.end.file).text());
        for item in &file.items {
            match &item.kind {
                ItemKind::Process(p) => self.assertions_of(&p.body, &mut names),
                ItemKind::Procedure(p) => self.assertions_of(&p.body, &mut names),
                ItemKind::Graph(g) => self.assertions_of_graph(g, &names),
                ItemKind::Property(p) => self.declared_property(p, item.span, &mut names),
                _ => {}
            }
        }
        for (start, name) in names.pending {
            if let Some(&property) = self.assertion_names.get(&name) {
                self.assertions.insert(start, property);
            }
        }
    }

    fn declared_property(&mut self, item: &PropertyItem, span: Span, names: &mut Names) {
        let kind = match item.asked {
            Asked::Forbid(_) => PropertyKind::Forbid(Expr::Const(0)),
            Asked::Cover(_) => PropertyKind::Cover(Expr::Const(0)),
            Asked::Invariant(_) => PropertyKind::Invariant(Expr::TRUE),
            Asked::Ltl(_) => PropertyKind::Ltl(Box::new(Ltl {
                formula: Formula::True,
                atoms: Vec::new(),
                finite_runs: true,
            })),
            Asked::Assertion => PropertyKind::Assert,
        };
        if let Some(&first) = names.used.get(&item.name.text) {
            let message = format!("two properties are called `{}`", item.name.text);
            self.report(
                Diagnostic::error(codes::DECLARED_TWICE, message, item.name.span)
                    .label("declared again here")
                    .related(first, "first declared here"),
            );
        }
        names.used.insert(item.name.text.clone(), item.name.span);
        let id = self.property(item.name.text.clone(), kind, span);
        self.declared_properties.push(id);
    }

    /// Adds a property.
    pub(super) fn property(&mut self, name: String, kind: PropertyKind, span: Span) -> PropId {
        let id = PropId::from(self.program.properties.len());
        if kind == PropertyKind::Assert {
            self.assertion_names.entry(name.clone()).or_insert(id);
        }
        if id.index() == MOST_PROPERTIES {
            self.too_large(span, "properties", MOST_PROPERTIES);
        }
        self.program.properties.push(Property { name, kind, span });
        id
    }

    fn assertions_of(&mut self, body: &'a Block, names: &mut Names) {
        visit(&body.stmts, &mut |stmt| {
            let StmtKind::Assert(_, name) = &stmt.kind else { return };
            if self.hopeless() {
                return;
            }
            let start = stmt.span.start;
            if let Some(name) = name {
                self.named_assertion(name, stmt.span, names);
                names.pending.push((start, name.text.clone()));
                return;
            }
            let name = names.on_line(stmt.span);
            let property = self.property(name, PropertyKind::Assert, stmt.span);
            self.assertions.insert(start, property);
        });
    }

    /// `assert(e) as name`: the property of that name, made here unless it is declared elsewhere.
    fn named_assertion(&mut self, name: &Name, span: Span, names: &mut Names) {
        let known = self.assertion_names.contains_key(&name.text);
        if known || names.assertions.contains(&name.text) {
            return;
        }
        if let Some(&first) = names.used.get(&name.text) {
            let message = format!("`{}` is a property of another kind", name.text);
            let found = Diagnostic::error(codes::DECLARED_TWICE, message, name.span);
            self.report(found.label("declared again here").related(first, "first declared here"));
        }
        names.used.insert(name.text.clone(), name.span);
        self.property(name.text.clone(), PropertyKind::Assert, span);
    }

    fn assertions_of_graph(&mut self, graph: &GraphItem, names: &Names) {
        let steps = graph.sections.iter().flat_map(|s| &s.steps);
        for effect in steps.flat_map(|s| &s.effects) {
            let GraphEffect::Assert(_, name) = effect else { continue };
            let declared = names.assertions.contains(&name.text);
            if !declared && !self.assertion_names.contains_key(&name.text) {
                self.property(name.text.clone(), PropertyKind::Assert, name.span);
            }
        }
    }
}

/// Names of properties as they are given out.
struct Names {
    used: HashMap<String, Span>,
    /// What `assertion` items declare, anywhere in the file.
    assertions: HashSet<String>,
    /// Where each line starts. (A source map finds columns, too, which takes long on long lines.)
    starts: Vec<u32>,
    /// How many assertions without a name each line has so far.
    lines: HashMap<u32, u32>,
    /// Statements whose assertion is known by name only.
    pending: Vec<(u32, String)>,
}

impl Names {
    fn new(file: &File, text: &str) -> Names {
        let declared = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Property(p) if matches!(p.asked, Asked::Assertion) => {
                Some(p.name.text.clone())
            }
            _ => None,
        });
        let assertions = declared.collect();
        let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(i, _)| i as u32 + 1)).collect();
        let (used, lines, pending) = (HashMap::new(), HashMap::new(), Vec::new());
        Names { used, assertions, starts, lines, pending }
    }

    /// A new name for an assertion, after the line it starts on.
    fn on_line(&mut self, span: Span) -> String {
        let line = self.starts.partition_point(|&start| start <= span.start) as u32;
        let count = self.lines.entry(line).or_insert(0);
        loop {
            *count += 1;
            let name = match *count {
                1 => format!("assert:{line}"),
                n => format!("assert:{line}:{n}"),
            };
            if !self.assertions.contains(&name) && !self.used.contains_key(&name) {
                self.used.insert(name.clone(), span);
                return name;
            }
        }
    }
}
