//! Benchmarks of Taut, side by side with a peer where there is one.
//!
//! `cargo run --release -p taut-bench -- c|c-read|disk|dual|litmus|states|promela|proofs|mmlib|questions|rounds|symbolic|repair|spin|usability`.
//! Everything runs on one core, except where `spin` says otherwise.
//! Timing lives here and in no test.

mod c;
mod c_heap;
mod c_read;
mod completion;
mod disk;
mod dual;
mod growth;
mod litmus;
mod mmlib;
mod plot;
mod promela;
mod proofs;
mod questions;
mod repair;
mod rounds;
mod spin;
mod states;
mod symbolic;
mod usability;

use clap::{Parser, Subcommand};

/// Benchmarks of Taut.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Locks and data structures in C, by memory model, number of threads and number of entries.
    C(c::CArgs),
    /// Symmetry of heap slots of C programs: states and time with and without it.
    CHeap(c_heap::CHeapArgs),
    /// A large C file: the time to read it.
    CRead(c_read::CReadArgs),
    /// States in files with an eighth of the memory, beside states in memory.
    Disk(disk::DiskArgs),
    /// The dual engine beside Dual-TSO: constraints and seconds.
    Dual(dual::DualArgs),
    /// Fills the tables of the book's page on growth from the figures of `spin`.
    Growth(growth::GrowthArgs),
    /// Litmus tests per second over a folder of tests: reading, compiling, all final states.
    Litmus(litmus::LitmusArgs),
    /// The models of mmlib under SC, TSO and PSO, safety and liveness, beside the paper and SPIN.
    Mmlib(mmlib::MmlibArgs),
    /// Certificates: bytes per state, seconds to write and to check them.
    Proofs(proofs::ProofsArgs),
    /// Promela models: from the file to the verdict, beside SPIN.
    Promela(promela::PromelaArgs),
    /// Time to the first violation and to the last verdict of every example, beside another executable.
    Questions(questions::QuestionsArgs),
    /// The cheapest fences of every lock, and Havel's experiment with atomic writes.
    Repair(repair::RepairArgs),
    /// Rounds, the symbolic engine and explicit search side by side under TSO, and the paper's Table 1.
    Rounds(rounds::RoundsArgs),
    /// Everything beside SPIN in one table and one drawing: speed, memory, store buffers, scaling.
    Spin(spin::SpinArgs),
    /// States and transitions per second and bytes per state on a plain counting model.
    States(states::StatesArgs),
    /// Buffers of any size: the symbolic engine, beside searches with bounds and Linden and Wolper's figures.
    Symbolic(symbolic::SymbolicArgs),
    /// What a user waits for: the first output of commands, and pages with long runs.
    Usability(usability::UsabilityArgs),
}

fn main() {
    let done = match Args::parse().command {
        Command::C(args) => c::run(&args),
        Command::CHeap(args) => c_heap::run(&args),
        Command::CRead(args) => c_read::run(&args),
        Command::Disk(args) => disk::run(&args),
        Command::Dual(args) => dual::run(&args),
        Command::Growth(args) => growth::run(&args),
        Command::Litmus(args) => litmus::run(&args),
        Command::Mmlib(args) => mmlib::run(&args),
        Command::Promela(args) => promela::run(&args),
        Command::Proofs(args) => proofs::run(&args),
        Command::Questions(args) => questions::run(&args),
        Command::Repair(args) => repair::run(&args),
        Command::Rounds(args) => rounds::run(&args),
        Command::Spin(args) => spin::run(&args),
        Command::States(args) => states::run(&args),
        Command::Symbolic(args) => symbolic::run(&args),
        Command::Usability(args) => usability::run(&args),
    };
    if let Err(message) = done {
        eprintln!("error: {message}");
        std::process::exit(1);
    }
}
