//! How processes come and go.
//!
//! A process waits for a flag to be started. With [`Lifecycle::Stack`] an exit takes the flag away. With
//! [`Lifecycle::Slots`] a process that has finished is gone as soon as its buffer is empty: in the form
//! with a `proctype` for each process, what empties the buffer takes the flag away, so that no step has to;
//! in the form with one machine the flag stays, and [`Exporter::alive`] looks further.

use taut_ir::{DefId, Expr, Lifecycle, PointId, ProcId, RegId};

use super::Exporter;
use super::effects::clear;
use super::expr::Scope;
use super::features::is_reset;
use crate::text::Text;

impl Exporter<'_> {
    /// Starts the first process of a definition that waits.
    pub(super) fn spawn(&self, text: &mut Text, scope: Scope, def: DefId, args: &[Expr]) {
        self.pass(text, scope, args);
        text.open("if");
        let mut busy = String::new();
        for slot in self.program.spawn_slots(def) {
            let alive = self.alive(slot);
            text.open(&format!(":: ({busy}!{alive}) ->"));
            busy.push_str(&format!("{alive} && "));
            self.start(text, slot, args.len());
            text.close("skip");
        }
        text.close("fi;");
        clear(text, args.len());
    }

    /// Starts a process whose arguments are in temporaries.
    fn start(&self, text: &mut Text, slot: ProcId, args: usize) {
        let def = self.program.def_of(slot);
        for (i, register) in def.registers.iter().enumerate() {
            let name = self.names.register(slot, RegId::from(i));
            match register.len {
                None if i < args => self.fit_into(text, name, register.ty, &format!("tmp{i}")),
                None => text.line(&format!("{name} = {};", register.init[0])),
                Some(_) => {
                    let set = |(e, v): (usize, &i64)| format!("{name}[{e}] = {v};");
                    register.init.iter().enumerate().for_each(|e| text.line(&set(e)));
                }
            }
        }
        self.give_channels(text, slot);
        if self.observed[slot.index()] {
            text.line(&format!("{} = {};", self.names.own(slot, "pc"), def.entry.0 + 1));
        }
        if self.program.lifecycle == Lifecycle::Stack {
            text.line(&format!("{} = living; living++;", self.names.own(slot, "pid")));
        }
        if self.calls(slot) {
            text.line(&format!("{} = 0;", self.names.own(slot, "sp")));
        }
        text.line(&format!("{} = 1;", self.names.own(slot, "go")));
    }

    /// Puts a process's own channels into its registers.
    fn give_channels(&self, text: &mut Text, slot: ProcId) {
        let def = self.program.def_of(slot);
        for (&(register, index), channel) in
            def.channel_registers.iter().zip(&self.program.process(slot).channels)
        {
            let name = self.names.register(slot, register);
            let element = match def.registers[register.index()].len {
                None => name.to_string(),
                Some(_) => format!("{name}[{index}]"),
            };
            text.line(&format!("{element} = {};", channel.value()));
        }
    }

    /// That a process which waits to be started has been.
    pub(super) fn is_started(&self, process: ProcId) -> String {
        match self.program.lifecycle {
            // It may still be there because of its buffer, at its end.
            Lifecycle::Slots => self.is_at(process, self.program.def_of(process).entry),
            Lifecycle::Stack => self.names.own(process, "go"),
        }
    }

    /// Whether a process that comes to a program point is gone once its buffer is empty.
    pub(super) fn ends_at(&self, process: ProcId, point: PointId) -> bool {
        is_reset(self.program, process) && self.program.def_of(process).is_final(point)
    }

    /// Lets a process go that has just come to its end, if its buffer is empty.
    pub(super) fn reset_at_end(&self, text: &mut Text, process: ProcId) {
        let drained = self.drained(process);
        if drained == "true" {
            return self.reset(text, process);
        }
        text.open("if");
        text.open(&format!(":: ({drained}) ->"));
        self.reset(text, process);
        text.close("skip");
        text.line(":: else");
        text.close("fi;");
    }

    /// Lets a process go whose buffer may just have become empty, if it is at its end.
    pub(super) fn reset_when_drained(&self, text: &mut Text, process: ProcId) {
        if self.one_machine || !is_reset(self.program, process) {
            return;
        }
        let def = self.program.def_of(process);
        let ends = (0..def.points.len()).map(PointId::from).filter(|&l| def.is_final(l));
        let ends: Vec<_> = ends.map(|l| self.is_at(process, l)).collect();
        text.open("if");
        text.open(&format!(":: ({} && ({})) ->", self.drained(process), ends.join(" || ")));
        self.reset(text, process);
        text.close("skip");
        text.line(":: else");
        text.close("fi;");
    }

    fn reset(&self, text: &mut Text, process: ProcId) {
        let own = |what: &str| self.names.own(process, what);
        self.clear_registers(text, process);
        if self.has_holder {
            text.line("holder = 0;");
        }
        text.line(&format!("{} = 0; {} = 0;", own("pc"), own("go")));
    }

    /// A process is gone by a step of its own.
    pub(super) fn exit(&self, text: &mut Text, process: ProcId) {
        let own = |what: &str| self.names.own(process, what);
        self.clear_registers(text, process);
        if self.calls(process) {
            text.line(&format!("{} = 0;", own("sp")));
        }
        for &channel in &self.program.process(process).channels {
            self.empty_channel(text, channel);
        }
        if self.observed[process.index()] {
            text.line(&format!("{} = 0;", own("pc")));
        }
        text.line(&format!("{} = 0; {} = 0;", own("pid"), own("go")));
        text.line("living--;");
    }

    /// What a process that is gone holds in its registers.
    fn clear_registers(&self, text: &mut Text, process: ProcId) {
        for (i, register) in self.program.def_of(process).registers.iter().enumerate() {
            let name = self.names.register(process, RegId::from(i));
            match register.len {
                None => text.line(&format!("{name} = 0;")),
                Some(len) => (0..len).for_each(|e| text.line(&format!("{name}[{e}] = 0;"))),
            }
        }
    }
}
