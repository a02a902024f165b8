//! Jobs that check: under one memory model, or under all of them to compare.

use std::time::Duration;

use taut::report::{Compared, document};
use taut::{EngineFault, Loaded, MemoryModel, Report};
use taut_serve::Job;

use super::super::check::beside;
use super::super::report::{COMPARISON, others};
use super::budget::{Checks, model};
use super::event::{Event, warnings};
use super::telling::Telling;

/// Less time than this is not worth a comparison.
const LEAST: Duration = Duration::from_millis(50);

/// Checks a program under one memory model; the others are looked at beside it, in what is left of the time.
pub fn one(job: &Job, threads: usize, loaded: &Loaded, telling: &Telling) -> Event {
    let checked = model(job).and_then(|model| {
        let checks = Checks::new(job, threads, &[model], loaded, telling)?;
        let check = checks.check(&format!("checking {model}"), model, telling.left());
        let report = check.run().map_err(|fault| Event::fault(&fault))?;
        let report = report.with_vacuity(&check, loaded);
        let check = checks.check("looking for data races", model, telling.left());
        let reports = [report.with_races(&check, loaded).map_err(|fault| Event::fault(&fault))?];
        let (compared, limit) =
            compared(&checks, &reports, telling).map_err(|fault| Event::fault(&fault))?;
        let compared = Compared { reports: &compared, limit };
        let document = Box::new(document(loaded, &reports, compared));
        Ok(Event::Report { document, warnings: warnings(loaded, &[model], &reports) })
    });
    checked.unwrap_or_else(|refusal| refusal)
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
    let search = &checks.options().search;
    let run = |model: MemoryModel| {
        beside(checks.check(&format!("comparing {model}"), model, limit), search).run()
    };
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
pub fn compare(job: &Job, threads: usize, loaded: &Loaded, telling: &Telling) -> Event {
    let models = MemoryModel::ALL;
    let compared = Checks::new(job, threads, &models, loaded, telling).and_then(|checks| {
        let mut reports = Vec::new();
        for (done, model) in models.into_iter().enumerate() {
            let share = whole(telling.left() / (models.len() - done) as u32);
            let check = checks.check(&format!("comparing {model}"), model, share).all(true);
            reports.push(check.run().map_err(|fault| Event::fault(&fault))?);
        }
        if let Some(first) = reports.first_mut() {
            let check = checks.check("looking for data races", first.memory.model, telling.left());
            let raced = first.clone().with_races(&check.all(true), loaded);
            *first = raced.map_err(|fault| Event::fault(&fault))?;
        }
        let document = Box::new(document(loaded, &reports, Compared::default()));
        Ok(Event::Report { document, warnings: warnings(loaded, &models, &reports) })
    });
    compared.unwrap_or_else(|refusal| refusal)
}
