//! Random models that another tool is asked about, by seed: SPIN run in turns for many models.
//!
//! [`Seeds`] says which models are made, [`Seeds::compare`] runs a comparison for each of them on two threads, because the
//! other tool is another process. A model that the two tools differ on is made small by the comparison, kept in
//! `testdata/regressions` ([`crate::regressions`]) and named.

use std::fmt;
use std::panic::Location;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cases::name;
use crate::regressions::{Kept, folder};
use crate::spin::has_tcc;

/// Differences after which there is no need for more: each takes a while to make small.
const ENOUGH: usize = 5;

/// A range of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    first: u64,
    end: u64,
}

/// A model that two tools differ on.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed of the model.
    pub seed: u64,
    /// The smallest model that was found, in Promela.
    pub model: String,
    /// The answers.
    pub said: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { seed, model, said } = self;
        write!(f, "TAUT_SEED={seed}, made small:\n{model}{said}\n")
    }
}

impl Difference {
    /// Keeps the model; the message with its file.
    fn tell(&self, folder: &Path, name: &str) -> String {
        let kept = Kept::Promela(self.model.clone());
        match kept.write(folder, name, &format!("TAUT_SEED={}: {}", self.seed, self.said)) {
            Ok(path) => format!("{self}the model is kept in {}\n", path.display()),
            Err(error) => format!("{self}the model could not be kept: {error}\n"),
        }
    }
}

impl Seeds {
    /// The one seed of `TAUT_SEED=n`; else this number of them, or `TAUT_SOAK=n` times as many.
    pub fn new(ordinary: u64) -> Seeds {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        match number("TAUT_SEED") {
            Some(seed) => Seeds { first: seed, end: seed + 1 },
            None => Seeds { first: 0, end: ordinary * number("TAUT_SOAK").unwrap_or(1) },
        }
    }

    /// The same for models that SPIN makes verifiers of: so many where they compile fast, and so many where each of
    /// them takes half a second.
    pub fn of_verifiers((quick, slow): (u64, u64)) -> Seeds {
        Seeds::new(if has_tcc() { quick } else { slow })
    }

    /// Number of seeds.
    pub fn count(self) -> usize {
        (self.end - self.first) as usize
    }

    /// One seed was asked for, of which there are no floors.
    pub fn is_one(self) -> bool {
        self.count() == 1
    }

    /// Compares on every seed, and fails with the models that differ.
    #[track_caller]
    pub fn compare(self, compare: impl Fn(u64) -> Result<(), Difference> + Sync) {
        let different = self.differences(compare);
        let name = name(Location::caller());
        let told: Vec<_> = different.iter().map(|one| one.tell(&folder(), &name)).collect();
        assert!(told.is_empty(), "{} models differ:\n\n{}", told.len(), told.join("\n"));
    }

    fn differences(
        self,
        compare: impl Fn(u64) -> Result<(), Difference> + Sync,
    ) -> Vec<Difference> {
        let next = AtomicU64::new(self.first);
        let different = Mutex::new(Vec::new());
        let lock = || different.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= self.end || lock().len() >= ENOUGH {
                return;
            }
            if let Err(difference) = compare(seed) {
                lock().push(difference);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(work);
            scope.spawn(work);
        });
        different.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Tally;

    #[test]
    fn every_seed_is_compared_once_and_differences_are_told() {
        let (seeds, tally) = (Seeds { first: 3, end: 103 }, Tally::new());
        let differs = |seed: u64| Difference { seed, model: "skip\n".into(), said: "no".into() };
        let found = seeds.differences(|seed| {
            tally.count("compared");
            if seed == 50 { Err(differs(seed)) } else { Ok(()) }
        });
        assert_eq!((tally.of("compared"), found.len()), (100, 1));
        assert_eq!(found[0].to_string(), "TAUT_SEED=50, made small:\nskip\nno\n");
        // Two threads may each find one more.
        let many = seeds.differences(|seed| Err(differs(seed))).len();
        assert!((ENOUGH..=ENOUGH + 1).contains(&many), "{many}");
    }
}
