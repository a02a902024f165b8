//! Making languages larger by cycles.

use std::sync::Arc;

use taut_automata::Language;
use taut_ir::ProcId;

use super::Search;
use super::arrive::Arrived;
use crate::cycle::{Cycle, Growth, Hop, Link, Taken};
use crate::edge::State;
use crate::node::{NodeId, differing, includes, with_language};
use crate::simulate::Simulator;

/// Earlier visits of a process to a program point that are looked at for what it did since.
const MOST_RETURNS: usize = 4;

impl Search<'_> {
    /// Makes the languages of a state as large as cycles make them. Where cycles cannot be repeated in any order,
    /// the state stays as it is, and what each choice of cycles makes of it is the result.
    pub(super) fn accelerate(&mut self, arrived: &mut Arrived) -> Vec<(State, Growth)> {
        if arrived.base.is_none() {
            if let Some((ancestor, larger, growth)) = self.close_cycle(arrived) {
                arrived.grown.push(growth);
                arrived.state = larger;
                arrived.base = Some(ancestor);
            } else {
                self.learn_own_loop(arrived);
            }
        }
        let mut choices = Vec::new();
        for process in self.expander.memory().processes() {
            let mut grown = self.grow(&arrived.state, process, None);
            match grown.len() {
                0 => {}
                1 => {
                    let (larger, growth) = grown.remove(0);
                    arrived.state = larger;
                    arrived.grown.push(growth);
                }
                _ => choices.extend(grown),
            }
        }
        choices
    }

    /// If a state closes a cycle with one before it: that one, and what repeating the cycle makes of it. The state
    /// is one of those: where the new cycle cannot be repeated with the others, what those make of the earlier
    /// one says nothing about it.
    fn close_cycle(&mut self, arrived: &Arrived) -> Option<(NodeId, State, Growth)> {
        let (parent, last) = arrived.via.as_ref()?;
        let memory = self.expander.memory();
        let alike = |&id: &NodeId| self.nodes.get(id).skeleton == arrived.skeleton;
        let with_process =
            |id| Some((id, differing(memory, &self.nodes.get(id).state, &arrived.state)?));
        let before = self.nodes.ancestors(*parent).filter(alike).filter_map(with_process);
        let before: Vec<_> = before.take(MOST_RETURNS).collect();
        for (ancestor, process) in before {
            let earlier = self.nodes.get(ancestor).state.clone();
            let trail = self.trail(ancestor, *parent, last);
            let mut simulator = Simulator::new(&mut self.expander, process);
            let Some(stores) = simulator.stores(&earlier, &trail) else { continue };
            let cycle = Arc::new(Cycle { process, trail, stores });
            let mut grown = self.grow(&earlier, process, Some(&cycle));
            self.cycles.learn(&self.expander, &earlier, cycle);
            let is_covered = |(larger, _): &(State, _)| includes(memory, larger, &arrived.state);
            if grown.len() == 1 && is_covered(&grown[0]) {
                let (larger, growth) = grown.remove(0);
                return Some((ancestor, larger, growth));
            }
        }
        None
    }

    /// If a process is back where it was, whatever the others did meanwhile, what it did since may be a cycle
    /// from here: then it is remembered.
    fn learn_own_loop(&mut self, arrived: &Arrived) {
        let Some((parent, last)) = &arrived.via else { return };
        let mover = last.edge.kind.mover().filter(|&p| self.expander.memory().has_buffer(p));
        let Some(process) = mover else { return };
        let machine = self.expander.machine;
        let point = machine.point(&arrived.state, process);
        let is_back = |&id: &NodeId| machine.point(&self.nodes.get(id).state, process) == point;
        let before: Vec<_> =
            self.nodes.ancestors(*parent).filter(is_back).take(MOST_RETURNS).collect();
        for ancestor in before {
            let mut trail = self.trail(ancestor, *parent, last);
            trail.retain(|link| link.kind.mover() == Some(process));
            if !self.cycles.is_worth_trying(&self.expander, &arrived.state, process, &trail) {
                continue;
            }
            let mut simulator = Simulator::new(&mut self.expander, process);
            if let Some(stores) = simulator.stores(&arrived.state, &trail) {
                let cycle = Arc::new(Cycle { process, trail, stores });
                return self.cycles.learn(&self.expander, &arrived.state, cycle);
            }
        }
    }

    /// The edges from an ancestor to a node, and one more.
    fn trail(&self, ancestor: NodeId, node: NodeId, last: &Taken) -> Vec<Link> {
        let hops = self.nodes.trail(Some(ancestor), node).into_iter();
        hops.filter_map(Hop::link).chain([Link::of(last)]).collect()
    }

    /// What the known cycles of a process, and perhaps a new one, make of a state, if that is more: one larger
    /// state if they can be repeated in any order, else one for each choice of cycles that can.
    fn grow(
        &mut self,
        state: &State,
        process: ProcId,
        new: Option<&Arc<Cycle>>,
    ) -> Vec<(State, Growth)> {
        let known = self.cycles.known(&self.expander, process, state).into_iter();
        let mut cycles: Vec<_> = known.chain(new.cloned()).collect();
        if cycles.is_empty() || self.is_closed(state, process, &cycles) {
            return Vec::new();
        }
        let mut choices = Vec::new();
        if let Some(language) = self.accelerated(state, process, &cycles) {
            for cycle in &cycles {
                self.cycles.publish(&self.expander, state, cycle, true);
            }
            choices.push((language, cycles));
        } else {
            cycles.retain(|cycle| {
                let one = std::slice::from_ref(cycle);
                let works = self.accelerated(state, process, one).is_some();
                self.cycles.publish(&self.expander, state, cycle, works);
                works
            });
            self.choose(state, process, &cycles, &mut choices);
        }
        let larger = |(language, cycles): (Language, Vec<Arc<Cycle>>)| {
            let larger = with_language(&self.expander, state, process, language);
            (larger != *state).then(|| (larger, Growth { process, cycles: cycles.into() }))
        };
        choices.into_iter().filter_map(larger).collect()
    }

    /// Whether no number of rounds adds anything to the language of a process.
    fn is_closed(&mut self, state: &State, process: ProcId, cycles: &[Arc<Cycle>]) -> bool {
        let before = self.expander.memory().language(state, process);
        Simulator::new(&mut self.expander, process).after_rounds(state, cycles) == Some(before)
    }

    /// The largest choices of cycles that can be repeated in any order; each cycle is in one of them.
    fn choose(
        &mut self,
        state: &State,
        process: ProcId,
        cycles: &[Arc<Cycle>],
        choices: &mut Vec<(Language, Vec<Arc<Cycle>>)>,
    ) {
        for seed in cycles {
            let is_chosen =
                |(_, chosen): &(_, Vec<Arc<Cycle>>)| chosen.iter().any(|c| Arc::ptr_eq(c, seed));
            if choices.iter().any(is_chosen) {
                continue;
            }
            let mut chosen = vec![seed.clone()];
            for other in cycles.iter().filter(|c| !Arc::ptr_eq(c, seed)) {
                chosen.push(other.clone());
                if self.accelerated(state, process, &chosen).is_none() {
                    chosen.pop();
                }
            }
            if let Some(language) = self.accelerated(state, process, &chosen) {
                choices.push((language, chosen));
            }
        }
    }

    fn accelerated(
        &mut self,
        state: &State,
        process: ProcId,
        cycles: &[Arc<Cycle>],
    ) -> Option<Language> {
        Simulator::new(&mut self.expander, process).accelerate(state, cycles)
    }
}
