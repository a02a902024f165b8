//! The search of states shared by several processes, on timely dataflow.
//!
//! Each state has an owner, chosen by its hash; what a process does with its states is [`taut_explicit::part`]. This crate is
//! what is between the processes:
//!
//! | file | idea |
//! | --- | --- |
//! | `token.rs` | both ends of a connection show that they know the token |
//! | `link.rs` | sockets that count their bytes and tell when they are lost |
//! | `dataflow.rs` | one operator in a feedback loop; its times are the phases of the search |
//! | `wire.rs`, `order.rs` | what the command and its workers tell each other; a search as bytes |
//! | `worker.rs` | the process that has a part of every search |
//! | `pool.rs` | the command's side: workers are started, given orders, watched |
//! | `engine.rs` | all of it as an [`taut_engine::Engine`] |
//!
//! There is no listener without workers: a process listens only if it is started as one ([`work`]), and no longer than it takes to
//! connect.

mod dataflow;
mod engine;
mod link;
mod order;
mod pool;
mod token;
mod wire;
mod worker;

pub use engine::Cluster;
pub use link::CUT;
pub use pool::{Report, Settings};
pub use token::Token;
pub use worker::{WorkerSettings, work};
