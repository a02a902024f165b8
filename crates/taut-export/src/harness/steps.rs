//! Steps: the guard, the effects, and where the process goes.

use taut_ir::{
    Assignment, Control, Effect, Expr, Lvalue, Mode, PointId, Step, Type, VarId, VarKind,
};

use super::code::{Code, Function};
use super::locked::NOW;
use super::values::Values;
use crate::text::Text;

/// What stands around the effects of a step.
#[derive(Clone, Copy)]
pub(super) struct Section {
    pub function: Function,
    /// Whether the thread has the lock of the observers.
    pub observes: bool,
    pub storing: Storing,
}

/// The way in which a step stores to shared memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Storing {
    /// By plain stores, or by an exchange if the assignment is atomic.
    Plain,
    /// By one compare-and-exchange after all effects.
    Exchange,
    /// Not at all.
    Nothing,
}

impl Section {
    /// What is to be done before the step is left.
    fn unlock(self) -> &'static str {
        if self.observes { "taut_unlock(me); " } else { "" }
    }
}

impl Code<'_> {
    /// A step, which ends in a jump. Where its guard is false it jumps to a label; without one the guard is true.
    pub(super) fn step(
        &self,
        text: &mut Text,
        function: Function,
        step: &Step,
        behind: Option<&str>,
    ) {
        taut_budget::tick();
        text.open("{");
        if step.mode == Mode::Locked {
            self.locked(text, function, step, behind);
        } else {
            self.plain(text, function, step, behind);
        }
        text.close("}");
    }

    fn plain(&self, text: &mut Text, function: Function, step: &Step, behind: Option<&str>) {
        let section = Section { function, observes: self.observes(step), storing: Storing::Plain };
        if step.mode == Mode::Fence || step.drains {
            text.line("TAUT_FENCE;");
        }
        if section.observes {
            text.line("taut_lock(me);");
        }
        let mut values = self.values(function);
        if step.whole {
            values = values.once();
        }
        self.guard(text, step, &mut values, behind, section);
        self.effects(text, step, &mut values, section);
        self.end_section(text, step, section);
        self.jump(text, function, step, values);
    }

    /// Whether a step accesses a ghost.
    pub(super) fn observes(&self, step: &Step) -> bool {
        let mut stores = step.stores().filter_map(Lvalue::variable);
        let mut reads = step.expressions().into_iter().flat_map(Expr::variables);
        stores.any(|v| self.is_ghost(v)) || reads.any(|v| self.is_ghost(v))
    }

    fn is_ghost(&self, var: VarId) -> bool {
        self.writer.program.var(var).kind == VarKind::Ghost
    }

    /// Ends a section of observers. What they see may have changed.
    pub(super) fn end_section(&self, text: &mut Text, step: &Step, section: Section) {
        if !section.observes {
            return;
        }
        let changes = step.stores().filter_map(Lvalue::variable).any(|v| self.is_ghost(v));
        if changes && !self.writer.flight.is_empty() {
            text.line("taut_flight(me);");
        }
        text.line("taut_unlock(me);");
    }

    /// Leaves the step where its guard is false.
    pub(super) fn guard(
        &self,
        text: &mut Text,
        step: &Step,
        values: &mut Values<'_>,
        behind: Option<&str>,
        section: Section,
    ) {
        let Some(behind) = behind.filter(|_| step.guard != Expr::TRUE) else { return };
        let guard = values.value(text, &step.guard);
        text.line(&format!("int holds = ({guard}) != 0;"));
        self.fault(text, values, section);
        text.line(&format!("if (!holds) {{ {}goto {behind}; }}", section.unlock()));
    }

    /// The effects of a step.
    pub(super) fn effects(
        &self,
        text: &mut Text,
        step: &Step,
        values: &mut Values<'_>,
        section: Section,
    ) {
        for effect in &step.effects {
            match effect {
                Effect::Assign(list) => self.assign(text, list, values, section),
                Effect::Assert { condition, property } => {
                    let condition = values.value(text, condition);
                    let bit = self.writer.bit(*property).expect("an assertion has a bit");
                    text.line(&format!("if (!({condition})) me->failed |= (uint64_t)1 << {bit};"));
                    self.fault(text, values, section);
                }
                Effect::StoreFence => text.line("TAUT_STORE_FENCE;"),
                Effect::Fail(_) => {
                    text.line("taut_fault = 1;");
                    values.may_fault = true;
                    self.fault(text, values, section);
                }
                Effect::Spawn { .. } => unreachable!("refused before anything is written"),
            }
        }
    }

    /// Assignments at the same time: everything is loaded and computed before anything is stored.
    fn assign(
        &self,
        text: &mut Text,
        list: &[Assignment],
        values: &mut Values<'_>,
        section: Section,
    ) {
        let mut stores = Vec::new();
        for a in list {
            let (ty, size) = self.target(&a.place);
            let index = a.place.index().map(|index| {
                let index = values.index(text, index, size);
                let at = text.fresh("at");
                text.line(&format!("word {at} = {index};"));
                text.line(&format!("(void){at};"));
                at
            });
            let value = values.fit(text, &a.value, ty);
            let computed = text.fresh("new");
            text.line(&format!("word {computed} = {value};"));
            stores.push((a, index, computed));
        }
        self.fault(text, values, section);
        for (a, index, computed) in stores {
            let target = self.assigned(&a.place, index.as_deref(), section);
            text.line(&match a.atomic && section.storing == Storing::Plain {
                true => {
                    format!("(void)__atomic_exchange_n(&{target}, {computed}, __ATOMIC_SEQ_CST);")
                }
                false => format!("{target} = {computed};"),
            });
        }
        values.forget();
    }

    /// What is assigned, in C.
    fn assigned(&self, place: &Lvalue, index: Option<&str>, section: Section) -> String {
        let index = index.unwrap_or("0");
        let register = |r| {
            let (access, name) =
                (section.function.access(), self.writer.names.register(self.id, r));
            format!("{access}{name}")
        };
        match place {
            Lvalue::Reg(r) => register(*r),
            Lvalue::RegElem(r, _) => format!("{}[{index}]", register(*r)),
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => {
                let slot = self.writer.slot(*v);
                match self.is_ghost(*v) {
                    true => format!("me->side->ghost[{slot} + {index}]"),
                    false if section.storing == Storing::Exchange => NOW.into(),
                    false => format!("v{slot}[{index}]"),
                }
            }
        }
    }

    /// The type of what is assigned, and its size.
    fn target(&self, place: &Lvalue) -> (Type, u32) {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => {
                let register = &self.def.registers[r.index()];
                (register.ty, register.size())
            }
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => {
                let var = self.writer.program.var(*v);
                (var.ty, var.size())
            }
        }
    }

    /// Ends the round if something went wrong since this was last asked.
    pub(super) fn fault(&self, text: &mut Text, values: &mut Values<'_>, section: Section) {
        if !std::mem::take(&mut values.may_fault) {
            return;
        }
        text.open("if (taut_fault) {");
        if section.storing == Storing::Exchange {
            self.only_real_faults(text, section);
        }
        text.line(&format!("{}return taut_faulted(me);", section.unlock()));
        text.close("}");
    }

    /// Where the process goes.
    pub(super) fn jump(
        &self,
        text: &mut Text,
        function: Function,
        step: &Step,
        mut values: Values<'_>,
    ) {
        match &step.target {
            Control::Goto(to) => self.goto(text, step.source, *to),
            Control::Return => text.line("goto leave;"),
            Control::Exit => unreachable!("refused before anything is written"),
            Control::Call { procedure, args, return_to } => {
                let callee = &self.def.procedures[procedure.index()];
                let mut passed = String::new();
                for (arg, r) in args.iter().zip(&callee.registers) {
                    let value = values.fit(text, arg, self.def.registers[r.index()].ty);
                    let name = text.fresh("arg_");
                    text.line(&format!("word {name} = {value};"));
                    passed.push_str(&format!(", {name}"));
                }
                let section = Section { function, observes: false, storing: Storing::Nothing };
                self.fault(text, &mut values, section);
                let (name, own) = (self.procedure_name(*procedure), function.registers());
                text.line(&format!("if ({name}(me, {own}{passed})) return 1;"));
                self.goto(text, step.source, *return_to);
            }
        }
    }

    /// A jump. Every cycle has one that does not lead forward, which takes fuel.
    fn goto(&self, text: &mut Text, from: PointId, to: PointId) {
        if to <= from {
            text.line("if (taut_back(me)) return 1;");
        }
        text.line(&format!("goto L{};", to.0));
    }
}
