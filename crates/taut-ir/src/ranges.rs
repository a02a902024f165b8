//! Which values each variable and register can ever hold.
//!
//! A flow-insensitive interval analysis. It changes no meaning: engines use it to lay states out in few
//! bits (a 32-bit `turn` that is only ever 0 or 1 takes one bit, also in every buffer entry) and to leave
//! out checks that cannot fail. Start from the initial values, join in what each assignment can give,
//! repeat until nothing changes. What still grows after a few rounds is widened to its whole type, one
//! thing at a time: when a counter `i` makes `x := i` grow with it, only the counter is to blame, so things
//! that are assigned from themselves (`i := i + 1`) come first, and after each widening the others get
//! their rounds again. As each thing is widened once at most, the loop ends.
//!
//! With many counters that takes time that grows with the square of their number. So the rounds are counted in
//! steps. Beyond a limit the analysis gives up: everything has the interval of its type, which is always right.

use std::collections::HashMap;

use crate::{
    BinaryOp, ChanId, Channel, ChannelOp, ChannelQuery, Control, Effect, Expr, Interval, Lvalue,
    Overflow, Pattern, ProcId, Program, RegId, Start, Step, Type, UnaryOp, VarId,
};

/// How often something assigned from itself may grow before it is widened. Small counters with declared
/// ranges settle before that.
const ROUNDS: u32 = 24;
/// How often anything else may grow before it is widened.
const MORE_ROUNDS: u32 = 3 * ROUNDS;
/// Steps that are looked at before the analysis gives up: some tenths of a second. A program of 65,536 steps has 150
/// rounds.
const MOST_STEPS: usize = 10_000_000;

/// The intervals of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    vars: Vec<Interval>,
    regs: Vec<Vec<Interval>>,
    /// The pids of each process.
    pids: Vec<Interval>,
    /// The fields of the messages in each channel.
    fields: Vec<Vec<Interval>>,
    /// The number of messages each channel holds at most.
    capacities: Vec<u32>,
}

impl Ranges {
    /// Computes the intervals of a valid program.
    pub fn of(program: &Program) -> Ranges {
        let _phase = taut_budget::phase("ranges of values are computed");
        let ranges = Ranges::initial(program);
        let mut analysis = Analysis { program, ranges, growth: HashMap::new(), changed: true };
        let per_round: usize = program.process_ids().map(|p| program.def_of(p).steps.len()).sum();
        let mut steps: usize = 0;
        while std::mem::take(&mut analysis.changed) {
            steps = steps.saturating_add(per_round);
            if steps > MOST_STEPS {
                taut_budget::give_up("the program is too large for ranges of values to be found");
                return Ranges::by_types(program);
            }
            program.process_ids().for_each(|p| analysis.process(p));
        }
        analysis.ranges
    }

    /// Everything has the interval of its type.
    fn by_types(program: &Program) -> Ranges {
        let mut ranges = Ranges::initial(program);
        for (range, var) in ranges.vars.iter_mut().zip(&program.vars) {
            *range = range.join(var.ty.interval());
        }
        for (p, registers) in program.process_ids().zip(&mut ranges.regs) {
            for (range, register) in registers.iter_mut().zip(&program.def_of(p).registers) {
                *range = range.join(register.ty.interval());
            }
        }
        for (fields, channel) in ranges.fields.iter_mut().zip(&program.channels) {
            for (range, ty) in fields.iter_mut().zip(&channel.fields) {
                *range = range.join(ty.interval());
            }
        }
        ranges
    }

    fn initial(program: &Program) -> Ranges {
        let hull = |init: &[i64]| Interval::hull(init).expect("initial values");
        let vars = program.vars.iter().map(|v| hull(&v.init)).collect();
        let of_process = |p: ProcId| {
            let registers = program.def_of(p).registers.iter();
            let mut all: Vec<_> = registers.map(|r| hull(&r.init)).collect();
            let own = program.def_of(p).channel_registers.iter().zip(&program.process(p).channels);
            for (&(register, _), channel) in own {
                let value = Interval::single(channel.value());
                let range = &mut all[register.index()];
                // A plain register holds its channel from the start; an array may have other elements.
                let plain = program.def_of(p).registers[register.index()].len.is_none();
                *range = if plain { value } else { range.join(value) };
            }
            for (i, &arg) in program.process(p).args.iter().enumerate() {
                all[i] = Interval::single(arg);
            }
            all
        };
        // A slot of a message that is not in use holds zeros.
        let of_channel = |c: &Channel| vec![Interval::single(0); c.fields.len()];
        Ranges {
            vars,
            regs: program.process_ids().map(of_process).collect(),
            pids: program.process_ids().map(|p| pids(program, p)).collect(),
            fields: program.channels.iter().map(of_channel).collect(),
            capacities: program.channels.iter().map(|c| c.capacity).collect(),
        }
    }

    /// The pids of a process.
    pub fn pid(&self, process: ProcId) -> Interval {
        self.pids[process.index()]
    }

    /// The values of a field of the messages in a channel.
    pub fn field(&self, channel: ChanId, field: usize) -> Interval {
        self.fields[channel.index()][field]
    }

    /// The channels that an expression of a process can name.
    pub fn channels(&self, process: ProcId, expr: &Expr) -> impl Iterator<Item = ChanId> + use<> {
        let values = self.expr(process, expr);
        // Channels are the values from 1 on, in order.
        let index = |value: i64| usize::try_from(value.saturating_sub(1)).unwrap_or(0);
        let end = usize::try_from(values.hi).unwrap_or(0).min(self.fields.len());
        let channels = (index(values.lo)..end).map(ChanId::from);
        debug_assert!(channels.clone().all(|c| values.contains(c.value())));
        channels
    }

    /// The values that a receive on one of these channels can find in a field.
    fn received(&self, process: ProcId, channel: &Expr, field: usize) -> Interval {
        let fields = self.channels(process, channel).filter_map(|c| {
            let fields = &self.fields[c.index()];
            fields.get(field).copied()
        });
        fields.fold(Interval::single(0), Interval::join)
    }

    /// The values of a variable or of any element of it.
    pub fn var(&self, id: VarId) -> Interval {
        self.vars[id.index()]
    }

    /// The values of a register, or of any element of it, in one process.
    pub fn register(&self, process: ProcId, id: RegId) -> Interval {
        self.regs[process.index()][id.index()]
    }

    /// The values an expression of a process can have.
    pub fn expr(&self, process: ProcId, expr: &Expr) -> Interval {
        match expr {
            Expr::Const(v) => Interval::single(*v),
            Expr::Reg(r) | Expr::RegElem(r, _) => self.register(process, *r),
            Expr::Var(v) | Expr::VarElem(v, _) => self.var(*v),
            Expr::Unary(op, a) => unary(*op, self.expr(process, a)),
            Expr::Binary(op, a, b) => binary(*op, self.expr(process, a), self.expr(process, b)),
            Expr::Cond(_, a, b) => self.expr(process, a).join(self.expr(process, b)),
            Expr::In(p, e) => self.expr(*p, e).join(Interval::single(0)),
            Expr::At(..)
            | Expr::Drained(_)
            | Expr::Enabled(_)
            | Expr::Alive(_)
            | Expr::Timeout
            | Expr::Poll(_) => Interval::BOOL,
            Expr::Pid => self.pid(process),
            Expr::Processes => Interval { lo: 0, hi: self.pids.len() as i64 },
            Expr::Channel(ChannelQuery::Length, channel) => {
                let capacities = self.channels(process, channel);
                let most = capacities.map(|c| self.capacities[c.index()]).max().unwrap_or(0);
                Interval { lo: 0, hi: i64::from(most) }
            }
            Expr::Channel(ChannelQuery::Full | ChannelQuery::Empty, _) => Interval::BOOL,
        }
    }
}

/// The numbers a process can have: with processes on a stack, those that run from the start are numbered
/// in order, and one that can be spawned may have any number.
fn pids(program: &Program, process: ProcId) -> Interval {
    let def = program.process(process).def;
    let steps = program.defs.iter().flat_map(|d| &d.steps);
    let mut spawns = steps.flat_map(|s| &s.effects).filter_map(|e| match e {
        Effect::Spawn { def, .. } => Some(*def),
        _ => None,
    });
    match program.process(process).start {
        Start::Initially if !spawns.any(|d| d == def) => Interval::single(process.0.into()),
        _ => Interval { lo: 0, hi: program.processes.len() as i64 - 1 },
    }
}

/// Something that has an interval: a variable, a register of a process, or a field of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Thing {
    Var(VarId),
    Reg(ProcId, RegId),
    Field(ChanId, usize),
}

impl Thing {
    fn assigned(process: ProcId, place: &Lvalue) -> Thing {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => Thing::Reg(process, *r),
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => Thing::Var(*v),
        }
    }

    fn is_read_by(self, process: ProcId, expr: &Expr) -> bool {
        let mut found = false;
        expr.visit(&mut |e| {
            found |= match e {
                Expr::Reg(r) | Expr::RegElem(r, _) => self == Thing::Reg(process, *r),
                Expr::Var(v) | Expr::VarElem(v, _) => self == Thing::Var(*v),
                _ => false,
            }
        });
        found
    }
}

struct Analysis<'p> {
    program: &'p Program,
    ranges: Ranges,
    /// How often each thing has grown since the last widening.
    growth: HashMap<Thing, u32>,
    changed: bool,
}

impl Analysis<'_> {
    fn process(&mut self, p: ProcId) {
        let program = self.program;
        for step in &program.def_of(p).steps {
            taut_budget::tick();
            self.step(p, step);
        }
    }

    fn step(&mut self, p: ProcId, step: &Step) {
        if let Some(op) = &step.channel {
            self.channel(p, op);
        }
        for effect in &step.effects {
            match effect {
                Effect::Assign(list) => {
                    for a in list {
                        let thing = Thing::assigned(p, &a.place);
                        let value = self.ranges.expr(p, &a.value);
                        self.assign(thing, value, thing.is_read_by(p, &a.value));
                    }
                }
                Effect::Spawn { def, args, pid } => {
                    if let Some(place) = pid {
                        let most = self.program.processes.len() as i64 - 1;
                        let value = Interval { lo: 0, hi: most };
                        self.assign(Thing::assigned(p, place), value, false);
                    }
                    let values: Vec<_> = args.iter().map(|a| self.ranges.expr(p, a)).collect();
                    let program = self.program;
                    for slot in program.spawn_slots(*def) {
                        for (i, &value) in values.iter().enumerate() {
                            self.assign(Thing::Reg(slot, RegId::from(i)), value, false);
                        }
                    }
                }
                Effect::Assert { .. } | Effect::StoreFence | Effect::Fail(_) => {}
            }
        }
        if let Control::Call { procedure, args, .. } = &step.target {
            let params = &self.program.def_of(p).procedures[procedure.index()].registers;
            for (arg, &param) in args.iter().zip(params) {
                let thing = Thing::Reg(p, param);
                let value = self.ranges.expr(p, arg);
                self.assign(thing, value, thing.is_read_by(p, arg));
            }
        }
    }

    fn channel(&mut self, p: ProcId, op: &ChannelOp) {
        match op {
            ChannelOp::Send { channel, message, .. } => {
                let channels: Vec<_> = self.ranges.channels(p, channel).collect();
                for c in channels {
                    let fields = self.program.channel(c).fields.len();
                    for (i, value) in message.iter().take(fields).enumerate() {
                        let value = self.ranges.expr(p, value);
                        self.assign(Thing::Field(c, i), value, false);
                    }
                }
            }
            ChannelOp::Receive { channel, pattern, .. } => {
                for (i, field) in pattern.iter().enumerate() {
                    if let Pattern::Bind(place) = field {
                        let value = self.ranges.received(p, channel, i);
                        self.assign(Thing::assigned(p, place), value, false);
                    }
                }
            }
        }
    }

    fn assign(&mut self, thing: Thing, value: Interval, from_itself: bool) {
        let (ty, old) = match thing {
            Thing::Reg(p, r) => (self.program.register(p, r).ty, self.ranges.register(p, r)),
            Thing::Var(v) => (self.program.var(v).ty, self.ranges.var(v)),
            Thing::Field(c, i) => (self.program.channel(c).fields[i], self.ranges.field(c, i)),
        };
        let Some(value) = held(ty, value) else { return };
        if old.includes(value) {
            return;
        }
        self.changed = true;
        let growth = self.growth.entry(thing).or_default();
        *growth += 1;
        let new = if *growth > if from_itself { ROUNDS } else { MORE_ROUNDS } {
            self.growth.clear();
            ty.interval()
        } else {
            old.join(value)
        };
        match thing {
            Thing::Reg(p, r) => self.ranges.regs[p.index()][r.index()] = new,
            Thing::Var(v) => self.ranges.vars[v.index()] = new,
            Thing::Field(c, i) => self.ranges.fields[c.index()][i] = new,
        }
    }
}

/// What a variable of a type holds of an interval; `None` if every value is a fault.
fn held(ty: Type, value: Interval) -> Option<Interval> {
    let whole = ty.interval();
    if whole.includes(value) {
        return Some(value);
    }
    match ty.overflow {
        Overflow::Wrap => Some(whole),
        Overflow::Fault => {
            let part = Interval { lo: value.lo.max(ty.lo), hi: value.hi.min(ty.hi) };
            (part.lo <= part.hi).then_some(part)
        }
    }
}

fn unary(op: UnaryOp, a: Interval) -> Interval {
    match op {
        UnaryOp::Not => Interval::BOOL,
        UnaryOp::Neg => exact([-i128::from(a.lo), -i128::from(a.hi)]),
        UnaryOp::BitNot => Interval { lo: !a.hi, hi: !a.lo },
    }
}

/// The hull of the corner values, or everything if arithmetic could wrap around.
fn exact<const N: usize>(corners: [i128; N]) -> Interval {
    let lo = corners.into_iter().min().expect("a corner");
    let hi = corners.into_iter().max().expect("a corner");
    match (i64::try_from(lo), i64::try_from(hi)) {
        (Ok(lo), Ok(hi)) => Interval { lo, hi },
        _ => Interval::ALL,
    }
}

fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    let [al, ah, bl, bh] = [a.lo, a.hi, b.lo, b.hi].map(i128::from);
    let natural = a.lo >= 0 && b.lo >= 0;
    match op {
        BinaryOp::Add => exact([al + bl, ah + bh]),
        BinaryOp::Sub => exact([al - bh, ah - bl]),
        BinaryOp::Mul => exact([al * bl, al * bh, ah * bl, ah * bh]),
        BinaryOp::Div => exact([al, ah, -al, -ah]),
        BinaryOp::Rem => remainder(a, b),
        BinaryOp::BitAnd if natural => Interval { lo: 0, hi: a.hi.min(b.hi) },
        BinaryOp::BitOr | BinaryOp::BitXor if natural => {
            let bits = Interval { lo: 0, hi: a.hi.max(b.hi) }.bits();
            Interval { lo: 0, hi: ((1_u64 << bits) - 1) as i64 }
        }
        BinaryOp::Shr if a.lo >= 0 => Interval { lo: 0, hi: a.hi },
        BinaryOp::Shl if natural && b.hi < 63 => exact([al << bl, al << bh, ah << bl, ah << bh]),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shr | BinaryOp::Shl => {
            Interval::ALL
        }
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => Interval::BOOL,
    }
}

fn remainder(a: Interval, b: Interval) -> Interval {
    let largest = i128::from(b.lo).abs().max(i128::from(b.hi).abs()) - 1;
    let Ok(largest) = i64::try_from(largest.max(0)) else { return Interval::ALL };
    let lo = if a.lo >= 0 { 0 } else { (-largest).max(a.lo) };
    let hi = if a.hi <= 0 { 0 } else { largest.min(a.hi) };
    Interval { lo, hi }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval() -> impl Strategy<Value = Interval> {
        prop_oneof![(-20_i64..20, 0_i64..20), (any::<i64>(), 0_i64..20), (-3_i64..3, any::<i64>())]
            .prop_map(|(lo, len)| Interval { lo, hi: lo.saturating_add(len.saturating_abs()) })
    }

    fn member(i: Interval, pick: u64) -> i64 {
        let span = i.hi.wrapping_sub(i.lo) as u64;
        i.lo.wrapping_add(if span == u64::MAX { pick } else { pick % (span + 1) } as i64)
    }

    #[test]
    fn a_counter_is_widened_and_what_is_copied_from_it_is_not_widened_further() {
        use crate::build::ProgramBuilder;
        let mut b = ProgramBuilder::new("copy");
        let x = b.shared("x", Type::INT, 0);
        let y = b.shared("y", Type::INT, 0);
        let mut p = b.process("p");
        let byte = Type { lo: 0, hi: 255, overflow: Overflow::Wrap };
        let i = p.register("i", byte, 0);
        let start = p.here();
        let next = Expr::binary(BinaryOp::Add, i.into(), 1.into());
        p.store(x, i).store(y, x).set(i, next).goto(start);
        let p = p.finish();
        let ranges = Ranges::of(&b.build().unwrap());
        assert_eq!(ranges.register(p, i), byte.interval());
        assert_eq!(ranges.var(x), byte.interval());
        assert_eq!(ranges.var(y), byte.interval());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn an_operator_stays_in_its_interval(
            a in interval(), b in interval(), x: u64, y: u64, op in 0..BinaryOp::ALL.len()
        ) {
            let (op, x, y) = (BinaryOp::ALL[op], member(a, x), member(b, y));
            if let Ok(value) = op.apply(x, y) {
                prop_assert!(binary(op, a, b).contains(value), "{x} {op:?} {y} = {value}");
            }
            for op in UnaryOp::ALL {
                prop_assert!(unary(op, a).contains(op.apply(x)));
            }
        }
    }
}
