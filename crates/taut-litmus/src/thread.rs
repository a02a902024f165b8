//! One thread's code as a control-flow graph.
//!
//! Every instruction starts at a location of its own, in the order of the table; the last location is
//! the end. An instruction is one step, except that
//! * a conditional jump is two steps with opposite guards, one for each way it can go;
//! * `cmpxchg` is two steps with opposite guards, for success and failure;
//! * an unlocked read-modify-write on memory is a read into a hidden register and, from a location in
//!   between, a write: others can come between the two.
//!
//! The hidden register is set back to 0 by the write, so that it never tells two states apart that are
//! otherwise the same.

use taut_ir::{
    Assignment, BinaryOp, Effect, Expr, Lvalue, Mode, PointId, ProcessDef, ProgramPoint, RegId,
    Step, Type, UnaryOp, VarId,
};
use taut_source::{Diagnostic, Diagnostics, Span};

use crate::ast::{Arch, Binary, Instruction, Line, Operand, Operation, Thread, Unary, Value};
use crate::error;
use crate::flags::{Flag, Source, Test};
use crate::register;
use crate::symbols::{Locals, Names};

/// The hidden register between the read and the write of an unlocked read-modify-write.
const SCRATCH: &str = "_scratch";

/// Lowers the code of one thread.
pub(crate) struct Lowering<'l, 's> {
    arch: Arch,
    locals: &'l mut Locals<'s>,
    memory: &'l mut Names<'s>,
    diagnostics: &'l mut Diagnostics,
    labels: Vec<(&'s str, PointId, Span)>,
    steps: Vec<Step>,
    /// Which flags some jump of the thread reads, in the order of [`Flag::ALL`].
    flags: [bool; 4],
}

/// The instruction that is being lowered.
#[derive(Clone, Copy)]
struct Here {
    source: PointId,
    next: PointId,
    mode: Mode,
    span: Span,
}

impl<'l, 's> Lowering<'l, 's> {
    pub(crate) fn new(
        arch: Arch,
        locals: &'l mut Locals<'s>,
        memory: &'l mut Names<'s>,
        diagnostics: &'l mut Diagnostics,
    ) -> Lowering<'l, 's> {
        let (labels, steps) = (Vec::new(), Vec::new());
        Lowering { arch, locals, memory, diagnostics, labels, steps, flags: [false; 4] }
    }

    /// The code, without registers: those are complete only when all of the test has been read.
    pub(crate) fn run(mut self, thread: &Thread<'s>) -> ProcessDef {
        let locations = self.locations(&thread.lines);
        let mut at = 0;
        for line in &thread.lines {
            if let Line::Instruction(instruction) = line {
                at = self.instruction(instruction, at);
            }
        }
        ProcessDef {
            name: format!("P{}", thread.number),
            registers: Vec::new(),
            params: 0,
            points: locations,
            entry: PointId(0),
            steps: self.steps,
            procedures: Vec::new(),
            channel_registers: Vec::new(),
            span: thread.span,
        }
    }

    /// Lays out locations and labels, and finds the flags that are read.
    fn locations(&mut self, lines: &[Line<'s>]) -> Vec<ProgramPoint> {
        let mut locations = Vec::with_capacity(lines.len() + 1);
        locations.push(ProgramPoint::new());
        for line in lines {
            match line {
                Line::Label(name, span) => {
                    let here = PointId::from(locations.len() - 1);
                    if self.label(name, here, *span) {
                        locations[here.index()].labels.push((*name).to_owned());
                    }
                }
                Line::Instruction(instruction) => {
                    if let Operation::Jump { when: Some(test), .. } = instruction.operation {
                        Flag::ALL.iter().zip(&mut self.flags).for_each(|(&flag, read)| {
                            *read |= test.reads(flag);
                        });
                    }
                    let count = if is_split(instruction) { 2 } else { 1 };
                    locations.resize(locations.len() + count, ProgramPoint::new());
                }
            }
        }
        locations.last_mut().expect("a location").end = true;
        locations
    }

    /// Adds a label; whether it is new.
    fn label(&mut self, name: &'s str, here: PointId, span: Span) -> bool {
        let Some(&(_, _, first)) = self.labels.iter().find(|(n, ..)| *n == name) else {
            self.labels.push((name, here, span));
            return true;
        };
        let message = format!("the label `{name}` stands twice in one thread");
        self.diagnostics.push(
            Diagnostic::error(error::LABEL_TWICE, message, span)
                .label("expected another name")
                .related(first, "first here")
                .help("rename one of the two"),
        );
        false
    }

    /// Lowers an instruction that starts at a location; gives the location after it.
    fn instruction(&mut self, instruction: &Instruction<'s>, at: usize) -> usize {
        let next = at + if is_split(instruction) { 2 } else { 1 };
        let mode = if instruction.locked { Mode::Locked } else { Mode::Plain };
        let (source, next_id) = (PointId::from(at), PointId::from(next));
        let here = Here { source, next: next_id, mode, span: instruction.span };
        let split = is_split(instruction);
        match &instruction.operation {
            Operation::Move { to, from } => {
                let value = self.value(from);
                let place = self.place(to);
                self.step(here, vec![assign(place, value)]);
            }
            Operation::Binary { op, to, from } => self.binary(here, split, *op, to, from),
            Operation::Unary { op, to } => self.unary(here, split, *op, to),
            Operation::Compare { left, right } => {
                let flags = Source::Subtract(self.value(left), self.value(right));
                self.update(here, Vec::new(), &flags);
            }
            Operation::Test { left, right } => {
                let both = Expr::binary(BinaryOp::BitAnd, self.value(left), self.value(right));
                self.update(here, Vec::new(), &Source::Bitwise(both));
            }
            Operation::Exchange { to, with } => self.exchange(here, to, with),
            Operation::ExchangeAdd { to, with } => self.exchange_add(here, split, to, with),
            Operation::CompareExchange { to, from } => {
                self.compare_exchange(here, split, to, from);
            }
            Operation::Jump { when, label, label_span } => {
                self.jump(here, *when, label, *label_span);
            }
            Operation::Fence => self.step(Here { mode: Mode::Fence, ..here }, Vec::new()),
            Operation::StoreFence => {
                self.guarded(here, Expr::TRUE, vec![Effect::StoreFence], here.next);
            }
            Operation::Nothing => self.step(here, Vec::new()),
        }
        next
    }
}

/// Whether an instruction reads memory in one step and writes it in another.
fn is_split(instruction: &Instruction<'_>) -> bool {
    let to = match &instruction.operation {
        Operation::Binary { to, .. }
        | Operation::Unary { to, .. }
        | Operation::ExchangeAdd { to, .. }
        | Operation::CompareExchange { to, .. } => to,
        _ => return false,
    };
    !instruction.locked && matches!(to.value, Value::Memory(_))
}

fn assign(place: Lvalue, value: Expr) -> Assignment {
    Assignment { place, value, atomic: false }
}

/// Operands, registers, steps.
impl<'s> Lowering<'_, 's> {
    fn register(&mut self, name: &'s str, span: Span) -> RegId {
        RegId::from(self.locals.names.intern(name, Type::INT64, span, self.diagnostics))
    }

    fn flag(&mut self, flag: Flag, span: Span) -> RegId {
        let name = flag.name();
        RegId::from(self.locals.names.intern(name, Type::BOOL, span, self.diagnostics))
    }

    fn value(&mut self, operand: &Operand<'s>) -> Expr {
        match operand.value {
            Value::Immediate(value) => Expr::Const(value),
            Value::Register(name) => Expr::Reg(self.register(name, operand.span)),
            Value::Memory(name) => Expr::Var(self.location(name, operand.span)),
        }
    }

    /// What a destination stands for. The parser lets no immediate be one.
    fn place(&mut self, operand: &Operand<'s>) -> Lvalue {
        match operand.value {
            Value::Register(name) => Lvalue::Reg(self.register(name, operand.span)),
            Value::Memory(name) => Lvalue::Var(self.location(name, operand.span)),
            Value::Immediate(_) => unreachable!("an immediate as a destination"),
        }
    }

    fn location(&mut self, name: &'s str, span: Span) -> VarId {
        VarId::from(self.memory.intern(name, Type::INT64, span, self.diagnostics))
    }

    fn guarded(&mut self, here: Here, guard: Expr, effects: Vec<Effect>, target: PointId) {
        let step = Step::skip(here.source, target, here.span);
        self.steps.push(Step { guard, mode: here.mode, effects, ..step });
    }

    /// The step of an instruction that is one step.
    fn step(&mut self, here: Here, assignments: Vec<Assignment>) {
        taut_budget::tick();
        let effects = effects(assignments);
        self.guarded(here, Expr::TRUE, effects, here.next);
    }

    /// The step of an instruction that also sets flags.
    fn update(&mut self, here: Here, mut assignments: Vec<Assignment>, flags: &Source) {
        self.set_flags(&mut assignments, flags, here.span);
        self.step(here, assignments);
    }

    fn set_flags(&mut self, assignments: &mut Vec<Assignment>, flags: &Source, span: Span) {
        for (index, flag) in Flag::ALL.into_iter().enumerate() {
            if !self.flags[index] {
                continue;
            }
            if let Some(value) = flags.value(flag) {
                let register = self.flag(flag, span);
                assignments.push(assign(Lvalue::Reg(register), value));
            }
        }
    }
}

fn effects(assignments: Vec<Assignment>) -> Vec<Effect> {
    match assignments.is_empty() {
        true => Vec::new(),
        false => vec![Effect::Assign(assignments)],
    }
}

/// The old value of a destination, the write that is to come, and where it starts from.
struct Update {
    old: Expr,
    place: Lvalue,
    here: Here,
    /// What else the write must do.
    also: Vec<Assignment>,
}

/// Instructions that read and write their destination.
impl<'s> Lowering<'_, 's> {
    /// Begins a read-modify-write. If it is split, this adds the step that reads.
    fn read(&mut self, here: Here, split: bool, to: &Operand<'s>) -> Update {
        let (place, old) = (self.place(to), self.value(to));
        if !split {
            return Update { old, place, here, also: Vec::new() };
        }
        let scratch = self.register(SCRATCH, here.span);
        let between = PointId(here.source.0 + 1);
        let load = vec![assign(Lvalue::Reg(scratch), old)];
        self.guarded(here, Expr::TRUE, effects(load), between);
        Update {
            old: Expr::Reg(scratch),
            place,
            here: Here { source: between, ..here },
            also: vec![assign(Lvalue::Reg(scratch), Expr::Const(0))],
        }
    }

    fn write(&mut self, update: Update, new: Expr, mut more: Vec<Assignment>, flags: &Source) {
        let mut all = vec![assign(update.place, new)];
        all.append(&mut more);
        all.extend(update.also);
        self.update(update.here, all, flags);
    }

    fn binary(
        &mut self,
        here: Here,
        split: bool,
        op: Binary,
        to: &Operand<'s>,
        from: &Operand<'s>,
    ) {
        let source = self.value(from);
        let update = self.read(here, split, to);
        let old = update.old.clone();
        let combine = |op| Expr::binary(op, old.clone(), source.clone());
        let bitwise = |op| (combine(op), Source::Bitwise(combine(op)));
        let (new, flags) = match op {
            Binary::Add => (combine(BinaryOp::Add), Source::Add(old.clone(), source.clone())),
            Binary::Sub => (combine(BinaryOp::Sub), Source::Subtract(old.clone(), source.clone())),
            Binary::And => bitwise(BinaryOp::BitAnd),
            Binary::Or => bitwise(BinaryOp::BitOr),
            Binary::Xor => bitwise(BinaryOp::BitXor),
        };
        self.write(update, new, Vec::new(), &flags);
    }

    fn unary(&mut self, here: Here, split: bool, op: Unary, to: &Operand<'s>) {
        let update = self.read(here, split, to);
        let old = update.old.clone();
        let one = Expr::Const(1);
        let (new, flags) = match op {
            Unary::Inc => (Expr::binary(BinaryOp::Add, old.clone(), one), Source::Increment(old)),
            Unary::Dec => (Expr::binary(BinaryOp::Sub, old.clone(), one), Source::Decrement(old)),
            Unary::Neg => {
                let new = Expr::unary(UnaryOp::Neg, old.clone());
                (new, Source::Subtract(Expr::Const(0), old))
            }
            Unary::Not => {
                let mut all = vec![assign(update.place, Expr::unary(UnaryOp::BitNot, old))];
                all.extend(update.also);
                return self.step(update.here, all);
            }
        };
        self.write(update, new, Vec::new(), &flags);
    }

    fn exchange(&mut self, here: Here, to: &Operand<'s>, with: &Operand<'s>) {
        let (a, b) = (self.place(to), self.place(with));
        if a == b {
            return self.step(here, Vec::new());
        }
        let (old_a, old_b) = (self.value(to), self.value(with));
        self.step(here, vec![assign(a, old_b), assign(b, old_a)]);
    }

    fn exchange_add(&mut self, here: Here, split: bool, to: &Operand<'s>, with: &Operand<'s>) {
        let (register, added) = (self.place(with), self.value(with));
        let update = self.read(here, split, to);
        let old = update.old.clone();
        let more = match register == update.place {
            true => Vec::new(),
            false => vec![assign(register, old.clone())],
        };
        let sum = Expr::binary(BinaryOp::Add, old.clone(), added.clone());
        self.write(update, sum, more, &Source::Add(old, added));
    }

    /// If the destination equals the accumulator it gets the new value, else the accumulator gets what
    /// the destination holds.
    fn compare_exchange(&mut self, here: Here, split: bool, to: &Operand<'s>, from: &Operand<'s>) {
        let accumulator = self.register(register::accumulator(self.arch), here.span);
        let new = self.value(from);
        let Update { old, place, here: write, also } = self.read(here, split, to);
        let flags = Source::Subtract(Expr::Reg(accumulator), old.clone());
        let outcomes = [
            (BinaryOp::Eq, assign(place, new)),
            (BinaryOp::Ne, assign(Lvalue::Reg(accumulator), old.clone())),
        ];
        for (compare, assignment) in outcomes {
            let guard = Expr::binary(compare, Expr::Reg(accumulator), old.clone());
            let mut all = vec![assignment];
            all.extend(also.iter().cloned());
            self.set_flags(&mut all, &flags, write.span);
            self.guarded(write, guard, effects(all), write.next);
        }
    }

    fn jump(&mut self, here: Here, when: Option<Test>, label: &str, label_span: Span) {
        let Some(&(_, target, _)) = self.labels.iter().find(|(name, ..)| *name == label) else {
            return self.no_label(label, label_span);
        };
        let Some(test) = when else {
            return self.guarded(here, Expr::TRUE, Vec::new(), target);
        };
        let first = Expr::Reg(self.flag(test.first, here.span));
        let set = match test.second {
            Some(second) => {
                let second = Expr::Reg(self.flag(second, here.span));
                Expr::binary(BinaryOp::Or, first, second)
            }
            None => first,
        };
        let (if_set, if_clear) = match test.negated {
            false => (target, here.next),
            true => (here.next, target),
        };
        self.guarded(here, set.clone(), Vec::new(), if_set);
        self.guarded(here, set.not(), Vec::new(), if_clear);
    }

    fn no_label(&mut self, label: &str, span: Span) {
        let names: Vec<_> =
            self.labels.iter().take(5).map(|(name, ..)| format!("`{name}`")).collect();
        let help = match names.is_empty() {
            true => format!("put `{label}:` before an instruction or alone in a cell"),
            false => format!("the thread has {}", names.join(", ")),
        };
        self.diagnostics.push(
            Diagnostic::error(error::NO_LABEL, format!("there is no label `{label}`"), span)
                .label("expected a label of this thread")
                .help(help),
        );
    }
}
