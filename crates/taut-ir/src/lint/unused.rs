//! Variables without a use.
//!
//! A variable is *read* in an expression of a step or a property, *written* where a step stores to it. Several variables of
//! the program may come from one declaration (the fields of a structure, a local of a definition with several
//! copies), so uses are counted per declaration. Parameters are left alone: an instance that does not look at its number
//! is no mistake.

use std::collections::BTreeMap;

use taut_source::{Diagnostic, Span};

use super::{MOST, codes, push};
use crate::{DefId, Expr, Lvalue, ProcessDef, Program};

/// What is known of one declaration.
struct Use {
    name: String,
    read: bool,
    written: bool,
    /// It has an initial value other than 0, as constants do.
    has_value: bool,
    is_shared: bool,
}

/// Variables that are never used, never read, or never written, where the caller takes the name for one of the source.
pub fn unused(program: &Program, is_named: impl Fn(Span, &str) -> bool) -> Vec<Diagnostic> {
    let mut uses = Uses { program, all: BTreeMap::new() };
    uses.declare();
    for (id, def) in program.defs.iter().enumerate() {
        uses.of_def(DefId::from(id), def);
    }
    for property in &program.properties {
        property.kind.exprs().into_iter().for_each(|e| uses.read(None, e));
    }
    let suspects =
        uses.all.iter().filter_map(|(span, known)| Some((known, warning(*span, known)?)));
    let mut list = Vec::new();
    for (known, warning) in suspects.take(MOST) {
        if !known.name.starts_with('\'') && is_named(warning.span, &known.name) {
            push(&mut list, warning);
        }
    }
    list
}

fn warning(span: Span, known: &Use) -> Option<Diagnostic> {
    let name = &known.name;
    let (code, message, help) = match (known.read, known.written) {
        (false, false) => (codes::UNUSED, format!("`{name}` is never used"), "remove it"),
        (false, true) => (
            codes::NEVER_READ,
            format!("`{name}` is written but never read"),
            "ask about it in a property, or remove it",
        ),
        (true, false) if known.is_shared && !known.has_value => (
            codes::NEVER_WRITTEN,
            format!("`{name}` is read but never written"),
            "it is always 0; give it a value if it is a constant",
        ),
        _ => return None,
    };
    Some(Diagnostic::warning(code, message, span).label("declared here").help(help))
}

struct Uses<'p> {
    program: &'p Program,
    all: BTreeMap<Span, Use>,
}

impl Uses<'_> {
    fn declare(&mut self) {
        for var in &self.program.vars {
            let has_value = var.init.iter().any(|&value| value != 0);
            self.add(var.span, &var.name, has_value, true);
        }
        for def in &self.program.defs {
            let params = |id: usize| {
                let of_procedure = def
                    .procedures
                    .iter()
                    .any(|p| p.registers.iter().take(p.params as usize).any(|r| r.index() == id));
                id < def.params as usize || of_procedure
            };
            for (id, register) in def.registers.iter().enumerate() {
                let holds_channel = def.channel_registers.iter().any(|(r, _)| r.index() == id);
                if !params(id) && !holds_channel {
                    self.add(register.span, &register.name, false, false);
                }
            }
        }
    }

    fn add(&mut self, span: Span, name: &str, has_value: bool, is_shared: bool) {
        // A field of a structure is used if the structure is.
        let name = name.split(['.', '[']).next().unwrap_or(name).to_owned();
        let new = Use { name, read: false, written: false, has_value, is_shared };
        let known = self.all.entry(span).or_insert(new);
        known.has_value |= has_value;
    }

    fn of_def(&mut self, id: DefId, def: &ProcessDef) {
        for step in &def.steps {
            step.expressions().into_iter().for_each(|e| self.read(Some(id), e));
            let written: Vec<Span> = step.stores().map(|place| self.span_of(id, place)).collect();
            for span in written {
                if let Some(known) = self.all.get_mut(&span) {
                    known.written = true;
                }
            }
        }
    }

    fn span_of(&self, def: DefId, place: &Lvalue) -> Span {
        match place {
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => self.program.var(*v).span,
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => {
                self.program.defs[def.index()].registers[r.index()].span
            }
        }
    }

    /// Notes what an expression of a definition, or of a property, reads.
    fn read(&mut self, def: Option<DefId>, expr: &Expr) {
        let span = match (expr, def) {
            (Expr::Var(v) | Expr::VarElem(v, _), _) => Some(self.program.var(*v).span),
            (Expr::Reg(r) | Expr::RegElem(r, _), Some(def)) => {
                Some(self.program.defs[def.index()].registers[r.index()].span)
            }
            _ => None,
        };
        if let Some(known) = span.and_then(|span| self.all.get_mut(&span)) {
            known.read = true;
        }
        let def = match expr {
            Expr::In(process, _) => Some(self.program.process(*process).def),
            _ => def,
        };
        expr.operands().into_iter().for_each(|e| self.read(def, e));
    }
}
