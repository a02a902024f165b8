//! Jobs that fix a program.

use std::time::Duration;

use taut::budget::Seconds;
use taut::formats::text::{kinds, races};
use taut::repair::{
    Outcome, Repair, RepairError, RepairReport, Repaired as Fixed, ShownPlace, unified,
};
use taut::report::{Compared, document};
use taut::verdict::steps;
use taut::{Loaded, MemoryModel, Report};
use taut_html::Document;
use taut_page::Job;

use crate::checks::{Checks, model};
use crate::event::{Event, Place, RepairOutcome, warnings};
use crate::telling::Telling;

/// Fixes a program.
pub(crate) fn repair(
    job: &Job,
    threads: usize,
    loaded: &Loaded,
    telling: &Telling,
) -> Result<Event, Event> {
    let model = model(job)?;
    let checks = Checks::new(job, threads, &[model], loaded, telling)?;
    let check = checks.check("repairing", model, telling.left());
    let report = Repair::new(loaded).run(&check).map_err(|error| failed(&error))?;
    let time = Duration::try_from_secs_f64(job.seconds).unwrap_or_default();
    let met = telling.left().is_zero().then_some(time);
    Ok(Event::Repaired(Box::new(told(loaded, model, &report, met))))
}

fn failed(error: &RepairError) -> Event {
    match error {
        RepairError::Refused(why) => Event::refused(why),
        RepairError::Engine(fault) => Event::fault(fault),
        RepairError::Source(_) | RepairError::NotProven(_) => Event::internal(&error.to_string()),
    }
}

/// What is told of a repair; `met` is the limit on its time, if that was met.
fn told(
    loaded: &Loaded,
    model: MemoryModel,
    report: &RepairReport,
    met: Option<Duration>,
) -> RepairOutcome {
    let name = model.name().to_uppercase();
    let plain = |outcome, summary, document| RepairOutcome {
        outcome,
        summary,
        places: Vec::new(),
        cost: None,
        diff: String::new(),
        text: None,
        list: None,
        document,
        warnings: warnings(loaded, &[model], &[]),
    };
    match &report.outcome {
        Outcome::Repaired(fixed) | Outcome::Weakened(fixed) => of_fixed(&name, fixed, plain),
        Outcome::Right(proofs) => {
            let summary = format!("Nothing has to be fixed: everything asked holds under {name}.");
            plain("right", summary, Some(document(loaded, proofs, Compared::default())))
        }
        Outcome::WrongUnderSc(check) | Outcome::Wrong(check) => {
            let summary = "The program is violated under SC already: no fence helps.";
            let summary = format!("{summary}{}", raced(report));
            plain("wrong-under-sc", summary, Some(page(loaded, check)))
        }
        Outcome::Unrepairable(last) => {
            let places = report.candidates;
            let summary = format!("No change at any of its {places} places fixes it under {name}.");
            let document = last.as_deref().map(|last| page(&last.loaded, &last.report));
            plain("impossible", summary + &raced(report) + &unpatchable(report), document)
        }
        Outcome::Unknown(why) => {
            let why = met.map_or_else(
                || why.clone(),
                |time| format!("the limit of {} was met", Seconds(time)),
            );
            plain("unknown", format!("There is no answer under {name}: {why}."), None)
        }
    }
}

fn of_fixed(
    model: &str,
    fixed: &Fixed,
    plain: impl FnOnce(&'static str, String, Option<Document>) -> RepairOutcome,
) -> RepairOutcome {
    let Some(set) = fixed.sets.first() else {
        return plain("fixed", String::new(), None);
    };
    let verb = if set.places.len() == 1 { "fixes" } else { "fix" };
    let cost = set.cost;
    let summary = format!(
        "{} {verb} it under {model}, at a cost of {cost}; nothing cheaper does. The program as fixed was checked \
         again, and everything asked holds.",
        kinds(set)
    );
    let changed = Some(fixed.text.clone());
    let has_list = fixed.loaded.model.repair_list().is_some();
    let (text, list) = if has_list { (None, changed) } else { (changed, None) };
    RepairOutcome {
        places: set.places.iter().map(place).collect(),
        cost: Some(cost),
        diff: unified(&fixed.file, &fixed.original, &fixed.text),
        text,
        list,
        ..plain("fixed", summary, Some(document(&fixed.loaded, &fixed.proofs, Compared::default())))
    }
}

fn place(place: &ShownPlace) -> Place {
    let why = place.need.as_ref().map_or_else(String::new, |need| {
        format!("breaks a run of {} to {}: {}", steps(need.steps), need.property, need.words)
    });
    Place {
        line: place.line,
        kind: place.kind.word(),
        r#where: place.words.clone(),
        processes: place.processes.clone(),
        why,
    }
}

fn unpatchable(report: &RepairReport) -> String {
    let places = report.unpatchable.iter();
    places.map(|(_, line, why)| format!(" Nothing can be put at line {line}: {why}.")).collect()
}

/// The loads and stores that have to be one step, in sentences.
fn raced(report: &RepairReport) -> String {
    races(&report.races).lines().map(|line| format!(" {}.", capital(line.trim()))).collect()
}

fn capital(line: &str) -> String {
    let mut chars = line.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn page(loaded: &Loaded, report: &Report) -> Document {
    document(loaded, std::slice::from_ref(report), Compared::default())
}
