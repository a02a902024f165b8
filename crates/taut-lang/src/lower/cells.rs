//! Where the elements and fields of variables are: references to flat variables and their index.
//!
//! The model has scalars and arrays of one dimension. `a[i][j]` is element `i * 3 + j` of `a`, and `n[i].next`
//! is element `i` of the variable `n.next`. An index of an inner dimension that is too large would name another
//! element, so it is checked: a wrong one makes the index of the whole -1, which is a fault as any other index
//! outside of its array.

use std::collections::HashMap;

use taut_ir::{BinaryOp, Expr, Type};
use taut_source::{Diagnostic, Span};

use super::expr::Meaning;
use super::scope::{Place, Scope};
use super::{Lowering, Symbol};
use crate::ast::{self, Base, Reference, Selector};
use crate::codes;
use crate::mistakes::instead;

/// The layout of all variables that are no scalars or plain arrays, by the place of their declaration and their
/// name in the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layouts {
    all: HashMap<(u32, String), Layout>,
    /// The pool of each variable that holds references.
    pools: HashMap<(u32, String), String>,
}

/// The layout of one variable of the model.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The form of a reference, with empty indices: `n[].next`.
    form: String,
    dims: Vec<u32>,
}

impl Layouts {
    /// Remembers a variable, unless its name and its length say all.
    pub(super) fn add(&mut self, at: u32, name: &str, form: String, dims: &[u32]) {
        // A dot stands between a record and its field.
        let plain = !name.contains('.') && (form == name || form == format!("{name}[]"));
        if !plain || dims.len() > 1 {
            self.all.insert((at, name.to_owned()), Layout { form, dims: dims.to_vec() });
        }
    }

    /// The form and the dimensions of a variable.
    pub(super) fn form(&self, at: u32, name: &str) -> Option<(String, Vec<u32>)> {
        self.get(at, name).map(|layout| (layout.form.clone(), layout.dims.clone()))
    }

    /// Remembers that a variable holds references to records of a pool.
    pub(super) fn refer(&mut self, at: u32, name: &str, pool: &str) {
        self.pools.insert((at, name.to_owned()), pool.to_owned());
    }

    /// Whether any variable holds references.
    pub(super) fn has_pools(&self) -> bool {
        !self.pools.is_empty()
    }

    /// The pool of a variable that holds references.
    pub(super) fn pool(&self, at: u32, name: &str) -> Option<String> {
        self.pools.get(&(at, name.to_owned())).cloned()
    }

    /// Moves the places of declarations.
    pub(super) fn move_places(&mut self, to: impl Fn(u32) -> u32) {
        let moved = |(at, name): (u32, String)| (to(at), name);
        self.all = self.all.drain().map(|(key, layout)| (moved(key), layout)).collect();
        self.pools = self.pools.drain().map(|(key, pool)| (moved(key), pool)).collect();
    }

    fn get(&self, at: u32, name: &str) -> Option<&Layout> {
        self.all.get(&(at, name.to_owned()))
    }
}

/// A reference taken apart.
struct Path<'r> {
    /// Its name in the model: `n.next`.
    name: String,
    /// Its form: `n[].next`.
    form: String,
    indices: Vec<&'r ast::Expr>,
    /// Whether it names a field.
    has_field: bool,
}

impl<'r> Path<'r> {
    fn new(reference: &'r Reference) -> Path<'r> {
        let (name, has_field) = match &reference.base {
            Base::Name(name) | Base::Variable(name) => (name.text.clone(), false),
            Base::Member(record, field) => (format!("{}.{}", record.text, field.text), true),
            Base::Register(number) => (format!("reg({})", number.value), false),
        };
        let form = name.clone();
        let mut path = Path { name, form, indices: Vec::new(), has_field };
        if let Some(index) = &reference.index {
            path.index(index);
        }
        for selector in &reference.more {
            match selector {
                Selector::Index(index) => path.index(index),
                Selector::Field(field) => {
                    path.has_field = true;
                    path.name.push_str(&format!(".{}", field.text));
                    path.form.push_str(&format!(".{}", field.text));
                }
            }
        }
        path
    }

    fn index(&mut self, index: &'r ast::Expr) {
        self.form.push_str("[]");
        self.indices.push(index);
    }
}

impl Lowering<'_> {
    /// What a reference stands for, and the index of its element.
    pub(super) fn resolve(
        &mut self,
        scope: &Scope,
        reference: &Reference,
    ) -> Option<(Meaning, Option<Expr>)> {
        let indices: Vec<Expr> = {
            let all: Vec<_> = reference.indices().collect();
            all.into_iter().map(|i| self.expr(scope, i)).collect()
        };
        self.resolve_with(scope, reference, indices)
    }

    /// As [`Lowering::resolve`], with the values of all indices.
    pub(super) fn resolve_with(
        &mut self,
        scope: &Scope,
        reference: &Reference,
        indices: Vec<Expr>,
    ) -> Option<(Meaning, Option<Expr>)> {
        let path = Path::new(reference);
        debug_assert_eq!(path.indices.len(), indices.len(), "one value per index");
        if let Some(followed) = self.followed(scope, reference, &indices) {
            return followed;
        }
        let meaning = match path.has_field {
            true => self.field(scope, reference, &path)?,
            false => {
                self.check_record(scope, reference)?;
                self.meaning(scope, &reference.base)?
            }
        };
        self.indexed(scope, reference, meaning, indices)
    }

    /// The index of a reference whose meaning is known.
    pub(super) fn indexed(
        &mut self,
        scope: &Scope,
        reference: &Reference,
        meaning: Meaning,
        indices: Vec<Expr>,
    ) -> Option<(Meaning, Option<Expr>)> {
        let path = Path::new(reference);
        let layout = match &meaning {
            Meaning::Constant(_) => None,
            Meaning::Variable(id, _) | Meaning::Table(id) => {
                self.layouts.get(self.program.var(*id).span.start, &path.name)
            }
            Meaning::Register(named) => self.layouts.get(named.at, &path.name),
        };
        let Some(layout) = layout.cloned() else {
            let index = self.one_index(scope, reference, &meaning, indices)?;
            return Some((meaning, index));
        };
        if layout.form != path.form {
            self.wrong_form(reference.span, &layout);
            return None;
        }
        if scope.checks() {
            let checked = indices.iter().zip(&path.indices).zip(&layout.dims);
            let checked: Vec<_> = checked
                .map(|((value, index), &len)| self.check_index(value, index.span, len))
                .collect();
            checked.into_iter().collect::<Option<()>>()?;
        }
        let index =
            if indices.is_empty() { None } else { Some(self.flat(scope, indices, &layout.dims)) };
        Some((meaning, index))
    }

    /// One index from several.
    pub(super) fn flat(&self, scope: &Scope, indices: Vec<Expr>, dims: &[u32]) -> Expr {
        let mut valid = Expr::TRUE;
        let mut flat = Expr::Const(0);
        let several = dims.len() > 1;
        for (place, (index, &len)) in indices.into_iter().zip(dims).enumerate() {
            if several && !self.fits(scope, &index, place, len) {
                let low = Expr::binary(BinaryOp::Le, Expr::Const(0), index.clone());
                let high = Expr::binary(BinaryOp::Lt, index.clone(), Expr::Const(i64::from(len)));
                valid = valid.and(low.and(high));
            }
            flat = match place {
                0 => index,
                _ => {
                    let row = Expr::binary(BinaryOp::Mul, flat, Expr::Const(i64::from(len)));
                    Expr::binary(BinaryOp::Add, row, index)
                }
            };
        }
        match valid {
            Expr::Const(_) => flat,
            valid => Expr::Cond(Box::new(valid), Box::new(flat), Box::new(Expr::Const(-1))),
        }
    }

    /// Whether an index needs no check: it cannot be outside of its dimension, or, for the first one, not so far
    /// outside that the product would wrap around.
    fn fits(&self, scope: &Scope, index: &Expr, place: usize, len: u32) -> bool {
        let ty = match index {
            Expr::Const(_) => return true,
            Expr::Var(v) => self.program.var(*v).ty,
            Expr::Reg(r) => match scope.register_type(*r) {
                Some(ty) => ty,
                None => return false,
            },
            _ => return false,
        };
        let Type { lo, hi, .. } = ty;
        let near = place == 0 && lo >= i64::from(i32::MIN) && hi <= i64::from(i32::MAX);
        near || (lo >= 0 && hi < i64::from(len))
    }

    /// A field of a record; `f.n`, register n of procedure f, looks the same.
    fn field(&mut self, scope: &Scope, reference: &Reference, path: &Path<'_>) -> Option<Meaning> {
        if let Some(Some(named)) = scope.name(&path.name) {
            return Some(Meaning::Register(named));
        }
        if let Some(id) = self.program.find_var(&path.name)
            && self.layouts.get(self.program.var(id).span.start, &path.name).is_some()
        {
            return match scope.place {
                Place::Constant => {
                    let message =
                        format!("`{}` is a variable, but a constant is needed here", path.name);
                    let found = Diagnostic::error(codes::NOT_CONSTANT, message, reference.span);
                    self.report(found.label("not a constant"));
                    None
                }
                _ => Some(Meaning::Variable(id, self.program.var(id).len)),
            };
        }
        let (Base::Name(root) | Base::Member(root, _)) = &reference.base else {
            return Some(Meaning::Register(self.register_base(scope, &reference.base)?));
        };
        let prefix = format!("{}.", root.text);
        let locals = scope.all_names().map(str::to_owned);
        let vars = self.program.vars.iter().map(|v| v.name.clone());
        let known: Vec<String> = locals.chain(vars).filter(|n| n.starts_with(&prefix)).collect();
        if known.is_empty() && scope.place.asks() && self.local_after_dot(reference) {
            return None;
        }
        if known.is_empty() {
            let member = matches!(reference.base, Base::Member(..)) && reference.more.is_empty();
            if member && scope.place != Place::Statement {
                return Some(Meaning::Register(self.register_base(scope, &reference.base)?));
            }
            self.no_record(scope, reference, root);
            return None;
        }
        let message = format!("`{}` has no field `{}`", root.text, &path.name[prefix.len()..]);
        let found = Diagnostic::error(codes::UNKNOWN_FIELD, message, reference.span);
        let fields: Vec<String> =
            known.iter().map(|n| format!("`{}`", &n[prefix.len()..])).collect();
        self.report(found.label("unknown").help(format!("its fields are {}", fields.join(", "))));
        None
    }

    /// Reports `p.r` and `p[0].r` where the local of a process is meant.
    fn local_after_dot(&mut self, reference: &Reference) -> bool {
        let (process, local) = match (&reference.base, &*reference.more) {
            (Base::Member(process, local), []) => (process, local),
            (Base::Name(process), [Selector::Field(local)]) => (process, local),
            _ => return false,
        };
        let instance = format!("{}[", process.text);
        let is_it = |p: &taut_ir::Process| p.name == process.text || p.name.starts_with(&instance);
        if !self.program.processes.iter().any(is_it) {
            return false;
        }
        let span = Span { end: local.span.end, ..process.span };
        let before = Span { end: local.span.start, ..process.span };
        let text = self.map.text(before);
        let text = text.trim_end().trim_end_matches('.').trim_end();
        let message = "a local of a process is named after a colon";
        let found = Diagnostic::error(codes::OTHER_LANGUAGE, message, span);
        let help = instead(&format!("{text}:{}", local.text));
        self.report(found.label("`.` comes before a field of a record").help(help));
        true
    }

    fn no_record(&mut self, scope: &Scope, reference: &Reference, root: &ast::Name) {
        if scope.name(&root.text).is_none() && !self.symbols.contains_key(root.text.as_str()) {
            return self.unknown_name(scope, root);
        }
        let message = format!("`{}` is no record", root.text);
        let found = Diagnostic::error(codes::UNKNOWN_FIELD, message, reference.span);
        self.report(found.label("it has no fields"));
    }

    /// Reports a record where a value is needed.
    fn check_record(&mut self, scope: &Scope, reference: &Reference) -> Option<()> {
        let Base::Name(name) = &reference.base else { return Some(()) };
        let prefix = format!("{}.", name.text);
        let global = matches!(self.symbols.get(name.text.as_str()), Some((Symbol::Record, _)));
        let local = || scope.all_names().find(|n| n.starts_with(&prefix)).map(str::to_owned);
        let vars = || self.program.vars.iter().find(|v| v.name.starts_with(&prefix));
        let form = |v: &taut_ir::Variable| {
            let form = self.layouts.form(v.span.start, &v.name);
            form.map_or(v.name.clone(), |(form, _)| form.replace("[]", "[…]"))
        };
        let field = match global {
            true => vars().map(form),
            false
                if scope.name(&name.text).is_none()
                    && !self.symbols.contains_key(name.text.as_str()) =>
            {
                local()
            }
            false => None,
        };
        let Some(field) = field else { return Some(()) };
        let message = format!("`{}` is a record, but a value is needed here", name.text);
        let found = Diagnostic::error(codes::WHOLE_RECORD, message, reference.span);
        let help = format!(
            "name one of its fields, such as `{field}`; records are assigned field by field"
        );
        self.report(found.label("expected one of its fields").help(help));
        None
    }

    fn wrong_form(&mut self, span: Span, layout: &Layout) {
        let mut form = String::new();
        let mut dims = layout.dims.iter();
        let mut parts = layout.form.split("[]").peekable();
        while let Some(part) = parts.next() {
            form.push_str(part);
            if parts.peek().is_some() {
                form.push_str(&format!("[0..{}]", dims.next().map_or(0, |d| d - 1)));
            }
        }
        let message =
            format!("an element of this is written `{}`", layout.form.replace("[]", "[…]"));
        let found = Diagnostic::error(codes::NEEDS_INDEX, message, span);
        self.report(
            found.label("wrong number or order of indices").help(format!("as in `{form}`")),
        );
    }
}

/// The names of the cells of a variable with this form.
pub(super) fn cell_names(form: &str, dims: &[u32]) -> Vec<String> {
    let count: usize = dims.iter().map(|&d| d as usize).product();
    let name = |cell: usize| {
        let mut indices = Vec::new();
        let mut rest = cell;
        for &len in dims.iter().rev() {
            indices.push(rest % len as usize);
            rest /= len as usize;
        }
        let mut text = String::new();
        for part in form.split("[]") {
            text.push_str(part);
            if let Some(index) = indices.pop() {
                text.push_str(&format!("[{index}]"));
            }
        }
        text
    };
    (0..count).map(name).collect()
}
