//! Pools: records that processes take with `new` and give back with `free`, and references to them.
//!
//! `pool node[4];` becomes one shared array per field, `node.next` with four elements, as `shared node n[4];` would,
//! and a ghost array, `node live`, with one element per value of a reference. A reference is a number: 0 is `null`, and
//! k is the record with index k - 1. The ghost says which cells a reference leads to:
//!
//! | reference | `node live` has | so that an access |
//! | --- | --- | --- |
//! | `null` | [`NULL`] | is a fault: the index is outside of the array |
//! | a record that was never taken | [`FRESH`] | likewise (a number, not a reference, got there) |
//! | a record that was given back | [`FREED`] | likewise: use after free |
//! | record k that is taken | k - 1 | is one of cell k - 1 |
//!
//! So `r.next` is `node.next[node live[r]]`: the reference is read once, and the ghost is read in the step of the access
//! itself, so that what was freed since the reference was loaded is seen. `r.next.next` nests.
//!
//! **`free r`** stores [`FREED`] into `node live[node live[r] + 1]`, which is the cell of `r` itself, or outside of the array
//! if `r` is `null` or was freed before. It is a locked step: an allocator hands a record on through memory, so stores
//! to the record that its process made before are in memory by then. Stores of other processes that are on their way
//! may still arrive, as they may on the machine.
//!
//! **`new node`** takes *any* record that was given back, or the first that was never taken. Any one, because an allocator may
//! reuse what it likes, and which one decides whether a stale reference is right again (the ABA problem). The first one,
//! because fresh records are alike: no reference leads to them, and their fields have their initial values; so runs that
//! differ in the choice among them differ in numbers only. If there is none, it gives `null`, as `malloc` does: waiting
//! would hide the runs behind it, and `assume(r != null)` waits where that is meant. Fields keep the values that they had.

use taut_ir::{
    Assignment, BinaryOp, Control, Effect, Expr, Lvalue, Mode, Overflow, PointId, ShownCell, Type,
    VarId, VarKind, Variable,
};
use taut_source::{Diagnostic, Span};

use super::body::Builder;
use super::expr::Meaning;
use super::scope::{Place, Scope};
use super::{Lowering, Symbol, types};
use crate::ast::{self, Base, Declarator, Name, Reference, Selector};
use crate::codes;

/// Most records of a pool: `new` is one step per record.
const MOST_RECORDS: i64 = 64;
/// Where `null` leads to. This and what follows is no index, and neither is it after 1 was added.
const NULL: i64 = -2;
/// Where a reference to a record that was given back leads to.
const FREED: i64 = -3;
/// Where a reference to a record that was never taken would lead to.
const FRESH: i64 = -4;

/// A pool that the file declares.
#[derive(Clone, Copy)]
pub(super) struct Pool<'a> {
    item: &'a Declarator,
    /// Number of records, and the table with the names of references; known after the first use.
    size: Option<(u32, usize)>,
}

impl<'a> Pool<'a> {
    pub(super) fn new(item: &'a Declarator) -> Pool<'a> {
        Pool { item, size: None }
    }
}

/// The name of the ghost that says which records are taken. No name in a text has a blank.
fn live_name(pool: &str) -> String {
    format!("{pool} live")
}

/// The reference in the index of a cell of a pool, else the index itself: what has to be loaded before the access.
pub(super) fn loaded_before<'e>(vars: &[Variable], index: &'e mut Expr) -> &'e mut Expr {
    let is_live = |v: &VarId| vars[v.index()].name.ends_with(" live");
    match index {
        Expr::VarElem(v, _) if !is_live(v) => index,
        Expr::VarElem(_, inner) => inner,
        other => other,
    }
}

/// A part of a reference after its first name.
enum Part<'r> {
    Index,
    Field(&'r Name),
}

/// The first name of a reference and what follows.
fn parts(reference: &Reference) -> Option<(&Name, Vec<Part<'_>>)> {
    let (root, mut all) = match &reference.base {
        Base::Name(root) | Base::Variable(root) => (root, Vec::new()),
        Base::Member(root, field) => (root, vec![Part::Field(field)]),
        Base::Register(_) => return None,
    };
    all.extend(reference.index.iter().map(|_| Part::Index));
    all.extend(reference.more.iter().map(|selector| match selector {
        Selector::Index(_) => Part::Index,
        Selector::Field(field) => Part::Field(field),
    }));
    Some((root, all))
}

/// The first place of a reference at which another one is followed.
struct Hop {
    /// Number of parts before it.
    parts: usize,
    /// The name and the form of what is followed.
    name: String,
    form: String,
    meaning: Meaning,
    pool: String,
}

impl<'a> Lowering<'a> {
    /// `ref node`
    pub(super) fn reference_type(&mut self, name: &Name) -> Option<types::Meaning> {
        let (count, table) = self.pool_size(name)?;
        let ty = Type { lo: 0, hi: i64::from(count), overflow: Overflow::Fault };
        Some(types::Meaning::Plain(ty, Some(table)))
    }

    /// The number of records of a pool, and the table with the names of references to them.
    fn pool_size(&mut self, name: &Name) -> Option<(u32, usize)> {
        let Some(Pool { item, size }) = self.pools.get(name.text.as_str()).copied() else {
            self.no_pool(name);
            return None;
        };
        if size.is_some() {
            return size;
        }
        let [len] = &*item.dims else { return None };
        let count = self.constant(len)?;
        if !(1..=MOST_RECORDS).contains(&count) {
            let message = format!("a pool cannot have {count} records");
            let found = Diagnostic::error(codes::ARRAY_LENGTH, message, len.span);
            self.report(found.label(format!("expected a number from 1 to {MOST_RECORDS}")));
            return None;
        }
        let names = (1..=count).map(|k| (k, format!("{}[{}]", name.text, k - 1)));
        let table =
            self.program.shown.add_table([(0, "null".into())].into_iter().chain(names).collect());
        let size = (count as u32, table);
        self.pools.insert(&item.name.text, Pool { item, size: Some(size) });
        self.pool_tables.insert(table, item.name.text.clone());
        Some(size)
    }

    fn no_pool(&mut self, name: &Name) {
        let message = format!("there is no pool of `{}`", name.text);
        let found = Diagnostic::error(codes::UNKNOWN_POOL, message, name.span).label("unknown");
        let nearest = taut_source::nearest(&name.text, self.pools.keys().copied());
        self.report(match nearest {
            Some(meant) => found.help(format!("did you mean `{meant}`?")),
            None => found.help(format!("declare the records: `pool {}[4];`", name.text)),
        });
    }

    /// `pool node[4];`
    pub(super) fn pool(&mut self, item: &'a Declarator) {
        let Some((count, _)) = self.pool_size(&item.name) else { return };
        let Some(meaning) = self.named_type(&item.name) else { return };
        let flat = meaning.spread(&[count]);
        let simple =
            |leaf: &types::Leaf| leaf.suffix.matches('.').count() == 1 && leaf.dims.len() == 1;
        if !flat.iter().all(simple) {
            let message = format!("`{}` cannot be the type of a pool", item.name.text);
            let found = Diagnostic::error(codes::POOL_TYPE, message, item.name.span);
            let found = found.label("expected a `struct` whose fields are numbers or references");
            return self.report(found.help("no array and no record can be a field of it"));
        }
        let Some(cells) = self.cells(item, &meaning, false) else { return };
        self.symbol(&item.name, Symbol::Record);
        for cell in cells {
            self.add_variable(cell, VarKind::Shared, item.name.span);
        }
        self.add_live(item, count);
        self.symbols.entry("null").or_insert((Symbol::Constant(0), item.name.span));
    }

    /// The ghost that says which records are taken.
    fn add_live(&mut self, item: &Declarator, count: u32) {
        let (name, span) = (live_name(&item.name.text), item.name.span);
        let mut words = std::collections::BTreeMap::new();
        words.extend((0..i64::from(count)).map(|k| (k, "taken".to_string())));
        words.extend([(FRESH, "free".into()), (FREED, "freed".into()), (NULL, "null".into())]);
        let table = Some(self.program.shown.add_table(words));
        let records = (0..count).map(|k| format!("{}[{k}]", item.name.text));
        let names = std::iter::once("null".to_string()).chain(records);
        let cells = names.map(|name| ShownCell { name, table }).collect();
        let var = VarId::from(self.program.vars.len());
        self.program.shown.name_cells(var, cells);
        self.program.shown.name_pool(var, &item.name.text);
        let ty = Type { lo: FRESH, hi: i64::from(count) - 1, overflow: Overflow::Fault };
        let mut init = vec![FRESH; count as usize + 1];
        init[0] = NULL;
        self.program.vars.push(Variable {
            name,
            kind: VarKind::Ghost,
            ty,
            len: Some(count + 1),
            init,
            span,
        });
    }

    /// Whether a reference follows another one.
    pub(super) fn follows(&self, scope: &Scope, reference: &Reference) -> bool {
        self.layouts.has_pools()
            && parts(reference).is_some_and(|(root, parts)| self.hop(scope, root, &parts).is_some())
    }

    fn hop(&self, scope: &Scope, root: &Name, parts: &[Part<'_>]) -> Option<Hop> {
        let (mut name, mut form) = (root.text.clone(), root.text.clone());
        for (at, part) in parts.iter().enumerate() {
            let Part::Field(field) = part else {
                form.push_str("[]");
                continue;
            };
            if let Some((meaning, pool)) = self.referring(scope, &name) {
                return Some(Hop { parts: at, name, form, meaning, pool });
            }
            name.push_str(&format!(".{}", field.text));
            form.push_str(&format!(".{}", field.text));
        }
        None
    }

    /// What a name stands for, if it holds references, and their pool.
    fn referring(&self, scope: &Scope, name: &str) -> Option<(Meaning, String)> {
        if let Some(named) = scope.name(name) {
            let named = named?;
            let pool = self.layouts.pool(named.at, name)?;
            return Some((Meaning::Register(named), pool));
        }
        let id = self.program.find_var(name)?;
        let var = self.program.var(id);
        let pool = self.layouts.pool(var.span.start, name)?;
        Some((Meaning::Variable(id, var.len), pool))
    }

    /// What a reference that follows others stands for, and the index of its cell; none if it follows none.
    pub(super) fn followed(
        &mut self,
        scope: &Scope,
        reference: &Reference,
        indices: &[Expr],
    ) -> Option<Option<(Meaning, Option<Expr>)>> {
        if !self.layouts.has_pools() {
            return None;
        }
        let (root, parts) = parts(reference)?;
        let hop = self.hop(scope, root, &parts)?;
        if scope.place == Place::Constant {
            let message = format!("`{}` is a variable, but a constant is needed here", root.text);
            let found = Diagnostic::error(codes::NOT_CONSTANT, message, reference.span);
            self.report(found.label("not a constant"));
            return Some(None);
        }
        let own = parts[..hop.parts].iter().filter(|p| matches!(p, Part::Index)).count();
        Some(self.follow(scope, reference, hop, &parts, indices.get(..own).unwrap_or_default()))
    }

    fn follow(
        &mut self,
        scope: &Scope,
        reference: &Reference,
        hop: Hop,
        parts: &[Part<'_>],
        own: &[Expr],
    ) -> Option<(Meaning, Option<Expr>)> {
        let Hop { parts: before, name, form, meaning, mut pool } = hop;
        let index = self.index_of(scope, reference.span, &meaning, (&name, &form), own)?;
        let mut value = self.element(meaning, index)?;
        let mut rest = &parts[before..];
        loop {
            let Some((Part::Field(field), after)) = rest.split_first() else {
                let found =
                    Diagnostic::error(codes::NOT_AN_ARRAY, "this is no array", reference.span);
                self.report(found.label("it has no elements"));
                return None;
            };
            let live = self.program.find_var(&live_name(&pool))?;
            let index = Expr::VarElem(live, Box::new(value));
            let var = self.pool_field(&pool, field)?;
            if after.is_empty() {
                return Some((Meaning::Variable(var, self.program.var(var).len), Some(index)));
            }
            let full = format!("{pool}.{}", field.text);
            let Some(next) = self.layouts.pool(self.program.var(var).span.start, &full) else {
                let message = format!("`{full}` is no reference");
                let found = Diagnostic::error(codes::UNKNOWN_FIELD, message, reference.span);
                self.report(found.label("it has no fields"));
                return None;
            };
            (value, pool, rest) = (Expr::VarElem(var, Box::new(index)), next, after);
        }
    }

    /// The index of a variable that holds references, from the values of its indices.
    fn index_of(
        &mut self,
        scope: &Scope,
        span: Span,
        meaning: &Meaning,
        (name, form): (&str, &str),
        own: &[Expr],
    ) -> Option<Option<Expr>> {
        let (at, len) = match meaning {
            Meaning::Register(named) => (named.at, named.len),
            Meaning::Variable(id, len) => (self.program.var(*id).span.start, *len),
            Meaning::Constant(_) | Meaning::Table(_) => return None,
        };
        let layout = self.layouts.form(at, name);
        let (wanted, dims) = layout.unwrap_or_else(|| match len {
            None => (name.to_owned(), Vec::new()),
            Some(len) => (format!("{name}[]"), vec![len]),
        });
        if wanted != form {
            let message =
                format!("an element of this is written `{}`", wanted.replace("[]", "[…]"));
            let found = Diagnostic::error(codes::NEEDS_INDEX, message, span);
            self.report(found.label("wrong number or order of indices"));
            return None;
        }
        let index = (!own.is_empty()).then(|| self.flat(scope, own.to_vec(), &dims));
        Some(index)
    }

    fn pool_field(&mut self, pool: &str, field: &Name) -> Option<VarId> {
        let found = self.program.find_var(&format!("{pool}.{}", field.text));
        if found.is_none() {
            let prefix = format!("{pool}.");
            let fields = self.program.vars.iter().filter_map(|v| v.name.strip_prefix(&prefix));
            let fields: Vec<String> = fields.map(|f| format!("`{f}`")).collect();
            let message = format!("`{pool}` has no field `{}`", field.text);
            let error = Diagnostic::error(codes::UNKNOWN_FIELD, message, field.span);
            self.report(
                error.label("unknown").help(format!("its fields are {}", fields.join(", "))),
            );
        }
        found
    }
}

impl Builder<'_, '_> {
    /// The cell of a reference that is followed, with the reference kept in a hidden register.
    pub(super) fn keep_reference(
        &mut self,
        index: Option<Expr>,
        here: &mut PointId,
    ) -> Option<Expr> {
        let mut index = index?;
        let value = loaded_before(&self.cx.program.vars, &mut index);
        let taken = std::mem::replace(value, Expr::Const(0));
        let kept = self.save(taken, here);
        *loaded_before(&self.cx.program.vars, &mut index) = kept;
        Some(index)
    }

    /// `new node` in an expression.
    pub(super) fn new_value(&mut self, pool: &Name, span: Span, here: &mut PointId) -> Expr {
        let register = self.hidden_register();
        let next = self.between(self.head, span);
        self.take(pool, Lvalue::Reg(register), span, *here, next);
        *here = next;
        register.into()
    }

    /// The steps of `r := new node`: one per record that can be taken, and one if there is none.
    pub(super) fn take(
        &mut self,
        pool: &Name,
        to: Lvalue,
        span: Span,
        from: PointId,
        next: PointId,
    ) {
        let Some(live) = self.cx.program.find_var(&live_name(&pool.text)) else {
            return self.cx.no_pool(pool);
        };
        let count = i64::from(self.cx.program.var(live).size()) - 1;
        let now = |k: i64| Expr::VarElem(live, Box::new(Expr::Const(k)));
        let is = |k: i64, value: i64| now(k).equals(Expr::Const(value));
        let assign = |place: Lvalue, value: i64| Assignment {
            place,
            value: Expr::Const(value),
            atomic: false,
        };
        let mut none = Expr::TRUE;
        for k in 1..=count {
            let first = if k == 1 { Expr::TRUE } else { is(k - 1, FRESH).not() };
            let fresh = is(k, FRESH).and(first);
            let guard = Expr::binary(BinaryOp::Or, is(k, FREED), fresh);
            let both =
                vec![assign(Lvalue::VarElem(live, Expr::Const(k)), k - 1), assign(to.clone(), k)];
            self.step(
                from,
                guard,
                Mode::Plain,
                vec![Effect::Assign(both)],
                Control::Goto(next),
                span,
            );
            none = none.and(Expr::binary(BinaryOp::Ge, now(k), Expr::Const(0)));
        }
        let effects = vec![Effect::assign(to, 0)];
        self.step(from, none, Mode::Plain, effects, Control::Goto(next), span);
    }

    /// The effect of `free e`.
    pub(super) fn free(&mut self, freed: &ast::Expr, here: &mut PointId) -> Option<Vec<Effect>> {
        let pool = self.cx.pool_of(&self.frame.scope, freed);
        let Some(live) = pool.and_then(|pool| self.cx.program.find_var(&live_name(&pool))) else {
            let message = "this is no reference to a record of a pool";
            let found = Diagnostic::error(codes::UNKNOWN_POOL, message, freed.span);
            let found = found.label("expected a variable or a field of a type such as `ref node`");
            self.cx.report(found);
            return None;
        };
        let mut value = self.value(freed, here);
        if !self.in_one_step && value.variables().into_iter().any(|v| self.is_shared(v)) {
            value = self.save(value, here);
        }
        let cell = Expr::VarElem(live, Box::new(value));
        let own = Expr::binary(BinaryOp::Add, cell, Expr::Const(1));
        Some(vec![Effect::assign(Lvalue::VarElem(live, own), FREED)])
    }
}

impl Lowering<'_> {
    /// The pool that an expression refers to a record of, if it is a variable, an element or a field with such a type.
    fn pool_of(&self, scope: &Scope, expr: &ast::Expr) -> Option<String> {
        match &expr.kind {
            ast::ExprKind::Paren(inner) => self.pool_of(scope, inner),
            ast::ExprKind::Ref(reference) => {
                let (root, parts) = parts(reference)?;
                match (self.hop(scope, root, &parts), parts.last()) {
                    (Some(hop), Some(Part::Field(_))) => self.last_pool(hop, &parts),
                    (Some(_), _) => None,
                    (None, _) => {
                        let fields = parts.iter().filter_map(|part| match part {
                            Part::Field(field) => Some(field.text.as_str()),
                            Part::Index => None,
                        });
                        let name = std::iter::once(root.text.as_str()).chain(fields);
                        let name = name.collect::<Vec<_>>().join(".");
                        self.referring(scope, &name).map(|(_, pool)| pool)
                    }
                }
            }
            _ => None,
        }
    }

    /// The pool that the last field of a reference refers to.
    fn last_pool(&self, hop: Hop, parts: &[Part<'_>]) -> Option<String> {
        let mut pool = hop.pool;
        for part in &parts[hop.parts..] {
            let Part::Field(field) = part else { return None };
            let name = format!("{pool}.{}", field.text);
            let var = self.program.find_var(&name)?;
            pool = self.layouts.pool(self.program.var(var).span.start, &name)?;
        }
        Some(pool)
    }
}
