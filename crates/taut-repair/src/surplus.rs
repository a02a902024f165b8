//! A set that fixes the program, made smaller one part at a time.
//!
//! At first nothing is known but that there is the set of all places. It is judged first: if it does not fix the program,
//! the counterexample may say that nothing does. After that, half of what the set has beside the best set that all
//! clauses allow is left out, then half of that, and so on: from the one that is known to be enough towards the one that
//! is known to be needed.

use crate::site::{Set, SiteId};

/// The set, and what was tried.
pub(crate) struct Surplus {
    /// All places, or a set that fixes the program.
    set: Set,
    /// Whether it is known to fix the program.
    fixes: bool,
    /// Number of places that are left out at once; 0 before the set of all places was judged.
    part: usize,
    /// Places that cannot be left out, nor could be if there were fewer others.
    needed: Set,
    is_over: bool,
}

impl Surplus {
    /// The set of so many places.
    pub(crate) fn new(places: usize) -> Surplus {
        let set = (0..places).collect();
        Surplus { set, fixes: false, part: 0, needed: Set::new(), is_over: places == 0 }
    }

    /// The set, if it is known to fix the program.
    pub(crate) fn fix(&self) -> Option<Set> {
        self.fixes.then(|| self.set.clone())
    }

    /// The next set to be judged, given the best set that all clauses allow.
    pub(crate) fn next(&self, allowed: &Set) -> Option<Set> {
        if self.is_over {
            return None;
        }
        let out: Vec<SiteId> = self.spare(allowed).take(self.part).collect();
        let is_judged = self.fixes && out.is_empty();
        (!is_judged).then(|| self.set.iter().copied().filter(|id| !out.contains(id)).collect())
    }

    /// Takes in whether that set fixes the program.
    pub(crate) fn judged(&mut self, allowed: &Set, holds: bool) {
        let out: Vec<SiteId> = self.spare(allowed).take(self.part).collect();
        match holds {
            true => {
                self.set.retain(|id| !out.contains(id));
                self.fixes = true;
                self.part = self.spare(allowed).count().div_ceil(2);
            }
            // If all places are not enough, fewer are not.
            false if !self.fixes => self.is_over = true,
            false if self.part <= 1 => self.needed.extend(out),
            false => self.part = self.part.div_ceil(2),
        }
    }

    /// The places of the set that may not be needed, the last in the source first.
    fn spare(&self, allowed: &Set) -> impl Iterator<Item = SiteId> {
        let is_spare = |id: &SiteId| !allowed.contains(id) && !self.needed.contains(id);
        self.set.iter().rev().copied().filter(is_spare)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a set has a place of each clause.
    fn hits(clauses: &[Set], set: &Set) -> bool {
        clauses.iter().all(|clause| !clause.is_disjoint(set))
    }

    proptest! {
        #[test]
        fn it_ends_with_a_set_of_which_every_place_is_needed(
            clauses in prop::collection::vec(prop::collection::btree_set(0..20_usize, 0..4), 0..8),
            allowed in prop::collection::btree_set(0..20_usize, 0..3),
        ) {
            let mut surplus = Surplus::new(20);
            let mut judged = 0;
            while let Some(set) = surplus.next(&allowed) {
                judged += 1;
                prop_assert!(judged < 200, "it goes on and on");
                surplus.judged(&allowed, hits(&clauses, &set));
            }
            let everything: Set = (0..20).collect();
            let fix = surplus.fix();
            prop_assert_eq!(fix.is_some(), hits(&clauses, &everything));
            for place in fix.iter().flatten().filter(|place| !allowed.contains(place)) {
                let mut less = fix.clone().unwrap_or_default();
                less.remove(place);
                prop_assert!(!hits(&clauses, &less), "{place} is not needed");
            }
        }
    }
}
