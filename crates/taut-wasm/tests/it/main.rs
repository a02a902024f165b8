//! The page without a server, in a real browser.

mod clock;
#[cfg(target_os = "linux")]
mod folder;
#[cfg(target_os = "linux")]
mod playground;
