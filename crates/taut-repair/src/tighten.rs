//! Short clauses: of the places that break a counterexample, those without which there is none.
//!
//! Let a clause have the places C. The program with all other places has a counterexample. If it still has one when a
//! place of C is put in as well, then this one gives a clause without that place, which says more. If it has none, the
//! place stays. When all places that are left were tried, the clause is as short as can be. (In the words of the hitting
//! set loop this is a *minimal core*.)
//!
//! Several places are tried at once, twice as many after those that were not needed and half as many after those of which
//! some are. This costs up to two searches per place that stays. But those programs have nearly all places, so that hardly anything waits in a buffer: their
//! states are few, often hardly more than under sequential consistency, where those of the set that was judged
//! may be thousands of times as many. So the search is one for a counterexample only ([`Oracle::refute`]): if it
//! finds none, the place stays, whatever the reason.
//!
//! *Why does the new clause exclude the same set?* It is a clause of a set that contains the one that was judged; it
//! has no place outside of C, and C none of the judged set. What it asks to be left out ([`crate::Clause::unless`]) could be
//! in the larger set only; then the new clause is not taken.

use crate::learned::LearnedClause;
use crate::problem::{Oracle, RepairProblem};
use crate::site::{Set, SiteId};

/// A clause that was made shorter.
pub(crate) struct Tight {
    /// The shorter clause; none if it was as short as can be.
    pub(crate) lesson: Option<LearnedClause>,
    /// How many variants were checked.
    pub(crate) checks: u64,
}

/// Makes a clause as short as can be.
pub(crate) fn tighten<J: Oracle>(
    subject: &RepairProblem,
    judge: &mut J,
    lesson: &LearnedClause,
) -> Result<Tight, J::Error> {
    let mut tight = Tight { lesson: None, checks: 0 };
    let (mut kept, mut clause) = (Set::new(), lesson.clause.clone());
    debug_assert!(clause.any_of.is_disjoint(&lesson.set));
    let mut part = clause.any_of.len().div_ceil(2);
    loop {
        taut_budget::tick();
        let open = clause.any_of.iter().rev().filter(|id| !kept.contains(id));
        let tried: Set = open.take(part).copied().collect();
        if tried.is_empty() {
            return Ok(tight);
        }
        let with = all_but(subject, &clause.any_of, &tried);
        debug_assert!(with.is_superset(&lesson.set));
        tight.checks += 1;
        let found = judge.refute(subject, &with)?.into_iter();
        let found = found.map(|found| LearnedClause::of(subject, &with, found));
        let excludes = |new: &LearnedClause| {
            new.clause.any_of.is_subset(&clause.any_of) && new.clause.unless.is_subset(&lesson.set)
        };
        match found.filter(excludes).min_by_key(|new| new.clause.any_of.len()) {
            Some(shorter) => {
                debug_assert!(shorter.clause.any_of.is_disjoint(&tried));
                clause.clone_from(&shorter.clause);
                tight.lesson = Some(shorter);
                part *= 2;
            }
            None if tried.len() > 1 => part = tried.len() / 2,
            None => {
                kept.extend(tried);
                part = 2;
            }
        }
    }
}

/// All places but those of a clause, and some of these.
fn all_but(subject: &RepairProblem, clause: &Set, tried: &Set) -> Set {
    let is_in = |id: &SiteId| tried.contains(id) || !clause.contains(id);
    (0..subject.places().len()).filter(is_in).collect()
}
