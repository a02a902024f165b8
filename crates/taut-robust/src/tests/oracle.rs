//! The definition by brute force: all runs with their traces, one action after the other.
//!
//! Nothing of the search is used. A trace has the steps of each process; for each load the store that it reads from; and
//! for each object the stores in the order in which they reach memory. Channels are left to another test.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use taut_ir::{Action, Effect, Memory, ProcId, Program, Step, StepId, VarKind};
use taut_witness::{Address, Machine, Outcome, Record, Source, State, Target};

/// A store: the process, the number of its step in that process, and the number of the store in the step.
type Store = (ProcId, usize, usize);
/// A location, or the table of processes.
type Thing = Option<Address>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    step: StepId,
    /// What is loaded, and the store that it reads from; none if it is the initial value.
    loads: Vec<(Thing, Option<Store>)>,
    /// Processes that it starts, and the number of steps that each had taken before.
    starts: Vec<(ProcId, usize)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Trace {
    events: Vec<Vec<Event>>,
    /// Stores to each object, in the order in which they reach memory.
    order: BTreeMap<Thing, Vec<Store>>,
    waiting: Vec<Vec<(Address, Store)>>,
}

impl Trace {
    fn new(processes: usize) -> Trace {
        let (events, waiting) = (vec![Vec::new(); processes], vec![Vec::new(); processes]);
        Trace { events, order: BTreeMap::new(), waiting }
    }

    fn newest(&self, thing: Thing) -> Option<Store> {
        self.order.get(&thing).and_then(|all| all.last()).copied()
    }

    fn apply(&mut self, program: &Program, action: Action, record: &Record) {
        match action {
            Action::Commit { process, var, index } => {
                let address = Address { var, index };
                let waiting = &mut self.waiting[process.index()];
                let at = waiting.iter().position(|w| w.0 == address).expect("it waits");
                let (_, store) = waiting.remove(at);
                self.order.entry(Some(address)).or_default().push(store);
            }
            Action::Step { process, step, .. } => self.step(program, process, step, record),
            Action::Handshake { .. } => panic!("no channels here"),
        }
    }

    fn step(&mut self, program: &Program, process: ProcId, step: StepId, record: &Record) {
        let number = self.events[process.index()].len();
        let mut event = Event { step, loads: vec![], starts: vec![] };
        let counts = |address: Address| program.var(address.var).kind == VarKind::Shared;
        let mut stores = 0;
        let code = &program.def_of(process).steps[step.index()];
        for read in record.reads.iter().filter(|r| counts(r.address)) {
            if reads_itself(code, read.address) {
                event.loads.push((Some(read.address), Some((process, number, usize::MAX))));
                continue;
            }
            let own = self.waiting[process.index()].iter().rev();
            let from = match read.from {
                Source::Memory => self.newest(Some(read.address)),
                Source::Buffer => own.clone().find(|w| w.0 == read.address).map(|w| w.1),
            };
            event.loads.push((Some(read.address), from));
        }
        for write in record.writes.iter().filter(|w| counts(w.address)) {
            let store = (process, number, stores);
            stores += 1;
            match write.to {
                Target::Memory => self.order.entry(Some(write.address)).or_default().push(store),
                Target::Buffer => self.waiting[process.index()].push((write.address, store)),
            }
        }
        for child in &record.spawned {
            event.starts.push((*child, self.events[child.index()].len()));
            self.order.entry(None).or_default().push((process, number, usize::MAX));
        }
        self.events[process.index()].push(event);
    }

    /// Whether happens-before has a circle.
    pub fn has_circle(&self) -> bool {
        let mut edges: BTreeSet<((ProcId, usize), (ProcId, usize))> = BTreeSet::new();
        for (p, events) in self.events.iter().enumerate() {
            let process = ProcId::from(p);
            for (i, event) in events.iter().enumerate() {
                let here = (process, i);
                if i > 0 {
                    edges.insert(((process, i - 1), here));
                }
                for &(child, before) in &event.starts {
                    edges.insert((here, (child, before)));
                    if before > 0 {
                        edges.insert(((child, before - 1), here));
                    }
                }
                for (thing, from) in &event.loads {
                    let order = self.order.get(thing).map_or(&[][..], Vec::as_slice);
                    let own = from.is_some_and(|f| (f.0, f.1) == here);
                    let seen = from.and_then(|f| order.iter().position(|s| *s == f));
                    if own || (from.is_some() && seen.is_none()) {
                        // Of the step itself, or still waiting: nothing comes after it yet but what waits, too.
                        continue;
                    }
                    let seen = seen.map_or(0, |at| at + 1);
                    if let Some(f) = from {
                        edges.insert(((f.0, f.1), here));
                    }
                    edges.extend(order[seen..].iter().map(|s| (here, (s.0, s.1))));
                }
            }
        }
        for order in self.order.values() {
            edges.extend(order.windows(2).map(|w| ((w[0].0, w[0].1), (w[1].0, w[1].1))));
        }
        edges.retain(|(a, b)| a != b);
        is_cyclic(edges)
    }
}

/// Whether a step loads what an effect of it has stored before. No random program loads such a variable earlier, too.
fn reads_itself(step: &Step, address: Address) -> bool {
    let stores = |effect: &Effect| match effect {
        Effect::Assign(list) => list.iter().any(|a| a.place.variable() == Some(address.var)),
        _ => false,
    };
    let loads = |effect: &Effect| match effect {
        Effect::Assign(list) => list.iter().any(|a| a.value.variables().contains(&address.var)),
        _ => false,
    };
    let first = step.effects.iter().position(stores);
    first.is_some_and(|first| step.effects[first + 1..].iter().any(loads))
}

/// Takes nodes without predecessors away until none is left.
fn is_cyclic(mut edges: BTreeSet<((ProcId, usize), (ProcId, usize))>) -> bool {
    loop {
        let targets: HashSet<_> = edges.iter().map(|e| e.1).collect();
        let before = edges.len();
        edges.retain(|e| targets.contains(&e.0));
        if edges.len() == before {
            return !edges.is_empty();
        }
    }
}

/// All traces of runs that end with empty buffers and without a block that is half done.
pub struct Traces {
    pub complete: BTreeSet<Trace>,
    /// Whether some run has a circle.
    pub has_circle: bool,
    /// Whether all runs were followed to their ends.
    pub is_everything: bool,
}

/// Enumerates runs of at most so many actions; none if there are too many.
pub fn traces(program: &Program, memory: Memory, longest: usize, most: usize) -> Option<Traces> {
    let machine = Machine::new(program, memory);
    let start = (machine.initial(), Trace::new(program.processes.len()));
    let mut seen: HashSet<(State, Trace)> = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([(start, 0)]);
    let mut all = Traces { complete: BTreeSet::new(), has_circle: false, is_everything: true };
    while let Some(((state, trace), length)) = open.pop_front() {
        let drained = state.processes.iter().all(|p| p.buffer.is_empty());
        if drained && !state.is_held(program) {
            all.complete.insert(trace.clone());
        }
        let moves = machine.successors(&state).moves;
        if length == longest {
            all.is_everything &= moves.is_empty();
            continue;
        }
        for (action, done) in moves {
            let Outcome::State(after) = done.outcome else { continue };
            let mut trace = trace.clone();
            trace.apply(program, action, &done.record);
            let commits = matches!(action, Action::Commit { .. });
            // A block that is half done is a part of one event: nothing closes a circle in its middle.
            all.has_circle |= commits && trace.has_circle();
            let next = (after, trace);
            if seen.insert(next.clone()) {
                open.push_back((next, length + 1));
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(all)
}
