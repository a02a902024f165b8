//! What the worker lends: its clock, and a way to say things.
#![allow(unsafe_code, reason = "an imported function is `unsafe` to declare")]

use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// Takes a text out of the module's memory.
    safe fn say(start: *const u8, length: usize);
}

/// The clock of the browser.
pub(crate) fn clock() -> Duration {
    Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default()
}

/// Says a text to the worker.
pub(crate) fn tell(text: &str) {
    say(text.as_ptr(), text.len());
}
