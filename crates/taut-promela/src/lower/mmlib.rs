//! The dialect of mmlib, natively: variables are numbers that macros name, and the library's macros are
//! operations of the memory system.
//!
//! A model defines PROCSIZE, VARSIZE and BUFFSIZE and includes `sc.h`, `tso.h` or `pso.h`. The header says
//! which memory model is meant and BUFFSIZE how large buffers are; the other two are not needed, but are
//! checked: a number that is no variable is an error there and here.

use taut_ir::{Expr, Lvalue, MemoryModel, Type as IrType, VarId, VarKind, Variable};
use taut_source::Diagnostic;

use super::Lowering;
use crate::ast::{self, ExprKind, MemoryOp};
use crate::{Definition, Parsed, codes};

/// The variables of an mmlib model.
#[derive(Clone, Debug)]
pub(super) struct Mmlib {
    first: VarId,
    count: u32,
    /// All variables are one array, because the model computes which one it means.
    array: bool,
}

/// The memory model that the included header stands for.
pub(super) fn model_of(parsed: &Parsed) -> Option<MemoryModel> {
    let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    parsed.includes.iter().find_map(|include| match name(&include.path).as_str() {
        "sc.h" => Some(MemoryModel::Sc),
        "tso.h" => Some(MemoryModel::Tso),
        "pso.h" => Some(MemoryModel::Pso),
        _ => None,
    })
}

fn definition<'p>(parsed: &'p Parsed, name: &str) -> Option<&'p Definition> {
    parsed.definitions.iter().find(|d| d.name == name && !d.takes_arguments)
}

fn number(definition: &Definition) -> Option<u32> {
    definition.text.trim().parse().ok()
}

/// The most variables of a model. Each is looked at for each process and each step that stores.
const MOST_VARIABLES: u32 = 1 << 12;

/// The most entries of a buffer, as for `--bound`.
const MOST_ENTRIES: u32 = 1 << 12;

/// The size of buffers that the model chooses.
pub(super) fn bound_of(parsed: &Parsed) -> Option<u32> {
    definition(parsed, "BUFFSIZE").and_then(number).filter(|b| *b > 0)
}

impl<'m> Lowering<'m> {
    /// Makes the variables of an mmlib model, if it is one: as many as VARSIZE says, or as are used.
    pub(super) fn mm_variables(&mut self) {
        let Some(highest) = self.used.mm_variables else { return };
        let size = definition(self.parsed, "VARSIZE").and_then(number);
        let count = size.unwrap_or(0).max(highest.saturating_add(1));
        self.refuse_buffers();
        if count > MOST_VARIABLES {
            self.refuse_size("VARSIZE", &format!("{count} variables"), MOST_VARIABLES);
            return;
        }
        let array = self.used.mm_computed;
        if let (Some(size), Some(d)) = (size, definition(self.parsed, "VARSIZE"))
            && highest >= size
        {
            let text = format!("variable {highest} is used, but VARSIZE is {size}");
            self.diagnostics.push(
                Diagnostic::error(codes::MMLIB, text, d.span)
                    .label("too small")
                    .help("VARSIZE is one more than the highest variable"),
            );
        }
        let first = VarId::from(self.program.vars.len());
        match array {
            true => self.mm_push("memory".into(), Some(count)),
            false => (0..count).for_each(|index| self.mm_push(self.mm_name(index), None)),
        }
        self.mm = Some(Mmlib { first, count, array });
    }

    /// Refuses buffers that make states too large to be of use.
    fn refuse_buffers(&mut self) {
        if let Some(entries) = bound_of(self.parsed).filter(|&entries| entries > MOST_ENTRIES) {
            self.refuse_size("BUFFSIZE", &format!("{entries} entries per buffer"), MOST_ENTRIES);
        }
    }

    /// Refuses a size before memory is taken for it.
    fn refuse_size(&mut self, name: &str, wanted: &str, most: u32) {
        let span = definition(self.parsed, name).map_or(taut_source::Span::NONE, |d| d.span);
        let text = format!("the model asks for {wanted}; the limit is {most}");
        let found = Diagnostic::error(codes::MMLIB, text, span).label("too large");
        self.diagnostics.push(found.help(format!("make {name} smaller")));
    }

    fn mm_push(&mut self, name: String, len: Option<u32>) {
        self.program.vars.push(Variable {
            name,
            kind: VarKind::Shared,
            ty: IrType::INT,
            len,
            init: vec![0; len.unwrap_or(1) as usize],
            span: taut_source::Span::NONE,
        });
    }

    /// The name of a variable: the first macro in the text that stands for its number, before the header is
    /// included.
    fn mm_name(&self, index: u32) -> String {
        let sizes = ["PROCSIZE", "VARSIZE", "BUFFSIZE"];
        let header = self.parsed.includes.first().map(|i| i.span);
        let mut named: Vec<&Definition> = self
            .parsed
            .definitions
            .iter()
            .filter(|d| !d.takes_arguments && !sizes.contains(&d.name.as_str()))
            .filter(|d| number(d) == Some(index) && header.is_none_or(|h| d.span < h))
            .collect();
        named.sort_by_key(|d| d.span);
        let taken = |name: &str| self.program.vars.iter().any(|v| v.name == name);
        match named.first() {
            Some(d) if !taken(&d.name) => d.name.clone(),
            _ => format!("var{index}"),
        }
    }

    /// Checks PROCSIZE, if it is given, against the processes that can run.
    pub(super) fn mm_processes(&mut self, running: u32) {
        let Some(d) = definition(self.parsed, "PROCSIZE") else { return };
        if self.mm.is_some()
            && let Some(size) = number(d)
            && running > size
        {
            let text = format!("{running} processes use the memory, but PROCSIZE is {size}");
            let d = Diagnostic::warning(codes::MMLIB, text, d.span)
                .label("too small for the library")
                .help("Taut does not need PROCSIZE");
            self.notes.push(d);
        }
    }

    /// The variable that a number names, to be written.
    pub(super) fn mm_place(&mut self, e: &'m ast::Expr) -> Option<Lvalue> {
        let Some(mm) = self.mm.clone() else {
            let text = "this model has no variables of mmlib".into();
            self.unsupported(text, e.at.0, "a variable is read by its name");
            return None;
        };
        Some(match (mm.array, self.expr(e)) {
            (true, index) => Lvalue::VarElem(mm.first, index),
            (false, Expr::Const(v)) if (0..i64::from(mm.count)).contains(&v) => {
                Lvalue::Var(VarId(mm.first.0 + v as u32))
            }
            _ => {
                let text = "there is no such variable".into();
                self.unsupported(text, e.at.0, "variables are the numbers below VARSIZE");
                return None;
            }
        })
    }

    /// The value of the variable that a number names, as the process sees it.
    pub(super) fn mm_read(&mut self, e: &'m ast::Expr) -> Expr {
        match self.mm_place(e) {
            Some(Lvalue::Var(v)) => Expr::Var(v),
            Some(Lvalue::VarElem(v, index)) => Expr::VarElem(v, Box::new(index)),
            _ => Expr::Const(0),
        }
    }
}

/// Which variable an operation of mmlib names; none if it is no such operation.
pub(super) fn named(op: MemoryOp, args: &[ast::Expr]) -> Option<Named> {
    let which = match op {
        MemoryOp::Read | MemoryOp::Write | MemoryOp::Init | MemoryOp::Gsvar => args.first(),
        MemoryOp::Svar => args.get(1),
        _ => None,
    };
    Some(match which?.kind {
        ExprKind::Number(n) => Named::Number(u32::try_from(n).unwrap_or(0)),
        _ => Named::Computed,
    })
}

/// How a variable of mmlib is named.
pub(super) enum Named {
    /// By its number.
    Number(u32),
    /// By an expression.
    Computed,
}
