//! What tells two states apart, in words.

use taut_ir::{ProcId, Program};

use crate::address::Address;
use crate::state::State;
use crate::text;

/// The first thing that differs between the state at the start of a cycle and the one at its end; none if
/// they are the same.
pub(super) fn difference(program: &Program, start: &State, end: &State) -> Option<String> {
    if start == end {
        return None;
    }
    let in_processes = || program.process_ids().find_map(|p| of_process(program, p, start, end));
    let found = of_memory(program, start, end)
        .or_else(in_processes)
        .or_else(|| of_channels(program, start, end));
    Some(found.unwrap_or_else(|| "something differs".into()))
}

fn was(name: &str, before: i64, after: i64) -> String {
    format!("{name} is {before} at its start and {after} at its end")
}

fn of_memory(program: &Program, start: &State, end: &State) -> Option<String> {
    let elements = |var| (0..program.var(var).size()).map(move |index| Address { var, index });
    let mut places = program.var_ids().flat_map(elements);
    let place = places.find(|&a| start.value(a) != end.value(a))?;
    let name = format!("`{}`", text::address(program, place));
    Some(was(&name, start.value(place), end.value(place)))
}

fn of_process(program: &Program, p: ProcId, start: &State, end: &State) -> Option<String> {
    let name = &program.process(p).name;
    let (before, after) = (start.process(p), end.process(p));
    if before.started != after.started || before.pid != after.pid {
        return Some(format!("{name} started or ended in between"));
    }
    if before.point != after.point {
        return Some(format!("{name} is somewhere else at its end"));
    }
    for (register, (old, new)) in before.registers.iter().zip(&after.registers).enumerate() {
        if let Some(index) = old.iter().zip(new).position(|(a, b)| a != b) {
            let register = text::register(program, p, register.into(), index as u32);
            return Some(was(&format!("{name}:{register}"), old[index], new[index]));
        }
    }
    if before.buffer != after.buffer {
        return Some(format!("the buffer of {name} holds something else at its end"));
    }
    (before.stack != after.stack).then(|| format!("the open calls of {name} are others at its end"))
}

fn of_channels(program: &Program, start: &State, end: &State) -> Option<String> {
    let mut pairs = program.channels.iter().zip(start.channels.iter().zip(&end.channels));
    let (channel, _) = pairs.find(|(_, (before, after))| before != after)?;
    Some(format!("channel `{}` holds something else at its end", channel.name))
}
