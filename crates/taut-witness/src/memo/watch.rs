//! Expressions over whole states, each computed once per view of them.
//!
//! An expression of a property sees some variables, channels, and of each process that it names a few things: whether it
//! lives, whether it is at some program points, whether its buffer is empty, some registers, and stores to some
//! variables that wait in its buffer. The parts of a process fall into *classes* by what is seen of them. Whether the expressions
//! are true depends on the classes and on the variables and channels that are seen, and is computed once for these.
//! An expression that asks what a process can do depends on everything, and is computed in each state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use taut_fault::{Fault, is_on};
use taut_ir::{Expr, PointId, ProcId, RegId, VarId};

use super::columns::Columns;
use super::pool::Pool;
use crate::address::Address;
use crate::machine::Machine;
use crate::state::ProcessState;

/// Something that is seen of a process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Alive,
    Drained,
    Pid,
    At(Vec<PointId>),
    Register(RegId),
    /// The stores to a variable that wait.
    Waiting(VarId),
}

/// Expressions over whole states.
#[derive(Debug)]
pub struct Watch<'p> {
    machine: Machine<'p>,
    exprs: Vec<&'p Expr>,
    variables: Vec<Range<usize>>,
    channels: bool,
    /// An expression depends on everything.
    unknown: bool,
    processes: Vec<Watched>,
    keys: Pool,
    truths: Vec<Box<[bool]>>,
    key: Vec<u8>,
}

/// What is seen of one process.
#[derive(Debug)]
struct Watched {
    id: ProcId,
    seen: Vec<Seen>,
    /// For each part its class.
    classes: Vec<Option<u32>>,
    numbers: HashMap<Vec<i64>, u32>,
}

impl<'p> Watch<'p> {
    /// Watches some expressions of properties.
    pub fn new(machine: Machine<'p>, columns: &Columns<'p>, exprs: Vec<&'p Expr>) -> Watch<'p> {
        let mut sight = Sight::default();
        exprs.iter().for_each(|expr| sight.look(machine, expr, None));
        let watched = |(id, seen): (ProcId, BTreeSet<Seen>)| Watched {
            id,
            seen: seen.into_iter().collect(),
            classes: Vec::new(),
            numbers: HashMap::new(),
        };
        Watch {
            machine,
            exprs,
            variables: sight.variables.iter().map(|&var| columns.cells.range(var)).collect(),
            channels: sight.channels,
            unknown: sight.unknown,
            processes: sight.processes.into_iter().map(watched).collect(),
            keys: Pool::new(),
            truths: Vec::new(),
            key: Vec::new(),
        }
    }

    /// For each expression whether it is true in a state. One that cannot be computed is not.
    pub fn truths(&mut self, columns: &Columns<'p>, row: &[u32]) -> &[bool] {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let forgets = is_on(Fault::TruthsForgetProcesses);
        for watched in self.processes.iter_mut().filter(|_| !forgets) {
            let class = watched.class(self.machine, columns, row[watched.id.index()]);
            key.extend_from_slice(&class.to_le_bytes());
        }
        let shared = columns.shared_bytes(row[row.len() - 1]);
        let seen = self.variables.iter().filter(|_| !is_on(Fault::TruthsForgetMemory));
        seen.for_each(|range| key.extend_from_slice(&shared[range.clone()]));
        if self.channels {
            key.extend_from_slice(&shared[columns.cells.memory..]);
        }
        let (number, is_new) = self.keys.insert(&key);
        self.key = key;
        if is_new {
            self.truths.push(Box::default());
        }
        if is_new || self.unknown {
            let state = columns.state(row);
            let truths = self.exprs.iter().map(|expr| self.machine.holds(&state, expr));
            self.truths[number as usize] = truths.collect();
        }
        &self.truths[number as usize]
    }
}

impl Watched {
    fn class(&mut self, machine: Machine<'_>, columns: &Columns<'_>, part: u32) -> u32 {
        if let Some(&Some(class)) = self.classes.get(part as usize) {
            return class;
        }
        let at = columns.process(self.id, part);
        let mut values = Vec::new();
        self.seen.iter().for_each(|seen| seen.write(machine, at, &mut values));
        let next = self.numbers.len() as u32;
        let class = *self.numbers.entry(values).or_insert(next);
        if self.classes.len() <= part as usize {
            self.classes.resize(part as usize + 1, None);
        }
        self.classes[part as usize] = Some(class);
        class
    }
}

impl Seen {
    /// What is seen, as numbers; always as many.
    fn write(&self, machine: Machine<'_>, at: &ProcessState, values: &mut Vec<i64>) {
        match self {
            Seen::Alive => values.push(i64::from(at.started)),
            Seen::Drained => values.push(i64::from(at.buffer.is_empty())),
            Seen::Pid => values.push(i64::from(at.pid)),
            Seen::At(points) => values.push(i64::from(points.contains(&at.point))),
            Seen::Register(register) => values.extend(&at.registers[register.index()]),
            Seen::Waiting(var) => {
                for index in 0..machine.program().var(*var).size() {
                    let newest = at.buffer.newest(Address { var: *var, index });
                    values.extend([i64::from(newest.is_some()), newest.unwrap_or(0)]);
                }
            }
        }
    }
}

#[derive(Default)]
struct Sight {
    variables: BTreeSet<VarId>,
    channels: bool,
    unknown: bool,
    processes: BTreeMap<ProcId, BTreeSet<Seen>>,
}

impl Sight {
    fn see(&mut self, id: ProcId, seen: Seen) {
        // What is seen of a process is nothing where it does not live.
        self.processes.entry(id).or_default().extend([Seen::Alive, seen]);
    }

    /// Adds what an expression sees, as a process does or from outside.
    fn look(&mut self, machine: Machine<'_>, expr: &Expr, inside: Option<ProcId>) {
        match (expr, inside) {
            (Expr::Var(var) | Expr::VarElem(var, _), _) => {
                self.variables.insert(*var);
                inside.into_iter().for_each(|id| self.see(id, Seen::Waiting(*var)));
            }
            (Expr::Reg(register) | Expr::RegElem(register, _), Some(id)) => {
                self.see(id, Seen::Register(*register));
            }
            (Expr::Pid, Some(id)) => self.see(id, Seen::Pid),
            (Expr::At(id, points), _) => self.see(*id, Seen::At(points.clone())),
            (Expr::In(id, _) | Expr::Alive(id), _) => self.see(*id, Seen::Alive),
            (Expr::Drained(id), _) => self.see(*id, Seen::Drained),
            (Expr::Processes, _) => {
                machine.program().process_ids().for_each(|id| self.see(id, Seen::Alive));
            }
            (Expr::Channel(..) | Expr::Poll(_), _) => self.channels = true,
            (Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..), _) => {}
            (Expr::Enabled(_) | Expr::Timeout, _)
            | (Expr::Reg(_) | Expr::RegElem(..) | Expr::Pid, None) => self.unknown = true,
        }
        let inside = if let Expr::In(id, _) = expr { Some(*id) } else { inside };
        expr.operands().into_iter().for_each(|operand| self.look(machine, operand, inside));
    }
}
