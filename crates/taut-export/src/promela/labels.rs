//! The form with a `proctype` for each process: a label for each location, an atomic block for each step.

use taut_ir::{LocId, ProcId, RegId, Step};

use super::Exporter;
use super::conditions::{Moment, conjunction};
use super::effects::FAULT;
use super::names::label;
use super::text::Text;

/// The label at which a process waits to be spawned.
const START: &str = "end_start";

impl Exporter<'_> {
    pub(super) fn process(&self, text: &mut Text, process: ProcId) {
        let def = self.program.def_of(process);
        text.line("");
        text.open(&format!("active proctype {}() {{", self.names.process(process)));
        let entry = self.label(process, def.entry);
        if self.is_spawned(process) {
            text.label(START);
            text.line(&format!("({}) -> goto {entry};", self.names.own(process, "go")));
        } else if def.entry != LocId(0) {
            text.line(&format!("goto {entry};"));
        }
        let mut body = Text::inside(text, 0);
        for index in 0..def.locations.len() {
            self.location(&mut body, process, LocId::from(index));
        }
        let faults = body.mentions(&format!("goto {FAULT}"));
        text.append(body);
        if faults {
            self.fault_label(text);
        }
        text.close("}");
    }

    pub(super) fn label(&self, process: ProcId, location: LocId) -> String {
        let def = self.program.def_of(process);
        label(location, def.locations[location.index()].end)
    }

    fn location(&self, text: &mut Text, process: ProcId, location: LocId) {
        let def = self.program.def_of(process);
        let here = self.label(process, location);
        text.label(&here);
        if def.is_final(location) && self.is_spawned(process) {
            return self.retire(text, process);
        }
        if def.steps_from(location).next().is_none() {
            return text.line("(false);");
        }
        text.open("if");
        for (_, step) in def.steps_from(location) {
            self.labelled_step(text, process, step, &here);
        }
        text.close("fi;");
    }

    /// The end of a spawned process: once its buffer is empty it waits to be spawned again.
    fn retire(&self, text: &mut Text, process: ProcId) {
        text.open(&format!("atomic {{ {} ->", self.drained(process)));
        self.clear_registers(text, process);
        if self.observed[process.index()] {
            text.line(&format!("{} = 0;", self.names.own(process, "pc")));
        }
        text.line(&format!("{} = 0;", self.names.own(process, "go")));
        text.line(&format!("goto {START}"));
        text.close("};");
    }

    /// What a process that is gone holds in its registers.
    pub(super) fn clear_registers(&self, text: &mut Text, process: ProcId) {
        for (i, register) in self.program.def_of(process).registers.iter().enumerate() {
            let name = self.names.register(process, RegId::from(i));
            match register.len {
                None => text.line(&format!("{name} = 0;")),
                Some(len) => (0..len).for_each(|e| text.line(&format!("{name}[{e}] = 0;"))),
            }
        }
    }

    /// A step as options: the step itself, what happens where its guard faults, and, where a bound holds
    /// it back, a step that changes nothing.
    fn labelled_step(&self, text: &mut Text, process: ProcId, step: &Step, here: &str) {
        let moment = Moment { process, step, timeout: false };
        let needs = self.needs(moment);
        if let Some(fault) = self.fault(moment.scope(), &step.guard) {
            let when = conjunction(needs.iter().cloned().chain([fault]));
            text.line(&format!(
                ":: atomic {{ ({when}) -> assert(false); goto {here} }} /* fault */"
            ));
        }
        let mut waits = needs;
        waits.extend(self.guarded(moment));
        let bounds = self.bounds(moment, None);
        for (bound, error) in &bounds {
            let when = conjunction(waits.iter().cloned().chain([format!("!({bound})")]));
            let then = if *error { "assert(false); " } else { "" };
            text.line(&format!(":: atomic {{ ({when}) -> {then}goto {here} }} /* bound */"));
        }
        waits.extend(bounds.into_iter().map(|(bound, _)| bound));
        text.open(&format!(":: atomic {{ ({}) ->", conjunction(waits)));
        self.show(text, moment);
        self.effects(text, moment);
        self.go(text, moment);
        text.close("}");
    }
}
