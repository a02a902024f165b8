//! Lost updates: between a load of a program point and the store that depends on it, a store of another process.
//!
//! No fence helps against it, since the load and the store stay two accesses. They have to be one locked instruction.
//! A store of a process *depends* on its load of the same program point in one of two ways:
//!
//! - **by value**: the value went through registers into what is stored (`r := x; x := r + 1`);
//! - **by test**: a condition looked at it, and the store is the next access of the process to shared memory
//!   (`assume(x == 0); x := 1`).
//!
//! The flow through registers is followed along the run, by what the steps say. Elements of an array of registers are
//! not told apart, and what a return brings back keeps what it had: where that is too much, a proposal is made that
//! [`OneStep`] then does not confirm.

use std::collections::{BTreeMap, BTreeSet};

use taut_ir::{
    Action, DefId, Effect, Expr, Lvalue, Mode, PointId, ProcId, Program, RegId, Step, StepId,
};
use taut_witness::{Address, Record, Run, Target};

use crate::delay::delays;

/// How a store depends on a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dependence {
    /// The value goes into what is stored.
    Value,
    /// Whether the store happens is decided by the value.
    Test,
}

/// An update that was lost in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostUpdate {
    /// The process that loads and stores.
    pub process: ProcId,
    /// Its definition.
    pub def: DefId,
    /// What it loads and stores.
    pub address: Address,
    /// The step that loads.
    pub load: StepId,
    /// The step that stores; it may be the same, if its store was delayed.
    pub store: StepId,
    /// How the store depends on the load.
    pub dependence: Dependence,
    /// The process whose store came between the two.
    pub other: ProcId,
    /// Where the process is between the two steps.
    between: BTreeSet<PointId>,
}

impl LostUpdate {
    /// Whether the process did nothing between the load and the store.
    pub fn is_adjacent(&self) -> bool {
        self.between.len() <= 1
    }
}

/// The lost updates of a run, each pair of steps and program point once, in the order of the stores.
pub fn lost_updates(program: &Program, run: &Run) -> Vec<LostUpdate> {
    let mut reading = Reading::new(program, run);
    for row in 0..run.rows.len() {
        for (process, step, record) in doings(run, row) {
            reading.take(row, process, step, record);
        }
    }
    reading.found
}

/// A program in which the load, the store and all between of some lost updates are one step each.
#[derive(Clone, Debug)]
pub struct OneStep(pub Program);

impl OneStep {
    /// Makes them one step: the load waits until the process's own buffer is empty, nothing else happens until the store,
    /// and the store goes to memory at once.
    pub fn of(program: &Program, updates: &[LostUpdate]) -> OneStep {
        let mut program = program.clone();
        for update in updates {
            let def = &mut program.defs[update.def.index()];
            for step in [update.load, update.store] {
                let step = &mut def.steps[step.index()];
                if step.mode != Mode::Sync {
                    step.mode = Mode::Locked;
                }
            }
            for at in &update.between {
                def.points[at.index()].atomic = true;
            }
        }
        OneStep(program)
    }
}

/// What is done at a row: by whom, by which step.
fn doings(run: &Run, row: usize) -> Vec<(ProcId, StepId, &Record)> {
    let done = &run.rows[row];
    match done.action {
        Action::Step { process, step, .. } => vec![(process, step, &done.record)],
        Action::Handshake { process, step, receiver, receive, .. } => {
            let partner = done.record.partner.as_deref();
            let partner = partner.map(|record| (receiver, receive, record));
            std::iter::once((process, step, &done.record)).chain(partner).collect()
        }
        Action::Commit { .. } => Vec::new(),
    }
}

/// A load of a run.
#[derive(Clone, Copy, Debug)]
struct Load {
    row: usize,
    step: StepId,
    address: Address,
}

type Loads = BTreeSet<usize>;

/// What is known of a process while its part of a run is read. Loads are numbers of [`Reading::loads`].
#[derive(Clone, Debug, Default)]
struct Flow {
    /// The loads that went into each register.
    registers: BTreeMap<RegId, Loads>,
    /// The loads that conditions have looked at.
    tested: Loads,
    /// The row of the latest access to shared memory.
    latest: Option<usize>,
}

struct Reading<'a> {
    program: &'a Program,
    run: &'a Run,
    loads: Vec<Load>,
    flows: Vec<Flow>,
    /// When stores of which process reach memory: by row.
    landings: Vec<(usize, ProcId, Address)>,
    /// When the delayed store of a row reaches memory.
    arrivals: BTreeMap<(usize, ProcId, Address), usize>,
    found: Vec<LostUpdate>,
}

impl<'a> Reading<'a> {
    fn new(program: &'a Program, run: &'a Run) -> Reading<'a> {
        let arrivals = delays(run).into_iter().map(|d| ((d.from, d.process, d.address), d.to));
        Reading {
            program,
            run,
            loads: Vec::new(),
            flows: vec![Flow::default(); program.processes.len()],
            landings: landings(run),
            arrivals: arrivals.collect(),
            found: Vec::new(),
        }
    }

    fn is_shared(&self, address: Address) -> bool {
        self.program.var(address.var).kind.is_buffered()
    }

    /// Takes in what a process does at a row.
    fn take(&mut self, row: usize, process: ProcId, id: StepId, record: &Record) {
        taut_budget::tick();
        let step = &self.program.def_of(process).steps[id.index()];
        let first = self.loads.len();
        let shared = record.reads.iter().map(|read| read.address).filter(|&a| self.is_shared(a));
        let here: Vec<Load> = shared.map(|address| Load { row, step: id, address }).collect();
        self.loads.extend(here);
        let here: Loads = (first..self.loads.len()).collect();
        let tested = self.flow_of(process, &step.guard, &here);
        self.flows[process.index()].tested.extend(tested);
        self.effects(row, process, id, step, record, &here);
        let stores = record.writes.iter().any(|write| self.is_shared(write.address));
        if stores || !here.is_empty() {
            self.flows[process.index()].latest = Some(row);
        }
    }

    /// The loads that go into an expression, of which some are of the same step.
    fn flow_of(&self, process: ProcId, expr: &Expr, here: &Loads) -> Loads {
        let vars = expr.variables();
        let of_step = here.iter().filter(|&&load| vars.contains(&self.loads[load].address.var));
        let mut all: Loads = of_step.copied().collect();
        let registers = &self.flows[process.index()].registers;
        expr.visit(&mut |e| {
            if let Expr::Reg(register) | Expr::RegElem(register, _) = e {
                all.extend(registers.get(register).into_iter().flatten());
            }
        });
        all
    }

    fn effects(
        &mut self,
        row: usize,
        process: ProcId,
        id: StepId,
        step: &Step,
        record: &Record,
        here: &Loads,
    ) {
        // What a message brings was loaded by another process, if by any.
        let nothing = Expr::TRUE;
        let received = step.channel.iter().flat_map(|channel| channel.places());
        let mut lists: Vec<Vec<(&Lvalue, &Expr)>> =
            received.map(|place| vec![(place, &nothing)]).collect();
        lists.extend(step.effects.iter().filter_map(|effect| match effect {
            Effect::Assign(list) => Some(list.iter().map(|a| (&a.place, &a.value)).collect()),
            _ => None,
        }));
        for list in lists {
            let flows: Vec<Loads> =
                list.iter().map(|(_, value)| self.flow_of(process, value, here)).collect();
            for ((place, _), flow) in list.into_iter().zip(flows) {
                self.assign(row, process, id, place, flow, record);
            }
        }
    }

    fn assign(
        &mut self,
        row: usize,
        process: ProcId,
        id: StepId,
        place: &Lvalue,
        flow: Loads,
        record: &Record,
    ) {
        let registers = &mut self.flows[process.index()].registers;
        match place {
            Lvalue::Reg(register) => {
                registers.insert(*register, flow);
            }
            Lvalue::RegElem(register, _) => registers.entry(*register).or_default().extend(flow),
            Lvalue::Var(var) | Lvalue::VarElem(var, _) => {
                let written = record.writes.iter().filter(|write| write.address.var == *var);
                let written: BTreeSet<(Address, bool)> =
                    written.map(|w| (w.address, w.to == Target::Memory)).collect();
                for (address, at_once) in written {
                    self.store(row, process, id, address, at_once, &flow);
                }
            }
        }
    }

    /// Looks for a load that a store of a process depends on, and for a store of another between the two.
    fn store(
        &mut self,
        row: usize,
        process: ProcId,
        id: StepId,
        address: Address,
        at_once: bool,
        flow: &Loads,
    ) {
        if !self.is_shared(address) {
            return;
        }
        let Flow { tested, latest, .. } = &self.flows[process.index()];
        let by_value = flow.iter().map(|&load| (load, Dependence::Value));
        let is_next = |load: &&usize| {
            let at = self.loads[**load].row;
            at == row || Some(at) == *latest
        };
        let by_test = tested.iter().filter(is_next).map(|&load| (load, Dependence::Test));
        let arrival = self.arrivals.get(&(row, process, address));
        let lands = if at_once { row } else { arrival.copied().unwrap_or(self.run.rows.len()) };
        let candidates: Vec<_> = by_value.chain(by_test).collect();
        for (load, dependence) in candidates {
            let load = self.loads[load];
            let comes_between = |&&(at, by, what): &&(usize, ProcId, Address)| {
                by != process && what == address && load.row < at && at < lands
            };
            let Some(&(_, other, _)) = self.landings.iter().find(comes_between) else { continue };
            if load.address != address {
                continue;
            }
            self.note(LostUpdate {
                process,
                def: self.program.process(process).def,
                address,
                load: load.step,
                store: id,
                dependence,
                other,
                between: self.between(process, load.row, row),
            });
        }
    }

    /// Where a process is after one row and until another.
    fn between(&self, process: ProcId, load: usize, store: usize) -> BTreeSet<PointId> {
        (load..store).map(|row| self.run.rows[row].after.process(process).point).collect()
    }

    fn note(&mut self, new: LostUpdate) {
        let key = |u: &LostUpdate| (u.process, u.address, u.load, u.store);
        if !self.found.iter().any(|known| key(known) == key(&new)) {
            self.found.push(new);
        }
    }
}

/// When stores reach memory, and whose.
fn landings(run: &Run) -> Vec<(usize, ProcId, Address)> {
    let mut all = Vec::new();
    for (row, done) in run.rows.iter().enumerate() {
        if let Action::Commit { process, var, index } = done.action {
            all.push((row, process, Address { var, index }));
        }
        for (process, _, record) in doings(run, row) {
            let at_once = record.writes.iter().filter(|write| write.to == Target::Memory);
            all.extend(at_once.map(|write| (row, process, write.address)));
        }
    }
    all
}
