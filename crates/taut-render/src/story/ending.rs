//! How a story ends: what is violated, who waits for what, and what is repeated for ever.

use std::collections::BTreeSet;

use taut_ir::{Expr, Finding, PropId, Property, PropertyKind};

use super::{Sentence, SentenceKind, Teller, enumeration};
use crate::atoms::{atoms, is_question};
use crate::explain::{explain, word};
use crate::pool::shown;
use crate::race::{Race, race};
use crate::swap::swap;

/// How many waiting processes are told.
const MOST_WAITING: usize = 4;
/// How much of the text of a step is told.
const LONGEST_STEP: usize = 60;

impl Teller<'_> {
    /// What the run comes to.
    pub(super) fn ending(&self) -> Vec<Sentence> {
        match self.finding {
            Finding::Property(id) => self.property(id),
            Finding::Deadlock => self.deadlock(),
            Finding::Fault(fault) => {
                // The explanation knows the words of the source.
                let headline = explain(self.view, self.finding).headline;
                let words = headline.strip_prefix("fault: ").unwrap_or(fault.describe());
                vec![self.failed(&format!("goes wrong: {words}"))]
            }
            Finding::FullBuffer => vec![self.failed("meets a full buffer")],
            Finding::NotRobust => self.not_robust(),
        }
    }

    fn details(&self) -> Vec<String> {
        explain(self.view, self.finding).details
    }

    fn end(&self, text: String) -> Sentence {
        self.sentence(SentenceKind::End, text, self.run.rows.len().checked_sub(1))
    }

    fn property(&self, id: PropId) -> Vec<Sentence> {
        let property = self.program.property(id);
        if let Some(race) = race(self.view) {
            return self.race(&race);
        }
        match &property.kind {
            PropertyKind::Assert => vec![self.failed("fails")],
            PropertyKind::Forbid(expr)
            | PropertyKind::Cover(expr)
            | PropertyKind::Invariant(expr) => {
                let truths = self.truths(expr);
                let so = if truths.is_empty() { "So".into() } else { format!("So {truths}:") };
                let word = if property.kind.is_cover() { "covered" } else { "violated" };
                vec![self.end(format!("{so} `{}` is {word}.", property.name))]
            }
            PropertyKind::Ltl(_) | PropertyKind::Never(_) => self.of_runs(property),
        }
    }

    /// Which accesses are not ordered, and what that means.
    fn race(&self, race: &Race) -> Vec<Sentence> {
        let Race { first, second } = race;
        let rows = [first.row, second.row];
        let text = format!("{race}: this is a data race.");
        let why = format!(
            "Nothing that {} did after its access and {} before its own makes the second come after the first, so a compiler \
             may move either.",
            first.process, second.process
        );
        vec![
            self.sentence(SentenceKind::End, text, rows),
            self.sentence(SentenceKind::Remark, why, []),
        ]
    }

    /// "p and q are both at cs and x = 1", for what an expression looks at.
    fn truths(&self, expr: &Expr) -> String {
        let (machine, state) = (self.view.machine(), self.run.last());
        let mut at: Vec<(String, String)> = Vec::new();
        let mut drained: Vec<String> = Vec::new();
        let mut others: Vec<String> = Vec::new();
        for atom in atoms(expr) {
            let Ok(value) = machine.value(state, atom) else { continue };
            match atom {
                Expr::At(process, _) => {
                    at.push((self.name(*process).into(), self.whereabouts(atom, value != 0)));
                }
                Expr::Drained(process) if value != 0 => drained.push(self.name(*process).into()),
                _ => others.extend(self.truth(atom, value)),
            }
        }
        let mut said = at_places(&at);
        if !drained.is_empty() {
            said.push(format!("nothing is left in the buffers of {}", enumeration(&drained)));
        }
        said.extend(others);
        enumeration(&said)
    }

    fn truth(&self, atom: &Expr, value: i64) -> Option<String> {
        let shown = shown(self.program, None, atom)?;
        Some(match is_question(atom) {
            true => format!("{shown} is {}", value != 0),
            false => format!("{shown} = {}", word(self.view.names(), None, atom, value)),
        })
    }

    /// "at cs", "not at cs", or for program points without a name "at the end".
    fn whereabouts(&self, atom: &Expr, is_there: bool) -> String {
        let shown = self.program.show_expr(None, atom).to_string();
        let label = shown.rsplit_once('@').map_or(shown.as_str(), |(_, label)| label);
        let is_final = match atom {
            Expr::At(process, points) => {
                let def = self.program.def_of(*process);
                points.iter().all(|&point| def.is_final(point))
            }
            _ => false,
        };
        let label = if label.starts_with('{') && is_final { "the end" } else { label };
        if is_there { format!("at {label}") } else { format!("not at {label}") }
    }

    /// The step that went wrong: "So q's `assert(r == 1)` (line 9) fails, with r = 0."
    fn failed(&self, how: &str) -> Sentence {
        let Some(row) = self.run.rows.last() else {
            return self.end(format!("Then a step {how}."));
        };
        let index = self.run.rows.len() - 1;
        let process = row.failure.as_ref().map_or(row.action.process(), |f| f.process);
        let step = self.step_of(index, process);
        let shown = step.map(|step| shortened(&self.view.names().step(process, step)));
        let details = self.details();
        let here = details.iter().find_map(|detail| detail.strip_prefix("here: "));
        let here = here.map_or(String::new(), |values| format!(", with {values}"));
        let more = details.iter().skip(1).find(|d| !d.starts_with("here: "));
        let more = more.map_or(String::new(), |detail| format!(": {detail}"));
        let name = self.finding.name(self.program);
        let shown = shown.unwrap_or_default();
        let violated = match self.finding {
            Finding::Property(_) if !shown.contains(&name) => format!(": `{name}` is violated"),
            _ => String::new(),
        };
        let (who, at) = (self.name(process), self.at(index, process));
        self.end(format!("So {who}'s `{shown}`{at} {how}{more}{here}{violated}."))
    }

    /// The accesses that changed places, and why that shows.
    fn not_robust(&self) -> Vec<Sentence> {
        let Some(found) = swap(self.view, self.finding) else {
            return vec![self.end("So the program is not robust.".into())];
        };
        let rows = [found.store.row, found.past.row];
        let text = format!("So {found}: no sequentially consistent run is like this one.");
        let circle = format!("Happens-before has a circle: {}.", found.circle.join("; "));
        vec![
            self.sentence(SentenceKind::End, text, rows),
            self.sentence(SentenceKind::Remark, circle, []),
        ]
    }

    fn deadlock(&self) -> Vec<Sentence> {
        let text = "Now nothing can happen any more: this is a deadlock.".to_string();
        let mut sentences = vec![self.end(text)];
        sentences.extend(self.waiting(&self.details()));
        sentences
    }

    /// What is said about each process that waits.
    fn waiting(&self, details: &[String]) -> Vec<Sentence> {
        let mut sentences: Vec<_> =
            details.iter().take(MOST_WAITING).map(|d| self.end(format!("{d}."))).collect();
        let more = details.len().saturating_sub(MOST_WAITING);
        if more > 0 {
            sentences.push(self.end(format!("There are {more} more things that others wait for.")));
        }
        sentences
    }

    fn of_runs(&self, property: &Property) -> Vec<Sentence> {
        let details = self.details();
        let (asked, more) = details.split_first().map_or(("", &[][..]), |(a, m)| (a.as_str(), m));
        let mut sentences = match self.run.cycle() {
            Some(cycle) if cycle < self.run.rows.len() => self.cycle(cycle, more),
            _ => {
                let said = more.iter().filter(|detail| !detail.starts_with("at the end: "));
                self.waiting(&said.map(|d| capitalised(d)).collect::<Vec<_>>())
            }
        };
        let steady = more.iter().find_map(|detail| {
            let (place, truths) = detail.split_once(": ")?;
            let is_steady = ["in the cycle", "at the end"].contains(&place);
            is_steady.then(|| format!(" {place} {truths}:"))
        });
        let steady = steady.unwrap_or_default();
        let formula = match asked.strip_prefix("formula: ") {
            Some(formula) => format!("`{}`, which asks {formula},", property.name),
            None => format!("`{}`", property.name),
        };
        sentences.push(self.end(format!("So{steady} {formula} is violated.")));
        sentences
    }

    /// Who does what for ever, and who does not move.
    fn cycle(&self, cycle: usize, details: &[String]) -> Vec<Sentence> {
        let rows = cycle..self.run.rows.len();
        let mut said: Vec<String> = Vec::new();
        let mut idle: Vec<String> = Vec::new();
        for process in self.program.process_ids() {
            let steps: Vec<_> =
                rows.clone().filter(|&row| self.step_of(row, process).is_some()).collect();
            let lines: BTreeSet<u32> =
                steps.iter().filter_map(|&row| self.line(row, process)).collect();
            let name = self.name(process);
            match (steps.len(), lines.len()) {
                (0, _) if self.run.last().process(process).started => idle.push(name.into()),
                (0, _) => {}
                (n, 0) => said.push(format!("{name} takes {n} steps")),
                (_, 1) => said.push(format!("{name} is at line {}", listed(&lines))),
                _ => said.push(format!("{name} goes through lines {}", listed(&lines))),
            }
        }
        let what =
            if said.is_empty() { "only stores reach memory".into() } else { said.join(", ") };
        let from = cycle + 1;
        let mut text = format!("From row {from} on the same is repeated for ever: {what}");
        if !idle.is_empty() {
            let verb = if idle.len() == 1 { "does" } else { "do" };
            text.push_str(&format!("; {} {verb} not move", enumeration(&idle)));
        }
        let mut sentences = vec![self.sentence(SentenceKind::Cycle, text + ".", rows)];
        if let Some(fair) = details.iter().find_map(|d| d.strip_prefix("fairness: ")) {
            let text = format!("Such a run counts with fairness {fair}.");
            sentences.push(self.sentence(SentenceKind::Remark, text, []));
        }
        sentences
    }
}

/// "p is at cs", or "p and q are both at cs".
fn at_places(all: &[(String, String)]) -> Vec<String> {
    let together = all.first().filter(|(_, place)| {
        all.len() > 1 && !place.starts_with("not") && all.iter().all(|(_, other)| other == place)
    });
    match together {
        Some((_, place)) => {
            let names: Vec<_> = all.iter().map(|(who, _)| who.clone()).collect();
            let all_of_them = if names.len() == 2 { "both" } else { "all" };
            vec![format!("{} are {all_of_them} {place}", enumeration(&names))]
        }
        None => all.iter().map(|(who, place)| format!("{who} is {place}")).collect(),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // Names of processes stay as they are: only what begins with a word of ours is changed.
        Some(first) if text.starts_with("the ") || text.starts_with("after ") => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.into(),
    }
}

/// "3, 4 and 7".
fn listed(lines: &BTreeSet<u32>) -> String {
    enumeration(&lines.iter().map(u32::to_string).collect::<Vec<_>>())
}

/// The text of a step, cut where it is long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_STEP) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
