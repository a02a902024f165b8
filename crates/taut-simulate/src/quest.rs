//! Running to a condition: a shortest way from here to a state in which it is true.
//!
//! Breadth-first search over states, on the plain machine. It can be looked for in portions, so that whoever
//! waits can be told how far it is, and can give up.

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use taut_ir::Action;
use taut_witness::{BoundsMet, Outcome, State};

use crate::condition::Condition;
use crate::simulator::{Refused, Simulator};
use crate::view::cells;

/// How many values all states together may hold: some hundred megabytes.
const MOST_CELLS: usize = 6_000_000;
/// The most states, however small they are, and how many are always allowed.
const MOST_STATES: usize = 200_000;
const LEAST_STATES: usize = 5_000;

/// The search for a state.
pub struct SearchTo {
    text: String,
    condition: Condition,
    seen: HashSet<Rc<State>>,
    /// How each state was first reached: from which, by what.
    ways: Vec<Option<(usize, Action)>>,
    /// States whose successors have not been looked at, with their numbers.
    waiting: VecDeque<(usize, Rc<State>)>,
    most: usize,
    found: Option<usize>,
    bounds: BoundsMet,
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There are more states to look at.
    Searching,
    /// These actions lead to such a state; none if the condition is true here.
    Found(Vec<Action>),
    /// No state that can be reached from here is such a state, as far as these bounds let one see.
    Nowhere(BoundsMet),
    /// There are too many states to look at all of them.
    TooMany,
}

impl SearchTo {
    /// A search from where a simulation stands for a state of which a condition is true.
    pub fn new(simulator: &Simulator<'_>, text: &str) -> Result<SearchTo, Refused> {
        let condition = simulator.host().condition(simulator.program(), text).map_err(Refused)?;
        let most = (MOST_CELLS / cells(simulator.state())).clamp(LEAST_STATES, MOST_STATES);
        let mut quest = SearchTo {
            text: text.into(),
            condition,
            seen: HashSet::new(),
            ways: Vec::new(),
            waiting: VecDeque::new(),
            most,
            found: None,
            bounds: BoundsMet::default(),
        };
        quest.reach(simulator, simulator.state().clone(), None);
        if simulator.has_ended() {
            quest.waiting.clear();
        }
        Ok(quest)
    }

    /// How many states have been seen.
    pub fn states(&self) -> usize {
        self.seen.len()
    }

    /// Looks at the successors of up to so many states. Where a model lacks processes the program is made
    /// larger, and the search begins again.
    pub fn advance(
        &mut self,
        simulator: &mut Simulator<'_>,
        portion: usize,
    ) -> Result<Progress, Refused> {
        for _ in 0..portion {
            if let Some(found) = self.found {
                return Ok(Progress::Found(self.way_to(found)));
            }
            if self.seen.len() > self.most {
                return Ok(Progress::TooMany);
            }
            let Some((number, state)) = self.waiting.pop_front() else {
                return Ok(Progress::Nowhere(self.bounds));
            };
            let next = simulator.machine().successors(&state);
            if next.bounds.threads && simulator.enlarge(&state) {
                *self = SearchTo::new(simulator, &self.text)?;
                continue;
            }
            self.bounds = self.bounds.or(next.bounds);
            for (action, done) in next.moves {
                if let Outcome::State(after) = done.outcome {
                    self.reach(simulator, after, Some((number, action)));
                }
            }
        }
        Ok(Progress::Searching)
    }

    /// Notes a state, unless it is known.
    fn reach(&mut self, simulator: &Simulator<'_>, state: State, way: Option<(usize, Action)>) {
        let state = Rc::new(state);
        if !self.seen.insert(state.clone()) {
            return;
        }
        let number = self.ways.len();
        self.ways.push(way);
        if self.found.is_none() && self.condition.holds(simulator.machine(), &state) {
            self.found = Some(number);
        }
        self.waiting.push_back((number, state));
    }

    fn way_to(&self, mut number: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        while let Some((from, action)) = self.ways[number] {
            actions.push(action);
            number = from;
        }
        actions.reverse();
        actions
    }
}

impl Simulator<'_> {
    /// Takes a shortest way to a state of which a condition is true, if there is one; says what came of it.
    pub fn run_to(&mut self, text: &str) -> Result<Progress, Refused> {
        let _phase = taut_budget::phase("a condition is searched");
        let mut quest = SearchTo::new(self, text)?;
        loop {
            match quest.advance(self, usize::MAX)? {
                Progress::Searching => {}
                progress => return self.follow(progress),
            }
        }
    }

    /// Takes the way that a search found.
    pub fn follow(&mut self, progress: Progress) -> Result<Progress, Refused> {
        if let Progress::Found(actions) = &progress {
            for &action in actions {
                self.act(action)?;
            }
        }
        Ok(progress)
    }
}
