//! The flag that a signal raises.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag by which another thread or a signal, such as Ctrl-C, ends work.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that is not raised.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Ends all work that watches this flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
