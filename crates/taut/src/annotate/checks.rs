//! Remarks about checks: what is violated, and what is left open.

use taut_ir::Finding;
use taut_render::{RacingAccess, story, swap};

use super::{Annotations, Level, Remark, SourceLine, VerdictLine, trace_events};
use crate::load::Loaded;
use crate::outcome::Report;
use crate::verdict::{PropertyResult, Verdict, Witness};

impl Annotations {
    /// What checks of one program found.
    pub fn of_reports(loaded: &Loaded, reports: &[Report]) -> Annotations {
        let provenance = loaded.provenance(Vec::new());
        let mut all = Annotations { provenance, ..Annotations::default() };
        all.add_warnings(loaded, reports);
        for report in reports {
            all.remarks.extend(report.warned().and_then(|result| warned(loaded, report, result)));
            for result in &report.results {
                all.remarks.extend(remark(loaded, report, result));
                all.verdicts.push(VerdictLine {
                    file: loaded.name.clone(),
                    model: Some(report.memory.model.name()),
                    property: result.name.clone(),
                    verdict: result.verdict.word().into(),
                    coverage: result.verdict.coverage(),
                });
            }
        }
        all
    }
}

/// A remark about an answer that is a warning if it is violated.
fn warned(loaded: &Loaded, report: &Report, result: &PropertyResult) -> Option<Remark> {
    let remark = remark(loaded, report, result)?;
    let level = if remark.level == Level::Error { Level::Warning } else { remark.level };
    Some(Remark { level, ..remark })
}

fn remark(loaded: &Loaded, report: &Report, result: &PropertyResult) -> Option<Remark> {
    let model = report.memory.model.name();
    let under = format!("under {}", model.to_uppercase());
    let subject = format!("{}/{model}/{}", loaded.name, result.name);
    let coverage = result.verdict.coverage();
    let note = result.note.as_ref().map_or_else(String::new, |note| format!(" Note: {note}."));
    let declared = declaration(loaded, report, &result.name);
    match &result.verdict {
        Verdict::Holds(_) | Verdict::Covered(_) | Verdict::NotAsked => None,
        Verdict::Unknown(_) if !result.verdict.is_open() => None,
        Verdict::Unknown(_) => {
            let title = format!("{} is unknown {under}", result.name);
            Some(Remark {
                level: Level::Open,
                rule: result.kind.word(),
                message: format!("{title}: {coverage}.{note}"),
                title,
                place: declared.or_else(|| Some(SourceLine::top(&loaded.name))),
                related: Vec::new(),
                run: Vec::new(),
                subject,
                fix: None,
            })
        }
        Verdict::Never(_) => {
            let title = format!("{} is never reached {under}", result.name);
            Some(Remark {
                level: Level::Error,
                rule: result.kind.word(),
                message: format!(
                    "{title} ({coverage}). No run has what this `cover` asks for.{note}"
                ),
                title,
                place: declared.or_else(|| Some(SourceLine::top(&loaded.name))),
                related: Vec::new(),
                run: Vec::new(),
                subject,
                fix: None,
            })
        }
        Verdict::Violated(witness) => {
            let title = format!("{} is violated {under}", result.name);
            let told = story(witness.view(loaded), witness.trace.finding);
            let (place, related) = places(loaded, witness, declared);
            Some(Remark {
                level: Level::Error,
                rule: result.kind.word(),
                message: format!("{title} ({coverage}). {}{note}", told.text()),
                title,
                place: Some(place),
                related,
                run: trace_events(loaded, witness),
                subject,
                fix: None,
            })
        }
    }
}

/// Where a property stands in the program.
fn declaration(loaded: &Loaded, report: &Report, name: &str) -> Option<SourceLine> {
    let property = report.program.properties.iter().find(|p| p.name == name)?;
    SourceLine::of(&loaded.sources, property.span)
}

/// Where a violation is shown, and what else matters. What goes wrong in a step is shown there; what is asked of
/// states and runs, where it is asked: no single statement is to blame for it.
fn places(
    loaded: &Loaded,
    witness: &Witness,
    declared: Option<SourceLine>,
) -> (SourceLine, Vec<(SourceLine, String)>) {
    let last = last_step(loaded, witness);
    let is_in_step = match witness.trace.finding {
        Finding::Fault(_) | Finding::FullBuffer | Finding::Deadlock => true,
        Finding::NotRobust => return swapped(loaded, witness),
        Finding::Property(_) => witness.run.rows.last().is_some_and(|row| row.failure.is_some()),
    };
    let (first, second, words) = match is_in_step {
        true => (last, declared, "this is what is asked"),
        false => (declared, last, "the last step of the run"),
    };
    match (first, second) {
        (Some(first), Some(second)) if first != second => (first, vec![(second, words.into())]),
        (Some(place), _) | (None, Some(place)) => (place, Vec::new()),
        (None, None) => (SourceLine::top(&loaded.name), Vec::new()),
    }
}

/// The store that was delayed, and what it was delayed past.
fn swapped(loaded: &Loaded, witness: &Witness) -> (SourceLine, Vec<(SourceLine, String)>) {
    let found = swap(witness.view(loaded), witness.trace.finding);
    let of = |access: &RacingAccess| SourceLine::of(&loaded.sources, access.span);
    let store = found.as_ref().and_then(|found| of(&found.store));
    let past = found.as_ref().and_then(|found| Some((of(&found.past)?, found.past.words.clone())));
    (store.unwrap_or_else(|| SourceLine::top(&loaded.name)), past.into_iter().collect())
}

/// The last step of a run that stands in a file; of a rendezvous, the half that went wrong.
fn last_step(loaded: &Loaded, witness: &Witness) -> Option<SourceLine> {
    let view = witness.view(loaded);
    let rows = (0..view.len()).rev().map(|index| view.row(index));
    rows.flat_map(|row| row.parts().find(|part| part.failure().is_some()).or(Some(row.first())))
        .find_map(|part| SourceLine::of(&loaded.sources, part.span()))
}
