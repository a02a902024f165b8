//! A simulator: one run of a program on relaxed memory, one step at a time.
//!
//! A [`Simulator`] stands somewhere in a run. It says what can happen ([`Simulator::choices`]), takes one of
//! it, goes back and forth, walks at random, runs to a [`Condition`], and hands the run over to be saved. What
//! can happen is asked of `taut-witness`'s plain machine, the second implementation of the semantics: the
//! simulator adds no meaning of its own.
//!
//! *The invariant*: every [`Row`](taut_witness::Row) follows from the state before it by its action, so that
//! any prefix of the rows is a run that the replayer accepts.
//!
//! Reading order: [`simulator`] for the run and the place in it, [`choice`] for what can happen, [`walk`] and
//! [`quest`] for going far at once, `grow` for models that start more processes than was foreseen, [`facts`]
//! and [`view`] for what is to be seen in a state. On top of them stand two faces: [`script`], which reads
//! [`command`]s and prints text, and, with the feature `tui`, `tui`, which owns the terminal.

pub mod choice;
pub mod command;
pub mod condition;
pub mod facts;
mod grow;
pub mod host;
pub mod quest;
mod random;
pub mod script;
pub mod simulator;
#[cfg(feature = "tui")]
pub mod tui;
pub mod view;
pub mod walk;

pub use choice::Choice;
pub use command::{Command, commands};
pub use condition::Condition;
pub use host::Host;
pub use quest::{Progress, SearchTo};
pub use script::Script;
pub use simulator::Simulator;
pub use walk::{Stop, Walk};
