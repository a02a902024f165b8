//! C litmus tests: herd's `C` format.
//!
//! The header, the condition and what is printed are those of all litmus tests. The threads are functions of C, read by the front
//! end of C ([`taut_c::threads`]), so that types, expressions and memory orders mean what they mean there. A parameter
//! is a pointer to the location of its name; registers are the locals.
//!
//! | file | idea |
//! | --- | --- |
//! | `init.rs` | the initial block, whose entries are declarations |
//! | `functions.rs` | the functions, as parts of the text |
//! | `program.rs` | the C text that the front end of C reads |
//! | `linux.h` | the names of the Linux kernel |

mod functions;
mod init;
mod program;

use std::ops::Range;

use taut_c::threads::{Threads, threads};
use taut_ir::{Expr, Program};
use taut_source::{Diagnostic, Diagnostics, EditSites, FileId, SourceMap, Span};

use crate::ast::{Item, Question, What};
use crate::parser::Parser;
use crate::{Arch, Test, Watched, error, property};

/// A location, as the initial block and the parameters of threads declare it.
struct Global<'s> {
    name: &'s str,
    /// The type, as a part of the text.
    ty: Option<Range<usize>>,
    /// The number of elements of an array.
    len: Option<u32>,
    init: Vec<Value<'s>>,
    span: Span,
}

/// An initial value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value<'s> {
    Number(i64),
    /// The address of a location.
    Address(&'s str),
}

/// A thread: `P0 (atomic_int *x) { … }`.
struct Function<'s> {
    number: u32,
    /// The function with its parameters and its body.
    range: Range<usize>,
    params: Vec<Param<'s>>,
    span: Span,
}

/// A parameter: a pointer to a location.
struct Param<'s> {
    name: &'s str,
    /// The type of the location.
    ty: Range<usize>,
}

/// A C test, before names mean anything.
struct Tree<'s> {
    name: &'s str,
    globals: Vec<Global<'s>>,
    functions: Vec<Function<'s>>,
    question: Question<'s>,
}

/// Reads a C litmus test.
pub(crate) fn read(map: &mut SourceMap, file: FileId) -> Result<Test, Diagnostics> {
    let text = map.file(file).text().to_owned();
    let tree = Parser::new(&text, file).c_test()?;
    let (parts, roots, globals) = program::of(&text, &tree);
    let threads = threads(map, file, &parts, &roots, &globals)?;
    Lowering { text: &text, tree: &tree, threads: &threads, diagnostics: Diagnostics::new() }.test()
}

/// A test whose threads are lowered.
struct Lowering<'t> {
    text: &'t str,
    tree: &'t Tree<'t>,
    threads: &'t Threads,
    diagnostics: Diagnostics,
}

/// What orders the variables of a state: registers by thread and name, then memory by name.
type Key = (u8, u32, String);

impl Lowering<'_> {
    fn test(mut self) -> Result<Test, Diagnostics> {
        let Question { quantifier, condition, filter, span, locations, mentioned } =
            &self.tree.question;
        let mentioned: Vec<_> = mentioned.iter().filter_map(|item| self.watch(item)).collect();
        let locations: Vec<_> = locations.iter().filter_map(|item| self.watch(item)).collect();
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        let mut shown = locations;
        condition.visit(&mut |variable| shown.push(mentioned[variable.slot].clone()));
        sort(&mut shown);
        let observed = shown.len();
        let mut rest: Vec<_> = mentioned.iter().filter(|m| !shown.contains(m)).cloned().collect();
        sort(&mut rest);
        shown.append(&mut rest);
        let slot = |mention: usize| {
            let position = shown.iter().position(|s| *s == mentioned[mention]);
            position.expect("everything mentioned is watched")
        };
        let (mut condition, mut filter) = (condition.clone(), filter.clone());
        condition.renumber(&slot);
        filter.iter_mut().for_each(|filter| filter.renumber(&slot));
        let mut test = Test {
            name: self.tree.name.to_owned(),
            arch: Arch::C,
            quantifier: *quantifier,
            condition,
            filter,
            program: self.program(),
            watched: shown.iter().map(|(_, watched)| *watched).collect(),
            names: shown.iter().map(|(key, _)| named(key)).collect(),
            observed,
            sites: Some(self.sites()),
        };
        let property = property::of(&test, *span);
        test.program.properties.push(property);
        debug_assert_eq!(taut_ir::validate::validate(&test.program), Ok(()));
        Ok(test)
    }

    fn program(&self) -> Program {
        Program { name: self.tree.name.to_owned(), ..self.threads.program.clone() }
    }

    fn sites(&self) -> EditSites {
        self.threads.sites.clone()
    }

    /// What an item stands for.
    fn watch(&mut self, item: &Item<'_>) -> Option<(Key, Watched)> {
        match item.what {
            What::Register { thread, name } => {
                let found = self.tree.functions.iter().position(|f| f.number == thread);
                let Some(process) = found else {
                    let message = format!("there is no thread {thread}");
                    let label = "expected a thread of the test";
                    return self.refuse(error::NO_THREAD, message, item.span, label);
                };
                if self.threads.is_pointer(process, name) {
                    return self.no_pointer(name, item.span);
                }
                match self.threads.local(process, name) {
                    Some(value) => Some(((0, thread, name.to_owned()), watched(&value)?)),
                    None => {
                        let message = format!("thread {thread} has no local `{name}`");
                        let label = "expected a local that the thread declares";
                        self.refuse(error::LOCAL, message, item.span, label)
                    }
                }
            }
            What::Location(name) => {
                let (base, cell) = element(name);
                let global = self.tree.globals.iter().find(|global| global.name == base);
                let is_pointer = global
                    .and_then(|global| self.text.get(global.ty.clone()?))
                    .is_some_and(|ty| ty.contains('*'));
                if is_pointer {
                    return self.no_pointer(name, item.span);
                }
                match self.threads.global(base, cell) {
                    Some(value) => Some(((1, 0, name.to_owned()), watched(&value)?)),
                    None => {
                        let message = format!("there is no location `{name}`");
                        let label = "expected a location of the initial block or of a parameter";
                        self.refuse(error::NO_LOCATION, message, item.span, label)
                    }
                }
            }
        }
    }

    fn no_pointer<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let message = format!("`{name}` is a pointer, whose value is no number");
        let label = "expected a variable that holds a number";
        self.refuse(error::ADDRESS, message, span, label)
    }

    fn refuse<T>(
        &mut self,
        code: &'static str,
        message: String,
        span: Span,
        label: &str,
    ) -> Option<T> {
        let help = "a register is written `0:r0`, a memory location `x` or `[x]`";
        self.diagnostics.push(Diagnostic::error(code, message, span).label(label).help(help));
        None
    }
}

fn sort(shown: &mut Vec<(Key, Watched)>) {
    shown.sort_by(|a, b| a.0.cmp(&b.0));
    shown.dedup();
}

/// The name of something watched, as in the oracles: `0:r0` or `x`.
fn named((kind, thread, name): &Key) -> String {
    match kind {
        0 => format!("{thread}:{name}"),
        _ => name.clone(),
    }
}

/// The array and the index of `a[1]`; of `x`, index 0.
fn element(name: &str) -> (&str, u32) {
    let inner = name.strip_suffix(']').and_then(|rest| rest.split_once('['));
    match inner.and_then(|(base, index)| Some((base, index.trim().parse().ok()?))) {
        Some((base, index)) => (base.trim_end(), index),
        None => (name, 0),
    }
}

/// A value of the state as something watched.
fn watched(value: &Expr) -> Option<Watched> {
    match value {
        Expr::In(process, inner) => match **inner {
            Expr::Reg(register) => Some(Watched::Register(*process, register)),
            _ => None,
        },
        Expr::Var(var) => Some(Watched::Location(*var)),
        Expr::VarElem(var, index) => match **index {
            Expr::Const(index) => Some(Watched::Element(*var, u32::try_from(index).ok()?)),
            _ => None,
        },
        _ => None,
    }
}
