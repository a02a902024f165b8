//! Variables flattened to places, and who stores where.

use taut_ir::ranges::Ranges;
use taut_ir::{Expr, Interval, Lvalue, ProcId, Program, Step, VarId};

/// A scalar variable or one element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

impl CellId {
    /// The position in vectors over places.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The places of a program.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The first place of each variable.
    first: Vec<u32>,
    /// The variable of each place.
    var: Vec<VarId>,
    interval: Vec<Interval>,
    init: Vec<i64>,
    shared: Vec<bool>,
}

impl Cells {
    /// The places of a program whose values lie in the given ranges.
    pub fn new(program: &Program, ranges: &Ranges) -> Cells {
        let mut places =
            Cells { first: vec![], var: vec![], interval: vec![], init: vec![], shared: vec![] };
        for id in program.var_ids() {
            let variable = program.var(id);
            places.first.push(places.var.len() as u32);
            for &value in &variable.init {
                places.var.push(id);
                places.interval.push(ranges.var(id));
                places.init.push(value);
                places.shared.push(variable.kind.is_buffered());
            }
        }
        places
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.var.len()
    }

    /// Whether the program has no variables.
    pub fn is_empty(&self) -> bool {
        self.var.is_empty()
    }

    /// All places.
    pub fn ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.var.len() as u32).map(CellId)
    }

    /// The place of a variable's element; index 0 for a scalar.
    pub fn of(&self, var: VarId, index: u32) -> CellId {
        CellId(self.first[var.index()] + index)
    }

    /// The variable and the index of a place.
    pub fn variable(&self, place: CellId) -> (VarId, u32) {
        let var = self.var[place.index()];
        (var, place.0 - self.first[var.index()])
    }

    /// The values a place can hold.
    pub fn interval(&self, place: CellId) -> Interval {
        self.interval[place.index()]
    }

    /// The value it starts with.
    pub fn init(&self, place: CellId) -> i64 {
        self.init[place.index()]
    }

    /// Whether it is behind store buffers.
    pub fn is_shared(&self, place: CellId) -> bool {
        self.shared[place.index()]
    }

    /// The places an expression such as `a[i]` may mean: one if the index is a number, else all
    /// elements of the array.
    fn possible(&self, program: &Program, var: VarId, index: Option<&Expr>) -> Vec<CellId> {
        taut_budget::tick();
        let size = program.var(var).size();
        match index {
            None => vec![self.of(var, 0)],
            Some(Expr::Const(i)) => match u32::try_from(*i) {
                Ok(i) if i < size => vec![self.of(var, i)],
                _ => vec![],
            },
            Some(_) => (0..size).map(|i| self.of(var, i)).collect(),
        }
    }

    /// The places that may be stored to; none if it is a register.
    pub fn stored(&self, program: &Program, place: &Lvalue) -> Vec<CellId> {
        match place {
            Lvalue::Var(var) => self.possible(program, *var, None),
            Lvalue::VarElem(var, index) => self.possible(program, *var, Some(index)),
            Lvalue::Reg(_) | Lvalue::RegElem(..) => vec![],
        }
    }

    /// The places an expression may read.
    pub fn read(&self, program: &Program, expr: &Expr) -> Vec<CellId> {
        let mut all = Vec::new();
        expr.visit(&mut |e| match e {
            Expr::Var(var) => all.extend(self.possible(program, *var, None)),
            Expr::VarElem(var, index) => all.extend(self.possible(program, *var, Some(index))),
            _ => {}
        });
        all
    }

    /// What a step stores through the buffer of its process.
    pub fn buffered_stores<'p>(
        &self,
        program: &'p Program,
        step: &'p Step,
    ) -> impl Iterator<Item = &'p Lvalue> + use<'p> {
        let shared = |p: &&Lvalue| p.variable().is_some_and(|v| program.var(v).kind.is_buffered());
        step.plain_stores().filter(shared)
    }

    /// The places a process may have in its buffer, in order.
    pub fn buffered_by(&self, program: &Program, process: ProcId) -> Vec<CellId> {
        let mut all = Vec::new();
        for step in &program.def_of(process).steps {
            let stores = self.buffered_stores(program, step);
            all.extend(stores.flat_map(|place| self.stored(program, place)));
        }
        all.sort();
        all.dedup();
        all
    }
}
