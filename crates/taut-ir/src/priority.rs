//! Priorities of processes, with SPIN's meaning.
//!
//! A program with priorities keeps them in a ghost array ([`Program::priorities`]), one element per pid: the
//! priority of a process is the element at its pid. Steps read and write the array like any other ghost
//! variable, so priorities can change while the program runs. A front end sets the element of a process before
//! the process starts and sets it back to 0 when the process exits, so that states stay canonical.
//!
//! **The rule.** A process cannot take a step while another process with a higher priority is *enabled*: at least
//! one of its steps could start. "Could start" is the condition that [`crate::Step::yields_to`] uses: the mode, the
//! guard, the steps it yields to and its channel count; a full buffer or a missing slot for a new process does not.
//!
//! - The rule is asked again after each step, also where a process holds the others: a holder that the rule stops
//!   cannot go on, so it holds no other process.
//! - The rule is not asked at a program point marked [`crate::ProgramPoint::inner`], which is in the middle of one step of the
//!   source.
//! - Commits belong to memory. The rule neither stops them nor counts them. A step that waits for an empty buffer
//!   could not start, so a process at a fence stops no other process while its stores wait.
//! - `timeout` has the same value for all processes while the rule is evaluated. First it is false; only if nothing
//!   can happen then, everything is tried with `timeout` true.
//! - A process that the rule stops is not enabled for the purposes of fairness.
//!
//! - [`crate::Expr::Enabled`] ignores the rule, as in SPIN: a process that only the rule stops counts as enabled there.
//!
//! What the rule is not combined with: rendezvous (SPIN refuses it, too) and atomic program points.

use crate::{Lifecycle, Program, VarKind};

/// The lowest and the highest priority that `set_priority` accepts.
pub const PRIORITIES: std::ops::RangeInclusive<i64> = 1..=255;

/// What is wrong with the priorities of a program.
pub(crate) fn mistakes(program: &Program) -> impl Iterator<Item = String> {
    let Some(id) = program.priorities else { return Vec::new().into_iter() };
    let Some(var) = program.vars.get(id.index()) else {
        return vec!["the variable of the priorities does not exist".to_owned()].into_iter();
    };
    let mut all = Vec::new();
    let mut require = |condition: bool, text: &str| {
        if !condition {
            all.push(text.to_owned());
        }
    };
    let room = var.len.is_some_and(|len| len as usize >= program.processes.len());
    require(var.kind == VarKind::Ghost, "priorities are not in a ghost variable");
    require(room, "priorities need one element per process");
    require(program.lifecycle == Lifecycle::Stack, "priorities where processes have no pid");
    require(program.channels.iter().all(|c| c.capacity > 0), "priorities and a rendezvous channel");
    let mut points = program.defs.iter().flat_map(|def| &def.points);
    require(!points.any(|l| l.atomic), "priorities and an atomic program point");
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Span, Type, VarId, Variable};

    /// A program without processes and with an array for priorities.
    fn program(kind: VarKind) -> Program {
        let (ty, init) = (Type::range(0, 255), vec![0]);
        let array = Variable { name: "p".into(), kind, ty, len: Some(1), init, span: Span::NONE };
        let (lifecycle, priorities) = (Lifecycle::Stack, Some(VarId(0)));
        Program { vars: vec![array], lifecycle, priorities, ..Program::default() }
    }

    #[test]
    fn priorities_are_in_a_ghost_array_of_a_program_with_pids() {
        let mistakes = |program: &Program| mistakes(program).collect::<Vec<_>>();
        let right = program(VarKind::Ghost);
        assert!(mistakes(&right).is_empty());
        assert_eq!(mistakes(&program(VarKind::Shared)).len(), 1);
        let no_pids = Program { lifecycle: Lifecycle::Slots, ..right.clone() };
        assert_eq!(mistakes(&no_pids), ["priorities where processes have no pid"]);
        let nowhere = Program { priorities: Some(VarId(7)), ..right };
        assert_eq!(mistakes(&nowhere), ["the variable of the priorities does not exist"]);
    }
}
