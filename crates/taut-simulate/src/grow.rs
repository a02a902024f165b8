//! Larger programs, for models that start more processes than was foreseen.
//!
//! A program has a fixed list of processes and a model may run any number. When a step cannot start one, the
//! program is replaced by a larger one, and the run so far is made again in it. Processes keep their names,
//! which is how an action of the one program becomes an action of the other.

use taut_ir::{Action, DefId, Effect, ProcId, Program};
use taut_witness::{Machine, Row, State};

use crate::choice;
use crate::simulator::Simulator;

/// Replaces the program by one with more of the processes that are lacking in a state; false if that cannot be
/// done.
pub(crate) fn enlarge(simulator: &mut Simulator<'_>, state: &State) -> bool {
    let Some(def) = lacking(simulator.program(), state) else { return false };
    let Some(larger) = simulator.host.grown(&simulator.program, def) else { return false };
    let Some(rows) = again(simulator, &larger) else { return false };
    simulator.initial = Machine::new(&larger, simulator.memory()).initial();
    (simulator.program, simulator.rows) = (larger, rows);
    true
}

/// The definition of which all processes live though some step would start another one.
fn lacking(program: &Program, state: &State) -> Option<DefId> {
    let living = program.process_ids().filter(|&p| state.process(p).started);
    let steps = living.flat_map(|p| program.def_of(p).steps_from(state.process(p).point));
    let mut spawned = steps.flat_map(|(_, step)| &step.effects).filter_map(|effect| match effect {
        Effect::Spawn { def, .. } => Some(*def),
        _ => None,
    });
    spawned.find(|&def| program.spawn_slots(def).all(|p| state.process(p).started))
}

/// The rows of the simulation, made again in a larger program.
fn again(simulator: &Simulator<'_>, larger: &Program) -> Option<Vec<Row>> {
    let machine = Machine::new(larger, simulator.memory());
    let mut before = machine.initial();
    let mut rows = Vec::new();
    for row in simulator.rows() {
        let action = renamed(simulator.program(), larger, row.action)?;
        let done = machine.apply(&before, action).ok()?;
        let row = choice::row(&before, action, done);
        before = row.after.clone();
        rows.push(row);
    }
    Some(rows)
}

fn renamed(program: &Program, larger: &Program, action: Action) -> Option<Action> {
    let of = |p: ProcId| larger.find_process(&program.process(p).name);
    Some(match action {
        Action::Step { process, step, choice } => {
            Action::Step { process: of(process)?, step, choice }
        }
        Action::Handshake { process, step, receiver, receive, choice } => {
            let (process, receiver) = (of(process)?, of(receiver)?);
            Action::Handshake { process, step, receiver, receive, choice }
        }
        Action::Commit { process, var, index } => {
            Action::Commit { process: of(process)?, var, index }
        }
    })
}
