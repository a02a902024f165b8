//! Constants: what registers are known to hold while the program is built.
//!
//! Each point has the constants that hold wherever steps lead to it: the intersection over those steps. A read of a register
//! that is known is the constant, so that branches are decided, indices are numbers and a thread that is started with a
//! loop's counter is one with a constant argument (Wegman and Zadeck, *Constant propagation with conditional branches*, 1991,
//! in one pass, because the program is built in the order of its text).
//!
//! *Invariant:* once building goes on from a point, its constants hold for every step that leads to it, also for those that
//! are added later. Where a loop comes back (`open`), only locals that are set once in their function are kept. If a
//! later step still disagrees, everything is built again without the local ([`Stop::Again`]), in the end without constants:
//! right first, then few states.

use std::collections::BTreeMap;

use super::{Builder, Built, Stop};
use crate::hir::{FunctionId, LocalId};
use crate::lower::mir::{Op, Point, Reg, Value};

/// The most constants that are kept per point: a step costs time by their number.
const MOST: usize = 64;

/// The most locals that may turn out to vary before constants are given up.
const MOST_VARYING: usize = 16;

/// Constants of registers and of elements of arrays of registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    values: BTreeMap<(Reg, i64), Value>,
    /// True once building went on from here.
    used: bool,
}

impl Known {
    fn set(&mut self, key: (Reg, i64), value: &Value) {
        if value.is_constant() && (self.values.len() < MOST || self.values.contains_key(&key)) {
            self.values.insert(key, value.clone());
        } else {
            self.values.remove(&key);
        }
    }

    /// The registers of which less is known after a step that another one agrees with.
    fn lost(&self, other: &Known) -> Vec<Reg> {
        let differs = |(key, value): &(&(Reg, i64), &Value)| other.values.get(*key) != Some(*value);
        self.values.iter().filter(differs).map(|((reg, _), _)| *reg).collect()
    }

    fn forget(&mut self, reg: Reg) {
        self.values.retain(|(other, _), _| *other != reg);
    }
}

impl Builder<'_> {
    /// The constant that a register, or an element of one, holds here.
    pub(super) fn constant_of(&self, reg: Reg, element: i64) -> Option<Value> {
        let point = self.t.cur?;
        let known = self.t.known.get(point.0 as usize)?;
        known.as_ref()?.values.get(&(reg, element)).cloned()
    }

    /// A register's value: the constant that it holds, or itself.
    pub(super) fn read(&self, reg: Reg) -> Value {
        self.constant_of(reg, 0).unwrap_or(Value::Reg(reg))
    }

    /// A step with some operations leads from the current point to another one.
    pub(super) fn learn(&mut self, ops: &[Op], to: Point) -> Built<()> {
        let Some(from) = self.t.cur.filter(|_| !self.found.no_constants) else { return Ok(()) };
        let mut after = self.known_at(from).cloned().unwrap_or_default();
        ops.iter().for_each(|op| self.apply(op, &mut after));
        after.used = false;
        let index = to.0 as usize;
        if self.t.known.len() <= index {
            self.t.known.resize(index + 1, None);
        }
        match &mut self.t.known[index] {
            slot @ None => *slot = Some(after),
            Some(known) => {
                let lost: Vec<Reg> = known.lost(&after);
                known.values.retain(|key, value| after.values.get(key) == Some(value));
                if known.used && !lost.is_empty() {
                    self.give_up(&lost);
                    return Err(Stop::Again);
                }
            }
        }
        Ok(())
    }

    /// Some registers are not what they were taken for: they are not followed the next time.
    fn give_up(&mut self, lost: &[Reg]) {
        let origins: Option<Vec<_>> =
            lost.iter().map(|reg| self.t.regs[reg.0 as usize].origin).collect();
        let before = self.found.varying.len();
        self.found.varying.extend(origins.unwrap_or_default());
        let grows = self.found.varying.len() > before;
        self.found.no_constants = !grows || self.found.varying.len() > MOST_VARYING;
    }

    /// True if some step leads to a point, as far as is known.
    pub(super) fn is_reached(&self, point: Point) -> bool {
        self.found.no_constants || self.known_at(point).is_some()
    }

    /// Goes on at a point if some step leads there.
    pub(super) fn resume_reached(&mut self, point: Point) {
        if self.is_reached(point) {
            self.resume(point);
        } else {
            self.t.cur = None;
        }
    }

    /// What is known at the current point.
    pub(super) fn known_here(&self) -> Option<Known> {
        self.known_at(self.t.cur?).cloned()
    }

    /// A step with what was known elsewhere will lead to a point.
    pub(super) fn expect(&mut self, known: Option<Known>, point: Point) {
        let Some(mut known) = known else { return self.learn_nothing(point) };
        if let Some(there) = self.known_at(point) {
            known.values.retain(|key, value| there.values.get(key) == Some(value));
        }
        self.learn_nothing(point);
        known.used = false;
        self.t.known[point.0 as usize] = Some(known);
    }

    /// What a step into a procedure leaves is not known.
    pub(super) fn learn_nothing(&mut self, to: Point) {
        let index = to.0 as usize;
        if self.t.known.len() <= index {
            self.t.known.resize(index + 1, None);
        }
        self.t.known[index] = Some(Known::default());
    }

    fn known_at(&self, point: Point) -> Option<&Known> {
        self.t.known.get(point.0 as usize)?.as_ref()
    }

    fn apply(&self, op: &Op, known: &mut Known) {
        match op {
            // The object may be gone where the address is followed: a pointer is asked, a name is not.
            Op::Set(reg, value) | Op::SetElem(reg, _, value) if self.may_end(value) => {
                known.forget(*reg);
            }
            Op::Set(reg, value) => {
                let ty = self.t.regs[reg.0 as usize].ty;
                match value {
                    Value::Int(x) if *x < ty.lo || *x > ty.hi => known.forget(*reg),
                    value => known.set((*reg, 0), value),
                }
            }
            Op::SetElem(reg, Value::Int(at), value) => known.set((*reg, *at), value),
            op => op.target().into_iter().for_each(|reg| known.forget(reg)),
        }
    }

    /// True for the address of a local that ends before its thread does.
    pub(super) fn may_end(&self, value: &Value) -> bool {
        let Value::Address(object, _) = value else { return false };
        self.mir.frames.iter().any(|(local, _)| local == object)
    }

    /// Building goes on from a point: what is known there must stay true.
    pub(super) fn rely_on_known(&mut self, point: Point) {
        if let Some(Some(known)) = self.t.known.get_mut(point.0 as usize) {
            known.used = true;
        } else if !self.found.no_constants {
            self.learn_nothing(point);
        }
    }

    /// Steps that are added later lead to a point as well: only what cannot change until then is kept.
    pub(super) fn open(&mut self, point: Point) {
        let Some(Some(mut known)) = self.t.known.get(point.0 as usize).cloned() else { return };
        known.values.retain(|(reg, _), _| {
            let origin = self.t.regs[reg.0 as usize].origin;
            origin.is_some_and(|(function, local)| self.is_lasting(function, local))
        });
        self.t.known[point.0 as usize] = Some(known);
    }

    /// True for a local of a function that is being inlined that only its declaration sets.
    fn is_lasting(&self, function: FunctionId, local: LocalId) -> bool {
        let active = self.t.frames.iter().any(|frame| frame.function == function);
        let varies = self.found.varying.contains(&(function, local));
        active && !varies && !self.assigned.get(&function).is_some_and(|all| all.contains(&local))
    }

    /// A function begins: what its locals held in an earlier call is gone.
    pub(super) fn forget_locals(&mut self, function: FunctionId) {
        let Some(point) = self.t.cur else { return };
        let regs = &self.t.regs;
        if let Some(Some(known)) = self.t.known.get_mut(point.0 as usize) {
            known.values.retain(|(reg, _), _| {
                regs[reg.0 as usize].origin.is_none_or(|(owner, _)| owner != function)
            });
        }
    }
}
