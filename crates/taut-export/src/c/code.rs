//! The code of a process definition: a function for its body and one for each procedure.
//!
//! At a label the thread is inside of an atomic section. If the program point is not atomic the section ends
//! there and another begins: that is where others move. Then one of the steps that can be taken is.

use taut_ir::{
    Assignment, Control, DefId, Effect, Expr, Lvalue, PointId, ProcedureId, ProcessDef,
    ProgramPoint, Start, Step, Type,
};

use super::Emitter;
use super::expr::Writer;
use super::text::{comment, string};
use crate::text::Text;

/// Writes one definition.
pub(super) struct Code<'c> {
    emitter: &'c Emitter<'c>,
    id: DefId,
    def: &'c ProcessDef,
    owner: Vec<Option<ProcedureId>>,
}

const FAULT: &str = "if (taut_fault) TAUT_ERROR(\"a step goes wrong\");";

impl<'c> Code<'c> {
    pub(super) fn new(emitter: &'c Emitter<'c>, id: DefId) -> Code<'c> {
        let def = &emitter.program.defs[id.index()];
        Code { emitter, id, def, owner: def.procedure_of() }
    }

    fn writer(&self) -> Writer<'c> {
        let Emitter { program, names, .. } = *self.emitter;
        Writer { program, names, own: Some((self.id, "me->")) }
    }

    fn name(&self) -> &'c str {
        self.emitter.names.def(self.id)
    }

    fn function(&self, procedure: ProcedureId) -> String {
        format!("{}_procedure_{}", self.name(), procedure.0)
    }

    pub(super) fn write(&self, text: &mut Text) {
        for p in (0..self.def.procedures.len()).map(ProcedureId::from) {
            text.line(&format!("static void {};", self.head(p)));
        }
        for p in (0..self.def.procedures.len()).map(ProcedureId::from) {
            self.procedure(text, p);
        }
        text.open(&format!("static void *{}(void *arg) {{", self.name()));
        text.line(&format!("struct {} *me = arg;", self.name()));
        text.line("TAUT_IS(me->number);");
        text.line("__VERIFIER_atomic_begin();");
        text.line(&format!("goto L{};", self.def.entry.0));
        self.points(text, None);
        text.line("return 0;");
        text.close("}");
        text.blank();
    }

    fn head(&self, id: ProcedureId) -> String {
        let params = self.def.procedures[id.index()].params;
        let params: String = (0..params).map(|i| format!(", long long arg{i}")).collect();
        format!("{}(struct {} *me{params})", self.function(id), self.name())
    }

    /// A procedure: its registers are saved on the C stack and have their old values again afterwards.
    fn procedure(&self, text: &mut Text, id: ProcedureId) {
        let procedure = &self.def.procedures[id.index()];
        text.open(&format!("static void {} {{ /* {} */", self.head(id), comment(&procedure.name)));
        for (i, r) in procedure.registers.iter().enumerate() {
            let name = self.emitter.names.register(self.id, *r);
            match self.def.registers[r.index()].len {
                None => text.line(&format!("long long saved{i} = me->{name};")),
                Some(len) => {
                    text.line(&format!("long long saved{i}[{len}];"));
                    text.line(&each(len, &format!("saved{i}[i] = me->{name}[i]")));
                }
            }
        }
        let own = procedure.registers.iter();
        let own = own.map(|r| (r.index(), self.def.registers[r.index()].clone()));
        self.emitter.reset(text, "me->", self.id, own);
        for (i, r) in procedure.registers.iter().take(procedure.params as usize).enumerate() {
            text.line(&format!("me->{} = arg{i};", self.emitter.names.register(self.id, *r)));
        }
        text.line(&format!("goto L{};", procedure.entry.0));
        self.points(text, Some(id));
        text.margin("leave:;");
        for (i, r) in procedure.registers.iter().enumerate() {
            let name = self.emitter.names.register(self.id, *r);
            match self.def.registers[r.index()].len {
                None => text.line(&format!("me->{name} = saved{i};")),
                Some(len) => text.line(&each(len, &format!("me->{name}[i] = saved{i}[i]"))),
            }
        }
        text.close("}");
        text.blank();
    }

    /// The program points of the body or of a procedure.
    fn points(&self, text: &mut Text, owner: Option<ProcedureId>) {
        let mut leaving: Vec<Vec<&Step>> = vec![Vec::new(); self.def.points.len()];
        self.def.steps.iter().for_each(|s| leaving[s.source.index()].push(s));
        for (index, steps) in leaving.iter().enumerate() {
            if self.owner[index] == owner {
                self.point(text, PointId::from(index), steps);
            }
        }
    }

    fn point(&self, text: &mut Text, id: PointId, steps: &[&Step]) {
        let point = &self.def.points[id.index()];
        // The empty statement lets anything follow the label.
        text.margin(&format!("L{}:;", id.0));
        let labels: Vec<_> = point.labels.iter().map(|l| comment(l)).collect();
        if !labels.is_empty() {
            text.line(&format!("/* {} */", labels.join(", ")));
        }
        if self.emitter.observed {
            text.line(&format!("me->pc = {};", id.0));
        }
        if steps.is_empty() {
            return self.stop(text, point);
        }
        text.line("taut_check();");
        if !point.atomic {
            text.line("__VERIFIER_atomic_end();");
            text.margin(&format!("R{}:;", id.0));
            text.line("__VERIFIER_atomic_begin();");
        }
        self.choice(text, id, point.atomic, steps);
    }

    /// No step leaves: the thread ends. A spawned process that has finished can be spawned again.
    fn stop(&self, text: &mut Text, point: &ProgramPoint) {
        let processes = &self.emitter.program.processes;
        let slot = |p: &taut_ir::Process| p.def == self.id && p.start == Start::Spawned;
        if point.end && processes.iter().any(slot) {
            let slots = self.emitter.program.process_ids();
            let slots = slots.filter(|p| slot(self.emitter.program.process(*p)));
            let is: Vec<_> =
                slots.map(|p| format!("me == &{}", self.emitter.names.process(p))).collect();
            text.line(&format!("if ({}) me->started = 0;", is.join(" || ")));
        }
        text.line("taut_check();");
        if point.atomic {
            // Everybody else waits for ever.
            text.line("__VERIFIER_assume(0);");
        }
        text.line("TAUT_ENDS(me->number);");
        text.line("__VERIFIER_atomic_end();");
        text.line("pthread_exit(0);");
    }

    fn choice(&self, text: &mut Text, id: PointId, atomic: bool, steps: &[&Step]) {
        text.open("{");
        text.line(&format!("unsigned int can[{}], n = 0;", steps.len()));
        for (i, step) in steps.iter().enumerate() {
            let can = self.can(step);
            match can.as_str() {
                "1LL" => text.line(&format!("can[n++] = {i};")),
                can => text.line(&format!("if ({can}) can[n++] = {i};")),
            }
        }
        text.line(FAULT);
        // Nobody can help who waits at an atomic program point.
        let wait = match atomic {
            true => "__VERIFIER_assume(0)".into(),
            false => format!("TAUT_WAIT(R{})", id.0),
        };
        text.line(&format!("if (n == 0) {wait};"));
        text.line("TAUT_GO_ON;");
        text.open("switch (can[__VERIFIER_nondet_uint() % n]) {");
        for (i, step) in steps.iter().enumerate() {
            let case = if i + 1 == steps.len() { "default".into() } else { format!("case {i}") };
            text.open(&format!("{case}: {{"));
            self.step(text, step);
            text.close("}");
        }
        text.close("}");
        text.close("}");
    }

    /// Whether a step can be taken.
    fn can(&self, step: &Step) -> String {
        let guard = self.writer().expr(&step.guard);
        let free = step.effects.iter().filter_map(|e| match e {
            Effect::Spawn { def, .. } => Some(self.free(*def)),
            _ => None,
        });
        let free: Vec<String> = free.collect();
        match free.first() {
            Some(free) => format!("({free}) && {guard}"),
            None => guard,
        }
    }

    /// Whether a process of a definition waits to be spawned.
    fn free(&self, def: DefId) -> String {
        let slots = self.emitter.program.spawn_slots(def);
        let free: Vec<_> =
            slots.map(|p| format!("!{}.started", self.emitter.names.process(p))).collect();
        if free.is_empty() { "0".into() } else { free.join(" || ") }
    }

    fn step(&self, text: &mut Text, step: &Step) {
        taut_budget::tick();
        step.effects.iter().for_each(|e| self.effect(text, e));
        match &step.target {
            Control::Goto(to) => text.line(&format!("goto L{};", to.0)),
            Control::Return => text.line("goto leave;"),
            Control::Exit => unreachable!("refused before anything is written"),
            Control::Call { procedure, args, return_to } => {
                let callee = &self.def.procedures[procedure.index()];
                let types = callee.registers.iter().map(|r| self.def.registers[r.index()].ty);
                self.arguments(text, args, types);
                let passed: String = (0..args.len()).map(|i| format!(", arg{i}")).collect();
                text.line(&format!("{}(me{passed});", self.function(*procedure)));
                text.line(&format!("goto L{};", return_to.0));
            }
        }
    }

    fn arguments(&self, text: &mut Text, args: &[Expr], types: impl Iterator<Item = Type>) {
        for (i, (arg, ty)) in args.iter().zip(types).enumerate() {
            text.line(&format!("long long arg{i} = {};", self.writer().fit(arg, ty)));
        }
        if !args.is_empty() {
            text.line(FAULT);
        }
    }

    fn effect(&self, text: &mut Text, effect: &Effect) {
        match effect {
            Effect::Assign(list) => self.assign(text, list),
            Effect::Assert { condition, property } => {
                let name = &self.emitter.program.property(*property).name;
                let said = string(&format!("assertion {name} fails"));
                let condition = self.writer().expr(condition);
                text.line(&format!("if (!({condition})) TAUT_ERROR({said});"));
                text.line(FAULT);
            }
            Effect::StoreFence => {}
            Effect::Fail(_) => text.line("TAUT_ERROR(\"a step goes wrong\");"),
            Effect::Spawn { def, args, .. } => self.spawn(text, *def, args),
        }
    }

    /// Assignments at the same time: everything is computed, and may go wrong, before anything is stored.
    fn assign(&self, text: &mut Text, list: &[Assignment]) {
        let writer = self.writer();
        text.open("{");
        for (i, a) in list.iter().enumerate() {
            let (_, ty, size) = self.target(&a.place);
            if let Some(index) = a.place.index() {
                text.line(&format!("long long at{i} = {};", writer.index(index, size)));
            }
            text.line(&format!("long long value{i} = {};", writer.fit(&a.value, ty)));
        }
        text.line(FAULT);
        for (i, a) in list.iter().enumerate() {
            let (name, ..) = self.target(&a.place);
            match a.place.index() {
                None => text.line(&format!("{name} = value{i};")),
                Some(_) => text.line(&format!("{name}[at{i}] = value{i};")),
            }
        }
        text.close("}");
    }

    /// What is assigned: its name, its type and its size.
    fn target(&self, place: &Lvalue) -> (String, Type, u32) {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => {
                let register = &self.def.registers[r.index()];
                let name = self.emitter.names.register(self.id, *r);
                (format!("me->{name}"), register.ty, register.size())
            }
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => {
                let var = self.emitter.program.var(*v);
                (self.emitter.names.var(*v).into(), var.ty, var.size())
            }
        }
    }

    /// Starts a thread for the first process of a definition that waits to be spawned.
    fn spawn(&self, text: &mut Text, def: DefId, args: &[Expr]) {
        let Emitter { program, names, observed } = *self.emitter;
        let child = &program.defs[def.index()];
        text.open("{");
        text.line("pthread_t thread;");
        let slots: String = program
            .spawn_slots(def)
            .map(|p| format!("!{0}.started ? &{0} : ", names.process(p)))
            .collect();
        self.arguments(text, args, child.registers.iter().map(|r| r.ty));
        text.line(&format!("struct {} *child = {slots}0;", names.def(def)));
        text.line("if (!child) TAUT_ERROR(\"no process is left\");");
        let all = child.registers.iter().cloned().enumerate();
        self.emitter.reset(text, "child->", def, all);
        for i in 0..args.len() {
            let name = names.register(def, taut_ir::RegId::from(i));
            text.line(&format!("child->{name} = arg{i};"));
        }
        if observed {
            text.line(&format!("child->pc = {};", child.entry.0));
        }
        text.line("child->started = 1;");
        text.line("TAUT_LIVES(child->number);");
        text.line(&format!("pthread_create(&thread, 0, {}, child);", names.def(def)));
        text.line("pthread_detach(thread);");
        text.close("}");
    }
}

/// A loop over the elements of an array.
fn each(len: u32, body: &str) -> String {
    format!("for (int i = 0; i < {len}; i++) {body};")
}
