//! Limits of a search: it ends at the first one it meets and says which.

mod trouble;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{fmt, io};

use taut_budget::{Budget, Instant, Level, Reason};
pub use taut_budget::{Bytes, Interrupt, Seconds};

use crate::checkpoint::{Checkpoints, Reader, Saved, Writer, damaged};
pub use trouble::{DiskTrouble, WorkerTrouble};

/// How far a search has come, for who watches it from another thread. A search says it every now and then.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<[AtomicU64; 5]>);

/// What [`Progress`] tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgressSnapshot {
    /// States stored.
    pub states: u64,
    /// Actions followed.
    pub transitions: u64,
    /// States found and not yet expanded.
    pub queue: u64,
    /// How far from the initial state the search is.
    pub depth: u64,
    /// Bytes held for states.
    pub bytes: u64,
}

impl Progress {
    /// Says how far the search has come.
    pub fn publish(&self, now: ProgressSnapshot) {
        let ProgressSnapshot { states, transitions, queue, depth, bytes } = now;
        for (at, value) in self.0.iter().zip([states, transitions, queue, depth, bytes]) {
            at.store(value, Ordering::Relaxed);
        }
    }

    /// What the search said last.
    pub fn snapshot(&self) -> ProgressSnapshot {
        let [states, transitions, queue, depth, bytes] =
            [0, 1, 2, 3, 4].map(|i: usize| self.0[i].load(Ordering::Relaxed));
        ProgressSnapshot { states, transitions, queue, depth, bytes }
    }
}

/// How far a search may go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// States stored.
    pub states: Option<u64>,
    /// Bytes for states.
    pub bytes: Option<u64>,
    /// Time of this search.
    pub time: Option<Duration>,
    /// The budget of the whole command.
    pub budget: Budget,
    /// Somebody else's wish.
    pub interrupt: Interrupt,
    /// Who watches.
    pub progress: Option<Progress>,
    /// Where searches are kept, so that they can go on later.
    pub checkpoints: Option<Checkpoints>,
}

/// A limit that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many states are stored.
    States(u64),
    /// One more state would need more bytes than these, or the process holds more.
    Bytes(u64),
    /// So much time has passed.
    Time(Duration),
    /// The language of a buffer needs more automaton states than these.
    Language(u64),
    /// A store buffer needs more entries than these.
    Buffer(u32),
    /// A violation was found, but no run that shows it in reasonable time.
    Run,
    /// States cannot be kept in files.
    Disk(DiskTrouble),
    /// The search was interrupted.
    Interrupted,
    /// The worker with this number was lost.
    Worker(u32, WorkerTrouble),
}

impl Limit {
    /// Whether a search meets the limit at the same place each time. Time, memory and interrupts depend on the machine.
    pub fn is_repeatable(self) -> bool {
        !matches!(
            self,
            Limit::Bytes(_)
                | Limit::Time(_)
                | Limit::Disk(_)
                | Limit::Interrupted
                | Limit::Worker(..)
        )
    }
}

impl From<Reason> for Limit {
    fn from(reason: Reason) -> Limit {
        match reason {
            Reason::Time(time) => Limit::Time(time),
            Reason::Memory(bytes) => Limit::Bytes(bytes),
            Reason::Interrupted => Limit::Interrupted,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::States(n) => write!(f, "the limit of {n} states was met"),
            Limit::Bytes(n) => write!(f, "the limit of {} of memory was met", Bytes(*n)),
            Limit::Time(t) => write!(f, "the limit of {} was met", Seconds(*t)),
            Limit::Language(n) => {
                write!(f, "a buffer's language grew beyond {n} automaton states")
            }
            Limit::Buffer(n) => write!(f, "a store buffer grew beyond {n} entries"),
            Limit::Run => f.write_str("a violation was found, but no run that shows it"),
            Limit::Disk(trouble) => trouble.fmt(f),
            Limit::Interrupted => f.write_str("interrupted"),
            Limit::Worker(worker, trouble) => write!(f, "worker {worker} was lost: {trouble}"),
        }
    }
}

impl Saved for Limit {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Limit::States(n) => (0_u8, n).save(to),
            Limit::Bytes(n) => (1_u8, n).save(to),
            Limit::Time(time) => (2_u8, time).save(to),
            Limit::Language(n) => (3_u8, n).save(to),
            Limit::Buffer(n) => (4_u8, n).save(to),
            Limit::Run => 5_u8.save(to),
            Limit::Interrupted => 6_u8.save(to),
            // Searches with files are not kept, and such an end is no result.
            Limit::Disk(_) | Limit::Worker(..) => Err(io::Error::from(io::ErrorKind::Unsupported)),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Limit> {
        Ok(match u8::restore(from)? {
            0 => Limit::States(Saved::restore(from)?),
            1 => Limit::Bytes(Saved::restore(from)?),
            2 => Limit::Time(Saved::restore(from)?),
            3 => Limit::Language(Saved::restore(from)?),
            4 => Limit::Buffer(Saved::restore(from)?),
            5 => Limit::Run,
            6 => Limit::Interrupted,
            _ => return Err(damaged("a limit is none")),
        })
    }
}

/// Watches the limits of one search.
pub struct LimitMonitor {
    limits: Limits,
    started: Instant,
    /// Microseconds from the start to the last look at the memory of the process.
    looked: AtomicU64,
    /// Bytes for states at that look.
    bytes: AtomicU64,
}

/// Microseconds between two looks at the memory of the process, each of which is a system call.
const BETWEEN_MEMORY_LOOKS: u64 = 1000;

/// Growth of the states, in bytes, before which the memory of the process is looked at in any case.
const LARGE_GROWTH: u64 = 1 << 20;

impl LimitMonitor {
    /// Starts to watch.
    pub fn new(limits: Limits) -> LimitMonitor {
        let (looked, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        LimitMonitor { limits, started: Instant::now(), looked, bytes }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The most states that may be stored.
    pub fn most_states(&self) -> u64 {
        self.limits.states.unwrap_or(u64::MAX)
    }

    /// Whether there is a limit on states that is no larger than this.
    pub fn most_states_within(&self, few: u64) -> bool {
        self.limits.states.is_some_and(|most| most <= few)
    }

    /// The time since it started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tells who watches, if anybody does, how far the search has come.
    pub fn publish(&self, now: ProgressSnapshot) {
        if let Some(progress) = &self.limits.progress {
            progress.publish(now);
        }
    }

    /// The limit that is met when states take so many bytes, those included that are about to be taken. The code
    /// that stores states looks at the limit on their number.
    pub fn check(&self, bytes: u64) -> Option<Limit> {
        if let Some(most) = self.limits.bytes
            && bytes > most
        {
            return Some(Limit::Bytes(most));
        }
        // The budget comes first: it knows the limit as it was given, where the search may have what was left of it.
        if let Some(reason) = self.limits.budget.met_in_time(Level::Search) {
            return Some(reason.into());
        }
        let elapsed = self.elapsed();
        if let Some(most) = self.limits.time
            && elapsed >= most
        {
            return Some(Limit::Time(most));
        }
        if self.limits.interrupt.is_raised() {
            return Some(Limit::Interrupted);
        }
        self.check_memory(bytes, elapsed)
    }

    /// The limit that is met while nothing grows: in a pass over files, or while a run is made short. States take as many
    /// bytes as at the last look.
    pub fn check_steady(&self) -> Option<Limit> {
        self.check(self.bytes.load(Ordering::Relaxed))
    }

    /// The limit on the memory of the process, which holds other things than states, too.
    ///
    /// States that are about to be taken do not show in the memory of the process yet. So what they have grown since
    /// the last look is added: a table that is to be doubled is refused before it is.
    fn check_memory(&self, bytes: u64, elapsed: Duration) -> Option<Limit> {
        let most = self.limits.budget.most_memory()?;
        let now = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        let growth = bytes.saturating_sub(self.bytes.load(Ordering::Relaxed));
        let is_due = now >= self.looked.load(Ordering::Relaxed) + BETWEEN_MEMORY_LOOKS;
        if !is_due && growth < LARGE_GROWTH {
            return None;
        }
        // Threads may look at the same time, which does no harm.
        self.looked.store(now, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        let is_met = self.limits.budget.held().saturating_add(growth) > most;
        is_met.then_some(Limit::Bytes(most))
    }
}

/// How long to go on with one state. What a process does while it holds the others is followed in one go,
/// and may have no end.
pub struct LimitPoll<'w> {
    /// None if it has no end.
    watch: Option<&'w LimitMonitor>,
    /// Bytes held for other things.
    beside: u64,
    asked: u32,
    ended: Option<Limit>,
}

impl<'w> LimitPoll<'w> {
    /// How often it is asked between two looks at the limits.
    const LIMIT_CHECK_INTERVAL: u32 = 1 << 10;

    /// A poll of these limits.
    pub fn new(watch: &'w LimitMonitor) -> LimitPoll<'w> {
        LimitPoll { watch: Some(watch), beside: 0, asked: 0, ended: None }
    }

    /// LimitPoll for states that were gone through once and can be again.
    pub fn endless() -> LimitPoll<'w> {
        LimitPoll { watch: None, beside: 0, asked: 0, ended: None }
    }

    /// Says how many bytes are held for other things.
    pub fn beside(&mut self, bytes: u64) {
        self.beside = bytes;
    }

    /// Whether no limit is met when one state takes so many bytes.
    #[inline]
    pub fn lasts(&mut self, bytes: u64) -> bool {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(LimitPoll::LIMIT_CHECK_INTERVAL) && self.ended.is_none() {
            self.ended = self.watch.and_then(|watch| watch.check(self.beside + bytes));
        }
        self.ended.is_none()
    }

    /// The limit that ended it.
    pub fn ended(&self) -> Option<Limit> {
        self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_budget::{Budget, Meter};

    /// A look between two others must not make the states of the search count as growth: the process holds them already.
    #[test]
    fn a_look_while_nothing_grows_does_not_count_states_twice() {
        const HELD: u64 = 40 << 20;
        let budget = Budget::new().memory(Some(HELD / 2 * 3), Meter::new());
        let monitor = LimitMonitor::new(Limits { budget, ..Limits::default() });
        assert_eq!(monitor.check(HELD), None, "they fit, and are not taken yet");
        let states = vec![1_u8; HELD as usize];
        assert_eq!(monitor.check_steady(), None, "{} bytes are taken", states.len());
        assert_eq!(monitor.check(HELD), None);
        // What has grown since the last look does count.
        assert_eq!(monitor.check(2 * HELD), Some(Limit::Bytes(HELD / 2 * 3)));
    }
}
