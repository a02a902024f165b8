//! Fewer steps with the same meaning: what happens in registers only is taken together with the access before or after.
//!
//! - A point whose only step does nothing is the point that the step leads to.
//! - Steps one after the other are one step if at most one of them is more than local, or if both are inside of one
//!   indivisible section.
//! - A value that is computed in registers, or inside of an indivisible section, and the decision that follows it are one step per
//!   outcome. A load and the decision that follows it are not: a guard that loads can become true by what another thread does,
//!   which costs the search more (2,059 states instead of 501 for Szymanski's lock under SC) than a decision in registers, which it
//!   passes through.
//! - Values of registers that are not read again are not computed, unless computing them may go wrong.
//!
//! *Why this is right.* A local step neither reads nor writes what another thread sees, so it can be moved next to the
//! access of its own thread before or after it in any run (Lipton, *Reduction*, 1975). Nothing else happens at the points that
//! disappear: they have no label, and no thread waits there.

use std::collections::HashMap;

use taut_ir::{BinaryOp, Overflow, Type};

use super::liveness::Liveness;
use super::mir::{Check, Edge, Mode, Op, Point, Reg, Target, Thread, Value, Watch};

/// Makes the graph of a thread smaller.
pub(crate) fn simplify(thread: &mut Thread) {
    let _phase = taut_budget::phase("local steps are joined");
    drop_unreachable(thread);
    collapse(thread);
    loop {
        let before = thread.edges.len();
        while join_pairs(thread) {}
        while decide_early(thread) {}
        drop_dead(thread);
        drop_unreachable(thread);
        if thread.edges.len() >= before {
            break;
        }
    }
    while super::main_thread::join_waits(thread) {}
    super::main_thread::start_together(thread);
    renumber(thread);
}

/// Steps that cannot be reached go.
fn drop_unreachable(thread: &mut Thread) {
    let mut seen = vec![false; thread.points.len()];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); thread.points.len()];
    for (index, edge) in thread.edges.iter().enumerate() {
        out[edge.from.0 as usize].push(index);
    }
    let mut todo = vec![thread.entry];
    while let Some(point) = todo.pop() {
        taut_budget::tick();
        if std::mem::replace(&mut seen[point.0 as usize], true) {
            continue;
        }
        for &edge in &out[point.0 as usize] {
            match &thread.edges[edge].to {
                Target::Point(to) => todo.push(*to),
                Target::Call { procedure, back, .. } => {
                    todo.push(*back);
                    todo.push(thread.procedures[*procedure].entry);
                }
                Target::Return => {}
            }
        }
    }
    thread.edges.retain(|edge| seen[edge.from.0 as usize] && !matches!(edge.guard, Value::Int(0)));
}

/// Points whose only step does nothing become the point that it leads to.
fn collapse(thread: &mut Thread) {
    let (mut outs, mut ins) = degrees(thread);
    let mut alias: Vec<Point> = (0..thread.points.len()).map(|i| Point(i as u32)).collect();
    for edge in &thread.edges {
        let Target::Point(to) = edge.to else { continue };
        if outs[edge.from.0 as usize] != 1 || !is_nothing(edge) {
            continue;
        }
        let (from, to) = (find(&alias, edge.from), find(&alias, to));
        let (a, b) = (from.0 as usize, to.0 as usize);
        // A loop that does nothing stays.
        if from == to || (!thread.points[a].atomic && thread.points[b].atomic && ins[b] != 1) {
            continue;
        }
        alias[a] = to;
        ins[b] = ins[b] + ins[a] - 1;
        outs[a] = 0;
        let point = thread.points[a].clone();
        let target = &mut thread.points[b];
        target.labels.extend(point.labels);
        target.end |= point.end;
        target.atomic &= point.atomic;
    }
    let name = |point: Point| find(&alias, point);
    thread.edges.retain(|edge| {
        let collapsed = alias[edge.from.0 as usize] != edge.from && is_nothing(edge);
        !collapsed
    });
    for edge in &mut thread.edges {
        edge.from = name(edge.from);
        rename_target(&mut edge.to, name);
    }
    thread.entry = name(thread.entry);
    for procedure in &mut thread.procedures {
        procedure.entry = name(procedure.entry);
    }
}

fn rename_target(target: &mut Target, name: impl Fn(Point) -> Point) {
    match target {
        Target::Point(to) => *to = name(*to),
        Target::Call { back, .. } => *back = name(*back),
        Target::Return => {}
    }
}

fn find(alias: &[Point], mut point: Point) -> Point {
    while alias[point.0 as usize] != point {
        point = alias[point.0 as usize];
    }
    point
}

fn is_nothing(edge: &Edge) -> bool {
    edge.guard == Value::TRUE
        && edge.ops.is_empty()
        && edge.checks.is_empty()
        && edge.mode != Mode::Fence
}

/// Number of steps that leave each point, and that lead to it.
pub(super) fn degrees(thread: &Thread) -> (Vec<usize>, Vec<usize>) {
    let count = thread.points.len();
    let (mut outs, mut ins) = (vec![0; count], vec![0; count]);
    ins[thread.entry.0 as usize] += 1;
    for procedure in &thread.procedures {
        // Calls lead here: never a point in the middle.
        ins[procedure.entry.0 as usize] += 2;
    }
    for edge in &thread.edges {
        outs[edge.from.0 as usize] += 1;
        match &edge.to {
            Target::Point(to) => ins[to.0 as usize] += 1,
            Target::Call { back, .. } => ins[back.0 as usize] += 2,
            Target::Return => {}
        }
    }
    (outs, ins)
}

/// True if a point can disappear between its only step in and the steps out.
pub(super) fn is_inner(thread: &Thread, point: Point, ins: &[usize]) -> bool {
    let info = &thread.points[point.0 as usize];
    ins[point.0 as usize] == 1 && info.labels.is_empty() && !info.end
}

fn is_local(edge: &Edge) -> bool {
    edge.mode == Mode::Plain
        && edge.guard.loads() == 0
        && edge.ops.iter().all(Op::is_local)
        && edge.checks.iter().all(|c| matches!(c, Check::True(v, _) if v.loads() == 0))
}

/// Joins steps one after the other; true if some were.
fn join_pairs(thread: &mut Thread) -> bool {
    let (outs, ins) = degrees(thread);
    let mut only_out: HashMap<Point, usize> = HashMap::new();
    for (index, edge) in thread.edges.iter().enumerate() {
        if outs[edge.from.0 as usize] == 1 {
            only_out.insert(edge.from, index);
        }
    }
    let mut gone = vec![false; thread.edges.len()];
    let mut changed = false;
    for first in 0..thread.edges.len() {
        taut_budget::tick();
        while let Some(second) = joinable(thread, first, &only_out, &ins, &gone) {
            let next = thread.edges[second].clone();
            let edge = &mut thread.edges[first];
            // The step is called as its access is.
            if is_local(edge) && !(is_local(&next) && edge.text.is_some()) {
                (edge.span, edge.text) = (next.span, next.text);
            }
            edge.ops.extend(next.ops);
            edge.to = next.to;
            edge.mode = stronger(edge.mode, next.mode);
            gone[second] = true;
            changed = true;
        }
    }
    let mut index = 0;
    thread.edges.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
    changed
}

fn joinable(
    thread: &Thread,
    first: usize,
    only_out: &HashMap<Point, usize>,
    ins: &[usize],
    gone: &[bool],
) -> Option<usize> {
    let a = &thread.edges[first];
    let Target::Point(middle) = a.to else { return None };
    if gone[first] || !is_inner(thread, middle, ins) {
        return None;
    }
    let &second = only_out.get(&middle)?;
    let b = &thread.edges[second];
    if gone[second] || second == first || b.guard != Value::TRUE || !b.checks.is_empty() {
        return None;
    }
    // A fence is a step of its own: repairs take it out and put it in.
    if is_fence(a) || is_fence(b) {
        return None;
    }
    let section =
        thread.points[middle.0 as usize].atomic && a.mode == Mode::Locked && b.mode == Mode::Locked;
    let calls = (!matches!(b.to, Target::Point(_)) && !is_local(a)) || is_watched_after(a, b);
    let fits = section || is_local(b) || (is_local(a) && !loads_after_fault(a));
    // A step that may fail after an effect on memory would undo the effect: it stays apart.
    let safe =
        section || !a.ops.iter().any(is_store) || !b.ops.iter().any(|op| may_fail(thread, op));
    // A decision stays a step of registers only: the search passes through it.
    if is_local(a) && a.guard != Value::TRUE && !is_local(b) && !section {
        return None;
    }
    (fits && safe && !calls).then_some(second)
}

/// True if the second step watches a place, or asks what the thread knows, that the first one changes: what is watched is
/// looked up before the step.
fn is_watched_after(a: &Edge, b: &Edge) -> bool {
    let set: Vec<Reg> = a.ops.iter().filter_map(Op::target).collect();
    b.ops.iter().any(|op| {
        let is_watch = matches!(op, Op::Watch(Watch::Access(_) | Watch::Free(_)));
        is_watch && op.values().iter().any(|value| set.iter().any(|&reg| value.reads(reg)))
    })
}

fn is_fence(edge: &Edge) -> bool {
    let store_fence = matches!(edge.ops.as_slice(), [Op::StoreFence]);
    edge.mode == Mode::Fence && edge.ops.is_empty() || store_fence
}

fn loads_after_fault(edge: &Edge) -> bool {
    edge.ops.iter().any(|op| matches!(op, Op::Fail(_)))
}

fn is_store(op: &Op) -> bool {
    !matches!(op, Op::Set(..) | Op::SetElem(..) | Op::Fail(_) | Op::Watch(_))
}

/// True if an operation on registers may go wrong.
fn may_fail(thread: &Thread, op: &Op) -> bool {
    match op {
        Op::Set(reg, Value::Int(x)) => {
            let ty = thread.regs[reg.0 as usize].ty;
            ty.overflow == Overflow::Fault && (*x < ty.lo || *x > ty.hi)
        }
        Op::Set(reg, value) => {
            let ty = thread.regs[reg.0 as usize].ty;
            (ty.overflow == Overflow::Fault && ty != Type::BOOL) || divides(value)
        }
        Op::SetElem(reg, Value::Int(at), value) => {
            let len = thread.regs[reg.0 as usize].len.map_or(1, i64::from);
            !(0..len).contains(at) || divides(value)
        }
        Op::SetElem(..) | Op::Fail(_) => true,
        _ => false,
    }
}

fn divides(value: &Value) -> bool {
    let mut found = false;
    value.visit(&mut |v| {
        found |= matches!(v, Value::Binary(BinaryOp::Div | BinaryOp::Rem, _, d) if !matches!(**d, Value::Int(x) if x != 0));
        found |= matches!(v, Value::Elem(..));
        found |= matches!(v, Value::Binary(BinaryOp::Shl | BinaryOp::Shr, _, d) if !matches!(**d, Value::Int(x) if (0..64).contains(&x)));
    });
    found
}

fn stronger(a: Mode, b: Mode) -> Mode {
    match (a, b) {
        (Mode::Locked, _) | (_, Mode::Locked) => Mode::Locked,
        (Mode::Fence, _) | (_, Mode::Fence) => Mode::Fence,
        _ => Mode::Plain,
    }
}

/// Puts a value that was just computed into the guards that decide by it; true if there was one.
fn decide_early(thread: &mut Thread) -> bool {
    let (_, ins) = degrees(thread);
    let mut outs: HashMap<Point, Vec<usize>> = HashMap::new();
    for (index, edge) in thread.edges.iter().enumerate() {
        outs.entry(edge.from).or_default().push(index);
    }
    for first in 0..thread.edges.len() {
        taut_budget::tick();
        let Some(next) = decision(thread, first, &outs, &ins) else { continue };
        let head = thread.edges[first].clone();
        let fused: Vec<Edge> =
            next.iter().map(|&index| fuse(&head, &thread.edges[index])).collect();
        let mut index = 0;
        thread.edges.retain(|_| {
            index += 1;
            index - 1 != first && !next.contains(&(index - 1))
        });
        thread.edges.extend(fused);
        return true;
    }
    false
}

/// The steps that decide by the value of a step.
fn decision(
    thread: &Thread,
    first: usize,
    outs: &HashMap<Point, Vec<usize>>,
    ins: &[usize],
) -> Option<Vec<usize>> {
    let head = &thread.edges[first];
    let Target::Point(middle) = head.to else { return None };
    if !head.ops.iter().any(|op| matches!(op, Op::Set(..)))
        || !is_inner(thread, middle, ins)
        || middle == head.from
    {
        return None;
    }
    let loads: usize = head.ops.iter().flat_map(Op::values).map(Value::loads).sum();
    if loads > 0 && head.mode == Mode::Plain {
        return None;
    }
    let next = outs.get(&middle)?;
    let section = thread.points[middle.0 as usize].atomic && head.mode == Mode::Locked;
    let fits = |&index: &usize| {
        let edge = &thread.edges[index];
        let local = is_local(edge) || section && edge.mode == Mode::Locked;
        let movable = loads == 0 && head.mode == Mode::Plain && head.checks.is_empty();
        let point = matches!(edge.to, Target::Point(_)) && !is_fence(edge);
        let checked = edge.checks.is_empty() || loads == 0;
        let moves = can_move(thread, &head.ops, edge) && !is_watched_after(head, edge);
        (local || movable) && point && checked && moves
    };
    let decides = next.len() > 1 && next.len() <= 8;
    (decides && next.iter().all(fits)).then(|| next.clone())
}

/// True if the guard and the checks of a step can be computed before some operations: those only set registers, to values that
/// their types hold as they are.
fn can_move(thread: &Thread, ops: &[Op], next: &Edge) -> bool {
    let mut read: Vec<Reg> = Vec::new();
    let mut note = |value: &Value| {
        value.visit(&mut |v| {
            if let Value::Reg(r) | Value::Elem(r, _) = v {
                read.push(*r);
            }
        });
    };
    note(&next.guard);
    next.checks.iter().flat_map(Check::values).for_each(|value| note(&value));
    for op in ops.iter().rev() {
        let (reg, value) = match op {
            Op::Set(reg, value) => (reg, value),
            Op::Watch(_) if op.target().is_none_or(|reg| !read.contains(&reg)) => continue,
            _ => return false,
        };
        if may_fail(thread, op) {
            return false;
        }
        if read.contains(reg) {
            if !is_kept(thread, *reg, value) {
                return false;
            }
            value.visit(&mut |v| {
                if let Value::Reg(r) | Value::Elem(r, _) = v {
                    read.push(*r);
                }
            });
        }
    }
    true
}

/// True if a register holds a value as it is, without wrapping around.
fn is_kept(thread: &Thread, reg: Reg, value: &Value) -> bool {
    let register = &thread.regs[reg.0 as usize];
    let (lo, hi) = (register.ty.lo, register.ty.hi);
    // What is stored to a local was converted to its type before; a temporary may be the conversion.
    let converted = register.origin.is_some() && thread.converts;
    match value {
        _ if register.ty == Type::INT64 => true,
        Value::Int(x) => lo <= *x && *x <= hi,
        Value::Reg(source) => {
            let from = thread.regs[source.0 as usize].ty;
            converted || lo <= from.lo && from.hi <= hi
        }
        Value::Load(_) => converted,
        _ => false,
    }
}

/// A value before some operations, given after them.
fn moved(ops: &[Op], value: &Value) -> Value {
    let through = |after: Value, op: &Op| match op {
        Op::Set(reg, set) => {
            after.map_regs(&mut |r| if r == *reg { set.clone() } else { Value::Reg(r) })
        }
        _ => after,
    };
    ops.iter().rev().fold(value.clone(), through)
}

/// A check before some operations, given after them.
fn moved_check(ops: &[Op], check: &Check) -> Check {
    let through = |after: Check, op: &Op| match op {
        Op::Set(reg, set) => {
            after.map_regs(&mut |r| if r == *reg { set.clone() } else { Value::Reg(r) })
        }
        _ => after,
    };
    ops.iter().rev().fold(check.clone(), through)
}

fn fuse(head: &Edge, next: &Edge) -> Edge {
    let guard = head.guard.clone().and(moved(&head.ops, &next.guard));
    let before = match next.checks.is_empty() {
        true => head.before.clone(),
        false => head.before.clone().and(moved(&head.ops, &next.before)),
    };
    let mut checks = head.checks.clone();
    checks.extend(next.checks.iter().map(|check| moved_check(&head.ops, check)));
    let mut ops = head.ops.clone();
    ops.extend(next.ops.clone());
    // The step is called as its access is.
    let shown = if is_local(next) { head } else { next };
    Edge {
        from: head.from,
        to: next.to.clone(),
        before,
        guard,
        mode: stronger(head.mode, next.mode),
        checks,
        ops,
        span: shown.span,
        text: shown.text.clone(),
    }
}

/// Values that are not read again are not computed.
fn drop_dead(thread: &mut Thread) {
    let live = Liveness::of(thread);
    let mut edges = std::mem::take(&mut thread.edges);
    for edge in &mut edges {
        let mut after = live.after(thread, edge);
        let mut kept = Vec::new();
        for op in edge.ops.drain(..).rev() {
            let dead = match &op {
                Op::Set(reg, _) | Op::SetElem(reg, ..) => {
                    !after.contains(reg.0) && !may_fail(thread, &op)
                }
                Op::Watch(Watch::Learn(reg, _)) => !after.contains(reg.0),
                _ => false,
            };
            if dead {
                continue;
            }
            if let Op::Set(reg, _) | Op::Watch(Watch::Learn(reg, _)) = &op {
                after.remove(reg.0);
            }
            for value in op.values() {
                after.insert_reads(value);
            }
            kept.push(op);
        }
        kept.reverse();
        edge.ops = kept;
    }
    thread.edges = edges;
    drop_twins(thread);
    collapse(thread);
}

/// Of several steps between two points that do nothing, one stays: a choice by which nothing is decided.
fn drop_twins(thread: &mut Thread) {
    let mut seen = std::collections::HashSet::new();
    thread.edges.retain(|edge| match edge.to {
        Target::Point(to) if is_nothing(edge) => {
            seen.insert((edge.from, to, edge.mode == Mode::Plain))
        }
        _ => true,
    });
}

/// Leaves out points that no step touches.
fn renumber(thread: &mut Thread) {
    let mut used = vec![false; thread.points.len()];
    used[thread.entry.0 as usize] = true;
    for edge in &thread.edges {
        used[edge.from.0 as usize] = true;
        match edge.to {
            Target::Point(p) | Target::Call { back: p, .. } => used[p.0 as usize] = true,
            Target::Return => {}
        }
    }
    let mut numbers = vec![Point(0); thread.points.len()];
    let mut points = Vec::new();
    for (index, info) in thread.points.iter().enumerate() {
        if used[index] {
            numbers[index] = Point(points.len() as u32);
            points.push(info.clone());
        }
    }
    thread.points = points;
    thread.entry = numbers[thread.entry.0 as usize];
    for edge in &mut thread.edges {
        edge.from = numbers[edge.from.0 as usize];
        rename_target(&mut edge.to, |p| numbers[p.0 as usize]);
    }
    for procedure in &mut thread.procedures {
        procedure.entry = numbers[procedure.entry.0 as usize];
    }
}
