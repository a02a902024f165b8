//! Facts about the typed program that inlining needs before it begins.

use std::collections::{HashMap, HashSet};

use crate::hir::{
    Argument, BinaryOp, Block, Callee, Constant, Expr, ExprKind, FunctionId, LocalId, Place,
    PlaceKind, Stmt, StmtKind, Unit,
};
use crate::types::Ty;
use crate::visit::Part;

/// Facts about a unit.
pub(crate) struct Uses {
    /// Functions whose addresses are values.
    pub callable: Vec<FunctionId>,
    /// Functions that can call themselves.
    pub recursive: HashSet<FunctionId>,
    /// Locals that are assigned or have their address taken.
    pub written: HashMap<FunctionId, HashSet<LocalId>>,
    /// Locals that are assigned after their declaration or have their address taken.
    pub assigned: HashMap<FunctionId, HashSet<LocalId>>,
    /// Functions that start threads or wait for them, themselves or by a call.
    pub threading: HashSet<FunctionId>,
    /// The values of counters of loops, by function: see [`Walk::counter`].
    pub counters: HashMap<FunctionId, HashMap<LocalId, (i64, i64)>>,
    /// True if marks are put into the low bits of addresses.
    pub tags: bool,
    /// True if a thread is waited for.
    pub joins: bool,
    /// True if a pointer to an integer becomes one to the integer of the same size with or without a sign.
    pub mixed_signs: bool,
}

impl Uses {
    /// The facts about a unit.
    pub(crate) fn of(unit: &Unit) -> Uses {
        let mut walk = Walk::default();
        for constant in unit.globals.iter().flat_map(|g| &g.init) {
            if let (_, Constant::Function(function)) = constant {
                walk.callable.insert(*function);
            }
        }
        let (mut written, mut assigned) = (HashMap::new(), HashMap::new());
        let mut counters = HashMap::new();
        for (index, function) in unit.functions.iter().enumerate() {
            walk.current = FunctionId(index as u32);
            (walk.written, walk.assigned) = (HashSet::new(), HashSet::new());
            (walk.writes, walk.labels) = (HashMap::new(), false);
            walk.counters = HashMap::new();
            if let Some(body) = &function.body {
                walk.block(body);
            }
            written.insert(walk.current, std::mem::take(&mut walk.written));
            assigned.insert(walk.current, std::mem::take(&mut walk.assigned));
            counters.insert(walk.current, walk.settled_counters());
        }
        let mut callable: Vec<_> = walk.callable.iter().copied().collect();
        callable.sort();
        let recursive = walk.cycles(unit.functions.len());
        Uses {
            callable,
            recursive,
            written,
            assigned,
            counters,
            threading: walk.threading(),
            tags: walk.numbers && walk.wide_bits,
            joins: walk.joins,
            mixed_signs: walk.mixed_signs,
        }
    }
}

#[derive(Default)]
struct Walk {
    current: FunctionId,
    callable: HashSet<FunctionId>,
    calls: HashSet<(FunctionId, FunctionId)>,
    /// Functions that call through a pointer.
    indirect: HashSet<FunctionId>,
    written: HashSet<LocalId>,
    assigned: HashSet<LocalId>,
    /// How often each local is assigned or has its address taken, its declarations included.
    writes: HashMap<LocalId, u32>,
    /// True if the function has labels.
    labels: bool,
    counters: HashMap<LocalId, (i64, i64)>,
    /// Functions that start threads or wait for them themselves.
    threads: HashSet<FunctionId>,
    /// Addresses become integers.
    numbers: bool,
    /// Bits of 64-bit integers are changed or looked at.
    wide_bits: bool,
    joins: bool,
    mixed_signs: bool,
}

impl Walk {
    fn block(&mut self, block: &Block) {
        for stmt in block {
            taut_budget::tick();
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Init(local, _) | StmtKind::Declare(local) = &stmt.kind {
            self.written.insert(*local);
            *self.writes.entry(*local).or_default() += 1;
        }
        self.labels |= matches!(stmt.kind, StmtKind::Label(_));
        if let Some((local, values)) = counter(stmt) {
            self.counters.insert(local, values);
        }
        stmt.parts(&mut |part| match part {
            Part::Expr(expr) => self.expr(expr),
            Part::Place(place) => self.place(place),
            Part::Block(block) => self.block(block),
        });
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::CompoundAssign(_, op, _, ty) = &expr.kind {
            let bits = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
            self.wide_bits |= bits && matches!(ty, Ty::Int(int) if int.bits == 64);
        }
        match &expr.kind {
            ExprKind::Function(function) => {
                self.callable.insert(*function);
            }
            ExprKind::AddressOf(place)
            | ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign(place, ..)
            | ExprKind::PointerAssign(place, _)
            | ExprKind::Step(place, ..)
            | ExprKind::AssignStruct(place, _) => self.write(place),
            ExprKind::Call(callee, _, into) => {
                self.callee(callee);
                if let Some(place) = into {
                    self.write(place);
                }
            }
            ExprKind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, a, _) => {
                self.wide_bits |= matches!(a.ty, Ty::Int(int) if int.bits == 64);
            }
            ExprKind::Convert(inner) => {
                self.numbers |= matches!((&expr.ty, &inner.ty), (Ty::Int(_), Ty::Pointer(_)));
                self.mixed_signs |= mixes_signs(&expr.ty, &inner.ty);
            }
            _ => {}
        }
        expr.parts(&mut |part| match part {
            Part::Expr(inner) => self.expr(inner),
            Part::Place(place) => self.place(place),
            Part::Block(block) => self.block(block),
        });
    }

    fn callee(&mut self, callee: &Callee) {
        match callee {
            Callee::Function(function) => {
                self.calls.insert((self.current, *function));
            }
            Callee::Builtin(name) => {
                self.joins |= name == "__taut_join";
                if is_threading(name) {
                    self.threads.insert(self.current);
                }
            }
            Callee::Pointer(_) => {
                self.indirect.insert(self.current);
            }
        }
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(inner, _) => self.place(inner),
            PlaceKind::Index(inner, index) => {
                self.place(inner);
                self.expr(index);
            }
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        }
    }

    fn write(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(local) => {
                self.written.insert(*local);
                self.assigned.insert(*local);
                *self.writes.entry(*local).or_default() += 1;
            }
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) => self.write(inner),
            PlaceKind::Global(_) | PlaceKind::Deref(_) => {}
        }
    }

    /// The counters of the function that nothing but their loop sets.
    fn settled_counters(&mut self) -> HashMap<LocalId, (i64, i64)> {
        let mut counters = std::mem::take(&mut self.counters);
        // One write by the declaration, one by the loop's step. A jump could enter the loop with any value.
        counters.retain(|local, _| self.writes.get(local) == Some(&2) && !self.labels);
        counters
    }

    /// The functions that start threads or wait for them, themselves or by a call.
    fn threading(&self) -> HashSet<FunctionId> {
        let mut all = self.threads.clone();
        loop {
            let callers =
                self.calls.iter().filter(|(_, to)| all.contains(to)).map(|(from, _)| *from);
            let more: Vec<_> = callers.filter(|from| !all.contains(from)).collect();
            if more.is_empty() {
                return all;
            }
            all.extend(more);
        }
    }

    /// The functions on a cycle of calls.
    fn cycles(&self, count: usize) -> HashSet<FunctionId> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (from, to) in &self.calls {
            next[from.0 as usize].push(to.0 as usize);
        }
        for from in &self.indirect {
            next[from.0 as usize].extend(self.callable.iter().map(|f| f.0 as usize));
        }
        let reaches_itself = |start: usize| {
            let (mut seen, mut todo) = (vec![false; count], next[start].clone());
            while let Some(at) = todo.pop() {
                taut_budget::tick();
                if at == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[at], true) {
                    todo.extend(&next[at]);
                }
            }
            false
        };
        (0..count).filter(|&f| reaches_itself(f)).map(|f| FunctionId(f as u32)).collect()
    }
}

/// True if two types are pointers to integers of one size below 64 bits, of which one has a sign.
fn mixes_signs(a: &Ty, b: &Ty) -> bool {
    let pointed = |ty: &Ty| ty.pointee().map(|to| to.ty.clone());
    match (pointed(a), pointed(b)) {
        (Some(Ty::Int(a)), Some(Ty::Int(b))) => {
            a.bits == b.bits && a.bits < 64 && a.signed != b.signed
        }
        _ => false,
    }
}

/// The counter of a loop `for (int i = 0; i < 3; i++)` and its values, 0 and the one after the last round included: where the step is
/// taken, the condition was true, so that the counter never leaves them.
fn counter(stmt: &Stmt) -> Option<(LocalId, (i64, i64))> {
    let StmtKind::For(begin, Some(condition), Some(step), _) = &stmt.kind else { return None };
    let [Stmt { kind: StmtKind::Init(local, cells), .. }] = begin.as_slice() else { return None };
    let [(0, first)] = cells.as_slice() else { return None };
    let ExprKind::Int(first) = first.kind else { return None };
    let ExprKind::Step(place, 1, _) = &step.kind else { return None };
    let ExprKind::Binary(op, left, right) = &condition.kind else { return None };
    let ExprKind::Load(compared) = &unconverted(left).kind else { return None };
    let ExprKind::Int(bound) = unconverted(right).kind else { return None };
    let last = match op {
        BinaryOp::Lt | BinaryOp::Ne => bound,
        BinaryOp::Le => bound.checked_add(1)?,
        _ => return None,
    };
    let is_it = |place: &Place| matches!(place.kind, PlaceKind::Local(other) if other == *local);
    let Ty::Int(int) = place.ty.ty else { return None };
    let small = 0 <= first && first <= last && last <= 1 << 20 && last <= int.hi();
    (small && is_it(place) && is_it(compared)).then_some((*local, (0, last)))
}

/// An expression without conversions, which do not change small values that are not negative.
fn unconverted(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert(inner) if matches!(inner.ty, Ty::Int(_)) => unconverted(inner),
        _ => expr,
    }
}

/// True for the operations that start a thread or wait for one.
fn is_threading(name: &str) -> bool {
    matches!(name, "__taut_create" | "__taut_join")
}

/// True if a block starts threads or waits for them, given the functions that do, and has no labels.
pub(crate) fn is_threading_block(block: &Block, functions: &HashSet<FunctionId>) -> bool {
    let mut found = (false, false);
    look_at_block(block, functions, &mut found);
    found == (true, false)
}

/// Notes a thread that is started or waited for, and a label.
fn look_at_block(block: &Block, functions: &HashSet<FunctionId>, found: &mut (bool, bool)) {
    for stmt in block {
        found.1 |= matches!(stmt.kind, StmtKind::Label(_));
        stmt.parts(&mut |part| look_at(part, functions, found));
    }
}

fn look_at(part: Part<'_>, functions: &HashSet<FunctionId>, found: &mut (bool, bool)) {
    match part {
        Part::Expr(expr) => {
            if let ExprKind::Call(callee, ..) = &expr.kind {
                found.0 |= match callee {
                    Callee::Function(function) => functions.contains(function),
                    Callee::Builtin(name) => is_threading(name),
                    Callee::Pointer(_) => false,
                };
            }
            expr.parts(&mut |part| look_at(part, functions, found));
        }
        Part::Place(_) => {}
        Part::Block(block) => look_at_block(block, functions, found),
    }
}

/// True if a jump can lead into a statement.
pub(crate) fn can_be_entered(stmt: &Stmt) -> bool {
    let mut found =
        matches!(stmt.kind, StmtKind::Label(_) | StmtKind::Case(..) | StmtKind::Default);
    stmt.parts(&mut |part| {
        if let Part::Block(block) = part {
            found |= block.iter().any(can_be_entered);
        }
    });
    found
}

/// True if computing an expression changes something.
pub(crate) fn assigns(expr: &Expr) -> bool {
    let own = matches!(
        expr.kind,
        ExprKind::Assign(..)
            | ExprKind::CompoundAssign(..)
            | ExprKind::PointerAssign(..)
            | ExprKind::Step(..)
            | ExprKind::AssignStruct(..)
            | ExprKind::Call(..)
            | ExprKind::Statements(..)
    );
    let mut inner = false;
    expr.parts(&mut |part| match part {
        Part::Expr(e) => inner |= assigns(e),
        Part::Place(p) => inner |= place_assigns(p),
        Part::Block(_) => {}
    });
    own || inner
}

/// True if finding a place changes something.
pub(crate) fn place_assigns(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => false,
        PlaceKind::Deref(pointer) => assigns(pointer),
        PlaceKind::Field(inner, _) => place_assigns(inner),
        PlaceKind::Index(inner, index) => place_assigns(inner) || assigns(index),
    }
}

/// True if computing an argument changes something.
pub(crate) fn argument_assigns(argument: &Argument) -> bool {
    match argument {
        Argument::Value(value) => assigns(value),
        Argument::Struct(place) => place_assigns(place),
        Argument::Type(_) => false,
    }
}

/// True if an expression reads nothing but locals.
pub(crate) fn is_register_only(expr: &Expr) -> bool {
    let mut inner = true;
    expr.parts(&mut |part| match part {
        Part::Expr(e) => inner &= is_register_only(e),
        Part::Place(p) => inner &= is_local(p),
        Part::Block(_) => inner = false,
    });
    inner && !assigns(expr)
}

fn is_local(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) => true,
        PlaceKind::Global(_) | PlaceKind::Deref(_) => false,
        PlaceKind::Field(inner, _) => is_local(inner),
        PlaceKind::Index(inner, index) => is_local(inner) && is_register_only(index),
    }
}
