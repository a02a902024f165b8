//! The clock that every limit on time asks.
//!
//! It is the clock of the standard library wherever that has one. `wasm32-unknown-unknown` has none: there
//! `std::time::Instant::now` panics. So all crates of the engine take [`Instant`] from here, and the program around the
//! module sets its clock once, before any work ([`set_clock`]).

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use hosted::{Instant, set_clock};

/// An instant of a clock that the host has.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod hosted {
    use std::ops::Sub;
    use std::sync::OnceLock;
    use std::time::Duration;

    /// The time since some moment before the first question.
    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock of the host. The first one stays.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// What `std::time::Instant` is elsewhere. Without a clock no time passes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present.
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since this instant.
        pub fn elapsed(&self) -> Duration {
            Instant::now() - *self
        }

        /// The instant so much later.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }

        /// The time since an earlier instant; none if it is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
