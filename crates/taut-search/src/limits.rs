//! Limits of a search: it ends at the first one it meets and says which.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::disk::DiskTrouble;

/// A flag by which somebody else, such as Ctrl-C, ends a search.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that is not raised.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Ends every search that watches this flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a search has come, for who watches it from another thread. A search says it every now and then.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<[AtomicU64; 5]>);

/// What [`Progress`] tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
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
    pub fn tell(&self, now: Standing) {
        let Standing { states, transitions, queue, depth, bytes } = now;
        for (at, value) in self.0.iter().zip([states, transitions, queue, depth, bytes]) {
            at.store(value, Ordering::Relaxed);
        }
    }

    /// What the search said last.
    pub fn standing(&self) -> Standing {
        let [states, transitions, queue, depth, bytes] =
            [0, 1, 2, 3, 4].map(|i: usize| self.0[i].load(Ordering::Relaxed));
        Standing { states, transitions, queue, depth, bytes }
    }
}

/// How far a search may go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// States stored.
    pub states: Option<u64>,
    /// Bytes for states.
    pub bytes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// Somebody else's wish.
    pub interrupt: Interrupt,
    /// Who watches.
    pub progress: Option<Progress>,
}

/// A limit that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many states are stored.
    States(u64),
    /// One more state would need more bytes than these.
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
}

impl Limit {
    /// Whether a search meets the limit at the same place each time. Time, memory and interrupts depend on the machine.
    pub(crate) fn is_repeatable(self) -> bool {
        !matches!(self, Limit::Bytes(_) | Limit::Time(_) | Limit::Disk(_) | Limit::Interrupted)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::States(n) => write!(f, "the limit of {n} states was met"),
            Limit::Bytes(n) => write!(f, "the limit of {} for states was met", Bytes(*n)),
            Limit::Time(t) => write!(f, "the limit of {} was met", Seconds(*t)),
            Limit::Language(n) => {
                write!(f, "a buffer's language grew beyond {n} automaton states")
            }
            Limit::Buffer(n) => write!(f, "a store buffer grew beyond {n} entries"),
            Limit::Run => f.write_str("a violation was found, but no run that shows it"),
            Limit::Disk(trouble) => trouble.fmt(f),
            Limit::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// A number of bytes for people.
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
        let mut value = self.0 as f64;
        let mut unit = 0;
        while value >= 1024.0 && unit + 1 < UNITS.len() {
            value /= 1024.0;
            unit += 1;
        }
        if unit == 0 { write!(f, "{} B", self.0) } else { write!(f, "{value:.1} {}", UNITS[unit]) }
    }
}

/// A time for people.
pub struct Seconds(pub Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        if seconds < 0.001 {
            write!(f, "{:.0} µs", seconds * 1e6)
        } else if seconds < 1.0 {
            write!(f, "{:.1} ms", seconds * 1e3)
        } else {
            write!(f, "{seconds:.2} s")
        }
    }
}

/// Watches the limits of one search.
pub struct Watch {
    limits: Limits,
    started: Instant,
}

impl Watch {
    /// Starts to watch.
    pub fn new(limits: Limits) -> Watch {
        Watch { limits, started: Instant::now() }
    }

    /// The limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The most states that may be stored.
    pub fn most_states(&self) -> u64 {
        self.limits.states.unwrap_or(u64::MAX)
    }

    /// Whether there is a limit on states that is no larger than this.
    pub(crate) fn most_states_within(&self, few: u64) -> bool {
        self.limits.states.is_some_and(|most| most <= few)
    }

    /// The time since it started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tells who watches, if anybody does, how far the search has come.
    pub fn tell(&self, now: Standing) {
        if let Some(progress) = &self.limits.progress {
            progress.tell(now);
        }
    }

    /// The limit that is met when states take so many bytes. The limit on their number is the business of
    /// who stores them.
    pub fn check(&self, bytes: u64) -> Option<Limit> {
        if let Some(most) = self.limits.bytes
            && bytes > most
        {
            return Some(Limit::Bytes(most));
        }
        if let Some(most) = self.limits.time
            && self.elapsed() >= most
        {
            return Some(Limit::Time(most));
        }
        self.limits.interrupt.is_raised().then_some(Limit::Interrupted)
    }
}

/// How long to go on with one state. What a process does while it holds the others is followed in one go,
/// and may have no end.
pub(crate) struct Patience<'w> {
    /// None if it has no end.
    watch: Option<&'w Watch>,
    /// Bytes held for other things.
    beside: u64,
    asked: u32,
    ended: Option<Limit>,
}

impl<'w> Patience<'w> {
    /// How often it is asked between two looks at the limits.
    const BETWEEN_LOOKS: u32 = 1 << 10;

    pub(crate) fn new(watch: &'w Watch) -> Patience<'w> {
        Patience { watch: Some(watch), beside: 0, asked: 0, ended: None }
    }

    /// Patience for states that were gone through once and can be again.
    pub(crate) fn endless() -> Patience<'w> {
        Patience { watch: None, beside: 0, asked: 0, ended: None }
    }

    /// Says how many bytes are held for other things.
    pub(crate) fn beside(&mut self, bytes: u64) {
        self.beside = bytes;
    }

    /// Whether no limit is met when one state takes so many bytes.
    #[inline]
    pub(crate) fn lasts(&mut self, bytes: u64) -> bool {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(Patience::BETWEEN_LOOKS) && self.ended.is_none() {
            self.ended = self.watch.and_then(|watch| watch.check(self.beside + bytes));
        }
        self.ended.is_none()
    }

    /// The limit that ended it.
    pub(crate) fn ended(&self) -> Option<Limit> {
        self.ended
    }
}
