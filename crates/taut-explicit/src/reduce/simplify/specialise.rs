//! A copy of the code for each process, with the values of its parameters in it.
//!
//! Processes of one definition often differ in a number that each is given when it starts, and use it to find
//! their own element of an array: `flag[i] := 1`. With the number in the code, an analysis of the code sees
//! which element it is: a process has no buffers for the elements of the others, choices by the number are
//! decided, and what only one process touches is its own.
//!
//! A parameter that no step assigns holds what the process was given for as long as it lives, if nobody starts the
//! process again. Steps keep their numbers in each copy; the copies come behind the given definitions.

use taut_ir::{
    Assignment, ChannelOp, Control, DefId, Effect, Expr, Lifecycle, Lvalue, Pattern, Poll, Process,
    ProcessDef, Program, RegId, Start, Step,
};

/// Gives each process with parameters code of its own. For each copy the definition that it is of.
pub(super) fn copy(program: &mut Program) -> Vec<DefId> {
    let mut copies = Vec::new();
    for p in 0..program.processes.len() {
        let process = &program.processes[p];
        let Some(values) = values(program, process) else { continue };
        let given = process.def;
        let mut def = program.defs[given.index()].clone();
        def.steps.iter_mut().for_each(|step| values.put_into(step));
        program.processes[p].def = DefId::from(program.defs.len());
        program.defs.push(def);
        copies.push(given);
    }
    copies
}

/// What a process was given: for each parameter that it keeps and reads, its value.
fn values(program: &Program, process: &Process) -> Option<Values> {
    let def = &program.defs[process.def.index()];
    if process.start != Start::Initially || is_spawned(program, process.def) {
        return None;
    }
    let is_kept = |r: RegId| {
        let mut stored = def.steps.iter().flat_map(Step::stores);
        let is_it = |place: &Lvalue| matches!(place, Lvalue::Reg(s) if *s == r);
        let on_stack = def.procedures.iter().any(|p| p.registers.contains(&r));
        let channel = def.channel_registers.iter().any(|(register, _)| *register == r);
        !on_stack && !channel && !stored.any(is_it) && reads(def, r)
    };
    let value = |(i, &arg): (usize, &i64)| is_kept(RegId::from(i)).then_some(arg);
    let values: Vec<Option<i64>> = process.args.iter().enumerate().map(value).collect();
    values.iter().any(Option::is_some).then_some(Values(values))
}

/// Whether some process of a definition may be started by another one.
fn is_spawned(program: &Program, def: DefId) -> bool {
    let steps = program.defs.iter().flat_map(|d| &d.steps);
    let spawns = |e: &Effect| matches!(e, Effect::Spawn { def: d, .. } if *d == def);
    program.lifecycle == Lifecycle::Stack && steps.flat_map(|s| &s.effects).any(spawns)
}

fn reads(def: &ProcessDef, r: RegId) -> bool {
    let mut exprs = def.steps.iter().flat_map(Step::expressions);
    exprs.any(|expr| expr.registers().contains(&r))
}

/// The values of parameters, where they are known.
struct Values(Vec<Option<i64>>);

impl Values {
    fn put_into(&self, step: &mut Step) {
        self.replace(&mut step.guard);
        match &mut step.channel {
            Some(ChannelOp::Send { channel, message, .. }) => {
                self.replace(channel);
                message.iter_mut().for_each(|e| self.replace(e));
            }
            Some(ChannelOp::Receive { channel, pattern, .. }) => {
                self.replace(channel);
                pattern.iter_mut().for_each(|field| self.put_into_field(field));
            }
            None => {}
        }
        step.effects.iter_mut().for_each(|effect| self.put_into_effect(effect));
        if let Control::Call { args, .. } = &mut step.target {
            args.iter_mut().for_each(|arg| self.replace(arg));
        }
    }

    fn put_into_field(&self, field: &mut Pattern) {
        match field {
            Pattern::Bind(place) => self.put_into_place(place),
            Pattern::Match(value) => self.replace(value),
            Pattern::Any => {}
        }
    }

    fn put_into_effect(&self, effect: &mut Effect) {
        match effect {
            Effect::Assign(list) => {
                for Assignment { place, value, .. } in list {
                    self.put_into_place(place);
                    self.replace(value);
                }
            }
            Effect::Assert { condition, .. } => self.replace(condition),
            Effect::Spawn { args, pid, .. } => {
                args.iter_mut().for_each(|arg| self.replace(arg));
                pid.iter_mut().for_each(|place| self.put_into_place(place));
            }
            Effect::StoreFence | Effect::Fail(_) => {}
        }
    }

    fn put_into_place(&self, place: &mut Lvalue) {
        match place {
            Lvalue::RegElem(_, index) | Lvalue::VarElem(_, index) => self.replace(index),
            Lvalue::Reg(_) | Lvalue::Var(_) => {}
        }
    }

    fn replace(&self, expr: &mut Expr) {
        taut_budget::tick();
        *expr = self.put(expr);
    }

    /// The expression with the values in it, and numbers where it then is one.
    fn put(&self, expr: &Expr) -> Expr {
        let boxed = |e: &Expr| Box::new(self.put(e));
        match expr {
            Expr::Reg(r) => match self.0.get(r.index()) {
                Some(Some(value)) => Expr::Const(*value),
                _ => expr.clone(),
            },
            Expr::RegElem(r, i) => Expr::RegElem(*r, boxed(i)),
            Expr::VarElem(v, i) => Expr::VarElem(*v, boxed(i)),
            Expr::Unary(op, a) => Expr::unary(*op, self.put(a)),
            Expr::Binary(op, a, b) => Expr::binary(*op, self.put(a), self.put(b)),
            Expr::Cond(c, a, b) => match self.put(c) {
                Expr::Const(0) => self.put(b),
                Expr::Const(_) => self.put(a),
                c => Expr::Cond(Box::new(c), boxed(a), boxed(b)),
            },
            Expr::Channel(query, channel) => Expr::Channel(*query, boxed(channel)),
            Expr::Poll(poll) => Expr::Poll(Box::new(Poll {
                channel: self.put(&poll.channel),
                pattern: poll.pattern.iter().map(|e| e.as_ref().map(|e| self.put(e))).collect(),
                anywhere: poll.anywhere,
            })),
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::In(..)
            | Expr::At(..)
            | Expr::Drained(_)
            | Expr::Enabled(_)
            | Expr::Pid
            | Expr::Processes
            | Expr::Alive(_)
            | Expr::Timeout => expr.clone(),
        }
    }
}
