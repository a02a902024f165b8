//! The loop of Havel's thesis (section 3.3): one atomic write at a time, where most go wrong.
//!
//! In a counterexample, the time from a store to its commit is a *hazard interval*, and what another process does
//! with that variable meanwhile is an *inconsistent access*. The store whose interval has the most of them becomes
//! atomic, and the program is checked again. It is fast, ends because there are finitely many writes, and need not find
//! a cheapest set.
//!
//! DIVERGENCE: the thesis ends an interval at the commit. A store can also be destroyed by an atomic write of its
//! own process and never commit, and the run may end before it does; the interval then ends there. Without this the
//! last counterexample of Lamport's lock offers nothing to choose.

use crate::clause::{Clause, run_of};
use crate::conflict::touches;
use crate::delay::{Delay, delays};
use crate::kind::RepairKind;
use crate::learned::LearnedClause;
use crate::minimal::{End, Repair};
use crate::problem::{Counterexample, Oracle, OracleAnswer, RepairProblem};
use crate::site::{Set, SiteId};

/// Adds atomic writes until the program is fixed. Places of other kinds are not used.
pub fn greedy<J: Oracle>(subject: &RepairProblem, judge: &mut J) -> Result<Repair, J::Error> {
    let mut repair = Repair::new();
    let mut set = Set::new();
    loop {
        taut_budget::tick();
        repair.checks += 1;
        let found = match judge.judge(subject, &set)? {
            OracleAnswer::Holds => {
                repair.sets.push(set);
                repair.end = End::Done;
                return Ok(repair);
            }
            OracleAnswer::Unknown(why) => {
                repair.end = End::Unknown { set, fix: None, why };
                return Ok(repair);
            }
            OracleAnswer::Violated(found) => found,
        };
        let Some((counterexample, place)) = choose(subject, &set, found) else { return Ok(repair) };
        let clause = Clause { any_of: Set::from([place]), unless: Set::new() };
        repair.lessons.push(LearnedClause { set: set.clone(), counterexample, clause });
        set.insert(place);
    }
}

/// The first counterexample with the write to make atomic; none if nobody is inconsistent.
fn choose(
    subject: &RepairProblem,
    set: &Set,
    found: Vec<Counterexample>,
) -> Option<(Counterexample, SiteId)> {
    let counterexample = found.into_iter().next()?;
    let run = run_of(subject, set, &counterexample)?;
    let program = &counterexample.program;
    let accesses = |delay: &Delay| {
        let rows = run.rows[delay.from + 1..delay.to].iter();
        rows.filter(|row| touches(program, row, delay.process, delay.address)).count()
    };
    let mut best = None;
    for delay in delays(&run) {
        let step = (program.process(delay.process).def, delay.step);
        let is_this = |id: &SiteId| {
            let place = subject.place(*id);
            let is_of_var = place.vars.contains(&delay.address.var);
            place.kind == RepairKind::AtomicWrite && is_of_var && place.steps.contains(&step)
        };
        let place = (0..subject.places().len()).filter(|id| !set.contains(id)).find(is_this);
        let count = accesses(&delay);
        if let Some(place) = place
            && count > best.map_or(0, |(most, _)| most)
        {
            best = Some((count, place));
        }
    }
    best.map(|(_, place)| (counterexample, place))
}
