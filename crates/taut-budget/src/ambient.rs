//! The budget of the current thread.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use crate::Instant;
use crate::budget::{Budget, Level, Met, Reason};

/// Ticks between two looks at the clock. Loops tick once per item of work, which takes some hundred nanoseconds, so a
/// look comes every few microseconds and costs less than a hundredth of that.
const BETWEEN_LOOKS: u32 = 128;

/// Time between two looks at the memory, each of which is a system call. A process touches at most some MiB in it.
const BETWEEN_MEMORY_LOOKS: Duration = Duration::from_millis(1);

/// The budget that is in force.
struct Frame {
    budget: Budget,
    level: Level,
    memory_seen: Option<Instant>,
}

thread_local! {
    static FRAME: RefCell<Option<Frame>> = const { RefCell::new(None) };
    static TICKS: Cell<u32> = const { Cell::new(0) };
    static PHASE: Cell<&'static str> = const { Cell::new("") };
    static GIVEN_UP: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Notes that an analysis was given up because the program is too large for it. The sentence says what that means, for
/// people: "the program is too large for its states to be reduced".
pub fn give_up(sentence: &'static str) {
    GIVEN_UP.with_borrow_mut(|all| {
        if !all.contains(&sentence) {
            all.push(sentence);
        }
    });
}

/// The analyses that this thread has given up since this was asked last.
pub fn given_up() -> Vec<&'static str> {
    GIVEN_UP.take()
}

/// Counts one item of work. If the budget of this thread is spent, it does not return: see the
/// [crate's documentation](crate).
#[inline]
pub fn tick() {
    tick_many(1);
}

/// Counts several items of work at once.
#[inline]
pub fn tick_many(items: usize) {
    let items = u32::try_from(items).unwrap_or(u32::MAX);
    let ticks = TICKS.get().saturating_add(items);
    if ticks < BETWEEN_LOOKS {
        TICKS.set(ticks);
        return;
    }
    TICKS.set(0);
    look();
}

#[cold]
fn look() {
    let met = FRAME.with_borrow_mut(|frame| frame.as_mut().and_then(Frame::met));
    if let Some(reason) = met {
        let met = Met { reason, phase: PHASE.get() };
        crate::abort::last_words(met);
        resume_unwind(Box::new(met));
    }
}

impl Frame {
    fn met(&mut self) -> Option<Reason> {
        if let Some(reason) = self.budget.met_in_time(self.level) {
            return Some(reason);
        }
        let now = Instant::now();
        if self.memory_seen.is_some_and(|seen| now - seen < BETWEEN_MEMORY_LOOKS) {
            return None;
        }
        self.memory_seen = Some(now);
        self.budget.met_in_memory(self.level)
    }
}

impl Budget {
    /// Does some work within this budget: the limit that was met, if the work did not come to its end.
    ///
    /// Nothing that the work had write access to may be used after a limit was met, except to drop it.
    pub fn run<T>(&self, level: Level, work: impl FnOnce() -> T) -> Result<T, Met> {
        let frame = Frame { budget: self.clone(), level, memory_seen: None };
        let outer = FRAME.replace(Some(frame));
        let phase = PHASE.get();
        let done = catch_unwind(AssertUnwindSafe(work));
        FRAME.set(outer);
        PHASE.set(phase);
        done.or_else(|payload| match payload.downcast::<Met>() {
            Ok(met) => Err(*met),
            Err(panic) => resume_unwind(panic),
        })
    }

    /// The budget of this thread; one without limits outside of [`Budget::run`].
    pub fn current() -> Budget {
        FRAME.with_borrow(|frame| frame.as_ref().map(|f| f.budget.clone()).unwrap_or_default())
    }
}

/// What is being done, until this is dropped.
#[must_use]
pub struct Phase(&'static str);

/// Names what is being done from now on, as the end of the sentence "the limit was met while …".
pub fn phase(name: &'static str) -> Phase {
    Phase(PHASE.replace(name))
}

impl Drop for Phase {
    fn drop(&mut self) {
        PHASE.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interrupt;

    fn forever() -> ! {
        loop {
            tick();
        }
    }

    #[test]
    fn outside_of_a_budget_ticks_do_nothing() {
        for _ in 0..10_000 {
            tick();
        }
    }

    #[test]
    fn endless_work_ends_at_the_limit_with_its_phase() {
        let limit = Duration::from_millis(20);
        let budget = Budget::new().time(Some(limit));
        let met = budget.run(Level::Work, || {
            let _phase = phase("it loops");
            forever()
        });
        assert_eq!(met.err(), Some(Met { reason: Reason::Time(limit), phase: "it loops" }));
        // The phase is over, and so is the budget.
        assert_eq!(PHASE.get(), "");
        tick_many(1 << 20);
    }

    #[test]
    fn an_interrupt_ends_work() {
        let interrupt = Interrupt::new();
        interrupt.raise();
        let budget = Budget::new().interrupted_by(interrupt);
        let met = budget.run(Level::Work, || forever());
        assert_eq!(met.err().map(|met| met.reason), Some(Reason::Interrupted));
    }

    #[test]
    fn an_inner_limit_does_not_end_the_outer_work() {
        let outer = Budget::new().time(Some(Duration::from_secs(600)));
        let inner = outer.within(Some(Duration::ZERO));
        let done = outer.run(Level::Work, || {
            assert!(inner.run(Level::Work, || forever()).is_err());
            tick_many(1 << 20);
            7
        });
        assert_eq!(done, Ok(7));
    }

    #[test]
    fn a_panic_is_none_of_our_business() {
        let panics = || Budget::new().run(Level::Work, || resume_unwind(Box::new("boom")));
        let payload = catch_unwind(panics).expect_err("it panics");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"boom"));
    }
}
