//! The search against the definition by brute force. These are unit tests because of the switch for mistakes
//! (`taut-fault`), which only tests can switch on.

mod consequences;
mod fences;
mod oracle;
mod random;
mod shapes;
