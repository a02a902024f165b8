//! Brute force: every reachable state, one after the other, for tests to compare engines with.
//!
//! The search is breadth first over canonical states and goes on past every finding, so that what
//! it reports does not depend on any order. States in which a process holds the others are passed
//! through but not counted. It costs a clone of the state for every action; a few
//! hundred thousand states are its limit.

use std::collections::{BTreeSet, HashMap};

use taut_ir::{Action, Finding, Memory, ProcId, Program, StepId};

use crate::machine::Machine;
use crate::outcome::{BoundsMet, Outcome, Successors};
use crate::state::State;
use crate::trace::Trace;

/// What brute force found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// How many states are reachable.
    pub states: usize,
    /// In how many of them nothing can happen though some process may not stop.
    pub deadlocks: usize,
    /// How many actions, of states in which nobody holds anybody, end in a fault.
    pub faults: usize,
    /// Everything that can go wrong.
    pub findings: BTreeSet<Finding>,
    /// The ways in which the program can end.
    pub finals: BTreeSet<Final>,
    /// The bounds that kept some step in some state from being taken.
    pub bounds: BoundsMet,
    /// For each definition and step, whether a process takes it somewhere, well or not.
    pub taken: Vec<Vec<bool>>,
}

/// A state in which all started processes have finished and all buffers are empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Final {
    /// Memory: for each variable its values, one or one for each element.
    pub memory: Vec<Vec<i64>>,
    /// For each process and each of its registers its values.
    pub registers: Vec<Vec<Vec<i64>>>,
}

impl Final {
    fn of(state: &State) -> Final {
        let registers = state.processes.iter().map(|p| p.registers.clone()).collect();
        Final { memory: state.memory.clone(), registers }
    }
}

/// Explores everything; none if there are more than `limit` states, those that are only passed through
/// included.
pub fn explore(program: &Program, memory: Memory, limit: usize) -> Option<Exploration> {
    let mut search = Search::new(program, memory, limit);
    let mut found = Exploration {
        states: 0,
        deadlocks: 0,
        faults: 0,
        findings: BTreeSet::new(),
        finals: BTreeSet::new(),
        bounds: BoundsMet::default(),
        taken: program.defs.iter().map(|def| vec![false; def.steps.len()]).collect(),
    };
    let complete = search.run(|event| {
        match event {
            Event::State { machine, state, next, .. } => {
                found.states += usize::from(state.holder.is_none());
                found.bounds = found.bounds.or(next.bounds);
                next.moves.iter().for_each(|(action, _)| take(program, *action, &mut found.taken));
                let findings = machine.findings_before(state, next);
                found.deadlocks += usize::from(findings.contains(&Finding::Deadlock));
                found.faults += if state.holder.is_none() { next.faults() } else { 0 };
                found.findings.extend(findings);
                if machine.is_final(state) {
                    found.finals.insert(Final::of(state));
                }
            }
            Event::Failure { finding, .. } => {
                found.findings.insert(finding);
            }
        }
        false
    });
    complete.then_some(found)
}

/// Notes the steps of an action.
fn take(program: &Program, action: Action, taken: &mut [Vec<bool>]) {
    let mut note = |process: ProcId, step: StepId| {
        taken[program.process(process).def.index()][step.index()] = true;
    };
    match action {
        Action::Step { process, step, .. } => note(process, step),
        Action::Handshake { process, step, receiver, receive, .. } => {
            note(process, step);
            note(receiver, receive);
        }
        Action::Commit { .. } => {}
    }
}

/// A shortest trace to a finding; none if there is none within `limit` states.
pub fn shortest(program: &Program, memory: Memory, wanted: Finding, limit: usize) -> Option<Trace> {
    let mut search = Search::new(program, memory, limit);
    let mut end = None;
    search.run(|event| {
        end = match event {
            Event::State { machine, state, id, next } => {
                machine.findings_before(state, next).contains(&wanted).then_some((id, None))
            }
            Event::Failure { id, action, finding } => {
                (finding == wanted).then_some((id, Some(action)))
            }
        };
        end.is_some()
    });
    let (id, last) = end?;
    let mut actions = search.path_to(id);
    actions.extend(last);
    Some(Trace::new(memory, wanted, actions))
}

/// Something the search comes across.
enum Event<'a> {
    /// A state, seen for the first time.
    State { machine: &'a Machine<'a>, state: &'a State, id: usize, next: &'a Successors },
    /// A step that goes wrong, from a state.
    Failure { id: usize, action: Action, finding: Finding },
}

/// Breadth-first search over all states.
struct Search<'p> {
    machine: Machine<'p>,
    limit: usize,
    /// The number of every state seen.
    ids: HashMap<State, usize>,
    /// For every state, how it was first reached; none for the initial one.
    parents: Vec<Option<(usize, Action)>>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, memory: Memory, limit: usize) -> Search<'p> {
        let machine = Machine::new(program, memory);
        Search { machine, limit, ids: HashMap::new(), parents: Vec::new() }
    }

    /// Runs until `stop` says so (false is returned), the limit is met (likewise), or all was seen.
    fn run(&mut self, mut stop: impl FnMut(Event<'_>) -> bool) -> bool {
        let mut level = Vec::new();
        self.discover(self.machine.initial(), None, &mut level);
        while !level.is_empty() {
            let mut next = Vec::new();
            for state in level {
                if self.ids.len() > self.limit || self.expand(&state, &mut next, &mut stop) {
                    return false;
                }
            }
            level = next;
        }
        true
    }

    fn expand(
        &mut self,
        state: &State,
        level: &mut Vec<State>,
        stop: &mut impl FnMut(Event<'_>) -> bool,
    ) -> bool {
        let id = self.ids[state];
        let successors = self.machine.successors(state);
        let (machine, next) = (&self.machine, &successors);
        if stop(Event::State { machine, state, id, next }) {
            return true;
        }
        for (action, done) in successors.moves {
            for failure in done.record.all_failed() {
                if stop(Event::Failure { id, action, finding: failure.finding }) {
                    return true;
                }
            }
            match done.outcome {
                Outcome::State(after) => self.discover(after, Some((id, action)), level),
                Outcome::Failure(failure) => {
                    let finding = failure.finding;
                    if stop(Event::Failure { id, action, finding }) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn discover(&mut self, state: State, parent: Option<(usize, Action)>, level: &mut Vec<State>) {
        if !self.ids.contains_key(&state) {
            self.ids.insert(state.clone(), self.parents.len());
            self.parents.push(parent);
            level.push(state);
        }
    }

    fn path_to(&self, mut id: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        while let Some((parent, action)) = self.parents[id] {
            actions.push(action);
            id = parent;
        }
        actions.reverse();
        actions
    }
}
