//! Programs written down edge by edge, for what the builder has no words for.

use taut_ir::{
    Action, ChanId, Channel, ChannelOp, Control, Effect, EffectOrder, Expr, Lifecycle, Lvalue,
    Mode, Pattern, PointId, ProcId, Process, ProcessDef, Program, ProgramPoint, RegId, Register,
    Span, Start, Step, StepId, Type, VarId, VarKind, Variable,
};
use taut_witness::{Machine, Outcome, Refusal, State};

/// A channel of integers with so many fields.
pub fn channel(name: &str, capacity: u32, fields: usize) -> Channel {
    let (name, fields, order) = (name.into(), vec![Type::INT; fields], EffectOrder::default());
    Channel { name, capacity, fields, order, span: Span::NONE }
}

/// A shared integer that is 0 at first.
pub fn shared(name: &str) -> Variable {
    Variable {
        name: name.into(),
        kind: VarKind::Shared,
        ty: Type::INT,
        len: None,
        init: vec![0],
        span: Span::NONE,
    }
}

/// Code from program point 0 on, with integer registers that are 0 at first. Where no step leaves, a process
/// may end.
pub fn code(name: &str, registers: &[&str], steps: Vec<Step>) -> ProcessDef {
    let register = |name: &&str| Register {
        name: (*name).into(),
        ty: Type::INT,
        len: None,
        init: vec![0],
        span: Span::NONE,
    };
    let last = steps.iter().flat_map(|s| match s.target {
        Control::Goto(to) => [s.source.index(), to.index()],
        _ => [s.source.index(), 0],
    });
    let last = last.max().unwrap_or(0);
    let place = |l| ProgramPoint {
        end: steps.iter().all(|s| s.source.index() != l),
        ..ProgramPoint::new()
    };
    ProcessDef {
        name: name.into(),
        registers: registers.iter().map(register).collect(),
        params: 0,
        points: (0..=last).map(place).collect(),
        entry: PointId(0),
        steps,
        procedures: Vec::new(),
        channel_registers: Vec::new(),
        span: Span::NONE,
    }
}

/// A program with one process for each code, all from the start.
pub fn program(vars: Vec<Variable>, channels: Vec<Channel>, defs: Vec<ProcessDef>) -> Program {
    let process = |(i, def): (usize, &ProcessDef)| Process {
        name: def.name.clone(),
        def: i.into(),
        args: Vec::new(),
        start: Start::Initially,
        channels: Vec::new(),
    };
    let processes = defs.iter().enumerate().map(process).collect();
    let (name, call_depth) = ("by hand".into(), 8);
    Program { name, vars, channels, defs, processes, call_depth, ..Program::default() }
}

/// The same, with processes on a stack.
pub fn on_a_stack(program: Program) -> Program {
    Program { lifecycle: Lifecycle::Stack, ..program }
}

/// A process of a code that waits to be spawned.
pub fn waiting(program: &Program, def: usize, name: &str) -> Process {
    let original = &program.processes[def];
    Process { name: name.into(), start: Start::Spawned, ..original.clone() }
}

/// A step that does nothing.
pub fn edge(from: u32, to: u32) -> Step {
    Step::skip(PointId(from), PointId(to), Span::NONE)
}

/// What one can add to a step.
pub trait Also {
    fn when(self, guard: Expr) -> Step;
    fn mode(self, mode: Mode) -> Step;
    fn does(self, effect: Effect) -> Step;
    fn on(self, op: ChannelOp) -> Step;
    fn yields(self, to: &[u32]) -> Step;
    fn holds(self) -> Step;
    fn exits(self) -> Step;
}

impl Also for Step {
    fn when(self, guard: Expr) -> Step {
        Step { guard, ..self }
    }

    fn mode(self, mode: Mode) -> Step {
        Step { mode, ..self }
    }

    fn does(mut self, effect: Effect) -> Step {
        self.effects.push(effect);
        self
    }

    fn on(self, op: ChannelOp) -> Step {
        Step { channel: Some(op), ..self }
    }

    fn yields(self, to: &[u32]) -> Step {
        Step { yields_to: to.iter().copied().map(StepId).collect(), ..self }
    }

    fn holds(self) -> Step {
        Step { holds: true, ..self }
    }

    fn exits(self) -> Step {
        Step { target: Control::Exit, ..self }
    }
}

/// A channel as a value.
pub fn named(channel: u32) -> Expr {
    Expr::Const(ChanId(channel).value())
}

/// `channel!message`
pub fn send(channel: u32, message: &[Expr]) -> ChannelOp {
    ChannelOp::Send { channel: named(channel), message: message.to_vec(), sorted: false }
}

/// `channel?pattern`
pub fn receive(channel: u32, pattern: &[Pattern]) -> ChannelOp {
    let (anywhere, keep) = (false, false);
    ChannelOp::Receive { channel: named(channel), pattern: pattern.to_vec(), anywhere, keep }
}

/// Into a register.
pub fn into_reg(register: u32) -> Pattern {
    Pattern::Bind(Lvalue::Reg(RegId(register)))
}

/// Into a variable.
pub fn into_var(var: u32) -> Pattern {
    Pattern::Bind(Lvalue::Var(VarId(var)))
}

/// `var := value`
pub fn set_var(var: u32, value: impl Into<Expr>) -> Effect {
    Effect::assign(Lvalue::Var(VarId(var)), value)
}

/// A division by zero.
pub fn bad() -> Expr {
    Expr::Binary(taut_ir::BinaryOp::Div, Box::new(1.into()), Box::new(0.into()))
}

/// A rendezvous.
pub fn shake(process: u32, step: u32, receiver: u32, receive: u32) -> Action {
    let (sender, receiver) = ((process, step), (receiver, receive));
    let [sender, receiver] = [sender, receiver].map(|(p, s)| (ProcId(p), StepId(s)));
    Action::handshake(sender, receiver)
}

/// The state after actions that all must succeed.
pub fn after(machine: &Machine<'_>, actions: &[Action]) -> State {
    actions.iter().fold(machine.initial(), |state, &action| {
        match machine.apply(&state, action).map(|done| done.outcome) {
            Ok(Outcome::State(after)) => after,
            other => panic!("{action:?}: {other:?}"),
        }
    })
}

/// Why an action cannot happen after others.
pub fn refusal(machine: &Machine<'_>, before: &[Action], action: Action) -> Refusal {
    machine.apply(&after(machine, before), action).expect_err("it should be impossible")
}
