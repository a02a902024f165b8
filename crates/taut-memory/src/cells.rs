//! Variables flattened to places, and who stores where.

use taut_ir::ranges::Ranges;
use taut_ir::{Footprint, Interval, Locations, Lvalue, ProcId, Program, VarId};

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
    /// The first place of each variable, and one more where the last one ends.
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
        places.first.push(places.var.len() as u32);
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

    /// The places that an access may mean.
    pub fn meant(&self, locations: Locations) -> impl Iterator<Item = CellId> + use<> {
        taut_budget::tick();
        let [first, end] = [0, 1].map(|i| self.first[locations.var.index() + i]);
        let all = match locations.index {
            Some(index) => first + index..first + index + 1,
            None => first..end,
        };
        debug_assert!(all.end <= end, "an element that the variable has");
        all.map(CellId)
    }

    /// The places that may be stored to; none if it is a register.
    pub fn stored(&self, program: &Program, place: &Lvalue) -> Vec<CellId> {
        Locations::stored_by(program, place).into_iter().flat_map(|all| self.meant(all)).collect()
    }

    /// The places a process may have in its buffer, in order.
    pub fn buffered_by(&self, program: &Program, process: ProcId) -> Vec<CellId> {
        let steps = Footprint::of_steps(program, program.def_of(process));
        let stores = steps.iter().flat_map(|step| &step.stores);
        let mut all: Vec<_> = stores.flat_map(|&locations| self.meant(locations)).collect();
        all.sort();
        all.dedup();
        all
    }
}
