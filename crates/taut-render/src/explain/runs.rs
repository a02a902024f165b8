//! The violation of a property of runs in words: what is asked, how the run goes on for ever, who moves in
//! its cycle, and what is never or always true there.

use taut_ir::{Action, MemoryFairness, ProcId, Property, PropertyKind};
use taut_witness::Lasso;

use super::Teller;

impl Teller<'_> {
    /// What to say about a run that violates a property of runs.
    pub(super) fn violation(&self, property: &Property) -> Vec<String> {
        let mut details = vec![self.asked(property)];
        match self.run.lasso {
            None => details.push(self.beyond_fixing(property)),
            Some(lasso) if lasso.cycle >= self.run.rows.len() => details.extend(self.end()),
            Some(lasso) => details.extend(self.cycle(lasso)),
        }
        details
    }

    fn texts(&self) -> &[String] {
        self.run.atoms.as_ref().map_or(&[], |atoms| &atoms.texts)
    }

    fn asked(&self, property: &Property) -> String {
        match &property.kind {
            PropertyKind::Ltl(ltl) => format!("formula: {}", ltl.formula.display(self.texts())),
            _ => "forbidden: the runs that its automaton accepts".into(),
        }
    }

    fn beyond_fixing(&self, property: &Property) -> String {
        let place = self.after(self.run.rows.len());
        match property.kind {
            PropertyKind::Never(_) => format!("{place} the automaton accepts whatever comes"),
            _ => format!("{place} the formula cannot hold, whatever comes"),
        }
    }

    /// "after row 4", or "at the start".
    fn after(&self, rows: usize) -> String {
        if rows == 0 { "at the start".into() } else { format!("after row {rows}") }
    }

    fn end(&self) -> Vec<String> {
        let rows = self.run.rows.len();
        let mut details =
            vec![format!("the run ends {}: nothing can happen any more", self.after(rows))];
        let state = self.run.last();
        let stuck = self.program.process_ids();
        let stuck = stuck.filter(|&p| !self.machine().may_stop(state, p));
        details.extend(stuck.flat_map(|p| self.waits(state, p)));
        details.extend(self.steady(rows, "at the end", "true", "false"));
        details
    }

    fn cycle(&self, lasso: Lasso) -> Vec<String> {
        let (first, last) = (lasso.cycle + 1, self.run.rows.len());
        let rows = match last - lasso.cycle {
            1 => format!("row {first} is"),
            _ => format!("rows {first} to {last} are"),
        };
        let mut details = vec![
            format!("cycle: {rows} repeated for ever; {}", self.movers(lasso.cycle)),
            format!("fairness: {} ({})", lasso.fairness, fairness_words(lasso)),
        ];
        details.extend(self.steady(lasso.cycle, "in the cycle", "always true", "never true"));
        details
    }

    /// Who moves in the cycle, who does not, and whose stores commit.
    fn movers(&self, cycle: usize) -> String {
        let actions = || self.run.rows[cycle..].iter().map(|row| row.action);
        let rows = || cycle..self.view.len();
        let moves = |p: ProcId| rows().any(|row| self.view.step_of(row, p).is_some());
        let commits = |p: ProcId| {
            actions().any(|a| matches!(a, Action::Commit { process, .. } if process == p))
        };
        let lives = |p: ProcId| self.run.last().process(p).started;
        let all = || self.program.process_ids();
        let list = |these: Vec<ProcId>, one: &str, several: &str, end: &str| {
            let names: Vec<_> =
                these.iter().map(|&p| self.program.process(p).name.as_str()).collect();
            let verb = if names.len() == 1 { one } else { several };
            (!names.is_empty()).then(|| format!("{}{verb}{end}", enumeration(&names)))
        };
        let commit = list(all().filter(|&p| commits(p)).collect(), "", "", " commit");
        let said = [
            list(all().filter(|&p| moves(p)).collect(), " moves", " move", ""),
            list(all().filter(|&p| lives(p) && !moves(p)).collect(), " does", " do", " not move"),
            commit.map(|whose| format!("stores of {whose}")),
        ];
        said.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// The atoms whose truth does not change from a row on.
    fn steady(&self, from: usize, place: &str, yes: &str, no: &str) -> Option<String> {
        let atoms = self.run.atoms.as_ref()?;
        let seen: Vec<_> = atoms.at.iter().skip(from).flatten().collect();
        let of = |i: usize| {
            let truth = seen.first()?.get(i)?;
            let same = seen.iter().all(|truths| truths.get(i) == Some(truth));
            same.then(|| format!("{} is {}", atoms.texts[i], if *truth { yes } else { no }))
        };
        let said: Vec<_> = (0..atoms.texts.len()).filter_map(of).collect();
        (!said.is_empty()).then(|| format!("{place}: {}", said.join(", ")))
    }
}

/// "p", "p and q", "p, q and r".
fn enumeration(names: &[&str]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// What a fairness promises.
fn fairness_words(lasso: Lasso) -> String {
    let process = lasso.fairness.process.then_some("no process could always move and never does");
    let memory = match lasso.fairness.memory {
        MemoryFairness::None => None,
        MemoryFairness::Buffers => Some("no store waits for ever"),
        MemoryFairness::Process => Some("as long as stores wait, some commit"),
    };
    let said: Vec<_> = process.into_iter().chain(memory).collect();
    if said.is_empty() { "every run counts".into() } else { said.join(", ") }
}
