//! The search over symbolic states, with sleep sets, ample sets, inclusion and acceleration.
//!
//! It is breadth first: states with little behind them come first, their languages are the most general, and
//! they include what longer ways to the same place lead to.
//!
//! **Sleep sets** (Godefroid 1996). A node has a set of transitions that need not be taken from it, because what
//! they lead to is reached by taking them earlier. A child gets what sleeps at its parent or was taken there
//! before, as far as it is independent of the transition between them. A state that is come to again is
//! expanded by what slept there before and does not now. All of this is said of every word of a state by itself,
//! so it holds for a state that a larger one includes; where several nodes include it, what sleeps in all of
//! them sleeps. A state whose language has grown starts with an empty sleep set.

mod arrive;
mod grow;
mod result;

use std::collections::VecDeque;

use taut_explicit::limits::{LimitMonitor, ProgressSnapshot};
use taut_explicit::{Asking, Completion, Limit, asked};
use taut_ir::{Action, Finding, FullBuffer, Memory, ProcId, Program, StepId};
use taut_machine::{BoundsMet, Machine};

use crate::ample::Ample;
use crate::cycle::Cycles;
use crate::edge::{Edge, EdgeKind, State, Transition};
use crate::expander::Expander;
use crate::graph::Recorder;
use crate::independence::Independence;
use crate::node::{NodeId, Nodes};
use crate::options::{SymbolicCounts, SymbolicOptions, SymbolicSearch};
use crate::outcome::Outcome;
use crate::sets::BufferSets;
use arrive::Arrived;
use result::{At, Discovery};

/// Something to do.
enum Task {
    /// Take transitions of a node, of which some need not be taken.
    Expand { node: NodeId, todo: Vec<usize>, sleep: u128 },
    /// Look at a node with a larger language.
    Grow(Box<Arrived>),
}

/// A search on its way.
pub(crate) struct Search<'a> {
    program: &'a Program,
    memory: Memory,
    options: &'a SymbolicOptions,
    watch: LimitMonitor,
    expander: Expander<'a>,
    independence: Independence<'a>,
    ample: Ample,
    transitions: Vec<Transition>,
    nodes: Nodes,
    cycles: Cycles,
    tasks: VecDeque<Task>,
    /// The kinds of findings that are asked for and can occur.
    asked: Vec<Finding>,
    discoveries: Vec<Discovery>,
    /// How many there were when the search ended.
    discovered: usize,
    counts: SymbolicCounts,
    bounds_met: BoundsMet,
    reached: Vec<Vec<bool>>,
    taken: u64,
    depth: u64,
    /// The first node that was given up because the language of a process was too large.
    given_up: Option<(NodeId, ProcId)>,
    recorder: Option<Recorder>,
    end: Option<Completion>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        program: &'a Program,
        memory: Memory,
        machine: &'a Machine<BufferSets>,
        options: &'a SymbolicOptions,
    ) -> Search<'a> {
        let expander = Expander::new(machine);
        Search {
            program,
            memory,
            options,
            watch: LimitMonitor::new(options.limits.clone()),
            independence: Independence::new(program, machine),
            ample: Ample::new(program),
            transitions: transitions(program, machine),
            nodes: Nodes::default(),
            cycles: Cycles::of(program, &expander),
            expander,
            tasks: VecDeque::new(),
            asked: kinds_asked(program, memory, machine, options),
            discoveries: Vec::new(),
            discovered: 0,
            counts: SymbolicCounts::default(),
            bounds_met: BoundsMet::default(),
            reached: program.defs.iter().map(|d| vec![false; d.steps.len()]).collect(),
            taken: 0,
            depth: 0,
            given_up: None,
            recorder: options.graph.then(Recorder::default),
            end: None,
        }
    }

    pub(crate) fn run(mut self) -> SymbolicSearch {
        let _phase = taut_budget::phase("sets of buffers are searched");
        let initial: State = self.expander.machine.initial().into();
        self.visit(initial, None, 0);
        while self.end.is_none()
            && let Some(task) = self.tasks.pop_front()
        {
            match task {
                Task::Expand { node, todo, sleep } => self.expand(node, &todo, sleep),
                Task::Grow(arrived) => drop(self.settle(*arrived)),
            }
            self.look_at_limits();
        }
        self.finish()
    }

    /// Takes transitions of a node.
    fn expand(&mut self, node: NodeId, todo: &[usize], mut sleep: u128) {
        let state = self.nodes.get(node).state.clone();
        let ample = self.ample(&state, todo);
        let rest = todo.iter().copied().filter(|&number| Some(number) != ample);
        for number in ample.into_iter().chain(rest) {
            // Where a larger state takes a transition, a smaller one need not. Since it is strictly larger,
            // nobody waits for anybody in a circle.
            let memory = self.expander.memory();
            if self.end.is_some() || self.nodes.is_taken_later(memory, node, bit(number)) {
                continue;
            }
            let transition = self.transitions[number];
            let outcome = self.outcome(&state, transition);
            let their_sleep = self.awake(&state, transition, sleep);
            sleep |= bit(number);
            self.note(node, &outcome);
            let mut all_new = !outcome.arrivals.is_empty() && outcome.findings.is_empty();
            for arrival in outcome.arrivals {
                all_new &= self.visit(arrival.state, Some((node, arrival.edge)), their_sleep);
            }
            if Some(number) == ample && all_new {
                break;
            }
        }
    }

    /// The transition that may be taken instead of all others, if all of them are to be taken.
    fn ample(&self, state: &[u64], todo: &[usize]) -> Option<usize> {
        if !self.options.ample_sets {
            return None;
        }
        let process = self.ample.choose(self.expander.machine, state)?;
        todo.iter().copied().find(|&n| self.transitions[n] == Transition::Steps(process))
    }

    /// What of a sleep set may sleep on after a transition.
    fn awake(&self, state: &[u64], transition: Transition, sleep: u128) -> u128 {
        if !self.options.sleep_sets {
            return 0;
        }
        let sleepers = (0..self.transitions.len()).filter(|&other| sleep & bit(other) != 0);
        let stays =
            |&other: &usize| self.independence.holds(state, transition, self.transitions[other]);
        sleepers.filter(stays).fold(0, |all, other| all | bit(other))
    }

    fn outcome(&mut self, state: &State, transition: Transition) -> Outcome {
        match transition {
            Transition::Steps(process) => self.expander.steps(state, process, false),
            Transition::Commit(process, place) => self.expander.commits(state, process, place),
            Transition::Timeout => {
                let alone = self.expander.machine.moves_alone(state);
                let still = self.expander.still(state, alone);
                self.expander.when_still(&still, alone)
            }
        }
    }

    fn note(&mut self, node: NodeId, outcome: &Outcome) {
        self.taken += outcome.arrivals.len() as u64;
        if outcome.cut {
            self.end =
                Some(Completion::Limit(Limit::Language(self.options.largest_language as u64)));
        }
        self.bounds_met.threads |= outcome.bounds_met.threads;
        self.bounds_met.calls |= outcome.bounds_met.calls;
        self.bounds_met.no_process = self.bounds_met.no_process.or(outcome.bounds_met.no_process);
        if self.options.spawn_all
            && let Some(def) = self.bounds_met.no_process
        {
            self.end = Some(Completion::NoProcess(def));
        }
        let edges = outcome.arrivals.iter().map(|a| &a.edge);
        for edge in edges.chain(outcome.findings.iter().map(|(_, edge)| edge)) {
            mark_reached(self.program, &mut self.reached, edge);
        }
        for (finding, edge) in &outcome.findings {
            self.discover(*finding, node, At::Edge(edge.clone()));
        }
    }

    fn discover(&mut self, finding: Finding, node: NodeId, at: At) {
        let is_known = self.discoveries.iter().any(|d| d.finding.same_kind(finding));
        if is_known || self.options.unasked.iter().any(|f| f.same_kind(finding)) {
            return;
        }
        self.discoveries.push(Discovery { finding, node, at });
        let is_found = |f: &Finding| self.discoveries.iter().any(|d| d.finding.same_kind(*f));
        if !self.options.all {
            self.end = Some(Completion::FirstFinding);
        } else if !self.options.graph && self.asked.iter().all(is_found) {
            // A graph is drawn of everything, whatever is found in it.
            self.end = Some(Completion::Answered);
        }
    }

    fn look_at_limits(&mut self) {
        if self.end.is_none() {
            let languages = self.expander.memory().with_languages(|l| l.bytes());
            let bytes = self.nodes.bytes() + languages;
            self.watch.publish(ProgressSnapshot {
                states: self.nodes.len() as u64,
                transitions: self.taken,
                queue: self.tasks.len() as u64,
                depth: self.depth,
                bytes,
            });
            self.end = self.watch.check(bytes).map(Completion::Limit);
        }
    }
}

/// The kinds of findings that are asked for and can occur. No buffer is ever full here.
fn kinds_asked(
    program: &Program,
    memory: Memory,
    machine: &Machine<BufferSets>,
    options: &SymbolicOptions,
) -> Vec<Finding> {
    let memory = Memory { full_buffer: FullBuffer::Wait, ..memory };
    let SymbolicOptions { deadlock, unasked, .. } = options;
    let asking = Asking { deadlock: *deadlock, unasked, may_fault: machine.may_fault() };
    asked(program, memory, asking)
}

/// The bit of a transition in a sleep set. Only the first transitions can sleep.
fn bit(number: usize) -> u128 {
    1_u128.checked_shl(number as u32).unwrap_or(0)
}

/// All transitions of a program: steps before commits, so that loops of one process come up first.
fn transitions(program: &Program, machine: &Machine<BufferSets>) -> Vec<Transition> {
    let mut all: Vec<_> = program.process_ids().map(Transition::Steps).collect();
    for process in program.process_ids() {
        match machine.memory().commits_one() {
            true => all.push(Transition::Commit(process, None)),
            false => {
                let places = machine.places().buffered_by(program, process);
                all.extend(places.into_iter().map(|p| Transition::Commit(process, Some(p))));
            }
        }
    }
    if machine.has_timeout() {
        all.push(Transition::Timeout);
    }
    all
}

/// Notes the steps of an edge as taken.
fn mark_reached(program: &Program, reached: &mut [Vec<bool>], edge: &Edge) {
    let EdgeKind::Steps { actions, .. } = &edge.kind else { return };
    let mut mark = |process: ProcId, step: StepId| {
        reached[program.process(process).def.index()][step.index()] = true;
    };
    for action in actions {
        match *action {
            Action::Step { process, step, .. } => mark(process, step),
            Action::Handshake { process, step, receiver, receive, .. } => {
                mark(process, step);
                mark(receiver, receive);
            }
            Action::Commit { .. } => {}
        }
    }
}
