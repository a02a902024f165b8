//! The search for an attack: breadth first, so that the run is a short one.
//!
//! Up to the delayed store every process runs as under sequential consistency: its stores commit at once. Where only one
//! process need delay stores (`Mode::One`), that holds for the others to the end. Otherwise every process may let
//! stores wait for ever at any time.

use std::collections::{HashMap, VecDeque};

use taut_fault::{Fault, is_on};
use taut_ir::{Action, ProcId};
use taut_witness::{Address, BoundsMet, State};

use crate::attack::Attack;
use crate::delay::Delays;
use crate::encode::encode;
use crate::node::{Choice, Node, Nodes};

/// Which processes may let stores wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The process of the delayed store alone.
    One,
    /// All.
    All,
}

/// How the search ended.
pub(crate) struct Searched {
    /// The actions of a run in which an attack succeeds.
    pub found: Option<Vec<Action>>,
    pub states: u64,
    pub bounds: BoundsMet,
    /// Why nothing that was not found is known not to be there.
    pub is_cut: bool,
    /// The limit on states was met.
    pub is_full: bool,
}

#[derive(Clone)]
struct Position {
    state: State,
    attack: Option<Attack>,
}

/// A way on from a position.
struct Way {
    actions: Vec<Action>,
    /// Where it leads; none if the attack succeeds.
    to: Option<Position>,
}

pub(crate) struct Search<'s, 'p> {
    pub nodes: &'s Nodes<'p>,
    pub delays: &'s Delays,
    pub mode: Mode,
    /// Most states to keep.
    pub most: u64,
}

impl Search<'_, '_> {
    pub fn run(&self) -> Searched {
        let mut done = Searched {
            found: None,
            states: 0,
            bounds: BoundsMet::default(),
            is_cut: false,
            is_full: false,
        };
        let initial = Position { state: self.nodes.machine.initial(), attack: None };
        let mut seen: HashMap<Box<[u8]>, ()> = HashMap::new();
        // For every position the one before it, and which of its ways leads here.
        let mut parents: Vec<(usize, usize)> = vec![(0, 0)];
        seen.insert(encode(&initial.state, None), ());
        let mut open = VecDeque::from([(0_usize, initial.clone())]);
        while let Some((id, position)) = open.pop_front() {
            for (nth, way) in self.ways(&position, &mut done).into_iter().enumerate() {
                let Some(to) = way.to else {
                    let mut actions = self.path(initial, &parents, id);
                    actions.extend(way.actions);
                    done.found = Some(actions);
                    done.states = seen.len() as u64;
                    return done;
                };
                if seen.insert(encode(&to.state, to.attack.as_ref()), ()).is_none() {
                    open.push_back((parents.len(), to));
                    parents.push((id, nth));
                }
            }
            if seen.len() as u64 > self.most {
                done.is_full = true;
                break;
            }
        }
        done.states = seen.len() as u64;
        done
    }

    /// The actions that lead to a position, found by expanding again what leads there.
    fn path(&self, initial: Position, parents: &[(usize, usize)], mut id: usize) -> Vec<Action> {
        let mut choices = Vec::new();
        while id != 0 {
            let (before, nth) = parents[id];
            choices.push(nth);
            id = before;
        }
        let (mut actions, mut at) = (Vec::new(), initial);
        for nth in choices.into_iter().rev() {
            let mut unused = Searched {
                found: None,
                states: 0,
                bounds: BoundsMet::default(),
                is_cut: false,
                is_full: false,
            };
            let way = self.ways(&at, &mut unused).swap_remove(nth);
            actions.extend(way.actions);
            let Some(to) = way.to else { break };
            at = to;
        }
        actions
    }

    fn ways(&self, position: &Position, done: &mut Searched) -> Vec<Way> {
        let expansion = self.nodes.of(&position.state);
        done.bounds = done.bounds.or(expansion.bounds);
        done.is_cut |= expansion.is_cut;
        let mut ways = Vec::new();
        for node in &expansion.nodes {
            let delayable = self.is_delayable(node);
            for choice in self.nodes.choices(&position.state, node) {
                if choice.waiting.is_empty() || delayable {
                    self.add(position, node, choice, &mut ways);
                }
            }
        }
        ways
    }

    /// Whether a store of the node may be delayed past something that matters.
    fn is_delayable(&self, node: &Node) -> bool {
        let program = self.nodes.program;
        let starts =
            |process: ProcId, step| self.delays.starts_at(program.process(process).def, step);
        node.actions.iter().any(|action| match *action {
            Action::Step { process, step, .. } => starts(process, step),
            Action::Handshake { process, step, receiver, receive, .. } => {
                starts(process, step) || starts(receiver, receive)
            }
            Action::Commit { .. } => false,
        })
    }

    fn add(&self, position: &Position, node: &Node, choice: Choice, ways: &mut Vec<Way>) {
        match &position.attack {
            None => self.add_before(node, choice, ways),
            Some(attack) => {
                let own = node.accesses.processes.contains(&attack.process);
                let delays = choice.delays && !own;
                let is_free = self.mode == Mode::All && !is_on(Fault::OneDelays);
                if (!delays || is_free) && attack.reaches(node, &choice) {
                    ways.push(continued(attack, node, choice));
                }
            }
        }
    }

    /// The ways on where no attack has begun.
    fn add_before(&self, node: &Node, choice: Choice, ways: &mut Vec<Way>) {
        for (process, aim) in self.first_waiting(&choice) {
            let attack = Attack::begin(process, aim, node, &choice);
            let to = Some(Position { state: choice.state.clone(), attack: Some(attack) });
            ways.push(Way { actions: actions(node, &choice), to });
        }
        let is_free = self.mode == Mode::All && !is_on(Fault::OneDelays);
        if is_free || !choice.delays {
            let actions = actions(node, &choice);
            ways.push(Way { actions, to: Some(Position { state: choice.state, attack: None }) });
        }
    }

    /// The stores that wait from now on and are the first of their buffers.
    fn first_waiting(&self, choice: &Choice) -> Vec<(ProcId, Address)> {
        let per_cell = self.nodes.model.buffers().are_per_cell();
        let mut first: Vec<(ProcId, Address)> = Vec::new();
        for &(process, address) in &choice.waiting {
            let same = |&(p, a): &(ProcId, Address)| p == process && (!per_cell || a == address);
            if !first.iter().any(same) {
                first.push((process, address));
            }
        }
        first
    }
}

fn actions(node: &Node, choice: &Choice) -> Vec<Action> {
    node.actions.iter().chain(&choice.commits).copied().collect()
}

/// The way on of an attack.
fn continued(attack: &Attack, node: &Node, choice: Choice) -> Way {
    let mut actions = actions(node, &choice);
    if attack.closes(node, &choice) {
        let Attack { process, aim, .. } = *attack;
        actions.push(Action::Commit { process, var: aim.var, index: aim.index });
        return Way { actions, to: None };
    }
    let mut attack = attack.clone();
    attack.take(node, &choice);
    Way { actions, to: Some(Position { state: choice.state, attack: Some(attack) }) }
}
