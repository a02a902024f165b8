//! Names, types and conversions: from the syntax tree of a C file to the typed program [`crate::hir`].
//!
//! Reading order: `scope` for names, `spec`, `declarator` and `layout` for types, `expr`, `operator`, `call` and `convert` for
//! expressions, `init` for initialisers, `stmt` and `decl` for the rest.
//!
//! A *mistake* (what a compiler would refuse, too) is an error of the whole file. What Taut does not support is a *refusal*: it is
//! kept with the function or global in which it stands, and only a program that reaches that one is refused.
//! Every function that can fail has left its message before it returns `Reported`.

mod builtin;
mod call;
pub mod codes;
mod constant;
mod convert;
mod decl;
mod declarator;
mod expr;
mod float;
mod function;
mod init;
mod label;
mod layout;
mod literal;
mod member;
mod operator;
mod scope;
mod spec;
mod spell;
mod stmt;
mod tidy;
mod unions;

use std::collections::{HashMap, HashSet};

use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use taut_source::{Diagnostic, Diagnostics, Span};

use crate::hir::{GlobalId, Local, LocalId, Unit};
use crate::types::{QualTy, StructDef, Ty};
pub(crate) use codes::CODES;
use scope::Scopes;
pub use tidy::tidy;
use unions::Uses;

/// Number of cells that an object may have at most.
const MOST_CELLS: u32 = 1 << 20;

/// A message has been left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

type Res<T> = Result<T, Reported>;

/// The typed program of a parsed file. `place` gives the place in the user's files of a range of the parsed text.
pub fn analyse(
    unit: &TranslationUnit,
    place: &dyn Fn(lang_c::span::Span) -> Span,
) -> Result<Unit, Diagnostics> {
    let mut sema = Sema::new(place);
    sema.note_definitions(unit);
    for item in &unit.0 {
        if sema.messages.is_full() {
            break;
        }
        taut_budget::tick();
        sema.external(&item.node);
    }
    sema.finish()
}

/// What is known of a file so far.
struct Sema<'a> {
    place: &'a dyn Fn(lang_c::span::Span) -> Span,
    unit: Unit,
    scopes: Scopes,
    /// Mistakes.
    messages: Diagnostics,
    /// Names of the functions that are defined anywhere in the file.
    defined: HashSet<String>,
    /// The function that is being analysed.
    body: Option<Body>,
    /// The first refusal in the function or global that is being analysed.
    refused: Option<Box<Diagnostic>>,
    /// String literals by their characters.
    strings: HashMap<(Vec<i64>, bool), GlobalId>,
    /// Values of `const` integers, for lengths of arrays.
    constants: HashMap<Object, i64>,
    /// Globals that have a definition with an initialiser.
    initialised: HashSet<GlobalId>,
    uses: Uses,
    /// Levels of types inside of each structure.
    heights: Vec<u32>,
    depth: u32,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Object {
    Global(GlobalId),
    Local(LocalId),
}

/// The function that is being analysed.
#[derive(Default)]
struct Body {
    name: String,
    result: Option<Ty>,
    locals: Vec<Local>,
    labels: HashMap<String, Span>,
    gotos: Vec<(String, Span)>,
    scoped: label::Labels,
    /// Number of loops around the place.
    loops: u32,
    /// The switches around the place, innermost last.
    switches: Vec<stmt::Cases>,
}

impl<'a> Sema<'a> {
    fn new(place: &'a dyn Fn(lang_c::span::Span) -> Span) -> Sema<'a> {
        Sema {
            place,
            unit: Unit::default(),
            scopes: Scopes::new(),
            messages: Diagnostics::new(),
            defined: HashSet::new(),
            body: None,
            refused: None,
            strings: HashMap::new(),
            constants: HashMap::new(),
            initialised: HashSet::new(),
            uses: Uses::default(),
            heights: Vec::new(),
            depth: 0,
        }
    }

    /// The result, after all declarations.
    fn finish(mut self) -> Result<Unit, Diagnostics> {
        self.settle_unions();
        self.settle_floats();
        match self.messages.has_errors() {
            true => Err(self.messages),
            false => Ok(self.unit),
        }
    }

    fn external(&mut self, item: &ExternalDeclaration) {
        self.refused = None;
        // A failure has left its message, and the next declaration is looked at in any case.
        let _ = match item {
            ExternalDeclaration::Declaration(d) => self.file_declaration(d),
            ExternalDeclaration::StaticAssert(a) => self.static_assert(a),
            ExternalDeclaration::FunctionDefinition(f) => self.function_definition(f),
        };
    }

    /// The place of a node in the user's files.
    fn at(&self, span: lang_c::span::Span) -> Span {
        (self.place)(span)
    }

    /// Leaves a message about a mistake.
    fn mistake(&mut self, diagnostic: Diagnostic) -> Reported {
        self.messages.push(diagnostic);
        Reported
    }

    /// Leaves the reason why the function or global that is being analysed is not supported.
    fn refuse(&mut self, diagnostic: Diagnostic) -> Reported {
        self.refused.get_or_insert(Box::new(diagnostic));
        Reported
    }

    fn structs(&self) -> &[StructDef] {
        &self.unit.structs
    }

    /// Does something one level deeper, unless the text is nested too deeply.
    fn deeper<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= taut_source::DEEPEST {
            return Err(self.too_deep(span));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        let message = format!("nested more than {} levels deep", taut_source::DEEPEST);
        self.mistake(
            Diagnostic::error(codes::TOO_DEEP, message, span)
                .label("one level too many")
                .help("split it into smaller ones"),
        )
    }

    /// A new local of the function that is being analysed.
    fn new_local(&mut self, name: &str, ty: QualTy, span: Span) -> LocalId {
        let body = self.body.as_mut().expect("a function is being analysed");
        body.locals.push(Local { name: name.to_string(), ty, span });
        LocalId(body.locals.len() as u32 - 1)
    }

    /// The type of a local of the function that is being analysed.
    fn local_type(&self, id: LocalId) -> QualTy {
        let body = self.body.as_ref().expect("a function is being analysed");
        body.locals[id.0 as usize].ty.clone()
    }
}
