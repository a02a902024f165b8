//! What the parts tell each other at the end of a level, and what follows from it for all of them.

use crate::checkpoint::saved;
use crate::exploration::Completion;
use crate::findings::{FindingSite, Findings};
use crate::search::{SearchContext, Tally};
use taut_ir::Finding;

/// A place in the search: a state by its level and its position in its owner's part of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) owner: u32,
    pub(super) level: usize,
    pub(super) position: usize,
}

saved!(Place { owner, level, position });

/// Counts and findings of one part after a level.
#[derive(Debug)]
pub(super) struct Sum {
    /// States stored, from the start.
    pub(super) states: u64,
    /// States of the next level.
    pub(super) next: u64,
    /// What was counted, from the start.
    pub(super) tally: Tally,
    /// Findings of this level.
    pub(super) found: Findings<Place>,
    /// The limit that this part met.
    pub(super) cut: Option<Completion>,
}

saved!(Sum { states, next, tally, found, cut });

/// What all parts know after a level.
#[derive(Default)]
pub(super) struct Total {
    pub(super) states: u64,
    pub(super) next: u64,
    pub(super) tally: Tally,
    pub(super) found: Findings<Place>,
    pub(super) end: Option<Completion>,
}

impl Total {
    /// Adds the sums of a level, in the order of the parts, and decides whether the search ends.
    pub(super) fn add(&mut self, sums: impl Iterator<Item = Sum>, context: &SearchContext<'_>) {
        (self.states, self.next, self.tally) = (0, 0, Tally::default());
        let mut cut = None;
        for mut sum in sums {
            self.states += sum.states;
            self.next += sum.next;
            self.tally.add(&sum.tally);
            sum.found.drain().for_each(|entry: FindingSite<Place>| self.found.note(entry));
            cut = cut.or(sum.cut);
        }
        // What was found says more than a limit.
        let met = context.end_by(self.tally.bounds_met);
        let answered = context
            .end_by_findings(!self.found.is_empty(), |finding: Finding| self.found.has(finding));
        let most = context.watch.most_states();
        let full =
            (self.states > most).then_some(Completion::Limit(crate::limits::Limit::States(most)));
        let complete = (self.next == 0).then_some(Completion::Complete);
        self.end = met.or(answered).or(cut).or(full).or(complete);
    }
}
