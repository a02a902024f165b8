//! A job of the page: checks, comparisons and repairs within limits, told as events.
//!
//! [`run`] does a job and returns its last event. On the way it tells, through [`Telling`], how far it has come and
//! what is known already ([`Event::Partial`]), so that a job that is cancelled leaves its verdicts.
//! The job's text is all that is read: a program that asks for another file is refused.
//!
//! | file | idea |
//! | --- | --- |
//! | `offer.rs` | what the page offers |
//! | `checks.rs` | the check that the command line would make of the same options |
//! | `check.rs`, `repair.rs` | the tasks |
//! | `event.rs` | the events |
//! | `telling.rs` | how far a job has come, and the end of its time |

mod check;
mod checks;
mod event;
mod offer;
mod repair;
mod telling;

use std::time::Duration;

use taut::Language;
use taut::budget::{Level, Meter};
use taut::load::{FileAccess, LoadOptions, from_bytes};
use taut::{ExtraProperty, Loaded};
pub use taut_page::Job;

pub use event::{Event, Place, Progressed, RepairOutcome, Said};
pub use offer::setup;
pub use telling::{Say, Telling};

/// Begins a job: what it is at, and its budget.
pub fn begin(job: &Job, meter: Option<Meter>, say: Say) -> Telling {
    let time = Duration::try_from_secs_f64(job.seconds).unwrap_or_default();
    Telling::start(time, memory(job), meter, say)
}

/// Does a job; the last event.
pub fn run(job: &Job, threads: usize, telling: &Telling) -> Event {
    let budget = telling.budget().within(Some(telling.left()));
    let loaded = match budget.run(Level::Work, || load(job)) {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(refusal)) => return refusal,
        Err(met) => return Event::spent(&met),
    };
    let done = match job.task.as_str() {
        "check" => check::one(job, threads, &loaded, telling),
        "compare" => check::compare(job, threads, &loaded, telling),
        "repair" => repair::repair(job, threads, &loaded, telling),
        task => Err(Event::refused(&format!("there is no task `{task}`"))),
    };
    done.unwrap_or_else(|refusal| refusal)
}

/// Bytes for the work of a job. A quarter of its memory is left for telling what came of it.
fn memory(job: &Job) -> u64 {
    job.memory_mib.saturating_mul(1 << 20) / 4 * 3
}

/// Reads the program; nothing but the text, whatever that asks for.
fn load(job: &Job) -> Result<Loaded, Event> {
    let language = Language::named(&job.language);
    let asked = job.formula().map(|text| ExtraProperty::Ltl(text.into())).into_iter().collect();
    let access = FileAccess::Denied;
    let mut options = LoadOptions { language, access, asked, ..LoadOptions::default() };
    for name in job.ghosts() {
        let option = language.and_then(offer::ghost_option);
        let option =
            option.ok_or_else(|| Event::refused("this language declares its observers"))?;
        options.values.set(&option, name).map_err(|why| Event::refused(&why))?;
    }
    let bytes = job.text.clone().into_bytes();
    let loaded =
        from_bytes(&job.name, bytes, options).map_err(|error| Event::unreadable(&error))?;
    match job.properties().iter().find_map(|name| loaded.unknown_question(name)) {
        Some(words) => Err(Event::refused(&words)),
        None => Ok(loaded),
    }
}
