//! A job in a worker: its clock, its progress, and what happens to panics.
//!
//! There is one thread. So the look at the clock, which every search takes every few states, also tells how far the job
//! has come: [`time`] is the clock of the engine, and a pulse of the job every [`BETWEEN`].

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use taut::budget;
use taut_job::{Event, Job, Telling};

use crate::host::{clock, tell};

/// Time between two events that tell how far a job has come.
const BETWEEN: Duration = Duration::from_millis(200);

thread_local! {
    /// What is told of the job that runs.
    static TELLING: RefCell<Option<Telling>> = const { RefCell::new(None) };
    static TOLD: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    /// The words of the last panic.
    static PANICKED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does a job.
pub(crate) fn run(bytes: &[u8]) {
    budget::set_clock(time);
    budget::on_abort(|met| say(&Event::spent(&met)));
    std::panic::set_hook(Box::new(|panic| panicked(&panic.to_string())));
    let event = match serde_json::from_slice::<Job>(bytes) {
        Ok(job) => done(&job),
        Err(error) => Event::refused(&format!("a job is an object of JSON: {error}")),
    };
    say(&event);
}

/// Keeps the words of a panic. If nothing will catch it, they are the last ones.
fn panicked(words: &str) {
    PANICKED.set(words.into());
    if cfg!(panic = "abort") {
        say(&Event::internal(words));
    }
}

fn done(job: &Job) -> Event {
    let telling = taut_job::begin(job, budget::Meter::new(), Arc::new(say));
    TOLD.set(clock());
    TELLING.set(Some(telling.clone()));
    let event = catch_unwind(AssertUnwindSafe(|| taut_job::run(job, 1, &telling)));
    TELLING.set(None);
    event.unwrap_or_else(|_| Event::internal(&PANICKED.take()))
}

fn say(event: &Event) {
    // Strings and numbers: nothing that cannot be written.
    tell(&serde_json::to_string(event).unwrap_or_default());
}

/// The clock of the engine, which tells how far the job is when it is time for that.
fn time() -> Duration {
    let now = clock();
    if now.saturating_sub(TOLD.get()) >= BETWEEN {
        // First, so that a look at the clock within the pulse is no pulse.
        TOLD.set(now);
        // A pulse cannot begin while the cell is borrowed for one: it looks at the clock only after the line above.
        if let Some(telling) = TELLING.with_borrow(Option::clone) {
            telling.pulse();
        }
    }
    now
}
