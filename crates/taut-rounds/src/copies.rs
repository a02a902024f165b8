//! The registers that a process of the translation has in addition: the paper's `Gvar`s.
//!
//! They come after the registers of the original, so that those keep their numbers. A variable has copies
//! only in processes that store to it through their buffer: in all others nothing of it can wait, and what
//! they see is memory. An array has arrays for copies, in which the copies of one element stand together.
//!
//! Between rounds everything that means nothing has its initial value, so that states which nothing can tell
//! apart are equal: the view of what does not wait, the queue of what is not masked, `back`, the cuts,
//! and, for ages, the number of the round that has ended, which is 0 (`round.rs` turns the copies).

use std::collections::BTreeMap;

use taut_ir::{
    Assignment, BinaryOp, Effect, Expr, Lvalue, ProcessDef, Program, RegId, Register, Step, Type,
    VarId,
};

use crate::scope::Scope;

/// The copies of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    /// What the process sees while it is in a round.
    pub view: RegId,
    /// For each element and destination, whether a store waits.
    mask: RegId,
    /// For each element and round, the last value that waits for it.
    queue: RegId,
}

/// The registers that a process has in addition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copies {
    pub scope: Scope,
    pub r_sc: RegId,
    pub r_tso: RegId,
    /// 0 between rounds, 1 in a round in which nothing has happened yet, else 2.
    pub sim: RegId,
    /// While a round begins or ends: the program point it does that at.
    pub back: RegId,
    /// Whether the last step of the round holds the others, if some step does.
    pub held: Option<RegId>,
    /// Ages only: how many rounds may still begin, once a store is never to reach memory.
    pub left: Option<RegId>,
    /// Destinations of the second and later stores of the step that is about to be taken.
    pub cuts: Vec<RegId>,
    vars: BTreeMap<VarId, (Copy, u32)>,
}

/// The stores of a step that go through the buffer.
pub(crate) fn buffered<'s>(program: &Program, step: &'s Step) -> Vec<&'s Lvalue> {
    let waits = |p: &&Lvalue| p.variable().is_some_and(|v| program.var(v).kind.is_buffered());
    step.plain_stores().filter(waits).collect()
}

impl Copies {
    /// Adds the registers to a definition.
    pub(crate) fn add(
        program: &Program,
        original: &ProcessDef,
        scope: Scope,
        registers: &mut Vec<Register>,
    ) -> Copies {
        let stores = original.steps.iter().map(|s| buffered(program, s));
        let most = stores.clone().map(|s| s.len()).max().unwrap_or(0);
        let vars = stores.flatten().filter_map(Lvalue::variable);
        let vars: std::collections::BTreeSet<VarId> = vars.collect();
        let last = original.points.len().saturating_sub(1) as i64;
        let mut add = Adder { registers, original };
        let before = scope.before_first();
        let mut copies = Copies {
            scope,
            r_sc: add.one("r_SC", scope.r_sc_type(), before),
            r_tso: add.one("r_TSO", scope.r_tso_type(), before),
            sim: add.one("sim", Type::range(0, 2), 0),
            back: add.one("back", Type::range(0, last), 0),
            held: None,
            left: None,
            cuts: Vec::new(),
            vars: BTreeMap::new(),
        };
        if original.steps.iter().any(|s| s.holds) {
            copies.held = Some(add.one("held", Type::BOOL, 0));
        }
        if matches!(scope, Scope::Age(_)) {
            copies.left = Some(add.one("left", Type::range(0, i64::from(scope.k())), 0));
        }
        copies.cuts = (2..=most)
            .map(|i| add.one(&format!("r_TSO_{i}"), scope.r_tso_type(), before))
            .collect();
        for var in vars {
            let copy = add.copies(program, var, scope);
            copies.vars.insert(var, (copy, program.var(var).size()));
        }
        copies
    }

    /// Whether nothing of the process can ever wait.
    pub(crate) fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }

    /// The copies of a variable, if it has any.
    pub(crate) fn of(&self, var: VarId) -> Option<Copy> {
        self.vars.get(&var).map(|(copy, _)| *copy)
    }

    /// All places with copies: the variable, the element, and whether it is one of an array.
    pub(crate) fn places<'p>(
        &'p self,
        program: &'p Program,
    ) -> impl Iterator<Item = (VarId, u32)> + 'p {
        program
            .var_ids()
            .filter_map(|v| self.vars.get(&v).map(|(_, size)| (v, *size)))
            .flat_map(|(v, size)| (0..size).map(move |i| (v, i)))
    }

    /// Whether the own buffer is empty: the next store could reach memory in this round, so that none
    /// before it waits.
    pub(crate) fn drained(&self) -> Expr {
        match self.is_empty() {
            true => Expr::TRUE,
            false => Expr::from(self.r_tso).equals(self.r_sc.into()),
        }
    }

    /// Where the destination of a step's stores stands, store by store.
    pub(crate) fn destination(&self, store: usize) -> RegId {
        match store.checked_sub(1) {
            None => self.r_tso,
            Some(cut) => self.cuts[cut],
        }
    }

    fn slot(&self, index: Expr, destinations: i64, destination: Expr) -> Expr {
        let base = Expr::binary(BinaryOp::Mul, index, destinations.into());
        match base {
            Expr::Const(0) => destination,
            base => Expr::binary(BinaryOp::Add, base, destination),
        }
    }

    /// Where the mask of an element for a destination stands.
    pub(crate) fn mask(&self, copy: Copy, index: Expr, destination: Expr) -> (RegId, Expr) {
        (copy.mask, self.slot(index, self.scope.destinations(), destination))
    }

    /// Where the queue of an element for a round stands.
    pub(crate) fn queue(&self, copy: Copy, index: Expr, round: Expr) -> (RegId, Expr) {
        (copy.queue, self.slot(index, self.scope.never(), round))
    }

    /// Whether a store to an element waits, for any round or for none.
    ///
    /// This is the condition of the paper's line `[+]`. For rounds it asks for masks `j` to `k`; all
    /// before `j` are false, so asking for all is the same. For ages the paper's text asks for masks `l` to
    /// `k` as well, which with numbers that wrap around would miss those below `l`; it means all.
    pub(crate) fn waits(&self, copy: Copy, index: &Expr) -> Expr {
        let masked = |destination: i64| {
            let (mask, slot) = self.mask(copy, index.clone(), destination.into());
            Expr::RegElem(mask, Box::new(slot))
        };
        let rest = 1..self.scope.destinations();
        rest.map(masked).fold(masked(0), |a, b| Expr::binary(BinaryOp::Or, a, b))
    }
}

/// Adds registers with names that are free.
struct Adder<'r> {
    registers: &'r mut Vec<Register>,
    original: &'r ProcessDef,
}

impl Adder<'_> {
    fn one(&mut self, name: &str, ty: Type, init: i64) -> RegId {
        self.add(name, ty, None, vec![init])
    }

    fn add(&mut self, name: &str, ty: Type, len: Option<u32>, init: Vec<i64>) -> RegId {
        let id = RegId::from(self.registers.len());
        let mut name = name.to_owned();
        while self.registers.iter().any(|r| r.name == name) {
            name.push('_');
        }
        self.registers.push(Register { name, ty, len, init, span: self.original.span });
        id
    }

    fn copies(&mut self, program: &Program, var: VarId, scope: Scope) -> Copy {
        let v = program.var(var);
        let repeat = |times: i64| -> Vec<i64> {
            let each = v.init.iter().flat_map(|&i| std::iter::repeat_n(i, times as usize));
            each.collect()
        };
        let masks = vec![0; v.init.len() * scope.destinations() as usize];
        let queue = repeat(scope.never());
        let len = |list: &[i64]| Some(list.len() as u32);
        Copy {
            view: self.add(&format!("view_{}", v.name), v.ty, v.len, v.init.clone()),
            mask: self.add(&format!("mask_{}", v.name), Type::BOOL, len(&masks), masks),
            queue: self.add(&format!("queue_{}", v.name), v.ty, len(&queue), queue),
        }
    }
}

/// An assignment that is not atomic.
pub(crate) fn set(place: Lvalue, value: impl Into<Expr>) -> Assignment {
    Assignment { place, value: value.into(), atomic: false }
}

/// `condition ? yes : no`, folded if the condition is a number.
pub(crate) fn either(condition: Expr, yes: Expr, no: Expr) -> Expr {
    match condition {
        Expr::Const(0) => no,
        Expr::Const(_) => yes,
        condition => Expr::Cond(Box::new(condition), Box::new(yes), Box::new(no)),
    }
}

/// The place of a variable or of an element of it.
pub(crate) fn var_place(program: &Program, var: VarId, index: Expr) -> Lvalue {
    match program.var(var).len {
        Some(_) => Lvalue::VarElem(var, index),
        None => Lvalue::Var(var),
    }
}

/// The register of a view or the element of it.
pub(crate) fn view_place(program: &Program, var: VarId, view: RegId, index: Expr) -> Lvalue {
    match program.var(var).len {
        Some(_) => Lvalue::RegElem(view, index),
        None => Lvalue::Reg(view),
    }
}

/// What stands at a place.
pub(crate) fn read(place: &Lvalue) -> Expr {
    match place.clone() {
        Lvalue::Reg(r) => Expr::Reg(r),
        Lvalue::RegElem(r, i) => Expr::RegElem(r, Box::new(i)),
        Lvalue::Var(v) => Expr::Var(v),
        Lvalue::VarElem(v, i) => Expr::VarElem(v, Box::new(i)),
    }
}

/// One assignment as an effect.
pub(crate) fn effect(place: Lvalue, value: impl Into<Expr>) -> Effect {
    Effect::Assign(vec![set(place, value)])
}
