//! Types that the file declares: `enum` and `struct`.
//!
//! A variable of a record type becomes one variable of the model per field that holds a value: `n.next` for
//! `n[2].next`, an array with one element per element of `n`. [`Leaf`] is such a field, [`Spread`] gives the
//! expression of each initial value to its cell.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use taut_ir::{Overflow, Type};
use taut_source::{Diagnostic, Span};

use super::{Lowering, MOST_VARIABLES, Symbol};
use crate::ast::{EnumItem, Expr, Init, Name, StructItem};
use crate::codes;
use crate::mistakes::{self, Where};

/// Most records around a value.
const DEEPEST: usize = 16;

/// What a type stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// Numbers, with the table of their names if they have some.
    Plain(Type, Option<usize>),
    /// Fields, in order.
    Record(Rc<Vec<Field>>),
}

/// A field of a record.
#[derive(Debug)]
pub(super) struct Field {
    name: String,
    dims: Vec<u32>,
    ty: Meaning,
}

/// A part of a variable that holds values of one type.
pub(super) struct Leaf {
    /// What follows the name in the text, with empty indices: `[].next`.
    pub path: String,
    /// What follows the name in the model: `.next`.
    pub suffix: String,
    pub dims: Vec<u32>,
    pub ty: Type,
    pub table: Option<usize>,
}

impl Meaning {
    /// Number of leaves.
    fn leaves(&self) -> usize {
        match self {
            Meaning::Plain(..) => 1,
            Meaning::Record(fields) => fields.iter().map(|f| f.ty.leaves()).sum(),
        }
    }

    /// Number of records around a value.
    fn depth(&self) -> usize {
        match self {
            Meaning::Plain(..) => 0,
            Meaning::Record(fields) => 1 + fields.iter().map(|f| f.ty.depth()).max().unwrap_or(0),
        }
    }

    /// The leaves of a variable of this type.
    pub(super) fn spread(&self, dims: &[u32]) -> Vec<Leaf> {
        let mut all = Vec::with_capacity(self.leaves());
        self.add_leaves("", "", dims, &mut all);
        all
    }

    fn add_leaves(&self, path: &str, suffix: &str, dims: &[u32], all: &mut Vec<Leaf>) {
        taut_budget::tick();
        let own = path.matches("[]").count();
        let path = format!("{path}{}", "[]".repeat(dims.len() - own));
        match self {
            Meaning::Plain(ty, table) => {
                let (suffix, dims) = (suffix.to_owned(), dims.to_vec());
                all.push(Leaf { path, suffix, dims, ty: *ty, table: *table });
            }
            Meaning::Record(fields) => {
                for field in &**fields {
                    let (path, suffix) =
                        (format!("{path}.{}", field.name), format!("{suffix}.{}", field.name));
                    let dims: Vec<u32> = dims.iter().chain(&field.dims).copied().collect();
                    field.ty.add_leaves(&path, &suffix, &dims, all);
                }
            }
        }
    }
}

/// The expressions of initial values, for each leaf one per cell; nothing where the text says nothing.
pub(super) struct Spread<'i> {
    pub cells: Vec<Vec<Option<&'i Expr>>>,
    /// A list of values that does not fit: its place, the number of values, the number that is wanted.
    pub wrong: Option<(Span, usize, Option<usize>)>,
}

impl<'i> Spread<'i> {
    pub(super) fn new(ty: &Meaning, dims: &[u32], init: Option<&'i Init>) -> Spread<'i> {
        let mut spread = Spread { cells: vec![Vec::new(); ty.leaves()], wrong: None };
        spread.fill(0, ty, dims, init);
        spread
    }

    fn fill(&mut self, leaf: usize, ty: &Meaning, dims: &[u32], init: Option<&'i Init>) {
        taut_budget::tick();
        let one = match init {
            Some(Init::All(value)) => Some(value),
            _ => None,
        };
        let is_list = matches!(init, Some(Init::List(..)));
        match (dims, ty) {
            // The same for all: no need to go through dimensions one by one.
            (dims, Meaning::Plain(..)) if !is_list => {
                let count = dims.iter().map(|&d| d as usize).product();
                self.cells[leaf].extend(std::iter::repeat_n(one, count));
            }
            ([count, rest @ ..], _) => {
                let values = self.list(init, Some(*count as usize));
                for index in 0..*count as usize {
                    self.fill(leaf, ty, rest, values.map_or(init, |v| v.get(index)));
                }
            }
            ([], Meaning::Record(fields)) => {
                let values = self.list(init, Some(fields.len()));
                let mut leaf = leaf;
                for (index, field) in fields.iter().enumerate() {
                    let init = values.map_or(init, |v| v.get(index));
                    self.fill(leaf, &field.ty, &field.dims, init);
                    leaf += field.ty.leaves();
                }
            }
            ([], Meaning::Plain(..)) => {
                self.list(init, None);
                self.cells[leaf].push(None);
            }
        }
    }

    /// The values of a list, whose number is checked.
    fn list(&mut self, init: Option<&'i Init>, wanted: Option<usize>) -> Option<&'i [Init]> {
        let Some(Init::List(values, span)) = init else { return None };
        if Some(values.len()) != wanted {
            self.wrong.get_or_insert((*span, values.len(), wanted));
        }
        Some(values)
    }
}

impl<'a> Lowering<'a> {
    /// `enum color { RED, GREEN = 4 };`: constants, and a type of the values from the least to the greatest.
    pub(super) fn enumeration(&mut self, item: &'a EnumItem) {
        let mut next = 0i64;
        let mut names = BTreeMap::new();
        for (name, value) in &item.members {
            let value = value.as_ref().and_then(|v| self.constant(v)).unwrap_or(next);
            next = value.wrapping_add(1);
            self.symbol(name, Symbol::Constant(value));
            names.entry(value).or_insert_with(|| name.text.clone());
        }
        let Some(name) = &item.name else { return };
        let (Some((&lo, _)), Some((&hi, _))) = (names.first_key_value(), names.last_key_value())
        else {
            let found = Diagnostic::error(codes::EMPTY_RANGE, "this type has no values", name.span);
            return self.report(found.label("expected a name between the braces"));
        };
        let table = self.program.shown.add_table(names);
        let ty = Type { lo, hi, overflow: Overflow::Fault };
        self.declare_type(name, Meaning::Plain(ty, Some(table)));
    }

    /// `struct node { bool locked; 0..3 next; };`
    pub(super) fn record(&mut self, item: &'a StructItem) {
        let mut fields: Vec<Field> = Vec::new();
        let mut known: HashMap<&str, Span> = HashMap::new();
        for (declared, span) in &item.fields {
            let Some(ty) = self.type_of(declared.ty.as_ref()) else { continue };
            for one in &declared.list {
                if let Some(first) = known.insert(&one.name.text, one.name.span) {
                    self.declared_twice("the field", &one.name, first);
                }
                let Some(dims) = self.dimensions(one) else { continue };
                fields.push(Field { name: one.name.text.clone(), dims, ty: ty.clone() });
                let leaves: usize = fields.iter().map(|f| f.ty.leaves()).sum();
                if leaves > MOST_VARIABLES {
                    return self.too_large(*span, "fields in one record", MOST_VARIABLES);
                }
                if ty.depth() >= DEEPEST {
                    return self.too_large(*span, "records in one another", DEEPEST);
                }
            }
        }
        if item.fields.is_empty() {
            let message = "this record has no fields";
            let found = Diagnostic::error(codes::EMPTY_RANGE, message, item.name.span);
            return self.report(found.label("expected a field between the braces"));
        }
        self.declare_type(&item.name, Meaning::Record(Rc::new(fields)));
    }

    fn declare_type(&mut self, name: &'a Name, meaning: Meaning) {
        if let Some((_, first)) = self.types.insert(&name.text, (meaning, name.span)) {
            self.declared_twice("the type", name, first);
        }
    }

    /// The type with a name.
    pub(super) fn named_type(&mut self, name: &Name) -> Option<Meaning> {
        if let Some((meaning, _)) = self.types.get(name.text.as_str()) {
            return Some(meaning.clone());
        }
        let text = self.map.file(name.span.file).text();
        if let Some(found) = mistakes::about(Where::Type, &name.text, name.span, text) {
            self.report(found);
            return None;
        }
        let known = ["int", "bool", "byte", "short", "long"];
        let candidates: Vec<&str> = self.types.keys().copied().chain(known).collect();
        self.unknown(codes::UNKNOWN_TYPE, "type", name, candidates);
        None
    }
}
