//! What is stored where nobody looks.
//!
//! Something is *needed* if what is asked looks at it, if it takes part in deciding what happens (a guard, an
//! index, a message, an assertion), if a store to it could go wrong, or if what is stored into something needed is
//! computed from it. Everything else is *faint*: one may even be computed from the other, as a counter from
//! itself. No run, no finding and nothing that is asked depends on what a faint thing holds, so nothing is stored in
//! it, by nobody, and its bits are gone with its values.
//!
//! Registers and ghosts can be faint under every memory model. A shared variable can be only under SC: on relaxed
//! memory a store takes room in a buffer, which may be full, and keeps a fence waiting, whoever reads it. An atomic
//! write, of whatever, waits for the buffer itself.
//!
//! The store is left out, the step stays. A faint parameter is given its first value by everybody who starts its
//! process or calls its procedure, and has it from the start.

use taut_fault::{Fault, is_on};
use taut_ir::{
    Assignment, ChannelOp, Control, DefId, Effect, Expr, Faults, Interval, Lvalue, MemoryModel,
    Pattern, ProcessDef, Program, RegId, Step, VarId, VarKind,
};

use super::Question;
use super::question::Seen;

/// Drops what is stored in faint things.
pub(super) fn drop(program: &mut Program, model: MemoryModel, question: &Question) {
    let given = program.clone();
    let needs = Needs::of(&given, model, question);
    for (i, def) in program.defs.iter_mut().enumerate() {
        let code = Code { needs: &needs, program: &given, def: DefId::from(i) };
        def.steps.iter_mut().for_each(|step| code.clean(step));
    }
    for process in &mut program.processes {
        let registers = &given.defs[process.def.index()].registers;
        let needed = &needs.registers[process.def.index()];
        for (i, arg) in process.args.iter_mut().enumerate().filter(|(i, _)| !needed[*i]) {
            *arg = registers[i].init[0];
        }
    }
}

/// What is needed of a program.
struct Needs<'p> {
    model: MemoryModel,
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
            let waits = program.var(v).kind == VarKind::Shared && model.is_relaxed();
            waits || seen.var(v)
        };
        let registers = |(i, def): (usize, &ProcessDef)| {
            let id = DefId::from(i);
            let all = (0..def.registers.len()).map(RegId::from);
            all.map(|r| seen.of_def(id).registers.contains(&r)).collect()
        };
        let mut needs = Needs {
            model,
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
        if !is_on(Fault::GuardsNeedNothing) {
            self.read(def, &step.guard);
        }
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
                    let pids = Interval { lo: 0, hi: program.processes.len() as i64 - 1 };
                    pid.iter().for_each(|place| self.store_any(def, place, pids));
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
                // What may be in a field is taken from the types of all channels.
                let fields = program.channels.iter().flat_map(|c| &c.fields);
                let values =
                    fields.map(|ty| ty.interval()).fold(Interval::single(0), Interval::join);
                for field in pattern {
                    match field {
                        Pattern::Match(value) => self.read(def, value),
                        Pattern::Bind(place) => self.store_any(def, place, values),
                        Pattern::Any => {}
                    }
                }
            }
        }
    }

    /// A store to a place of a value that is computed.
    fn assignment(&mut self, def: DefId, a: &Assignment) {
        let waits = a.atomic && self.model.is_relaxed();
        if waits || self.faults.assignment_of(def, a) {
            self.mark(def, &a.place);
        }
        if self.is_needed(def, &a.place) {
            self.read(def, &a.value);
            a.place.index().into_iter().for_each(|index| self.read(def, index));
        }
    }

    /// A store to a place of one of these values.
    fn store_any(&mut self, def: DefId, place: &Lvalue, values: Interval) {
        if self.faults.store_any_of(def, place, values) {
            self.mark(def, place);
        }
        if self.is_needed(def, place) {
            place.index().into_iter().for_each(|index| self.read(def, index));
        }
    }

    fn argument(
        &mut self,
        program: &Program,
        (def, value): (DefId, &Expr),
        (to, param): (DefId, RegId),
    ) {
        let ty = program.defs[to.index()].registers[param.index()].ty;
        if self.faults.argument_of(def, ty, value) {
            self.mark(to, &Lvalue::Reg(param));
        }
        if self.is_needed(to, &Lvalue::Reg(param)) {
            self.read(def, value);
        }
    }

    /// Marks all that an expression of a definition reads.
    fn read(&mut self, def: DefId, expr: &Expr) {
        taut_budget::tick();
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

    /// Marks what a place is in.
    fn mark(&mut self, def: DefId, place: &Lvalue) {
        let needed = match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => &mut self.registers[def.index()][r.index()],
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => &mut self.vars[v.index()],
        };
        self.grown |= !std::mem::replace(needed, true);
    }

    fn is_needed(&self, def: DefId, place: &Lvalue) -> bool {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => self.registers[def.index()][r.index()],
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => self.vars[v.index()],
        }
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
            && !self.needs.is_needed(self.def, place)
        {
            *field = Pattern::Any;
        }
    }

    fn clean_effect(&self, effect: &mut Effect) {
        match effect {
            Effect::Assign(list) => list.retain(|a| self.needs.is_needed(self.def, &a.place)),
            Effect::Spawn { def: child, args, pid } => {
                for (i, arg) in args.iter_mut().enumerate() {
                    self.clean_argument(arg, (*child, RegId::from(i)));
                }
                pid.take_if(|place| !self.needs.is_needed(self.def, place));
            }
            Effect::Assert { .. } | Effect::StoreFence | Effect::Fail(_) => {}
        }
    }

    fn clean_argument(&self, arg: &mut Expr, (to, param): (DefId, RegId)) {
        if !self.needs.is_needed(to, &Lvalue::Reg(param)) {
            let register = &self.program.defs[to.index()].registers[param.index()];
            *arg = Expr::Const(register.init[0]);
        }
    }
}
