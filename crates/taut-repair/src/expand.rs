//! A run of a variant, with all the fences that it passes and that are not there.
//!
//! The run is taken again by the replayer's machine, on the variant in which fences that were not chosen are steps
//! that do nothing. Each is taken as soon as its process comes to it. That these are runs of each other is what
//! makes leaving such steps out right (`contract`); here it is not taken on trust, but done.

use taut_ir::{Action, Expr, Memory, ProcId, Program, Step, StepId};
use taut_witness::{Lasso, Machine, Outcome, Refusal, Row, Run, State, Trace};

use crate::contract::Steps;

/// Takes a run of a variant again on the program with all steps, of which some are left out in the variant.
pub(crate) fn expand(program: &Program, left_out: &Steps, trace: &Trace) -> Result<Run, Refusal> {
    let mut taken = Taken::new(program, left_out, trace.memory);
    taken.pass()?;
    let mut cycle = None;
    for (i, &action) in trace.actions.iter().enumerate() {
        if trace.lasso.is_some_and(|lasso| lasso.cycle == i) {
            cycle = Some(taken.run.rows.len());
        }
        taken.take(action)?;
        taken.pass()?;
    }
    let mut run = taken.run;
    let cycle = cycle.unwrap_or(run.rows.len());
    run.lasso = trace.lasso.map(|lasso| Lasso { cycle, ..lasso });
    Ok(run)
}

struct Taken<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    left_out: &'p Steps,
    run: Run,
    /// Whether each of these steps must be taken before anything else happens.
    at_once: bool,
}

impl<'p> Taken<'p> {
    fn new(program: &'p Program, left_out: &'p Steps, memory: Memory) -> Taken<'p> {
        let machine = Machine::new(program, memory);
        let (initial, rows) = (machine.initial(), Vec::new());
        let run = Run { memory, initial, rows, lasso: None, atoms: None };
        let at_once = program.priorities.is_some() && asks_where(program);
        Taken { program, machine, left_out, run, at_once }
    }

    fn take(&mut self, action: Action) -> Result<(), Refusal> {
        let before = self.run.last();
        let done = self.machine.apply(before, action)?;
        let (after, failure) = match done.outcome {
            Outcome::State(after) => (after, None),
            Outcome::Failure(failure) => (before.clone(), Some(failure)),
        };
        self.run.rows.push(Row { action, record: done.record, after, failure });
        Ok(())
    }

    /// Takes all steps that are left out and that processes have come to. One that cannot be taken yet, because
    /// another process is in an atomic section, is tried again after the next action. One that priorities stop is
    /// tried again after those of other processes. If it is still stopped and the program point can be told, this is not a
    /// run to learn from.
    fn pass(&mut self) -> Result<(), Refusal> {
        let has_failed = self.run.rows.last().is_some_and(|row| row.failure.is_some());
        if has_failed {
            return Ok(());
        }
        let mut before = usize::MAX;
        while before != self.run.rows.len() {
            before = self.run.rows.len();
            for process in self.program.process_ids() {
                while let Some(step) = self.left_out_step(self.run.last(), process)
                    && self.take(Action::step(process, step)).is_ok()
                {}
            }
        }
        let waits = |&p: &ProcId| self.left_out_step(self.run.last(), p).is_some();
        match self.program.process_ids().find(waits).filter(|_| self.at_once) {
            Some(process) => Err(Refusal::Outranked(process)),
            None => Ok(()),
        }
    }

    /// The step that is left out at which a process is.
    fn left_out_step(&self, state: &State, process: ProcId) -> Option<StepId> {
        let at = state.process(process);
        let def = self.program.process(process).def;
        let mut steps = self.program.def_of(process).steps_from(at.point).map(|(id, _)| id);
        steps.find(|&step| at.started && self.left_out.contains(&(def, step)))
    }
}

/// Whether a step or a property asks where a process is.
fn asks_where(program: &Program) -> bool {
    let steps = program.defs.iter().flat_map(|def| &def.steps).flat_map(Step::expressions);
    let properties = program.properties.iter().flat_map(|p| p.kind.exprs());
    let mut asks = false;
    for expr in steps.chain(properties) {
        expr.visit(&mut |e| asks |= matches!(e, Expr::At(..)));
    }
    asks
}
