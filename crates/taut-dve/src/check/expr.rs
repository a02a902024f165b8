//! Names in expressions and assignments.

use taut_source::{Diagnostic, shown};

use super::table::Words;
use super::{Check, with_nearest};
use crate::ast::{Expr, ExprKind, Name, Place, Process, VarDecl};
use crate::codes;
use crate::expand::unknown;

impl<'m> Check<'m, '_> {
    /// Checks an expression in a process, or outside of all.
    pub(super) fn expr(&mut self, expr: &Expr, process: Option<&Process>) {
        if self.diagnostics.is_full() {
            return;
        }
        match &expr.kind {
            ExprKind::Name(name) => {
                self.variable(name, false, process);
            }
            ExprKind::Index(name, _) => {
                self.variable(name, true, process);
            }
            ExprKind::State(of, state) => {
                if self.known_process(of).is_some() {
                    self.location(state, of);
                }
            }
            ExprKind::Remote(of, name, index) => self.remote(of, name, index.is_some()),
            ExprKind::Num(_) | ExprKind::Bool(_) | ExprKind::Unary(..) | ExprKind::Binary(..) => {}
        }
        for operand in expr.operands() {
            self.expr(operand, process);
        }
    }

    /// Checks something that is assigned in a process.
    pub(super) fn place(&mut self, place: &Place, process: &Process) {
        let name = &place.name;
        if let Some(index) = &place.index {
            self.expr(index, Some(process));
        }
        let Some(variable) = self.variable(name, place.index.is_some(), Some(process)) else {
            return;
        };
        if variable.constant {
            let message = format!("the constant {} cannot be assigned", shown(&name.text));
            let found = Diagnostic::error(codes::NOT_ASSIGNABLE, message, name.span);
            let found = found.label("assigned here");
            self.diagnostics.push(found.related(variable.name.span, "declared as a constant"));
        }
    }

    /// What a name stands for, if it is a variable and has an index just when it needs one.
    fn variable(
        &mut self,
        name: &Name,
        indexed: bool,
        process: Option<&Process>,
    ) -> Option<&'m VarDecl> {
        let own = process.and_then(|p| self.table.process(&p.name.text));
        let of = |words: &Words<'m>| words.variables.get(name.text.as_str()).copied();
        let Some(variable) = own.and_then(of).or_else(|| of(&self.table.globals)) else {
            let globals = self.table.globals.variables.keys();
            let known = own.into_iter().flat_map(|w| w.variables.keys()).chain(globals).copied();
            let unknown = self.explain(name, unknown(name, known));
            self.diagnostics.push(unknown);
            return None;
        };
        self.indexed(name, variable, indexed).then_some(variable)
    }

    /// Says what a name is that is no variable.
    fn explain(&self, name: &Name, found: Diagnostic) -> Diagnostic {
        let text = name.text.as_str();
        if self.table.process(text).is_some() {
            let help = format!("write `{text}.location` or `{text}->variable`");
            return found.label("this is a process").help(help);
        }
        if self.table.globals.channels.contains_key(text) {
            return found.label("this is a channel");
        }
        found
    }

    fn remote(&mut self, of: &Name, name: &Name, indexed: bool) {
        let Some(words) = self.known_process(of) else { return };
        let Some(&variable) = words.variables.get(name.text.as_str()) else {
            let known: Vec<_> = words.variables.keys().copied().collect();
            let of = shown(&of.text);
            let message = format!("the process {of} has no variable {}", shown(&name.text));
            let found = Diagnostic::error(codes::UNKNOWN_VARIABLE, message, name.span);
            let otherwise = match self.table.globals.variables.contains_key(name.text.as_str()) {
                true => "it is a global variable: write its name alone",
                false => "",
            };
            let found = with_nearest(found, &name.text, known.into_iter(), otherwise);
            return self.diagnostics.push(found);
        };
        self.indexed(name, variable, indexed);
    }

    /// Whether a variable has an index just when it is an array.
    fn indexed(&mut self, name: &Name, variable: &VarDecl, indexed: bool) -> bool {
        match (variable.length.is_some(), indexed) {
            (true, false) => {
                let message = format!("{} is an array", shown(&name.text));
                let found = Diagnostic::error(codes::NEEDS_INDEX, message, name.span);
                let help = format!("write `{}[0]` for its first element", name.text);
                self.diagnostics.push(found.label("which element?").help(help));
            }
            (false, true) => {
                let message = format!("{} is no array", shown(&name.text));
                let found = Diagnostic::error(codes::NOT_AN_ARRAY, message, name.span);
                let found = found.label("an index on a single value");
                self.diagnostics.push(found.related(variable.name.span, "declared here"));
            }
            _ => return true,
        }
        false
    }
}
