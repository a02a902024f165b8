//! The budget, and the limits that are met.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::memory::Meter;
use crate::{Instant, Interrupt};

/// Time for telling what was learned after the limit on time was met or an interrupt came.
pub const GRACE: Duration = Duration::from_millis(500);

/// Time by which work around a search ends later than the search itself, which knows more about how far it came.
const SLACK: Duration = Duration::from_millis(100);

/// Time, memory and interrupts, for everything that is done in a command. Clones are the same budget.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When it ends.
    deadline: Option<Instant>,
    /// The time as it was given, for messages.
    time: Option<Duration>,
    memory: Option<Memory>,
    interrupt: Interrupt,
}

#[derive(Clone, Debug)]
struct Memory {
    most: u64,
    meter: Arc<Meter>,
}

/// What part of a command asks. An outer part ends a little later than the part inside of it, so that the inner one can
/// tell how far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A search, which looks at its limits itself and ends at them.
    Search,
    /// Work that is unwound: 100 ms after the limit on time, and 2 % above that on memory.
    Work,
    /// A check with all its searches: 300 ms after the limit on time, and 3 % above that on memory.
    Check,
    /// The command around the work, which has [`GRACE`] and 5 % of memory more: it tells what the work found.
    Command,
}

/// The limit that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// So much time has passed.
    Time(Duration),
    /// The process holds so many bytes.
    Memory(u64),
    /// An interrupt came.
    Interrupted,
}

/// A limit that was met, and the phase that met it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// The limit.
    pub reason: Reason,
    /// What was being done, as the end of a sentence: "the program is read". Empty if it has no name.
    pub phase: &'static str,
}

impl Budget {
    /// A budget without limits that begins now.
    pub fn new() -> Budget {
        Budget::default()
    }

    /// The same budget with so much time from now on.
    #[must_use]
    pub fn time(self, time: Option<Duration>) -> Budget {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Budget { deadline, time, ..self }
    }

    /// The same budget with at most so many bytes for the process, beside what the executable holds at the moment
    /// when the meter was made.
    #[must_use]
    pub fn memory(self, most: Option<u64>, meter: Option<Meter>) -> Budget {
        let memory = most.zip(meter).map(|(most, meter)| Memory { most, meter: Arc::new(meter) });
        Budget { memory, ..self }
    }

    /// The same budget with this flag.
    #[must_use]
    pub fn interrupted_by(self, interrupt: Interrupt) -> Budget {
        Budget { interrupt, ..self }
    }

    /// A part of this budget: at most so much of the time that is left. It has the name of the whole in messages.
    #[must_use]
    pub fn within(&self, time: Option<Duration>) -> Budget {
        let until = time.and_then(|time| Instant::now().checked_add(time));
        let deadline = match (self.deadline, until) {
            (Some(whole), Some(part)) => Some(whole.min(part)),
            (whole, part) => whole.or(part),
        };
        Budget { deadline, time: self.time.or(time), ..self.clone() }
    }

    /// An equal share for each of several parts that are left: a part that ends early leaves its time to the others.
    #[must_use]
    pub fn share(&self, parts: usize) -> Budget {
        self.within(self.left().map(|left| left / u32::try_from(parts.max(1)).unwrap_or(u32::MAX)))
    }

    /// The time that is left; none if there is no limit.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The limit on time as it was given.
    pub fn given_time(&self) -> Option<Duration> {
        self.time
    }

    /// The limit on memory.
    pub fn most_memory(&self) -> Option<u64> {
        self.memory.as_ref().map(|memory| memory.most)
    }

    /// Bytes that the process holds; 0 if no limit is on them.
    pub fn held(&self) -> u64 {
        self.memory.as_ref().map_or(0, |memory| memory.meter.held())
    }

    /// The flag that ends it.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The limit on time or the interrupt, if met. Cheap: it reads a clock.
    pub fn met_in_time(&self, level: Level) -> Option<Reason> {
        if let Some(deadline) = self.deadline
            && level.is_over(deadline)
        {
            return Some(Reason::Time(self.time.unwrap_or_default()));
        }
        // At the outer levels an interrupt is left to the watchdog: what was learned is told first.
        let ends_at_once = matches!(level, Level::Search | Level::Work);
        let is_interrupted = ends_at_once && self.interrupt.is_raised();
        is_interrupted.then_some(Reason::Interrupted)
    }

    /// The limit on memory, if met. It costs a system call.
    pub fn met_in_memory(&self, level: Level) -> Option<Reason> {
        let Memory { most, meter } = self.memory.as_ref()?;
        let more = match level {
            Level::Search => 0,
            Level::Work => most / 50,
            Level::Check => most / 33,
            Level::Command => most / 20,
        };
        (meter.held() > most + more).then_some(Reason::Memory(*most))
    }

    /// Any limit that is met.
    pub fn met(&self, level: Level) -> Option<Reason> {
        self.met_in_time(level).or_else(|| self.met_in_memory(level))
    }
}

impl Level {
    fn is_over(self, deadline: Instant) -> bool {
        let later = match self {
            Level::Search => Duration::ZERO,
            Level::Work => SLACK,
            Level::Check => 3 * SLACK,
            Level::Command => GRACE,
        };
        deadline.elapsed() >= later && Instant::now() >= deadline
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time(time) => write!(f, "the limit of {} was met", Seconds(*time)),
            Reason::Memory(most) => write!(f, "the limit of {} of memory was met", Bytes(*most)),
            Reason::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)?;
        if self.phase.is_empty() { Ok(()) } else { write!(f, " while {}", self.phase) }
    }
}

impl std::error::Error for Met {}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_no_later_than_the_whole() {
        let whole = Budget::new().time(Some(Duration::from_secs(2)));
        let part = whole.within(Some(Duration::from_secs(60)));
        assert!(part.left() <= Some(Duration::from_secs(2)));
        assert_eq!(part.given_time(), Some(Duration::from_secs(2)));
        assert!(whole.share(4).left() <= Some(Duration::from_millis(500)));
        assert_eq!(Budget::new().share(4).left(), None);
    }

    #[test]
    fn a_command_ends_later_than_its_work() {
        let budget = Budget::new().time(Some(Duration::ZERO));
        let limit = Some(Reason::Time(Duration::ZERO));
        assert_eq!(budget.met(Level::Search), limit);
        assert_eq!(budget.met(Level::Command), None);
        std::thread::sleep(GRACE);
        assert_eq!(budget.met(Level::Work), limit);
        assert_eq!(budget.met(Level::Command), limit);
    }

    #[test]
    fn messages_name_the_limit_and_the_phase() {
        let phase = "the program is read";
        let met = Met { reason: Reason::Time(Duration::from_secs(1)), phase };
        assert_eq!(met.to_string(), "the limit of 1.00 s was met while the program is read");
        let met = Met { reason: Reason::Memory(32 << 20), phase: "" };
        assert_eq!(met.to_string(), "the limit of 32.0 MiB of memory was met");
    }
}
