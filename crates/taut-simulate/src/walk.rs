//! Random walks: any of what can happen, again and again.

use taut_ir::Finding;

use crate::simulator::Simulator;

/// How a walk went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// How many actions were taken.
    pub taken: usize,
    /// Why it ended.
    pub stop: Stop,
}

/// Why a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It went as far as was asked.
    Done,
    /// Something is wrong that was not before.
    Found(Vec<Finding>),
    /// Nothing can happen any more.
    End,
    /// The history has no more room.
    Full,
}

impl Simulator<'_> {
    /// Takes up to `count` actions, each any of those that can happen, and stops at the first thing that goes
    /// wrong. The same seed and the same commands make the same walk.
    pub fn walk(&mut self, count: usize) -> Walk {
        let _phase = taut_budget::phase("a random walk is made");
        for taken in 0..count {
            if self.choices().is_empty() {
                return Walk { taken, stop: Stop::End };
            }
            let before = self.found();
            let number = self.random.below(self.choices().len());
            if self.take(number).is_err() {
                return Walk { taken, stop: Stop::Full };
            }
            let mut new = self.found();
            new.retain(|finding| !before.contains(finding));
            if !new.is_empty() {
                return Walk { taken: taken + 1, stop: Stop::Found(new) };
            }
        }
        Walk { taken: count, stop: Stop::Done }
    }
}
