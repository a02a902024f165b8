//! Tells, a few times per second, how far a job has come; and ends its searches when its time is over.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use taut::budget::{Budget, Meter};
use taut::{Check, Progress};

use super::event::{Event, Standing};

/// How often.
const BETWEEN: Duration = Duration::from_millis(200);

/// What a job is at, for who watches it.
#[derive(Clone)]
pub struct Telling {
    stage: Arc<Mutex<Stage>>,
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
    pub fn start(time: Duration, memory: u64, meter: Option<Meter>) -> Telling {
        let stage = Stage { name: "reading".into(), progress: Progress::default() };
        let telling = Telling {
            stage: Arc::new(Mutex::new(stage)),
            budget: Budget::new().memory(Some(memory), meter),
            started: Instant::now(),
            time,
        };
        let teller = telling.clone();
        // Without the thread nothing is told, and the server ends what takes too long.
        let _ = std::thread::Builder::new().spawn(move || teller.tell());
        telling
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

    /// Tells until the process ends.
    fn tell(&self) {
        loop {
            std::thread::sleep(BETWEEN);
            if self.left().is_zero() {
                self.budget.interrupt().raise();
            }
            Event::Progress(self.standing()).say();
        }
    }

    fn standing(&self) -> Standing {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stage.progress.snapshot();
        let known = |number: u64| (now.states > 0).then_some(number);
        Standing {
            seconds: self.started.elapsed().as_secs_f64(),
            stage: stage.name.clone(),
            states: known(now.states),
            transitions: known(now.transitions),
            depth: known(now.depth),
            bytes: known(now.bytes),
        }
    }
}
