//! Where a process goes after a step.

use taut_ir::{Control, PointId, ProcId, ProcedureId, ProcessDef};

use super::Exporter;
use super::conditions::Moment;
use super::effects::clear;
use super::labels::START;
use crate::text::Text;

impl Exporter<'_> {
    /// Where the process goes.
    pub(super) fn go(&self, text: &mut Text, moment: Moment) {
        match &moment.step.target {
            Control::Goto(to) => self.arrive(text, moment, *to),
            Control::Call { .. } => self.call(text, moment),
            Control::Return => self.return_to_caller(text, moment),
            Control::Exit => {
                self.exit(text, moment.process);
                if !self.one_machine {
                    text.line(&format!("goto {START}"));
                }
            }
        }
    }

    /// Notes that the process is at a program point, and goes there.
    fn arrive(&self, text: &mut Text, moment: Moment, to: PointId) {
        let process = moment.process;
        if self.observed[process.index()] {
            text.line(&format!("{} = {};", self.names.own(process, "pc"), to.0 + 1));
        }
        if self.one_machine {
            return;
        }
        if self.has_holder {
            let stays = self.program.def_of(process).points[to.index()].atomic;
            text.line(&format!("holder = {};", if stays { process.0 + 1 } else { 0 }));
        }
        if self.ends_at(process, to) {
            self.reset_at_end(text, process);
            return text.line(&format!("goto {START}"));
        }
        text.line(&format!("goto {}", self.label(process, to, moment.step.holds)));
    }

    /// The elements of a procedure's own registers.
    fn own_elements(
        &self,
        process: ProcId,
        def: &ProcessDef,
        id: ProcedureId,
    ) -> Vec<(String, i64)> {
        let mut all = Vec::new();
        for r in &def.procedures[id.index()].registers {
            let register = &def.registers[r.index()];
            let name = self.names.register(process, *r);
            match register.len {
                None => all.push((name.to_string(), register.init[0])),
                Some(_) => {
                    let elements = register.init.iter().enumerate();
                    all.extend(elements.map(|(e, &v)| (format!("{name}[{e}]"), v)));
                }
            }
        }
        all
    }

    fn call(&self, text: &mut Text, moment: Moment) {
        let Control::Call { procedure: id, args, return_to } = &moment.step.target else { return };
        let (process, def) = (moment.process, self.program.def_of(moment.process));
        let own = |what: &str| self.names.own(process, what);
        let (sp, saved, size) = (own("sp"), own("saved"), self.most_saved(process));
        self.pass(text, moment.scope(), args);
        text.line(&format!("{}[{sp}] = {};", own("ret"), return_to.0));
        let elements = self.own_elements(process, def, *id);
        for (i, (element, init)) in elements.iter().enumerate() {
            text.line(&format!("{saved}[{sp} * {size} + {i}] = {element};"));
            text.line(&format!("{element} = {init};"));
        }
        text.line(&format!("{sp}++;"));
        for (i, r) in def.procedures[id.index()].registers.iter().take(args.len()).enumerate() {
            let ty = def.registers[r.index()].ty;
            self.fit_into(text, self.names.register(process, *r), ty, &format!("tmp{i}"));
        }
        clear(text, args.len());
        self.arrive(text, moment, def.procedures[id.index()].entry);
    }

    fn return_to_caller(&self, text: &mut Text, moment: Moment) {
        let (process, def) = (moment.process, self.program.def_of(moment.process));
        let targets = return_targets(def);
        let procedure = def.procedure_of()[moment.step.source.index()];
        let Some(id) = procedure else { return text.line("(false)") };
        if targets.is_empty() {
            // Nobody calls: this code is never reached.
            return text.line("(false)");
        }
        let own = |what: &str| self.names.own(process, what);
        let (sp, ret, to, size) = (own("sp"), own("ret"), own("to"), self.most_saved(process));
        text.line(&format!("{sp}--;"));
        for (i, (element, _)) in self.own_elements(process, def, id).iter().enumerate() {
            let saved = format!("{}[{sp} * {size} + {i}]", own("saved"));
            text.line(&format!("{element} = {saved}; {saved} = 0;"));
        }
        text.line(&format!("{to} = {ret}[{sp}]; {ret}[{sp}] = 0;"));
        text.open("if");
        for target in targets {
            text.open(&format!(":: ({to} == {}) -> {to} = 0;", target.0));
            self.arrive(text, moment, target);
            text.close("");
        }
        text.close("fi;");
    }

    /// Whether a process calls procedures.
    pub(super) fn calls(&self, process: ProcId) -> bool {
        let steps = &self.program.def_of(process).steps;
        steps.iter().any(|s| matches!(s.target, Control::Call { .. }))
    }
}

/// Where a return may lead.
pub(super) fn return_targets(def: &ProcessDef) -> Vec<PointId> {
    let calls = def.steps.iter().filter_map(|s| match &s.target {
        Control::Call { return_to, .. } => Some(*return_to),
        _ => None,
    });
    let mut targets: Vec<_> = calls.collect();
    targets.sort();
    targets.dedup();
    targets
}
