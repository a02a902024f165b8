//! Jobs that check: under one memory model, or under all of them to compare.

use std::time::Duration;

use taut::report::{COMPARISON, Compared, document, others};
use taut::{Check, EngineFault, Loaded, MemoryModel, Report};
use taut_page::Job;

use crate::checks::{Checks, model};
use crate::event::{Event, warnings};
use crate::telling::Telling;

/// Less time than this is not worth a comparison.
const LEAST: Duration = Duration::from_millis(50);

/// Checks a program under one memory model; the others are looked at beside it, in what is left of the time.
pub(crate) fn one(
    job: &Job,
    threads: usize,
    loaded: &Loaded,
    telling: &Telling,
) -> Result<Event, Event> {
    let model = model(job)?;
    let checks = Checks::new(job, threads, &[model], loaded, telling)?;
    let check = checks.check(&format!("checking {model}"), model, telling.left());
    let report = observed(check.clone(), &[], loaded, telling).run().map_err(fault)?;
    let report = report.with_vacuity(&check, loaded);
    partial(loaded, std::slice::from_ref(&report), telling);
    let check = checks.check("looking for data races", model, telling.left());
    let reports = [report.with_races(&check, loaded).map_err(fault)?];
    if loaded.asks_races() {
        partial(loaded, &reports, telling);
    }
    let (compared, limit) = compared(&checks, &reports, telling).map_err(fault)?;
    let compared = Compared { reports: &compared, limit };
    let document = Box::new(document(loaded, &reports, compared));
    Ok(Event::Report { document, warnings: warnings(loaded, &[model], &reports) })
}

fn fault(fault: EngineFault) -> Event {
    Event::fault(&fault)
}

/// A check that tells of each violation as soon as it is known, beside the reports that are there already.
fn observed<'l>(
    check: Check<'l>,
    before: &'l [Report],
    loaded: &'l Loaded,
    telling: &'l Telling,
) -> Check<'l> {
    let known = check.clone();
    check.observe(move |_, result| {
        let mut reports = before.to_vec();
        reports.push(known.known(result));
        partial(loaded, &reports, telling);
    })
}

/// Tells what is known, for the case that the rest is not waited for.
fn partial(loaded: &Loaded, reports: &[Report], telling: &Telling) {
    let document = Box::new(document(loaded, reports, Compared::default()));
    let models: Vec<_> = reports.iter().map(|report| report.memory.model).collect();
    telling.say(&Event::Partial { document, warnings: warnings(loaded, &models, reports) });
}

/// The memory models that were not asked for, and how long each was looked at at most.
fn compared(
    checks: &Checks<'_>,
    reports: &[Report],
    telling: &Telling,
) -> Result<(Vec<Report>, Duration), EngineFault> {
    let count = others(reports).count().max(1) as u32;
    let limit = whole(telling.left() / count).min(COMPARISON);
    if limit < LEAST {
        return Ok((Vec::new(), limit));
    }
    let run = |model: MemoryModel| checks.beside(&format!("comparing {model}"), model, limit).run();
    let compared = others(reports).map(run).collect::<Result<Vec<_>, _>>()?;
    Ok((compared, limit))
}

/// A time that reads well, where a search says that it met it.
fn whole(time: Duration) -> Duration {
    let grain = if time > Duration::from_secs(1) { 100 } else { 10 };
    let millis = time.as_millis() as u64;
    Duration::from_millis(millis - millis % grain)
}

/// Checks everything under SC, TSO and PSO, each with its share of the time.
pub(crate) fn compare(
    job: &Job,
    threads: usize,
    loaded: &Loaded,
    telling: &Telling,
) -> Result<Event, Event> {
    let models = loaded.usual_models();
    let checks = Checks::new(job, threads, models, loaded, telling)?;
    let mut reports = Vec::new();
    for (done, &model) in models.iter().enumerate() {
        let share = whole(telling.left() / (models.len() - done) as u32);
        let check = checks.check(&format!("comparing {model}"), model, share).all(true);
        let report = observed(check, &reports, loaded, telling).run().map_err(fault)?;
        reports.push(report);
        partial(loaded, &reports, telling);
    }
    if let Some(first) = reports.first_mut() {
        let check = checks.check("looking for data races", first.memory.model, telling.left());
        let raced = first.clone().with_races(&check.all(true), loaded);
        *first = raced.map_err(fault)?;
    }
    let document = Box::new(document(loaded, &reports, Compared::default()));
    Ok(Event::Report { document, warnings: warnings(loaded, models, &reports) })
}
