//! Whether leaving out is worth its cost.
//!
//! To look for a stubborn set takes several times as long as to expand a state. Where there is none, as in a program in
//! which every process always has to do with every other one, that time is lost. So a search *weighs* what leaving out
//! comes to: the number of states that were expanded in part or passed through, per state in which it was tried. If that
//! is little, it is tried in one state of [`SAMPLE`] only, until the sample says that there is more to gain.
//!
//! **Why this is right.** All actions of a state are a stubborn set. So each state may be expanded in part or in full, and
//! successors may be passed through or stored, whatever becomes of the others. The proviso asks for a successor that is
//! expanded later, or in full; it does not get harder to satisfy if more states are expanded in full.
//!
//! **The same at any number of threads.** Whether it is tried in a state depends on the state and on its level, and what is
//! decided at the end of a level depends on sums over whole levels. Depth first, levels count the decisions.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use taut_machine::hash::hash;

/// States in which it was tried before anything is decided.
const ENOUGH: u64 = 2_048;
/// Leaving out stays in force if one state in so many gains by it.
const GAIN: u64 = 16;
/// One state in so many is still tried where it is not.
const SAMPLE: u64 = 256;
/// Decisions, at most.
const MOST: usize = 8;

/// What leaving out has come to so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// States in which it was tried.
    pub(crate) tried: u64,
    /// States that were expanded in part, and those that were passed through.
    pub(crate) gained: u64,
}

/// When leaving out is in force.
#[derive(Default)]
pub(super) struct Worth {
    /// The levels from which on it is not in force, is again, is not, and so on; each one more than the level, 0 if there is none.
    turns: [AtomicUsize; MOST],
    /// What it had come to when that was decided last.
    before: Mutex<Totals>,
}

impl Worth {
    /// The number of decisions before a level.
    fn turns_before(&self, level: usize) -> usize {
        let is_before = |turn: &&AtomicUsize| {
            let turn = turn.load(Ordering::Relaxed);
            turn != 0 && turn <= level + 1
        };
        self.turns.iter().take_while(is_before).count()
    }

    /// Whether it is tried in a state of a level to leave something out.
    #[inline]
    pub(super) fn is_tried(&self, level: usize, state: &[u64]) -> bool {
        self.turns_before(level).is_multiple_of(2) || hash(state).is_multiple_of(SAMPLE)
    }

    /// Decides what is in force from a level on; whether that is something else than before.
    pub(super) fn weigh(&self, level: usize, totals: Totals) -> bool {
        let Ok(mut before) = self.before.lock() else { return false };
        let tried = totals.tried.saturating_sub(before.tried);
        let gained = totals.gained.saturating_sub(before.gained);
        let turns = self.turns_before(usize::MAX - 1);
        let is_on = turns.is_multiple_of(2);
        // To turn it on again takes more than to leave it on, so that it does not change to and fro.
        let pays = gained * GAIN >= if is_on { tried } else { 2 * tried };
        if tried < enough(is_on) {
            return false;
        }
        *before = totals;
        if pays == is_on || turns == MOST {
            return false;
        }
        self.turns[turns].store(level + 1, Ordering::Relaxed);
        true
    }

    /// What was decided, as numbers.
    pub(super) fn noted(&self) -> impl Iterator<Item = u64> {
        let before = self.before.lock().map_or(Totals::default(), |before| *before);
        let turns = self.turns.each_ref().map(|turn| turn.load(Ordering::Relaxed) as u64);
        [before.tried, before.gained].into_iter().chain(turns)
    }

    /// Decides the same again; false if the numbers are not as many.
    pub(super) fn note_again(&self, noted: &[u64]) -> bool {
        let [tried, gained, turns @ ..] = noted else { return false };
        if let Ok(mut before) = self.before.lock() {
            *before = Totals { tried: *tried, gained: *gained };
        }
        for (turn, noted) in self.turns.iter().zip(turns) {
            turn.store(*noted as usize, Ordering::Relaxed);
        }
        turns.len() == MOST
    }
}

/// States that have to be tried before something is decided: a sample is smaller.
fn enough(is_on: bool) -> u64 {
    let all = limited::enough();
    if is_on { all } else { all / 16 }
}

/// Fewer states, so that small programs show what is decided.
#[cfg(test)]
pub(super) mod limited {
    use std::cell::Cell;

    thread_local! {
        static ENOUGH: Cell<u64> = const { Cell::new(super::ENOUGH) };
    }

    pub(crate) fn enough() -> u64 {
        ENOUGH.get()
    }

    /// Does some work in which so many states are enough.
    pub(crate) fn with_enough<T>(states: u64, work: impl FnOnce() -> T) -> T {
        let before = ENOUGH.replace(states);
        let done = work();
        ENOUGH.set(before);
        done
    }
}

#[cfg(not(test))]
mod limited {
    pub(super) fn enough() -> u64 {
        super::ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(tried: u64, gained: u64) -> Totals {
        Totals { tried, gained }
    }

    #[test]
    fn what_does_not_pay_is_tried_in_a_sample_until_it_does() {
        let worth = Worth::default();
        assert!(!worth.weigh(3, totals(ENOUGH - 1, 0)), "too early");
        assert!(worth.weigh(4, totals(ENOUGH, ENOUGH / GAIN - 1)));
        let tried = |level| (0..10 * SAMPLE).filter(|&s| worth.is_tried(level, &[s])).count();
        assert_eq!(tried(3) as u64, 10 * SAMPLE);
        assert!((1..100).contains(&tried(4)), "{} of a sample", tried(4));
        let few = ENOUGH / 16;
        assert!(!worth.weigh(5, totals(ENOUGH + few, ENOUGH / GAIN)));
        assert!(worth.weigh(6, totals(ENOUGH + 2 * few, ENOUGH / GAIN + few)));
        assert_eq!(tried(6) as u64, 10 * SAMPLE);
        assert!((1..100).contains(&tried(5)));
    }

    #[test]
    fn what_was_decided_is_decided_again_from_a_checkpoint() {
        let worth = Worth::default();
        assert!(worth.weigh(7, totals(ENOUGH, 0)));
        let again = Worth::default();
        let noted: Vec<u64> = worth.noted().collect();
        assert!(again.note_again(&noted));
        assert_eq!(again.noted().collect::<Vec<_>>(), noted);
        assert!((0..20).all(|level| again.is_tried(level, &[1]) == worth.is_tried(level, &[1])));
        assert!(!again.note_again(&noted[1..]));
    }
}
