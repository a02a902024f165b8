//! Live registers, and few registers for many.
//!
//! A register is live at a point if a run from there can read it before it is set. Temporaries that are never live
//! together share a register of the program.

use super::mir::{Edge, Reg, Target, Thread, Value};

/// A set of registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers(Vec<u64>);

impl Registers {
    fn empty(count: usize) -> Registers {
        Registers(vec![0; count.div_ceil(64)])
    }

    pub(crate) fn contains(&self, register: u32) -> bool {
        self.0[register as usize / 64] >> (register % 64) & 1 == 1
    }

    fn insert(&mut self, register: u32) {
        self.0[register as usize / 64] |= 1 << (register % 64);
    }

    pub(crate) fn remove(&mut self, register: u32) {
        self.0[register as usize / 64] &= !(1 << (register % 64));
    }

    fn add(&mut self, other: &Registers) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    pub(crate) fn insert_reads(&mut self, value: &Value) {
        value.visit(&mut |v| {
            if let Value::Reg(r) | Value::Elem(r, _) = v {
                self.insert(r.0);
            }
        });
    }
}

/// The live registers at each point.
pub(crate) struct Liveness {
    at: Vec<Registers>,
    count: usize,
}

impl Liveness {
    /// The live registers of a thread.
    pub(crate) fn of(thread: &Thread) -> Liveness {
        let count = thread.regs.len();
        let mut live = Liveness { at: vec![Registers::empty(count); thread.points.len()], count };
        for (point, live) in live.at.iter_mut().enumerate() {
            // What is asked for at the end is read there.
            if thread.points[point].end {
                thread.observed.iter().for_each(|reg| live.insert(reg.0));
            }
        }
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); thread.points.len()];
        for (index, edge) in thread.edges.iter().enumerate() {
            for point in successors(thread, edge) {
                into[point].push(index);
            }
        }
        let mut todo: Vec<usize> = (0..thread.edges.len()).collect();
        while let Some(index) = todo.pop() {
            taut_budget::tick();
            let edge = &thread.edges[index];
            let before = live.before(thread, edge);
            if live.at[edge.from.0 as usize].add(&before) {
                todo.extend(&into[edge.from.0 as usize]);
            }
        }
        live
    }

    /// The registers that are live behind a step.
    pub(crate) fn after(&self, thread: &Thread, edge: &Edge) -> Registers {
        let mut live = Registers::empty(self.count);
        for point in successors(thread, edge) {
            live.add(&self.at[point]);
        }
        if let Target::Call { args, .. } = &edge.to {
            args.iter().for_each(|arg| live.insert_reads(arg));
        }
        if matches!(edge.to, Target::Return) {
            // The caller may read every register that is no procedure's own.
            let results = (0..self.count as u32)
                .filter(|&r| !thread.procedures.iter().any(|p| p.registers.contains(&Reg(r))));
            results.for_each(|r| live.insert(r));
        }
        live
    }

    fn before(&self, thread: &Thread, edge: &Edge) -> Registers {
        let mut live = self.after(thread, edge);
        for op in edge.ops.iter().rev() {
            if let (Some(reg), true) = (op.target(), !matches!(op, super::mir::Op::SetElem(..))) {
                live.remove(reg.0);
            }
            op.values().into_iter().for_each(|value| live.insert_reads(value));
        }
        live.insert_reads(&edge.guard);
        for check in &edge.checks {
            check.values().iter().for_each(|value| live.insert_reads(value));
        }
        live
    }

    /// The points at which a register is live.
    pub(crate) fn points(&self, register: Reg) -> impl Iterator<Item = usize> {
        (0..self.at.len()).filter(move |&p| self.at[p].contains(register.0))
    }
}

fn successors(thread: &Thread, edge: &Edge) -> Vec<usize> {
    match &edge.to {
        Target::Point(to) => vec![to.0 as usize],
        Target::Call { procedure, back, .. } => {
            vec![back.0 as usize, thread.procedures[*procedure].entry.0 as usize]
        }
        Target::Return => Vec::new(),
    }
}

/// For each register the one that stands for it: temporaries that are never needed together share one.
///
/// Registers of different kinds never share one.
pub(crate) fn shared_registers(thread: &Thread, kind: &impl Fn(Reg) -> Option<usize>) -> Vec<Reg> {
    let live = Liveness::of(thread);
    let mut used: Vec<Vec<usize>> = vec![Vec::new(); thread.regs.len()];
    for edge in &thread.edges {
        let mut mention = |reg: Reg| {
            used[reg.0 as usize].push(edge.from.0 as usize);
            used[reg.0 as usize].extend(successors(thread, edge));
        };
        mentioned(edge, &mut mention);
    }
    let mut shared: Vec<Reg> = (0..thread.regs.len()).map(|r| Reg(r as u32)).collect();
    let mut taken: Vec<(Reg, Vec<bool>)> = Vec::new();
    for (index, points) in used.iter().enumerate() {
        taut_budget::tick();
        let reg = Reg(index as u32);
        if points.is_empty() || !may_share(thread, reg) {
            continue;
        }
        let mut needed: Vec<usize> = points.iter().copied().chain(live.points(reg)).collect();
        needed.sort_unstable();
        needed.dedup();
        let free = taken.iter_mut().find(|(other, busy)| {
            fits(thread, reg, *other)
                && kind(reg) == kind(*other)
                && needed.iter().all(|&point| !busy[point])
        });
        match free {
            Some((other, busy)) => {
                needed.iter().for_each(|&point| busy[point] = true);
                shared[index] = *other;
            }
            None => {
                let mut busy = vec![false; thread.points.len()];
                needed.iter().for_each(|&point| busy[point] = true);
                taken.push((reg, busy));
            }
        }
    }
    shared
}

/// Temporaries only: the locals of the user keep their names. The first two registers are parameters.
fn may_share(thread: &Thread, reg: Reg) -> bool {
    let register = &thread.regs[reg.0 as usize];
    register.name == "t" && register.origin.is_none() && register.len.is_none()
}

/// True if two temporaries have one type and belong to one procedure.
fn fits(thread: &Thread, a: Reg, b: Reg) -> bool {
    let home = |reg: Reg| thread.procedures.iter().position(|p| p.registers.contains(&reg));
    thread.regs[a.0 as usize].ty == thread.regs[b.0 as usize].ty && home(a) == home(b)
}

/// Calls a function with each register that a step reads or sets.
pub(crate) fn mentioned(edge: &Edge, f: &mut impl FnMut(Reg)) {
    let mut read = |value: &Value| {
        value.visit(&mut |v| {
            if let Value::Reg(r) | Value::Elem(r, _) = v {
                f(*r);
            }
        });
    };
    read(&edge.guard);
    for check in &edge.checks {
        check.values().iter().for_each(&mut read);
    }
    for op in &edge.ops {
        op.values().into_iter().for_each(&mut read);
    }
    if let Target::Call { args, .. } = &edge.to {
        args.iter().for_each(&mut read);
    }
    for op in &edge.ops {
        op.target().into_iter().for_each(&mut *f);
    }
}
