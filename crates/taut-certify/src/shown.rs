//! A state, in words, for the place where a certificate fails.

use taut_ir::{ProcId, Program};
use taut_witness::State;

/// A state: where processes are, what is in their buffers, and memory.
pub(crate) fn state(program: &Program, state: &State) -> String {
    let mut words: Vec<String> =
        program.process_ids().map(|p| process(program, state, p)).collect();
    for (variable, values) in program.vars.iter().zip(&state.memory) {
        words.push(format!("{} = {}", variable.name, list(values)));
    }
    words.join(", ")
}

fn process(program: &Program, state: &State, id: ProcId) -> String {
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

fn list(values: &[i64]) -> String {
    match values {
        [one] => one.to_string(),
        all => format!("[{}]", all.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")),
    }
}
