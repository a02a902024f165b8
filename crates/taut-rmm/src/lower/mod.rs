//! From the tree to the program model.
//!
//! - A variable of the whole program is a shared variable. The variables `x` of all processes that have one are one shared array
//!   `x`, by the number of the process; `x[my]` and `x[k]` are elements of it.
//! - A statement is a step, `if` and `while` are two, `goto` is none ([`body`]). A statement that would leave a domain has a guard that
//!   blocks it; where the domains of registers show that it cannot, it has none. So no step faults.
//! - `locked { … }` and `cas` are one locked step per way through them ([`act`]).
//! - `*` is resolved before anything else happens ([`start`]).
//! - The property is that no combination of `forbidden` is occupied.

mod act;
mod body;
mod names;
mod start;

use taut_ir::{
    Chance, DefId, Expr, Process, ProcessDef, Program, Property, PropertyKind, Span, Start,
    build::DEFAULT_CALL_DEPTH,
};
use taut_source::{Diagnostic, Diagnostics, SourceFile, nearest, shown};

use crate::ast::{Combination, File};
use crate::codes;
use names::Names;

/// The name of the property.
pub(crate) const FORBIDDEN: &str = "forbidden";

/// The most processes of a program.
const MOST_PROCESSES: usize = 256;

/// What is not in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    /// The values that `Z` stands for.
    pub(crate) integers: Option<(i64, i64)>,
    /// Whether properties from outside may look at registers: then those that are never read begin with any value, too.
    pub(crate) all_registers: bool,
}

/// The messages of a reading: what is wrong, and what is odd.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) errors: Diagnostics,
    pub(crate) warnings: Diagnostics,
}

/// The program of a tree; none if something is wrong, which then was reported.
pub(crate) fn lower(
    source: &SourceFile,
    file: &File,
    asked: Asked,
    found: &mut Found,
) -> Option<Program> {
    let names = Names::of(file, asked, found)?;
    if names.processes.len() > MOST_PROCESSES {
        let message = format!("the program has more than {MOST_PROCESSES} processes");
        let span = file.processes.last().map_or(Span::NONE, |p| p.span);
        found.errors.push(Diagnostic::error(codes::TOO_LARGE, message, span).label("too many"));
        return None;
    }
    let mut program = Program {
        name: source.name().to_owned(),
        vars: names.vars.clone(),
        call_depth: DEFAULT_CALL_DEPTH,
        chances: chances(&names, asked, source),
        ..Program::default()
    };
    let mut lower = Lower { source, names: &names, asked, found };
    lower.processes(&mut program);
    lower.property(file, &mut program);
    (!found.errors.has_errors()).then_some(program)
}

/// The verdict says which values `Z` stands for.
fn chances(names: &Names<'_>, asked: Asked, source: &SourceFile) -> Vec<Chance> {
    let Some((low, high)) = asked.integers else { return Vec::new() };
    let chance = |at: &Span| Chance {
        name: "Z".into(),
        line: source.position(at.start).line,
        values: (low..=high).collect(),
    };
    names.unbounded.iter().map(chance).collect()
}

struct Lower<'a, 'f> {
    source: &'a SourceFile,
    names: &'a Names<'f>,
    asked: Asked,
    found: &'a mut Found,
}

impl Lower<'_, '_> {
    /// The processes. Copies of a process that do not look at the number of the process have one definition.
    fn processes(&mut self, program: &mut Program) {
        let mut shared: Vec<Option<DefId>> = vec![None; self.names.file.processes.len()];
        let begins = self.names.begins_with_any();
        for (number, &group) in self.names.processes.iter().enumerate() {
            taut_budget::tick();
            // The first process chooses the initial memory.
            let chooses = begins && number == 0;
            let is_alike = !chooses && !self.names.is_numbered(group);
            let known = shared[group].filter(|_| is_alike);
            let def = known.unwrap_or_else(|| {
                program.defs.push(self.definition(number, group));
                DefId::from(program.defs.len() - 1)
            });
            if is_alike {
                shared[group] = Some(def);
            }
            program.processes.push(Process {
                name: format!("P{number}"),
                def,
                args: Vec::new(),
                start: Start::Initially,
                channels: Vec::new(),
            });
        }
    }

    fn definition(&mut self, number: usize, group: usize) -> ProcessDef {
        let mut body = body::Body::new(self.source, self.names, number, group, self.found);
        let first = body.whole();
        let def = body.finish();
        start::begin(self.names, self.asked, number, group, def, first)
    }

    /// No combination is occupied.
    fn property(&mut self, file: &File, program: &mut Program) {
        let mut bad: Option<Expr> = None;
        for combination in &file.forbidden {
            let Some(one) = self.combination(combination, program) else { continue };
            bad = Some(match bad {
                Some(others) => Expr::binary(taut_ir::BinaryOp::Or, others, one),
                None => one,
            });
        }
        let span = file.forbidden_at.unwrap_or(Span::NONE);
        let last = file.forbidden.last().map_or(span, |c| c.span);
        let kind = PropertyKind::Forbid(bad.unwrap_or(Expr::Const(0)));
        let span = span.to(last);
        program.properties.push(Property { name: FORBIDDEN.into(), kind, span });
    }

    fn combination(&mut self, combination: &Combination, program: &Program) -> Option<Expr> {
        let (entries, processes) = (combination.entries.len(), program.processes.len());
        if entries != processes {
            let message = format!(
                "{entries} entries for {processes} processes: there is one entry per process"
            );
            let found = Diagnostic::error(codes::FORBIDDEN_LENGTH, message, combination.span)
                .label(if entries < processes { "too few" } else { "too many" });
            self.found.errors.push(found.help(
                "write `*` for a process of which nothing is asked; `process(2)` is two processes",
            ));
            return None;
        }
        let mut all = Expr::TRUE;
        for (process, entry) in program.process_ids().zip(&combination.entries) {
            let Some(label) = &entry.label else { continue };
            let points = program.def_of(process).labelled(label);
            if points.is_empty() {
                self.unknown_label(label, entry.span, program.def_of(process));
                return None;
            }
            all = all.and(Expr::At(process, points));
        }
        Some(all)
    }

    fn unknown_label(&mut self, label: &str, span: Span, def: &ProcessDef) {
        let message = format!("the process {} has no label {}", def.name, shown(label));
        let found = Diagnostic::error(codes::UNKNOWN_LABEL, message, span).label("unknown here");
        let known = def.points.iter().flat_map(|p| &p.labels).map(String::as_str);
        self.found.errors.push(match nearest(label, known) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help("write `*` if nothing is asked of it"),
        });
    }
}
