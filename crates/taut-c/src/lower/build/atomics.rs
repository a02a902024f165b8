//! Atomic operations and fences, by the names that compilers have for them.
//!
//! The mapping is that of compilers for x86 (Batty, Owens, Sarkar, Sewell, Weber, *Mathematizing C++ concurrency*, 2011, section 5):
//! a sequentially consistent store drains the buffer and is in memory at once (`xchg`), every other store is buffered,
//! every load is a load, every read-modify-write is locked; a sequentially consistent fence is a full fence, weaker fences
//! are nothing. Under PSO a release store and a release fence order earlier stores first: a store fence.

use taut_ir as ir;
use taut_source::Diagnostic;

use super::{Builder, Built, Located};
use crate::hir::{self, Argument, BinaryOp, Expr, ExprKind, Place, PlaceKind};
use crate::lower::access::Access;
use crate::lower::codes;
use crate::lower::mir::{self, Base, Check, Mode, Op, Value, Watch};
use crate::types::{IntTy, QualTy, Ty};

/// Memory orders of C, as their numbers.
const ACQUIRE: i64 = 2;
const RELEASE: i64 = 3;

/// A memory order of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Relaxed,
    Acquire,
    Release,
    SeqCst,
}

impl Builder<'_> {
    /// An atomic builtin; none if the name is none of them.
    pub(super) fn atomic_builtin(
        &mut self,
        name: &str,
        args: &[Argument],
        ty: &Ty,
    ) -> Built<Option<Value>> {
        if let Some(rest) = name.strip_prefix("__atomic_") {
            return self.modern(rest, args, ty);
        }
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.legacy(rest, args);
        }
        match name {
            "__taut_init" => {
                let target = self.pointee(args, 0)?;
                let value = self.arg_value(args, 1)?;
                let at = self.locate(&target)?;
                // Other threads must not see the object before it is initialised: C11 7.17.2.2.
                let at = self.accessed(at, Access::PLAIN);
                self.store(at, value, false)?;
            }
            "__taut_acquire" | "__taut_release" if !self.options.races => {}
            "__taut_acquire" => {
                if let Some(place) = self.watched(args)? {
                    self.watch(Watch::Acquire(place))?;
                }
            }
            "__taut_release" => {
                if let Some(place) = self.watched(args)? {
                    self.watch(Watch::Release(place))?;
                }
            }
            "__taut_fence" => match self.arg_value(args, 0)? {
                Value::Int(0) => self.full_fence()?,
                Value::Int(1) => self.store_fence()?,
                _ => {}
            },
            "__CPROVER_fence" => self.cprover_fence(args)?,
            _ => return Ok(None),
        }
        Ok(Some(Value::Int(0)))
    }

    fn modern(&mut self, name: &str, args: &[Argument], ty: &Ty) -> Built<Option<Value>> {
        Ok(Some(match name {
            "load_n" => self.atomic_load(args, 1)?,
            "load" => {
                let value = self.atomic_load(args, 2)?;
                self.assign_through(args, 1, value)?
            }
            "store_n" => {
                let value = self.arg_value(args, 1)?;
                self.atomic_store(args, value, 2)?
            }
            "store" => {
                let value = self.value_behind(args, 1)?;
                self.atomic_store(args, value, 2)?
            }
            "exchange_n" => {
                let new = self.arg_value(args, 1)?;
                let access = self.ordered(args, 2)?;
                self.exchange(args, new, access)?
            }
            "exchange" => {
                let new = self.value_behind(args, 1)?;
                let access = self.ordered(args, 3)?;
                let old = self.exchange(args, new, access)?;
                self.assign_through(args, 2, old)?
            }
            "compare_exchange_n" => {
                let desired = self.arg_value(args, 2)?;
                self.compare_exchange(args, desired)?
            }
            "compare_exchange" => {
                let desired = self.value_behind(args, 2)?;
                self.compare_exchange(args, desired)?
            }
            "test_and_set" => {
                let access = self.ordered(args, 1)?;
                let old = self.exchange(args, Value::Int(1), access)?;
                old.truth()
            }
            "clear" => self.atomic_store(args, Value::Int(0), 1)?,
            "thread_fence" => {
                self.fence(args)?;
                Value::Int(0)
            }
            "signal_fence" => Value::Int(0),
            "always_lock_free" | "is_lock_free" => Value::Int(1),
            _ => match fetch(name) {
                Some((op, new)) => {
                    let access = self.ordered(args, 2)?;
                    self.fetch(args, op, new, ty, access)?
                }
                None => return Ok(None),
            },
        }))
    }

    fn legacy(&mut self, name: &str, args: &[Argument]) -> Built<Option<Value>> {
        Ok(Some(match name {
            "synchronize" => {
                self.full_fence()?;
                Value::Int(0)
            }
            "lock_test_and_set" => {
                let new = self.arg_value(args, 1)?;
                self.exchange(args, new, Access::ordered(ACQUIRE))?
            }
            "lock_release" => {
                let target = self.pointee(args, 0)?;
                let at = self.locate(&target)?;
                let at = self.accessed(at, Access::ordered(RELEASE));
                self.ordered_store(at, Value::Int(0), Order::Release)?;
                Value::Int(0)
            }
            "bool_compare_and_swap" => self.swap(args)?.0,
            "val_compare_and_swap" => self.swap(args)?.1,
            _ => match fetch_legacy(name) {
                Some((op, new)) => self.fetch(args, op, new, &Ty::INT, Access::SEQ_CST)?,
                None => return Ok(None),
            },
        }))
    }

    /// The place that a library function synchronises at. It was accessed in the same section: no check is needed.
    fn watched(&mut self, args: &[Argument]) -> Built<Option<mir::Place>> {
        let target = self.pointee(args, 0)?;
        let checks = self.t.checks.clone();
        let at = self.locate(&target)?;
        self.t.checks = checks;
        Ok(match at {
            Located::Memory(place) => Some(place),
            _ => None,
        })
    }

    /// The object that a pointer argument points to.
    pub(super) fn pointee(&mut self, args: &[Argument], index: usize) -> Built<Place> {
        let pointer = self.arg(args, index)?.clone();
        Ok(dereferenced(pointer))
    }

    fn order(&mut self, args: &[Argument], index: usize) -> Built<Order> {
        let value = self.arg_value(args, index)?;
        Ok(match value {
            Value::Int(0) => Order::Relaxed,
            Value::Int(1 | 2) => Order::Acquire,
            Value::Int(3 | 4) => Order::Release,
            // An order that is computed is the strongest one, as compilers have it.
            _ => Order::SeqCst,
        })
    }

    /// The access of an atomic operation with an order that is an argument. Only the search for races looks at it.
    fn ordered(&mut self, args: &[Argument], index: usize) -> Built<Access> {
        if !self.options.races {
            return Ok(Access::SEQ_CST);
        }
        Ok(match self.arg_value(args, index)? {
            Value::Int(order) => Access::ordered(order),
            _ => Access::SEQ_CST,
        })
    }

    fn atomic_load(&mut self, args: &[Argument], order: usize) -> Built<Value> {
        let target = self.pointee(args, 0)?;
        self.scalar(&target)?;
        let access = self.ordered(args, order)?;
        let at = self.locate(&target)?;
        let at = self.accessed(at, access);
        let value = self.load(at, &target.ty.ty)?;
        // A register is read now, not where its value is used.
        if matches!(value, Value::Reg(_)) { Ok(value) } else { self.copied(value) }
    }

    fn atomic_store(&mut self, args: &[Argument], value: Value, order: usize) -> Built<Value> {
        let target = self.pointee(args, 0)?;
        self.scalar(&target)?;
        let access = self.ordered(args, order)?;
        let order = self.order(args, order)?;
        let at = self.locate(&target)?;
        let at = self.accessed(at, access);
        self.ordered_store(at, value, order)?;
        Ok(Value::Int(0))
    }

    fn ordered_store(&mut self, at: Located, value: Value, order: Order) -> Built<()> {
        match (at, order) {
            (Located::Memory(place), Order::Release) if !self.options.races => {
                self.step(Mode::Plain, vec![Op::StoreFence, Op::Store(place, value, false)])
            }
            (at, order) => self.store(at, value, order == Order::SeqCst),
        }
    }

    fn fence(&mut self, args: &[Argument]) -> Built<()> {
        if self.options.races {
            let Access { acquire, release, .. } = self.ordered(args, 0)?;
            return self.watch(Watch::Fence { acquire, release });
        }
        match self.order(args, 0)? {
            Order::SeqCst => self.full_fence(),
            Order::Release => self.store_fence(),
            Order::Relaxed | Order::Acquire => Ok(()),
        }
    }

    /// A fence of CBMC, by the pairs of accesses that it orders.
    fn cprover_fence(&mut self, args: &[Argument]) -> Built<()> {
        let strings = args.iter().filter_map(|arg| match arg {
            Argument::Value(value) => self.string(value),
            _ => None,
        });
        let orders: Vec<String> = strings.collect();
        let has = |name: &str| orders.iter().any(|order| order == name);
        match (has("WRfence"), has("WWfence")) {
            (true, _) => self.full_fence(),
            (_, true) => self.store_fence(),
            _ => Ok(()),
        }
    }

    fn scalar(&self, place: &Place) -> Built<()> {
        if place.ty.ty.is_scalar() {
            return Ok(());
        }
        let message = "an atomic operation on a structure";
        let found = Diagnostic::error(codes::UNSUPPORTED, message, self.t.here);
        Err(found.label("an access has one integer or one pointer").into())
    }

    /// The value behind a pointer argument, for the generic forms of builtins.
    fn value_behind(&mut self, args: &[Argument], index: usize) -> Built<Value> {
        let source = self.pointee(args, index)?;
        let at = self.locate(&source)?;
        let value = self.load(at, &source.ty.ty)?;
        self.settled(value, &source.ty.ty)
    }

    fn assign_through(&mut self, args: &[Argument], index: usize, value: Value) -> Built<Value> {
        let target = self.pointee(args, index)?;
        let at = self.locate(&target)?;
        self.store(at, value, false)?;
        Ok(Value::Int(0))
    }

    fn exchange(&mut self, args: &[Argument], new: Value, access: Access) -> Built<Value> {
        let target = self.pointee(args, 0)?;
        self.scalar(&target)?;
        self.update(&target, access, |_| Ok(new.clone()), |_, old, _| old)
    }

    fn fetch(
        &mut self,
        args: &[Argument],
        op: Fetch,
        new: bool,
        _ty: &Ty,
        access: Access,
    ) -> Built<Value> {
        let target = self.pointee(args, 0)?;
        self.scalar(&target)?;
        let operand = self.arg_value(args, 1)?;
        let operand = self.settled(operand, &target.ty.ty)?;
        let scale = match &target.ty.ty {
            // GNU's builtins add bytes to pointers; C11's add elements, which `atomic_fetch_add` of our header says.
            Ty::Pointer(to) => i64::from(to.ty.cells(&self.unit.structs)) * self.scale,
            _ => 1,
        };
        self.read_modify_write(&target, op, operand, scale, new, access)
    }

    /// `+=` and the like on an `_Atomic` object.
    pub(super) fn atomic_update(
        &mut self,
        place: &Place,
        op: BinaryOp,
        operand: Value,
        ty: &Ty,
        new: bool,
    ) -> Built<Value> {
        let op = match op {
            BinaryOp::Add => Fetch::Add,
            BinaryOp::Sub => Fetch::Sub,
            BinaryOp::BitAnd => Fetch::And,
            BinaryOp::BitOr => Fetch::Or,
            BinaryOp::BitXor => Fetch::Xor,
            BinaryOp::Mul => Fetch::Other(ir::BinaryOp::Mul),
            BinaryOp::Div => Fetch::Other(ir::BinaryOp::Div),
            BinaryOp::Rem => Fetch::Other(ir::BinaryOp::Rem),
            BinaryOp::Shl => Fetch::Other(ir::BinaryOp::Shl),
            BinaryOp::Shr => Fetch::Other(ir::BinaryOp::Shr),
            _ => return self.refuse("this operator on an `_Atomic` object", "use a comparison"),
        };
        debug_assert!(ty.is_scalar(), "arithmetic of no scalar");
        self.read_modify_write(place, op, operand, 1, new, Access::SEQ_CST)
    }

    fn read_modify_write(
        &mut self,
        place: &Place,
        op: Fetch,
        operand: Value,
        scale: i64,
        new: bool,
        access: Access,
    ) -> Built<Value> {
        let apply = |old: &Value| {
            let by = Value::binary(ir::BinaryOp::Mul, operand.clone(), Value::Int(scale));
            Ok(match op {
                Fetch::Add => Value::binary(ir::BinaryOp::Add, old.clone(), by),
                Fetch::Sub => Value::binary(ir::BinaryOp::Sub, old.clone(), by),
                Fetch::And => Value::binary(ir::BinaryOp::BitAnd, old.clone(), operand.clone()),
                Fetch::Or => Value::binary(ir::BinaryOp::BitOr, old.clone(), operand.clone()),
                Fetch::Xor => Value::binary(ir::BinaryOp::BitXor, old.clone(), operand.clone()),
                Fetch::Other(op) => {
                    Value::Binary(op, Box::new(old.clone()), Box::new(operand.clone()))
                }
                Fetch::Extreme { least, unsigned } => {
                    let key = |v: &Value| {
                        if unsigned { unsigned_key(v, &place.ty.ty) } else { v.clone() }
                    };
                    let op = if least { ir::BinaryOp::Le } else { ir::BinaryOp::Ge };
                    let keeps = Value::binary(op, key(old), key(&operand));
                    Value::Cond(Box::new(keeps), Box::new(old.clone()), Box::new(operand.clone()))
                }
                Fetch::Nand => {
                    let both = Value::binary(ir::BinaryOp::BitAnd, old.clone(), operand.clone());
                    Value::Unary(ir::UnaryOp::BitNot, Box::new(both))
                }
            })
        };
        self.update(place, access, apply, |_, old, after| if new { after } else { old })
    }

    /// A read-modify-write: the old value, then the new one, in one locked step.
    fn update(
        &mut self,
        place: &Place,
        access: Access,
        change: impl Fn(&Value) -> Built<Value>,
        result: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Built<Value> {
        let int = match &place.ty.ty {
            Ty::Int(int) => *int,
            _ => IntTy::LONG,
        };
        let pointer = super::may_point(&place.ty.ty);
        let old = self.register("t", ir::Type::INT64, pointer);
        // Atomic arithmetic wraps around, for signed types, too (C11 7.17.7.5).
        let new = self.arithmetic(int, true);
        self.t.regs[new.0 as usize].pointer = pointer;
        let changed = change(&Value::Reg(old))?;
        let at = self.locate(place)?;
        let at = self.accessed(at, access);
        self.filled(&at);
        let read = match &at {
            Located::Memory(place) => Value::Load(Box::new(place.clone())),
            other => self.load(other.clone(), &place.ty.ty)?,
        };
        let write = match at {
            Located::Memory(place) => Op::Store(place, Value::Reg(new), false),
            Located::Register(reg) => Op::Set(reg, Value::Reg(new)),
            Located::Element(reg, offset) => Op::SetElem(reg, offset, Value::Reg(new)),
            Located::Value(_) => return Ok(Value::Reg(old)),
        };
        let ops = vec![Op::Set(old, read), Op::Set(new, changed), write];
        self.step(Mode::Locked, ops)?;
        let old = self.in_type(Value::Reg(old), &place.ty.ty)?;
        Ok(result(self, old, Value::Reg(new)))
    }

    /// `compare_exchange`: true if it succeeded; otherwise what was seen goes to `*expected`.
    fn compare_exchange(&mut self, args: &[Argument], desired: Value) -> Built<Value> {
        let desired = self.steady(desired)?;
        let expected = self.pointee(args, 1)?;
        let expected_at = self.locate(&expected)?;
        let checks = self.t.checks.clone();
        let old = self.load(expected_at.clone(), &expected.ty.ty)?;
        let old = self.steady(old)?;
        let target = self.pointee(args, 0)?;
        let orders = (self.ordered(args, 4)?, self.ordered(args, 5)?);
        let (ok, seen, failed, end) = self.compare_and_swap(&target, old, desired, orders)?;
        // Only a failure writes to `*expected`.
        self.resume_reached(failed);
        self.again(checks);
        self.store(expected_at, seen, false)?;
        self.goto(end)?;
        self.resume_reached(end);
        Ok(ok)
    }

    fn swap(&mut self, args: &[Argument]) -> Built<(Value, Value)> {
        let old = self.arg_value(args, 1)?;
        let old = self.steady(old)?;
        let new = self.arg_value(args, 2)?;
        let new = self.steady(new)?;
        let target = self.pointee(args, 0)?;
        let orders = (Access::SEQ_CST, Access::SEQ_CST);
        let (ok, seen, failed, end) = self.compare_and_swap(&target, old, new, orders)?;
        self.resume_reached(failed);
        self.goto(end)?;
        self.resume_reached(end);
        Ok((ok, self.in_type(seen, &target.ty.ty)?))
    }

    /// What is read must have a value.
    fn filled(&mut self, at: &Located) {
        if let Located::Memory(place) = at
            && let Base::Pointer(_) = place.base
        {
            self.t.checks.push(Check::Filled(place.clone()));
        }
    }

    /// A value that steps in between do not change.
    fn steady(&mut self, value: Value) -> Built<Value> {
        let is_register =
            matches!(&value, Value::Reg(r) if self.t.regs[r.0 as usize].origin.is_none());
        if is_register || value.is_constant() { Ok(value) } else { self.copied(value) }
    }

    /// True if a cell and a value of a type have the same bits.
    fn same_bits(&self, cell: &Value, value: &Value, ty: &Ty) -> Value {
        match ty {
            Ty::Int(int) if self.mixed_signs && int.bits < 64 => {
                unsigned_key(cell, ty).equals(unsigned_key(value, ty))
            }
            _ => cell.clone().equals(value.clone()),
        }
    }

    /// One locked step that succeeds, and one that fails: the result, the value that was seen, and where the two lead.
    /// Each has an order of its own.
    fn compare_and_swap(
        &mut self,
        target: &Place,
        old: Value,
        new: Value,
        (succeeding, failing): (Access, Access),
    ) -> Built<(Value, Value, super::Point, super::Point)> {
        self.scalar(target)?;
        self.no_register_address(&old)?;
        let ok = self.register("t", ir::Type::BOOL, false);
        let seen = self.register("t", ir::Type::INT64, super::may_point(&target.ty.ty));
        let at = self.locate(target)?;
        let at = self.accessed(at, succeeding);
        self.filled(&at);
        let read = match self.accessed(at.clone(), failing) {
            Located::Memory(place) => Value::Load(Box::new(place)),
            other => self.load(other, &target.ty.ty)?,
        };
        let current = match &at {
            Located::Memory(place) => Value::Load(Box::new(place.clone())),
            _ => read.clone(),
        };
        let write = match at {
            Located::Memory(place) => Op::Store(place, new, false),
            Located::Register(reg) => Op::Set(reg, new),
            Located::Element(reg, offset) => Op::SetElem(reg, offset, new),
            Located::Value(_) => return self.refuse("a swap of a parameter", "copy it to a local"),
        };
        let same = self.same_bits(&current, &old, &target.ty.ty);
        let other = self.same_bits(&read, &old, &target.ty.ty).not();
        let (failed, end) = (self.point(), self.point());
        let checks = self.t.checks.clone();
        let success = vec![write, Op::Set(ok, Value::Int(1)), Op::Set(seen, old)];
        let first = self.t.edges.len();
        self.step_to(same, Mode::Locked, success, end)?;
        self.t.checks = checks;
        let failure = vec![Op::Set(seen, read), Op::Set(ok, Value::Int(0))];
        self.step_to(other, Mode::Locked, failure, failed)?;
        for (edge, outcome) in self.t.edges[first..].iter_mut().zip(["success", "failure"]) {
            edge.tell(outcome);
        }
        self.t.cur = None;
        Ok((Value::Reg(ok), Value::Reg(seen), failed, end))
    }
}

/// The object that a pointer points to, as a place.
pub(super) fn dereferenced(pointer: Expr) -> Place {
    let (ty, span) = (pointer.ty.pointee().cloned(), pointer.span);
    let pointer = match pointer.kind {
        ExprKind::AddressOf(place) if Some(&place.ty.ty) == ty.as_ref().map(|t| &t.ty) => {
            return place;
        }
        kind => Expr { kind, ..pointer },
    };
    let ty = ty.unwrap_or(QualTy { ty: Ty::INT, atomic: true, volatile: false });
    hir::Place { kind: PlaceKind::Deref(Box::new(pointer)), ty, span }
}

/// The operation of a read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fetch {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    /// The smaller or the larger of two values, which are compared with or without a sign (`__sync_fetch_and_umax`).
    Extreme {
        least: bool,
        unsigned: bool,
    },
    /// An operator that only `_Atomic` objects have.
    Other(ir::BinaryOp),
}

/// A value of a type as a number whose order is that of the unsigned type.
fn unsigned_key(value: &Value, ty: &Ty) -> Value {
    match ty {
        Ty::Int(int) if int.bits < 64 => {
            Value::binary(ir::BinaryOp::BitAnd, value.clone(), Value::Int((1 << int.bits) - 1))
        }
        _ => Value::binary(ir::BinaryOp::BitXor, value.clone(), Value::Int(i64::MIN)),
    }
}

/// `fetch_add` and `add_fetch`: the operation, and true if the new value is the result.
fn fetch(name: &str) -> Option<(Fetch, bool)> {
    match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
        (Some(op), _) => Some((operation(op)?, false)),
        (_, Some(op)) => Some((operation(op)?, true)),
        _ => None,
    }
}

/// `fetch_and_add` and `add_and_fetch`.
fn fetch_legacy(name: &str) -> Option<(Fetch, bool)> {
    match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
        (Some(op), _) => Some((operation(op)?, false)),
        (_, Some(op)) => Some((operation(op)?, true)),
        _ => None,
    }
}

fn operation(name: &str) -> Option<Fetch> {
    Some(match name {
        "add" => Fetch::Add,
        "sub" => Fetch::Sub,
        "and" => Fetch::And,
        "or" => Fetch::Or,
        "xor" => Fetch::Xor,
        "nand" => Fetch::Nand,
        "max" | "min" | "umax" | "umin" => {
            Fetch::Extreme { least: name.ends_with("min"), unsigned: name.starts_with('u') }
        }
        _ => return None,
    })
}
