//! The edges of a step: one for each combination of values that its loads may see.

use taut_ir::{Finding, Mode, ProcId, Step, StepId};

use crate::compile::{Compiler, MOST_EDGES};
use crate::not_compiled::NotCompiled;
use crate::places::{Cell, Fact};
use crate::start::starts;
use crate::step::{Execution, Outcome, Taken};
use crate::system::{Bound, ControlId, Edge, Kind, Point};

/// The most cells that a plain step may load at once: their own stores and messages are guessed.
const MOST_LOADS: usize = 6;

impl<'p> Compiler<'p> {
    /// Takes a step for all values of the loads that are not known yet.
    pub(crate) fn branch(
        &mut self,
        process: usize,
        source: ControlId,
        step: (StepId, &'p Step),
        locals: &[i64],
        known: &mut Vec<(Cell, i64)>,
        edges: &mut Vec<Edge>,
    ) {
        taut_budget::tick();
        let names = &self.processes[process].names;
        let id = ProcId::from(process);
        self.branches += 1;
        if edges.len() > MOST_EDGES {
            self.too_large = Some(NotCompiled::Points(id));
            return;
        }
        let execution = Execution::new(self.program, id, &self.places, names, locals, known);
        match execution.run(step.1) {
            Err(_) if known.len() >= MOST_LOADS && kind(step.1) == Kind::Plain => {
                self.too_large = Some(NotCompiled::Loads(id, step.0));
            }
            Err(cell) => {
                self.readers[cell.index()].insert((process, source));
                // Values that come up meanwhile queue this control point again.
                for value in self.places.values(cell).to_vec() {
                    known.push((cell, value));
                    self.branch(process, source, step, locals, known, edges);
                    known.pop();
                }
            }
            Ok(Outcome::Refused) => {}
            Ok(Outcome::Wrong(fault)) => {
                let reads = self.facts(known);
                let found = Point::Found(Finding::Fault(fault));
                edges.push(self.ending(process, source, step, &reads, found));
            }
            Ok(Outcome::Blocked(bound)) => {
                let reads = self.facts(known);
                edges.push(self.ending(process, source, step, &reads, Point::Bounded(bound)));
            }
            Ok(Outcome::Taken(taken)) => {
                let reads = self.facts(known);
                for finding in taken.findings() {
                    edges.push(self.ending(process, source, step, &reads, Point::Found(finding)));
                }
                edges.push(self.taken(process, source, step, &reads, taken));
            }
        }
    }

    fn facts(&mut self, known: &[(Cell, i64)]) -> Vec<Fact> {
        let mut facts: Vec<Fact> =
            known.iter().map(|&(cell, value)| (cell, self.places.number(cell, value))).collect();
        facts.sort();
        facts
    }

    /// The number of a value that is stored. If it is new, loads of the cell are looked at again.
    fn stored(&mut self, cell: Cell, value: i64) -> Fact {
        let before = self.places.values(cell).len();
        let fact = (cell, self.places.number(cell, value));
        if self.places.values(cell).len() > before {
            self.look_again(cell);
        }
        fact
    }

    /// An edge to a control point that nothing leaves.
    fn ending(
        &mut self,
        process: usize,
        source: ControlId,
        (id, step): (StepId, &Step),
        reads: &[Fact],
        end: Point,
    ) -> Edge {
        let target = self.control(process, end);
        Edge {
            process: ProcId::from(process),
            source,
            target,
            step: Some(id),
            kind: kind(step),
            reads: reads.into(),
            writes: Box::new([]),
        }
    }

    /// The first edge of a step.
    fn taken(
        &mut self,
        process: usize,
        source: ControlId,
        (id, step): (StepId, &Step),
        reads: &[Fact],
        taken: Taken,
    ) -> Edge {
        let Taken { mut locals, stores, spawned, target, .. } = taken;
        let leaves =
            |&&(cell, value, _): &&(Cell, i64, bool)| self.windows.are_left_by(cell, value);
        if let Some(&(cell, value, _)) = stores.iter().find(leaves) {
            let end = Point::Bounded(Bound::Values(cell, value));
            return self.ending(process, source, (id, step), reads, end);
        }
        self.processes[process].names.forget_dead(target.index(), &mut locals);
        let mut target = self.control(process, Point::At(target, locals.into()));
        let kind = kind(step);
        let (mut at_once, mut buffered) = (Vec::new(), Vec::new());
        for (cell, value, is_at_once) in stores {
            let fact = self.stored(cell, value);
            if is_at_once {
                at_once.retain(|(other, _)| *other != cell);
                at_once.push(fact);
            } else {
                buffered.push(fact);
            }
        }
        for (child, given) in spawned {
            let Some(slot) = self.places.slot(child.index()) else { continue };
            let value = self.places.start(child, given);
            at_once.push(self.stored(slot, value));
        }
        if kind == Kind::Plain && !buffered.is_empty() {
            debug_assert!(at_once.is_empty(), "a store at once drains");
            at_once.push(buffered.remove(0));
        }
        if !buffered.is_empty() {
            target = self.control(process, Point::Inner(buffered.into(), target));
        }
        let (process, reads) = (ProcId::from(process), reads.into());
        Edge { process, source, target, step: Some(id), kind, reads, writes: at_once.into() }
    }

    /// The next store of a step that has begun.
    pub(crate) fn inner(
        &mut self,
        process: usize,
        source: ControlId,
        left: &[Fact],
        target: ControlId,
    ) -> Edge {
        let target = match &left[1..] {
            [] => target,
            rest => self.control(process, Point::Inner(rest.into(), target)),
        };
        Edge {
            process: ProcId::from(process),
            source,
            target,
            step: None,
            kind: Kind::Plain,
            reads: Box::new([]),
            writes: [left[0]].into(),
        }
    }
}

/// How the edges of a step stand to buffers.
fn kind(step: &Step) -> Kind {
    match step.mode {
        Mode::Sync => Kind::Sync,
        // The buffer of a process that starts another one is empty (`late`).
        _ if step.needs_drained() || starts(step) => Kind::Locked,
        _ => Kind::Plain,
    }
}
