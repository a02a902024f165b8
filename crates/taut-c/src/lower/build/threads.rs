//! Threads, assertions, indivisible sections.

use taut_ir::{BinaryOp, Type};

use super::{Builder, Built, Frame, Slot};
use crate::hir::{Argument, Callee, Expr, ExprKind, FunctionId, LocalId, Stmt, StmtKind};
use crate::lower::access::Access;
use crate::lower::mir::{Base, Mode, ObjectId, Op, Place, SpawnNumber, ThreadId, Value};

/// The function of ours that runs destructors.
pub(super) const AT_THREAD_END: &str = "__taut_at_thread_end";

impl Builder<'_> {
    /// Builds one thread function.
    pub(super) fn thread(&mut self, index: usize) -> Built<()> {
        let (id, bound) = self.templates[index].clone();
        let function = self.function(id);
        if let Some(refused) = &function.refused {
            return Err((**refused).clone().into());
        }
        self.t.id = index;
        self.t.here = function.span;
        if index > 0 && !self.mir.rooted {
            self.register("'self", Type::INT64, false);
            self.register("'arg", Type::INT64, true);
        }
        if self.options.races {
            self.register(crate::lower::races::KNOWS, Type::BOOL, false);
        }
        let entry = self.point();
        self.resume(entry);
        self.enter_frame(id)?;
        for param in 0..function.params {
            let key = (id, LocalId(param));
            let value = match bound.get(param as usize) {
                Some(Some(value)) => value.clone(),
                Some(None) => Value::Reg(crate::lower::mir::Reg(1)),
                // `main` runs without arguments: only its own name counts.
                None if index == 0 && param == 0 => Value::Int(1),
                None => Value::Int(0),
            };
            let written = self.written.get(&id).is_some_and(|w| w.contains(&key.1));
            if written || self.found.in_memory.contains(&key) {
                self.t.frames.push(Frame::new(id, entry, None, None));
                let slot = self.slot(key.1);
                self.t.frames.pop();
                let at = self.slot_place(&slot?, 0, true);
                self.store(at, value, false)?;
            } else {
                self.t.locals.insert(key, Slot::Bound(value));
            }
        }
        let result = (function.result != crate::types::Ty::Void)
            .then(|| self.register("'result", Type::INT64, true));
        let exit = self.point();
        self.body(function, Frame::new(id, exit, result, None))?;
        if self.mir.rooted {
            let stop = self.stopped();
            self.goto(stop)?;
        } else if index == 0 {
            if self.options.leaks {
                self.step(Mode::Plain, vec![Op::Leaks])?;
            }
            self.end_program()?;
        } else {
            self.end_thread(result.map_or(Value::Int(0), Value::Reg))?;
        }
        let name = self.thread_name(index);
        self.finish_thread(name, entry, function.span);
        Ok(())
    }

    /// The name of a thread function: with its constant argument where it has several.
    fn thread_name(&self, index: usize) -> String {
        let (id, bound) = &self.templates[index];
        let name = &self.function(*id).name;
        let shared = self.templates.iter().filter(|(other, _)| other == id).count() > 1;
        match bound.first() {
            Some(Some(Value::Int(value))) if shared => format!("{name}({value})"),
            Some(_) if shared => format!("{name}.{index}"),
            _ => name.clone(),
        }
    }

    /// The number of the running thread.
    fn own_number(&self) -> Value {
        if self.mir.rooted {
            return Value::Int(self.t.id as i64);
        }
        if self.t.id == 0 { Value::Int(0) } else { Value::Reg(crate::lower::mir::Reg(0)) }
    }

    /// The ghost with the states of threads; its length is known when threads are counted.
    fn states(&mut self) -> ObjectId {
        match self.mir.states {
            Some(states) => states,
            None => {
                let states = self.ghost("'thread", 1);
                self.mir.states = Some(states);
                states
            }
        }
    }

    /// The ghost with the results of threads.
    fn results(&mut self) -> ObjectId {
        match self.mir.results {
            Some(results) => results,
            None => {
                let results = self.ghost("'result", 1);
                let cell = &mut self.mir.objects[results.0 as usize].cells[0];
                (cell.pointer, cell.lo, cell.hi) = (true, i64::MIN, i64::MAX);
                self.mir.results = Some(results);
                results
            }
        }
    }

    /// `main` is over: so is the run, whatever other threads wait for.
    fn end_program(&mut self) -> Built<()> {
        let over = self.over();
        let stop = self.stopped();
        let op = Op::Store(cell(over, Value::Int(0)), Value::Int(1), false);
        self.step_to(Value::TRUE, Mode::Plain, vec![op], stop)?;
        self.t.cur = None;
        Ok(())
    }

    /// Runs the destructors of what a thread leaves behind.
    fn destroy(&mut self) -> Built<()> {
        let Some(destroy) = self.function_named(AT_THREAD_END) else { return Ok(()) };
        let runs = self.t.frames.iter().any(|frame| frame.function == destroy);
        if !self.found.destructors || runs || self.t.cur.is_none() {
            return Ok(());
        }
        self.call_function(destroy, Vec::new(), None, &crate::types::Ty::Void)?;
        Ok(())
    }

    /// A thread is over, with its stores in memory.
    fn end_thread(&mut self, result: Value) -> Built<()> {
        let result = if self.found.destructors { self.copied(result)? } else { result };
        self.destroy()?;
        let number = self.own_number();
        let mut ops = vec![Op::EndFrames];
        if self.joins {
            let results = self.results();
            let mut place = cell(results, number.clone());
            place.pointer = true;
            ops.push(Op::Store(place, result, false));
        }
        self.states();
        ops.push(Op::End(number));
        let stop = self.stopped();
        self.step_to(Value::TRUE, Mode::Fence, ops, stop)?;
        self.t.cur = None;
        Ok(())
    }

    /// The number of a thread function with an argument.
    fn template(&mut self, function: FunctionId, arg: &Value) -> ThreadId {
        let bound = match arg {
            arg if arg.is_constant() => vec![Some(arg.clone())],
            _ => vec![None],
        };
        self.template_of(function, bound)
    }

    fn template_of(&mut self, function: FunctionId, bound: Vec<Option<Value>>) -> ThreadId {
        let template = (function, bound);
        let found = self.templates.iter().position(|t| *t == template);
        let index = found.unwrap_or_else(|| {
            self.templates.push(template);
            self.templates.len() - 1
        });
        ThreadId(index as u32)
    }

    /// Starts a thread; its number is the value.
    fn spawn(&mut self, function: FunctionId, arg: Value) -> Built<Value> {
        self.no_register_address(&arg)?;
        let thread = self.template(function, &arg);
        self.spawn_template(thread, arg)
    }

    fn spawn_template(&mut self, thread: ThreadId, arg: Value) -> Built<Value> {
        let reg = self.register("t", Type::INT64, false);
        self.states();
        // The system call behind it drains the buffer: the new thread sees what was stored before.
        if self.t.id > 0 || self.found.no_numbers || self.in_procedure() {
            self.step(Mode::Fence, vec![Op::Spawn(thread, SpawnNumber::Free, reg, vec![arg])])?;
            return Ok(Value::Reg(reg));
        }
        let number = self.mir.spawns;
        self.mir.spawns += 1;
        self.step(
            Mode::Fence,
            vec![Op::Spawn(thread, SpawnNumber::Known(number), reg, vec![arg])],
        )?;
        Ok(Value::Spawned(number))
    }

    fn in_procedure(&self) -> bool {
        self.t.frames.iter().any(|frame| frame.procedure.is_some())
    }

    /// `__CPROVER_ASYNC_n: f(a);` runs the call in a thread of its own.
    pub(super) fn asynchronous(&mut self, stmt: &Stmt) -> Built<()> {
        self.at(stmt.span);
        if let StmtKind::Expr(Expr {
            kind: ExprKind::Call(Callee::Function(id), args, _), ..
        }) = &stmt.kind
        {
            let mut bound = Vec::new();
            for arg in args {
                let value = match arg {
                    Argument::Value(value) => self.value(value)?,
                    _ => {
                        return self
                            .refuse("a structure as an argument of a thread", "use scalars");
                    }
                };
                if !value.is_constant() {
                    return self
                        .refuse("an argument of a thread that is no constant", "use a global");
                }
                self.no_register_address(&value)?;
                bound.push(Some(value));
            }
            let thread = self.template_of(*id, bound);
            self.spawn_template(thread, Value::Int(0))?;
            return Ok(());
        }
        self.refuse("this statement as a thread", "call a function after `__CPROVER_ASYNC_n:`")
    }

    pub(super) fn thread_builtin(&mut self, name: &str, args: &[Argument]) -> Built<Option<Value>> {
        Ok(Some(match name {
            "__taut_self" => self.own_number(),
            "__taut_create" => {
                let function = self.arg_value(args, 0)?;
                let arg = self.arg_value(args, 1)?;
                self.create(function, arg)?
            }
            "__taut_join" => self.join(args)?,
            "__taut_exit_thread" => {
                let value = self.arg_value(args, 0)?;
                if self.t.id == 0 {
                    self.destroy()?;
                    // `main` may leave by `pthread_exit`: the other threads go on.
                    let stop = self.stopped();
                    self.goto(stop)?;
                } else {
                    self.end_thread(value)?;
                }
                Value::Int(0)
            }
            "__taut_exit" => {
                self.end_program()?;
                Value::Int(0)
            }
            "__taut_when" => {
                let condition = self.arg(args, 0)?.clone();
                self.when(&condition)?;
                Value::Int(0)
            }
            "__taut_atomic_begin" => {
                self.begin_section()?;
                Value::Int(0)
            }
            "__taut_atomic_end" => {
                self.end_section()?;
                Value::Int(0)
            }
            "__taut_assume" => {
                let condition = self.arg(args, 0)?.clone();
                self.assume(&condition)?;
                Value::Int(0)
            }
            "__taut_assert" => {
                let condition = self.arg(args, 0)?.clone();
                let text = self.arg(args, 1).ok().and_then(|a| self.string(a));
                self.assert(&condition, text)?;
                Value::Int(0)
            }
            "__taut_fail" => {
                let text = self.arg(args, 0).ok().and_then(|a| self.string(a));
                self.fail(text)?;
                Value::Int(0)
            }
            "__taut_destructor" => {
                let none = matches!(self.arg_value(args, 0)?, Value::Int(0));
                if !none && !self.found.destructors {
                    self.found.destructors = true;
                    return Err(super::Stop::Again);
                }
                Value::Int(0)
            }
            "__taut_choose" => self.choose(0, 1)?,
            "__taut_nondet" => {
                let (low, high) = (self.arg_value(args, 0)?, self.arg_value(args, 1)?);
                match (low, high) {
                    (Value::Int(low), Value::Int(high)) => self.choose(low, high)?,
                    _ => self.refuse("a range that is no constant", "use constants")?,
                }
            }
            _ => return Ok(None),
        }))
    }

    fn create(&mut self, function: Value, arg: Value) -> Built<Value> {
        if let Value::Function(function) = function {
            return self.spawn(function, arg);
        }
        // One of the functions whose addresses are taken.
        let pointer = self.copied(function)?;
        let arg = self.copied(arg)?;
        let fits = |f: &FunctionId| self.function(*f).params == 1;
        let candidates: Vec<FunctionId> = self.callable.iter().copied().filter(fits).collect();
        let result = self.register("t", Type::INT64, false);
        let (start, end) = (self.t.cur, self.point());
        let mut none = Value::TRUE;
        for function in candidates {
            self.t.cur = start;
            let inside = self.point();
            let is = pointer.clone().equals(Value::Function(function));
            none = none.and(is.clone().not());
            self.step_to(is, Mode::Plain, Vec::new(), inside)?;
            self.resume_reached(inside);
            let number = self.spawn(function, arg.clone())?;
            self.step_to(Value::TRUE, Mode::Plain, vec![Op::Set(result, number)], end)?;
        }
        self.t.cur = start;
        let stop = self.stopped();
        self.step_to(none, Mode::Plain, vec![Op::Fail(taut_ir::Fault::Pointer)], stop)?;
        self.resume_reached(end);
        Ok(Value::Reg(result))
    }

    fn join(&mut self, args: &[Argument]) -> Built<Value> {
        let number = self.arg_value(args, 0)?;
        let number = self.settled(number, &crate::types::Ty::INT)?;
        self.states();
        let ended = Value::Ended(Box::new(number.clone()));
        let results = self.results();
        let mut place = cell(results, number.clone());
        place.pointer = true;
        let result = self.register("t", Type::INT64, true);
        let after = self.point();
        let mut ops = vec![Op::Set(result, Value::Load(Box::new(place)))];
        if self.found.no_numbers {
            ops.push(Op::Joined(number));
        }
        self.blocking(ended, Mode::Plain, ops, after)?;
        Ok(Value::Reg(result))
    }

    /// A step that waits for a condition. If the run is over elsewhere, waiting is no deadlock.
    fn blocking(
        &mut self,
        condition: Value,
        mode: Mode,
        ops: Vec<Op>,
        after: crate::lower::mir::Point,
    ) -> Built<()> {
        self.no_register_address(&condition)?;
        self.step_to(condition, mode, ops, after)?;
        let over = self.over();
        let is_over = Value::Load(Box::new(cell(over, Value::Int(0)))).equals(Value::Int(1));
        let stop = self.stopped();
        let atomic = std::mem::replace(&mut self.t.atomic, false);
        self.step_to(is_over, Mode::Plain, Vec::new(), stop)?;
        self.t.atomic = atomic;
        self.resume_reached(after);
        Ok(())
    }

    /// Waits for a condition and enters an indivisible section in the same step.
    fn when(&mut self, condition: &Expr) -> Built<()> {
        let condition = self.condition(condition)?;
        let checks = std::mem::take(&mut self.t.checks);
        // The waiting point is outside of the section.
        let waiting = self.point();
        self.goto(waiting)?;
        self.resume_reached(waiting);
        self.t.checks = checks;
        self.t.sections += 1;
        self.t.atomic = true;
        let inside = self.point();
        self.blocking(condition, Mode::Locked, Vec::new(), inside)?;
        Ok(())
    }

    pub(super) fn begin_section(&mut self) -> Built<()> {
        self.t.sections += 1;
        if self.t.atomic {
            return Ok(());
        }
        self.t.atomic = true;
        self.step(Mode::Locked, Vec::new())
    }

    pub(super) fn end_section(&mut self) -> Built<()> {
        self.t.sections = self.t.sections.saturating_sub(1);
        if self.t.sections > 0 {
            return Ok(());
        }
        self.t.atomic = false;
        let after = self.point();
        self.goto(after)?;
        self.resume_reached(after);
        Ok(())
    }

    /// `assume(c)`: a run in which the condition is false is not looked at any further.
    fn assume(&mut self, condition: &Expr) -> Built<()> {
        let (yes, no) = (self.point(), self.point());
        self.branch(condition, yes, no)?;
        self.resume_reached(no);
        self.end_program()?;
        self.resume_reached(yes);
        Ok(())
    }

    fn assert(&mut self, condition: &Expr, text: Option<String>) -> Built<()> {
        let (yes, no) = (self.point(), self.point());
        self.branch(condition, yes, no)?;
        self.resume_reached(no);
        self.fail(text)?;
        self.resume_reached(yes);
        Ok(())
    }

    /// An assertion is violated here; the thread stops.
    fn fail(&mut self, text: Option<String>) -> Built<()> {
        let span = self.t.here;
        let index = match self.asserts.get(&span) {
            Some(&index) => index,
            None => {
                let index = self.mir.asserts.len();
                let line = self.line(span);
                let name = match text {
                    Some(text) if text.contains('(') || text.contains(' ') => text,
                    Some(text) if !text.is_empty() => format!("assert({text})"),
                    _ => format!("assert on line {line}"),
                };
                let taken = self.mir.asserts.iter().any(|(other, _)| *other == name);
                let name = if taken { format!("{name} on line {line}") } else { name };
                let again = self.mir.asserts.iter().filter(|(n, _)| n.starts_with(&name)).count();
                let name = if again > 0 { format!("{name} ({again})") } else { name };
                self.mir.asserts.push((name, span));
                self.asserts.insert(span, index);
                index
            }
        };
        let over = self.over();
        let stop = self.stopped();
        let over = Op::Store(cell(over, Value::Int(0)), Value::Int(1), false);
        self.step_to(Value::TRUE, Mode::Plain, vec![Op::Violate(index), over], stop)?;
        self.t.cur = None;
        Ok(())
    }

    pub(super) fn line(&self, span: taut_source::Span) -> u32 {
        if span.is_none() { 0 } else { self.sources.file(span.file).position(span.start).line }
    }
}

/// A cell of bookkeeping.
pub(super) fn cell(object: ObjectId, offset: Value) -> Place {
    debug_assert!(!matches!(offset, Value::Binary(BinaryOp::And, ..)));
    Place { base: Base::Object(object), offset, pointer: false, access: Access::SILENT }
}
