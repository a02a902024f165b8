//! From the flat program to the program model. `emit/watch.rs` adds what the search for data races needs.

mod watch;

use std::collections::{HashMap, HashSet};

use taut_ir::{
    Assignment, Control, DefId, Effect, Expr, Fault, Lvalue, Mode as IrMode, PointId, Procedure,
    ProcedureId, Process, ProcessDef, Program, ProgramPoint, PropId, Property, PropertyKind, RegId,
    Register, Start, Step, UnaryOp, VarId,
};
use taut_source::Span;

use super::layout::{Class, Counts, Layout, Marks, Position, is_heap};
use super::liveness::shared_registers;
use super::mir::{
    Base, Check, ENDED, Edge, Mir, Mode, ObjectId, Op, Place, RUNNING, Reg, SpawnNumber, Storage,
    Target, Thread, ThreadId, Value,
};
use super::numbers::Numbers;
use super::points_to::Classes;
use super::races::Watched;
use taut_ir::BinaryOp as B;

/// Makes the program of a flat program with some numbers of threads.
pub(crate) fn emit(mir: &Mir, classes: &Classes, counts: &Counts, recycles: bool) -> Program {
    let _phase = taut_budget::phase("the program model is made");
    let plain = marked(mir, classes, counts, recycles, &Marks::NONE);
    marked(mir, classes, counts, recycles, &Marks::beside(&plain))
}

/// The program with given marks of cells without a value.
fn marked(mir: &Mir, classes: &Classes, counts: &Counts, recycles: bool, marks: &Marks) -> Program {
    let mut layout = Layout::of(mir, classes, counts, marks);
    let mut shown = super::names::shown(mir, classes, counts, &layout);
    let watched =
        mir.watched.then(|| Watched::add(mir, &mut layout, &mut shown, classes, counts.total));
    let heap_def = mir.threads.len();
    let numbers = Numbers::of(mir, counts);
    let emit = Emit { mir, classes, counts, layout, numbers, recycles, heap_def, watched };
    let mut program = Program {
        vars: emit.layout.variables.clone(),
        call_depth: taut_ir::build::DEFAULT_CALL_DEPTH,
        ..Program::default()
    };
    program.chances.clone_from(&mir.chances);
    program.shown = shown;
    program.races = emit
        .watched
        .as_ref()
        .map(|watched| taut_ir::RaceWatch { first: watched.mark, second: watched.second });
    for (name, span) in &mir.asserts {
        let kind = PropertyKind::Assert;
        program.properties.push(Property { name: name.clone(), kind, span: *span });
    }
    let mut registers = Vec::new();
    for index in 0..mir.threads.len() {
        let thread = ThreadEmit::new(&emit, ThreadId(index as u32));
        registers.push(thread.registers.clone());
        program.defs.push(thread.def());
    }
    if mir.has_slots() {
        program.references = super::references::references(&emit, &registers);
    }
    if let Some((site, _)) = mir.alive.first() {
        program.defs.push(heap_bound());
        let objects = emit.layout.positions[site.0 as usize].copies as u32;
        let def = DefId::from(heap_def);
        program.heap = Some(taut_ir::Heap { def, objects, fixed_threads: !recycles });
    }
    for (index, thread) in mir.threads.iter().enumerate() {
        let slots = counts.slots[index];
        for slot in 0..slots {
            let name = if slots == 1 {
                thread.name.clone()
            } else {
                format!("{}#{}", thread.name, slot + 1)
            };
            let is_first = index == 0 || mir.rooted;
            let start = if is_first { Start::Initially } else { Start::Spawned };
            let def = DefId::from(index);
            program.processes.push(Process { name, def, args: vec![], start, channels: vec![] });
        }
    }
    program
}

/// What an allocation "starts" if no object is left: never there, so that the bound is recorded as met.
fn heap_bound() -> ProcessDef {
    ProcessDef {
        name: "heap".into(),
        registers: Vec::new(),
        params: 0,
        points: vec![ProgramPoint { end: true, ..ProgramPoint::default() }],
        entry: PointId::from(0),
        steps: Vec::new(),
        procedures: Vec::new(),
        channel_registers: Vec::new(),
        span: Span::NONE,
    }
}

pub(super) struct Emit<'m> {
    pub(super) mir: &'m Mir,
    pub(super) classes: &'m Classes,
    counts: &'m Counts,
    pub(super) layout: Layout,
    numbers: Numbers,
    /// True if numbers of threads are used again.
    recycles: bool,
    pub(super) heap_def: usize,
    /// The variables of the search for races.
    watched: Option<Watched>,
}

/// One thread function on its way.
struct ThreadEmit<'e, 'm> {
    all: &'e Emit<'m>,
    thread: &'m Thread,
    id: ThreadId,
    /// The register of the program for each register.
    registers: Vec<Option<RegId>>,
    declared: Vec<Register>,
    steps: Vec<Step>,
    failures: HashSet<(PointId, String)>,
}

impl<'e, 'm> ThreadEmit<'e, 'm> {
    fn new(all: &'e Emit<'m>, id: ThreadId) -> ThreadEmit<'e, 'm> {
        let thread = &all.mir.threads[id.0 as usize];
        let registers = vec![None; thread.regs.len()];
        let failures = HashSet::new();
        let mut emit =
            ThreadEmit { all, thread, id, registers, declared: vec![], steps: vec![], failures };
        emit.declare();
        emit
    }

    fn def(mut self) -> ProcessDef {
        for edge in &self.thread.edges {
            taut_budget::tick();
            self.edge(edge);
        }
        let mut points: Vec<ProgramPoint> = self.thread.points.iter().map(point).collect();
        if self.all.recycles && self.id.0 > 0 {
            self.wait_for_join(&mut points);
        }
        let params = if self.has_arguments() { self.params() } else { 0 };
        let procedures = self.procedures();
        ProcessDef {
            name: self.thread.name.clone(),
            registers: self.declared,
            params,
            points,
            entry: PointId::from(self.thread.entry.0 as usize),
            steps: self.steps,
            procedures,
            channel_registers: Vec::new(),
            span: self.thread.span,
        }
    }

    /// Number of parameters of a thread: its number, its argument, and what it knows where races are looked for.
    fn params(&self) -> u32 {
        if self.all.mir.watched { 3 } else { 2 }
    }

    /// True if the thread is started with its number and an argument.
    fn has_arguments(&self) -> bool {
        self.id.0 > 0 && !self.all.mir.rooted
    }

    /// A thread that has ended keeps its number until it is waited for.
    fn wait_for_join(&mut self, points: &mut Vec<ProgramPoint>) {
        let Some(states) = self.all.mir.states else { return };
        let gone = PointId::from(points.len());
        points.push(ProgramPoint { end: true, ..ProgramPoint::default() });
        let ends = (0..self.thread.points.len()).filter(|&p| {
            self.thread.points[p].end && self.thread.edges.iter().all(|e| e.from.0 as usize != p)
        });
        for end in ends.collect::<Vec<_>>() {
            let mut step = Step::skip(PointId::from(end), gone, self.thread.span);
            let state = self.cell(states, Expr::Reg(RegId::from(0)));
            step.guard = state.equals(Expr::Const(0));
            step.text = Some("the thread was joined".into());
            self.steps.push(step);
        }
    }

    fn procedures(&self) -> Vec<Procedure> {
        let procedure = |p: &super::mir::Recursive| {
            let mut registers: Vec<RegId> = Vec::new();
            for reg in p.registers.iter().filter_map(|r| self.registers[r.0 as usize]) {
                if !registers.contains(&reg) {
                    registers.push(reg);
                }
            }
            Procedure {
                name: p.name.clone(),
                entry: PointId::from(p.entry.0 as usize),
                registers,
                params: p.params.len() as u32,
            }
        };
        self.thread.procedures.iter().map(procedure).collect()
    }

    /// Declares the registers that steps mention, parameters first.
    fn declare(&mut self) {
        // Where objects are interchangeable, what holds addresses of one class holds nothing else.
        let has_slots = self.all.mir.has_slots();
        let kind = |reg: Reg| self.class_of(&Value::Reg(reg)).filter(|_| has_slots);
        let shared = shared_registers(self.thread, &kind);
        let mut used = vec![false; self.thread.regs.len()];
        let mut mention = |reg: Reg| used[reg.0 as usize] = true;
        for edge in &self.thread.edges {
            super::liveness::mentioned(edge, &mut mention);
        }
        self.thread.procedures.iter().flat_map(|p| &p.params).for_each(|&r| mention(r));
        if self.has_arguments() {
            used[..self.params() as usize].fill(true);
        }
        let mut names: HashMap<String, u32> = HashMap::new();
        for index in 0..self.thread.regs.len() {
            if !used[index] {
                continue;
            }
            let root = shared[index];
            if let Some(reg) = self.registers[root.0 as usize] {
                self.registers[index] = Some(reg);
                continue;
            }
            let reg = RegId::from(self.declared.len());
            self.registers[root.0 as usize] = Some(reg);
            self.registers[index] = Some(reg);
            let register = &self.thread.regs[root.0 as usize];
            let count = names.entry(register.name.clone()).or_default();
            *count += 1;
            // What is not the user's has a name that outputs leave out.
            let hidden = register.name == "t" || register.name.starts_with('\'');
            let name = match (hidden, *count) {
                (true, count) => format!("'{}{count}", register.name.trim_start_matches('\'')),
                (false, 1) => register.name.clone(),
                (false, count) => format!("{}#{count}", register.name),
            };
            let init = vec![0; register.len.unwrap_or(1) as usize];
            let (ty, len, span) = (register.ty, register.len, register.span);
            self.declared.push(Register { name, ty, len, init, span });
        }
    }

    fn reg(&self, reg: Reg) -> RegId {
        debug_assert!(self.registers[reg.0 as usize].is_some(), "a register that is not declared");
        self.registers[reg.0 as usize].unwrap_or(RegId::from(0))
    }

    fn edge(&mut self, edge: &Edge) {
        let source = PointId::from(edge.from.0 as usize);
        let before = self.expr(&edge.before);
        let mut allowed = before.clone();
        for (ok, fault) in self.checks(edge) {
            self.failure(edge, source, allowed.clone().and(ok.clone().not()), fault);
            allowed = allowed.and(ok);
        }
        let guard = match edge.guard == edge.before {
            true => allowed,
            false => allowed.and(self.expr(&edge.guard)),
        };
        let special = edge.ops.iter().position(|op| matches!(op, Op::Allocate(..) | Op::Free(_)));
        if edge.ops.iter().any(|op| matches!(op, Op::Leaks)) {
            return self.leaks(edge, source, guard);
        }
        match special.map(|at| &edge.ops[at]) {
            Some(Op::Allocate(site, reg)) => self.allocate(edge, source, guard, *site, *reg),
            Some(Op::Free(pointer)) => self.free(edge, source, guard, pointer),
            _ => self.plain(edge, source, guard, &mut |_, _| {}),
        }
    }

    /// A step with all effects of an edge; special operations are put in by a function.
    fn plain(
        &mut self,
        edge: &Edge,
        source: PointId,
        guard: Expr,
        special: &mut dyn FnMut(&Op, &mut Vec<Effect>),
    ) {
        if guard == Expr::Const(0) {
            return;
        }
        let mut effects = Vec::new();
        for op in &edge.ops {
            special(op, &mut effects);
            self.op(op, &mut effects);
        }
        let mut step = Step::skip(source, source, edge.span);
        step.guard = guard;
        step.mode = match edge.mode {
            Mode::Plain => IrMode::Plain,
            Mode::Fence => IrMode::Fence,
            Mode::Locked => IrMode::Locked,
        };
        step.effects = effects;
        step.target = self.target(&edge.to);
        step.text = edge.text.clone();
        step.whole = true;
        self.watch(edge, &step);
        self.steps.push(step);
    }

    fn target(&self, target: &Target) -> Control {
        match target {
            Target::Point(to) => Control::Goto(PointId::from(to.0 as usize)),
            Target::Return => Control::Return,
            Target::Call { procedure, args, back } => Control::Call {
                procedure: ProcedureId::from(*procedure),
                args: args.iter().map(|arg| self.expr(arg)).collect(),
                return_to: PointId::from(back.0 as usize),
            },
        }
    }

    /// A step that goes wrong.
    fn failure(&mut self, edge: &Edge, source: PointId, guard: Expr, fault: Fault) {
        if guard == Expr::Const(0) || !self.failures.insert((source, format!("{guard:?}{fault:?}")))
        {
            return;
        }
        let mut step = Step::skip(source, source, edge.span);
        step.guard = guard;
        step.effects = vec![Effect::Fail(fault)];
        step.text = edge.text.clone();
        step.whole = true;
        self.steps.push(step);
    }

    fn op(&self, op: &Op, effects: &mut Vec<Effect>) {
        let effect = match op {
            Op::Set(reg, value) => Effect::assign(Lvalue::Reg(self.reg(*reg)), self.expr(value)),
            Op::SetElem(reg, index, value) => {
                let place = Lvalue::RegElem(self.reg(*reg), self.expr(index));
                Effect::assign(place, self.expr(value))
            }
            Op::Store(place, value, atomic) => match self.location(place) {
                Some((var, index)) => {
                    let (place, value) = (self.lvalue(var, index), self.expr(value));
                    Effect::Assign(vec![Assignment { place, value, atomic: *atomic }])
                }
                None => Effect::Fail(Fault::Pointer),
            },
            Op::StoreFence => Effect::StoreFence,
            Op::Violate(index) => {
                Effect::Assert { condition: Expr::Const(0), property: PropId::from(*index) }
            }
            Op::Fail(fault) => Effect::Fail(*fault),
            Op::Spawn(thread, SpawnNumber::Free, reg, args) => {
                return self.spawn(*thread, *reg, args, effects);
            }
            Op::Spawn(thread, SpawnNumber::Known(spawn), _, args) => {
                let number = Expr::Const(self.all.numbers.number(*spawn));
                let args = args.iter().map(|arg| self.expr(arg));
                let def = DefId::from(thread.0 as usize);
                Effect::Spawn { def, args: [number].into_iter().chain(args).collect(), pid: None }
            }
            Op::Watch(watch) => return effects.extend(self.told(watch)),
            Op::End(number) => self.end(number),
            Op::Joined(number) => match self.all.mir.states {
                Some(states) if self.all.recycles => self.set(states, self.expr(number), 0),
                _ => return,
            },
            Op::Live(object, lives) => {
                let Some(ghost) = self.life_of(*object) else { return };
                self.set(ghost, self.own_index(*object), i64::from(*lives))
            }
            Op::EndFrames => {
                for &(object, ghost) in &self.all.mir.frames {
                    if self.is_own(object) {
                        effects.push(self.set(ghost, self.own_index(object), 0));
                    }
                }
                return;
            }
            Op::Allocate(..) | Op::Free(_) | Op::Undefine(_) | Op::Leaks => return,
        };
        effects.push(effect);
    }

    /// The ghost that says whether a local in memory lives.
    fn life_of(&self, object: ObjectId) -> Option<ObjectId> {
        let found = self.all.mir.frames.iter().find(|(known, _)| *known == object);
        found.map(|(_, ghost)| *ghost)
    }

    /// True if an object is a local of this thread's functions.
    fn is_own(&self, object: ObjectId) -> bool {
        self.all.mir.objects[object.0 as usize].storage == Storage::Frame(self.id)
    }

    /// The number of this thread's copy of a local.
    fn own_index(&self, object: ObjectId) -> Expr {
        debug_assert!(self.is_own(object), "a local of another thread");
        match self.all.counts.slots[self.id.0 as usize] {
            0 | 1 => Expr::Const(0),
            _ => {
                let first = self.all.counts.first[self.id.0 as usize];
                plus(Expr::Reg(RegId::from(0)), Expr::Const(-i64::from(first)))
            }
        }
    }

    /// One step per allocation site with an object that was not freed, and one if there is none.
    fn leaks(&mut self, edge: &Edge, source: PointId, guard: Expr) {
        let mut none = guard.clone();
        for &(site, property) in &self.all.mir.leaks {
            let Some(&(_, alive)) = self.all.mir.alive.iter().find(|(s, _)| *s == site) else {
                continue;
            };
            let mut some = Expr::Const(0);
            for copy in 0..self.all.layout.positions[site.0 as usize].copies {
                let lives = self.cell(alive, Expr::Const(copy)).equals(Expr::Const(1));
                none = none.and(lives.clone().not());
                some =
                    if some == Expr::Const(0) { lives } else { Expr::binary(B::Or, some, lives) };
            }
            let mut step = Step::skip(source, source, edge.span);
            step.guard = guard.clone().and(some);
            let property = PropId::from(property);
            step.effects = vec![Effect::Assert { condition: Expr::Const(0), property }];
            step.target = self.target(&edge.to);
            step.text = edge.text.clone();
            step.whole = true;
            self.steps.push(step);
        }
        self.plain(edge, source, none, &mut |_, _| {});
    }

    /// The running thread has ended: in its own cell, or one more of its function.
    fn end(&self, number: &Value) -> Effect {
        let Some(states) = self.all.mir.states else { return Effect::Fail(Fault::Pointer) };
        if !self.all.numbers.is_counted(self.id) {
            return self.set(states, self.expr(number), ENDED);
        }
        let first = Expr::Const(i64::from(self.all.counts.first[self.id.0 as usize]));
        let position = self.all.layout.positions[states.0 as usize];
        let var = self.all.layout.classes[position.class].var;
        let place = self.lvalue(var, plus(first.clone(), Expr::Const(position.first - 1)));
        Effect::assign(place, plus(self.cell(states, first), Expr::Const(1)))
    }

    /// True if a thread has ended.
    fn ended(&self, number: &Value) -> Expr {
        let Some(states) = self.all.mir.states else { return Expr::Const(0) };
        if let Value::Spawned(spawn) = number
            && let Some((thread, count)) = self.all.numbers.counted_with(*spawn)
        {
            let first = Expr::Const(i64::from(self.all.counts.first[thread.0 as usize]));
            return self.cell(states, first).equals(Expr::Const(count));
        }
        self.cell(states, self.expr(number)).equals(Expr::Const(ENDED))
    }

    /// Takes a free number for a thread and starts it.
    fn spawn(&self, thread: ThreadId, reg: Reg, args: &[Value], effects: &mut Vec<Effect>) {
        let Some(states) = self.all.mir.states else { return };
        let first = self.all.counts.first[thread.0 as usize];
        let slots = self.all.counts.slots[thread.0 as usize].max(1);
        let mut number = Expr::Const(i64::from(first + slots - 1));
        for candidate in (first..first + slots - 1).rev() {
            let candidate = Expr::Const(i64::from(candidate));
            let free = self.cell(states, candidate.clone()).equals(Expr::Const(0));
            number = Expr::Cond(Box::new(free), Box::new(candidate), Box::new(number));
        }
        let number_reg = self.registers[reg.0 as usize];
        let mut args: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
        let number = match number_reg {
            Some(reg) => {
                effects.push(Effect::assign(Lvalue::Reg(reg), number));
                Expr::Reg(reg)
            }
            None => number,
        };
        let def = DefId::from(thread.0 as usize);
        // The state is set last: the expression above looks for a free number.
        args.insert(0, number.clone());
        effects.push(Effect::Spawn { def, args, pid: None });
        effects.push(self.set(states, number, RUNNING));
    }

    /// Any free object of a site; if there is none, the bound is met.
    fn allocate(&mut self, edge: &Edge, source: PointId, guard: Expr, site: ObjectId, reg: Reg) {
        let Some(&(_, alive)) = self.all.mir.alive.iter().find(|(s, _)| *s == site) else { return };
        let position = self.all.layout.positions[site.0 as usize];
        let mut none = guard.clone();
        for copy in 0..position.copies {
            let free = self.cell(alive, Expr::Const(copy)).equals(Expr::Const(0));
            none = none.and(free.clone().not());
            let taken = self.set(alive, Expr::Const(copy), 1);
            let address = (position.first + copy * position.stride) * self.all.mir.scale;
            let given = self.registers[reg.0 as usize]
                .map(|reg| Effect::assign(Lvalue::Reg(reg), Expr::Const(address)));
            self.plain(edge, source, guard.clone().and(free), &mut |op, effects| {
                if let Op::Allocate(..) = op {
                    effects.push(taken.clone());
                    effects.extend(given.clone());
                }
            });
        }
        let mut step = Step::skip(source, source, edge.span);
        step.guard = none;
        let def = DefId::from(self.all.heap_def);
        step.effects = vec![Effect::Spawn { def, args: Vec::new(), pid: None }];
        step.text = edge.text.clone();
        step.whole = true;
        self.steps.push(step);
    }

    /// Gives an object back. Its cells have no values from then on.
    fn free(&mut self, edge: &Edge, source: PointId, guard: Expr, pointer: &Value) {
        let class = self.class_of(pointer);
        let value = self.expr(pointer);
        let mut none = guard.clone().and(Expr::binary(B::Ne, value.clone(), Expr::Const(0)));
        let null = guard.clone().and(value.clone().equals(Expr::Const(0)));
        self.plain(edge, source, null, &mut |_, _| {});
        for (site, position) in self.heap_objects(class) {
            let Some(&(_, alive)) = self.all.mir.alive.iter().find(|(s, _)| *s == site) else {
                continue;
            };
            for copy in 0..position.copies {
                let first = position.first + copy * position.stride;
                let here = value.clone().equals(Expr::Const(first * self.all.mir.scale));
                let lives = self.cell(alive, Expr::Const(copy)).equals(Expr::Const(1));
                let is = here.and(lives);
                none = none.and(is.clone().not());
                let dead = self.set(alive, Expr::Const(copy), 0);
                let cleared = self.cleared(position, first);
                let mut locked = edge.clone();
                locked.mode = Mode::Locked;
                let cells = first - 1..first - 1 + position.cells;
                let is = self.freed(&locked, source, guard.clone().and(is), position.class, cells);
                self.plain(&locked, source, is, &mut |op, effects| {
                    if let Op::Free(_) = op {
                        effects.push(dead.clone());
                        effects.extend(cleared.clone());
                    }
                });
            }
        }
        self.failure(edge, source, none, Fault::Free);
    }

    /// The stores that take the values of an object.
    fn cleared(&self, position: Position, first: i64) -> Vec<Effect> {
        let class = &self.all.layout.classes[position.class];
        let cells = first..first + position.cells;
        let clear = |cell: i64| {
            let place = self.lvalue(class.var, Expr::Const(cell - 1));
            Effect::assign(place, Expr::Const(class.poison))
        };
        cells.map(clear).collect()
    }

    /// The heap objects of a class.
    fn heap_objects(&self, class: Option<usize>) -> Vec<(ObjectId, Position)> {
        let Some(class) = class else { return Vec::new() };
        let objects = &self.all.layout.classes[class].objects;
        let is_heap = |o: &&ObjectId| is_heap(self.all.mir, **o);
        let with = |o: &ObjectId| (*o, self.all.layout.positions[o.0 as usize]);
        objects.iter().filter(is_heap).map(with).collect()
    }

    /// What must be true for a step to go well, each with what happens if it is not.
    fn checks(&self, edge: &Edge) -> Vec<(Expr, Fault)> {
        let mut all = Vec::new();
        for check in &edge.checks {
            match check {
                Check::True(value, fault) => all.push((self.expr(value), *fault)),
                Check::Deref(pointer) => self.followed(pointer, &mut all),
                Check::Filled(place) => self.filled(place, &mut all),
                Check::SameObject(a, b) => all.push((self.same_object(a, b), Fault::Index)),
            }
        }
        all.retain(|(ok, _)| *ok != Expr::TRUE);
        all
    }

    /// A cell of an object of the heap must have a value.
    fn filled(&self, place: &Place, all: &mut Vec<(Expr, Fault)>) {
        let Base::Pointer(pointer) = &place.base else { return };
        let Some(class) = self.class_of(pointer) else { return };
        if self.heap_objects(Some(class)).is_empty() {
            return;
        }
        let Some((var, index)) = self.location(place) else { return };
        let poison = Expr::Const(self.all.layout.classes[class].poison);
        let filled = Expr::binary(B::Ne, self.read(var, index), poison);
        all.push((filled, Fault::Uninitialised));
    }

    fn followed(&self, pointer: &Value, all: &mut Vec<(Expr, Fault)>) {
        let class = self.class_of(pointer);
        let value = self.expr(pointer);
        let Some(class_id) = class else {
            return all.push((Expr::Const(0), Fault::Pointer));
        };
        let class = &self.all.layout.classes[class_id];
        let scale = self.all.mir.scale;
        let mut good = Expr::binary(B::Gt, value.clone(), Expr::Const(0));
        let most = Expr::Const(class.total * scale);
        good = good.and(Expr::binary(B::Le, value.clone(), most));
        if scale > 1 {
            let rest = Expr::binary(B::Rem, value.clone(), Expr::Const(scale));
            good = good.and(rest.equals(Expr::Const(0)));
        }
        all.push((good, Fault::Pointer));
        let index = self.unscaled(value);
        if class.gaps {
            all.push((self.outside_gaps(class, &index), Fault::Index));
        }
        for (site, position) in self.heap_objects(Some(class_id)) {
            let Some(&(_, alive)) = self.all.mir.alive.iter().find(|(s, _)| *s == site) else {
                continue;
            };
            all.push((self.lives(position, alive, &index), Fault::Freed));
        }
        for &(object, ghost) in &self.all.mir.frames {
            let position = self.all.layout.positions[object.0 as usize];
            if position.class == class_id {
                all.push((self.lives(position, ghost, &index), Fault::Pointer));
            }
        }
    }

    /// True unless a cell is one of an object of a site that is not allocated.
    fn lives(&self, position: Position, alive: ObjectId, index: &Expr) -> Expr {
        let last = position.first + position.copies * position.stride;
        let below = Expr::binary(B::Lt, index.clone(), Expr::Const(position.first));
        let above = Expr::binary(B::Ge, index.clone(), Expr::Const(last));
        let distance = Expr::binary(B::Sub, index.clone(), Expr::Const(position.first));
        let copy = Expr::binary(B::Div, distance, Expr::Const(position.stride));
        let lives = self.cell(alive, copy).equals(Expr::Const(1));
        Expr::binary(B::Or, Expr::binary(B::Or, below, above), lives)
    }

    /// True if a cell belongs to an object.
    fn outside_gaps(&self, class: &Class, index: &Expr) -> Expr {
        let mut inside = Expr::TRUE;
        for object in &class.objects {
            let position = self.all.layout.positions[object.0 as usize];
            let last = position.first + position.copies * position.stride;
            let below = Expr::binary(B::Lt, index.clone(), Expr::Const(position.first));
            let above = Expr::binary(B::Ge, index.clone(), Expr::Const(last));
            let distance = Expr::binary(B::Sub, index.clone(), Expr::Const(position.first));
            let rest = Expr::binary(B::Rem, distance, Expr::Const(position.stride));
            let within = Expr::binary(B::Lt, rest, Expr::Const(position.cells));
            let other = Expr::binary(B::Or, below, above);
            inside = inside.and(Expr::binary(B::Or, other, within));
        }
        inside
    }

    /// True if two pointers point into one object, or just behind it.
    fn same_object(&self, a: &Value, b: &Value) -> Expr {
        let Some(class) = self.class_of(a) else { return Expr::Const(0) };
        let (a, b) = (self.unscaled(self.expr(a)), self.unscaled(self.expr(b)));
        let mut any = Expr::Const(0);
        for object in &self.all.layout.classes[class].objects {
            let position = self.all.layout.positions[object.0 as usize];
            let last = position.first + position.copies * position.stride;
            let start = Expr::Const(position.first);
            let mut inside = Expr::binary(B::Ge, a.clone(), start.clone());
            inside = inside.and(Expr::binary(B::Lt, a.clone(), Expr::Const(last)));
            inside = inside.and(Expr::binary(B::Ge, b.clone(), start.clone()));
            let copy = |index: &Expr| {
                let distance = Expr::binary(B::Sub, index.clone(), start.clone());
                Expr::binary(B::Div, distance, Expr::Const(position.stride))
            };
            inside = inside.and(copy(&a).equals(copy(&b)));
            any = if any == Expr::Const(0) { inside } else { Expr::binary(B::Or, any, inside) };
        }
        any
    }

    fn unscaled(&self, pointer: Expr) -> Expr {
        match self.all.mir.scale {
            1 => pointer,
            scale => Expr::binary(B::Div, pointer, Expr::Const(scale)),
        }
    }

    fn class_of(&self, pointer: &Value) -> Option<usize> {
        let node = self.all.classes.of_pointer(self.id, pointer)?;
        self.all.layout.class(node)
    }

    /// The variable of a place and the index into it.
    fn location(&self, place: &Place) -> Option<(VarId, Expr)> {
        let offset = self.expr(&place.offset);
        match &place.base {
            Base::Object(object) => {
                let position = self.all.layout.positions[object.0 as usize];
                let first = Expr::Const(position.first - 1);
                let start = plus(first, self.own_copy(*object));
                Some((self.all.layout.classes[position.class].var, plus(start, offset)))
            }
            Base::Pointer(pointer) => {
                let class = self.class_of(pointer)?;
                let index = self.unscaled(self.expr(pointer));
                let index = plus(plus(index, offset), Expr::Const(-1));
                Some((self.all.layout.classes[class].var, index))
            }
        }
    }

    /// The distance of this thread's own copy of an object from the first.
    fn own_copy(&self, object: ObjectId) -> Expr {
        let stride = self.all.layout.positions[object.0 as usize].stride;
        let first = match self.all.mir.objects[object.0 as usize].storage {
            Storage::Frame(thread) if self.all.counts.slots[thread.0 as usize] > 1 => {
                self.all.counts.first[thread.0 as usize]
            }
            Storage::ThreadLocal => 0,
            _ => return Expr::Const(0),
        };
        if self.id.0 == 0 {
            return Expr::Const(0);
        }
        let number = plus(Expr::Reg(RegId::from(0)), Expr::Const(-i64::from(first)));
        Expr::binary(B::Mul, number, Expr::Const(stride))
    }

    fn lvalue(&self, var: VarId, index: Expr) -> Lvalue {
        match self.all.layout.variables[var.index()].len {
            Some(_) => Lvalue::VarElem(var, index),
            None => Lvalue::Var(var),
        }
    }

    fn read(&self, var: VarId, index: Expr) -> Expr {
        match self.all.layout.variables[var.index()].len {
            Some(_) => Expr::VarElem(var, Box::new(index)),
            None => Expr::Var(var),
        }
    }

    /// A cell of bookkeeping.
    fn cell(&self, object: ObjectId, index: Expr) -> Expr {
        let position = self.all.layout.positions[object.0 as usize];
        self.read(
            self.all.layout.classes[position.class].var,
            plus(index, Expr::Const(position.first - 1)),
        )
    }

    fn set(&self, object: ObjectId, index: Expr, value: i64) -> Effect {
        let position = self.all.layout.positions[object.0 as usize];
        let var = self.all.layout.classes[position.class].var;
        let place = self.lvalue(var, plus(index, Expr::Const(position.first - 1)));
        Effect::assign(place, Expr::Const(value))
    }

    fn expr(&self, value: &Value) -> Expr {
        match value {
            Value::Int(x) => Expr::Const(*x),
            Value::Reg(reg) => Expr::Reg(self.reg(*reg)),
            Value::Elem(reg, index) => Expr::RegElem(self.reg(*reg), Box::new(self.expr(index))),
            Value::Function(function) => Expr::Const(i64::from(function.0) + 1),
            Value::Spawned(spawn) => Expr::Const(self.all.numbers.number(*spawn)),
            Value::Ended(number) => self.ended(number),
            Value::Address(object, offset) => {
                let position = self.all.layout.positions[object.0 as usize];
                let start = plus(Expr::Const(position.first), self.own_copy(*object));
                let cell = plus(start, self.expr(offset));
                match self.all.mir.scale {
                    1 => cell,
                    scale => Expr::binary(B::Mul, cell, Expr::Const(scale)),
                }
            }
            Value::RegAddress(..) | Value::Any(..) => {
                debug_assert!(false, "no value of a step: {value:?}");
                Expr::Const(0)
            }
            Value::Load(place) => match self.location(place) {
                Some((var, index)) => self.read(var, index),
                None => Expr::Const(0),
            },
            Value::Carries(place) => self.carried(place),
            Value::Heads(place) => self.headed(place),
            Value::Unary(UnaryOp::Not, a) => self.expr(a).not(),
            Value::Unary(op, a) => Expr::unary(*op, self.expr(a)),
            Value::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                // Waiting for each of some threads whose ends are counted is one question.
                let same = *op == B::And && a == b && matches!(a, Expr::Binary(B::Eq, ..));
                if same { a } else { Expr::binary(*op, a, b) }
            }
            Value::Cond(a, b, c) => {
                Expr::Cond(Box::new(self.expr(a)), Box::new(self.expr(b)), Box::new(self.expr(c)))
            }
        }
    }
}

fn plus(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (e, Expr::Const(0)) | (Expr::Const(0), e) => e,
        (Expr::Binary(B::Add, x, y), Expr::Const(b)) if matches!(*y, Expr::Const(_)) => {
            let Expr::Const(y) = *y else { return *x };
            plus(*x, Expr::Const(y + b))
        }
        (a, b) => Expr::binary(B::Add, a, b),
    }
}

fn point(info: &super::mir::PointInfo) -> ProgramPoint {
    ProgramPoint { labels: info.labels.clone(), end: info.end, atomic: info.atomic, inner: false }
}
