//! Which places of memory an action touches, in the view of everybody else.

use std::collections::BTreeSet;

use taut_ir::footprint::deciding;
use taut_ir::{Action, ProcId, Program, PropertyKind, StepId, VarId, Visibility};
use taut_witness::{Address, Record, Row};

/// Whether an action of another process than one touches a place: reads it, wherever the value comes from, writes it,
/// commits a store to it, or depends on it by what must not be possible.
pub(crate) fn touches(program: &Program, row: &Row, by_others_than: ProcId, at: Address) -> bool {
    match row.action {
        Action::Commit { process, var, index } => {
            process != by_others_than && Address { var, index } == at
        }
        Action::Step { process, step, .. } => {
            process != by_others_than && does(program, process, step, &row.record, at)
        }
        Action::Handshake { process, step, receiver, receive, .. } => {
            let sends = process != by_others_than && does(program, process, step, &row.record, at);
            let partner = row.record.partner.as_deref();
            sends
                || receiver != by_others_than
                    && partner.is_none_or(|r| does(program, receiver, receive, r, at))
        }
    }
}

fn does(program: &Program, process: ProcId, step: StepId, record: &Record, at: Address) -> bool {
    let reads = record.reads.iter().any(|read| read.address == at);
    let writes = record.writes.iter().any(|write| write.address == at);
    reads || writes || yields_for(program, process, step).contains(&at.var)
}

/// The variables that decide whether the steps that a step yields to could be taken instead of it: their reads are
/// not in any record.
fn yields_for(program: &Program, process: ProcId, step: StepId) -> BTreeSet<VarId> {
    let def = program.def_of(process);
    let deciding = deciding(program, def, &def.steps[step.index()]);
    deciding.variables().collect()
}

/// The variables of which a property may tell whether memory has them yet. One that asks whether a buffer is empty
/// can tell it of all.
pub(crate) fn seen_by(program: &Program, property: &PropertyKind) -> BTreeSet<VarId> {
    let visibility = Visibility::of(program, property.exprs());
    match visibility.processes.iter().any(|process| process.buffer) {
        true => program.var_ids().collect(),
        false => visibility.variables(),
    }
}
