//! Names and what they stand for, block by block.

use std::collections::HashMap;

use taut_source::Span;

use crate::hir::{FunctionId, GlobalId, LocalId};
use crate::types::{IntTy, QualTy, StructId};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A type; true if it is an array without a length.
    Typedef(QualTy, bool),
    /// An object with static or thread storage.
    Global(GlobalId),
    /// A local.
    Local(LocalId),
    /// A function.
    Function(FunctionId),
    /// A constant of an enumeration.
    Constant(i64, IntTy),
    /// A name whose declaration has failed: its message is enough.
    Failed,
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    /// A structure or a union.
    Struct(StructId),
    /// An enumeration, with the type of its values.
    Enum(IntTy),
}

/// The names of one block.
#[derive(Debug, Default)]
struct Scope {
    names: HashMap<String, (Symbol, Span)>,
    tags: HashMap<String, Tag>,
}

/// The names of the blocks around a place, the innermost last. There is always one, the file's.
#[derive(Debug)]
pub(super) struct Scopes(Vec<Scope>);

impl Scopes {
    /// The scope of a file without names.
    pub(super) fn new() -> Scopes {
        Scopes(vec![Scope::default()])
    }

    /// Begins a block.
    pub(super) fn enter(&mut self) {
        self.0.push(Scope::default());
    }

    /// Ends the innermost block.
    pub(super) fn leave(&mut self) {
        debug_assert!(self.0.len() > 1, "the scope of the file has no end");
        self.0.pop();
    }

    /// True outside of functions.
    pub(super) fn at_file(&self) -> bool {
        self.0.len() == 1
    }

    /// What a name stands for here.
    pub(super) fn get(&self, name: &str) -> Option<&Symbol> {
        self.0.iter().rev().find_map(|s| s.names.get(name)).map(|(symbol, _)| symbol)
    }

    /// What a name stands for in the innermost block, and where it was declared.
    pub(super) fn here(&self, name: &str) -> Option<&(Symbol, Span)> {
        self.0.last().and_then(|s| s.names.get(name))
    }

    /// What a name stands for in the file.
    pub(super) fn in_file(&self, name: &str) -> Option<&(Symbol, Span)> {
        self.0[0].names.get(name)
    }

    /// Gives a name a meaning in the innermost block.
    pub(super) fn declare(&mut self, name: &str, symbol: Symbol, span: Span) {
        let scope = self.0.last_mut().expect("the scope of the file");
        scope.names.insert(name.to_string(), (symbol, span));
    }

    /// Gives a name a meaning in the whole file.
    pub(super) fn declare_in_file(&mut self, name: &str, symbol: Symbol, span: Span) {
        self.0[0].names.insert(name.to_string(), (symbol, span));
    }

    /// What a tag stands for; only in the innermost block, if it is defined there anew.
    pub(super) fn tag(&self, name: &str, innermost: bool) -> Option<Tag> {
        let from = if innermost { self.0.len() - 1 } else { 0 };
        self.0[from..].iter().rev().find_map(|s| s.tags.get(name)).copied()
    }

    /// Gives a tag a meaning in the innermost block.
    pub(super) fn declare_tag(&mut self, name: &str, tag: Tag) {
        let scope = self.0.last_mut().expect("the scope of the file");
        scope.tags.insert(name.to_string(), tag);
    }

    /// All names that can be used here.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|s| s.names.keys()).map(String::as_str)
    }
}
