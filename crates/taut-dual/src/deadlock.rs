//! Deadlocks: states in which all buffers are empty and no process can move.
//!
//! For each process, the control points are listed at which it is blocked, with the values of memory that block it. If there are none,
//! the process cannot be in a deadlock, and no search is needed. Otherwise the combinations that agree on memory are what
//! the search starts from.

use taut_ir::{Control, Finding, PointId, ProcId};

use crate::constraint::Constraint;
use crate::obligation::Obligation;
use crate::places::{Cell, Fact, Places, Value};
use crate::seeds::{MOST_SEEDS, Seeds, TooMany};
use crate::step::Execution;
use crate::system::{ControlId, Point};

impl Seeds<'_> {
    /// Adds all deadlocks.
    pub(crate) fn deadlocks(&mut self) -> Result<(), TooMany> {
        let processes = self.shape().processes;
        let blocked: Vec<Vec<Blocked>> = (0..processes).map(|p| self.blocked(p)).collect();
        self.stuck_alone(&blocked);
        if blocked.iter().any(Vec::is_empty) || blocked.iter().flatten().all(|b| b.may_end) {
            return Ok(());
        }
        // Those with the fewest choices first would be faster; programs where it matters have not come up.
        let mut chosen = Vec::new();
        self.combine(&blocked, &mut chosen)
    }

    fn combine<'b>(
        &mut self,
        blocked: &'b [Vec<Blocked>],
        chosen: &mut Vec<&'b Blocked>,
    ) -> Result<(), TooMany> {
        taut_budget::tick();
        if self.list.len() > MOST_SEEDS {
            return Err(TooMany(Finding::Deadlock));
        }
        let Some(own) = blocked.get(chosen.len()) else {
            if self.is_possible(chosen) && chosen.iter().any(|b| !b.may_end) {
                self.deadlock(chosen);
            }
            return Ok(());
        };
        for candidate in own {
            let agrees = |other: &&Blocked| {
                let differs = |&(x, v): &Fact| other.memory.iter().any(|&(y, w)| x == y && v != w);
                !candidate.memory.iter().any(differs)
            };
            if chosen.iter().all(agrees) {
                chosen.push(candidate);
                self.combine(blocked, chosen)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    /// Whether blocked processes agree on whether the run is over. While one is in an atomic section none can stop; what is a deadlock
    /// then is one of that process ([`Seeds::stuck_alone`]).
    fn is_possible(&self, chosen: &[&Blocked]) -> bool {
        let is_over = chosen.iter().any(|b| b.is_over);
        let mut places = chosen.iter().enumerate();
        let is_held = places.any(|(process, b)| self.system.is_atomic(process, b.control));
        chosen.iter().all(|b| b.over.is_none_or(|over| over == is_over && !(over && is_held)))
    }

    fn deadlock(&mut self, chosen: &[&Blocked]) {
        let mut c = Constraint::everything(self.shape());
        for (process, blocked) in chosen.iter().enumerate() {
            c.set_control(process, blocked.control);
            blocked.memory.iter().for_each(|&(x, v)| c.set_value(x, v));
        }
        self.list.push((c, Finding::Deadlock));
    }

    /// A process that is blocked in an atomic section blocks all others, whatever they could do, and all commits. If it
    /// may end there, another process that may not end where it is makes this a deadlock.
    fn stuck_alone(&mut self, blocked: &[Vec<Blocked>]) {
        for (process, own) in blocked.iter().enumerate() {
            let in_section = |b: &&Blocked| self.system.is_atomic(process, b.control);
            for b in own.iter().filter(in_section) {
                let mut c = Constraint::everything(self.shape());
                c.set_control(process, b.control);
                b.memory.iter().for_each(|&(x, v)| c.set_value(x, v));
                c.set_frame(self.obligations.frame(Obligation::default()));
                match b.may_end {
                    false => self.list.push((c, Finding::Deadlock)),
                    true => self.beside(process, &c),
                }
            }
        }
    }

    /// Deadlocks in which another process is stopped where it may not end.
    fn beside(&mut self, process: usize, c: &Constraint) {
        for other in (0..self.shape().processes).filter(|&other| other != process) {
            let def = self.program.def_of(ProcId::from(other));
            for control in self.system.real(other) {
                let at = self.system.point(other, control);
                let point = if let Point::At(point, _) = at { *point } else { def.entry };
                if def.points[point.index()].end || self.system.is_atomic(other, control) {
                    continue;
                }
                let mut c = c.clone();
                c.set_control(other, control);
                for slot in self.slots(other, control) {
                    let mut c = c.clone();
                    slot.into_iter().for_each(|(x, v)| c.set_value(x, v));
                    self.list.push((c, Finding::Deadlock));
                }
            }
        }
    }

    /// What the slot of a process that lives may have, for each of them; nothing is asked of it where the process has begun.
    fn slots(&self, process: usize, control: ControlId) -> Vec<Option<Fact>> {
        match (self.system.point(process, control), self.system.places.slot(process)) {
            (Point::Waiting, Some(slot)) => {
                let values = self.system.places.values(slot).len() as u32;
                (2..=values).map(|value| Some((slot, Value(value)))).collect()
            }
            _ => vec![None],
        }
    }

    /// Where a process is blocked while all buffers are empty, and by which values of memory.
    fn blocked(&self, process: usize) -> Vec<Blocked> {
        let mut all = Vec::new();
        for control in self.system.real(process) {
            let Point::At(point, locals) = self.system.point(process, control) else {
                // One that was started begins.
                let slot = self.system.places.slot(process).into_iter();
                let memory = slot.map(|slot| (slot, Places::INITIAL)).collect();
                let (over, is_over) = (None, false);
                all.push(Blocked { control, memory, may_end: true, over, is_over });
                continue;
            };
            let def = self.program.def_of(ProcId::from(process));
            // A process that may exit does, or waits for younger ones: it is in no deadlock's way.
            let exits = def.steps_from(*point).any(|(_, step)| step.target == Control::Exit);
            let may_end = exits || def.points[point.index()].end;
            let (may_stop, is_over) = self.ends(process, *point, locals);
            if may_stop {
                let (memory, over) = (Vec::new(), Some(true));
                all.push(Blocked { control, memory, may_end: true, over, is_over });
            }
            let over = may_stop.then_some(false);
            self.blocked_by(process, *point, locals, &mut Vec::new(), &mut |memory| {
                all.push(Blocked { control, memory, may_end, over, is_over });
            });
        }
        all
    }

    /// Whether a process may stop at a point as soon as the run is over, and whether it has said that it is (`ends.rs`).
    pub(crate) fn ends(&self, process: usize, point: PointId, locals: &[i64]) -> (bool, bool) {
        let Some(ends) = &self.system.ends else { return (false, false) };
        let may_stop = ends.stop(process, point).is_some();
        let flag = self.names[process].ghost(ends.var(), 0);
        (may_stop, flag.is_some_and(|position| locals[position] != 0))
    }

    fn blocked_by(
        &self,
        process: usize,
        point: PointId,
        locals: &[i64],
        known: &mut Vec<(Cell, i64)>,
        found: &mut impl FnMut(Vec<Fact>),
    ) {
        taut_budget::tick();
        let id = ProcId::from(process);
        let (places, names) = (&self.system.places, &self.names[process]);
        let steps = self.program.def_of(id).steps_from(point).map(|(_, step)| step);
        for step in steps.filter(|step| step.target != Control::Exit) {
            let execution = Execution::new(self.program, id, places, names, locals, known);
            match execution.could_start(step) {
                Ok(true) => return,
                Ok(false) => {}
                Err(cell) => {
                    for value in places.values(cell) {
                        known.push((cell, *value));
                        self.blocked_by(process, point, locals, known, found);
                        known.pop();
                    }
                    return;
                }
            }
        }
        let number = |&(cell, value): &(Cell, i64)| {
            let at = places.values(cell).iter().position(|v| *v == value);
            (cell, at.map_or(Value::ANY, |i| Value(i as u32 + 1)))
        };
        found(known.iter().map(number).collect());
    }
}

/// A control point at which a process is blocked by values of memory, or has stopped.
struct Blocked {
    control: ControlId,
    memory: Vec<Fact>,
    may_end: bool,
    /// Whether the run has to be over, or must not be: where a process may stop once it is, it has stopped then, and it is blocked
    /// only as long as the run is not over.
    over: Option<bool>,
    /// Whether it has said that the run is over.
    is_over: bool,
}
