//! Vacuity: what a program contains that no execution ever uses.
//!
//! A `holds` is worth little if the assertion is never reached, if every process waits for ever at its first
//! `await`, or if the left side of `[] (a -> b)` is never true. This module lists such things. It is one list for
//! all languages, engines and formats; [`Vacuous`] is one entry of it.
//!
//! **Sources.** Statements, labels, conditions and processes are judged by [`Report::reached`], which says for
//! every step whether a process took it (`statements.rs`). Left sides of implications (`antecedents.rs`) and single
//! processes of a definition need more than that: a second search of states asks for them, within a fixed budget of
//! states (`probe.rs`). The same search gives `reached` where the check itself searched no states, or not the
//! program's own (the engine of rounds).
//!
//! **Soundness.** An entry says that something happens in *no* execution that the check covers. So it is made from
//! complete searches only: a search that ended at a violation or a limit, or whose store can miss states, gives no
//! list at all (`None`), which is not the empty list. Reductions do not change `reached`: every step that the full
//! search takes is taken in the reduced one (tested against it, for partial order, symmetry and simplification). Where a bound
//! on buffers, threads or calls was met, the list is one up to that bound, as the verdicts are. A second search that met
//! a bound although the check did not is dropped.

mod antecedents;
mod probe;
pub mod spin;
mod statements;

use std::collections::HashSet;

use taut_source::Span;

use crate::check::Check;
use crate::load::Loaded;
use crate::outcome::Report;
use crate::verdict::{Coverage, Verdict};

pub use crate::outcome::{Vacuity, VacuityKind, Vacuous};

/// What to do about vacuity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VacuityLevel {
    /// It is an error: a check that finds any ends like one that finds a violation.
    Error,
    /// It is listed.
    #[default]
    Note,
    /// It is not looked for.
    Off,
}

impl Report {
    /// The report with its vacuity ([`Report::vacuity`]), found for the check that gave the report.
    #[must_use]
    pub fn with_vacuity(self, check: &Check<'_>, loaded: &Loaded) -> Report {
        let vacuity = find(&self, check, loaded);
        Report { vacuity, ..self }
    }

    /// Whether anything is known to be vacuous.
    pub fn is_vacuous(&self) -> bool {
        self.vacuity.as_ref().is_some_and(|vacuity| !vacuity.list.is_empty())
    }
}

/// Everything that never happens, with the memory models under which it does not, in words, and what that covers.
/// What never happens under the same models stands together.
pub fn by_models(reports: &[Report]) -> Vec<(String, String, &Vacuous)> {
    let known =
        || reports.iter().filter_map(|r| Some((r.memory.model.name(), r.vacuity.as_ref()?)));
    let lists: Vec<HashSet<&Vacuous>> = known().map(|(_, v)| v.list.iter().collect()).collect();
    let mut all: Vec<(String, String, &Vacuous)> = Vec::new();
    let mut seen: HashSet<&Vacuous> = HashSet::new();
    for (_, vacuity) in known() {
        for vacuous in &vacuity.list {
            if !seen.insert(vacuous) {
                continue;
            }
            let with =
                || known().zip(&lists).filter(|(_, list)| list.contains(vacuous)).map(|(k, _)| k);
            let models: Vec<_> = with().map(|(model, _)| model).collect();
            let mut coverages: Vec<&str> = with().map(|(_, v)| v.coverage.as_str()).collect();
            coverages.dedup();
            all.push((models.join(", "), coverages.join("; "), vacuous));
        }
    }
    // The sort is stable: inside of a group the order stays.
    let mut order: Vec<(String, String)> = Vec::new();
    for (models, coverage, _) in &all {
        let key = (models.clone(), coverage.clone());
        if !order.contains(&key) {
            order.push(key);
        }
    }
    all.sort_by_key(|(m, c, _)| order.iter().position(|(a, b)| a == m && b == c));
    all
}

/// The vacuity of a check; none where it is not known.
fn find(report: &Report, check: &Check<'_>, loaded: &Loaded) -> Option<Vacuity> {
    let is_searched = has_all_steps(report);
    // The list is about what holds. After a violation, the violation is what the user wants to see.
    if report.is_unknown() || report.violations().next().is_some() {
        return None;
    }
    // Where nothing was asked, nothing is known of bounds, and the second search has to tell.
    let (covered, is_searched) = match coverage(report) {
        Some(covered) => (covered, is_searched),
        None if report.results.is_empty() => (Coverage::default(), false),
        None => return None,
    };
    let questions = probe::Questions::of(report);
    // A second search is one of states, which needs a fixed number of processes.
    let is_fixed = check.growing.program.replicated.is_empty();
    let probed =
        match !is_fixed || is_searched && questions.is_empty(&report.program, &report.reached) {
            true => None,
            false => probe::search(check, report, &questions, !is_searched)
                .filter(|probed| !probed.meets_bound || !covered.is_everything()),
        };
    let (program, taken) = match &probed {
        _ if is_searched => (&*report.program, &report.reached),
        Some(probed) if probed.is_complete => (&probed.program, &probed.reached),
        _ => return None,
    };
    let mut list = statements::vacuous(program, taken, loaded);
    // Of a definition that never moves, one entry is enough, and a monitor has none.
    let moves = |span: Span| {
        let mut defs = program.defs.iter().zip(taken).filter(|(def, _)| def.span == span);
        defs.any(|(_, taken)| taken.iter().any(|&taken| taken))
    };
    let more = probed.iter().flat_map(probe::Probed::unanswered);
    list.extend(more.filter(|v| v.kind != VacuityKind::Process || moves(v.span)).cloned());
    list.sort_by(|a, b| (a.kind, a.span, &a.text).cmp(&(b.kind, b.span, &b.text)));
    list.dedup();
    Some(Vacuity { list, coverage: covered.to_string() })
}

/// Whether a report says of every step of the program whether it is taken. The engine of rounds searches another
/// program, whose steps are no more than a part of those of this one.
fn has_all_steps(report: &Report) -> bool {
    report.complete && !report.reached.is_empty() && report.scope.is_none()
}

/// What the list covers: what the answers about states cover, else those about runs. Where some of them have a bound and
/// others have none, as two engines gave them, it is the bound: steps are those of the later, bounded search. None
/// without any that holds, or if states may have been missed. Fairness cuts no prefix of a run, so it does not matter here.
fn coverage(report: &Report) -> Option<Coverage> {
    let holds = |of_runs: bool| {
        let all = report.results.iter().filter(|result| result.stats.is_some() == of_runs);
        let all: Vec<Coverage> = all.filter_map(|result| covered(&result.verdict)).collect();
        all.iter().find(|coverage| !coverage.is_everything()).or(all.first()).cloned()
    };
    let found = holds(false).or_else(|| holds(true))?;
    let is_sure = found.lossy.is_none() && found.scope.is_none();
    is_sure.then_some(Coverage { fairness: None, ..found })
}

/// The coverage of what holds.
fn covered(verdict: &Verdict) -> Option<Coverage> {
    match verdict {
        Verdict::Holds(coverage) => Some(coverage.clone()),
        _ => None,
    }
}

/// The start of a text on one line.
pub fn one_line(text: &str) -> String {
    const MOST: usize = 60;
    let words: Vec<_> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
