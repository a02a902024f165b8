//! The steps of the monitor: marking an access, and finding that another one races with it.
//!
//! A step with an access that is watched comes in three forms: as it is; *marking*, if nothing is marked and another thread
//! runs; and *racing*, if its cell is marked by an access that conflicts with it and the thread does not know. Only
//! the last two look at the mark, so that reductions see the first one as it is.

use std::collections::BTreeMap;

use taut_ir::{
    BinaryOp as B, Effect, Expr, Lvalue, Overflow, PropId, Shown, ShownCell, Span, Type, VarId,
    VarKind, Variable,
};

use super::Kind;
use crate::lower::layout::{Class, Layout};
use crate::lower::mir::{Base, Chain, Mir, Op, Place, ThreadId, Value, Watch, Watchpoint};
use crate::lower::points_to::Classes;

/// The variables of the monitor.
#[derive(Debug)]
pub(crate) struct Watched {
    /// The marked access: 0, or the number of its cell and kind.
    pub mark: VarId,
    /// The access that races with it.
    pub second: VarId,
    /// By class: the bits that say whether values carry the knowledge. None where no load asks.
    carriers: Vec<Option<VarId>>,
    /// By class: the same per cell and thread, for release sequences of each thread. None where no thread stores with and
    /// without release.
    heads: Vec<Option<VarId>>,
    /// By class: the number of its first cell.
    first: Vec<i64>,
}

impl Watched {
    /// Adds the variables of the monitor to a layout.
    pub(crate) fn add(
        mir: &Mir,
        layout: &mut Layout,
        shown: &mut Shown,
        classes: &Classes,
        threads: u32,
    ) -> Watched {
        let asked = asked(mir, layout, classes);
        let chained = chained(mir, layout, classes);
        let mut first = Vec::new();
        let mut cells = 1;
        for class in &layout.classes {
            first.push(cells);
            cells += class.total;
        }
        let mut carriers = Vec::new();
        for (index, asked) in asked.into_iter().enumerate() {
            let len = layout.classes[index].total;
            // The variables of classes come first, in their order.
            let name = format!("'carries {}", layout.variables[index].name);
            carriers.push(asked.then(|| add(layout, name, Type::BOOL, len)));
        }
        let mut heads = Vec::new();
        for (index, chained) in chained.into_iter().enumerate() {
            let len = layout.classes[index].total * i64::from(threads);
            let name = format!("'heads {}", layout.variables[index].name);
            let is_used = chained && carriers[index].is_some();
            heads.push(is_used.then(|| add(layout, name, Type::BOOL, len)));
        }
        let ty = Type { lo: 0, hi: cells * Kind::COUNT, overflow: Overflow::Wrap };
        let mark = add(layout, "'first access".into(), ty, 1);
        let second = add(layout, "'second access".into(), ty, 1);
        let watched = Watched { mark, second, carriers, heads, first };
        watched.name(layout, shown);
        watched
    }

    /// The words for each access: "plain store to x".
    fn name(&self, layout: &Layout, shown: &mut Shown) {
        let mut table = BTreeMap::new();
        for (index, class) in layout.classes.iter().enumerate() {
            for cell in 0..class.total {
                let name = cell_name(layout, shown, class, cell);
                let number = (self.first[index] + cell) * Kind::COUNT;
                for kind in Kind::ALL {
                    table.insert(number + kind.number(), kind.words(&name));
                }
                table.insert(number + Kind::FREE, format!("`free` of {name}"));
            }
        }
        let table = shown.add_table(table);
        for var in [self.mark, self.second] {
            let name = layout.variables[var.index()].name.clone();
            shown.name_cells(var, vec![ShownCell { name, table: Some(table) }]);
        }
    }

    /// The variable of the bits of a class.
    pub(crate) fn carrier(&self, class: usize) -> Option<VarId> {
        self.carriers[class]
    }

    /// The variable of the release sequences of a class.
    pub(crate) fn heads(&self, class: usize) -> Option<VarId> {
        self.heads[class]
    }

    /// The number of an access to a cell of a class.
    fn number(&self, class: usize, index: Expr, kind: i64) -> Expr {
        let cell = Expr::binary(B::Add, index, Expr::Const(self.first[class]));
        let scaled = Expr::binary(B::Mul, cell, Expr::Const(Kind::COUNT));
        Expr::binary(B::Add, scaled, Expr::Const(kind))
    }

    /// True if nothing is marked.
    pub(crate) fn is_open(&self) -> Expr {
        Expr::Var(self.mark).equals(Expr::Const(0))
    }

    /// True if a cell is marked by an access that conflicts with one of a kind.
    fn conflicts(&self, class: usize, index: &Expr, kind: Kind) -> Expr {
        let against = Kind::ALL.into_iter().filter(|other| kind.conflicts(*other));
        let is = |other: Kind| {
            let number = self.number(class, index.clone(), other.number());
            Expr::Var(self.mark).equals(number)
        };
        let all = against.map(is).reduce(|a, b| Expr::binary(B::Or, a, b));
        all.unwrap_or(Expr::Const(0))
    }

    /// True if a cell of a range is marked.
    pub(crate) fn is_marked(&self, class: usize, cells: std::ops::Range<i64>) -> Expr {
        let number = |cell: i64| Expr::Const((self.first[class] + cell) * Kind::COUNT);
        let from = Expr::binary(B::Ge, Expr::Var(self.mark), number(cells.start));
        from.and(Expr::binary(B::Lt, Expr::Var(self.mark), number(cells.end)))
    }

    /// A race was found: the second access, and the violated property.
    pub(crate) fn found(&self, number: Expr) -> Vec<Effect> {
        let second = Effect::assign(Lvalue::Var(self.second), number);
        vec![second, Effect::Assert { condition: Expr::Const(0), property: PropId::from(0) }]
    }

    /// The number of a `free` of a cell.
    pub(crate) fn freed(&self, class: usize, cell: i64) -> Expr {
        self.number(class, Expr::Const(cell), Kind::FREE)
    }

    /// The number of an access to a cell of a class, and the condition that it conflicts with the marked one.
    pub(crate) fn access(&self, class: usize, index: &Expr, point: &Watchpoint) -> (Expr, Expr) {
        let kind = Kind::of(&point.place, point.write);
        let number = self.number(class, index.clone(), kind.number());
        (number, self.conflicts(class, index, kind))
    }
}

/// Adds a ghost variable.
fn add(layout: &mut Layout, name: String, ty: Type, cells: i64) -> VarId {
    let id = VarId::from(layout.variables.len());
    let len = (cells > 1).then_some(cells as u32);
    let init = vec![0; cells as usize];
    layout.variables.push(Variable { name, kind: VarKind::Ghost, ty, len, init, span: Span::NONE });
    id
}

fn cell_name(layout: &Layout, shown: &Shown, class: &Class, cell: i64) -> String {
    let named = shown.cell(class.var, cell as u32).map(str::to_owned);
    named.unwrap_or_else(|| layout.variables[class.var.index()].name.clone())
}

/// The classes in which a thread can learn something from a cell.
fn asked(mir: &Mir, layout: &Layout, classes: &Classes) -> Vec<bool> {
    let mut asked = vec![false; layout.classes.len()];
    for (index, thread) in mir.threads.iter().enumerate() {
        for op in thread.edges.iter().flat_map(|edge| &edge.ops) {
            let Op::Watch(Watch::Learn(_, value)) = op else { continue };
            value.visit(&mut |v| {
                let Value::Carries(place) = v else { return };
                let class = class_of(layout, classes, index, place);
                class.into_iter().for_each(|class| asked[class] = true);
            });
        }
    }
    asked
}

/// The classes in which a thread makes stores with release and others without.
fn chained(mir: &Mir, layout: &Layout, classes: &Classes) -> Vec<bool> {
    let mut chained = vec![false; layout.classes.len()];
    for (index, thread) in mir.threads.iter().enumerate() {
        let (mut goes_on, mut begins) = (chained.clone(), vec![false; chained.len()]);
        for op in thread.edges.iter().flat_map(|edge| &edge.ops) {
            let Op::Watch(Watch::Carry(place, told, chain)) = op else { continue };
            let Some(class) = class_of(layout, classes, index, place) else { continue };
            let mut own = false;
            told.visit(&mut |v| own |= matches!(v, Value::Heads(_)));
            goes_on[class] |= own;
            begins[class] |= *chain != Chain::Ended && !(own && matches!(told, Value::Heads(_)));
        }
        for (class, is_chained) in chained.iter_mut().enumerate() {
            *is_chained |= goes_on[class] && begins[class];
        }
    }
    chained
}

/// The class of a place of a thread.
fn class_of(layout: &Layout, classes: &Classes, thread: usize, place: &Place) -> Option<usize> {
    match &place.base {
        Base::Object(object) => Some(layout.positions[object.0 as usize].class),
        Base::Pointer(pointer) => {
            let node = classes.of_pointer(ThreadId(thread as u32), pointer);
            node.and_then(|node| layout.class(node))
        }
    }
}
