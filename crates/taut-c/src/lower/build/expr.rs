//! Expressions: what they load becomes steps, the rest a value.

use taut_ir::{self as ir, Fault};

use super::{Builder, Built, Located, may_point};
use crate::hir::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lower::mir::{Check, Mode, Op, Point, Reg, Value};
use crate::lower::sizes::{OTHER_SIZE, OWN_SIZE, Retyped};
use crate::types::{IntTy, Ty};

impl Builder<'_> {
    /// The value of an expression. Steps for its loads and effects are added.
    pub(super) fn value(&mut self, expr: &Expr) -> Built<Value> {
        let value = self.raw_value(expr)?;
        self.chosen(value, &expr.ty)
    }

    /// The value of an expression that is decided by or dropped: it may be one that can be anything.
    pub(super) fn raw_value(&mut self, expr: &Expr) -> Built<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Function(function) => Ok(Value::Function(*function)),
            ExprKind::Load(place) => {
                let at = self.locate(place)?;
                self.load(at, &expr.ty)
            }
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, &expr.ty),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, &expr.ty),
            ExprKind::PtrAdd(pointer, index) => self.pointer_add(pointer, index),
            ExprKind::PtrSub(a, b) => self.pointer_sub(a, b),
            ExprKind::CellOffset(pointer, cells) => {
                let pointer = self.value(pointer)?;
                self.cell_offset(pointer, Value::Int(*cells))
            }
            ExprKind::Convert(inner) => self.convert(inner, &expr.ty),
            ExprKind::And(..) | ExprKind::Or(..) => self.connective(expr),
            ExprKind::Cond(condition, a, b) => self.conditional(condition, a, b, &expr.ty),
            ExprKind::Comma(list) => {
                let mut last = Value::Int(0);
                for part in list {
                    last = self.raw_value(part)?;
                }
                Ok(last)
            }
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::CompoundAssign(place, op, operand, ty) => {
                self.compound(place, *op, operand, ty)
            }
            ExprKind::PointerAssign(place, by) => {
                let by = self.value(by)?;
                let by = self.settled(by, &Ty::Int(IntTy::LONG))?;
                self.pointer_update(place, by, false)
            }
            ExprKind::Step(place, by, before) => self.increment(place, *by, *before),
            ExprKind::AssignStruct(to, from) => {
                let from_at = self.locate(from)?;
                let to_at = self.locate(to)?;
                self.copy(&to_at, &from_at, &to.ty.ty)?;
                Ok(Value::Int(0))
            }
            ExprKind::Call(callee, args, into) => {
                self.call(callee, args, into.as_deref(), &expr.ty)
            }
            ExprKind::Statements(block, value) => {
                self.block(block)?;
                match value {
                    Some(value) => self.value(value),
                    None => Ok(Value::Int(0)),
                }
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, ty: &Ty) -> Built<Value> {
        let left = self.raw_value(a)?;
        let left = self.kept(left, b)?;
        let right = self.raw_value(b)?;
        let int = if let Ty::Int(int) = &a.ty { *int } else { IntTy::LONG };
        if let Some(known) = self.of_anything(op, &left, &right, int)? {
            return Ok(known);
        }
        let left = self.chosen(left, &a.ty)?;
        let right = self.chosen(right, &b.ty)?;
        self.operation(op, left, right, &a.ty, ty)
    }

    /// A value that stays the same while another expression is computed.
    fn kept(&mut self, value: Value, later: &Expr) -> Built<Value> {
        if !super::super::uses::assigns(later) {
            return Ok(value);
        }
        let mut reads = false;
        value.visit(&mut |v| reads |= matches!(v, Value::Reg(_) | Value::Elem(..)));
        if !reads {
            return Ok(value);
        }
        self.copied(value)
    }

    /// A copy of a value in a register of its own.
    pub(super) fn copied(&mut self, value: Value) -> Built<Value> {
        if value.is_constant() && !self.may_end(&value) {
            self.no_register_address(&value)?;
            return Ok(value);
        }
        let reg = self.register("t", ir::Type::INT64, true);
        self.step(Mode::Plain, vec![Op::Set(reg, value)])?;
        Ok(Value::Reg(reg))
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, ty: &Ty) -> Built<Value> {
        if op == UnaryOp::Not {
            return Ok(self.raw_value(operand)?.not());
        }
        let value = self.value(operand)?;
        match op {
            UnaryOp::Not => Ok(value.not()),
            UnaryOp::BitNot => {
                let inverted = match value {
                    Value::Int(x) => Value::Int(!x),
                    value => Value::Unary(ir::UnaryOp::BitNot, Box::new(value)),
                };
                self.fit(inverted, ty, true)
            }
            UnaryOp::Neg => {
                let negated = Value::binary(ir::BinaryOp::Sub, Value::Int(0), value);
                self.fit(negated, ty, false)
            }
        }
    }

    /// An operator applied to two values of a type.
    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        operands: &Ty,
        result: &Ty,
    ) -> Built<Value> {
        let int = match operands {
            Ty::Int(int) => *int,
            _ => IntTy::LONG,
        };
        let wide = int.bits == 64 && !int.signed && matches!(operands, Ty::Int(_));
        use ir::BinaryOp as B;
        let compare = |op, a: Value, b: Value| {
            if wide && !(not_negative(&a) && not_negative(&b)) {
                Value::binary(op, flipped(a), flipped(b))
            } else {
                Value::binary(op, a, b)
            }
        };
        Ok(match op {
            BinaryOp::Eq => Value::binary(B::Eq, a, b),
            BinaryOp::Ne => Value::binary(B::Ne, a, b),
            BinaryOp::Lt => compare(B::Lt, a, b),
            BinaryOp::Le => compare(B::Le, a, b),
            BinaryOp::Gt => compare(B::Gt, a, b),
            BinaryOp::Ge => compare(B::Ge, a, b),
            BinaryOp::BitAnd => Value::binary(B::BitAnd, a, b),
            BinaryOp::BitOr => Value::binary(B::BitOr, a, b),
            BinaryOp::BitXor => Value::binary(B::BitXor, a, b),
            BinaryOp::Add => self.fit(Value::binary(B::Add, a, b), result, false)?,
            BinaryOp::Sub => self.fit(Value::binary(B::Sub, a, b), result, false)?,
            BinaryOp::Mul => self.fit(Value::binary(B::Mul, a, b), result, false)?,
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = Value::binary(B::Ne, b.clone(), Value::Int(0));
                self.check(zero, Fault::DivisionByZero);
                if wide {
                    return self.wide_division(op, a, b);
                }
                let ir_op = if op == BinaryOp::Div { B::Div } else { B::Rem };
                let divided = Value::Binary(ir_op, Box::new(a), Box::new(b));
                self.computed(divided, int)?
            }
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, a, b, int)?,
        })
    }

    fn shift(&mut self, op: BinaryOp, a: Value, b: Value, int: IntTy) -> Built<Value> {
        use ir::BinaryOp as B;
        let low = Value::binary(B::Ge, b.clone(), Value::Int(0));
        let high = Value::binary(B::Lt, b.clone(), Value::Int(i64::from(int.bits)));
        self.check(low.and(high), Fault::Shift);
        if op == BinaryOp::Shl {
            let shifted = Value::binary(B::Shl, a, b);
            // A shift into the sign bit is common, and gcc defines it.
            return self.fit(shifted, &Ty::Int(int), true);
        }
        if int.bits < 64 || int.signed {
            return Ok(Value::binary(B::Shr, a, b));
        }
        let mask = Value::binary(B::Sub, Value::Int(64), b.clone());
        let mask = Value::binary(B::Shl, Value::Int(1), mask);
        let mask = Value::binary(B::Sub, mask, Value::Int(1));
        let shifted = Value::binary(B::BitAnd, Value::binary(B::Shr, a.clone(), b.clone()), mask);
        Ok(match b {
            Value::Int(0) => a,
            Value::Int(_) => shifted,
            b => Value::Cond(Box::new(b.equals(Value::Int(0))), Box::new(a), Box::new(shifted)),
        })
    }

    /// Division of unsigned 64-bit integers, which are kept as signed ones.
    fn wide_division(&mut self, op: BinaryOp, a: Value, b: Value) -> Built<Value> {
        use ir::BinaryOp as B;
        let ir_op = if op == BinaryOp::Div { B::Div } else { B::Rem };
        let simple = Value::Binary(ir_op, Box::new(a.clone()), Box::new(b.clone()));
        if not_negative(&a) && not_negative(&b) {
            return self.copied(simple);
        }
        // Where one of them has its highest bit set, the quotient is found by halves (Hacker's Delight, 9-3).
        let half = Value::binary(B::BitAnd, shr(a.clone(), 1), Value::Int(i64::MAX));
        let guess = Value::Binary(B::Div, Box::new(half), Box::new(b.clone()));
        let guess = Value::binary(B::Shl, guess, Value::Int(1));
        let rest =
            Value::binary(B::Sub, a.clone(), Value::binary(B::Mul, guess.clone(), b.clone()));
        let more = Value::binary(B::Ge, flipped(rest), flipped(b.clone()));
        let quotient = Value::binary(B::Add, guess, more);
        let at_least = Value::binary(B::Ge, flipped(a.clone()), flipped(b.clone()));
        let quotient = Value::Cond(
            Box::new(Value::binary(B::Lt, b.clone(), Value::Int(0))),
            Box::new(at_least),
            Box::new(quotient),
        );
        let quotient = self.copied(quotient)?;
        if op == BinaryOp::Div {
            return Ok(quotient);
        }
        Ok(Value::binary(B::Sub, a, Value::binary(B::Mul, quotient, b)))
    }

    /// A value in a register in which it wraps around or faults as its type does.
    pub(super) fn fit(&mut self, value: Value, ty: &Ty, wraps: bool) -> Built<Value> {
        let Ty::Int(int) = ty else { return Ok(value) };
        // The number of a thread is small.
        if int.bits == 64 || matches!(value, Value::Spawned(_)) && int.bits >= 16 {
            return Ok(value);
        }
        if let Value::Int(x) = value
            && (int.lo()..=int.hi()).contains(&x)
        {
            return Ok(value);
        }
        let wraps = wraps || !int.signed || self.options.wraps;
        let reg = self.arithmetic(*int, wraps);
        self.step(Mode::Plain, vec![Op::Set(reg, value)])?;
        Ok(Value::Reg(reg))
    }

    /// The result of an operation that may go wrong, computed now.
    fn computed(&mut self, value: Value, int: IntTy) -> Built<Value> {
        let reg = self.arithmetic(int, !int.signed || self.options.wraps);
        self.step(Mode::Plain, vec![Op::Set(reg, value)])?;
        Ok(Value::Reg(reg))
    }

    fn convert(&mut self, inner: &Expr, to: &Ty) -> Built<Value> {
        if self.changes_size(&inner.ty, to) {
            return self.refuse(OTHER_SIZE, OWN_SIZE);
        }
        let value = self.raw_value(inner)?;
        self.retype(&value, &inner.ty, to)?;
        let value = match (value, to) {
            (Value::Any(low, high), Ty::Int(int)) if int.bits > 1 => {
                let (least, most) = (int.lo(), int.hi());
                if least <= low && high <= most {
                    return Ok(Value::Any(low, high));
                }
                // So many values in a row leave no value of the other type out.
                if high.abs_diff(low) >= most.abs_diff(least) {
                    return Ok(Value::Any(least, most));
                }
                self.chosen(Value::Any(low, high), &inner.ty)?
            }
            (value, _) => value,
        };
        self.converted(value, &inner.ty, to)
    }

    /// True if a pointer to a scalar becomes a pointer to a scalar of another size. `container_of`, which goes through a
    /// pointer to `char` and back, is an offset in cells before this is asked.
    fn changes_size(&self, from: &Ty, to: &Ty) -> bool {
        self.pointee_size(from).zip(self.pointee_size(to)).is_some_and(|(from, to)| from != to)
    }

    /// The size of the scalar that a pointer points to.
    fn pointee_size(&self, pointer: &Ty) -> Option<u64> {
        let pointee = pointer.pointee().filter(|to| to.ty.is_scalar())?;
        Some(pointee.ty.bytes(&self.unit.structs))
    }

    /// A pointer to something else becomes a pointer to a scalar: what it points to must have a scalar of that size.
    fn retype(&mut self, value: &Value, from: &Ty, to: &Ty) -> Built<()> {
        let is_other = from.pointee().is_some() && self.pointee_size(from).is_none();
        let Some(bytes) = self.pointee_size(to).filter(|_| is_other) else { return Ok(()) };
        if let Value::RegAddress(reg, _) = value
            && let Some((function, local)) = self.t.regs[reg.0 as usize].origin
        {
            let ty = &self.function(function).locals[local.0 as usize].ty.ty;
            let differs = ty.is_scalar() && ty.bytes(&self.unit.structs) != bytes;
            return if differs { self.refuse(OTHER_SIZE, OWN_SIZE) } else { Ok(()) };
        }
        if !self.in_library() {
            let (thread, span) = (self.thread_id(), self.t.here);
            self.mir.retyped.push(Retyped { thread, pointer: value.clone(), bytes, span });
        }
        Ok(())
    }

    /// A value of one type as a value of another.
    pub(super) fn converted(&mut self, value: Value, from: &Ty, to: &Ty) -> Built<Value> {
        let Ty::Int(to_int) = to else { return Ok(value) };
        if to_int.bits == 1 {
            return Ok(value.truth());
        }
        match from {
            Ty::Int(from) if to_int.lo() <= from.lo() && from.hi() <= to_int.hi() => Ok(value),
            Ty::Int(_) => self.fit(value, to, true),
            // A pointer as an integer keeps its number.
            _ if to_int.bits == 64 => Ok(value),
            _ => match value {
                Value::Int(x) => Ok(Value::Int(to_int.wrap(x))),
                // `(int)(long)arg` of a number that was passed as a pointer.
                value => self.fit(value, to, true),
            },
        }
    }

    fn pointer_add(&mut self, pointer: &Expr, index: &Expr) -> Built<Value> {
        let start = self.value(pointer)?;
        let start = self.kept(start, index)?;
        let index = self.value(index)?;
        self.moved(start, index, &pointer.ty)
    }

    /// A pointer moved by a number of elements.
    pub(super) fn moved(&mut self, pointer: Value, index: Value, ty: &Ty) -> Built<Value> {
        let size = ty.pointee().map_or(1, |to| to.ty.cells(&self.unit.structs));
        let cells = Value::binary(ir::BinaryOp::Mul, index, Value::Int(i64::from(size)));
        if cells == Value::Int(0) {
            return Ok(pointer);
        }
        // A constant number (an integer in the disguise of a pointer) is moved like any number.
        if let Value::RegAddress(..) = &pointer {
            return self.cell_offset(pointer, cells);
        }
        let moved = self.cell_offset(pointer.clone(), cells)?;
        if let Value::Address(object, offset) = &moved
            && let Value::Int(at) = **offset
        {
            let count = self.mir.objects[object.0 as usize].cells.len() as i64;
            if (0..=count).contains(&at) {
                return Ok(moved);
            }
        }
        self.t.checks.push(Check::SameObject(pointer, moved.clone()));
        self.copied(moved)
    }

    fn pointer_sub(&mut self, a: &Expr, b: &Expr) -> Built<Value> {
        let size = a.ty.pointee().map_or(1, |to| to.ty.cells(&self.unit.structs));
        let left = self.value(a)?;
        let left = self.kept(left, b)?;
        let right = self.value(b)?;
        let distance = Value::binary(ir::BinaryOp::Sub, left, right);
        let scale = i64::from(size) * self.scale;
        Ok(Value::binary(ir::BinaryOp::Div, distance, Value::Int(scale)))
    }

    /// `&&` and `||` as a value: an expression if the right side needs no step, branches otherwise.
    fn connective(&mut self, expr: &Expr) -> Built<Value> {
        let (ExprKind::And(a, b) | ExprKind::Or(a, b)) = &expr.kind else {
            return self.value(expr);
        };
        let is_and = matches!(expr.kind, ExprKind::And(..));
        if let Some((left, right)) = self.without_steps(a, b)? {
            let op = if is_and { ir::BinaryOp::And } else { ir::BinaryOp::Or };
            return Ok(Value::binary(op, left.truth(), right.truth()));
        }
        let result = self.register("t", ir::Type::INT64, false);
        let (yes, no, end) = (self.point(), self.point(), self.point());
        self.branch(expr, yes, no)?;
        for (point, value) in [(yes, 1), (no, 0)] {
            self.resume_reached(point);
            self.step_to(Value::TRUE, Mode::Plain, vec![Op::Set(result, Value::Int(value))], end)?;
        }
        self.resume_reached(end);
        Ok(self.read(result))
    }

    /// The values of two expressions if the second needs no step.
    fn without_steps(&mut self, a: &Expr, b: &Expr) -> Built<Option<(Value, Value)>> {
        if !super::super::uses::is_register_only(a) || !super::super::uses::is_register_only(b) {
            return Ok(None);
        }
        let (edges, points, cur) = (self.t.edges.len(), self.t.points.len(), self.t.cur);
        let checks = self.t.checks.clone();
        let left = self.value(a)?;
        let right = self.value(b)?;
        if self.t.edges.len() == edges && self.t.checks.len() == checks.len() {
            return Ok(Some((left, right)));
        }
        // A step is needed after all (a checked addition): start again with branches.
        self.t.checks = checks;
        self.t.edges.truncate(edges);
        self.t.points.truncate(points);
        self.t.known.truncate(points);
        self.t.cur = cur;
        Ok(None)
    }

    fn conditional(&mut self, condition: &Expr, a: &Expr, b: &Expr, ty: &Ty) -> Built<Value> {
        let result = self.register("t", ir::Type::INT64, may_point(ty));
        let (yes, no, end) = (self.point(), self.point(), self.point());
        self.branch(condition, yes, no)?;
        for (point, side) in [(yes, a), (no, b)] {
            self.resume_reached(point);
            let value = self.value(side)?;
            let ops = if *ty == Ty::Void { vec![] } else { vec![Op::Set(result, value)] };
            self.step_to(Value::TRUE, Mode::Plain, ops, end)?;
        }
        self.resume_reached(end);
        Ok(self.read(result))
    }

    /// Goes to one of two points by the truth of an expression.
    pub(super) fn branch(&mut self, expr: &Expr, yes: Point, no: Point) -> Built<()> {
        match &expr.kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                if let Some((left, right)) = self.without_steps(a, b)? {
                    let is_and = matches!(expr.kind, ExprKind::And(..));
                    let op = if is_and { ir::BinaryOp::And } else { ir::BinaryOp::Or };
                    let value = Value::binary(op, left.truth(), right.truth());
                    return self.decide(value, yes, no);
                }
                let middle = self.point();
                match expr.kind {
                    ExprKind::And(..) => self.branch(a, middle, no)?,
                    _ => self.branch(a, yes, middle)?,
                }
                self.resume_reached(middle);
                self.branch(b, yes, no)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.branch(inner, no, yes),
            ExprKind::Convert(inner) if matches!((&expr.ty, &inner.ty), (Ty::Int(to), Ty::Int(from)) if to.bits >= from.bits || to.bits == 1) => {
                self.branch(inner, yes, no)
            }
            _ => {
                let value = self.raw_value(expr)?;
                self.decide(value, yes, no)
            }
        }
    }

    /// Goes to one of two points by the truth of a value.
    pub(super) fn decide(&mut self, value: Value, yes: Point, no: Point) -> Built<()> {
        // An address is true; it never becomes part of a step.
        match value.clone().truth() {
            Value::Int(0) => self.goto(no),
            Value::Int(_) => self.goto(yes),
            Value::Any(..) => {
                self.step_to(Value::TRUE, Mode::Plain, Vec::new(), yes)?;
                self.goto(no)
            }
            condition => {
                self.no_register_address(&condition)?;
                let checks = self.t.checks.clone();
                self.step_to(condition.clone(), Mode::Plain, Vec::new(), yes)?;
                self.t.checks = checks;
                self.step_to(condition.not(), Mode::Plain, Vec::new(), no)?;
                self.t.cur = None;
                Ok(())
            }
        }
    }

    fn assign(&mut self, place: &crate::hir::Place, value: &Expr) -> Built<Value> {
        let value = {
            let computed = self.value(value)?;
            // The place is found after the value: what both name must not change in between.
            if super::super::uses::place_assigns(place) { self.copied(computed)? } else { computed }
        };
        let at = self.locate(place)?;
        let value = self.stored(value, &at)?;
        self.store(at, value.clone(), place.ty.atomic)?;
        Ok(value)
    }

    /// A value that is still the same after it was stored to a place.
    fn stored(&mut self, value: Value, at: &Located) -> Built<Value> {
        let reg = match at {
            Located::Register(reg) | Located::Element(reg, _) => *reg,
            _ => return Ok(value),
        };
        if value.reads(reg) && !matches!(value, Value::Reg(r) if r == reg) {
            return self.copied(value);
        }
        Ok(value)
    }

    fn compound(
        &mut self,
        place: &crate::hir::Place,
        op: BinaryOp,
        operand: &Expr,
        ty: &Ty,
    ) -> Built<Value> {
        let operand_value = self.value(operand)?;
        let operand_value = self.settled(operand_value, &operand.ty)?;
        let target = place.ty.ty.clone();
        if place.ty.atomic {
            return self.atomic_update(place, op, operand_value, ty, true);
        }
        let at = self.locate(place)?;
        let checks = self.t.checks.clone();
        let old = self.load(at.clone(), &target)?;
        let old = self.converted(old, &target, ty)?;
        let new = self.operation(op, old, operand_value, ty, ty)?;
        let new = self.converted(new, ty, &target)?;
        let new = self.stored(new, &at)?;
        self.again(checks);
        self.store(at, new.clone(), false)?;
        Ok(new)
    }

    /// The checks of an access once more, for a second access to the same place.
    pub(super) fn again(&mut self, checks: Vec<Check>) {
        for check in checks {
            if matches!(check, Check::Deref(_)) {
                self.t.checks.push(check);
            }
        }
    }

    fn increment(&mut self, place: &crate::hir::Place, by: i64, before: bool) -> Built<Value> {
        let target = place.ty.ty.clone();
        if let Ty::Pointer(_) = target {
            return self.pointer_update(place, Value::Int(by), before);
        }
        if place.ty.atomic {
            let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
            return self.atomic_update(place, op, Value::Int(by.abs()), &target, !before);
        }
        let at = self.locate(place)?;
        if let Some(reg) = self.counter_register(&at, before) {
            let next = Value::binary(ir::BinaryOp::Add, self.read(reg), Value::Int(by));
            self.step(Mode::Plain, vec![Op::Set(reg, next)])?;
            return Ok(self.read(reg));
        }
        let checks = self.t.checks.clone();
        let mut old = self.load(at.clone(), &target)?;
        if before && !matches!(at, Located::Memory(_)) {
            old = self.copied(old)?;
        }
        let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let promoted = promoted(&target);
        let new = self.operation(op, old.clone(), Value::Int(by.abs()), &promoted, &promoted)?;
        let new = self.converted(new, &promoted, &target)?;
        let new = self.stored(new, &at)?;
        self.again(checks);
        self.store(at, new.clone(), false)?;
        Ok(if before { old } else { new })
    }

    /// The register of a counter of a loop, whose step cannot leave its values.
    fn counter_register(&self, at: &Located, before: bool) -> Option<Reg> {
        let Located::Register(reg) = at else { return None };
        let origin = self.t.regs[reg.0 as usize].origin.filter(|_| !before)?;
        self.counter_values(origin).map(|_| *reg)
    }

    fn pointer_update(
        &mut self,
        place: &crate::hir::Place,
        by: Value,
        before: bool,
    ) -> Built<Value> {
        let at = self.locate(place)?;
        let checks = self.t.checks.clone();
        let old = self.load(at.clone(), &place.ty.ty)?;
        let old = self.copied(old)?;
        let new = self.moved(old.clone(), by, &place.ty.ty)?;
        self.again(checks);
        self.store(at, new.clone(), place.ty.atomic)?;
        Ok(if before { old } else { new })
    }

    /// A condition as one expression with its loads inside, for steps that wait.
    pub(super) fn condition(&mut self, expr: &Expr) -> Built<Value> {
        let (edges, cur) = (self.t.edges.len(), self.t.cur);
        let value = self.folded(expr)?;
        if self.t.edges.len() == edges && self.t.cur == cur {
            return Ok(value);
        }
        self.refuse::<Value>("this condition needs more than one step", "use a simpler condition")
    }

    fn folded(&mut self, expr: &Expr) -> Built<Value> {
        match &expr.kind {
            ExprKind::Load(place) => match self.locate(place)? {
                Located::Memory(place) => Ok(Value::Load(Box::new(place))),
                other => self.load(other, &expr.ty),
            },
            ExprKind::Unary(UnaryOp::Not, inner) => Ok(self.folded(inner)?.not()),
            ExprKind::And(a, b) => {
                let a = self.folded(a)?;
                Ok(Value::binary(ir::BinaryOp::And, a.truth(), self.folded(b)?.truth()))
            }
            ExprKind::Or(a, b) => {
                let a = self.folded(a)?;
                Ok(Value::binary(ir::BinaryOp::Or, a.truth(), self.folded(b)?.truth()))
            }
            ExprKind::Binary(op, a, b) => {
                let left = self.folded(a)?;
                let right = self.folded(b)?;
                self.operation(*op, left, right, &a.ty, &expr.ty)
            }
            ExprKind::Convert(inner) => {
                let value = self.folded(inner)?;
                self.converted(value, &inner.ty, &expr.ty)
            }
            _ => self.value(expr),
        }
    }
}

fn promoted(ty: &Ty) -> Ty {
    match ty {
        Ty::Int(int) if int.bits < 32 => Ty::INT,
        other => other.clone(),
    }
}

/// The sign bit the other way round: unsigned order as signed order.
fn flipped(value: Value) -> Value {
    Value::binary(ir::BinaryOp::BitXor, value, Value::Int(i64::MIN))
}

fn shr(value: Value, by: i64) -> Value {
    Value::binary(ir::BinaryOp::Shr, value, Value::Int(by))
}

/// True if a value is not negative by its form.
fn not_negative(value: &Value) -> bool {
    match value {
        Value::Int(x) => *x >= 0,
        Value::Address(..) => true,
        Value::Binary(ir::BinaryOp::BitAnd, a, b) => not_negative(a) || not_negative(b),
        Value::Binary(op, ..) => {
            use ir::BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
            matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge)
        }
        _ => false,
    }
}
