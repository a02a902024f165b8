//! Registers that are not read again.
//!
//! A register is *live* at a program point if some way through the code reads it before it is assigned. Where it is not,
//! it is *dead*, and its value cannot matter: two states that differ in dead registers only allow the same steps
//! with the same outcomes, and lead to such states again (Bozga, Fernandez and Ghirvu 1999). So the step after
//! which a register is dead gives it its first value back, as its last effect, and many such states become one.
//!
//! Why that is safe:
//! - The reset comes last, when everything the step computes is computed, but for the arguments of a call: what
//!   they read is not reset by the call. It cannot fail, takes no room, and is
//!   seen by nobody: a register that another process or a property names is never dead. In a rendezvous the
//!   other side cannot look at it either, whoever comes first.
//! - A procedure's own registers, which calls put on the stack, are left alone, and so are registers that hold
//!   a process's own channels. Liveness follows a return to wherever some call of the definition comes back to:
//!   more than can happen.
//!
//! There are never more states. For that, a register is reset nowhere if it could be *stale* somewhere, dead
//! and not reset: then two ways to one state could differ by the reset. This can be where a return leads both
//! to where it is live and to where it is dead, and at the entry for parameters. For all others, the simpler
//! program's states are those of the given one with all dead registers reset.
//!
//! An array is live as long as any of its elements is read; to assign one element ends nothing.

use taut_fault::{Fault, is_on};
use taut_ir::{
    Assignment, Cfg, Control, DefId, Effect, Expr, Footprint, Lvalue, PointId, Process, ProcessDef,
    Program, RegId, Register, Start, Step, StepId,
};

use super::Question;
use super::question::Seen;

/// Arrays with more elements than this are left alone: a reset takes one assignment for each.
const MOST_ELEMENTS: usize = 32;

/// Resets dead registers.
pub(super) fn reset(program: &mut Program, question: &Question) {
    let seen = Seen::of(program, question);
    for i in 0..program.defs.len() {
        let candidates = candidates(program, &seen, DefId::from(i));
        if candidates.contains(&true) {
            let footprints = Footprint::of_steps(program, &program.defs[i]);
            reset_in(&mut program.defs[i], &footprints, &candidates);
        }
    }
}

/// For each register of a definition, whether it may be reset. Not one that always holds what the start of its
/// process gave it, which takes no bits, nor one that the start gives something else than its first value, which
/// would be a value more.
fn candidates(program: &Program, seen: &Seen, id: DefId) -> Vec<bool> {
    let def = &program.defs[id.index()];
    let mut assigned = vec![false; def.registers.len()];
    def.steps.iter().flat_map(Step::stores).filter_map(register).for_each(|r| {
        assigned[r.index()] = true;
    });
    let own: Vec<&Process> = program.processes.iter().filter(|p| p.def == id).collect();
    let spawned = own.iter().any(|p| p.start == Start::Spawned);
    let is_kept = |r: RegId| {
        let Register { init, .. } = &def.registers[r.index()];
        let given = own.iter().any(|p| p.args.get(r.index()).is_some_and(|arg| *arg != init[0]));
        let on_stack = def.procedures.iter().any(|p| p.registers.contains(&r));
        let channel = def.channel_registers.iter().any(|(register, _)| *register == r);
        given
            || on_stack
            || channel
            || init.len() > MOST_ELEMENTS
            || seen.of_def(id).registers.contains(&r)
    };
    let varies = |r: usize| assigned[r] || (spawned && r < def.params as usize);
    (0..def.registers.len()).map(|r| varies(r) && !is_kept(RegId::from(r))).collect()
}

fn register(place: &Lvalue) -> Option<RegId> {
    match place {
        Lvalue::Reg(r) | Lvalue::RegElem(r, _) => Some(*r),
        Lvalue::Var(_) | Lvalue::VarElem(..) => None,
    }
}

/// A set of registers of a definition.
type Set = Vec<bool>;

fn reset_in(def: &mut ProcessDef, footprints: &[Footprint], candidates: &Set) {
    let steps = def.steps.iter().zip(footprints);
    let uses: Vec<Uses> = steps.map(|(step, own)| Uses::of(step, own, candidates)).collect();
    let cfg = Cfg::of(def);
    let live = live(&cfg, &uses, candidates);
    let mut code = Code { def, cfg: &cfg, uses: &uses, live: &live };
    let held = code.held(candidates);
    let is_stale = |r: usize| (0..live.len()).any(|at| held[at][r] && !live[at][r]);
    let stale: Vec<bool> = (0..candidates.len()).map(is_stale).collect();
    for step in 0..uses.len() {
        let after = code.after(&held, step);
        let dead = (0..after.len()).filter(|&r| after[r] && !stale[r] && code.resets(step, r));
        let dead: Vec<RegId> = dead.map(RegId::from).collect();
        code.reset(step, &dead);
    }
}

/// What a step does with registers.
struct Uses {
    reads: Set,
    /// What it may assign.
    assigns: Set,
    /// What it assigns as a whole if it is taken.
    replaces: Set,
    /// What it reads for the arguments of a call.
    passes: Set,
}

impl Uses {
    fn of(step: &Step, footprint: &Footprint, candidates: &Set) -> Uses {
        let set = |registers: &[RegId]| {
            let mut set = vec![false; candidates.len()];
            registers.iter().for_each(|r| set[r.index()] = candidates[r.index()]);
            set
        };
        let replaced = step.stores().filter_map(|place| match place {
            Lvalue::Reg(r) => Some(*r),
            _ => None,
        });
        let passed = match &step.target {
            Control::Call { args, .. } => args.iter().flat_map(Expr::registers).collect(),
            _ => Vec::new(),
        };
        Uses {
            reads: set(&footprint.registers_read),
            assigns: set(&footprint.registers_written),
            replaces: set(&replaced.collect::<Vec<_>>()),
            passes: set(&passed),
        }
    }
}

/// For each program point the registers that are live there.
fn live(cfg: &Cfg, uses: &[Uses], candidates: &Set) -> Vec<Set> {
    taut_budget::tick();
    let mut live = vec![vec![false; candidates.len()]; cfg.len()];
    loop {
        taut_budget::tick();
        let mut changed = false;
        // Code mostly runs forwards, so that backwards most is settled in one go.
        for at in (0..cfg.len()).rev() {
            for &step in cfg.leaving(PointId::from(at)) {
                let Uses { reads, replaces, .. } = &uses[step.index()];
                for r in 0..candidates.len() {
                    let after = cfg.targets(step).iter().any(|to| live[to.index()][r]);
                    if reads[r] || (after && !replaces[r]) {
                        changed |= !std::mem::replace(&mut live[at][r], true);
                    }
                }
            }
        }
        if !changed || is_on(Fault::LoopsKeepNothing) {
            return live;
        }
    }
}

/// The code of a definition, with what is known about it.
struct Code<'a> {
    def: &'a mut ProcessDef,
    cfg: &'a Cfg,
    uses: &'a [Uses],
    live: &'a [Set],
}

impl Code<'_> {
    /// Whether a step can reset a register: it is dead wherever the step leads.
    fn resets(&self, step: usize, r: usize) -> bool {
        let targets = self.cfg.targets(StepId::from(step));
        let dead = targets.iter().all(|to| !self.live[to.index()][r]);
        !targets.is_empty() && dead && !self.uses[step].passes[r]
    }

    /// The registers that may hold something after a step, but for what it resets.
    fn after(&self, held: &[Set], step: usize) -> Set {
        let before = &held[self.def.steps[step].source.index()];
        before.iter().zip(&self.uses[step].assigns).map(|(a, b)| *a || *b).collect()
    }

    /// For each program point the registers that may hold something other than their first value there.
    fn held(&self, candidates: &Set) -> Vec<Set> {
        let mut held = vec![vec![false; candidates.len()]; self.live.len()];
        let parameters = candidates.iter().take(self.def.params as usize);
        parameters.enumerate().for_each(|(r, is)| held[self.def.entry.index()][r] = *is);
        let mut todo: Vec<PointId> = (0..self.live.len()).map(PointId::from).collect();
        while let Some(at) = todo.pop() {
            taut_budget::tick();
            for &step in self.cfg.leaving(at) {
                let mut after = self.after(&held, step.index());
                (0..after.len()).for_each(|r| after[r] &= !self.resets(step.index(), r));
                for &to in self.cfg.targets(step) {
                    if join(&mut held[to.index()], &after) {
                        todo.push(to);
                    }
                }
            }
        }
        held
    }

    /// Lets a step give registers their first values.
    fn reset(&mut self, step: usize, registers: &[RegId]) {
        let resets = registers.iter().flat_map(|&r| first_values(self.def, r));
        let resets: Vec<Assignment> = resets.collect();
        if !resets.is_empty() {
            self.def.steps[step].effects.push(Effect::Assign(resets));
        }
    }
}

/// Adds one set to another. False if all was there.
fn join(to: &mut Set, from: &Set) -> bool {
    let mut grown = false;
    for (to, from) in to.iter_mut().zip(from) {
        grown |= *from && !*to;
        *to |= *from;
    }
    grown
}

/// The assignments that give a register its first value.
fn first_values(def: &ProcessDef, r: RegId) -> Vec<Assignment> {
    let register = &def.registers[r.index()];
    let place = |element: usize| match register.len {
        None => Lvalue::Reg(r),
        Some(_) => Lvalue::RegElem(r, Expr::Const(element as i64)),
    };
    let assign =
        |(i, &value)| Assignment { place: place(i), value: Expr::Const(value), atomic: false };
    register.init.iter().enumerate().map(assign).collect()
}
