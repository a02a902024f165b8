//! Names of things, as every report prints them.

use taut_ir::{Action, ChanId, ProcId, Program, RegId, Span, Step, StepId};
use taut_source::SourceMap;

use crate::address::Address;
use crate::state::State;

/// `x`, or `a[2]` for an element of an array.
pub fn address(program: &Program, address: Address) -> String {
    if let Some(name) = program.shown.cell(address.var, address.index) {
        return name.to_owned();
    }
    let variable = program.var(address.var);
    named(&variable.name, variable.len.is_some(), address.index)
}

/// The value of a location: a number, or what the source calls it.
pub fn value(program: &Program, address: Address, value: i64) -> String {
    match program.shown.value(address.var, address.index, value) {
        Some(name) => name.to_owned(),
        None => value.to_string(),
    }
}

/// `r`, or `r[2]` for an element of an array.
pub fn register(program: &Program, process: ProcId, id: RegId, index: u32) -> String {
    let register = program.register(process, id);
    named(&register.name, register.len.is_some(), index)
}

/// The value of a register: a number, or what the source calls it.
pub fn register_value(program: &Program, process: ProcId, id: RegId, value: i64) -> String {
    let register = program.register(process, id);
    match program.shown.register_value((register.span.start, &register.name), value) {
        Some(name) => name.to_owned(),
        None => value.to_string(),
    }
}

fn named(name: &str, array: bool, index: u32) -> String {
    if array { format!("{name}[{index}]") } else { name.to_string() }
}

/// A step of a process, if there is one.
pub fn find_step(program: &Program, process: ProcId, step: StepId) -> Option<&Step> {
    let def = program.processes.get(process.index())?.def;
    program.defs[def.index()].steps.get(step.index())
}

/// The text of a step of a process.
pub fn step(program: &Program, process: ProcId, step: StepId) -> String {
    match find_step(program, process, step) {
        Some(step) => program.show_step(program.process(process).def, step).to_string(),
        None => format!("step {}", step.0),
    }
}

/// The line on which a step of a process stands.
pub fn step_line(
    program: &Program,
    sources: &SourceMap,
    process: ProcId,
    step: StepId,
) -> Option<u32> {
    line(sources, find_step(program, process, step)?.span)
}

/// The channels that can hold messages.
pub fn buffered_channels(program: &Program) -> impl Iterator<Item = ChanId> {
    let ids = (0..program.channels.len()).map(ChanId::from);
    ids.filter(|&c| program.channel(c).capacity > 0)
}

/// A message: `3`, or `(1, 4)` if it has several fields.
pub fn message(values: &[i64]) -> String {
    let fields: Vec<_> = values.iter().map(i64::to_string).collect();
    match fields.as_slice() {
        [only] => only.clone(),
        _ => format!("({})", fields.join(", ")),
    }
}

/// A channel and what it holds, the oldest message first: `q = [3, 4]`.
pub fn channel(program: &Program, state: &State, id: ChanId) -> String {
    let messages: Vec<_> = state.channel(id).iter().map(|m| message(m)).collect();
    format!("{} = [{}]", program.channel(id).name, messages.join(", "))
}

/// The line on which a span starts.
pub fn line(sources: &SourceMap, span: Span) -> Option<u32> {
    sources.position(span).map(|position| position.line)
}

/// An action in one line: `p[0]: x := 1`, `p: c!1, q: c?x`, or `p[0]: x commits`.
pub fn describe_action(program: &Program, action: Action) -> String {
    let Some(process) = program.processes.get(action.process().index()) else {
        return format!("process {}: unknown", action.process().0);
    };
    match action {
        Action::Step { process: p, step: s, .. } => {
            format!("{}: {}", process.name, step(program, p, s))
        }
        Action::Handshake { process: p, step: s, receiver, receive, .. } => {
            let sent = format!("{}: {}", process.name, step(program, p, s));
            match program.processes.get(receiver.index()) {
                Some(other) => {
                    format!("{sent}, {}: {}", other.name, step(program, receiver, receive))
                }
                None => format!("{sent}, process {}: unknown", receiver.0),
            }
        }
        Action::Commit { var, index, .. } => match program.vars.get(var.index()) {
            Some(_) => {
                format!("{}: {} commits", process.name, address(program, Address { var, index }))
            }
            None => format!("{}: variable {} commits", process.name, var.0),
        },
    }
}

/// A state: where processes are, what is in their buffers, and memory.
pub fn describe_state(program: &Program, state: &State) -> String {
    let mut words: Vec<String> =
        program.process_ids().map(|p| describe_process(program, state, p)).collect();
    for (variable, values) in program.vars.iter().zip(&state.memory) {
        words.push(format!("{} = {}", variable.name, listed(values)));
    }
    words.join(", ")
}

fn describe_process(program: &Program, state: &State, id: ProcId) -> String {
    let (name, at) = (&program.process(id).name, state.process(id));
    if !at.started {
        return format!("{name} does not run");
    }
    let waiting = at
        .buffer
        .entries()
        .map(|entry| format!("{}:={}", program.vars[entry.address.var.index()].name, entry.value));
    let waiting: Vec<String> = waiting.collect();
    let labels = &program.def_of(id).points[at.point.index()].labels;
    let place = labels.first().map_or_else(|| format!("point {}", at.point.0), String::clone);
    match waiting.is_empty() {
        true => format!("{name} at {place}"),
        false => format!("{name} at {place} with {}", waiting.join(" ")),
    }
}

fn listed(values: &[i64]) -> String {
    match values {
        [one] => one.to_string(),
        all => format!("[{}]", all.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")),
    }
}
