//! The private state of a process: its registers, and the ghosts that only it uses.
//!
//! A ghost variable is never buffered. If one process alone has steps that use it, it is no different from a register
//! of that process. A register whose value no step and no property reads any more is *dead*: it is set to 0, so that it
//! makes no difference between control points.

use std::collections::HashMap;

use taut_ir::{
    Assignment, Control, Effect, Expr, Fault, Lvalue, ProcId, ProcessDef, Program, RegId, Step,
    Type, VarId, VarKind,
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

impl Locals {
    pub(crate) fn of(program: &Program, process: ProcId, ghosts: &[VarId]) -> Locals {
        let (def, own) = (program.def_of(process), program.process(process));
        let mut initial = Vec::new();
        let mut registers = Vec::new();
        for (i, register) in def.registers.iter().enumerate() {
            registers.push(initial.len() as u32);
            let given = own.args.get(i).copied();
            let init = |e: u32| match register.init.len() {
                0 | 1 => register.init.first().copied().unwrap_or(0),
                _ => register.init[e as usize],
            };
            initial.extend((0..register.size()).map(|e| given.unwrap_or_else(|| init(e))));
        }
        let mut positions = HashMap::new();
        for &var in ghosts {
            positions.insert(var, initial.len() as u32);
            let ghost = program.var(var);
            let init = |e: u32| ghost.init[if ghost.init.len() > 1 { e as usize } else { 0 }];
            initial.extend((0..ghost.size()).map(init));
        }
        let mut locals = Locals { registers, ghosts: positions, initial, live: Vec::new() };
        locals.live = locals.liveness(program, process, def);
        locals
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

    fn liveness(&self, program: &Program, process: ProcId, def: &ProcessDef) -> Vec<Vec<bool>> {
        let mut always = vec![false; self.initial.len()];
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
                let needed = self.needed_before(def, step, &live);
                let own = &mut live[step.source.index()];
                for (have, need) in own.iter_mut().zip(needed) {
                    changed |= need && !*have;
                    *have |= need;
                }
            }
        }
        live
    }

    fn needed_before(&self, def: &ProcessDef, step: &Step, live: &[Vec<bool>]) -> Vec<bool> {
        let mut needed = match step.target {
            Control::Goto(target) => live[target.index()].clone(),
            _ => vec![false; self.initial.len()],
        };
        for place in step.assignments().map(|a: &Assignment| &a.place) {
            if let Lvalue::Reg(r) = place {
                needed[self.registers[r.index()] as usize] = false;
            }
        }
        for expr in step.expressions() {
            expr.visit(&mut |e| self.mark(def, e, &mut needed));
        }
        needed
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

/// For each ghost that steps use, the processes with such a step.
pub(crate) fn users_of_ghosts(program: &Program) -> HashMap<VarId, Vec<ProcId>> {
    let mut users: HashMap<VarId, Vec<ProcId>> = HashMap::new();
    for process in program.process_ids() {
        let mut used: Vec<VarId> = Vec::new();
        for step in &program.def_of(process).steps {
            used.extend(step.expressions().into_iter().flat_map(Expr::variables));
            used.extend(step.stores().filter_map(Lvalue::variable));
        }
        used.retain(|&v| program.var(v).kind == VarKind::Ghost);
        used.sort();
        used.dedup();
        for var in used {
            users.entry(var).or_default().push(process);
        }
    }
    users
}

/// Whether a step has an effect that no supported program has.
pub(crate) fn has_strange_effect(step: &Step) -> bool {
    step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }))
}
