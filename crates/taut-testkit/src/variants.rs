//! Variants of a program in which a reduction that leaves out too much is easier to notice.

use taut_ir::{DefId, PointId, Process, ProcessDef, Program, ProgramPoint, Span, Start, Step};

/// The same where no process may end: each state in which nothing can happen is a deadlock, so that deadlocks can be counted
/// instead of final states.
#[must_use]
pub fn without_ends(mut program: Program) -> Program {
    program.defs.iter_mut().flat_map(|def| &mut def.points).for_each(|point| point.end = false);
    program
}

/// Whether a process may be in an atomic section. One that is stuck in there stops all others, so that reductions keep one of
/// such deadlocks, not all of them.
pub fn has_atomic_sections(program: &Program) -> bool {
    program.defs.iter().flat_map(|def| &def.points).any(|point| point.atomic)
}

/// The same with a process that goes through an atomic section in which it does nothing. No set of actions of the others holds
/// its first step, and the set of that step holds everything: so all others are reduced for as long as it waits. None if
/// the program has channels, because no language has both.
pub fn with_bystander(mut program: Program) -> Option<Program> {
    if !program.channels.is_empty() {
        return None;
    }
    let [entry, inside, end] = [0, 1, 2].map(PointId);
    let mut points = vec![ProgramPoint::new(); 3];
    points[inside.index()].atomic = true;
    let step = |from, to| Step::skip(from, to, Span::NONE);
    let name = "bystander".to_string();
    program.defs.push(ProcessDef {
        name: name.clone(),
        registers: Vec::new(),
        params: 0,
        points,
        entry,
        steps: vec![step(entry, inside), step(inside, end)],
        procedures: Vec::new(),
        channel_registers: Vec::new(),
        span: Span::NONE,
    });
    let def = DefId::from(program.defs.len() - 1);
    let (start, args, channels) = (Start::Initially, Vec::new(), Vec::new());
    program.processes.push(Process { name, def, args, start, channels });
    Some(program)
}
