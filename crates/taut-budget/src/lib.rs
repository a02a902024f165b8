//! One budget of time and memory for everything that Taut does.
//!
//! A [`Budget`] knows when a command began, how long it may take, how much memory the process may hold, and whether it
//! was interrupted. Reading, lowering, analyses, compilation, searches and reports all ask the same one.
//!
//! **Asking.** Code that can run long calls [`tick`] in its loops. That costs a counter; every few calls the clock, the
//! interrupt and the memory are looked at. Code outside of any budget ([`Budget::run`]) ticks without effect, so
//! libraries and tests need not know of budgets.
//!
//! **Ending.** When the budget is spent, [`tick`] does not return. It unwinds the stack up to the innermost
//! [`Budget::run`], which returns [`Met`]. Salsa cancels its queries in the same way. The alternative, a `Result` in the signature
//! of each function of each analysis, is a change of thousands of lines that says nothing about the analyses.
//! The unwinding calls no panic hook and prints nothing.
//!
//! *Why is that safe?* A phase takes inputs that it does not change and returns a value. If it is ended, the value does
//! not exist, and whatever was built on the way is dropped. Callers of [`Budget::run`] keep nothing that the phase had
//! write access to, or treat it as ended for good. Locks are not held over a tick.
//!
//! **Phases.** [`phase`] names what is being done, so that the message says in which phase the limit was met. Names
//! complete the sentence "the limit was met while …".
//!
//! **Levels.** What was learned has to be told, and that takes time and memory, too. So a search ends at the limit, the
//! work around it a little later, and the command around that [`GRACE`] after the limit ([`Level`]).
//!
//! **Giving up.** An analysis that would take too long for a large program can end without a result, if there is a safe one
//! to use instead. It notes that with [`give_up`], for the report.
//!
//! | file | idea |
//! | --- | --- |
//! | `abort.rs` | limits where a panic cannot be unwound |
//! | `budget.rs` | the budget, and the limits that are met |
//! | `clock.rs` | the clock, which a page has to lend to the engine |
//! | `ambient.rs` | the budget of the current thread: `tick`, `phase`, `run` |
//! | `memory.rs` | the memory that the process holds |
//! | `limits.rs` | the limits of the process |
//! | `host.rs` | the memory that the machine, the control group and the process limits leave |
//! | `interrupt.rs` | the flag that a signal raises |
//! | `units.rs` | limits as people type them |

mod abort;
mod ambient;
mod budget;
mod clock;
pub mod host;
mod interrupt;
mod limits;
mod memory;
pub mod units;

pub use abort::{UNWINDS, on_abort};
pub use ambient::{Phase, give_up, given_up, phase, tick, tick_many};
pub use budget::{Budget, Bytes, GRACE, Level, Met, Reason, Seconds};
pub use clock::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
pub use interrupt::Interrupt;
pub use memory::Meter;
