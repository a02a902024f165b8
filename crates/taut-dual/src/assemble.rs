//! The system of a program whose control points are all known: edges by their targets, entries of buffers, and what the
//! search may rely on.

use taut_ir::{ProcId, Program, Start};

use crate::compile::{Compiled, Compiler, Growing};
use crate::exclusion::{Code, Locks};
use crate::history::History;
use crate::locals::Locals;
use crate::not_compiled::NotCompiled;
use crate::places::{Fact, Value};
use crate::start::{alike, is_finished, named, starts};
use crate::symbol::{Entry, Symbols};
use crate::system::{ControlId, Edge, EdgeId, Kind, Point, Process, System};

impl Compiler<'_> {
    pub(crate) fn finish(self) -> Compiled {
        let defs = &self.program.defs;
        let locks = self.locks();
        let mut system = System {
            places: self.places,
            symbols: Symbols::default(),
            edges: Vec::new(),
            processes: Vec::new(),
            has_sync: false,
            reached: defs.iter().map(|d| vec![false; d.steps.len()]).collect(),
            alike: alike(self.program),
            locks,
            ends: self.ends.cloned(),
        };
        let mut names = Vec::new();
        let writers = writers(&self.processes, system.places.len());
        for (id, growing) in self.processes.into_iter().enumerate() {
            let def = self.program.process(ProcId::from(id)).def.index();
            let is_atomic = |p: &Point| is_atomic(self.program, id, p);
            let finished = |p: &Point| is_finished(self.program, ProcId::from(id), p);
            let finished = growing.points.iter().map(finished).collect();
            let atomic = growing.points.iter().map(is_atomic).collect();
            let incoming = vec![Vec::new(); growing.points.len()];
            let points = growing.points;
            // Of a definition with any number of processes, another one may store, too.
            let is_one = !self.program.is_replicated(taut_ir::DefId::from(def));
            let alone = writers.iter().map(|writers| is_one && writers == &[id]).collect();
            let history = History::of(&system.places, &growing.leaving, alone);
            let process =
                Process { points, atomic, incoming, history, finished, ..Process::default() };
            system.processes.push(process);
            growing.leaving.into_iter().flatten().for_each(|edge| add(&mut system, def, edge));
            settle(&mut system, id);
            names.push(growing.names);
        }
        let why = late(self.program, &system)
            .or_else(|| named(self.program, &system).map(NotCompiled::Named))
            .or_else(|| ghost(self.program, &names).filter(|_| self.again));
        match why {
            Some(why) => Err((why, system.places)),
            None => Ok((system, names)),
        }
    }
}

impl Compiler<'_> {
    fn locks(&self) -> Locks {
        let atomic = |(id, growing): (usize, &Growing)| -> Vec<bool> {
            growing.points.iter().map(|point| is_atomic(self.program, id, point)).collect()
        };
        let atomic: Vec<Vec<bool>> = self.processes.iter().enumerate().map(atomic).collect();
        let all = self.processes.iter().zip(&atomic);
        let codes: Vec<Code<'_>> =
            all.map(|(growing, atomic)| Code { leaving: &growing.leaving, atomic }).collect();
        Locks::of(&self.places, &codes)
    }
}

/// Whether no other process moves while one is at a control point. Those after a finding count as such.
fn is_atomic(program: &Program, process: usize, point: &Point) -> bool {
    let def = program.def_of(ProcId::from(process));
    match point {
        Point::At(point, _) => def.points[point.index()].atomic,
        Point::Found(_) | Point::Bounded(_) => true,
        Point::Any | Point::Inner(..) | Point::Waiting => false,
    }
}

/// A step that starts a process while stores may wait in the buffer of its own.
fn late(program: &Program, system: &System) -> Option<NotCompiled> {
    system.edges.iter().find_map(|edge| {
        let step = &program.def_of(edge.process).steps[edge.step?.index()];
        let history = &system.processes[edge.process.index()].history;
        let is_late = starts(step) && !step.needs_drained() && !history.is_drained(edge.source);
        is_late.then_some(NotCompiled::Late(edge.process, edge.step?))
    })
}

/// A ghost of a process that others start.
fn ghost(program: &Program, names: &[Locals]) -> Option<NotCompiled> {
    let spawned = program.processes.iter().zip(names).filter(|(p, _)| p.start == Start::Spawned);
    spawned.flat_map(|(_, names)| names.own_ghosts()).min().map(NotCompiled::Ghost)
}

/// The processes that store to each cell.
fn writers(processes: &[Growing], cells: usize) -> Vec<Vec<usize>> {
    let mut writers = vec![Vec::new(); cells];
    for (id, process) in processes.iter().enumerate() {
        let facts = process.leaving.iter().flatten().flat_map(|edge| &edge.writes);
        facts.for_each(|(cell, _)| writers[cell.index()].push(id));
    }
    writers.iter_mut().for_each(Vec::dedup);
    writers
}

/// Adds an edge, unless undoing it could only ask for more.
fn add(system: &mut System, def: usize, edge: Edge) {
    let process = &system.processes[edge.process.index()];
    let target = &process.points[edge.target.index()];
    let may_be = |&fact: &Fact| process.history.may_be(&system.places, edge.source, fact);
    let is_blocked = matches!(target, Point::Bounded(_));
    // Whether a process waits, the history of the only one that starts it tells.
    if is_blocked && !edge.reads.iter().all(may_be) {
        return;
    }
    if let Some(step) = edge.step.filter(|_| !is_blocked) {
        system.reached[def][step.index()] = true;
    }
    if edge.source == edge.target && edge.writes.is_empty() {
        return;
    }
    let id = EdgeId(system.edges.len() as u32);
    system.has_sync |= edge.kind == Kind::Sync;
    if edge.kind == Kind::Plain {
        entries(&mut system.symbols, &edge);
    }
    let process = &mut system.processes[edge.process.index()];
    process.incoming[edge.target.index()].push(id);
    for &fact in &edge.writes {
        process.stores.entry(fact).or_default().push(id);
    }
    let leaves = process.atomic[edge.source.index()] && !process.atomic[edge.target.index()];
    if leaves {
        process.exits.push(id);
    }
    system.edges.push(edge);
}

/// Makes all entries that undoing an edge may ask for: own ones, and messages of each part of its loads.
fn entries(symbols: &mut Symbols, edge: &Edge) {
    let reads = &edge.reads;
    for &fact in reads {
        symbols.number(Entry::Own(fact));
    }
    for part in 1_u32..1 << reads.len() {
        let facts = reads.iter().enumerate().filter(|(i, _)| part >> i & 1 == 1).map(|(_, f)| *f);
        symbols.number(Entry::Message(facts.collect()));
    }
    debug_assert!(reads.iter().all(|(_, v)| *v != Value::ANY));
}

fn settle(system: &mut System, id: usize) {
    let edges = &system.edges;
    let process = &mut system.processes[id];
    let quiet = |incoming: &Vec<EdgeId>| {
        incoming.iter().all(|edge| {
            let edge = &edges[edge.0 as usize];
            edge.kind == Kind::Plain && edge.writes.is_empty()
        })
    };
    process.quiet = process.incoming.iter().map(quiet).collect();
    process.quiet[ControlId::ANY.index()] = false;
    process.quiet[ControlId::INITIAL.index()] = false;
}
