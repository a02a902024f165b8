//! Variables, registers and initial values.

use taut_ir::{DefId, ProcId, Process, VarKind};

use super::Writer;
use crate::c::expr::number;
use crate::c::text::comment;
use crate::text::Text;

fn list(values: &[i64]) -> String {
    let values: Vec<_> = values.iter().map(|&v| number(v)).collect();
    format!("{{ {} }}", values.join(", "))
}

impl Writer<'_> {
    pub(super) fn declarations(&self, text: &mut Text) {
        let sizes: Vec<i64> =
            self.shared().map(|v| i64::from(self.program.var(v).size())).collect();
        let sizes = if sizes.is_empty() { vec![1] } else { sizes };
        text.line(&format!("static const word taut_sizes[TAUT_VARIABLES] = {};", list(&sizes)));
        text.line("static cell *taut_at[TAUT_VARIABLES][TAUT_BATCH];");
        text.blank();
        for def in (0..self.program.defs.len()).map(DefId::from) {
            self.registers(text, def);
        }
        for (id, process) in self.program.process_ids().zip(&self.program.processes) {
            self.initial(text, id, process);
        }
        text.blank();
        self.begin(text);
    }

    /// The registers of a definition.
    fn registers(&self, text: &mut Text, id: DefId) {
        let def = &self.program.defs[id.index()];
        text.open(&format!("struct {} {{ /* {} */", self.structure(id), comment(&def.name)));
        for (r, register) in def.registers.iter().enumerate() {
            let name = self.names.register(id, taut_ir::RegId::from(r));
            match register.len {
                None => text.line(&format!("word {name};")),
                Some(len) => text.line(&format!("word {name}[{len}];")),
            }
        }
        text.line("char nothing;");
        text.close("};");
    }

    /// The registers of a process, before and after a round.
    fn initial(&self, text: &mut Text, id: ProcId, process: &Process) {
        let def = &self.program.defs[process.def.index()];
        let field = |(r, register): (usize, &taut_ir::Register)| {
            let given = process.args.get(r).map(std::slice::from_ref);
            let values = given.unwrap_or(&register.init);
            if register.len.is_some() { list(values) } else { number(values[0]) }
        };
        let mut fields: Vec<_> = def.registers.iter().enumerate().map(field).collect();
        fields.push("0".into());
        let (structure, out) = (self.structure(process.def), self.out(id));
        let fields = fields.join(", ");
        text.line(&format!("static const struct {structure} taut_in_{} = {{ {fields} }};", id.0));
        text.line(&format!("static struct {structure} {out}[TAUT_BATCH];"));
    }

    /// The function that gives a round its initial values.
    fn begin(&self, text: &mut Text) {
        text.open("static void taut_begin(unsigned int i) {");
        for (id, var) in self.program.var_ids().zip(&self.program.vars) {
            let slot = self.slot(id);
            for (k, &value) in var.init.iter().enumerate() {
                let value = number(value);
                match var.kind {
                    VarKind::Shared => text.line(&format!("taut_at[{slot}][i][{k}] = {value};")),
                    VarKind::Ghost => {
                        text.line(&format!("taut_sides[i].ghost[{}] = {value};", slot + k));
                    }
                }
            }
        }
        text.line("(void)i;");
        text.close("}");
        text.blank();
    }

    /// The function that runs the process of a thread.
    pub(super) fn process(&self, text: &mut Text) {
        text.open("static int taut_process(struct taut_thread *me) {");
        text.line("int over = 1;");
        text.open("switch (me->number) {");
        for (id, process) in self.program.process_ids().zip(&self.program.processes) {
            let (structure, code) = (self.structure(process.def), self.names.def(process.def));
            text.open(&format!("case {}: {{ /* {} */", id.0, comment(&process.name)));
            text.line(&format!("struct {structure} registers = taut_in_{};", id.0));
            text.line(&format!("over = {code}(me, &registers);"));
            text.line(&format!("{}[me->round] = registers;", self.out(id)));
            text.line("break;");
            text.close("}");
        }
        text.close("}");
        text.line("return over;");
        text.close("}");
        text.blank();
    }
}
