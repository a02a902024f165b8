//! Attacks the executable `taut` as a stranger would.
//!
//! Two kinds of attack. The *table* is a fixed list of hostile names, sizes and nestings. The *mutations* are drawn by a
//! seed: a text of the repository is changed in a few places and given to a random command with small limits. What must
//! never happen is the same for both: a panic, a signal, the exit codes of a bug (70, 101), an exit code that means
//! nothing, an answer that comes later than the limit allows, more memory than the limit allows.
//!
//! | file | idea |
//! | --- | --- |
//! | `seeds.rs` | texts to begin with, by their reader |
//! | `mutate.rs` | changes of a text |
//! | `commands.rs` | commands for each reader |
//! | `run.rs` | one command, watched |
//! | `table.rs` | hostile names, sizes and nestings |
//! | `shrink.rs` | a smaller text that fails in the same way |
//!
//! Processor time is measured, not the time on the wall: the machine may be busy with something else. Each worker is a
//! process of its own that runs one command after the other, because the system tells the memory of the largest child
//! only.

mod commands;
mod mutate;
mod run;
mod seeds;
mod shrink;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use clap::Parser;

use commands::Commands;
use mutate::Mutator;
use run::{Failure, Runner};
use seeds::Seeds;

/// Attacks the executable of Taut.
#[derive(Clone, Debug, Parser)]
#[command(name = "taut-attack")]
struct Args {
    /// The executable.
    #[arg(long, default_value = "target/debug/taut")]
    taut: PathBuf,
    /// Seconds of mutations, after the table.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The seed of the mutations.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of processes that attack.
    #[arg(long, default_value_t = 2)]
    workers: u64,
    /// The directory for texts that failed.
    #[arg(long, default_value = "target/attack")]
    out: PathBuf,
    /// Makes the attack with this number alone.
    #[arg(long)]
    case: Option<u64>,
    /// Leaves out the table.
    #[arg(long)]
    no_table: bool,
    /// The number of this worker among all.
    #[arg(long, hide = true)]
    worker: Option<u64>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.worker {
        Some(worker) => attack(&args, worker),
        None if args.case.is_some() => attack(&args, 0),
        None => share(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Starts the workers and waits for them.
fn share(args: &Args) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut children = Vec::new();
    for worker in 0..args.workers.max(1) {
        let mut command = Command::new(&own);
        command.args(std::env::args_os().skip(1)).args(["--worker", &worker.to_string()]);
        children.push(command.spawn().map_err(|error| error.to_string())?);
    }
    let mut failed = 0;
    for mut child in children {
        let status = child.wait().map_err(|error| error.to_string())?;
        failed += u64::from(!status.success());
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} workers failed", args.workers)) }
}

/// The attacks of one worker: its part of the table, then mutations until the time is over.
fn attack(args: &Args, worker: u64) -> Result<(), String> {
    let taut = args.taut.canonicalize();
    let taut = taut.map_err(|error| format!("`{}`: {error}", args.taut.display()))?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let runner = Runner::new(&taut, folder.path())?;
    let seeds = Seeds::new(Path::new("."), &runner)?;
    let commands = Commands::new(&runner)?;
    if let Some(case) = args.case {
        return mutation(args, case, &seeds, &commands, &runner);
    }
    let workers = args.workers.max(1);
    if !args.no_table {
        let count = table::attack(&runner, &commands, worker, workers)?;
        println!("worker {worker}: {count} attacks of the table");
    }
    let end = Instant::now() + Duration::from_secs(args.seconds);
    let mut count = 0;
    while Instant::now() < end {
        mutation(args, count * workers + worker, &seeds, &commands, &runner)?;
        count += 1;
    }
    println!("worker {worker}: {count} mutated inputs, {}", runner.summary());
    // An attack in which everything is refused at once tests nothing.
    let decided = runner.decided();
    if count > 100 && decided * 20 < count {
        return Err(format!(
            "only {decided} of {count} inputs were accepted: look at the mutations"
        ));
    }
    Ok(())
}

/// The attack with a number: which text, which changes and which command is a function of the seed and the number.
fn mutation(
    args: &Args,
    case: u64,
    seeds: &Seeds,
    commands: &Commands,
    runner: &Runner<'_>,
) -> Result<(), String> {
    let mut random = fastrand::Rng::with_seed(args.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case);
    let seed = seeds.draw(&mut random);
    let mut mutator = Mutator { random: &mut random, others: seeds.of(seed.reader) };
    let text = mutator.mutated(&seed.bytes);
    let attempt = commands.draw(seed, text, &mut random);
    let Err(failure) = runner.run(&attempt) else { return Ok(()) };
    // The memory of a smaller text is not told: the system knows that of the largest child only.
    let small = match failure {
        Failure::Memory(_) => attempt,
        _ => shrink::shrink(runner, attempt, &failure),
    };
    let kept = keep(&args.out, case, &small.bytes).map_err(|error| error.to_string())?;
    Err(format!(
        "case {case} of seed {}: {failure}\n  taut {}\n  with {} for {}",
        args.seed,
        small.shown(),
        kept.display(),
        small.name.display(),
    ))
}

/// Keeps a text that failed.
fn keep(out: &Path, case: u64, bytes: &[u8]) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(out)?;
    let path = out.join(format!("case-{case}"));
    std::fs::write(&path, bytes)?;
    Ok(path)
}
