//! From a program and a memory model to a machine.

use taut_ir::ranges::Ranges;
use taut_ir::{
    Assignment, BinaryOp, Control, DefId, Effect, Expr, FullBuffer, Interval, LocId, Memory,
    MemoryModel, Mode, Overflow, Place, ProcId, ProcedureId, Program, PropertyKind, RegId, Step,
    StepId, Type, VarId,
};
use taut_memory::{Field, LayoutBuilder, MemorySystem, Places, Pso, Sc, Tso};

use super::code::Code;
use super::layout::ProcessLayout;
use super::step::{
    Call, CompiledEffect, CompiledStep, Destination, Fit, Needs, Return, SpawnSlot, Target,
};
use super::{CompiledProcess, CompiledProperty, Machine};

/// A machine of one of the memory systems. Engines are generic; this is where the choice is made.
pub enum AnyMachine {
    /// Sequential consistency.
    Sc(Machine<Sc>),
    /// Total store order.
    Tso(Machine<Tso>),
    /// Partial store order.
    Pso(Machine<Pso>),
}

/// Compiles a valid program. `memory.bound` must be a number here: callers that want buffers without a
/// bound choose a size and look whether it was met. `watched` are expressions over the whole state, as in
/// properties, whose values [`Machine::watched`] gives.
pub fn compile(program: &Program, memory: Memory, watched: &[Expr]) -> AnyMachine {
    let ranges = Ranges::of(program);
    let places = Places::new(program, &ranges);
    let mut layout = LayoutBuilder::new();
    let bound = memory.bound.expect("a capacity for buffers");
    let processes: Vec<_> = program
        .process_ids()
        .map(|p| ProcessLayout::new(program, &ranges, p, &mut layout))
        .collect();
    let parts = Parts { program, memory, ranges, processes };
    match memory.model {
        MemoryModel::Sc => {
            let system = Sc::new(&places, &mut layout);
            AnyMachine::Sc(Compiler::new(parts, places, system).run(layout, watched))
        }
        MemoryModel::Tso => {
            let system = Tso::new(program, &places, bound, &mut layout);
            AnyMachine::Tso(Compiler::new(parts, places, system).run(layout, watched))
        }
        MemoryModel::Pso => {
            let system = Pso::new(program, &places, bound, &mut layout);
            AnyMachine::Pso(Compiler::new(parts, places, system).run(layout, watched))
        }
    }
}

struct Parts<'p> {
    program: &'p Program,
    memory: Memory,
    ranges: Ranges,
    processes: Vec<ProcessLayout>,
}

/// Whose registers an expression names, and whether buffers stand between it and memory.
#[derive(Clone, Copy)]
struct Scope {
    process: ProcId,
    /// Reads go to memory: the buffer is known to be empty, or it is a property's own read.
    direct: bool,
}

struct Compiler<'p, M> {
    program: &'p Program,
    memory: Memory,
    ranges: Ranges,
    layouts: Vec<ProcessLayout>,
    places: Places,
    system: M,
    may_fault: bool,
}

impl<'p, M: MemorySystem> Compiler<'p, M> {
    fn new(parts: Parts<'p>, places: Places, system: M) -> Compiler<'p, M> {
        let Parts { program, memory, ranges, processes } = parts;
        Compiler { program, memory, ranges, layouts: processes, places, system, may_fault: false }
    }

    fn run(mut self, layout: LayoutBuilder, watched: &[Expr]) -> Machine<M> {
        let layout = layout.finish();
        let program = self.program;
        let processes: Vec<_> = program.process_ids().map(|p| self.process(p)).collect();
        let properties = self.properties();
        let watched = watched.iter().map(|e| self.observed(e)).collect();
        let initial = self.initial(layout.words, &processes);
        let atomic = |p: &CompiledProcess| p.is_atomic.iter().any(|&a| a);
        Machine {
            has_atomic: processes.iter().any(atomic),
            has_spawned: processes.iter().any(|p| p.spawned),
            full_buffer_is_error: self.memory.full_buffer == FullBuffer::Error,
            may_fault: self.may_fault,
            memory: self.system,
            places: self.places,
            processes,
            properties,
            watched,
            layout,
            initial,
        }
    }

    fn initial(&self, words: usize, processes: &[CompiledProcess]) -> Vec<u64> {
        let mut state = vec![0; words];
        for place in self.places.ids() {
            self.system.write(&mut state, place, self.places.init(place));
        }
        for p in processes.iter().filter(|p| !p.spawned) {
            p.pc.set_bits(&mut state, u64::from(self.program.def_of(p.id).entry.0));
            for (field, bits) in &p.fields {
                field.set_bits(&mut state, *bits);
            }
        }
        state
    }

    fn layout(&self, process: ProcId) -> &ProcessLayout {
        &self.layouts[process.index()]
    }

    fn process(&mut self, id: ProcId) -> CompiledProcess {
        let def = self.program.def_of(id);
        let (pc, spawned) = (self.layout(id).pc, self.layout(id).spawned);
        let absent = usize::from(spawned);
        let owner = def.procedure_of();
        let mut steps: Vec<Vec<_>> = (0..def.locations.len() + absent).map(|_| vec![]).collect();
        for (i, step) in def.steps.iter().enumerate() {
            let compiled = self.step(id, StepId::from(i), step, owner[step.source.index()]);
            steps[step.source.index() + absent].push(compiled);
        }
        let flags = |flag: &dyn Fn(usize) -> bool, if_absent: bool| {
            let present = (0..def.locations.len()).map(flag);
            std::iter::repeat_n(if_absent, absent).chain(present).collect::<Vec<_>>()
        };
        CompiledProcess {
            id,
            pc,
            spawned,
            may_end: flags(&|l| def.locations[l].end, true),
            is_final: flags(&|l| def.locations[l].end && steps[l + absent].is_empty(), false),
            is_atomic: flags(&|l| def.locations[l].atomic, false),
            fields: self.start_fields(id),
            steps,
        }
    }

    /// All fields of a process but its location, and their bits when it starts.
    fn start_fields(&self, id: ProcId) -> Vec<(Field, u64)> {
        let layout = self.layout(id);
        let mut all = Vec::new();
        for (r, register) in self.program.def_of(id).registers.iter().enumerate() {
            let argument = self.program.process(id).args.get(r).copied();
            for (&field, &init) in layout.registers[r].iter().zip(&register.init) {
                let value = argument.unwrap_or(init);
                all.push((field, value.wrapping_sub(field.interval().lo) as u64));
            }
        }
        let stack = layout.stack.iter().flat_map(|s| s.fields());
        all.extend(stack.map(|field| (field, 0)));
        all
    }

    fn properties(&mut self) -> Vec<CompiledProperty> {
        let program = self.program;
        let mut all = Vec::new();
        for id in program.property_ids() {
            let (expr, violated_if) = match &program.property(id).kind {
                PropertyKind::Assert => continue,
                PropertyKind::Forbid(bad) => (bad, true),
                PropertyKind::Invariant(good) => (good, false),
            };
            all.push(CompiledProperty { id, code: self.observed(expr), violated_if });
        }
        all
    }

    /// A property's expression. Its faults are nobody's.
    fn observed(&mut self, expr: &Expr) -> Code {
        let before = self.may_fault;
        let code = self.expr(Scope { process: ProcId(0), direct: true }, expr);
        self.may_fault = before;
        code
    }

    fn step(
        &mut self,
        process: ProcId,
        id: StepId,
        step: &Step,
        owner: Option<ProcedureId>,
    ) -> CompiledStep {
        let drained = step.needs_drained();
        let needs = match step.mode {
            Mode::Sync => Needs::AllDrained,
            _ if drained => Needs::OwnDrained,
            _ => Needs::Nothing,
        };
        // In a step that finds the buffer empty and puts nothing into it, reads go to memory.
        let scope = Scope { process, direct: step.mode == Mode::Locked };
        let guard = match &step.guard {
            Expr::Const(v) if *v != 0 => None,
            guard => Some(self.expr(scope, guard)),
        };
        let effects = step.effects.iter().map(|e| self.effect(scope, step, e)).collect();
        let target = self.target(scope, step, owner);
        let action = taut_ir::Action::Step { process, step: id };
        CompiledStep { action, needs, guard, effects, target }
    }

    fn effect(&mut self, scope: Scope, step: &Step, effect: &Effect) -> CompiledEffect {
        match effect {
            Effect::Assign(list) => {
                let mut all: Vec<_> =
                    list.iter().map(|a| self.assignment(scope, step, a)).collect();
                match (all.len(), all.pop()) {
                    (1, Some((destination, code))) => CompiledEffect::Assign(destination, code),
                    (_, last) => {
                        all.extend(last);
                        CompiledEffect::Parallel(all)
                    }
                }
            }
            Effect::Assert { condition, property } => {
                CompiledEffect::Assert(self.expr(scope, condition), *property)
            }
            Effect::StoreFence => CompiledEffect::StoreFence,
            Effect::Spawn { def, args } => {
                let args = args.iter().map(|a| self.expr(scope, a)).collect();
                CompiledEffect::Spawn { slots: self.spawn_slots(*def), args }
            }
        }
    }

    fn spawn_slots(&mut self, def: DefId) -> Vec<SpawnSlot> {
        let ids: Vec<_> = self.program.spawn_slots(def).collect();
        ids.into_iter().map(|p| self.spawn_slot(p)).collect()
    }

    fn spawn_slot(&mut self, p: ProcId) -> SpawnSlot {
        let def = self.program.def_of(p);
        let layout = self.layout(p);
        let params = def.registers.iter().take(def.params as usize).enumerate();
        let params: Vec<_> = params.map(|(i, r)| (layout.registers[i][0], r.ty)).collect();
        let slot = SpawnSlot {
            pc: layout.pc,
            entry: layout.at(def.entry),
            fields: self.start_fields(p),
            params,
        };
        self.may_fault |= slot.params.iter().any(|(_, ty)| ty.overflow == Overflow::Fault);
        slot
    }

    fn assignment(&mut self, scope: Scope, step: &Step, a: &Assignment) -> (Destination, Code) {
        let ty = match &a.place {
            Place::Reg(r) | Place::RegElem(r, _) => self.program.register(scope.process, *r).ty,
            Place::Var(v) | Place::VarElem(v, _) => self.program.var(*v).ty,
        };
        let fit = self.fit(ty, self.ranges.expr(scope.process, &a.value));
        let value = self.expr(scope, &a.value);
        let buffered =
            self.places.is_buffered(self.program, step, a) && self.memory.model != MemoryModel::Sc;
        (self.destination(scope, &a.place, buffered, fit), value)
    }

    fn fit(&mut self, ty: Type, value: Interval) -> Fit {
        if ty.interval().includes(value) {
            return Fit::Fits;
        }
        self.may_fault |= ty.overflow == Overflow::Fault;
        Fit::Into(ty)
    }

    fn destination(
        &mut self,
        scope: Scope,
        place: &Place,
        buffered: bool,
        fit: Fit,
    ) -> Destination {
        match place {
            Place::Reg(r) => Destination::Field(self.register(scope, *r)[0], fit),
            Place::RegElem(r, index) => {
                let fields: Box<[Field]> = self.register(scope, *r).into();
                let index = self.index(scope, index, fields.len() as u32);
                Destination::FieldElem { fields, index, fit }
            }
            Place::Var(v) if buffered => Destination::Store(self.places.of(*v, 0), fit),
            Place::Var(v) => Destination::Field(self.memory_field(*v, 0), fit),
            Place::VarElem(v, index) => {
                let len = self.program.var(*v).size();
                let index = self.index(scope, index, len);
                match (buffered, &index) {
                    (true, Code::Const(i)) if (0..i64::from(len)).contains(i) => {
                        Destination::Store(self.places.of(*v, *i as u32), fit)
                    }
                    (true, _) => {
                        Destination::StoreElem { first: self.places.of(*v, 0), len, index, fit }
                    }
                    (false, _) => {
                        let fields = (0..len).map(|i| self.memory_field(*v, i)).collect();
                        Destination::FieldElem { fields, index, fit }
                    }
                }
            }
        }
    }

    fn register(&self, scope: Scope, id: RegId) -> &[Field] {
        &self.layout(scope.process).registers[id.index()]
    }

    fn memory_field(&self, var: VarId, index: u32) -> Field {
        self.system.field(self.places.of(var, index))
    }

    /// An index, noting whether it can leave the array.
    fn index(&mut self, scope: Scope, index: &Expr, len: u32) -> Code {
        let inside = Interval { lo: 0, hi: i64::from(len) - 1 };
        self.may_fault |= !inside.includes(self.ranges.expr(scope.process, index));
        self.expr(scope, index)
    }

    fn target(&mut self, scope: Scope, step: &Step, owner: Option<ProcedureId>) -> Target {
        let process = scope.process;
        match &step.target {
            Control::Goto(to) => Target::Goto(self.layout(process).at(*to)),
            Control::Call { procedure, args, return_to } => {
                let call = self.call(scope, *procedure, args, *return_to);
                Target::Call(Box::new(call))
            }
            Control::Return => {
                let layout = self.layout(process);
                let owner = owner.expect("a return is inside a procedure");
                Target::Return(Box::new(Return {
                    // A process without calls has no stack, and its procedures are never entered.
                    stack: layout.stack.clone().unwrap_or_else(|| super::layout::Stack {
                        depth: layout.pc,
                        frames: Vec::new(),
                    }),
                    own: layout.own_fields(self.program, process, owner),
                    pc_offset: u64::from(layout.spawned),
                }))
            }
        }
    }

    fn call(&mut self, scope: Scope, id: ProcedureId, args: &[Expr], return_to: LocId) -> Call {
        let process = scope.process;
        let def = self.program.def_of(process);
        let procedure = &def.procedures[id.index()];
        let mut own = Vec::new();
        for r in &procedure.registers {
            let fields = &self.layout(process).registers[r.index()];
            let init = &def.registers[r.index()].init;
            let start = |(&f, &v): (&Field, &i64)| (f, v.wrapping_sub(f.interval().lo) as u64);
            own.extend(fields.iter().zip(init).map(start));
        }
        let mut compiled = Vec::new();
        for (arg, r) in args.iter().zip(&procedure.registers) {
            let fit = self.fit(def.registers[r.index()].ty, self.ranges.expr(process, arg));
            compiled.push((self.expr(scope, arg), fit));
        }
        let layout = self.layout(process);
        Call {
            stack: layout.stack.clone().expect("a process that calls has a stack"),
            return_to: u64::from(return_to.0),
            entry: layout.at(procedure.entry),
            own,
            args: compiled,
        }
    }

    fn expr(&mut self, scope: Scope, expr: &Expr) -> Code {
        match expr {
            Expr::Const(v) => Code::Const(*v),
            Expr::Reg(r) => Code::Field(self.register(scope, *r)[0]),
            Expr::RegElem(r, index) => {
                let fields: Box<[Field]> = self.register(scope, *r).into();
                self.element(scope, fields, index)
            }
            Expr::Var(v) => self.load(scope, *v, 0),
            Expr::VarElem(v, index) => self.load_element(scope, *v, index),
            Expr::Unary(op, a) => Code::Unary(*op, Box::new(self.expr(scope, a))),
            Expr::Binary(op, a, b) => self.binary(scope, *op, a, b),
            Expr::Cond(c, a, b) => Code::Cond(Box::new([c, a, b].map(|e| self.expr(scope, e)))),
            Expr::In(process, inner) => self.inside(*process, inner),
            Expr::At(process, locations) => self.at(*process, locations),
            Expr::Drained(process) => Code::Drained(*process),
        }
    }

    fn element(&mut self, scope: Scope, fields: Box<[Field]>, index: &Expr) -> Code {
        match self.index(scope, index, fields.len() as u32) {
            Code::Const(i) if (0..fields.len() as i64).contains(&i) => {
                Code::Field(fields[i as usize])
            }
            index => Code::FieldElem { fields, index: Box::new(index) },
        }
    }

    fn load(&self, scope: Scope, var: VarId, index: u32) -> Code {
        let place = self.places.of(var, index);
        if scope.direct || !self.system.is_buffered(scope.process, place) {
            return Code::Field(self.system.field(place));
        }
        Code::Load { process: scope.process, place }
    }

    fn load_element(&mut self, scope: Scope, var: VarId, index: &Expr) -> Code {
        let len = self.program.var(var).size();
        let first = self.places.of(var, 0);
        let mut all = (0..len).map(|i| self.places.of(var, i));
        if scope.direct || !all.any(|p| self.system.is_buffered(scope.process, p)) {
            let fields = (0..len).map(|i| self.memory_field(var, i)).collect();
            return self.element(scope, fields, index);
        }
        match self.index(scope, index, len) {
            Code::Const(i) if (0..i64::from(len)).contains(&i) => self.load(scope, var, i as u32),
            index => Code::LoadElem { process: scope.process, first, len, index: Box::new(index) },
        }
    }

    fn binary(&mut self, scope: Scope, op: BinaryOp, a: &Expr, b: &Expr) -> Code {
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if divides || shifts {
            let right = self.ranges.expr(scope.process, b);
            let bits = Interval { lo: 0, hi: 63 };
            self.may_fault |= if divides { right.contains(0) } else { !bits.includes(right) };
        }
        match (op, self.expr(scope, a), self.expr(scope, b)) {
            (BinaryOp::And, a, b) => Code::And(Box::new(a), Box::new(b)),
            (BinaryOp::Or, a, b) => Code::Or(Box::new(a), Box::new(b)),
            (op, Code::Field(field), Code::Const(number)) => Code::Compute { field, op, number },
            (op, a, b) => Code::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    fn inside(&mut self, process: ProcId, inner: &Expr) -> Code {
        let code = self.expr(Scope { process, direct: false }, inner);
        let layout = self.layout(process);
        match layout.spawned {
            true => Code::IfStarted { pc: layout.pc, code: Box::new(code) },
            false => code,
        }
    }

    fn at(&self, process: ProcId, locations: &[LocId]) -> Code {
        let layout = self.layout(process);
        let count = self.program.def_of(process).locations.len() + usize::from(layout.spawned);
        let mut marked = vec![false; count];
        for &location in locations {
            marked[layout.at(location) as usize] = true;
        }
        Code::At { pc: layout.pc, marked: marked.into() }
    }
}
