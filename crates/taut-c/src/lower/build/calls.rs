//! Calls: functions are inlined, operations of the library are steps.

use std::collections::HashMap;

use taut_ir::Type;
use taut_source::Diagnostic;

use super::{Builder, Built, Frame, Located, Slot, may_point};
use crate::hir::{
    Argument, Callee, Expr, ExprKind, FunctionId, LocalId, Place, PlaceKind, StmtKind,
};
use crate::lower::codes;
use crate::lower::mir::{Mode, Op, Point, Recursive, Target, Value};
use crate::types::Ty;

/// An argument that was computed.
pub(super) enum Arg {
    Value(Value),
    Struct(Located, Ty),
}

impl Builder<'_> {
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        args: &[Argument],
        into: Option<&Place>,
        ty: &Ty,
    ) -> Built<Value> {
        match callee {
            Callee::Function(function) => {
                let args = self.arguments(args)?;
                self.call_function(*function, args, into, ty)
            }
            Callee::Builtin(name) => self.builtin(name, args, ty),
            Callee::Pointer(pointer) => {
                let pointer = self.value(pointer)?;
                if let Value::Function(function) = pointer {
                    let args = self.arguments(args)?;
                    return self.call_function(function, args, into, ty);
                }
                let pointer = self.copied(pointer)?;
                let args = self.arguments(args)?;
                self.call_pointer(pointer, args, into, ty)
            }
        }
    }

    pub(super) fn arguments(&mut self, args: &[Argument]) -> Built<Vec<Arg>> {
        let mut all = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            match arg {
                Argument::Value(value) => {
                    let computed = self.value(value)?;
                    let later = args[i + 1..].iter().any(super::super::uses::argument_assigns);
                    let steady = computed.is_constant() || !later;
                    all.push(Arg::Value(if steady { computed } else { self.copied(computed)? }));
                }
                Argument::Struct(place) => {
                    all.push(Arg::Struct(self.locate(place)?, place.ty.ty.clone()));
                }
                Argument::Type(_) => {}
            }
        }
        Ok(all)
    }

    /// A call through a pointer: one of the functions whose addresses are taken and whose types fit.
    fn call_pointer(
        &mut self,
        pointer: Value,
        args: Vec<Arg>,
        into: Option<&Place>,
        ty: &Ty,
    ) -> Built<Value> {
        let inside = self.t.frames.last().map(|frame| self.function(frame.function).name.as_str());
        let destroys = inside == Some(super::threads::AT_THREAD_END);
        let fits = |f: &FunctionId| {
            let function = self.function(*f);
            // A destructor has no result; functions of threads have one.
            function.params as usize == args.len() && (!destroys || function.result == Ty::Void)
        };
        let candidates: Vec<FunctionId> = self.callable.iter().copied().filter(fits).collect();
        let result = self.register("t", Type::INT64, may_point(ty));
        let end = self.point();
        let start = self.t.cur;
        let mut none = Value::TRUE;
        for function in candidates {
            self.t.cur = start;
            let inside = self.point();
            let is = pointer.clone().equals(Value::Function(function));
            none = none.and(is.clone().not());
            self.step_to(is, Mode::Plain, Vec::new(), inside)?;
            self.resume_reached(inside);
            let again = args.iter().map(|arg| match arg {
                Arg::Value(value) => Arg::Value(value.clone()),
                Arg::Struct(at, ty) => Arg::Struct(at.clone(), ty.clone()),
            });
            let value = self.call_function(function, again.collect(), into, ty)?;
            let ops = if *ty == Ty::Void { vec![] } else { vec![Op::Set(result, value)] };
            self.step_to(Value::TRUE, Mode::Plain, ops, end)?;
        }
        self.t.cur = start;
        let stop = self.stopped();
        self.step_to(none, Mode::Plain, vec![Op::Fail(taut_ir::Fault::Pointer)], stop)?;
        self.resume_reached(end);
        Ok(Value::Reg(result))
    }

    /// A call of a function that is known.
    pub(super) fn call_function(
        &mut self,
        id: FunctionId,
        args: Vec<Arg>,
        into: Option<&Place>,
        ty: &Ty,
    ) -> Built<Value> {
        let function = self.function(id);
        if let Some(refused) = &function.refused {
            return Err((**refused).clone().into());
        }
        if function.body.is_none() {
            return self.unknown(&function.name.clone());
        }
        if self.is_recursive(id) {
            return self.call_recursive(id, args, ty);
        }
        let result = match function.result {
            Ty::Void | Ty::Struct(_) => None,
            ref ty => Some(self.register("t", Type::INT64, may_point(ty))),
        };
        let result_place = match into {
            Some(place) => Some(self.locate(place)?),
            None => None,
        };
        self.forget_locals(id);
        let alive = self.enter_frame(id)?;
        self.bind(id, args)?;
        let saved = (self.t.here, self.t.fixed);
        if self.is_library(function.span) && !self.t.fixed {
            self.t.library = Some(function.name.clone());
            self.t.fixed = true;
        }
        let sections = function.name.starts_with("__VERIFIER_atomic_") && !self.t.atomic;
        if sections {
            self.begin_section()?;
        }
        if let Some([only]) = function.body.as_deref()
            && let StmtKind::Return(Some(value)) = &only.kind
            && !sections
        {
            // The value itself: nothing has to be kept.
            self.at(only.span);
            self.t.frames.push(Frame::new(id, Point(0), None, None));
            let value = self.raw_value(value)?;
            self.t.frames.pop();
            // The next call of the function has the same locals.
            let mut own = false;
            value.visit(&mut |v| {
                if let Value::Reg(r) | Value::Elem(r, _) = v {
                    own |= self.t.regs[r.0 as usize].origin.is_some_and(|(f, _)| f == id);
                }
            });
            let value = if own { self.copied(value)? } else { value };
            self.leave_frame(alive)?;
            (self.t.here, self.t.fixed) = saved;
            return Ok(value);
        }
        let exit = self.point();
        self.body(function, Frame::new(id, exit, result, result_place))?;
        if sections {
            self.end_section()?;
        }
        self.leave_frame(alive)?;
        (self.t.here, self.t.fixed) = saved;
        Ok(result.map_or(Value::Int(0), |reg| self.read(reg)))
    }

    /// True for code of ours.
    pub(super) fn is_library(&self, span: taut_source::Span) -> bool {
        span.is_none() || self.options.built_in.contains(&span.file)
    }

    /// Gives the parameters of a function their values.
    fn bind(&mut self, id: FunctionId, args: Vec<Arg>) -> Built<()> {
        let function = self.function(id);
        let written = self.written.get(&id).cloned().unwrap_or_default();
        let mut args = args.into_iter();
        for index in 0..function.params {
            let local = LocalId(index);
            let key = (id, local);
            let Some(arg) = args.next() else { break };
            match arg {
                Arg::Value(value)
                    if !written.contains(&local)
                        && !self.found.in_memory.contains(&key)
                        && self.is_steady(&value) =>
                {
                    self.t.locals.insert(key, Slot::Bound(value));
                }
                Arg::Value(value) => {
                    self.forget_bound(key);
                    let at = self.param_place(id, local)?;
                    self.store(at, value, false)?;
                }
                Arg::Struct(from, ty) => {
                    self.forget_bound(key);
                    let at = self.param_place(id, local)?;
                    self.copy(&at, &from, &ty)?;
                }
            }
        }
        Ok(())
    }

    /// True if a value is the same wherever the called function reads it: a constant, or a temporary that is set once.
    fn is_steady(&self, value: &Value) -> bool {
        match value {
            Value::Reg(reg) => {
                let register = &self.t.regs[reg.0 as usize];
                // Inside of a procedure a temporary can be overwritten by an inner call.
                register.origin.is_none() && self.t.frames.iter().all(|f| f.procedure.is_none())
            }
            other => other.is_constant(),
        }
    }

    /// A parameter that an earlier call bound gets a register of its own again.
    fn forget_bound(&mut self, key: (FunctionId, LocalId)) {
        if let Some(Slot::Bound(_)) = self.t.locals.get(&key) {
            self.t.locals.remove(&key);
        }
    }

    fn param_place(&mut self, id: FunctionId, local: LocalId) -> Built<Located> {
        // The slot is that of the called function, which has no frame yet.
        let exit = Point(0);
        self.t.frames.push(Frame::new(id, exit, None, None));
        let slot = self.slot(local);
        self.t.frames.pop();
        let pointer = may_point(&self.function(id).locals[local.0 as usize].ty.ty);
        Ok(self.slot_place(&slot?, 0, pointer))
    }

    /// True if a call of a function can lead to another call of it.
    fn is_recursive(&self, id: FunctionId) -> bool {
        self.recursive.contains(&id)
    }

    /// A function that calls itself is a procedure of the thread, with a stack.
    fn call_recursive(&mut self, id: FunctionId, args: Vec<Arg>, ty: &Ty) -> Built<Value> {
        let function = self.function(id);
        if self.t.atomic {
            return self.refuse(
                &format!(
                    "`{}`, which calls itself, inside of an indivisible section",
                    function.name
                ),
                "make the function iterative",
            );
        }
        if matches!(function.result, Ty::Struct(_)) {
            return self.refuse(
                "a structure as the result of a function that calls itself",
                "return a pointer",
            );
        }
        let procedure = self.procedure(id)?;
        let mut values = Vec::new();
        for arg in args {
            match arg {
                Arg::Value(value) => values.push(value),
                Arg::Struct(..) => {
                    return self.refuse(
                        "a structure as an argument of a function that calls itself",
                        "pass a pointer to it",
                    );
                }
            }
        }
        for value in &values {
            self.no_register_address(value)?;
        }
        values.truncate(function.params as usize);
        let back = self.point();
        self.edge(
            Value::TRUE,
            Mode::Plain,
            Vec::new(),
            Target::Call { procedure, args: values, back },
        )?;
        self.resume(back);
        let result = self.t.results.get(&id).copied();
        match result {
            Some(result) if *ty != Ty::Void => self.copied(Value::Reg(result)),
            _ => Ok(Value::Int(0)),
        }
    }

    /// The procedure of a function, built where it is first called.
    fn procedure(&mut self, id: FunctionId) -> Built<usize> {
        if let Some(found) = self.t.procedures.iter().position(|p| p.function == id) {
            return Ok(found);
        }
        let function = self.function(id);
        let index = self.t.procedures.len();
        let entry = self.point();
        self.t.procedures.push(Recursive {
            function: id,
            name: function.name.clone(),
            entry,
            params: Vec::new(),
            registers: Vec::new(),
        });
        if function.result != Ty::Void {
            let reg = self.register("'result", Type::INT64, may_point(&function.result));
            self.t.results.insert(id, reg);
        }
        let first = self.t.regs.len();
        let saved = (self.t.cur, self.t.here, self.t.fixed, std::mem::take(&mut self.t.locals));
        let mut params = Vec::new();
        for index in 0..function.params {
            let at = self.param_place(id, LocalId(index))?;
            let Located::Register(reg) = at else {
                return self
                    .refuse("this parameter of a function that calls itself", "use scalars");
            };
            params.push(reg);
        }
        self.resume(entry);
        let exit = self.point();
        let mut frame = Frame::new(id, exit, self.t.results.get(&id).copied(), None);
        frame.procedure = Some(index);
        self.body(function, frame)?;
        (self.t.cur, self.t.here, self.t.fixed, self.t.locals) = saved;
        // Procedures that were built inside have registers of their own.
        let inner: Vec<_> =
            self.t.procedures[index + 1..].iter().flat_map(|p| p.registers.clone()).collect();
        let results: Vec<_> = self.t.results.values().copied().collect();
        let own = (first..self.t.regs.len()).map(|r| crate::lower::mir::Reg(r as u32));
        let own = own.filter(|r| !inner.contains(r) && !results.contains(r));
        let mut registers = params.clone();
        registers.extend(own.filter(|r| !params.contains(r)));
        let procedure = &mut self.t.procedures[index];
        (procedure.params, procedure.registers) = (params, registers);
        Ok(index)
    }

    /// The operation of a function that is not defined.
    fn builtin(&mut self, name: &str, args: &[Argument], ty: &Ty) -> Built<Value> {
        if let Some(value) = self.atomic_builtin(name, args, ty)? {
            return Ok(value);
        }
        if let Some(value) = self.thread_builtin(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.heap_builtin(name, args)? {
            return Ok(value);
        }
        if let ("asm", Some(template)) = (name, self.arg(args, 0).ok().and_then(|a| self.string(a)))
        {
            self.instructions(&template)?;
            return Ok(Value::Int(0));
        }
        match name {
            "_mm_mfence" | "__builtin_ia32_mfence" => {
                return self.full_fence().map(|()| Value::Int(0));
            }
            "_mm_sfence" | "__builtin_ia32_sfence" => {
                return self.store_fence().map(|()| Value::Int(0));
            }
            _ => {}
        }
        if IGNORED.contains(&name) {
            self.arguments(args)?;
            return Ok(Value::Int(0));
        }
        self.unknown(name)
    }

    fn unknown(&mut self, name: &str) -> Built<Value> {
        let message = format!("`{name}` is not defined, and Taut does not know it");
        let found = Diagnostic::error(codes::UNKNOWN_FUNCTION, message, self.t.here);
        let usual = "define it in the file, or replace the call by what it does to shared memory";
        let help = crate::advice::on_function(name).unwrap_or(usual);
        Err(found.label("called here").help(help).into())
    }

    /// A scalar argument.
    pub(super) fn arg<'a>(&self, args: &'a [Argument], index: usize) -> Built<&'a Expr> {
        let values = args.iter().filter_map(|arg| match arg {
            Argument::Value(value) => Some(value),
            _ => None,
        });
        match values.into_iter().nth(index) {
            Some(value) => Ok(value),
            None => self.refuse("a call with too few arguments", "see the function's declaration"),
        }
    }

    /// The value of a scalar argument.
    pub(super) fn arg_value(&mut self, args: &[Argument], index: usize) -> Built<Value> {
        let expr = self.arg(args, index)?;
        self.value(expr)
    }

    /// The value of a string literal.
    pub(super) fn string(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Convert(inner) => self.string(inner),
            ExprKind::AddressOf(place) => match &place.kind {
                PlaceKind::Global(global) => {
                    let global = &self.unit.globals[global.0 as usize];
                    let bytes = global.init.iter().filter_map(|(_, c)| match c {
                        crate::hir::Constant::Int(byte) if *byte != 0 => Some(*byte as u8),
                        _ => None,
                    });
                    Some(String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned())
                }
                PlaceKind::Index(inner, _) => {
                    let kind = ExprKind::AddressOf((**inner).clone());
                    self.string(&Expr { kind, ..expr.clone() })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Frame {
    pub(super) fn new(
        function: FunctionId,
        exit: Point,
        result: Option<crate::lower::mir::Reg>,
        result_place: Option<Located>,
    ) -> Frame {
        Frame {
            function,
            exit,
            result,
            result_place,
            labels: HashMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            switched: Vec::new(),
            defaults: Vec::new(),
            procedure: None,
        }
    }
}

/// Functions whose effects no other thread sees; their arguments are evaluated.
const IGNORED: &[&str] = &[
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "fputs",
    "fflush",
    "perror",
    "vprintf",
    "usleep",
    "sleep",
    "nanosleep",
    "sched_yield",
    "srand",
    "setvbuf",
    "putc",
    "fputc",
    "__taut_yield",
    "__builtin_ia32_pause",
    "_mm_pause",
    "_mm_lfence",
    "pthread_setconcurrency",
    "__builtin_prefetch",
    "madvise",
    "write",
];
