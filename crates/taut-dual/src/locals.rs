//! The private state of a process: its registers, and the ghosts that only it uses.
//!
//! A ghost variable is never buffered. If one process alone has steps that use it, it is no different from a register
//! of that process. A register whose value no step and no property reads any more is *dead*: it is set to 0, so that it
//! makes no difference between control points.
//!
//! A process with open calls has its stack behind these values (`calls.rs`).

use std::collections::{HashMap, HashSet};

use taut_ir::{
    Assignment, Control, Expr, Fault, Lvalue, Overflow, PointId, ProcId, ProcessDef, Program,
    RegId, Register, Step, Type, VarId, VarKind,
};

/// Positions of registers and own ghosts in the private state of one process.
#[derive(Debug)]
pub(crate) struct Locals {
    registers: Vec<u32>,
    ghosts: HashMap<VarId, u32>,
    pub(crate) initial: Vec<i64>,
    /// For each program point, which positions are read later.
    live: Vec<Vec<bool>>,
}

/// What makes a value one that is read later.
struct Reading<'a> {
    /// A ghost that is kept although nothing reads it.
    kept: Option<VarId>,
    /// The variables that something reads.
    read: &'a HashSet<VarId>,
}

impl Locals {
    /// The positions of a process with some own ghosts, and one more that is kept although nothing reads it (`ends.rs`).
    pub(crate) fn of(
        program: &Program,
        process: ProcId,
        ghosts: &[VarId],
        kept: Option<VarId>,
        read: &HashSet<VarId>,
    ) -> Locals {
        let (def, own) = (program.def_of(process), program.process(process));
        let mut initial = Vec::new();
        let mut registers = Vec::new();
        for (i, register) in def.registers.iter().enumerate() {
            registers.push(initial.len() as u32);
            let given = own.args.get(i).copied();
            let init = |e: u32| given.unwrap_or_else(|| initial_value(register, e));
            initial.extend((0..register.size()).map(init));
        }
        let mut positions = HashMap::new();
        for &var in ghosts.iter().chain(&kept) {
            positions.insert(var, initial.len() as u32);
            let ghost = program.var(var);
            let init = |e: u32| ghost.init[if ghost.init.len() > 1 { e as usize } else { 0 }];
            initial.extend((0..ghost.size()).map(init));
        }
        let mut locals = Locals { registers, ghosts: positions, initial, live: Vec::new() };
        locals.live = locals.liveness(program, process, &Reading { kept, read });
        locals
    }

    /// The private state of a process that is started with these values of its parameters.
    pub(crate) fn starting(&self, args: &[i64]) -> Vec<i64> {
        let mut state = self.initial.clone();
        for (&position, &value) in self.registers.iter().zip(args) {
            state[position as usize] = value;
        }
        state
    }

    /// The positions of all elements of a register.
    pub(crate) fn elements(&self, def: &ProcessDef, register: RegId) -> std::ops::Range<usize> {
        let first = self.registers[register.index()] as usize;
        first..first + def.registers[register.index()].size() as usize
    }

    /// Whether a position is read after a program point.
    pub(crate) fn is_live(&self, point: PointId, position: usize) -> bool {
        self.live[point.index()][position]
    }

    /// Whether the process has ghosts of its own.
    pub(crate) fn own_ghosts(&self) -> impl Iterator<Item = VarId> {
        self.ghosts.keys().copied()
    }

    /// The position of an element of a register.
    pub(crate) fn register(
        &self,
        def: &ProcessDef,
        register: RegId,
        index: i64,
    ) -> Result<usize, Fault> {
        let size = def.registers[register.index()].size();
        let position = u32::try_from(index).ok().filter(|&i| i < size).ok_or(Fault::Index)?;
        Ok((self.registers[register.index()] + position) as usize)
    }

    /// The position of an element of an own ghost, whose index is known to be inside.
    pub(crate) fn ghost(&self, var: VarId, index: i64) -> Option<usize> {
        self.ghosts.get(&var).map(|&first| first as usize + index as usize)
    }

    /// Sets to 0 what is not read after a program point.
    pub(crate) fn forget_dead(&self, point: usize, state: &mut [i64]) {
        for (value, is_live) in state.iter_mut().zip(&self.live[point]) {
            if !is_live {
                *value = 0;
            }
        }
    }

    fn liveness(
        &self,
        program: &Program,
        process: ProcId,
        reading: &Reading<'_>,
    ) -> Vec<Vec<bool>> {
        let def = program.def_of(process);
        let mut always = vec![false; self.initial.len()];
        if let Some(var) = reading.kept {
            self.mark_ghost(var, &mut always);
        }
        for expr in program.properties.iter().flat_map(|p| p.kind.exprs()) {
            self.watch(program, process, expr, &mut always);
        }
        let mut live = vec![always; def.points.len()];
        // Backward to the fixpoint: few rounds, as programs are short.
        let mut changed = true;
        while changed {
            changed = false;
            for step in &def.steps {
                taut_budget::tick();
                let needed = self.needed_before(program, def, step, &live, reading.read);
                let own = &mut live[step.source.index()];
                for (have, need) in own.iter_mut().zip(needed) {
                    changed |= need && !*have;
                    *have |= need;
                }
            }
        }
        live
    }

    fn needed_before(
        &self,
        program: &Program,
        def: &ProcessDef,
        step: &Step,
        live: &[Vec<bool>],
        read: &HashSet<VarId>,
    ) -> Vec<bool> {
        let mut needed = self.needed_after(def, &step.target, live);
        for place in step.assignments().map(|a: &Assignment| &a.place) {
            if let Lvalue::Reg(r) = place {
                needed[self.registers[r.index()] as usize] = false;
            }
        }
        let lost: Vec<&Expr> = step.assignments().filter_map(|a| lost(program, a, read)).collect();
        let is_lost = |expr: &Expr| lost.iter().any(|other| std::ptr::eq(*other, expr));
        for expr in step.expressions().into_iter().filter(|expr| !is_lost(expr)) {
            expr.visit(&mut |e| self.mark(def, e, &mut needed));
        }
        needed
    }

    /// What is needed where a step leads. A return leads behind any call; a call keeps what is needed behind it, also of
    /// the registers that the procedure has anew: their values go to the stack.
    fn needed_after(&self, def: &ProcessDef, target: &Control, live: &[Vec<bool>]) -> Vec<bool> {
        let behind = def.steps.iter().filter_map(|step| match step.target {
            Control::Call { return_to, .. } => Some(return_to),
            _ => None,
        });
        let points: Vec<PointId> = match target {
            Control::Goto(target) => vec![*target],
            Control::Call { procedure, return_to, .. } => {
                vec![def.procedures[procedure.index()].entry, *return_to]
            }
            Control::Return => behind.collect(),
            Control::Exit => Vec::new(),
        };
        let is_live = |position| points.iter().any(|point| live[point.index()][position]);
        (0..self.initial.len()).map(is_live).collect()
    }

    /// Marks what an expression of the process itself reads. Of an array everything.
    fn mark(&self, def: &ProcessDef, expr: &Expr, needed: &mut [bool]) {
        match expr {
            Expr::Reg(r) | Expr::RegElem(r, _) => {
                let first = self.registers[r.index()] as usize;
                let size = def.registers[r.index()].size() as usize;
                needed[first..first + size].fill(true);
            }
            Expr::Var(v) | Expr::VarElem(v, _) => self.mark_ghost(*v, needed),
            _ => {}
        }
    }

    fn mark_ghost(&self, var: VarId, needed: &mut [bool]) {
        // Positions of ghosts come last, in no order: from the first one on, everything is kept.
        if let Some(&first) = self.ghosts.get(&var) {
            needed[first as usize..].fill(true);
        }
    }

    /// Marks what a property reads of the process.
    fn watch(&self, program: &Program, process: ProcId, expr: &Expr, needed: &mut [bool]) {
        expr.visit(&mut |e| match e {
            Expr::In(p, inner) if *p == process || are_alike(program, *p, process) => {
                let def = program.def_of(process);
                inner.visit(&mut |e| self.mark(def, e, needed));
            }
            Expr::Var(v) | Expr::VarElem(v, _) => self.mark_ghost(*v, needed),
            _ => {}
        });
    }
}

/// The value of an assignment if it is a register, and the assignment to a variable that nothing reads, into which every value
/// fits.
fn lost<'a>(program: &Program, a: &'a Assignment, read: &HashSet<VarId>) -> Option<&'a Expr> {
    let var = a.place.variable().filter(|var| !read.contains(var))?;
    let fits = program.var(var).ty.overflow == Overflow::Wrap;
    (fits && matches!(a.value, Expr::Reg(_))).then_some(&a.value)
}

/// The type of what is assigned.
pub(crate) fn type_of(program: &Program, def: &ProcessDef, place: &Lvalue) -> Type {
    match place {
        Lvalue::Reg(r) | Lvalue::RegElem(r, _) => def.registers[r.index()].ty,
        Lvalue::Var(v) | Lvalue::VarElem(v, _) => program.var(*v).ty,
    }
}

/// Whether two processes are of one definition with any number of processes: properties that name one of them are about
/// any.
fn are_alike(program: &Program, a: ProcId, b: ProcId) -> bool {
    let (a, b) = (program.process(a).def, program.process(b).def);
    a == b && program.is_replicated(a)
}

/// The initial value of an element of a register.
pub(crate) fn initial_value(register: &Register, element: u32) -> i64 {
    match register.init.len() {
        0 | 1 => register.init.first().copied().unwrap_or(0),
        _ => register.init[element as usize],
    }
}

/// For each ghost that steps use, and that some step or property reads, the processes with such a step.
pub(crate) fn users_of_ghosts(program: &Program) -> HashMap<VarId, Vec<ProcId>> {
    let mut users: HashMap<VarId, Vec<ProcId>> = HashMap::new();
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let properties = program.properties.iter().flat_map(|p| p.kind.exprs());
    let read: HashSet<VarId> =
        steps.flat_map(Step::expressions).chain(properties).flat_map(Expr::variables).collect();
    for process in program.process_ids() {
        let mut used: Vec<VarId> = Vec::new();
        for step in &program.def_of(process).steps {
            used.extend(step.expressions().into_iter().flat_map(Expr::variables));
            used.extend(step.stores().filter_map(Lvalue::variable));
        }
        used.retain(|v| program.var(*v).kind == VarKind::Ghost && read.contains(v));
        used.sort();
        used.dedup();
        for var in used {
            users.entry(var).or_default().push(process);
        }
    }
    users
}
