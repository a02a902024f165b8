//! Inclusion of languages: a walk over pairs of states that builds nothing.

use taut_fault::{Fault, is_on};

use crate::automaton::Automaton;
use crate::explore::TooLarge;
use crate::hash::FastSet;
use crate::store::{Language, Languages};

impl Languages {
    /// Whether every word of `small` is in `large`. At the limit the answer is false, and
    /// [`Languages::overflowed`] says that it may be wrong.
    pub fn includes(&mut self, large: Language, small: Language) -> bool {
        if large == small || small == Language::EMPTY {
            return true;
        }
        if large == Language::EMPTY {
            return false;
        }
        if let Some(&known) = self.inclusions.get(&(large, small)) {
            return known;
        }
        match included(self.automaton(small), self.automaton(large), self.limit()) {
            Ok(answer) => {
                self.inclusions.insert((large, small), answer);
                answer
            }
            Err(TooLarge) => {
                self.overflow();
                false
            }
        }
    }
}

/// Follows every word of `small` in `large`. Every state of `small` leads to acceptance, so an edge
/// that `large` cannot follow is the beginning of a word that it lacks.
fn included(small: &Automaton, large: &Automaton, limit: usize) -> Result<bool, TooLarge> {
    let mut seen = Pairs::of(small, large);
    let mut work = vec![(0, 0)];
    let mut pairs = 1;
    seen.insert(0, 0);
    while let Some((inner, outer)) = work.pop() {
        taut_budget::tick();
        if small.accepts(inner) && !large.accepts(outer) && !is_on(Fault::PrefixesAreWords) {
            return Ok(false);
        }
        for &(letter, inner) in small.edges_from(inner) {
            let Some(outer) = large.next(outer, letter) else {
                if is_on(Fault::EdgesDoNotMatter) {
                    continue;
                }
                return Ok(false);
            };
            if seen.insert(inner, outer) {
                pairs += 1;
                work.push((inner, outer));
            }
        }
        if pairs > limit {
            return Err(TooLarge);
        }
    }
    Ok(true)
}

/// A set of pairs of states. Most automata are small, and a bit for each pair is quicker than a hash table.
enum Pairs {
    Bits { columns: usize, bits: Vec<u64> },
    Hashed(FastSet<(u32, u32)>),
}

/// Pairs up to which there is a bit for each.
const MOST_BITS: usize = 1 << 16;

impl Pairs {
    fn of(small: &Automaton, large: &Automaton) -> Pairs {
        let columns = large.states();
        match small.states().checked_mul(columns) {
            Some(pairs) if pairs <= MOST_BITS => {
                Pairs::Bits { columns, bits: vec![0; pairs.div_ceil(64)] }
            }
            _ => Pairs::Hashed(FastSet::default()),
        }
    }

    /// Adds a pair; whether it was not there.
    fn insert(&mut self, inner: u32, outer: u32) -> bool {
        taut_budget::tick();
        match self {
            Pairs::Hashed(set) => set.insert((inner, outer)),
            Pairs::Bits { columns, bits } => {
                let at = inner as usize * *columns + outer as usize;
                let (word, bit) = (&mut bits[at / 64], 1_u64 << (at % 64));
                let new = *word & bit == 0;
                *word |= bit;
                new
            }
        }
    }
}
