//! Registers that are not read again.
//!
//! A register is *live* at a location if some way through the code reads it before it is assigned. Where it is not,
//! it is *dead*, and its value cannot matter: two states that differ in dead registers only allow the same steps
//! with the same outcomes, and lead to such states again (Bozga, Fernandez and Ghirvu 1999). So the step after
//! which a register is dead gives it its first value back, as its last effect, and many such states become one.
//!
//! Why that is safe:
//! - The reset comes last, when everything the step computes is computed. It cannot fail, takes no room, and is
//!   seen by nobody: a register that another process or a property names is never dead. In a rendezvous the
//!   other side cannot look at it either, whoever comes first.
//! - Where a step enters or leaves a procedure nothing is reset; the next step makes up for it, since it is
//!   known at each location which registers may still hold something (*stale* ones). A procedure's own
//!   registers, which calls put on the stack, are left alone, and so are registers that hold a process's own channels.
//! - Liveness follows a return to wherever some call of the definition comes back to: more than can happen.
//!
//! An array is live as long as any of its elements is read; to assign one element ends nothing.

use taut_ir::{
    Assignment, Control, DefId, Effect, Expr, LocId, Place, ProcessDef, Program, RegId, Start, Step,
};

use super::Question;
use super::flow::Flow;
use super::seen::{Seen, own_registers};

/// Arrays with more elements than this are left alone: a reset takes one assignment for each.
const MOST_ELEMENTS: u32 = 32;

/// Resets dead registers.
pub(super) fn reset(program: &mut Program, question: &Question) {
    let seen = Seen::of(program, question);
    for i in 0..program.defs.len() {
        let candidates = candidates(program, &seen, DefId::from(i));
        if candidates.contains(&true) {
            reset_in(&mut program.defs[i], &candidates);
        }
    }
}

/// For each register of a definition, whether it may be reset. One that always holds what the start of its process
/// gave it is not worth it: it takes no bits.
fn candidates(program: &Program, seen: &Seen, id: DefId) -> Vec<bool> {
    let def = &program.defs[id.index()];
    let mut assigned = vec![false; def.registers.len()];
    def.steps.iter().flat_map(Step::stores).filter_map(register).for_each(|r| {
        assigned[r.index()] = true;
    });
    let starts = program.processes.iter().filter(|p| p.def == id);
    let spawned = starts.clone().any(|p| p.start == Start::Spawned);
    let varies = |r: usize| assigned[r] || (spawned && r < def.params as usize);
    let is_kept = |r: RegId| {
        let on_stack = def.procedures.iter().any(|p| p.registers.contains(&r));
        let channel = def.channel_registers.iter().any(|(register, _)| *register == r);
        let large = def.registers[r.index()].size() > MOST_ELEMENTS;
        on_stack || channel || large || seen.register(id, r)
    };
    (0..def.registers.len()).map(|r| varies(r) && !is_kept(RegId::from(r))).collect()
}

fn register(place: &Place) -> Option<RegId> {
    match place {
        Place::Reg(r) | Place::RegElem(r, _) => Some(*r),
        Place::Var(_) | Place::VarElem(..) => None,
    }
}

/// A set of registers of a definition.
type Set = Vec<bool>;

fn reset_in(def: &mut ProcessDef, candidates: &Set) {
    let uses: Vec<Uses> = def.steps.iter().map(|step| Uses::of(step, candidates)).collect();
    let flow = Flow::of(def);
    let live = live(&flow, &uses, candidates);
    let stale = stale(def, &flow, &uses, &live, candidates);
    for (i, uses) in uses.iter().enumerate() {
        let step = &def.steps[i];
        let Control::Goto(to) = step.target else { continue };
        let left = left(&stale[step.source.index()], uses);
        let dead = (0..left.len()).filter(|&r| left[r] && !live[to.index()][r]);
        let resets: Vec<_> = dead.flat_map(|r| first_values(def, RegId::from(r))).collect();
        if !resets.is_empty() {
            def.steps[i].effects.push(Effect::Assign(resets));
        }
    }
}

/// What a step does with registers.
struct Uses {
    reads: Set,
    /// What it may assign.
    assigns: Set,
    /// What it assigns as a whole if it is taken.
    replaces: Set,
}

impl Uses {
    fn of(step: &Step, candidates: &Set) -> Uses {
        let none = || vec![false; candidates.len()];
        let mut uses = Uses { reads: none(), assigns: none(), replaces: none() };
        for expr in step.expressions() {
            own_registers(expr, &mut |r| uses.reads[r.index()] = candidates[r.index()]);
        }
        for place in step.stores() {
            if let Some(r) = register(place) {
                uses.assigns[r.index()] = candidates[r.index()];
            }
            if let Place::Reg(r) = place {
                uses.replaces[r.index()] = candidates[r.index()];
            }
        }
        uses
    }
}

/// For each location the registers that are live there.
fn live(flow: &Flow, uses: &[Uses], candidates: &Set) -> Vec<Set> {
    let mut live = vec![vec![false; candidates.len()]; flow.leaving.len()];
    loop {
        let mut changed = false;
        // Code mostly runs forwards, so that backwards most is settled in one go.
        for at in (0..flow.leaving.len()).rev() {
            for &step in &flow.leaving[at] {
                let Uses { reads, replaces, .. } = &uses[step];
                for r in 0..candidates.len() {
                    let after = flow.targets[step].iter().any(|to| live[to.index()][r]);
                    if reads[r] || (after && !replaces[r]) {
                        changed |= !std::mem::replace(&mut live[at][r], true);
                    }
                }
            }
        }
        if !changed {
            return live;
        }
    }
}

/// The registers that may hold something after a step, but for what it resets.
fn left(stale: &Set, uses: &Uses) -> Set {
    stale.iter().zip(&uses.assigns).map(|(a, b)| *a || *b).collect()
}

/// For each location the registers that may hold something other than their first value there.
fn stale(def: &ProcessDef, flow: &Flow, uses: &[Uses], live: &[Set], candidates: &Set) -> Vec<Set> {
    let mut stale = vec![vec![false; candidates.len()]; flow.leaving.len()];
    let parameters = candidates.iter().take(def.params as usize);
    parameters.enumerate().for_each(|(r, is)| stale[def.entry.index()][r] = *is);
    let mut todo: Vec<LocId> = (0..flow.leaving.len()).map(LocId::from).collect();
    while let Some(at) = todo.pop() {
        for &step in &flow.leaving[at.index()] {
            let resets = matches!(def.steps[step].target, Control::Goto(_));
            let left = left(&stale[at.index()], &uses[step]);
            for &to in &flow.targets[step] {
                let before = stale[to.index()].clone();
                for r in (0..left.len()).filter(|&r| left[r]) {
                    stale[to.index()][r] |= !resets || live[to.index()][r];
                }
                if stale[to.index()] != before {
                    todo.push(to);
                }
            }
        }
    }
    stale
}

/// The assignments that give a register its first value.
fn first_values(def: &ProcessDef, r: RegId) -> Vec<Assignment> {
    let register = &def.registers[r.index()];
    let place = |element: usize| match register.len {
        None => Place::Reg(r),
        Some(_) => Place::RegElem(r, Expr::Const(element as i64)),
    };
    let values = register.init.iter().enumerate();
    let assign =
        |(i, &value)| Assignment { place: place(i), value: Expr::Const(value), atomic: false };
    values.map(assign).collect()
}
