//! Choosing a set in a state: the closed one with the fewest actions that can be taken.

use taut_fault::{Fault, is_on};
use taut_memory::MemorySystem;

use super::Reduction;
use super::closure::{Closure, ClosureContext, Groups, Seed};
use super::objects::VISIBLE;
use super::view::StateView;
use taut_machine::Machine;

/// Space to choose in, kept from one state to the next.
#[derive(Default)]
pub struct StubbornSets {
    scene: StateView,
    closure: Closure,
    /// The best set so far.
    best: Groups,
}

/// What a set has to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// It has at most so many actions that can be taken, and fewer than there are.
    most: u32,
    /// None of its actions that can be taken can be noticed.
    unseen: bool,
}

impl Wanted {
    /// It leaves something out.
    pub(super) const SMALLER: Wanted = Wanted { most: u32::MAX, unseen: false };
    /// It has one action, and that cannot be noticed.
    pub(super) const ONE: Wanted = Wanted { most: 1, unseen: true };

    fn most(self) -> u32 {
        if is_on(Fault::ChoicesArePassed) { u32::MAX } else { self.most }
    }
}

impl StubbornSets {
    /// Looks for a set; with what is known of the state.
    pub(super) fn choose<M: MemorySystem>(
        &mut self,
        reduction: &Reduction,
        machine: &Machine<M>,
        (state, keep_buffer_full): (&[u64], bool),
        wanted: Wanted,
    ) -> Option<(&Groups, &StateView)> {
        let StubbornSets { scene, closure, best } = self;
        scene.look(reduction, machine, state);
        let place = ClosureContext { reduction, machine, state, scene, keep_buffer_full };
        let too_many = scene.enabled.min(wanted.most().saturating_add(1));
        let keeps_seen = (wanted.unseen && !is_on(Fault::SeenIsPassed))
            || (reduction.for_runs && !is_on(Fault::SeenStaysInPart));
        let mut fewest = too_many;
        for seed in seeds(scene) {
            if fewest <= 1 {
                break;
            }
            if !closure.of(&place, seed, fewest) {
                continue;
            }
            let enabled = closure.groups.enabled(scene);
            if enabled < fewest && !(keeps_seen && is_seen(&place, &closure.groups)) {
                fewest = enabled;
                std::mem::swap(best, &mut closure.groups);
            }
        }
        (fewest < too_many).then_some((&*best, &*scene))
    }
}

/// The groups with an action that can be taken, steps first.
fn seeds(scene: &StateView) -> impl Iterator<Item = Seed> {
    let actors = || scene.actors.iter().enumerate();
    let steps = actors().filter(|(_, a)| a.startable > 0).map(|(p, _)| Seed::Steps(p));
    let commits = actors().flat_map(|(p, actor)| {
        let bits = (0..64).map(|bit| 1_u64 << bit).filter(|bit| actor.ready & bit != 0);
        bits.map(move |bit| Seed::Commit(p, bit))
    });
    steps.chain(commits)
}

/// Whether an action of a set that can be taken can be noticed.
fn is_seen<M: MemorySystem>(place: &ClosureContext<'_, M>, groups: &Groups) -> bool {
    place.scene.actors.iter().enumerate().any(|(p, actor)| {
        let table = &place.reduction.tables[p];
        let meets = !place.machine.processes()[p].rendezvous[actor.at].is_empty();
        let steps = groups.has_steps(p) && (actor.startable > 0 || meets);
        (steps && table.now[actor.at].touch.writes & VISIBLE != 0)
            || groups.commits[p] & actor.ready & table.seen != 0
    })
}
