//! Which variables and registers nobody ever assigns.
//!
//! Arrays of channels and a process's own channels are like this, so that most sends and receives know
//! their channel before the program runs.

use taut_ir::{
    ChannelOp, DefId, Effect, Lvalue, ProcId, Process, ProcessDef, Program, RegId, VarId,
};

/// What is never assigned.
pub(crate) struct Constants {
    vars: Vec<bool>,
    /// For each definition, its registers.
    registers: Vec<Vec<bool>>,
}

impl Constants {
    pub(crate) fn of(program: &Program) -> Constants {
        let mut vars = vec![true; program.vars.len()];
        for place in program.defs.iter().flat_map(assigned) {
            if let Some(var) = place.variable() {
                vars[var.index()] = false;
            }
        }
        Constants { vars, registers: program.defs.iter().map(registers).collect() }
    }

    /// Whether a variable is never assigned.
    pub(crate) fn var(&self, id: VarId) -> bool {
        self.vars[id.index()]
    }

    /// The value that an element of a register always has while its process lives.
    pub(crate) fn register(
        &self,
        program: &Program,
        process: ProcId,
        id: RegId,
        element: u32,
    ) -> Option<i64> {
        let def: DefId = program.process(process).def;
        let constant = self.registers[def.index()][id.index()];
        constant.then(|| start_value(program, process, id, element))
    }
}

/// What an element of a register holds when its process starts.
pub(crate) fn start_value(program: &Program, process: ProcId, id: RegId, element: u32) -> i64 {
    let Process { args, channels, .. } = program.process(process);
    let def = program.def_of(process);
    let own = def.channel_registers.iter().zip(channels);
    let channel = own.rev().find(|(place, _)| **place == (id, element)).map(|(_, c)| c.value());
    let argument = args.get(id.index()).copied();
    let init = def.registers[id.index()].init[element as usize];
    channel.or(argument).unwrap_or(init)
}

/// The places that the steps of a definition assign.
fn assigned(def: &ProcessDef) -> impl Iterator<Item = &Lvalue> {
    def.steps.iter().flat_map(|step| {
        let received = step.channel.iter().flat_map(ChannelOp::places);
        let pids = step.effects.iter().filter_map(|e| match e {
            Effect::Spawn { pid, .. } => pid.as_ref(),
            _ => None,
        });
        step.assignments().map(|a| &a.place).chain(received).chain(pids)
    })
}

/// For each register of a definition, whether only its start gives it a value, and always the same.
fn registers(def: &ProcessDef) -> Vec<bool> {
    let mut constant = vec![true; def.registers.len()];
    for place in assigned(def) {
        if let Lvalue::Reg(r) | Lvalue::RegElem(r, _) = place {
            constant[r.index()] = false;
        }
    }
    // Parameters differ from one start to the next, and a procedure's registers from call to call.
    constant.iter_mut().take(def.params as usize).for_each(|c| *c = false);
    for register in def.procedures.iter().flat_map(|p| &p.registers) {
        constant[register.index()] = false;
    }
    constant
}
