//! From a draft to a program.

use taut_ir::{
    Assignment, BinaryOp, ChanId, Channel, ChannelOp, ChannelQuery, Control, DefId, Effect,
    EffectOrder, Expr, Fault, Lifecycle, Mode, Overflow, Pattern, PointId, Poll, ProcId, Process,
    ProcessDef, Program, ProgramPoint, PropId, Property, PropertyKind, RegId, Register, Span,
    Start, Step, StepId, Type, VarId, VarKind, Variable,
};

use super::{Code, Condition, Draft, Edge, Field, Operation, Place, Value, Which};

const SMALL: Type = Type { lo: 0, hi: 3, overflow: Overflow::Wrap };
/// Leaving it is a fault.
const STRICT: Type = Type { lo: -1, hi: 3, overflow: Overflow::Fault };
/// The registers: two numbers, of which the first is the parameter; a channel; the own channel.
const CHANNEL: RegId = RegId(2);
const OWN: RegId = RegId(3);
const SCALARS: [VarId; 2] = [VarId(0), VarId(1)];
const ARRAY: VarId = VarId(2);
const GHOST: VarId = VarId(3);
const CHANNELS: VarId = VarId(4);
/// At most so many processes.
const MOST: usize = 5;

impl Draft {
    /// The program.
    pub fn program(&self) -> Program {
        let mut program = Program {
            name: "random".into(),
            lifecycle: Lifecycle::Stack,
            call_depth: 1,
            channels: self.channels.iter().enumerate().map(|(i, c)| channel(i, *c)).collect(),
            processes: self.processes(),
            ..Program::default()
        };
        for index in 0..program.processes.len() {
            let id = ChanId::from(program.channels.len());
            program.channels.push(channel(id.index(), self.own));
            program.processes[index].channels.push(id);
        }
        program.vars = self.variables();
        let count = program.processes.len();
        let mut build = Builder { draft: self, processes: count, properties: Vec::new() };
        program.defs = self.codes.iter().enumerate().map(|(i, c)| build.def(i, c)).collect();
        program.properties = build.properties;
        let two = Expr::Var(GHOST).equals(2.into());
        let message = Expr::Channel(ChannelQuery::Length, Box::new(1.into())).equals(1.into());
        let all = Expr::Processes.equals((count as i64).into());
        program.properties.push(property("two", PropertyKind::Forbid(two.clone())));
        program.properties.push(property("kept", PropertyKind::Forbid(two.and(message))));
        program.properties.push(property("few", PropertyKind::Invariant(all.not())));
        taut_ir::validate::validate(&program).expect("a random program is well formed");
        program
    }

    /// Those that run from the start, at least one, and then the others.
    fn processes(&self) -> Vec<Process> {
        let wanted = |start| {
            let defs = self.processes.iter().take(self.codes.len()).enumerate();
            defs.flat_map(move |(def, &(from_start, more))| {
                let count = if start == Start::Initially { from_start } else { more };
                (0..count).map(move |_| (def, start))
            })
        };
        let all = wanted(Start::Initially).chain(wanted(Start::Spawned)).take(MOST);
        let process = |(index, (def, start)): (usize, (usize, Start))| Process {
            name: format!("p{index}"),
            def: DefId::from(def),
            args: if start == Start::Initially { vec![index as i64 % 3] } else { vec![] },
            start,
            channels: vec![],
        };
        all.enumerate().map(process).collect()
    }

    fn variables(&self) -> Vec<Variable> {
        let variable = |name: &str, kind, len: Option<u32>, ty, init| Variable {
            name: name.into(),
            kind,
            ty,
            len,
            init,
            span: Span::NONE,
        };
        let channels: Vec<i64> = (1..=self.channels.len() as i64).collect();
        vec![
            variable("x", VarKind::Shared, None, SMALL, vec![0]),
            variable("y", VarKind::Shared, None, STRICT, vec![1]),
            variable("a", VarKind::Shared, Some(2), SMALL, vec![0, 1]),
            variable("g", VarKind::Ghost, None, SMALL, vec![0]),
            variable("c", VarKind::Shared, Some(channels.len() as u32), Type::INT, channels),
        ]
    }
}

fn channel(index: usize, (capacity, fields): (u8, u8)) -> Channel {
    let types = [SMALL, STRICT];
    let orders = [EffectOrder::SenderFirst, EffectOrder::ReceiverFirst];
    Channel {
        name: format!("c{index}"),
        capacity: u32::from(capacity),
        fields: types[..usize::from(fields)].to_vec(),
        order: orders[index % 2],
        span: Span::NONE,
    }
}

fn property(name: &str, kind: PropertyKind) -> Property {
    Property { name: name.into(), kind, span: Span::NONE }
}

struct Builder<'d> {
    draft: &'d Draft,
    processes: usize,
    properties: Vec<Property>,
}

impl Builder<'_> {
    fn def(&mut self, index: usize, code: &Code) -> ProcessDef {
        let register = |name: &str, ty, init| Register {
            name: name.into(),
            ty,
            len: None,
            init: vec![init],
            span: Span::NONE,
        };
        let mut points = vec![ProgramPoint::new(); usize::from(code.points)];
        points.last_mut().expect("a program point").end = true;
        let most = self.draft.channels.len() as i64 + MOST as i64;
        let channel = Type { lo: 0, hi: most, overflow: Overflow::Wrap };
        ProcessDef {
            name: format!("d{index}"),
            registers: vec![
                register("n", SMALL, 0),
                register("m", STRICT, 1),
                register("d", channel, 1),
                register("o", channel, 0),
            ],
            params: 1,
            points,
            entry: PointId(0),
            steps: (0..code.edges.len()).map(|i| self.step(code, i)).collect(),
            procedures: vec![],
            channel_registers: vec![(OWN, 0)],
            span: Span::NONE,
        }
    }

    fn step(&mut self, code: &Code, index: usize) -> Step {
        let edge = &code.edges[index];
        let at = |l: u8| PointId(u32::from(l % code.points));
        let mut step = Step::skip(at(edge.source), at(edge.target), Span::NONE);
        step.guard = self.condition(edge.guard);
        step.holds = edge.holds;
        let may_drain = matches!(edge.operation, Operation::Send { .. } | Operation::Fail);
        step.drains = edge.drains && may_drain;
        step.yields_to = yields(code, index);
        self.operation(edge, &mut step);
        if let Some((to, value)) = edge.also
            && step.target != Control::Exit
        {
            step.effects.push(Effect::assign(place(to), self.value(value)));
        }
        step
    }

    fn operation(&mut self, edge: &Edge, step: &mut Step) {
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assign(to, value) => {
                step.effects.push(Effect::assign(place(*to), self.value(*value)));
            }
            Operation::Send { which, message, sorted } => {
                let message = message.iter().map(|v| self.value(*v)).collect();
                let channel = self.which(*which);
                step.channel = Some(ChannelOp::Send { channel, message, sorted: *sorted });
            }
            Operation::Receive { which, pattern, anywhere, keep } => {
                let pattern = pattern.iter().map(|f| self.field(*f)).collect();
                let (anywhere, keep, channel) = (*anywhere, *keep, self.which(*which));
                step.channel = Some(ChannelOp::Receive { channel, pattern, anywhere, keep });
            }
            Operation::Spawn { def, arg, pid } => step.effects.push(Effect::Spawn {
                def: DefId::from(usize::from(*def) % self.draft.codes.len()),
                args: vec![self.value(*arg)],
                pid: pid.map(place),
            }),
            Operation::Assert(value, number) => {
                let condition = self.value(*value).equals(i64::from(*number).into()).not();
                let id = PropId::from(self.properties.len());
                let name = format!("assert {}", id.0);
                self.properties.push(property(&name, PropertyKind::Assert));
                step.effects.push(Effect::Assert { condition, property: id });
            }
            Operation::Fail => step.effects.push(Effect::Fail(Fault::Blocked)),
            Operation::Locked(to, value) => {
                step.mode = Mode::Locked;
                let (place, value) = (place(*to), self.value(*value));
                let assignment = Assignment { place, value, atomic: false };
                step.effects.push(Effect::Assign(vec![assignment]));
            }
            Operation::Fence => step.mode = Mode::Fence,
            Operation::StoreFence => step.effects.push(Effect::StoreFence),
            Operation::Sync => step.mode = Mode::Sync,
            Operation::Exit => step.target = Control::Exit,
        }
    }

    fn field(&self, field: Field) -> Pattern {
        match field {
            Field::Bind(to) => Pattern::Bind(place(to)),
            Field::Match(value) => Pattern::Match(self.value(value)),
            Field::Any => Pattern::Any,
        }
    }

    fn which(&self, which: Which) -> Expr {
        match which {
            Which::Global(i) => Expr::Const(i64::from(i) % self.draft.channels.len() as i64 + 1),
            Which::Own => OWN.into(),
            Which::Register => CHANNEL.into(),
            Which::Element => Expr::VarElem(CHANNELS, Box::new(RegId(0).into())),
        }
    }

    fn value(&self, value: Value) -> Expr {
        match value {
            Value::Const(v) => i64::from(v).into(),
            Value::Register(r) => RegId(u32::from(r)).into(),
            Value::Shared(x) => SCALARS[usize::from(x)].into(),
            Value::Ghost => GHOST.into(),
            Value::Pid => Expr::Pid,
            Value::Length(w) => Expr::Channel(ChannelQuery::Length, Box::new(self.which(w))),
            Value::Quotient(r) => Expr::binary(BinaryOp::Div, 1.into(), RegId(u32::from(r)).into()),
            Value::Channel(w) => self.which(w),
        }
    }

    fn condition(&self, condition: Condition) -> Expr {
        let equal = |e: Expr, n: i8| e.equals(i64::from(n).into());
        let query = |q, w| Expr::Channel(q, Box::new(self.which(w)));
        let process = |p: u8| ProcId::from(usize::from(p) % self.processes);
        match condition {
            Condition::True => Expr::TRUE,
            Condition::Equal(v, n) => equal(self.value(v), n),
            Condition::Timeout => Expr::Timeout,
            Condition::TimeoutOr(r, n) => {
                let value = equal(RegId(u32::from(r)).into(), n);
                Expr::binary(BinaryOp::Or, Expr::Timeout, value)
            }
            Condition::Full(w) => query(ChannelQuery::Full, w),
            Condition::NotFull(w) => query(ChannelQuery::Full, w).not(),
            Condition::Empty(w) => query(ChannelQuery::Empty, w),
            Condition::Poll(w, value, anywhere) => {
                let pattern = vec![value.map(|v| self.value(v))];
                Expr::Poll(Box::new(Poll { channel: self.which(w), pattern, anywhere }))
            }
            // ProgramPoint 0 is there in every definition.
            Condition::At(p, l) => Expr::At(process(p), vec![PointId(u32::from(l) % 2)]),
            Condition::Alive(p) => Expr::Alive(process(p)),
            Condition::Remote(p, r, n) => {
                let register = Expr::Reg(RegId(u32::from(r)));
                equal(Expr::In(process(p), Box::new(register)), n)
            }
            Condition::RemotePid(p, n) => equal(Expr::In(process(p), Box::new(Expr::Pid)), n),
            Condition::Processes(n) => equal(Expr::Processes, n),
        }
    }
}

/// The steps of the same source and a lower rank that are marked.
fn yields(code: &Code, index: usize) -> Vec<StepId> {
    let own = &code.edges[index];
    let at = |e: &Edge| e.source % code.points;
    let lower = |i: &usize| {
        let other = &code.edges[*i];
        at(other) == at(own) && (other.rank, *i) < (own.rank, index)
    };
    let marked = |i: &usize| own.yields >> (i % 8) & 1 == 1;
    (0..code.edges.len()).filter(lower).filter(marked).map(StepId::from).collect()
}

fn place(place: Place) -> taut_ir::Lvalue {
    match place {
        Place::Register(r) => taut_ir::Lvalue::Reg(RegId(u32::from(r))),
        Place::Shared(x) => taut_ir::Lvalue::Var(SCALARS[usize::from(x)]),
        Place::Element(r) => taut_ir::Lvalue::VarElem(ARRAY, RegId(u32::from(r)).into()),
        Place::Ghost => taut_ir::Lvalue::Var(GHOST),
        Place::Channel => taut_ir::Lvalue::Reg(CHANNEL),
    }
}
