//! Threads without a `main`: functions of a text that is not a C file as a whole, such as a litmus test.
//!
//! The caller says which parts of its file are C ([`Part::Text`]) and adds what is missing between them ([`Part::Own`]). Types,
//! expressions, statements and memory orders mean what they mean in a C program: the passes are the same. Each thread function is
//! a process from the start; its parameters are the addresses of globals; its locals keep their values to the end, so that they can be asked
//! for.

use taut_ir::frontend::{FenceWords, FileAccess};
use taut_ir::{Expr, ProcId, Program, RegId};
use taut_source::{Diagnostics, EditSites, FileId, SourceMap};

use crate::edits::{Edits, FENCE, STORE_FENCE};
use crate::hir::Unit;
use crate::lower::{self, LoweredUnit};
use crate::preprocess::preprocess_parts;
use crate::types::Ty;
use crate::{parse, sema};

pub use crate::lower::Root;
pub use crate::preprocess::Part;

/// The fences of C, as statements.
pub const FENCES: FenceWords = FenceWords::new(FENCE, STORE_FENCE);

/// A program of threads.
#[derive(Debug)]
pub struct Threads {
    /// The program: one process per thread function, in their order.
    pub program: Program,
    /// Where fences can be put into the text.
    pub sites: EditSites,
    lowered: LoweredUnit,
    /// Locals that are pointers, by thread.
    pointers: Vec<Vec<String>>,
}

/// Reads the threads of a file. All `globals` are part of the program, used or not.
pub fn threads(
    sources: &mut SourceMap,
    file: FileId,
    parts: &[Part],
    roots: &[Root],
    globals: &[String],
) -> Result<Threads, Diagnostics> {
    let text = preprocess_parts(sources, file, parts)?;
    debug_assert_eq!(text.included, [], "no file is read: {:?}", FileAccess::Denied);
    let tree = parse::parse(&text)?;
    let place =
        |span: lang_c::span::Span| text.places.span(sema::tidy(&text.text, span.start..span.end));
    let unit = sema::analyse(&tree, &place)?;
    let options = lower::Options {
        // What a processor does: the tests are about memory.
        wraps: true,
        built_in: text.built_in,
        roots: roots.to_vec(),
        globals: globals.to_vec(),
        ..lower::Options::default()
    };
    let name = sources.file(file).name().to_owned();
    let lowered = lower::lower(&unit, sources, &name, &options).map_err(|found| *found)?;
    let program = lowered.program();
    let sites = Edits::of(&unit, sources, file, true).sites;
    let pointers = roots.iter().map(|root| pointers(&unit, &root.function)).collect();
    Ok(Threads { program, sites, lowered, pointers })
}

/// The locals of a function that are pointers.
fn pointers(unit: &Unit, function: &str) -> Vec<String> {
    let found = unit.functions.iter().find(|f| f.name == function && f.body.is_some());
    let locals = found.into_iter().flat_map(|function| &function.locals);
    let pointers = locals.filter(|local| matches!(local.ty.ty, Ty::Pointer(_)));
    pointers.map(|local| local.name.clone()).collect()
}

impl Threads {
    /// Whether a local of a thread is a pointer, whose value is no number.
    pub fn is_pointer(&self, thread: usize, name: &str) -> bool {
        self.pointers.get(thread).is_some_and(|names| names.iter().any(|local| local == name))
    }

    /// The value of a local of a thread, by its name.
    pub fn local(&self, thread: usize, name: &str) -> Option<Expr> {
        let registers = &self.program.defs.get(thread)?.registers;
        let named = |register: &taut_ir::Register| register.name == name && register.len.is_none();
        if let Some(index) = registers.iter().position(named) {
            let register = Expr::Reg(RegId::from(index));
            return Some(Expr::In(ProcId::from(thread), Box::new(register)));
        }
        self.lowered.frame_cell(thread, name)
    }

    /// The value of a cell of a global, by its name: 0 for a scalar, the index of an element of an array.
    pub fn global(&self, name: &str, cell: u32) -> Option<Expr> {
        self.lowered.global_cell(name, cell)
    }
}
