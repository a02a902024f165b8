//! Programs built by hand, and their verdicts: by brute force and by SPIN on what is exported.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use taut_ir::{
    ChanId, Channel, ChannelOp, DefId, Effect, EffectOrder, Expr, Finding, Lvalue, Memory,
    MemoryModel, Pattern, PointId, Process, ProcessDef, Program, ProgramPoint, PropId, Property,
    PropertyKind, RegId, Register, Span, Start, Step, StepId, Type, VarId, VarKind, Variable,
};

use taut_testkit::spin::Verifier;

pub mod draw;
pub mod rings;

/// Whether something but deadlock is violated, and whether deadlock is.
pub type Verdicts = (bool, bool);

pub const NONE: Verdicts = (false, false);
pub const WRONG: Verdicts = (true, false);
pub const STUCK: Verdicts = (false, true);

/// What brute force says.
pub fn by_force(program: &Program, memory: Memory) -> Option<Verdicts> {
    let found = taut_witness::enumerate::explore(program, memory, 50_000)?.findings;
    let wrong = found.iter().any(|f| *f != Finding::Deadlock);
    Some((wrong, found.contains(&Finding::Deadlock)))
}

/// Whether SPIN finds errors. An error of ours if the search was cut off: SPIN does not notice that a process
/// holds the others for ever in an atomic block.
pub fn finds_errors(verifier: &Verifier, args: &[&str]) -> Result<bool, String> {
    let args: Vec<_> = ["-m80000", "-w18"].iter().chain(args).copied().collect();
    let figures = verifier.run(&args)?;
    match figures.complete || figures.errors > 0 {
        true => Ok(figures.errors > 0),
        false => Err(CUT_OFF.into()),
    }
}

/// What is said about a search that was cut off.
pub const CUT_OFF: &str = "the search was cut off";

/// What SPIN says: once without end states (`-E`), once without assertions (`-A`).
pub fn by_spin(promela: &str) -> Result<Verdicts, String> {
    let verifier = Verifier::quick(promela, &["-DSAFETY"], &["-DSAFETY", "-DNOCLAIM"])?;
    Ok((finds_errors(&verifier, &["-E"])?, finds_errors(&verifier, &["-A"])?))
}

/// Does jobs on two threads. What comes of those with a result; none of them may fail.
pub fn on_two_threads<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(usize, &J) -> Result<Option<R>, String> + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (results, wrong) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let worker = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { return };
            match work(number, job) {
                Ok(result) => results.lock().expect("no panic").extend(result),
                Err(message) => wrong.lock().expect("no panic").push(message),
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(worker);
        scope.spawn(worker);
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    results.into_inner().expect("no panic")
}

/// How many random programs are compared: always the same ones. With `TAUT_SEEDS` there are more.
pub fn seeds(usually: u64) -> u64 {
    let asked = std::env::var("TAUT_SEEDS").ok();
    asked.map_or(usually, |seeds| seeds.parse().expect("a number of seeds"))
}

/// Brute force and SPIN agree that these are the verdicts.
#[track_caller]
pub fn expect(program: &Program, memory: Memory, verdicts: Verdicts) {
    taut_ir::validate::validate(program).expect("a valid program");
    assert_eq!(by_force(program, memory), Some(verdicts), "by brute force, {memory:?}");
    let promela = taut_export::promela(program, memory).expect("an export");
    let spin = by_spin(&promela).unwrap_or_else(|e| panic!("{e}\n{promela}"));
    assert_eq!(spin, verdicts, "by SPIN, {memory:?}:\n{promela}");
}

/// A variable.
pub fn variable(program: &mut Program, name: &str, kind: VarKind) -> VarId {
    let (name, ty) = (name.into(), Type::range(-1, 20));
    let variable = Variable { name, kind, ty, len: None, init: vec![0], span: Span::NONE };
    program.vars.push(variable);
    VarId::from(program.vars.len() - 1)
}

/// A channel.
pub fn channel(program: &mut Program, capacity: u32, fields: usize) -> ChanId {
    let name = format!("c{}", program.channels.len());
    let fields = vec![Type::range(-1, 20); fields];
    let order = EffectOrder::default();
    program.channels.push(Channel { name, capacity, fields, order, span: Span::NONE });
    ChanId::from(program.channels.len() - 1)
}

/// A property that assertions name.
pub fn assertion(program: &mut Program) -> PropId {
    let name = format!("assert {}", program.properties.len());
    program.properties.push(Property { name, kind: PropertyKind::Assert, span: Span::NONE });
    PropId::from(program.properties.len() - 1)
}

pub fn forbid(program: &mut Program, bad: Expr) {
    let (name, kind) = (format!("forbid {}", program.properties.len()), PropertyKind::Forbid(bad));
    program.properties.push(Property { name, kind, span: Span::NONE });
}

/// The code of a process: so many program points and registers, and steps.
pub struct Code {
    pub def: ProcessDef,
}

impl Code {
    /// Only the last program point is one where a process may end.
    pub fn new(points: usize, registers: usize) -> Code {
        let mut all = vec![ProgramPoint::new(); points - 1];
        all.push(ProgramPoint::end());
        let register = |i| Register {
            name: format!("r{i}"),
            ty: Type::range(-1, 20),
            len: None,
            init: vec![0],
            span: Span::NONE,
        };
        let def = ProcessDef {
            name: "p".into(),
            registers: (0..registers).map(register).collect(),
            params: 0,
            points: all,
            entry: PointId(0),
            steps: Vec::new(),
            procedures: Vec::new(),
            channel_registers: Vec::new(),
            span: Span::NONE,
        };
        Code { def }
    }

    /// Adds a step from one program point to another, and gives it to be changed.
    pub fn step(&mut self, from: u32, to: u32) -> &mut Step {
        self.def.steps.push(Step::skip(PointId(from), PointId(to), Span::NONE));
        self.def.steps.last_mut().expect("just pushed")
    }

    pub fn send(&mut self, from: u32, to: u32, c: ChanId, message: &[i64]) -> &mut Step {
        let step = self.step(from, to);
        let message = message.iter().map(|&v| v.into()).collect();
        let channel = c.value().into();
        step.channel = Some(ChannelOp::Send { channel, message, sorted: false });
        step
    }

    pub fn receive(&mut self, from: u32, to: u32, c: ChanId, pattern: Vec<Pattern>) -> &mut Step {
        let step = self.step(from, to);
        let channel = c.value().into();
        step.channel = Some(ChannelOp::Receive { channel, pattern, anywhere: false, keep: false });
        step
    }

    pub fn assert(&mut self, from: u32, to: u32, property: PropId, condition: Expr) -> &mut Step {
        let step = self.step(from, to);
        step.effects.push(Effect::Assert { condition, property });
        step
    }

    pub fn assign(
        &mut self,
        from: u32,
        to: u32,
        place: Lvalue,
        value: impl Into<Expr>,
    ) -> &mut Step {
        let step = self.step(from, to);
        step.effects.push(Effect::assign(place, value));
        step
    }

    /// The code as a definition.
    pub fn define(mut self, program: &mut Program, name: &str) -> DefId {
        self.def.name = name.into();
        program.defs.push(self.def);
        DefId::from(program.defs.len() - 1)
    }

    /// The code as a process that runs from the start.
    pub fn run(self, program: &mut Program, name: &str) {
        let def = self.define(program, name);
        process(program, name, def, Start::Initially);
    }
}

pub fn process(program: &mut Program, name: &str, def: DefId, start: Start) {
    let (name, args, channels) = (name.into(), Vec::new(), Vec::new());
    program.processes.push(Process { name, def, args, start, channels });
}

pub fn bind(register: u32) -> Pattern {
    Pattern::Bind(Lvalue::Reg(RegId(register)))
}

pub fn matching(value: impl Into<Expr>) -> Pattern {
    Pattern::Match(value.into())
}

pub fn reg(register: u32) -> Expr {
    Expr::Reg(RegId(register))
}

pub fn is(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Expr::Binary(taut_ir::BinaryOp::Eq, Box::new(a.into()), Box::new(b.into()))
}

/// The number of the step that was added last.
pub fn last(code: &Code) -> StepId {
    StepId::from(code.def.steps.len() - 1)
}

/// Sequential consistency.
pub fn sc() -> Memory {
    Memory::new(MemoryModel::Sc)
}

/// TSO with buffers of so many entries.
pub fn tso(bound: u32) -> Memory {
    Memory::new(MemoryModel::Tso).bounded(Some(bound))
}

/// A program with a process that sends these messages, in order, and ends.
pub fn with_sender(capacity: u32, fields: usize, messages: &[&[i64]]) -> Program {
    let mut program = Program::default();
    let c = channel(&mut program, capacity, fields);
    let mut sender = Code::new(messages.len() + 1, 0);
    for (i, message) in messages.iter().enumerate() {
        sender.send(i as u32, i as u32 + 1, c, message);
    }
    sender.run(&mut program, "sender");
    program
}

/// The channel of [`with_sender`].
pub const C: ChanId = ChanId(0);

/// The program with a process that receives once with a pattern into its first register, and then asserts.
pub fn receives(mut program: Program, pattern: Vec<Pattern>, condition: Expr) -> Program {
    let property = assertion(&mut program);
    let mut receiver = Code::new(3, 1);
    receiver.receive(0, 1, C, pattern);
    receiver.assert(1, 2, property, condition);
    receiver.run(&mut program, "receiver");
    program
}
