//! A smaller text that fails in the same way: parts are left out, halves first, then lines, as long as the failure stays.

use std::time::{Duration, Instant};

use crate::commands::Attempt;
use crate::run::{Failure, Runner};

/// Time for making a text smaller.
const PATIENCE: Duration = Duration::from_secs(60);

/// An attempt with a smaller text that fails like `failure`.
pub fn shrink(runner: &Runner<'_>, attempt: Attempt, failure: &Failure) -> Attempt {
    let end = Instant::now() + PATIENCE;
    let mut best = attempt;
    let mut part = best.bytes.len() / 2;
    while part > 0 {
        let mut at = 0;
        while at < best.bytes.len() {
            if Instant::now() > end {
                return best;
            }
            let mut bytes = best.bytes.clone();
            bytes.drain(at..(at + part).min(bytes.len()));
            let smaller = Attempt { bytes, ..best.clone() };
            match runner.run(&smaller) {
                Err(same) if same.same_kind(failure) => best = smaller,
                _ => at += part,
            }
        }
        part /= 2;
    }
    best
}
