//! The code of a process definition: a function for its body and one for each procedure.
//!
//! A function returns 0 when it comes to its end, and 1 when the round is over. Program points are labels. Of several
//! steps that can be taken a random one is; where none can, the thread waits.

use std::collections::BTreeSet;

use taut_ir::{
    DefId, Expr, Mode, PointId, ProcedureId, ProcessDef, PropertyKind, Step, VarId, VarKind,
};

use super::Writer;
use super::steps::{Section, Storing};
use super::values::{Scope, Values};
use crate::c::text::comment;
use crate::text::Text;

/// Writes one definition.
pub(super) struct Code<'c> {
    pub(super) writer: &'c Writer<'c>,
    pub(super) id: DefId,
    pub(super) def: &'c ProcessDef,
    owner: Vec<Option<ProcedureId>>,
    /// The program points at which a process of this definition is marked.
    marked: BTreeSet<PointId>,
}

/// A function: the body of the definition, or a procedure.
#[derive(Clone, Copy)]
pub(super) struct Function {
    procedure: Option<ProcedureId>,
}

impl Function {
    /// How registers are reached.
    pub(super) fn access(self) -> &'static str {
        // The body has a copy of its own, so that the compiler keeps registers out of memory where it can.
        if self.procedure.is_none() { "own." } else { "registers->" }
    }

    /// The registers as an argument.
    pub(super) fn registers(self) -> &'static str {
        if self.procedure.is_none() { "&own" } else { "registers" }
    }
}

impl<'c> Code<'c> {
    pub(super) fn new(writer: &'c Writer<'c>, id: DefId) -> Code<'c> {
        let def = &writer.program.defs[id.index()];
        Code { writer, id, def, owner: def.procedure_of(), marked: marked(writer, id) }
    }

    fn name(&self) -> &'c str {
        self.writer.names.def(self.id)
    }

    pub(super) fn procedure_name(&self, procedure: ProcedureId) -> String {
        format!("{}_procedure_{}", self.name(), procedure.0)
    }

    pub(super) fn values<'v>(&'v self, function: Function) -> Values<'v> {
        Values::new(self.writer, Scope::Step(self.id, function.access()))
    }

    pub(super) fn write(&self, text: &mut Text) {
        for p in (0..self.def.procedures.len()).map(ProcedureId::from) {
            text.line(&format!("static int {};", self.head(p)));
        }
        for p in (0..self.def.procedures.len()).map(ProcedureId::from) {
            self.procedure(text, p);
        }
        let structure = self.writer.structure(self.id);
        let arguments = format!("struct taut_thread *me, struct {structure} *registers");
        text.line(&format!("/* {} */", comment(&self.def.name)));
        text.open(&format!("static int {}({arguments}) {{", self.name()));
        text.line(&format!("struct {structure} own = *registers;"));
        let body = Function { procedure: None };
        self.locals(text, body);
        text.line("(void)own;");
        text.line(&format!("goto L{};", self.def.entry.0));
        self.points(text, body);
        text.close("}");
        text.blank();
    }

    fn head(&self, id: ProcedureId) -> String {
        let params = self.def.procedures[id.index()].params;
        let params: String = (0..params).map(|i| format!(", word arg{i}")).collect();
        let (name, structure) = (self.procedure_name(id), self.writer.structure(self.id));
        format!("{name}(struct taut_thread *me, struct {structure} *registers{params})")
    }

    /// A procedure: its registers are saved on the C stack and have their old values again afterwards.
    fn procedure(&self, text: &mut Text, id: ProcedureId) {
        let procedure = &self.def.procedures[id.index()];
        let function = Function { procedure: Some(id) };
        text.line(&format!("/* {} */", comment(&procedure.name)));
        text.open(&format!("static int {} {{", self.head(id)));
        text.line(&format!("struct {} saved = *registers;", self.writer.structure(self.id)));
        self.locals(text, function);
        text.line(&format!(
            "if (++me->depth > {}) return taut_give_up(me);",
            self.writer.program.call_depth
        ));
        for (i, r) in procedure.registers.iter().enumerate() {
            let name = self.writer.names.register(self.id, *r);
            let register = &self.def.registers[r.index()];
            if i < procedure.params as usize {
                text.line(&format!("registers->{name} = arg{i};"));
                continue;
            }
            for (k, value) in register.init.iter().enumerate() {
                let at = if register.len.is_some() { format!("[{k}]") } else { String::new() };
                text.line(&format!("registers->{name}{at} = {};", crate::c::expr::number(*value)));
            }
        }
        text.line(&format!("goto L{};", procedure.entry.0));
        self.points(text, function);
        text.margin("leave: __attribute__((unused));");
        for r in &procedure.registers {
            let name = self.writer.names.register(self.id, *r);
            match self.def.registers[r.index()].len {
                None => text.line(&format!("registers->{name} = saved.{name};")),
                Some(_) => text.line(&format!(
                    "memcpy(registers->{name}, saved.{name}, sizeof saved.{name});"
                )),
            }
        }
        text.line("(void)saved;");
        text.line("me->depth--;");
        text.line("return 0;");
        text.close("}");
        text.blank();
    }

    /// The addresses of shared variables in this round.
    fn locals(&self, text: &mut Text, function: Function) {
        let mut used: BTreeSet<VarId> = BTreeSet::new();
        let own = |s: &&Step| self.owner[s.source.index()] == function.procedure;
        for step in self.def.steps.iter().filter(own) {
            used.extend(step.stores().filter_map(|place| place.variable()));
            used.extend(step.expressions().into_iter().flat_map(Expr::variables));
        }
        let shared = |v: &VarId| self.writer.program.var(*v).kind == VarKind::Shared;
        for var in used.into_iter().filter(shared) {
            let (slot, name) = (self.writer.slot(var), &self.writer.program.var(var).name);
            let name = comment(name);
            text.line(&format!("cell *const v{slot} = taut_at[{slot}][me->round]; /* {name} */"));
        }
    }

    /// The program points of a function.
    fn points(&self, text: &mut Text, function: Function) {
        let mut leaving: Vec<Vec<&Step>> = vec![Vec::new(); self.def.points.len()];
        self.def.steps.iter().for_each(|s| leaving[s.source.index()].push(s));
        for (index, steps) in leaving.iter().enumerate() {
            if self.owner[index] == function.procedure {
                self.point(text, function, PointId::from(index), steps);
            }
        }
    }

    fn point(&self, text: &mut Text, function: Function, id: PointId, steps: &[&Step]) {
        text.margin(&format!("L{}: __attribute__((unused));", id.0));
        let labels: Vec<_> =
            self.def.points[id.index()].labels.iter().map(|l| comment(l)).collect();
        if !labels.is_empty() {
            text.line(&format!("/* {} */", labels.join(", ")));
        }
        if self.marked.contains(&id) {
            text.line(&format!("taut_arrive(me, {});", id.0 + 1));
        }
        if steps.is_empty() {
            return self.stop(text, function, id);
        }
        if self.marked.contains(&id) {
            text.line("taut_leave(me);");
        }
        match steps {
            [only] if only.guard == Expr::TRUE => self.step(text, function, only, None),
            [yes, no] if self.is_branch(yes, no) => self.branch(text, function, yes, no),
            _ => self.choice(text, function, id, steps),
        }
    }

    /// No step leaves: the process has finished, or waits for ever.
    fn stop(&self, text: &mut Text, function: Function, id: PointId) {
        if function.procedure.is_some() || !self.def.points[id.index()].end {
            return text.line("return taut_give_up(me);");
        }
        text.line(&format!("me->end = {};", id.0));
        text.line("*registers = own;");
        text.line("return 0;");
    }

    /// Two steps with opposite guards: one condition decides.
    fn branch(&self, text: &mut Text, function: Function, yes: &Step, no: &Step) {
        let section = Section { function, observes: false, storing: Storing::Plain };
        text.open("{");
        let mut values = self.values(function);
        let guard = values.value(text, &yes.guard);
        text.line(&format!("int holds = ({guard}) != 0;"));
        self.fault(text, &mut values, section);
        for (line, step) in [("if (holds) {", yes), ("} else {", no)] {
            text.open(line);
            self.effects(text, step, &mut values, section);
            self.jump(text, function, step, self.values(function));
            text.back();
        }
        text.line("}");
        text.close("}");
    }

    /// Steps that have to be tried.
    fn choice(&self, text: &mut Text, function: Function, id: PointId, steps: &[&Step]) {
        text.margin(&format!("W{}:;", id.0));
        if let [only] = steps {
            self.attempt(text, function, only);
        } else {
            let count = steps.len();
            text.open("{");
            text.line(&format!("unsigned int first = taut_choose(me, {count});"));
            text.open(&format!("for (unsigned int k = 0; k < {count}; k++) {{"));
            text.open(&format!("switch ((first + k) % {count}) {{"));
            for (i, step) in steps.iter().enumerate() {
                text.open(&format!("case {i}: {{"));
                self.attempt(text, function, step);
                text.line("break;");
                text.close("}");
            }
            text.close("}");
            text.close("}");
            text.close("}");
        }
        text.line("if (taut_wait(me)) return 1;");
        text.line(&format!("goto W{};", id.0));
    }

    /// Takes a step if its guard is true; goes on behind it otherwise.
    fn attempt(&self, text: &mut Text, function: Function, step: &Step) {
        let behind = text.fresh("N");
        text.open("{");
        self.step(text, function, step, Some(&behind));
        text.close("}");
        text.margin(&format!("{behind}: __attribute__((unused));"));
    }

    /// Whether one condition decides between two steps: opposite guards, and nothing that belongs to a moment.
    fn is_branch(&self, yes: &Step, no: &Step) -> bool {
        let plain = |s: &Step| s.mode == Mode::Plain && !s.whole && !s.drains && !self.observes(s);
        plain(yes)
            && plain(no)
            && (yes.guard.clone().not() == no.guard || no.guard.clone().not() == yes.guard)
    }
}

/// The program points that properties ask about during rounds.
fn marked(writer: &Writer<'_>, def: DefId) -> BTreeSet<PointId> {
    let mut all = BTreeSet::new();
    for property in writer.flight {
        let (PropertyKind::Forbid(e) | PropertyKind::Invariant(e)) =
            &writer.program.property(*property).kind
        else {
            continue;
        };
        e.visit(&mut |part| {
            if let Expr::At(process, points) = part
                && writer.program.process(*process).def == def
            {
                all.extend(points.iter().copied());
            }
        });
    }
    all
}
