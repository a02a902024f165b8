//! How far a job has come, and the end of its time.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;

use taut::budget::{Budget, Instant, Meter};
use taut::{Check, Progress};

use crate::event::{Event, Progressed};

/// A way to say an event: a line on standard output, a message of a worker.
pub type Say = Arc<dyn Fn(&Event) + Send + Sync>;

/// What a job is at, for who watches it.
#[derive(Clone)]
pub struct Telling {
    stage: Arc<Mutex<Stage>>,
    say: Say,
    budget: Budget,
    started: Instant,
    /// How long the job may take.
    time: Duration,
}

/// A part of a job, and how far its search is.
struct Stage {
    name: String,
    progress: Progress,
}

impl Telling {
    /// Begins to tell.
    pub fn start(time: Duration, memory: u64, meter: Option<Meter>, say: Say) -> Telling {
        let stage = Stage { name: "reading".into(), progress: Progress::default() };
        Telling {
            stage: Arc::new(Mutex::new(stage)),
            say,
            budget: Budget::new().memory(Some(memory), meter),
            started: Instant::now(),
            time,
        }
    }

    /// Says an event.
    pub fn say(&self, event: &Event) {
        (self.say)(event);
    }

    /// How much of the time is left.
    pub fn left(&self) -> Duration {
        self.time.saturating_sub(self.started.elapsed())
    }

    /// The budget of the job: its memory, and the end of its time.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// A check that tells how far it has come, as the next part of the job.
    pub fn watch<'p>(&self, name: String, check: Check<'p>) -> Check<'p> {
        let progress = Progress::default();
        let next = Stage { name, progress: progress.clone() };
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = next;
        check.progress(progress)
    }

    /// Tells how far it has come, and ends its searches when its time is over. Whoever runs the job calls this a few
    /// times per second: from a thread, or, where there are none, from the clock that searches look at.
    pub fn pulse(&self) {
        if self.left().is_zero() {
            self.budget.interrupt().raise();
        }
        // In the middle of a change of stage, the next pulse tells.
        if let Some(standing) = self.standing() {
            self.say(&Event::Progress(standing));
        }
    }

    fn standing(&self) -> Option<Progressed> {
        let stage = match self.stage.try_lock() {
            Ok(stage) => stage,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let now = stage.progress.snapshot();
        let known = |number: u64| (now.states > 0).then_some(number);
        Some(Progressed {
            seconds: self.started.elapsed().as_secs_f64(),
            stage: stage.name.clone(),
            states: known(now.states),
            transitions: known(now.transitions),
            depth: known(now.depth),
            bytes: known(now.bytes),
        })
    }
}
