//! Locks and data structures in C: states, bytes per state and time by memory model, number of threads and number of entries.
//!
//! The programs are in `bench/src/c`. A lock is put behind a harness in which each thread enters a critical section some times, or
//! until it is told to stop, which may be never: then there is no bound on the number of entries. One core, no bound on buffers,
//! all properties that are checked without being asked for.

use std::time::Duration;

use taut::{Check, MemoryModel, Verdict, VerdictKind, load};

/// Arguments.
#[derive(clap::Args)]
pub struct CArgs {
    /// Only programs whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// The largest number of threads.
    #[arg(long, default_value_t = 4)]
    threads: u32,
    /// The limit on time for each memory model, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// The harness of the locks.
const HARNESS: &str = include_str!("c/harness.c");

/// A program.
struct Subject {
    name: &'static str,
    text: &'static str,
    /// The largest number of threads that it is made for.
    threads: u32,
    /// The numbers of entries per thread; 0 is no bound. Empty for a data structure.
    entries: &'static [u32],
}

/// A lock for two threads.
const fn pair(name: &'static str, text: &'static str) -> Subject {
    Subject { name, text, threads: 2, entries: &[1, 2, 3, 0] }
}

/// A lock for any number of threads.
const fn lock(name: &'static str, text: &'static str) -> Subject {
    Subject { name, text, threads: u32::MAX, entries: &[1, 2, 3, 0] }
}

/// A data structure.
const fn structure(name: &'static str, text: &'static str) -> Subject {
    Subject { name, text, threads: u32::MAX, entries: &[] }
}

const SUBJECTS: &[Subject] = &[
    pair("Peterson", include_str!("c/peterson.c")),
    pair("Dekker", include_str!("c/dekker.c")),
    pair("Szymanski", include_str!("c/szymanski.c")),
    lock("Lamport's fast lock", include_str!("c/lamport_fast.c")),
    lock("test-and-set", include_str!("c/test_and_set.c")),
    // Tickets count on for ever: without a bound on entries there are as many states as tickets.
    Subject {
        name: "ticket",
        text: include_str!("c/ticket.c"),
        threads: u32::MAX,
        entries: &[1, 2, 3],
    },
    lock("MCS", include_str!("c/mcs.c")),
    lock("CLH", include_str!("c/clh.c")),
    structure("Treiber's stack", include_str!("c/treiber.c")),
    structure("bounded queue", include_str!("c/queue.c")),
];

/// Runs the benchmark.
pub fn run(args: &CArgs) -> Result<(), String> {
    println!("| program | threads | entries | SC | TSO | PSO |");
    println!("| --- | ---: | ---: | --- | --- | --- |");
    let wanted = |subject: &&Subject| {
        let lower = subject.name.to_lowercase();
        args.only.as_ref().is_none_or(|only| lower.starts_with(&only.to_lowercase()))
    };
    for subject in SUBJECTS.iter().filter(wanted) {
        for threads in 2..=args.threads.min(subject.threads) {
            match subject.entries {
                [] => row(subject, threads, None, args)?,
                all => all.iter().try_for_each(|n| row(subject, threads, Some(*n), args))?,
            }
        }
    }
    Ok(())
}

/// Checks a program under each memory model.
fn row(subject: &Subject, threads: u32, entries: Option<u32>, args: &CArgs) -> Result<(), String> {
    let text = match entries {
        Some(entries) => format!(
            "#define THREADS {threads}\n#define ENTRIES {entries}\n{HARNESS}\n{}",
            subject.text
        ),
        None => format!("#define THREADS {threads}\n{}", subject.text),
    };
    let loaded = read(text, threads)?;
    let shown = match entries {
        None => "–".to_owned(),
        Some(0) => "any".to_owned(),
        Some(entries) => entries.to_string(),
    };
    let models = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];
    let cells: Result<Vec<_>, _> =
        models.into_iter().map(|model| cell(&loaded, model, args)).collect();
    println!("| {} | {threads} | {shown} | {} |", subject.name, cells?.join(" | "));
    Ok(())
}

/// The program, with an object of the heap per thread.
fn read(text: String, threads: u32) -> Result<load::Loaded, String> {
    let mut options = load::LoadOptions::default();
    let heap = taut::frontends::options().into_iter().find(|(option, _)| option.name == "heap");
    if let Some((heap, _)) = heap {
        options.values.set(&heap, threads.to_string())?;
    }
    load::from_bytes("bench.c", text.into_bytes(), options).map_err(|error| error.to_string())
}

/// States, bytes per state and time; how it ended, if not in a proof.
fn cell(loaded: &load::Loaded, model: MemoryModel, args: &CArgs) -> Result<String, String> {
    let limit = Duration::from_secs(args.seconds);
    let check = Check::of(loaded).model(model).threads(1).timeout(limit);
    let report = check.run().map_err(|error| error.to_string())?;
    let stats = &report.stats;
    let bytes = stats.state_bits.div_ceil(8);
    let time = stats.time.as_secs_f64();
    let figures = format!("{} × {bytes} B, {time:.2} s", stats.states);
    let worst = |kind: VerdictKind| report.results.iter().any(|r| r.verdict.kind() == kind);
    debug_assert!(report.results.iter().all(|r| !matches!(r.verdict, Verdict::NotAsked)));
    Ok(match (worst(VerdictKind::Violated), worst(VerdictKind::Unknown)) {
        (true, _) => format!("violated: {figures}"),
        (_, true) => format!("over {} s ({} states)", args.seconds, stats.states),
        _ => figures,
    })
}
