//! Labels. Those of a statement expression are its own: a macro with a loop inside may stand twice in one function.

use std::collections::HashMap;

use lang_c::ast::{BlockItem, Label, Statement};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span, nearest};

use super::{Body, Res, Sema, codes};

/// The names of labels of the statement expressions around a place, the innermost last, with the name that each has in
/// the function.
#[derive(Default)]
pub(super) struct Labels {
    scopes: Vec<HashMap<String, String>>,
    /// Number of statement expressions so far.
    count: u32,
}

impl Labels {
    /// Begins a statement expression.
    pub(super) fn enter(&mut self, items: &[Node<BlockItem>]) {
        let mut names = Vec::new();
        items.iter().for_each(|item| item_labels(&item.node, &mut names));
        self.count += 1;
        let number = self.count;
        self.scopes
            .push(names.into_iter().map(|n| (n.to_string(), format!("{n}.{number}"))).collect());
    }

    /// Ends a statement expression.
    pub(super) fn leave(&mut self) {
        debug_assert!(!self.scopes.is_empty(), "no statement expression has begun");
        self.scopes.pop();
    }

    /// The name in the function of a label.
    pub(super) fn name(&self, label: &str) -> String {
        let inner = self.scopes.iter().rev().find_map(|scope| scope.get(label));
        inner.cloned().unwrap_or_else(|| label.to_string())
    }
}

fn item_labels<'s>(item: &'s BlockItem, names: &mut Vec<&'s str>) {
    if let BlockItem::Statement(statement) = item {
        labels(&statement.node, names);
    }
}

/// The labels of a statement, not of the expressions inside.
fn labels<'s>(statement: &'s Statement, names: &mut Vec<&'s str>) {
    match statement {
        Statement::Labeled(labeled) => {
            if let Label::Identifier(name) = &labeled.node.label.node {
                names.push(&name.node.name);
            }
            labels(&labeled.node.statement.node, names);
        }
        Statement::Compound(items) => items.iter().for_each(|i| item_labels(&i.node, names)),
        Statement::If(s) => {
            labels(&s.node.then_statement.node, names);
            s.node.else_statement.iter().for_each(|e| labels(&e.node, names));
        }
        Statement::Switch(s) => labels(&s.node.statement.node, names),
        Statement::While(s) => labels(&s.node.statement.node, names),
        Statement::DoWhile(s) => labels(&s.node.statement.node, names),
        Statement::For(s) => labels(&s.node.statement.node, names),
        _ => {}
    }
}

impl Sema<'_> {
    /// Declares a label.
    pub(super) fn label(&mut self, name: &str, span: Span) -> Res<String> {
        let body = self.body.as_mut().ok_or(super::Reported)?;
        let unique = body.scoped.name(name);
        match body.labels.insert(unique.clone(), span) {
            None => Ok(unique),
            Some(first) => Err(self.twice(name, span, first)),
        }
    }

    /// A jump to a label, which may come later.
    pub(super) fn jump(&mut self, name: &str, span: Span) -> Res<String> {
        let body = self.body.as_mut().ok_or(super::Reported)?;
        let unique = body.scoped.name(name);
        body.gotos.push((unique.clone(), span));
        Ok(unique)
    }

    /// Every `goto` has its label.
    pub(super) fn check_gotos(&mut self, body: &Body) {
        for (name, span) in &body.gotos {
            if body.labels.contains_key(name) {
                continue;
            }
            let error = Diagnostic::error(codes::LABEL, format!("no label `{name}`"), *span);
            let near = nearest(name, body.labels.keys().map(String::as_str));
            let help = near.map(|n| format!("did you mean `{n}`?"));
            let help = help.unwrap_or_else(|| format!("write `{name}:` before a statement"));
            self.mistake(error.label("in this function").help(help));
        }
    }
}
