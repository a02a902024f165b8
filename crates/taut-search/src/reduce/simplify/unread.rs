//! What is stored where nobody looks.
//!
//! Something is *needed* if what is asked looks at it, if it takes part in deciding what happens (a guard, an
//! index, a message, an assertion), or if what is stored into something needed, or could go wrong, is computed
//! from it. Everything else is *faint*: one may even be computed from the other, as a counter from itself. No
//! run, no finding and nothing that is asked depends on what a faint thing holds, so nothing need be stored in it,
//! and its bits are gone with its values.
//!
//! Registers and ghosts can be faint under every memory model. A shared variable can be only under SC: on relaxed
//! memory a store takes room in a buffer, which may be full, and keeps a fence waiting, whoever reads it.
//!
//! The store is left out, the step stays. What could fault stays, too: the fault is the step's outcome.

use taut_ir::{
    Assignment, ChannelOp, Control, DefId, Effect, Expr, Interval, MemoryModel, Pattern, Place,
    ProcessDef, Program, RegId, Step, VarId, VarKind,
};

use super::Question;
use super::faults::Faults;
use super::seen::Seen;

/// Drops what is stored in faint things.
pub(super) fn drop(program: &mut Program, model: MemoryModel, question: &Question) {
    let given = program.clone();
    let needs = Needs::of(&given, model, question);
    for (i, def) in program.defs.iter_mut().enumerate() {
        let code = Code { needs: &needs, program: &given, def: DefId::from(i) };
        def.steps.iter_mut().for_each(|step| code.clean(step));
    }
}

/// What is needed of a program.
struct Needs<'p> {
    faults: Faults<'p>,
    vars: Vec<bool>,
    /// For each definition, its registers.
    registers: Vec<Vec<bool>>,
    /// Whether the last round has found more.
    grown: bool,
}

impl<'p> Needs<'p> {
    fn of(program: &'p Program, model: MemoryModel, question: &Question) -> Needs<'p> {
        let seen = Seen::of(program, question);
        let var = |v: VarId| {
            let waits = program.var(v).kind == VarKind::Shared && model != MemoryModel::Sc;
            waits || seen.var(v)
        };
        let registers = |(i, def): (usize, &ProcessDef)| {
            let all = (0..def.registers.len()).map(RegId::from);
            all.map(|r| seen.register(DefId::from(i), r)).collect()
        };
        let mut needs = Needs {
            faults: Faults::of(program),
            vars: program.var_ids().map(var).collect(),
            registers: program.defs.iter().enumerate().map(registers).collect(),
            grown: true,
        };
        while std::mem::take(&mut needs.grown) {
            for (i, def) in program.defs.iter().enumerate() {
                let def_id = DefId::from(i);
                def.steps.iter().for_each(|step| needs.step(program, def_id, step));
            }
        }
        needs
    }

    fn step(&mut self, program: &Program, def: DefId, step: &Step) {
        self.read(def, &step.guard);
        step.channel.iter().for_each(|op| self.channel(program, def, op));
        for effect in &step.effects {
            match effect {
                Effect::Assign(list) => list.iter().for_each(|a| self.assignment(def, a)),
                Effect::Assert { condition, .. } => self.read(def, condition),
                Effect::StoreFence | Effect::Fail(_) => {}
                Effect::Spawn { def: child, args, pid } => {
                    for (i, arg) in args.iter().enumerate() {
                        self.argument(program, (def, arg), (*child, RegId::from(i)));
                    }
                    if let Some(place) = pid
                        && self.keeps_pid(program, def, place)
                    {
                        place.index().into_iter().for_each(|index| self.read(def, index));
                    }
                }
            }
        }
        if let Control::Call { procedure, args, .. } = &step.target {
            let params = &program.defs[def.index()].procedures[procedure.index()].registers;
            for (arg, &param) in args.iter().zip(params) {
                self.argument(program, (def, arg), (def, param));
            }
        }
    }

    fn channel(&mut self, program: &Program, def: DefId, op: &ChannelOp) {
        self.read(def, op.channel());
        match op {
            ChannelOp::Send { message, .. } => message.iter().for_each(|e| self.read(def, e)),
            ChannelOp::Receive { pattern, .. } => {
                for field in pattern {
                    match field {
                        Pattern::Match(value) => self.read(def, value),
                        Pattern::Bind(place) if self.keeps_bind(program, def, place) => {
                            place.index().into_iter().for_each(|index| self.read(def, index));
                        }
                        Pattern::Bind(_) | Pattern::Any => {}
                    }
                }
            }
        }
    }

    fn assignment(&mut self, def: DefId, a: &Assignment) {
        if self.keeps(def, a) {
            self.read(def, &a.value);
            a.place.index().into_iter().for_each(|index| self.read(def, index));
        }
    }

    fn argument(&mut self, program: &Program, from: (DefId, &Expr), to: (DefId, RegId)) {
        if self.keeps_argument(program, from, to) {
            self.read(from.0, from.1);
        }
    }

    /// Marks all that an expression of a definition reads.
    fn read(&mut self, def: DefId, expr: &Expr) {
        expr.visit(&mut |e| {
            let needed = match e {
                Expr::Var(v) | Expr::VarElem(v, _) => &mut self.vars[v.index()],
                // Of what is read of another process the registers are needed there already.
                Expr::Reg(r) | Expr::RegElem(r, _) => {
                    match self.registers[def.index()].get_mut(r.index()) {
                        Some(needed) => needed,
                        None => return,
                    }
                }
                _ => return,
            };
            self.grown |= !std::mem::replace(needed, true);
        });
    }

    fn is_needed(&self, def: DefId, place: &Place) -> bool {
        match place {
            Place::Reg(r) | Place::RegElem(r, _) => self.registers[def.index()][r.index()],
            Place::Var(v) | Place::VarElem(v, _) => self.vars[v.index()],
        }
    }

    fn keeps(&self, def: DefId, a: &Assignment) -> bool {
        self.is_needed(def, &a.place) || self.faults.assignment(def, a)
    }

    fn keeps_pid(&self, program: &Program, def: DefId, place: &Place) -> bool {
        let pids = Interval { lo: 0, hi: program.processes.len() as i64 - 1 };
        self.is_needed(def, place) || self.faults.store_any(def, place, pids)
    }

    /// Whether the receive of a field is to be kept. What may be in it is taken from the types of all channels.
    fn keeps_bind(&self, program: &Program, def: DefId, place: &Place) -> bool {
        let fields = program.channels.iter().flat_map(|c| &c.fields).map(|ty| ty.interval());
        let values = fields.fold(Interval::single(0), Interval::join);
        self.is_needed(def, place) || self.faults.store_any(def, place, values)
    }

    fn keeps_argument(
        &self,
        program: &Program,
        (def, value): (DefId, &Expr),
        (to, param): (DefId, RegId),
    ) -> bool {
        let ty = program.defs[to.index()].registers[param.index()].ty;
        self.registers[to.index()][param.index()] || self.faults.argument(def, ty, value)
    }
}

/// The code of a definition, about to lose stores.
struct Code<'a, 'p> {
    needs: &'a Needs<'p>,
    program: &'a Program,
    def: DefId,
}

impl Code<'_, '_> {
    fn clean(&self, step: &mut Step) {
        if let Some(ChannelOp::Receive { pattern, .. }) = &mut step.channel {
            pattern.iter_mut().for_each(|field| self.clean_field(field));
        }
        step.effects.iter_mut().for_each(|effect| self.clean_effect(effect));
        step.effects.retain(|effect| !matches!(effect, Effect::Assign(list) if list.is_empty()));
        if let Control::Call { procedure, args, .. } = &mut step.target {
            let def = &self.program.defs[self.def.index()];
            let params = &def.procedures[procedure.index()].registers;
            for (arg, &param) in args.iter_mut().zip(params) {
                self.clean_argument(arg, (self.def, param));
            }
        }
    }

    fn clean_field(&self, field: &mut Pattern) {
        if let Pattern::Bind(place) = field
            && !self.needs.keeps_bind(self.program, self.def, place)
        {
            *field = Pattern::Any;
        }
    }

    fn clean_effect(&self, effect: &mut Effect) {
        match effect {
            Effect::Assign(list) => list.retain(|a| self.needs.keeps(self.def, a)),
            Effect::Spawn { def: child, args, pid } => {
                for (i, arg) in args.iter_mut().enumerate() {
                    self.clean_argument(arg, (*child, RegId::from(i)));
                }
                let (program, def) = (self.program, self.def);
                pid.take_if(|place| !self.needs.keeps_pid(program, def, place));
            }
            Effect::Assert { .. } | Effect::StoreFence | Effect::Fail(_) => {}
        }
    }

    /// A faint parameter gets its first value.
    fn clean_argument(&self, arg: &mut Expr, to: (DefId, RegId)) {
        if !self.needs.keeps_argument(self.program, (self.def, arg), to) {
            let register = &self.program.defs[to.0.index()].registers[to.1.index()];
            *arg = Expr::Const(register.init[0]);
        }
    }
}
