//! Turns: how far a search may go before the others have theirs.

use std::time::Duration;

use taut_explicit::{Limit, Limits, SearchOptions};

use crate::check::Check;

/// States that a search may store in its first turn: some tenths of a second. It is no less than the number of states
/// that searches visit for a shorter run, so that a budget does not make runs longer.
pub(super) const FIRST_BUDGET: u64 = 100_000;

/// Each budget is so many times the one before.
pub(super) const GROWTH: u64 = 8;

/// Up to this budget one thread searches alone. Where a search with several threads meets its budget inside of a level,
/// the findings depend on the order of the threads; a search by one thread is the same on every run.
const MOST_ALONE: u64 = 1_000_000;

/// One turn of a search.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// States that may be stored in this turn, if the search may be made again with more.
    budget: Option<u64>,
    /// Time that is left for the whole check.
    time: Option<Duration>,
}

impl Turn {
    /// A turn after some time. A budget beyond the limit on states is none.
    pub(super) fn new(options: &SearchOptions, budget: Option<u64>, elapsed: Duration) -> Turn {
        let Limits { states, time, .. } = options.limits;
        let budget = budget.filter(|&budget| states.is_none_or(|most| budget < most));
        Turn { budget, time: time.map(|time| time.saturating_sub(elapsed)) }
    }

    /// The same turn after some more time.
    pub(super) fn after(&self, elapsed: Duration) -> Turn {
        let time = self.time.map(|time| time.saturating_sub(elapsed));
        Turn { time, ..*self }
    }

    /// The same turn with another budget.
    pub(super) fn with_budget(&self, budget: impl FnOnce(u64) -> u64) -> Turn {
        Turn { budget: self.budget.map(budget), ..*self }
    }

    /// The same turn with a budget in any case, unless the limit on states is smaller.
    pub(super) fn with_some_budget(&self, check: &Check<'_>) -> Turn {
        let most = check.options.limits.states;
        let first = Some(FIRST_BUDGET).filter(|&first| most.is_none_or(|most| first < most));
        Turn { budget: self.budget.or(first), ..*self }
    }

    /// The same turn as the last one of its search.
    pub(super) fn without_budget(&self) -> Turn {
        Turn { budget: None, ..*self }
    }

    /// The same turn with at most so much time.
    pub(super) fn within(&self, time: Option<Duration>) -> Turn {
        let time = self.time.map(|left| time.map_or(left, |most| left.min(most)));
        Turn { time, ..*self }
    }

    /// The budget.
    pub(super) fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// The time that is left.
    pub(super) fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Whether a search that ended at this limit is to be made again with a larger budget.
    pub(crate) fn is_cut(&self, limit: Option<Limit>) -> bool {
        self.budget.is_some() && matches!(limit, Some(Limit::States(_)))
    }

    /// Whether findings of a search that was cut are the same on every run.
    pub(super) fn is_repeatable(&self, check: &Check<'_>) -> bool {
        self.threads(check.options.threads) == 1
    }

    fn threads(&self, threads: usize) -> usize {
        if self.budget.is_some_and(|budget| budget <= MOST_ALONE) { 1 } else { threads }
    }

    /// A check that is limited to this turn.
    pub(crate) fn limited<'p>(&self, check: &Check<'p>) -> Check<'p> {
        let mut check = check.clone();
        check.options.threads = self.threads(check.options.threads);
        check.options.limits.states = self.budget.or(check.options.limits.states);
        check.options.limits.time = self.time;
        check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(states: Option<u64>) -> SearchOptions {
        let limits = Limits { states, time: Some(Duration::from_secs(9)), ..Limits::default() };
        SearchOptions { limits, ..SearchOptions::default() }
    }

    #[test]
    fn a_limit_on_states_comes_before_a_budget() {
        let turn = Turn::new(&options(Some(50)), Some(100), Duration::from_secs(2));
        assert_eq!(turn.budget(), None);
        assert_eq!(turn.time(), Some(Duration::from_secs(7)));
        assert!(!turn.is_cut(Some(Limit::States(50))));
        let turn = Turn::new(&options(Some(500)), Some(100), Duration::ZERO);
        assert!(turn.is_cut(Some(Limit::States(100))));
        assert!(!turn.is_cut(Some(Limit::Interrupted)) && !turn.is_cut(None));
    }
}
