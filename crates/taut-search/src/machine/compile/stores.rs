//! A program with every store as an assignment, for the memory system.
//!
//! A receive and a spawn can store to shared variables too. The memory system looks at assignments only,
//! to lay out as much buffer as a process needs, so it is shown a program in which those stores are
//! assignments of the same step, and in which a process that exits starts again, its buffer empty.

use std::borrow::Cow;

use taut_ir::{ChannelOp, Control, Effect, Mode, Place, Program, Step};

/// The program as the memory system must see it.
pub(crate) fn with_stores_as_assignments(program: &Program) -> Cow<'_, Program> {
    let needed = |s: &Step| s.target == Control::Exit || stored(s).next().is_some();
    if !program.defs.iter().flat_map(|d| &d.steps).any(needed) {
        return Cow::Borrowed(program);
    }
    let mut shown = program.clone();
    for def in &mut shown.defs {
        let entry = def.entry;
        for step in &mut def.steps {
            let stores: Vec<_> =
                stored(step).map(|place| Effect::assign(place.clone(), 0)).collect();
            step.effects.extend(stores);
            if step.target == Control::Exit {
                // It waits for an empty buffer by itself, which the way to the start would not.
                step.mode = waiting(step.mode);
                step.target = Control::Goto(entry);
            }
        }
    }
    Cow::Owned(shown)
}

/// The shared places that a step stores to other than by assignments.
fn stored(step: &Step) -> impl Iterator<Item = &Place> {
    let received = step.channel.iter().flat_map(ChannelOp::places);
    let pids = step.effects.iter().filter_map(|e| match e {
        Effect::Spawn { pid, .. } => pid.as_ref(),
        _ => None,
    });
    received.chain(pids).filter(|place| place.variable().is_some())
}

/// A mode that waits for the own buffer, and is otherwise the same.
fn waiting(mode: Mode) -> Mode {
    if mode == Mode::Plain { Mode::Fence } else { mode }
}
