//! Variables, the structures of processes, and how everything starts.

use taut_ir::{DefId, ProcId, Process, Register, Start};

use super::Emitter;
use super::expr::number;
use super::text::comment;
use crate::text::Text;

/// A declarator: a scalar or an array.
fn declarator(name: &str, len: Option<u32>) -> String {
    match len {
        None => name.into(),
        Some(len) => format!("{name}[{len}]"),
    }
}

fn initialiser(init: &[i64], array: bool) -> String {
    let values: Vec<_> = init.iter().map(|&v| number(v)).collect();
    if array { format!("{{ {} }}", values.join(", ")) } else { values.join(", ") }
}

impl Emitter<'_> {
    pub(super) fn declarations(&self, text: &mut Text) {
        for (id, v) in self.program.var_ids().zip(&self.program.vars) {
            let name = declarator(self.names.var(id), v.len);
            let init = initialiser(&v.init, v.len.is_some());
            text.line(&format!("static long long {name} = {init}; /* {} */", comment(&v.name)));
        }
        text.blank();
        for def in (0..self.program.defs.len()).map(DefId::from) {
            self.structure(text, def);
        }
        for (id, process) in self.program.process_ids().zip(&self.program.processes) {
            self.process(text, id, process);
        }
        text.blank();
    }

    /// What a process of a definition has of its own.
    fn structure(&self, text: &mut Text, id: DefId) {
        let def = &self.program.defs[id.index()];
        let name = self.names.def(id);
        text.open(&format!("struct {name} {{ /* {} */", comment(&def.name)));
        text.line("int number;");
        text.line("int started;");
        if self.observed {
            text.line("int pc;");
        }
        for (r, register) in def.registers.iter().enumerate() {
            let name = self.names.register(id, taut_ir::RegId::from(r));
            text.line(&format!("long long {};", declarator(name, register.len)));
        }
        text.close("};");
        text.line(&format!("static void *{name}(void *arg);"));
        text.blank();
    }

    fn process(&self, text: &mut Text, id: ProcId, process: &Process) {
        let def = &self.program.defs[process.def.index()];
        let started = u8::from(process.start == Start::Initially);
        let mut fields = vec![id.0.to_string(), started.to_string()];
        if self.observed {
            fields.push(def.entry.0.to_string());
        }
        for (r, register) in def.registers.iter().enumerate() {
            let given = process.args.get(r).map(std::slice::from_ref);
            fields.push(initialiser(given.unwrap_or(&register.init), register.len.is_some()));
        }
        let (name, code) = (self.names.process(id), self.names.def(process.def));
        text.line(&format!("static struct {code} {name} = {{ {} }};", fields.join(", ")));
    }

    /// Registers as they are when a process or a call starts.
    pub(super) fn reset(
        &self,
        text: &mut Text,
        access: &str,
        def: DefId,
        registers: impl Iterator<Item = (usize, Register)>,
    ) {
        for (r, register) in registers {
            let name = format!("{access}{}", self.names.register(def, taut_ir::RegId::from(r)));
            match register.len {
                None => text.line(&format!("{name} = {};", number(register.init[0]))),
                Some(_) => {
                    for (i, &value) in register.init.iter().enumerate() {
                        text.line(&format!("{name}[{i}] = {};", number(value)));
                    }
                }
            }
        }
    }

    /// The function that starts the threads and waits for them.
    pub(super) fn start(&self, text: &mut Text) {
        let ids = || self.program.process_ids();
        let initial = |p: &ProcId| self.program.process(*p).start == Start::Initially;
        let running: Vec<ProcId> = ids().filter(initial).collect();
        text.open("static void taut_start(void) {");
        text.line(&format!("pthread_t threads[{}];", running.len().max(1)));
        text.line("taut_check();");
        for p in &running {
            text.line(&format!("TAUT_LIVES({});", p.0));
        }
        text.line("TAUT_START;");
        for (i, p) in running.iter().enumerate() {
            let code = self.names.def(self.program.process(*p).def);
            let name = self.names.process(*p);
            text.line(&format!("pthread_create(&threads[{i}], 0, {code}, &{name});"));
        }
        for i in 0..running.len() {
            text.line(&format!("pthread_join(threads[{i}], 0);"));
        }
        // Spawned threads may go on; a verifier looks at them in any case.
        text.line("TAUT_JOIN;");
        text.close("}");
    }
}
