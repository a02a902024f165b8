//! Whether a computation could fault, by a look at the code.
//!
//! Each operation that can go wrong is compared with the values that its operands can have ([`Ranges`]). The answer
//! "no" is certain. "Yes" means that the code does not rule a fault out. No machine is built for this: the analysis of
//! ranges is all that it costs.

use crate::ranges::Ranges;
use crate::{
    Assignment, BinaryOp, ChannelOp, Control, DefId, Effect, Expr, Interval, Lvalue, Overflow,
    Pattern, ProcId, Program, Step, Type,
};

/// Whether some step of a valid program could fault. The expressions of properties never do: one that has no value
/// counts as false.
pub fn may_fault(program: &Program) -> bool {
    let faults = Faults::of(program);
    program.process_ids().any(|process| faults.process(process))
}

/// Which computations of a program could fault.
pub struct Faults<'p> {
    program: &'p Program,
    ranges: Ranges,
    /// The processes of each definition.
    processes: Vec<Vec<ProcId>>,
}

impl<'p> Faults<'p> {
    /// Computes the ranges of a valid program.
    pub fn of(program: &'p Program) -> Faults<'p> {
        let mut processes = vec![Vec::new(); program.defs.len()];
        for p in program.process_ids() {
            processes[program.process(p).def.index()].push(p);
        }
        Faults { program, ranges: Ranges::of(program), processes }
    }

    /// Whether an expression of a definition can fault in any of its processes.
    pub fn expr_of(&self, def: DefId, expr: &Expr) -> bool {
        taut_budget::tick();
        self.any_of(def, |p| self.expr(p, expr))
    }

    /// Whether an assignment of a definition can fault.
    pub fn assignment_of(&self, def: DefId, a: &Assignment) -> bool {
        self.any_of(def, |p| {
            self.index_of(p, &a.place) || self.fits_not(p, self.type_of(p, &a.place), &a.value)
        })
    }

    /// Whether storing one of these values can fault in a definition.
    pub fn store_any_of(&self, def: DefId, place: &Lvalue, values: Interval) -> bool {
        self.any_of(def, |p| self.index_of(p, place) || overflows(self.type_of(p, place), values))
    }

    /// Whether handing over an argument of a definition for a parameter of a type can fault.
    pub fn argument_of(&self, def: DefId, ty: Type, value: &Expr) -> bool {
        self.any_of(def, |p| self.fits_not(p, ty, value))
    }

    /// Whether a step of a definition can fault in any of its processes.
    pub fn step_of(&self, def: DefId, step: &Step) -> bool {
        self.any_of(def, |p| self.step(p, step))
    }

    /// Whether computing a value can fault, or making it fit a type.
    fn fits_not(&self, process: ProcId, ty: Type, value: &Expr) -> bool {
        self.expr(process, value) || overflows(ty, self.ranges.expr(process, value))
    }

    /// Whether an expression of a definition is 0 in all of its processes, without a fault.
    pub fn is_false_in(&self, def: DefId, expr: &Expr) -> bool {
        let zero = Interval::single(0);
        let may_be_true = |p| self.ranges.expr(p, expr) != zero && !self.falls(p, expr);
        !self.any_of(def, may_be_true) && !self.expr_of(def, expr)
    }

    fn any_of(&self, def: DefId, mut is: impl FnMut(ProcId) -> bool) -> bool {
        self.processes[def.index()].iter().any(|&p| is(p))
    }

    /// Whether a comparison or a connective can only be false. Ranges alone say of those that they are 0 or 1.
    fn falls(&self, p: ProcId, expr: &Expr) -> bool {
        let Expr::Binary(op, a, b) = expr else { return false };
        let (x, y) = (self.ranges.expr(p, a), self.ranges.expr(p, b));
        match op {
            BinaryOp::Eq => x.hi < y.lo || y.hi < x.lo,
            BinaryOp::Ne => x == y && x.lo == x.hi,
            BinaryOp::Lt => x.lo >= y.hi,
            BinaryOp::Le => x.lo > y.hi,
            BinaryOp::Gt => x.hi <= y.lo,
            BinaryOp::Ge => x.hi < y.lo,
            BinaryOp::And => self.falls(p, a) || self.falls(p, b),
            _ => false,
        }
    }

    fn process(&self, process: ProcId) -> bool {
        self.program.def_of(process).steps.iter().any(|step| self.step(process, step))
    }

    fn step(&self, process: ProcId, step: &Step) -> bool {
        taut_budget::tick();
        step.expressions().into_iter().any(|expr| self.expr(process, expr))
            || step.stores().any(|place| self.index_of(process, place))
            || step.channel.as_ref().is_some_and(|op| self.message(process, op))
            || step.effects.iter().any(|effect| self.effect(process, effect))
            || self.call(process, &step.target)
    }

    fn expr(&self, process: ProcId, expr: &Expr) -> bool {
        if let Expr::In(other, inner) = expr {
            return self.expr(*other, inner);
        }
        let mut operands = expr.operands().into_iter();
        self.operation(process, expr) || operands.any(|e| self.expr(process, e))
    }

    /// Whether an operation can go wrong after its operands have been computed.
    fn operation(&self, process: ProcId, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                self.ranges.expr(process, divisor).contains(0)
            }
            Expr::Binary(BinaryOp::Shl | BinaryOp::Shr, _, distance) => {
                !BITS.includes(self.ranges.expr(process, distance))
            }
            Expr::RegElem(register, index) => {
                let len = self.program.register(process, *register).size();
                self.leaves(process, index, len)
            }
            Expr::VarElem(var, index) => self.leaves(process, index, self.program.var(*var).size()),
            Expr::Channel(_, channel) => self.is_no_channel(process, channel),
            Expr::Poll(poll) => self.is_no_channel(process, &poll.channel),
            _ => false,
        }
    }

    /// Whether an index can be outside of an array of a length.
    fn leaves(&self, process: ProcId, index: &Expr, len: u32) -> bool {
        let inside = Interval { lo: 0, hi: i64::from(len) - 1 };
        !inside.includes(self.ranges.expr(process, index))
    }

    fn index_of(&self, process: ProcId, place: &Lvalue) -> bool {
        match place {
            Lvalue::RegElem(register, index) => {
                let len = self.program.register(process, *register).size();
                self.leaves(process, index, len) || self.expr(process, index)
            }
            Lvalue::VarElem(var, index) => {
                let len = self.program.var(*var).size();
                self.leaves(process, index, len) || self.expr(process, index)
            }
            Lvalue::Reg(_) | Lvalue::Var(_) => false,
        }
    }

    fn is_no_channel(&self, process: ProcId, channel: &Expr) -> bool {
        let all = Interval { lo: 1, hi: self.program.channels.len() as i64 };
        !all.includes(self.ranges.expr(process, channel))
    }

    fn message(&self, process: ProcId, op: &ChannelOp) -> bool {
        if self.is_no_channel(process, op.channel()) {
            return true;
        }
        match op {
            ChannelOp::Send { channel, message, .. } => self.send(process, channel, message),
            ChannelOp::Receive { channel, pattern, .. } => self.receive(process, channel, pattern),
        }
    }

    fn send(&self, process: ProcId, channel: &Expr, message: &[Expr]) -> bool {
        self.ranges.channels(process, channel).any(|c| {
            let mut fields = message.iter().zip(&self.program.channel(c).fields);
            fields.any(|(value, ty)| overflows(*ty, self.ranges.expr(process, value)))
        })
    }

    fn receive(&self, process: ProcId, channel: &Expr, pattern: &[Pattern]) -> bool {
        pattern.iter().enumerate().any(|(field, pattern)| match pattern {
            Pattern::Bind(place) => {
                let received = self.received(process, channel, field);
                overflows(self.type_of(process, place), received)
            }
            Pattern::Match(_) | Pattern::Any => false,
        })
    }

    /// The values that a receive can find in a field. A field that a message does not have is 0.
    fn received(&self, process: ProcId, channel: &Expr, field: usize) -> Interval {
        let values = self.ranges.channels(process, channel).map(|c| {
            let is_field = field < self.program.channel(c).fields.len();
            if is_field { self.ranges.field(c, field) } else { Interval::single(0) }
        });
        values.reduce(Interval::join).unwrap_or(Interval::single(0))
    }

    fn effect(&self, process: ProcId, effect: &Effect) -> bool {
        match effect {
            Effect::Assign(list) => list.iter().any(|a| {
                let value = self.ranges.expr(process, &a.value);
                overflows(self.type_of(process, &a.place), value)
            }),
            Effect::Spawn { def, pid, .. } => {
                let def = &self.program.defs[def.index()];
                let mut params = def.registers.iter().take(def.params as usize);
                let most = self.program.processes.len() as i64 - 1;
                let pids = Interval { lo: 0, hi: most };
                // The values of arguments are not compared: one type that faults is enough.
                params.any(|r| r.ty.overflow == Overflow::Fault)
                    || pid.as_ref().is_some_and(|p| overflows(self.type_of(process, p), pids))
            }
            Effect::Fail(_) => true,
            Effect::Assert { .. } | Effect::StoreFence => false,
        }
    }

    fn call(&self, process: ProcId, target: &Control) -> bool {
        let Control::Call { procedure, args, .. } = target else { return false };
        let def = self.program.def_of(process);
        let registers = &def.procedures[procedure.index()].registers;
        args.iter().zip(registers).any(|(arg, register)| {
            overflows(def.registers[register.index()].ty, self.ranges.expr(process, arg))
        })
    }

    fn type_of(&self, process: ProcId, place: &Lvalue) -> Type {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => self.program.register(process, *r).ty,
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => self.program.var(*v).ty,
        }
    }
}

/// Distances by which a number can be shifted.
const BITS: Interval = Interval { lo: 0, hi: 63 };

/// Whether a value of an interval can be too large for a type, and a fault therefore.
fn overflows(ty: Type, value: Interval) -> bool {
    ty.overflow == Overflow::Fault && !ty.interval().includes(value)
}
