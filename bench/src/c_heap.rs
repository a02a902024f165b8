//! What the symmetry of heap slots saves: the same C program with slots numbered anew and with slots told apart.
//!
//! One core, explicit search with all other reductions, no bound on buffers.

use std::time::Duration;

use taut::engines::Explicit;
use taut::ir::References;
use taut::{Check, MemoryModel, Program, VerdictKind, load};

/// Arguments.
#[derive(clap::Args)]
pub struct CHeapArgs {
    /// The largest number of threads of the stack.
    #[arg(long, default_value_t = 3)]
    threads: u32,
    /// The limit on time for each search, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

const STACK: &str = include_str!("c/treiber.c");
const EXAMPLES: &[(&str, &str)] = &[
    ("hazard_pointers_fenced.c", include_str!("../../examples/c/hazard_pointers_fenced.c")),
    ("michael_scott.c", include_str!("../../examples/c/michael_scott.c")),
    ("rcu_publish_fenced.c", include_str!("../../examples/c/rcu_publish_fenced.c")),
    ("treiber_stack.c", include_str!("../../examples/c/treiber_stack.c")),
    ("vyukov_mpsc.c", include_str!("../../examples/c/vyukov_mpsc.c")),
];

/// Runs the benchmark.
pub fn run(args: &CHeapArgs) -> Result<(), String> {
    println!("| program | objects per site | model | told apart | numbered anew | states |");
    println!("| --- | ---: | --- | --- | --- | ---: |");
    for (name, text) in EXAMPLES {
        rows(name, (*text).to_owned(), 3, args)?;
    }
    for threads in 2..=args.threads {
        let text = format!("#define THREADS {threads}\n{STACK}");
        rows(&format!("Treiber's stack, {threads} threads"), text, threads.max(2), args)?;
    }
    Ok(())
}

fn rows(name: &str, text: String, objects: u32, args: &CHeapArgs) -> Result<(), String> {
    let mut options = load::LoadOptions::default();
    let heap = taut::frontends::options().into_iter().find(|(option, _)| option.name == "heap");
    let (heap, _) = heap.ok_or("no option --heap")?;
    options.values.set(&heap, objects.to_string())?;
    let loaded = load::from_bytes("bench.c", text.into_bytes(), options);
    let program = loaded.map_err(|error| error.to_string())?.program;
    let apart = Program { references: References::default(), ..program.clone() };
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        let (before, after) = (search(&apart, model, args)?, search(&program, model, args)?);
        let factor = before.states as f64 / after.states.max(1) as f64;
        let factor = if before.ended { format!("{factor:.1} times fewer") } else { "–".into() };
        println!(
            "| {name} | {objects} | {model} | {} | {} | {factor} |",
            before.shown(),
            after.shown()
        );
    }
    Ok(())
}

/// The figures of a search.
struct Figures {
    states: u64,
    seconds: f64,
    ended: bool,
}

impl Figures {
    fn shown(&self) -> String {
        let Figures { states, seconds, ended } = self;
        let limit = if *ended { "" } else { ", not ended" };
        format!("{states} states, {seconds:.2} s{limit}")
    }
}

fn search(program: &Program, model: MemoryModel, args: &CHeapArgs) -> Result<Figures, String> {
    let check = Check::of(program).model(model).engine(Explicit).threads(1);
    let report = check.timeout(Duration::from_secs(args.seconds)).run();
    let report = report.map_err(|error| error.to_string())?;
    let ended = report.results.iter().all(|r| r.verdict.kind() == VerdictKind::Holds);
    Ok(Figures { states: report.stats.states, seconds: report.stats.time.as_secs_f64(), ended })
}
