//! Names that C accepts, all different.
//!
//! What the program names ends in a number or stands behind a prefix of its own, so that it cannot be a
//! keyword of C, a macro of a header, or something of the shim.

use std::collections::HashSet;

use taut_ir::{DefId, ProcId, Program, RegId, VarId};

/// The names of everything in a program.
pub(crate) struct Names {
    vars: Vec<String>,
    processes: Vec<String>,
    defs: Vec<String>,
    registers: Vec<Vec<String>>,
}

impl Names {
    pub(crate) fn new(program: &Program) -> Names {
        let mut taken = HashSet::new();
        let mut global = |prefix: &str, name: &str| fresh(&mut taken, prefix, name);
        let vars = program.vars.iter().map(|v| global("var", &v.name)).collect();
        let processes = program.processes.iter().map(|p| global("process", &p.name)).collect();
        let defs = program.defs.iter().map(|d| global("code", &d.name)).collect();
        let registers = program.defs.iter().map(|d| {
            let mut taken = HashSet::new();
            d.registers.iter().map(|r| fresh(&mut taken, "reg", &r.name)).collect()
        });
        let registers = registers.collect();
        Names { vars, processes, defs, registers }
    }

    pub(crate) fn var(&self, id: VarId) -> &str {
        &self.vars[id.index()]
    }

    pub(crate) fn process(&self, id: ProcId) -> &str {
        &self.processes[id.index()]
    }

    pub(crate) fn def(&self, id: DefId) -> &str {
        &self.defs[id.index()]
    }

    pub(crate) fn register(&self, def: DefId, id: RegId) -> &str {
        &self.registers[def.index()][id.index()]
    }
}

/// A name that is not taken yet.
fn fresh(taken: &mut HashSet<String>, prefix: &str, name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let base = format!("{prefix}_{name}");
    let mut candidate = base.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{base}_{number}");
        number += 1;
    }
    candidate
}
