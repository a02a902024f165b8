//! The loops that a process can take by itself, read off its code.
//!
//! Where a process can go round by its own steps, storing constants or parameters, what a round appends to its buffer is known
//! before the search. Such loops are candidates for cycles at each of their program points, so that buffers grow as
//! large as they can as soon as a process comes there, and the search does not piece the same language
//! together from loops that it comes across one by one. Whether a candidate is a cycle in a state is tested
//! there, as for every cycle.

use taut_ir::{
    Action, Cfg, Control, Effect, Expr, Lvalue, Mode, PointId, ProcId, Program, Step, StepId,
};
use taut_memory::Cells;

use crate::edge::EdgeKind;
use crate::sets::Entry;

/// A way round, from a program point back to it.
pub(crate) struct Loop {
    pub(crate) process: ProcId,
    pub(crate) point: PointId,
    pub(crate) steps: Vec<EdgeKind>,
    /// What one round stores.
    pub(crate) stores: Vec<Entry>,
}

/// Steps of the longest loop that is looked for.
const LONGEST: usize = 12;
/// Loops through one program point that are looked for.
const MOST: usize = 16;
/// Steps that are tried for the loops through one program point.
const MOST_TRIED: usize = 20_000;
/// Steps that are tried for all loops of a program. Loops are found in the search, too, only later.
const MOST_TRIED_IN_ALL: usize = 1_000_000;

/// The loops of all processes.
pub(crate) fn loops(program: &Program, places: &Cells) -> Vec<Loop> {
    let mut all = Vec::new();
    let mut tried = 0;
    for process in program.process_ids() {
        let def = program.def_of(process);
        let cfg = Cfg::of(def);
        let leaving = |at: PointId| {
            cfg.steps_from(def, at).filter(|(_, step)| is_plain(step)).collect::<Vec<_>>()
        };
        let leaving: Vec<_> = (0..def.points.len()).map(|l| leaving(PointId::from(l))).collect();
        for point in (0..def.points.len()).map(PointId::from) {
            if tried > MOST_TRIED_IN_ALL {
                return all;
            }
            let walk = Walk { program, places, process, start: point, leaving: &leaving };
            all.extend(walk.loops(&mut tried));
        }
    }
    all
}

struct Walk<'p> {
    program: &'p Program,
    places: &'p Cells,
    process: ProcId,
    start: PointId,
    /// The plain steps that leave each program point.
    leaving: &'p [Vec<(StepId, &'p Step)>],
}

impl Walk<'_> {
    /// The loops through the start, shortest first.
    fn loops(&self, tried_in_all: &mut usize) -> Vec<Loop> {
        let mut found = Vec::new();
        let mut open: std::collections::VecDeque<Vec<(StepId, &Step)>> = [Vec::new()].into();
        let mut tried = 0;
        while let Some(path) = open.pop_front() {
            taut_budget::tick();
            let at = path.last().map_or(self.start, |(_, step)| target(step));
            for &next in &self.leaving[at.index()] {
                tried += 1;
                let to = target(next.1);
                let again = path.iter().any(|(_, step)| step.source == to) && to != self.start;
                if again || path.len() + 1 > LONGEST || tried > MOST_TRIED {
                    continue;
                }
                let longer: Vec<_> = path.iter().copied().chain([next]).collect();
                match to == self.start {
                    true => found.extend(self.close(&longer)),
                    false => open.push_back(longer),
                }
            }
            if found.len() >= MOST {
                break;
            }
        }
        *tried_in_all += tried;
        found
    }

    fn close(&self, path: &[(StepId, &Step)]) -> Option<Loop> {
        let mut stores = Vec::new();
        for (_, step) in path {
            self.add_stores(step, &mut stores)?;
        }
        let process = self.process;
        let steps = path.iter().map(|&(step, _)| EdgeKind::Steps {
            process,
            timeout: false,
            actions: Box::new([Action::step(process, step)]),
        });
        (!stores.is_empty()).then(|| Loop {
            process,
            point: self.start,
            steps: steps.collect(),
            stores,
        })
    }

    /// What a step stores, if that is constant.
    fn add_stores(&self, step: &Step, stores: &mut Vec<Entry>) -> Option<()> {
        for effect in &step.effects {
            match effect {
                Effect::StoreFence => stores.push(Entry::Fence),
                Effect::Assign(list) => {
                    for assignment in list {
                        let Some(var) = assignment.place.variable() else { continue };
                        if !self.program.var(var).kind.is_buffered() {
                            continue;
                        }
                        let value = self.value(&assignment.value)?;
                        let index = match &assignment.place {
                            Lvalue::VarElem(_, index) => u32::try_from(self.value(index)?).ok()?,
                            _ => 0,
                        };
                        let in_range = index < self.program.var(var).size();
                        let place = in_range.then(|| self.places.of(var, index))?;
                        stores.push(Entry::Store { place, value });
                    }
                }
                _ => {}
            }
        }
        Some(())
    }
}

impl Walk<'_> {
    /// What an expression of constants and parameters is. A parameter may be assigned after all: then the loop
    /// turns out not to be a cycle.
    fn value(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Reg(r) => self.program.process(self.process).args.get(r.index()).copied(),
            Expr::Unary(op, a) => Some(op.apply(self.value(a)?)),
            Expr::Binary(op, a, b) => op.apply(self.value(a)?, self.value(b)?).ok(),
            _ => None,
        }
    }
}

fn target(step: &Step) -> PointId {
    match step.target {
        Control::Goto(target) => target,
        _ => step.source,
    }
}

/// Whether a step needs nobody else and no empty buffer.
fn is_plain(step: &Step) -> bool {
    step.mode == Mode::Plain
        && !step.needs_drained()
        && !step.holds
        && step.channel.is_none()
        && matches!(step.target, Control::Goto(_))
        && !step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. } | Effect::Fail(_)))
}
