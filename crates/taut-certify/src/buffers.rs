//! Buffers without a bound, under TSO and PSO: sets of states, given by what each buffer may hold.
//!
//! A *symbolic state* is a state without its buffers, and for each process a set of words ([`crate::words`]). It stands for
//! all states with one of these words in each buffer. It is checked that
//!
//! - some symbolic state stands for the initial state;
//! - whatever can happen in a state that a symbolic state stands for leads to a state that one of them stands for;
//! - nothing is wrong in any of them.
//!
//! **Why finitely many steps are enough.** A step sees of its process's buffer the newest store to each location, and
//! whether it is empty. So the words of a buffer fall into finitely many parts, by what is seen of them, and one word of
//! each part, with one store per location, stands for the part: the replayer takes its steps. What the step puts into the
//! buffer is put behind every word of the part.
//!
//! **Commits.** Under TSO a commit takes a first letter from every word that has it. Under PSO a word is everything that
//! waits, in the order in which it was stored, with store fences in between. A commit takes the oldest store to some
//! location out of every word in which no store fence stands before it, and leaves what it overtakes ([`Words::without`]).
//! All stores of all words are tried, one at a time. So every single commit of every buffer is one of these.
//!
//! **What a step puts in, under PSO.** The replayer sorts a buffer by location between store fences. So that new letters
//! can be told from old ones, the word that stands for a part has a store fence behind its stores, and then its last store
//! once more. That one is the newest of its location as before; new stores stand behind the fence; and a new fence is
//! there because a store stands before it. A step sees no fences. Any order of the new stores is the same buffer; they are
//! put behind words in the order in which they were made, as that is how sets without an end are described.
//!
//! Each outcome must be included in *one* listed symbolic state; under PSO as it is, or with its words sorted. How the set
//! was found, by acceleration or otherwise, is of no interest.

use std::collections::{BTreeMap, HashSet};

use taut_budget::tick;
use taut_ir::{Action, Buffers, Memory, ProcId, Program};
use taut_proof::{Claim, Damaged, Letter, Rows, SymbolicStates};
use taut_witness::buffer::{Buffer, Entry, Item};
use taut_witness::{Address, Machine, Outcome, State, Target, describe_action, describe_state};

use crate::states::{Looker, Wanted};
use crate::words::{Store, Summary, Words, normal};
use crate::{Accepted, Refusal};

/// What is wrong, in words.
type Checked = Result<(), String>;

/// Checks a claim about buffers without a bound.
pub(crate) fn check(
    program: &Program,
    memory: Memory,
    claim: &Claim,
    body: &[u8],
) -> Result<Accepted, Refusal> {
    if !memory.model.buffers().are_queues() || memory.bound.is_some() {
        return Err(Refusal::proof("such evidence is about TSO and PSO, without a bound"));
    }
    let overtakes = memory.model.buffers() == Buffers::PerCell;
    let listed = Listed::read(program, body)?;
    let machine = Machine::new(program, memory);
    let wanted = Wanted::of(program, claim)?;
    let looker = Looker::new(machine, &wanted);
    let mut closed = Closed { machine, overtakes, listed: &listed, looker };
    closed.check()?;
    let evidence = format!("{} symbolic states, none left out", listed.states.len());
    Accepted::new(program, memory, claim, closed.looker.cut, evidence)
}

/// The symbolic states of a certificate.
struct Listed<'p> {
    words: Vec<Words>,
    skeletons: Rows<'p>,
    /// For each symbolic state its skeleton, and the words of each process.
    states: Vec<(usize, Vec<usize>)>,
    /// The symbolic states of each skeleton.
    alike: BTreeMap<usize, Vec<usize>>,
}

impl<'p> Listed<'p> {
    fn read(program: &'p Program, body: &[u8]) -> Result<Listed<'p>, Damaged> {
        let SymbolicStates { automata, skeletons, states } = SymbolicStates::read(program, body)?;
        let words = automata.into_iter().map(Words::of).collect();
        let mut alike = BTreeMap::<usize, Vec<usize>>::new();
        for (number, (skeleton, _)) in states.iter().enumerate() {
            alike.entry(*skeleton).or_default().push(number);
        }
        Ok(Listed { words, skeletons, states, alike })
    }

    /// Whether one symbolic state stands for all states with this skeleton and these words.
    fn includes(&self, skeleton: &State, words: &[Words], overtakes: bool) -> bool {
        let found = self.skeletons.find(skeleton).and_then(|number| self.alike.get(&number));
        let sort = |words: &Words| if overtakes { words.sorted() } else { None };
        let sorted: Vec<_> = words.iter().map(sort).collect();
        found.into_iter().flatten().any(|&number| {
            let own = self.states[number].1.iter().map(|&word| &self.words[word]);
            words.iter().zip(&sorted).zip(own).all(|((small, sorted), large)| {
                let mut sorted = sorted.iter().flatten().peekable();
                small.is_within(large) || sorted.peek().is_some() && sorted.all(|w| large.has(w))
            })
        })
    }
}

/// A state with empty buffers.
fn skeleton(mut state: State) -> State {
    state.processes.iter_mut().for_each(|process| process.buffer = Buffer::default());
    state
}

/// A buffer with one store per location, which a process cannot tell from the words of a part.
fn seen(summary: &Summary, overtakes: bool) -> Vec<Item> {
    let mut items: Vec<Item> = summary.iter().map(|(&a, &value)| item((a, value))).collect();
    if let Some(&last) = items.last().filter(|_| overtakes) {
        items.extend([Item::Barrier, last]);
    }
    items
}

fn item((address, value): Store) -> Item {
    Item::Store(Entry { address, value })
}

/// What steps have put behind what was seen; none if something is gone. In sorted buffers the last store that was seen is the
/// first of its location.
fn added(items: &[Item], seen: &[Item]) -> Option<Vec<Letter>> {
    let mut new = items.to_vec();
    if let Some((last, before)) = seen.split_last() {
        new = items.strip_prefix(before)?.to_vec();
        new.remove(new.iter().position(|item| item == last)?);
    }
    let letter = |item: &Item| match item {
        Item::Store(entry) => Some((entry.address, entry.value)),
        Item::Barrier => None,
    };
    Some(new.iter().map(letter).collect())
}

/// The same buffer with its stores in the order in which they were made, if that is what they are.
fn in_order(new: Vec<Letter>, made: &[Store]) -> Vec<Letter> {
    let mut made = made.iter().copied();
    let ordered: Vec<Letter> = new.iter().map(|letter| letter.and_then(|_| made.next())).collect();
    if normal(ordered.clone()) == new { ordered } else { new }
}

/// One part of the words of each process.
struct Choice {
    words: Vec<Words>,
    seen: Vec<Vec<Item>>,
}

impl Choice {
    /// A state with what is seen in its buffers.
    fn state(&self, skeleton: &State) -> State {
        let mut state = skeleton.clone();
        for (own, seen) in state.processes.iter_mut().zip(&self.seen) {
            own.buffer = Buffer::of(seen.clone());
        }
        state
    }
}

struct Closed<'a, 'p> {
    machine: Machine<'p>,
    /// Whether stores overtake those to other locations.
    overtakes: bool,
    listed: &'a Listed<'p>,
    looker: Looker<'a, 'p>,
}

impl Closed<'_, '_> {
    fn check(&mut self) -> Result<(), Refusal> {
        let empty = Words::none_waiting();
        let initial = vec![empty; self.machine.program().processes.len()];
        if !self.listed.includes(&skeleton(self.machine.initial()), &initial, self.overtakes) {
            return Err(Refusal::proof("the initial state is not in the set"));
        }
        for number in 0..self.listed.states.len() {
            self.leaves_no(number).map_err(|why| {
                let state = self.listed.skeletons.state(self.listed.states[number].0);
                let text = state.map(|state| describe_state(self.machine.program(), &state));
                let text = text.unwrap_or_default();
                Refusal::Proof(format!("{why}, in symbolic state {number}: {text}"))
            })?;
        }
        Ok(())
    }

    /// Looks at every choice of a part for each process.
    fn leaves_no(&mut self, number: usize) -> Checked {
        let (row, words) = &self.listed.states[number];
        let state = self.listed.skeletons.state(*row).ok_or("there is no such state")?;
        if state.processes.iter().any(|process| !process.buffer.is_empty()) {
            return Err("a state without buffers has one".into());
        }
        let parts: Vec<_> = words.iter().map(|&word| self.listed.words[word].parts()).collect();
        let mut at = vec![0; parts.len()];
        if parts.iter().any(Vec::is_empty) {
            // It stands for nothing.
            return Ok(());
        }
        loop {
            tick();
            let chosen = || parts.iter().zip(&at).map(|(parts, &part)| &parts[part]);
            let choice = Choice {
                words: chosen().map(|(_, words)| words.clone()).collect(),
                seen: chosen().map(|(summary, _)| seen(summary, self.overtakes)).collect(),
            };
            self.steps(&state, &choice)?;
            self.commits(&state, &choice)?;
            // The next choice, as a number with one digit per process.
            let Some(digit) = (0..at.len()).find(|&p| at[p] + 1 < parts[p].len()) else {
                return Ok(());
            };
            at[digit] += 1;
            at[..digit].fill(0);
        }
    }

    /// Everything but commits, through states in which a process holds the others.
    fn steps(&mut self, skeleton: &State, choice: &Choice) -> Checked {
        let mut passed = HashSet::new();
        let mut left = vec![(choice.state(skeleton), Vec::new())];
        while let Some((at, made)) = left.pop() {
            let next = self.machine.successors(&at);
            self.looker.look_at(&at, &next)?;
            for (action, done) in next.moves {
                let Outcome::State(after) = done.outcome else { continue };
                let stores = done.record.writes.iter().filter(|write| write.to == Target::Buffer);
                let stores = stores.map(|write| (write.address, write.value));
                let made: Vec<Store> = made.iter().copied().chain(stores).collect();
                match (action, after.holder) {
                    (Action::Commit { .. }, _) => {}
                    (_, Some(_)) if passed.insert(after.clone()) => left.push((after, made)),
                    (_, Some(_)) => {}
                    (_, None) => self.arrive(after, &made, choice, action)?,
                }
            }
        }
        Ok(())
    }

    /// Whether the outcome of a step is listed: what was put into a buffer stands behind every word of the part.
    fn arrive(&self, after: State, made: &[Store], choice: &Choice, action: Action) -> Checked {
        let mut words = Vec::new();
        for (process, (part, seen)) in
            after.processes.iter().zip(choice.words.iter().zip(&choice.seen))
        {
            let new = added(process.buffer.items(), seen);
            let new = new.ok_or("a step takes stores out of a buffer")?;
            let new = if self.overtakes { in_order(new, made) } else { new };
            words.push(part.followed_by(&new));
        }
        self.listed_as(after, &words, action)
    }

    fn listed_as(&self, after: State, words: &[Words], action: Action) -> Checked {
        match self.listed.includes(&skeleton(after), words, self.overtakes) {
            true => Ok(()),
            false => {
                let action = describe_action(self.machine.program(), action);
                Err(format!("no listed state includes what follows ({action})"))
            }
        }
    }

    /// The commits of all processes. Whether the process's buffer is empty afterwards makes a difference: then it may be gone.
    fn commits(&mut self, skeleton: &State, choice: &Choice) -> Checked {
        for process in 0..choice.words.len() {
            let own = &choice.words[process];
            for store in own.stores() {
                for rest in own.without(store, self.overtakes).split_empty() {
                    let mut state = choice.state(skeleton);
                    let length = if rest.has_empty() { 1 } else { 2 };
                    state.processes[process].buffer = Buffer::of(vec![item(store); length]);
                    let Address { var, index } = store.0;
                    let commit = Action::Commit { process: ProcId::from(process), var, index };
                    // It may be held back, by a process at an atomic program point.
                    let Ok(done) = self.machine.apply(&state, commit) else { continue };
                    let Outcome::State(after) = done.outcome else { continue };
                    let mut words = choice.words.clone();
                    words[process] = rest;
                    self.listed_as(after, &words, commit)?;
                }
            }
        }
        Ok(())
    }
}
