//! The page without a server: the engine as a WebAssembly module, and the static folder around it.
//!
//! A worker of the browser has one module and does one job ([`taut_job`]). The README has the reasons.
//!
//! | file | idea |
//! | --- | --- |
//! | `exports.rs`, `host.rs` | the border: functions that the worker calls, and that it lends |
//! | `work.rs` | a job behind that border: clock, progress, what happens to panics |
//! | `folder.rs` | the files of the static folder |
//! | `bin/taut-playground.rs` | writes the folder |

#[cfg(target_family = "wasm")]
mod exports;
#[cfg(not(target_family = "wasm"))]
pub mod folder;
#[cfg(target_family = "wasm")]
mod host;
#[cfg(target_family = "wasm")]
mod work;
