//! The loop that finds the best of the cheapest sets, and if asked for all of them, the best first.
//!
//! A round takes the best set that all clauses allow and has it judged ([`Oracle::judge`]). The first few rounds learn
//! what the counterexamples say, which is enough for most programs. Where it is not, clauses are long and say little, so
//! that there are many rounds. From then on each round makes its clause as short as can be (`tighten`).
//!
//! When half of the time that there is has passed, a round also makes a set smaller that fixes the program, at first the
//! one of all places (`surplus`). Where that cannot be smaller, there is a counterexample to learn from, too. Where a
//! limit ends the loop, this set is what there is to tell.
//!
//! The result is the same with and without: clauses decide how many rounds there are, not where they lead.

use taut_budget::{Budget, Level};

use crate::clause::Clause;
#[cfg(any(target_family = "wasm", not(feature = "maxsat")))]
use crate::exact::best;
#[cfg(all(feature = "maxsat", not(target_family = "wasm")))]
use crate::hitting::best;
use crate::learned::LearnedClause;
use crate::problem::{Oracle, OracleAnswer, RepairProblem};
use crate::rank::Rank;
use crate::site::{Set, SiteId};
use crate::surplus::Surplus;
use crate::tighten::tighten;

/// Rounds that take counterexamples as they are.
pub const PLAIN_ROUNDS: usize = 8;

/// What came of it.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The sets that fix the program, all of the same cost: the one of the least [`crate::Rank`], or all if they were
    /// asked for, by rank.
    pub sets: Vec<Set>,
    /// What was learned on the way, in order.
    pub lessons: Vec<LearnedClause>,
    /// How many variants were checked.
    pub checks: u64,
    /// How it ended.
    pub end: End,
}

/// How a repair ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With a set that fixes the program, and none that costs less; with all of those, if they were asked for.
    Done,
    /// Nothing fixes the program: the last lesson is a run that no place breaks, or all clauses together leave no
    /// set.
    Unrepairable,
    /// A limit was met.
    Unknown {
        /// The best set that all clauses allow: nothing that costs less fixes the program.
        set: Set,
        /// The cheapest set that is known to fix it, if any is.
        fix: Option<Set>,
        /// The limit, in words.
        why: String,
    },
}

impl Repair {
    /// Nothing was done yet.
    pub(crate) fn new() -> Repair {
        Repair { sets: Vec::new(), lessons: Vec::new(), checks: 0, end: End::Unrepairable }
    }

    /// A counterexample that of all places in a set this one alone breaks: what it is needed for.
    pub fn need(&self, set: &Set, place: SiteId) -> Option<&LearnedClause> {
        self.lessons.iter().find(|lesson| {
            let breaks: Vec<_> = lesson.clause.any_of.intersection(set).collect();
            breaks == [&place]
        })
    }
}

/// Finds a cheapest set, or all.
pub fn minimal<J: Oracle>(
    subject: &RepairProblem,
    judge: &mut J,
    all: bool,
) -> Result<Repair, J::Error> {
    minimal_after(subject, judge, all, PLAIN_ROUNDS)
}

/// The same, with so many rounds that take counterexamples as they are.
pub fn minimal_after<J: Oracle>(
    subject: &RepairProblem,
    judge: &mut J,
    all: bool,
    plain_rounds: usize,
) -> Result<Repair, J::Error> {
    let search = Search {
        subject,
        all,
        plain_rounds,
        rounds: 0,
        allowed: Set::new(),
        surplus: Surplus::new(subject.places().len()),
        clauses: Vec::new(),
        repair: Repair::new(),
    };
    search.run(judge)
}

struct Search<'s> {
    subject: &'s RepairProblem,
    all: bool,
    plain_rounds: usize,
    rounds: usize,
    /// The best set that all clauses allowed when they were last asked.
    allowed: Set,
    surplus: Surplus,
    /// The clauses that no other one implies.
    clauses: Vec<Clause>,
    repair: Repair,
}

/// What a part of a round came to.
#[derive(Default)]
struct Learned {
    lessons: Vec<LearnedClause>,
    /// How many variants were checked.
    checks: u64,
    /// A limit that was met, in words.
    limit: Option<String>,
    /// Whether the set that was judged fixes the program.
    holds: bool,
}

impl Search<'_> {
    fn run<J: Oracle>(mut self, judge: &mut J) -> Result<Repair, J::Error> {
        loop {
            taut_budget::tick();
            let set = match self.next() {
                Ok(Some(set)) => set,
                Ok(None) => break,
                Err(why) => return Ok(self.unknown(why)),
            };
            if self.is_dearer(&set) {
                break;
            }
            self.allowed.clone_from(&set);
            let learned = within_budget(|| self.round(judge, &set))?;
            match self.take(learned) {
                Some(why) => return Ok(self.unknown(why)),
                None if self.repair.sets.last() == Some(&set) && !self.all => break,
                None => {}
            }
            if is_late() && self.repair.sets.is_empty() {
                let learned = within_budget(|| self.try_surplus(judge))?;
                if let Some(why) = self.take_surplus(learned) {
                    return Ok(self.unknown(why));
                }
            }
        }
        if !self.repair.sets.is_empty() {
            self.repair.end = End::Done;
        }
        Ok(self.repair)
    }

    /// The best set that all clauses allow.
    fn next(&self) -> Result<Option<Set>, String> {
        let choose = || best(self.subject.places(), &self.clauses, &self.repair.sets);
        let found = Budget::current().run(Level::Check, choose);
        found.unwrap_or_else(|met| Err(met.to_string()))
    }

    /// Whether a set costs more than what was found.
    fn is_dearer(&self, set: &Set) -> bool {
        let found = self.repair.sets.first();
        found.is_some_and(|found| self.subject.cost(set) > self.subject.cost(found))
    }

    /// Has a set judged.
    fn round<J: Oracle>(&self, judge: &mut J, set: &Set) -> Result<Learned, J::Error> {
        let found = match judge.judge(self.subject, set)? {
            OracleAnswer::Holds => {
                return Ok(Learned { holds: true, checks: 1, ..Learned::default() });
            }
            OracleAnswer::Unknown(why) => {
                return Ok(Learned { limit: Some(why), checks: 1, ..Learned::default() });
            }
            OracleAnswer::Violated(found) => found,
        };
        let of = |found| LearnedClause::of(self.subject, set, found);
        let mut lessons: Vec<LearnedClause> = found.into_iter().map(of).collect();
        let mut checks = 1;
        let shortest = lessons.iter().min_by_key(|lesson| lesson.clause.any_of.len());
        if let Some(shortest) = shortest.filter(|_| self.rounds >= self.plain_rounds) {
            let tight = tighten(self.subject, judge, shortest)?;
            checks += tight.checks;
            lessons.extend(tight.lesson);
        }
        Ok(Learned { lessons, checks, ..Learned::default() })
    }

    /// Takes in what a round came to; the limit that was met, if one was.
    fn take(&mut self, learned: Learned) -> Option<String> {
        self.rounds += 1;
        self.learn(learned.lessons, learned.checks);
        if learned.holds {
            let rank = |set: &Set| Rank::of(self.subject.places(), set);
            let last = self.repair.sets.last();
            debug_assert!(last.is_none_or(|last| rank(last) < rank(&self.allowed)));
            self.repair.sets.push(self.allowed.clone());
        }
        learned.limit
    }

    /// Has a smaller set judged than the one that is known to fix the program.
    fn try_surplus<J: Oracle>(&self, judge: &mut J) -> Result<Learned, J::Error> {
        let Some(set) = self.surplus.next(&self.allowed) else { return Ok(Learned::default()) };
        self.round(judge, &set)
    }

    fn take_surplus(&mut self, learned: Learned) -> Option<String> {
        self.surplus.judged(&self.allowed, learned.holds);
        self.learn(learned.lessons, learned.checks);
        // A limit of this check alone says nothing of the loop.
        None
    }

    fn learn(&mut self, lessons: Vec<LearnedClause>, checks: u64) {
        self.repair.checks += checks;
        for lesson in &lessons {
            let new = &lesson.clause;
            if !self.clauses.iter().any(|known| known.implies(new)) {
                self.clauses.retain(|known| !new.implies(known));
                self.clauses.push(new.clone());
            }
        }
        self.repair.lessons.extend(lessons);
    }

    fn unknown(self, why: String) -> Repair {
        let fix = self.surplus.fix();
        Repair { end: End::Unknown { set: self.allowed, fix, why }, ..self.repair }
    }
}

/// Whether half of the time that there is has passed.
fn is_late() -> bool {
    let budget = Budget::current();
    budget.left().zip(budget.given_time()).is_some_and(|(left, given)| left < given / 2)
}

/// Does a part of a round, which keeps nothing if it is ended by the budget.
fn within_budget<E>(work: impl FnOnce() -> Result<Learned, E>) -> Result<Learned, E> {
    let ended =
        |met: taut_budget::Met| Ok(Learned { limit: Some(met.to_string()), ..Learned::default() });
    Budget::current().run(Level::Check, work).unwrap_or_else(ended)
}
