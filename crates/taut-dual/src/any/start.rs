//! What the search over crowds starts from: the constraints of `seeds.rs`, of a program with the processes that properties
//! name and one more of each definition.
//!
//! That one more is enough: what a property asks for is asked of those that it names, and of all others at most one is
//! in an atomic section.

use taut_ir::{Finding, ProcId, Program};

use super::crowd::{Crowd, Member, Owed};
use super::debts::Debts;
use super::undo::Code;
use crate::constraint::Constraint;
use crate::obligation::{Obligation, THAWED};
use crate::places::Cell;
use crate::seeds::Seeds;
use crate::system::{ControlId, Point, System};

/// A crowd that must not be, with the processes of the program that its members are.
pub(crate) struct Bad {
    pub(crate) crowd: Crowd,
    pub(crate) processes: Vec<ProcId>,
    pub(crate) finding: Finding,
}

/// For each process of a program, the process whose code stands for it.
pub(crate) fn codes(program: &Program) -> (Vec<usize>, Vec<Code>) {
    let mut stand = Vec::new();
    let mut codes = Vec::new();
    for process in program.process_ids() {
        let def = program.process(process).def;
        let first = program.processes_of(def).next().map_or(process.index(), ProcId::index);
        let is_any = program.is_replicated(def);
        stand.push(if is_any { first } else { process.index() });
        codes.push(match is_any {
            false => Code::One,
            true if first == process.index() => Code::Any,
            true => Code::Unused,
        });
    }
    (stand, codes)
}

/// The crowds of some seeds.
pub(crate) fn crowds(seeds: &Seeds<'_>, stand: &[usize], debts: &mut Debts) -> Vec<Bad> {
    let mut all = Vec::new();
    for (constraint, finding) in &seeds.list {
        taut_budget::tick();
        all.extend(crowd(seeds, stand, debts, constraint, *finding));
    }
    all
}

/// One crowd; none if a process is where the one that stands for it never is, which would be a bug.
fn crowd(
    seeds: &Seeds<'_>,
    stand: &[usize],
    debts: &mut Debts,
    c: &Constraint,
    finding: Finding,
) -> Option<Bad> {
    let shape = c.shape();
    let values = (0..shape.cells as u32).map(|cell| c.value(Cell(cell))).collect();
    let nothing = Obligation::default();
    let owed = if c.frame() == THAWED { &nothing } else { seeds.obligations.of(c.frame()) };
    let (mut members, mut processes) = (Vec::new(), Vec::new());
    for process in (0..shape.processes).filter(|&p| c.control(p) != ControlId::ANY) {
        let code = stand[process];
        let control = same_point(seeds.system, process, code, c.control(process))?;
        let owed = match c.frame() {
            THAWED => Owed::NOTHING,
            _ => debts.of(owed, process),
        };
        members.push(Member { code: code as u32, control, owed, word: Vec::new() });
        processes.push(ProcId::from(process));
    }
    let mut crowd = Crowd { is_frozen: c.frame() != THAWED, values, members };
    let order = crowd.sort();
    let processes = order.into_iter().map(|i| processes[i]).collect();
    Some(Bad { crowd, processes, finding })
}

/// The control point of the process that stands for another one.
fn same_point(system: &System, from: usize, to: usize, control: ControlId) -> Option<ControlId> {
    if from == to {
        return Some(control);
    }
    let point = system.point(from, control);
    let is_seed = matches!(point, Point::At(..) | Point::Found(_) | Point::Bounded(_));
    debug_assert!(is_seed, "seeds are at program points");
    let at = system.processes[to].points.iter().position(|other| other == point);
    debug_assert!(at.is_some(), "processes of one definition have the same control points");
    at.map(|at| ControlId(at as u32))
}
