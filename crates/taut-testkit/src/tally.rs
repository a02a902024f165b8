//! Counts of the cases that a test really compared, so that a test in which every case is passed over fails.
//!
//! A random program that is too large, or a model that a reader refuses, is passed over. That is right for a few of
//! them and hides a defect where it happens to all: with a broken generator such a test would compare nothing and
//! pass. So every case counts as what became of it, and the test ends with a floor for what must have been compared.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard};

/// Number of cases per kind, counted across one test by any number of threads.
#[derive(Debug, Default)]
pub struct Tally(Mutex<BTreeMap<String, u64>>);

impl Tally {
    /// Nothing was counted yet.
    pub fn new() -> Tally {
        Tally::default()
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        // A case that panicked while it counted has counted or not; either is a number.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Counts one case of a kind.
    pub fn count(&self, kind: &str) {
        self.add(kind, 1);
    }

    /// Counts several cases of a kind.
    pub fn add(&self, kind: &str, cases: u64) {
        *self.counts().entry(kind.to_owned()).or_default() += cases;
    }

    /// Number of cases of a kind.
    pub fn of(&self, kind: &str) -> u64 {
        self.counts().get(kind).copied().unwrap_or_default()
    }

    /// Fails unless so many cases of a kind were counted.
    #[track_caller]
    pub fn at_least(&self, kind: &str, floor: u64) -> &Tally {
        assert!(self.of(kind) >= floor, "at least {floor} {kind}, but: {self}");
        self
    }

    /// Fails if more cases of a kind were counted.
    #[track_caller]
    pub fn at_most(&self, kind: &str, ceiling: u64) -> &Tally {
        assert!(self.of(kind) <= ceiling, "at most {ceiling} {kind}, but: {self}");
        self
    }
}

/// `12 compared, 3 too large`
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts();
        if counts.is_empty() {
            return f.write_str("nothing was counted");
        }
        let each: Vec<_> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        f.write_str(&each.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn fails(test: impl FnOnce(&Tally)) -> bool {
        let tally = tally();
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&tally))).is_err()
    }

    fn tally() -> Tally {
        let tally = Tally::new();
        tally.count("compared");
        tally.add("too large", 3);
        tally
    }

    #[test]
    fn a_floor_that_is_not_reached_fails() {
        assert_eq!(tally().to_string(), "1 compared, 3 too large");
        tally().at_least("compared", 1).at_most("too large", 3);
        assert!(fails(|tally| _ = tally.at_least("compared", 2)));
        assert!(fails(|tally| _ = tally.at_most("too large", 2)));
        assert!(fails(|tally| _ = tally.at_least("never counted", 1)));
    }
}
