//! The search against the definition by brute force. These are unit tests because of the switch for mistakes
//! (`mutation.rs`), which only the test build of this crate has.

mod consequences;
mod fences;
mod oracle;
mod random;
mod shapes;
