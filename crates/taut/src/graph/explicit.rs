//! The graph of single states, breadth first.
//!
//! States in which a process holds the others are passed through, as everywhere: what happens in them belongs
//! to the edge that leads past them.

use std::collections::{HashMap, HashSet, VecDeque};

use taut_budget::Instant;
use taut_explicit::Limit;
use taut_ir::{Action, Memory, ProcId};
use taut_render::view::Held;
use taut_witness::{Machine, Move, Outcome, State as Single};

use super::words::Words;
use super::{Buffer, Cut, Edge, EdgeKind, GraphOptions, State, StateGraph};
use crate::load::Loaded;

pub(super) fn graph(loaded: &Loaded, options: &GraphOptions) -> StateGraph {
    let (program, _) = loaded.with_all_processes(options.memory, &options.all_limits());
    let words = Words::new(&program, loaded);
    let mut walk = Walk::new(words, options);
    walk.run();
    let processes = walk.words.processes();
    let Walk { states, edges, cut, .. } = walk;
    StateGraph {
        program: loaded.name.clone(),
        memory: options.memory,
        engine: "explicit",
        processes,
        states,
        edges,
        cut,
    }
}

/// A walk through all states.
struct Walk<'a> {
    words: Words<'a>,
    memory: Memory,
    options: &'a GraphOptions,
    started: Instant,
    numbers: HashMap<Single, usize>,
    queue: VecDeque<Single>,
    states: Vec<State>,
    edges: Vec<Edge>,
    cut: Option<Cut>,
}

impl<'a> Walk<'a> {
    fn new(words: Words<'a>, options: &'a GraphOptions) -> Walk<'a> {
        Walk {
            words,
            memory: options.memory,
            options,
            started: Instant::now(),
            numbers: HashMap::new(),
            queue: VecDeque::new(),
            states: Vec::new(),
            edges: Vec::new(),
            cut: None,
        }
    }

    fn run(&mut self) {
        let initial = Machine::new(self.words.program, self.memory).initial();
        self.number(initial);
        while let Some(state) = self.queue.pop_front() {
            if let Some(limit) = self.limit() {
                self.cut = Some(Cut::Limit(limit));
                return;
            }
            self.expand(&state);
        }
    }

    fn limit(&self) -> Option<Limit> {
        let limits = &self.options.limits;
        match limits.time {
            Some(time) if self.started.elapsed() >= time => Some(Limit::Time(time)),
            _ => limits.interrupt.is_raised().then_some(Limit::Interrupted),
        }
    }

    /// The number of a state; none if it is one too many.
    fn number(&mut self, state: Single) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&state) {
            return Some(number);
        }
        let number = self.states.len();
        if number >= self.options.most_states.max(1) {
            self.cut = Some(Cut::States(number as u64));
            return None;
        }
        self.states.push(self.shown(&state));
        self.numbers.insert(state.clone(), number);
        self.queue.push_back(state);
        Some(number)
    }

    /// Adds the edges that leave a state, through the states in which a process holds the others.
    fn expand(&mut self, state: &Single) {
        let Some(&from) = self.numbers.get(state) else { return };
        let machine = Machine::new(self.words.program, self.memory);
        let mut held: HashSet<Single> = HashSet::new();
        let mut todo: Vec<(Single, Vec<String>)> = vec![(state.clone(), Vec::new())];
        while let Some((at, before)) = todo.pop() {
            if held.len() > self.options.most_states {
                self.cut = Some(Cut::States(self.states.len() as u64));
                return;
            }
            for (action, done) in machine.successors(&at).moves {
                let mut actions = before.clone();
                actions.push(self.action(action, &done));
                self.note_failures(from, &done);
                match done.outcome {
                    Outcome::Failure(_) => {}
                    Outcome::State(next) if next.holder.is_some() => {
                        if held.insert(next.clone()) {
                            todo.push((next, actions));
                        }
                    }
                    Outcome::State(next) => {
                        if let Some(to) = self.number(next) {
                            self.edges.push(Edge { from, to, actions, kind: EdgeKind::Taken });
                        }
                    }
                }
            }
        }
    }

    fn action(&self, action: Action, done: &Move) -> String {
        let value = match action {
            Action::Commit { .. } => done.record.writes.first().map(|w| w.value),
            _ => None,
        };
        self.words.action(action, value)
    }

    fn note_failures(&mut self, from: usize, done: &Move) {
        let failed = done.record.all_failed().map(|f| f.finding);
        let ended = match &done.outcome {
            Outcome::Failure(failure) => Some(failure.finding),
            Outcome::State(_) => None,
        };
        let names = failed.chain(ended).map(|finding| finding.name(self.words.program));
        let violates = &mut self.states[from].violates;
        for name in names.collect::<Vec<_>>() {
            if !violates.contains(&name) {
                violates.push(name);
            }
        }
    }

    fn shown(&self, state: &Single) -> State {
        let (words, program) = (self.words, self.words.program);
        let machine = Machine::new(program, self.memory);
        let place = |p: ProcId| {
            let own = state.process(p);
            own.started.then(|| words.place(p, own.point))
        };
        let registers = |p: ProcId| {
            let values = &state.process(p).registers;
            let shown = words.registers(p).into_iter();
            shown.map(|r| words.register(p, r, values[r.index()].clone())).collect()
        };
        let channels = words.channels().into_iter();
        let findings = machine.findings(state).into_iter();
        State {
            at: program.process_ids().map(place).collect(),
            registers: program.process_ids().map(registers).collect(),
            memory: words.memory(&state.memory.concat()),
            channels: channels.map(|c| words.channel(c, state.channel(c).len() as i64)).collect(),
            buffers: program.process_ids().map(|p| self.word(state, p)).collect(),
            accelerated: Vec::new(),
            violates: findings.map(|finding| finding.name(program)).collect(),
        }
    }

    /// The one word that a buffer holds.
    fn word(&self, state: &Single, process: ProcId) -> Buffer {
        let letters = |held: Held| match held {
            Held::Stores { name, values, .. } => {
                values.into_iter().map(|value| format!("({name},{value})")).collect()
            }
            Held::Barrier => vec!["#".to_string()],
        };
        let held = self.words.names().state(state).buffer(self.memory.model, process);
        let letters: Vec<String> = held.into_iter().flat_map(letters).collect();
        let regex = if letters.is_empty() { "ε".into() } else { letters.concat() };
        let mut accepting = vec![false; letters.len()];
        accepting.push(true);
        let edges = letters.into_iter().enumerate().map(|(i, letter)| (i, letter, i + 1));
        Buffer { regex, accepting, edges: edges.collect() }
    }
}
