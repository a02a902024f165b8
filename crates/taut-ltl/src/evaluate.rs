//! The truth of a formula on an ultimately periodic run, straight from the semantics.
//!
//! On purpose this shares nothing with the automata: it is what their answers are checked against.
//! For each subformula the truth at every position of the lasso is computed, subformulas first.
//! Until and release are fixed points of `f U g = g || (f && X (f U g))`; going backwards over the
//! lasso twice reaches them, because after one round the value at the entry of the cycle is the
//! final one.

use crate::formula::Formula;

/// Truth of a formula at position 0 of the run that reads the valuations of the stem, then those of
/// the cycle for ever.
///
/// # Panics
/// If the cycle is empty: that is not a run.
pub fn evaluate(formula: &Formula, stem: &[u64], cycle: &[u64]) -> bool {
    assert!(!cycle.is_empty(), "a lasso has a cycle");
    let valuations = [stem, cycle].concat();
    Lasso { valuations, entry: stem.len() }.truth(formula)[0]
}

struct Lasso {
    valuations: Vec<u64>,
    /// Where the last position leads back to.
    entry: usize,
}

impl Lasso {
    /// The truth of a formula at every position.
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        use Formula::*;
        match formula {
            True => vec![true; self.valuations.len()],
            False => vec![false; self.valuations.len()],
            Atom(atom) => self.valuations.iter().map(|v| atom.holds(*v)).collect(),
            Not(f) => self.truth(f).into_iter().map(|a| !a).collect(),
            And(f, g) => self.both(f, g, |a, b| a && b),
            Or(f, g) => self.both(f, g, |a, b| a || b),
            Implies(f, g) => self.both(f, g, |a, b| !a || b),
            Iff(f, g) => self.both(f, g, |a, b| a == b),
            Next(f) => {
                let now = self.truth(f);
                (0..now.len()).map(|i| now[self.after(i)]).collect()
            }
            Always(f) => self.least_or_greatest(&self.truth(f), true, |a, later| a && later),
            Eventually(f) => self.least_or_greatest(&self.truth(f), false, |a, later| a || later),
            Until(f, g) => self.fixpoint(f, g, false, |a, b, later| b || (a && later)),
            WeakUntil(f, g) => self.fixpoint(f, g, true, |a, b, later| b || (a && later)),
            Release(f, g) => self.fixpoint(f, g, true, |a, b, later| b && (a || later)),
            StrongRelease(f, g) => self.fixpoint(f, g, false, |a, b, later| b && (a || later)),
        }
    }

    /// The position after one.
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.valuations.len() { position + 1 } else { self.entry }
    }

    fn both(&self, f: &Formula, g: &Formula, join: fn(bool, bool) -> bool) -> Vec<bool> {
        let (a, b) = (self.truth(f), self.truth(g));
        a.into_iter().zip(b).map(|(a, b)| join(a, b)).collect()
    }

    /// The fixed point of `now = step(f, g, later)`: the least from `false`, the greatest from
    /// `true`.
    fn fixpoint(
        &self,
        f: &Formula,
        g: &Formula,
        start: bool,
        step: fn(bool, bool, bool) -> bool,
    ) -> Vec<bool> {
        let (a, b) = (self.truth(f), self.truth(g));
        self.backwards(start, |i, later| step(a[i], b[i], later))
    }

    fn least_or_greatest(
        &self,
        a: &[bool],
        start: bool,
        step: fn(bool, bool) -> bool,
    ) -> Vec<bool> {
        self.backwards(start, |i, later| step(a[i], later))
    }

    fn backwards(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut now = vec![start; self.valuations.len()];
        for _ in 0..2 {
            for i in (0..now.len()).rev() {
                now[i] = step(i, now[self.after(i)]);
            }
        }
        now
    }
}
