//! What each process may still do from each of its program points on, computed once.

use taut_ir::{Control, Effect, Expr, Lifecycle, ProcId, ProcessDef, Program, Step};
use taut_memory::{CellId, MemorySystem};

use taut_machine::{CompiledProcess, Machine, Needs};

/// A set of places.
type PlaceSet = u64;

/// What a process may still do from a program point on.
#[derive(Clone, Copy, Default)]
pub(super) struct Ahead {
    pub(super) reads: PlaceSet,
    pub(super) writes: PlaceSet,
}

/// What the steps at a program point do.
#[derive(Clone, Copy, Default)]
pub(super) struct Now {
    pub(super) reads: PlaceSet,
    /// Cells written, through the buffer or past it.
    pub(super) writes: PlaceSet,
    /// Cells written past the buffer.
    pub(super) direct_writes: PlaceSet,
    /// Whether every step waits at most for its own buffer.
    pub(super) simple: bool,
    /// Whether some step waits for its own buffer.
    pub(super) needs_drained: bool,
}

/// The tables of one process, by the bits of its program point.
pub(super) struct Tables {
    pub(super) ahead: Vec<Ahead>,
    pub(super) now: Vec<Now>,
}

/// The tables of all processes, if the program is one the reduction is for.
pub(super) fn tables<M: MemorySystem>(
    program: &Program,
    machine: &Machine<M>,
) -> Option<Vec<Tables>> {
    let suits = machine.places().len() <= 64
        && program.processes.len() <= 64
        && !program.spawns()
        && is_plain(program)
        && program.defs.iter().all(|d| order(d).is_some())
        && program.defs.iter().all(|d| d.points.iter().all(|l| !l.atomic));
    suits.then(|| machine.processes().iter().map(|p| table(program, machine, p)).collect())
}

/// Whether shared memory is all that processes have in common.
fn is_plain(program: &Program) -> bool {
    let apart = |expr: &Expr| {
        let mut apart = true;
        expr.visit(&mut |e| apart &= !looks_around(e));
        apart
    };
    let plain = |step: &Step| {
        step.channel.is_none()
            && step.yields_to.is_empty()
            && !step.holds
            && step.expressions().into_iter().all(apart)
    };
    program.lifecycle == Lifecycle::Slots && program.defs.iter().flat_map(|d| &d.steps).all(plain)
}

/// Whether an expression, apart from its operands, is about something that is not in memory and not the
/// process's own.
fn looks_around(expr: &Expr) -> bool {
    match expr {
        Expr::In(..)
        | Expr::At(..)
        | Expr::Drained(_)
        | Expr::Enabled(_)
        | Expr::Pid
        | Expr::Processes
        | Expr::Alive(_)
        | Expr::Timeout
        | Expr::Channel(..)
        | Expr::Poll(_) => true,
        Expr::Const(_)
        | Expr::Reg(_)
        | Expr::RegElem(..)
        | Expr::Var(_)
        | Expr::VarElem(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Cond(..) => false,
    }
}

fn table<M: MemorySystem>(
    program: &Program,
    machine: &Machine<M>,
    process: &CompiledProcess,
) -> Tables {
    let def = program.def_of(process.id);
    let count = def.points.len();
    let mut ahead = vec![Ahead::default(); count];
    let mut now = vec![Now { simple: true, ..Now::default() }; count];
    for &point in order(def).expect("checked").iter().rev() {
        for (_, step) in def.steps_from(taut_ir::PointId::from(point)) {
            let (reads, writes, direct) = accesses(program, machine, process.id, step);
            let Control::Goto(target) = step.target else { unreachable!("no calls") };
            let beyond = ahead[target.index()];
            ahead[point].reads |= reads | beyond.reads;
            ahead[point].writes |= writes | beyond.writes;
            now[point].reads |= reads;
            now[point].writes |= writes;
            now[point].direct_writes |= direct;
        }
        let needs = process.steps[point].iter().map(|s| s.needs);
        now[point].simple = needs.clone().all(|n| n != Needs::AllDrained);
        now[point].needs_drained = needs.clone().any(|n| n != Needs::Nothing);
    }
    Tables { ahead, now }
}

/// The places a step reads, writes, and writes past the buffer.
fn accesses<M: MemorySystem>(
    program: &Program,
    machine: &Machine<M>,
    process: ProcId,
    step: &Step,
) -> (PlaceSet, PlaceSet, PlaceSet) {
    let places = machine.places();
    let set = |all: Vec<CellId>| all.into_iter().fold(0, |s, p| s | (1_u64 << p.0));
    let reads = step.expressions().iter().fold(0, |s, e| s | set(places.read(program, e)));
    let (mut writes, mut direct) = (0, 0);
    for a in step.assignments() {
        let mut assigned = places.stored(program, &a.place);
        writes |= set(assigned.clone());
        if places.buffered_stores(program, step).any(|place| std::ptr::eq(place, &a.place)) {
            assigned.retain(|&p| !machine.memory().is_buffered(process, p));
        }
        direct |= set(assigned);
    }
    (reads, writes, direct)
}

/// The program points of a definition in an order that every step follows; `None` if it loops, calls or
/// spawns.
fn order(def: &ProcessDef) -> Option<Vec<usize>> {
    let mut incoming = vec![0; def.points.len()];
    for step in &def.steps {
        let Control::Goto(target) = step.target else { return None };
        incoming[target.index()] += 1;
        if step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. })) {
            return None;
        }
    }
    let mut ready: Vec<_> = (0..incoming.len()).filter(|&l| incoming[l] == 0).collect();
    let mut order = Vec::with_capacity(incoming.len());
    while let Some(point) = ready.pop() {
        order.push(point);
        for (_, step) in def.steps_from(taut_ir::PointId::from(point)) {
            let Control::Goto(target) = step.target else { continue };
            incoming[target.index()] -= 1;
            if incoming[target.index()] == 0 {
                ready.push(target.index());
            }
        }
    }
    (order.len() == def.points.len()).then_some(order)
}
