//! Programs drawn by hand, edge by edge.

use taut_explicit::{Exploration, Order, SearchOptions, explore};
use taut_ir::{
    Channel, ChannelOp, DefId, Effect, EffectOrder, Expr, Lifecycle, Lvalue, Memory, MemoryModel,
    Pattern, PointId, Process, ProcessDef, Program, ProgramPoint, PropId, Property, PropertyKind,
    RegId, Register, Span, Start, Step, Type, VarId, VarKind, Variable, validate::validate,
};
use taut_witness::{Trace, enumerate, replay};

/// A program whose processes live on a stack.
pub struct Sketch(pub Program);

impl Sketch {
    pub fn new() -> Sketch {
        Sketch(Program {
            name: "sketch".into(),
            lifecycle: Lifecycle::Stack,
            call_depth: 1,
            ..Program::default()
        })
    }

    /// A channel with fields of type int, as a value.
    pub fn channel(&mut self, capacity: u32, fields: usize) -> i64 {
        let name = format!("c{}", self.0.channels.len());
        let fields = vec![Type::INT; fields];
        let order = EffectOrder::default();
        self.0.channels.push(Channel { name, capacity, fields, order, span: Span::NONE });
        self.0.channels.len() as i64
    }

    pub fn var(&mut self, kind: VarKind, ty: Type) -> VarId {
        let name = format!("x{}", self.0.vars.len());
        let init = vec![0];
        self.0.vars.push(Variable { name, kind, ty, len: None, init, span: Span::NONE });
        VarId::from(self.0.vars.len() - 1)
    }

    /// Code with two registers of type int, starting at program point 0; it may end at some program points.
    pub fn def(&mut self, ends: &[u32], steps: Vec<Step>) -> DefId {
        let register = |name: &str| Register {
            name: name.into(),
            ty: Type::INT,
            len: None,
            init: vec![0],
            span: Span::NONE,
        };
        let last = |s: &Step| match s.target {
            taut_ir::Control::Goto(to) => to.0.max(s.source.0),
            _ => s.source.0,
        };
        let count = steps.iter().map(last).max().unwrap_or(0) + 1;
        let point = |l| ProgramPoint { end: ends.contains(&l), ..ProgramPoint::new() };
        self.0.defs.push(ProcessDef {
            name: format!("d{}", self.0.defs.len()),
            registers: vec![register("r"), register("s")],
            params: 0,
            points: (0..count).map(point).collect(),
            entry: PointId(0),
            steps,
            procedures: vec![],
            channel_registers: vec![],
            span: Span::NONE,
        });
        DefId::from(self.0.defs.len() - 1)
    }

    fn add(&mut self, def: DefId, start: Start) {
        let name = format!("p{}", self.0.processes.len());
        self.0.processes.push(Process { name, def, args: vec![], start, channels: vec![] });
    }

    /// A process that runs from the start.
    pub fn run(&mut self, def: DefId) {
        self.add(def, Start::Initially);
    }

    /// The code of a process that runs from the start.
    pub fn process(&mut self, ends: &[u32], steps: Vec<Step>) {
        let def = self.def(ends, steps);
        self.run(def);
    }

    /// A process that can be spawned.
    pub fn slot(&mut self, def: DefId) {
        self.add(def, Start::Spawned);
    }

    pub fn property(&mut self, kind: PropertyKind) -> PropId {
        let name = format!("property {}", self.0.properties.len());
        self.0.properties.push(Property { name, kind, span: Span::NONE });
        PropId::from(self.0.properties.len() - 1)
    }

    /// Explores everything under a model, in both orders, and compares it with brute force.
    pub fn explore(&self, model: MemoryModel) -> Exploration {
        let program = &self.0;
        assert_eq!(validate(program), Ok(()));
        let memory = Memory::new(model);
        let brute = enumerate::explore(program, memory, 10_000).expect("a small program");
        let with = |order| {
            let options =
                SearchOptions { order, all: true, whole: true, ..SearchOptions::default() };
            explore(program, memory, &options)
        };
        let (bfs, dfs) = (with(Order::Bfs), with(Order::Dfs));
        assert_eq!(bfs.stats.states, brute.states as u64);
        assert_eq!(dfs.stats.states, brute.states as u64);
        assert_eq!(bfs.stats.transitions, dfs.stats.transitions);
        for found in bfs.found.iter().chain(&dfs.found) {
            let (finding, actions) = (found.finding, found.actions.clone());
            replay(program, &Trace::new(memory, finding, actions)).expect("a run");
        }
        bfs
    }
}

/// A step that does nothing.
pub fn step(source: u32, target: u32) -> Step {
    Step::skip(PointId(source), PointId(target), Span::NONE)
}

pub fn send(channel: i64, message: &[i64]) -> Option<ChannelOp> {
    let message = message.iter().map(|&v| v.into()).collect();
    Some(ChannelOp::Send { channel: channel.into(), message, sorted: false })
}

pub fn receive(channel: i64, pattern: Vec<Pattern>) -> Option<ChannelOp> {
    Some(ChannelOp::Receive { channel: channel.into(), pattern, anywhere: false, keep: false })
}

/// The first register gets the field.
pub fn bind() -> Pattern {
    Pattern::Bind(Lvalue::Reg(RegId(0)))
}

pub fn equals(value: i64) -> Pattern {
    Pattern::Match(value.into())
}

pub fn set(var: VarId, value: i64) -> Effect {
    Effect::assign(Lvalue::Var(var), value)
}

/// The first register of a process.
pub fn register(process: u32) -> Expr {
    Expr::In(taut_ir::ProcId(process), Box::new(Expr::Reg(RegId(0))))
}
