//! Statements: control flow.

use std::collections::HashMap;

use taut_ir::BinaryOp;
use taut_source::{Diagnostic, Span};

use super::{Builder, Built, Frame, Located, Slot, may_point};
use crate::fence::{Fence, Instruction, instruction};
use crate::hir::{Asm, Block, Expr, ExprKind, Function, LocalId, Stmt, StmtKind};
use crate::lower::access::Access;
use crate::lower::codes;
use crate::lower::mir::{Mode, Op, Point, Target, Value, Watch};
use crate::types::Ty;

impl Builder<'_> {
    pub(super) fn frame(&self) -> &Frame {
        debug_assert!(!self.t.frames.is_empty(), "outside of all functions");
        &self.t.frames[self.t.frames.len() - 1]
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        let last = self.t.frames.len() - 1;
        &mut self.t.frames[last]
    }

    /// Names the next steps by a place in the source, unless a library function is being inlined.
    pub(super) fn at(&mut self, span: Span) {
        if !self.t.fixed && !span.is_none() {
            self.t.here = span;
        }
    }

    pub(super) fn block(&mut self, block: &Block) -> Built<()> {
        let mut rest = block.iter();
        while let Some(stmt) = rest.next() {
            if self.t.cur.is_none() && !super::super::uses::can_be_entered(stmt) {
                continue;
            }
            self.at(stmt.span);
            if let StmtKind::Label(name) = &stmt.kind
                && name.starts_with("__CPROVER_ASYNC_")
                && let Some(next) = rest.next()
            {
                self.asynchronous(next)?;
                continue;
            }
            self.statement(stmt)?;
            self.leftover_checks()?;
        }
        Ok(())
    }

    /// Checks that no step of the statement took along.
    fn leftover_checks(&mut self) -> Built<()> {
        if self.t.checks.is_empty() {
            return Ok(());
        }
        self.step(Mode::Plain, Vec::new())
    }

    fn statement(&mut self, stmt: &Stmt) -> Built<()> {
        match &stmt.kind {
            StmtKind::Expr(expr) => self.effects(expr),
            StmtKind::Declare(local) => self.declare(*local),
            StmtKind::Init(local, cells) => self.init(*local, cells),
            StmtKind::If(condition, yes, no) => self.if_else(condition, yes, no),
            StmtKind::While(condition, body) => {
                self.for_loop(Some(condition), None, body, stmt.span)
            }
            StmtKind::For(begin, condition, step, body) => {
                self.block(begin)?;
                self.for_loop(condition.as_ref(), step.as_ref(), body, stmt.span)
            }
            StmtKind::DoWhile(body, condition) => self.do_while(body, condition),
            StmtKind::Switch(value, body) => self.switch(value, body),
            StmtKind::Case(low, high) => {
                let point = self.fall_into()?;
                if let Some(cases) = self.frame_mut().switches.last_mut() {
                    cases.push((*low, *high, point));
                }
                Ok(())
            }
            StmtKind::Default => {
                let point = self.fall_into()?;
                if let Some(default) = self.frame_mut().defaults.last_mut() {
                    *default = Some(point);
                }
                Ok(())
            }
            StmtKind::Label(name) => {
                let point = self.label(name);
                self.goto(point)?;
                self.open(point);
                self.resume(point);
                Ok(())
            }
            StmtKind::Goto(name) => {
                let point = self.label(name);
                self.goto(point)
            }
            StmtKind::Break => match self.frame().breaks.last() {
                Some(&point) => self.goto(point),
                None => Ok(()),
            },
            StmtKind::Continue => match self.frame().continues.last() {
                Some(&point) => self.goto(point),
                None => Ok(()),
            },
            StmtKind::Return(value) => self.return_value(value.as_ref()),
            StmtKind::ReturnStruct(place) => {
                let from = self.locate(place)?;
                if let Some(to) = self.frame().result_place.clone() {
                    self.copy(&to, &from, &place.ty.ty)?;
                }
                self.leave()
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Asm(asm) => self.assembly(asm),
        }
    }

    /// An expression whose value is not used.
    pub(super) fn effects(&mut self, expr: &Expr) -> Built<()> {
        match &expr.kind {
            // A plain `x;` of a volatile object is a load; of any other one, nothing.
            ExprKind::Convert(inner) if expr.ty == Ty::Void => self.effects(inner),
            ExprKind::Step(place, by, _) => {
                // The value before is not needed.
                let kind = ExprKind::Step(place.clone(), *by, false);
                self.value(&Expr { kind, ..expr.clone() })?;
                Ok(())
            }
            _ => {
                self.raw_value(expr)?;
                Ok(())
            }
        }
    }

    fn declare(&mut self, local: LocalId) -> Built<()> {
        let slot = self.slot(local)?;
        let Slot::Register(reg) = slot else { return Ok(()) };
        if self.t.regs[reg.0 as usize].len.is_none() {
            // What was there in an earlier round of a loop is gone.
            self.step(Mode::Plain, vec![Op::Undefine(reg)])?;
        }
        Ok(())
    }

    fn init(&mut self, local: LocalId, cells: &[(u32, Expr)]) -> Built<()> {
        let slot = self.slot(local)?;
        let function = self.frame().function;
        let ty = self.function(function).locals[local.0 as usize].ty.clone();
        if ty.ty.is_scalar() {
            let value = match cells.first() {
                Some((_, value)) => self.value(value)?,
                None => Value::Int(0),
            };
            let at = self.slot_place(&slot, 0, may_point(&ty.ty));
            return self.store(at, value, false);
        }
        let mut all = Vec::new();
        super::data::cells(&ty.ty, &self.unit.structs, String::new(), &mut all);
        for (i, cell) in all.iter().enumerate() {
            let i = i as u32;
            let given = cells.iter().rev().find(|(at, _)| *at == i);
            let value = match given {
                Some((_, value)) => self.value(value)?,
                None => Value::Int(0),
            };
            let at = self.slot_place(&slot, i, cell.pointer);
            self.store(at, value, false)?;
        }
        Ok(())
    }

    /// A cell of a local.
    pub(super) fn slot_place(&self, slot: &Slot, cell: u32, pointer: bool) -> Located {
        let offset = Value::Int(i64::from(cell));
        match slot {
            Slot::Register(reg) if self.t.regs[reg.0 as usize].len.is_none() => {
                Located::Register(*reg)
            }
            Slot::Register(reg) => Located::Element(*reg, offset),
            Slot::Object(object) => Located::Memory(crate::lower::mir::Place {
                base: crate::lower::mir::Base::Object(*object),
                offset,
                pointer,
                access: Access::PLAIN,
            }),
            Slot::Bound(value) => Located::Value(value.clone()),
        }
    }

    /// Goes to one of two points by the condition of a statement. The texts of the steps that decide it say which way
    /// they go.
    fn decided_branch(&mut self, condition: &Expr, yes: Point, no: Point) -> Built<()> {
        let (first, here) = (self.t.edges.len(), self.t.here);
        self.branch(condition, yes, no)?;
        // Inside of a library function the text is that of the call, which is not what is decided.
        let fixed = self.t.fixed;
        let mine = self.t.edges[first..].iter_mut().filter(|edge| edge.span == here && !fixed);
        for edge in mine {
            let Target::Point(to) = edge.to else { continue };
            match to {
                _ if to == yes => edge.tell("taken"),
                _ if to == no => edge.tell("not taken"),
                _ => {}
            }
        }
        Ok(())
    }

    fn if_else(&mut self, condition: &Expr, yes: &Block, no: &Block) -> Built<()> {
        let (then, other, end) = (self.point(), self.point(), self.point());
        self.decided_branch(condition, then, other)?;
        for (point, block) in [(then, yes), (other, no)] {
            self.resume_reached(point);
            self.block(block)?;
            self.goto(end)?;
        }
        self.resume_reached(end);
        Ok(())
    }

    fn for_loop(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Block,
        span: Span,
    ) -> Built<()> {
        let end = self.point();
        if self.unrolls(step, body) && self.unrolled(condition, step, body, end)? {
            self.resume_reached(end);
            return Ok(());
        }
        let (head, inside, next) = (self.point(), self.point(), self.point());
        self.goto(head)?;
        self.open(head);
        self.resume(head);
        self.at(condition.map_or(span, |c| c.span));
        match condition {
            Some(condition) => self.decided_branch(condition, inside, end)?,
            None => self.goto(inside)?,
        }
        self.resume_reached(inside);
        self.frame_mut().breaks.push(end);
        self.frame_mut().continues.push(next);
        self.block(body)?;
        self.frame_mut().breaks.pop();
        self.frame_mut().continues.pop();
        self.goto(next)?;
        self.resume_reached(next);
        if let Some(step) = step {
            self.at(step.span);
            self.effects(step)?;
        }
        self.goto(head)?;
        self.resume_reached(end);
        Ok(())
    }

    fn do_while(&mut self, body: &Block, condition: &Expr) -> Built<()> {
        let (head, next, end) = (self.point(), self.point(), self.point());
        self.goto(head)?;
        self.open(head);
        self.resume(head);
        self.frame_mut().breaks.push(end);
        self.frame_mut().continues.push(next);
        self.block(body)?;
        self.frame_mut().breaks.pop();
        self.frame_mut().continues.pop();
        self.goto(next)?;
        self.resume_reached(next);
        self.at(condition.span);
        self.decided_branch(condition, head, end)?;
        self.resume_reached(end);
        Ok(())
    }

    fn switch(&mut self, value: &Expr, body: &Block) -> Built<()> {
        let value = self.raw_value(value)?;
        let steady = value.is_constant() || matches!(value, Value::Any(..));
        let value = if steady { value } else { self.copied(value)? };
        let (head, end) = (self.t.cur, self.point());
        let here = self.t.here;
        let switched = self.known_here();
        let frame = self.frame_mut();
        frame.switched.push(switched);
        frame.breaks.push(end);
        frame.switches.push(Vec::new());
        frame.defaults.push(None);
        self.t.cur = None;
        self.block(body)?;
        self.goto(end)?;
        let frame = self.frame_mut();
        frame.breaks.pop();
        frame.switched.pop();
        let cases = frame.switches.pop().unwrap_or_default();
        let default = frame.defaults.pop().flatten().unwrap_or(end);
        self.t.here = here;
        self.t.cur = head;
        if let Value::Any(low, high) = value {
            self.any_case((low, high), &cases, default)?;
            self.resume(end);
            return Ok(());
        }
        let mut none = Value::TRUE;
        for (low, high, point) in cases {
            let is = if low == high {
                value.clone().equals(Value::Int(low))
            } else {
                let above = Value::binary(BinaryOp::Ge, value.clone(), Value::Int(low));
                above.and(Value::binary(BinaryOp::Le, value.clone(), Value::Int(high)))
            };
            none = none.and(is.clone().not());
            self.guarded(is, point)?;
        }
        self.guarded(none, default)?;
        self.resume_reached(end);
        Ok(())
    }

    /// A `switch` by a value that can be anything in a range: each case of the range, and the default unless the
    /// cases are the whole range.
    fn any_case(
        &mut self,
        (low, high): (i64, i64),
        cases: &[(i64, i64, Point)],
        default: Point,
    ) -> Built<()> {
        let mut left = u128::from(high.abs_diff(low)) + 1;
        for &(first, last, point) in cases {
            let (first, last) = (first.max(low), last.min(high));
            if first <= last {
                left = left.saturating_sub(u128::from(last.abs_diff(first)) + 1);
                self.guarded(Value::TRUE, point)?;
            }
        }
        self.guarded(Value::Int(i64::from(left > 0)), default)
    }

    fn guarded(&mut self, guard: Value, to: Point) -> Built<()> {
        if guard == Value::Int(0) {
            return Ok(());
        }
        self.step_to(guard, Mode::Plain, Vec::new(), to)
    }

    /// A new point that the statement before leads to.
    fn fall_into(&mut self) -> Built<Point> {
        let point = self.point();
        self.goto(point)?;
        // The step of the `switch` itself is added later.
        let switched = self.frame().switched.last().cloned().flatten();
        self.expect(switched, point);
        self.resume(point);
        Ok(point)
    }

    fn label(&mut self, name: &str) -> Point {
        if let Some(&point) = self.frame().labels.get(name) {
            return point;
        }
        let point = self.point();
        self.t.points[point.0 as usize].labels.push(name.to_owned());
        self.frame_mut().labels.insert(name.to_owned(), point);
        point
    }

    fn return_value(&mut self, value: Option<&Expr>) -> Built<()> {
        if let Some(value) = value {
            let value = self.value(value)?;
            if let Some(result) = self.frame().result {
                self.step(Mode::Plain, vec![Op::Set(result, value)])?;
            }
        }
        self.leave()
    }

    /// Goes to the end of the function.
    pub(super) fn leave(&mut self) -> Built<()> {
        if self.frame().procedure.is_some() {
            self.edge(Value::TRUE, Mode::Plain, Vec::new(), Target::Return)?;
            self.t.cur = None;
            return Ok(());
        }
        let exit = self.frame().exit;
        self.goto(exit)
    }

    /// The body of a function, in a frame of its own; afterwards the current point is its exit.
    pub(super) fn body(&mut self, function: &Function, mut frame: Frame) -> Built<()> {
        let Some(body) = &function.body else { return Ok(()) };
        let exit = frame.exit;
        frame.labels = HashMap::new();
        self.t.frames.push(frame);
        self.block(body)?;
        self.leave()?;
        self.t.frames.pop();
        if self.t.frames.last().is_some_and(|f| f.procedure.is_none()) {
            self.resume_reached(exit);
        } else {
            self.resume(exit);
        }
        Ok(())
    }

    fn assembly(&mut self, asm: &Asm) -> Built<()> {
        self.instructions(&asm.template)
    }

    /// The instructions of an assembly statement.
    pub(super) fn instructions(&mut self, template: &str) -> Built<()> {
        match instruction(template) {
            Some(Instruction::Nothing) => Ok(()),
            Some(Instruction::Fence(Fence::Full)) => self.full_fence(),
            Some(Instruction::Fence(Fence::Store)) => self.store_fence(),
            None => {
                let message = format!("assembly `{}`", template.trim());
                let found = Diagnostic::error(codes::ASSEMBLY, message, self.t.here);
                let help = "fences (`mfence`, `sfence`, `lock; addl $0, …`), `pause` and compiler barriers are understood; use `<stdatomic.h>` or `__atomic_…` for the rest";
                Err(found.label("what it does is not known").help(help).into())
            }
        }
    }

    /// Waits until the thread's own stores are in memory.
    pub(super) fn full_fence(&mut self) -> Built<()> {
        if self.options.races {
            return self.watch(Watch::Fence { acquire: true, release: true });
        }
        self.step(Mode::Fence, Vec::new())
    }

    /// Orders the thread's earlier stores before its later ones.
    pub(super) fn store_fence(&mut self) -> Built<()> {
        if self.options.races {
            return self.watch(Watch::Fence { acquire: false, release: true });
        }
        self.step(Mode::Plain, vec![Op::StoreFence])
    }

    /// A step of the search for data races; nothing in other programs.
    pub(super) fn watch(&mut self, watch: Watch) -> Built<()> {
        match self.options.races {
            true => self.step(Mode::Plain, vec![Op::Watch(watch)]),
            false => Ok(()),
        }
    }
}
