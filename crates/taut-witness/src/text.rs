//! Names of things, as every report prints them.

use taut_diag::SourceMap;
use taut_ir::{Action, ProcId, Program, RegId, Span, Step, StepId};

use crate::state::Address;

/// `x`, or `a[2]` for an element of an array.
pub(crate) fn address(program: &Program, address: Address) -> String {
    let variable = program.var(address.var);
    named(&variable.name, variable.len.is_some(), address.index)
}

/// `r`, or `r[2]` for an element of an array.
pub(crate) fn register(program: &Program, process: ProcId, id: RegId, index: u32) -> String {
    let register = program.register(process, id);
    named(&register.name, register.len.is_some(), index)
}

fn named(name: &str, array: bool, index: u32) -> String {
    if array { format!("{name}[{index}]") } else { name.to_string() }
}

/// A step of a process, if there is one.
pub(crate) fn find_step(program: &Program, process: ProcId, step: StepId) -> Option<&Step> {
    let def = program.processes.get(process.index())?.def;
    program.defs[def.index()].steps.get(step.index())
}

/// The text of a step of a process.
pub(crate) fn step(program: &Program, process: ProcId, step: StepId) -> String {
    let def = program.process(process).def;
    match find_step(program, process, step) {
        Some(step) => program.show_step(def, step).to_string(),
        None => format!("step {}", step.0),
    }
}

/// The line on which a span starts.
pub(crate) fn line(sources: &SourceMap, span: Span) -> Option<u32> {
    sources.position(span).map(|position| position.line)
}

/// An action in one line: `p[0]: x := 1`, or `p[0]: x commits`.
pub fn describe_action(program: &Program, action: Action) -> String {
    let Some(process) = program.processes.get(action.process().index()) else {
        return format!("process {}: unknown", action.process().0);
    };
    match action {
        Action::Step { process: p, step: s } => {
            format!("{}: {}", process.name, step(program, p, s))
        }
        Action::Commit { var, index, .. } => match program.vars.get(var.index()) {
            Some(_) => {
                format!("{}: {} commits", process.name, address(program, Address { var, index }))
            }
            None => format!("{}: variable {} commits", process.name, var.0),
        },
    }
}
