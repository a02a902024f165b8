//! What the tests of every engine share: random programs and the way to the oracles.
//!
//! [`suite`] is the one suite that every engine runs. [`cases`] draws random cases, counts them ([`tally`]) and keeps those
//! that fail ([`regressions`]). [`random`] makes programs that shrink to small ones when a test fails, [`accesses`] makes
//! programs with several accesses per statement, [`promela_like`] programs with channels and rendezvous, [`padding`] puts
//! local steps between the others, [`priorities`] gives their processes priorities, [`temporal`] asks questions
//! about their runs, and [`variants`] makes mistakes of reductions easier to notice. [`broken`] reads the programs that a
//! front end refuses. [`corpus`] finds the oracles that live outside of the repository, [`table`] and [`mmlib`] read
//! them, [`spin`] runs SPIN, [`seeds`] asks it about many models, [`browser`] drives a browser, and [`served`] talks to
//! a server of ours. [`dual_tso`] has the programs and figures of a research tool. [`shapes`] are programs that
//! languages of buffers do not converge on. [`shelf`] keeps checkpoints in memory. [`stale`] is a memory system whose loads have several outcomes.

pub mod accesses;
pub mod broken;
pub mod browser;
pub mod cases;
pub mod corpus;
pub mod decoded;
pub mod dual_tso;
pub mod looping;
pub mod mmlib;
pub mod padding;
pub mod priorities;
pub mod promela;
pub mod promela_like;
pub mod random;
pub mod regressions;
pub mod seeds;
pub mod served;
pub mod shapes;
pub mod shelf;
pub mod spin;
pub mod stale;
pub mod suite;
pub mod table;
pub mod tally;
pub mod temporal;
pub mod variants;
