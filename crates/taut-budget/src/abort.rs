//! Limits where a panic cannot be unwound.
//!
//! WebAssembly with the standard library that rustup has aborts on a panic. Then the end of a phase is the end of the
//! whole program, and the limit has to be told before. Where panics unwind, all of this is empty.

use crate::budget::Met;

#[cfg(panic = "abort")]
static LAST_WORDS: std::sync::OnceLock<fn(Met)> = std::sync::OnceLock::new();

/// Whether the end of a phase leaves the program around it alive. Without that, nothing is tried that may be given up.
pub const UNWINDS: bool = cfg!(panic = "unwind");

/// Says what is told of a limit before the program aborts. The first one stays; it is never called where panics unwind.
#[cfg_attr(not(panic = "abort"), allow(unused_variables))]
pub fn on_abort(tell: fn(Met)) {
    #[cfg(panic = "abort")]
    let _ = LAST_WORDS.set(tell);
}

/// Tells of a limit, if nothing can be told later.
#[cfg_attr(not(panic = "abort"), allow(unused_variables))]
pub(crate) fn last_words(met: Met) {
    #[cfg(panic = "abort")]
    if let Some(tell) = LAST_WORDS.get() {
        tell(met);
    }
}
