//! Races by brute force: every sequentially consistent execution, with vector clocks.
//!
//! This shares nothing with the search: clocks instead of a mark, lists of accesses instead of bits. (Flanagan, Freund,
//! *FastTrack*, 2009, with full vectors. Release sequences are those of C11 5.1.2.4: they go on through stores of the thread that
//! began them, and through read-modify-writes of all threads.)

use std::collections::HashSet;

use super::program::{Instruction, Order, VARIABLES};

type Clock = Vec<u32>;

/// Most states.
const MOST: usize = 20_000;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    at: Vec<usize>,
    started: Vec<bool>,
    values: Vec<i64>,
    holder: Option<usize>,
    /// What each thread comes after.
    clocks: Vec<Clock>,
    /// What each thread came after at its last release fence.
    released: Vec<Clock>,
    /// What each thread will come after at its next acquire fence.
    pending: Vec<Clock>,
    /// The release sequences that the value of each variable is in: the thread that began each, and what it tells.
    messages: Vec<Vec<(usize, Clock)>>,
    mutex: Clock,
    /// Accesses by variable: thread, time, plain, store.
    accesses: Vec<Vec<(usize, u32, bool, bool)>>,
}

/// Whether some execution has a race; none if there are too many states.
pub fn has_race(code: &[Vec<Instruction>]) -> Option<bool> {
    let count = code.len();
    let zero = vec![0; count];
    let mut clocks = vec![zero.clone(); count];
    clocks.iter_mut().enumerate().for_each(|(thread, clock)| clock[thread] = 1);
    let first = State {
        at: vec![0; count],
        started: (0..count).map(|thread| thread == 0).collect(),
        values: vec![0; VARIABLES],
        holder: None,
        clocks,
        released: vec![zero.clone(); count],
        pending: vec![zero.clone(); count],
        messages: vec![Vec::new(); VARIABLES],
        mutex: zero,
        accesses: vec![Vec::new(); VARIABLES],
    };
    let (mut seen, mut todo) = (HashSet::from([first.clone()]), vec![first]);
    while let Some(state) = todo.pop() {
        if seen.len() > MOST {
            return None;
        }
        for thread in 0..count {
            let Some(instruction) = code[thread].get(state.at[thread]) else { continue };
            if !state.started[thread] || !state.is_enabled(instruction, code) {
                continue;
            }
            let mut next = state.clone();
            if next.step(thread, instruction) {
                return Some(true);
            }
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    Some(false)
}

impl State {
    fn is_enabled(&self, instruction: &Instruction, code: &[Vec<Instruction>]) -> bool {
        match instruction {
            Instruction::Lock => self.holder.is_none(),
            Instruction::Join(other) => {
                self.started[*other] && self.at[*other] == code[*other].len()
            }
            _ => true,
        }
    }

    /// Takes a step; true if it is a part of a race.
    fn step(&mut self, thread: usize, instruction: &Instruction) -> bool {
        self.at[thread] += 1;
        let mut race = false;
        match *instruction {
            Instruction::Load(x, order) => race = self.load(thread, x, order),
            Instruction::Skip(x, order, to) => {
                race = self.load(thread, x, order);
                if self.values[x] == 0 {
                    self.at[thread] = to;
                }
            }
            Instruction::Store(x, order, value) => {
                race = self.access(thread, x, order == Order::Plain, true);
                self.values[x] = value;
                self.messages[x].retain(|(begun_by, _)| *begun_by == thread);
                match order {
                    Order::Plain => self.messages[x].clear(),
                    order => self.tell(thread, x, order),
                }
            }
            Instruction::Add(x, order) => {
                race = self.update(thread, x, order);
                self.values[x] += 1;
            }
            Instruction::Swap(x, won, _) if self.values[x] == 1 => {
                race = self.update(thread, x, won);
                self.values[x] = 2;
            }
            Instruction::Swap(x, _, lost) => race = self.load(thread, x, lost),
            Instruction::Fence(order) => {
                if order.acquires() {
                    let pending = self.pending[thread].clone();
                    join(&mut self.clocks[thread], &pending);
                }
                if order.releases() {
                    self.released[thread] = self.clocks[thread].clone();
                }
            }
            Instruction::Lock => {
                self.holder = Some(thread);
                let mutex = self.mutex.clone();
                join(&mut self.clocks[thread], &mutex);
            }
            Instruction::Unlock => {
                self.holder = None;
                self.mutex = self.clocks[thread].clone();
            }
            Instruction::Create(other) => {
                self.started[other] = true;
                let own = self.clocks[thread].clone();
                join(&mut self.clocks[other], &own);
            }
            Instruction::Join(other) => {
                let others = self.clocks[other].clone();
                join(&mut self.clocks[thread], &others);
            }
        }
        self.clocks[thread][thread] += 1;
        race
    }

    fn load(&mut self, thread: usize, x: usize, order: Order) -> bool {
        let race = self.access(thread, x, order == Order::Plain, false);
        self.learn(thread, x, order);
        race
    }

    fn learn(&mut self, thread: usize, x: usize, order: Order) {
        for (_, message) in self.messages[x].clone() {
            match order {
                Order::Plain => {}
                order if order.acquires() => join(&mut self.clocks[thread], &message),
                _ => join(&mut self.pending[thread], &message),
            }
        }
    }

    fn update(&mut self, thread: usize, x: usize, order: Order) -> bool {
        let race = self.access(thread, x, false, true);
        self.learn(thread, x, order);
        self.tell(thread, x, order);
        race
    }

    /// An atomic store begins a release sequence: with what the thread comes after, or came after at its last release fence.
    fn tell(&mut self, thread: usize, x: usize, order: Order) {
        let told = if order.releases() { &self.clocks[thread] } else { &self.released[thread] };
        self.messages[x].push((thread, told.clone()));
    }

    /// Notes an access; true if it races with an earlier one.
    fn access(&mut self, thread: usize, x: usize, plain: bool, store: bool) -> bool {
        let clock = &self.clocks[thread];
        let race = self.accesses[x].iter().any(|&(other, time, was_plain, was_store)| {
            let conflict = (store || was_store) && (plain || was_plain);
            other != thread && conflict && time > clock[other]
        });
        self.accesses[x].push((thread, clock[thread], plain, store));
        race
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    clock.iter_mut().zip(other).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
}
