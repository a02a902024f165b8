//! Which delays matter: those without which the run is no violation.
//!
//! The replayer decides. A store is not late if its commit follows it at once; if the run with the commit moved
//! there is accepted with the same finding, its being late explains nothing. This is done for one store after
//! the other, each time in the run that the ones before have left. If no store has to be late, the steps alone
//! are a run of SC.

use taut_ir::{Action, Finding, Memory, MemoryModel, Program};
use taut_witness::{Lasso, Run, Trace, replay};

use super::delays::Delay;
use super::stores::Store;

/// The longest run for which every store is tried: the work grows with the square of the length.
const LONGEST: usize = 300;

/// Whether the steps of a run, without its commits, are a run of SC with the same finding.
pub(super) fn is_possible_under_sc(program: &Program, run: &Run, finding: Finding) -> bool {
    if !run.memory.model.is_relaxed() {
        return true;
    }
    let is_step = |action: &Action| !matches!(action, Action::Commit { .. });
    let actions: Vec<_> = run.actions().into_iter().filter(is_step).collect();
    let before = |cycle: usize| run.actions()[..cycle].iter().filter(|a| is_step(a)).count();
    let lasso = run.lasso.map(|lasso| Lasso { cycle: before(lasso.cycle), ..lasso });
    let memory = Memory { model: MemoryModel::Sc, ..run.memory };
    replay(program, &Trace { memory, finding, actions, lasso }).is_ok()
}

/// The delays of the stores that have to be late; all of them if that leaves none.
pub(super) fn keep_needed(
    program: &Program,
    run: &Run,
    finding: Finding,
    stores: &[Store],
    all: Vec<Delay>,
) -> Vec<Delay> {
    if run.rows.len() > LONGEST {
        return all;
    }
    let mut prompt = Prompt::new(program, run, finding);
    let late: Vec<&Store> = stores.iter().filter(|store| !prompt.hurry(store)).collect();
    let needed: Vec<Delay> =
        all.iter().filter(|delay| late.contains(&&delay.store)).cloned().collect();
    if needed.is_empty() { all } else { needed }
}

/// A run in which more and more stores reach memory at once.
struct Prompt<'a> {
    program: &'a Program,
    run: &'a Run,
    finding: Finding,
    /// The actions, each with the row that it has in the run, for a commit that was moved that of its store.
    actions: Vec<(usize, Action)>,
    cycle: Option<usize>,
}

impl<'a> Prompt<'a> {
    fn new(program: &'a Program, run: &'a Run, finding: Finding) -> Prompt<'a> {
        let actions = run.actions().into_iter().enumerate().collect();
        Prompt { program, run, finding, actions, cycle: run.cycle() }
    }

    /// Lets a store reach memory at once, if the run is then as bad as it was.
    fn hurry(&mut self, store: &Store) -> bool {
        let commits = store.committed(self.run);
        if store.left.is_some() && commits.is_none() {
            return false;
        }
        let Some(cycle) = self.cycle_after(store.row, commits) else { return false };
        let mut actions = self.actions.clone();
        if let Some(row) = commits {
            actions.retain(|&(r, a)| r != row || !matches!(a, Action::Commit { .. }));
        }
        let Some(last) = actions.iter().rposition(|&(row, _)| row == store.row) else {
            return false;
        };
        let (process, var, index) = (store.process, store.address.var, store.address.index);
        actions.insert(last + 1, (store.row, Action::Commit { process, var, index }));
        let lasso = self.run.lasso.zip(cycle).map(|(lasso, cycle)| Lasso { cycle, ..lasso });
        let alone = actions.iter().map(|&(_, action)| action).collect();
        let (memory, finding) = (self.run.memory, self.finding);
        let trace = Trace { memory, finding, actions: alone, lasso };
        let accepted = replay(self.program, &trace).is_ok();
        if accepted {
            (self.actions, self.cycle) = (actions, cycle);
        }
        accepted
    }

    /// Where the cycle begins if a commit is moved to its store; none if it would cross the beginning, or come
    /// anew into the cycle.
    fn cycle_after(&self, stored: usize, commits: Option<usize>) -> Option<Option<usize>> {
        let (Some(first), Some(cycle)) = (self.run.cycle(), self.cycle) else { return Some(None) };
        match commits {
            Some(row) => ((stored < first) == (row < first)).then_some(Some(cycle)),
            None => (stored < first).then_some(Some(cycle + 1)),
        }
    }
}
