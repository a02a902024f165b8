//! Larger programs, for models that start more processes than was foreseen.
//!
//! A program has a fixed list of processes and a model may run any number. When a step cannot start one, the
//! program is replaced by a larger one, and the run so far is made again in it. Processes keep their names,
//! which is how an action of the one program becomes an action of the other.

use taut_ir::{Action, DefId, Effect, Memory, ProcId, Program};
use taut_witness::{Machine, Row, State};

use crate::choice;
use crate::host::Host;

/// A simulation before its program grows.
pub(crate) struct Before<'b> {
    pub(crate) program: &'b Program,
    pub(crate) memory: Memory,
    pub(crate) rows: &'b [Row],
}

/// The same simulation in a larger program.
pub(crate) struct Larger {
    pub(crate) program: Program,
    pub(crate) initial: State,
    pub(crate) rows: Vec<Row>,
}

impl Before<'_> {
    /// The simulation in a program with more of the processes that are lacking in a state; none if that cannot be done.
    pub(crate) fn enlarged(&self, host: &dyn Host, state: &State) -> Option<Larger> {
        let program = host.grown(self.program, lacking(self.program, state)?)?;
        let initial = Machine::new(&program, self.memory).initial();
        let rows = self.again(&program, &initial)?;
        Some(Larger { program, initial, rows })
    }

    /// The rows of the simulation, made again in a larger program.
    fn again(&self, larger: &Program, initial: &State) -> Option<Vec<Row>> {
        let machine = Machine::new(larger, self.memory);
        let mut before = initial.clone();
        let mut rows = Vec::new();
        for row in self.rows {
            let action = renamed(self.program, larger, row.action)?;
            let done = machine.apply(&before, action).ok()?;
            let row = choice::row(&before, action, done);
            before = row.after.clone();
            rows.push(row);
        }
        Some(rows)
    }
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

/// An action of a program as an action of a larger one.
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
