//! Both tools with the limits of the benchmark.

use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use taut::{Check, Loaded, Reduce, StoreKind};
use taut_testkit::spin::Verifier;

use super::SpinArgs;
use super::figures::Figures;

/// A way to use Taut.
#[derive(Clone, Copy)]
pub struct Way {
    pub name: &'static str,
    pub reduce: Reduce,
    pub store: StoreKind,
    /// One thread in place of one a core.
    pub alone: bool,
}

impl Way {
    /// As it comes.
    pub const TAUT: Way =
        Way { name: "Taut", reduce: Reduce::All, store: StoreKind::Exact, alone: false };
    /// Every state.
    pub const UNREDUCED: Way = Way {
        name: "Taut, not reduced",
        reduce: Reduce::None,
        store: StoreKind::Exact,
        alone: false,
    };
}

/// Runs Taut, from reading on. Searches that take less than this are made again, and the fastest counts.
const SHORT: Duration = Duration::from_millis(200);

/// What Taut does with a question.
pub fn taut(
    args: &SpinArgs,
    way: Way,
    read: impl Fn() -> Result<Loaded, String>,
    ask: impl for<'l> Fn(Check<'l>, &'l Loaded) -> Check<'l>,
) -> Result<Figures, String> {
    let cores = available_parallelism().map_or(1, |n| n.get());
    let started = Instant::now();
    let mut best: Option<Figures> = None;
    while best.is_none() || started.elapsed() < SHORT {
        let start = Instant::now();
        let loaded = read()?;
        let check = Check::of(&loaded)
            .reduce(way.reduce)
            .store(way.store)
            .threads(if way.alone { 1 } else { cores })
            .max_memory(u64::from(args.megabytes) << 20)
            .timeout(Some(Duration::from_secs(60 * u64::from(args.minutes))));
        let report = ask(check, &loaded).run().map_err(|e| e.to_string())?;
        let figures = Figures::of(&report, start.elapsed().as_secs_f64());
        if best.as_ref().is_none_or(|best| figures.total_seconds < best.total_seconds) {
            best = Some(figures);
        }
    }
    best.ok_or("no search was made".into())
}

/// A model for SPIN, and how it is asked.
pub struct Spin<'a> {
    pub text: &'a str,
    /// For `spin -a`.
    pub generate: &'a [&'a str],
    /// For gcc, besides the optimisation and the limit of memory.
    pub compile: Vec<&'a str>,
    /// For the verifier, besides the limits.
    pub run: Vec<&'a str>,
    /// About how many states there are, for the sizes of the table and of the stack, which SPIN makes at the start.
    pub about: u64,
}

impl Spin<'_> {
    /// What SPIN does with it.
    pub fn search(&self, args: &SpinArgs) -> Result<Figures, String> {
        let memory = format!("-DMEMLIM={}", args.megabytes);
        let time = format!("-Q{}", args.minutes);
        // A slot for every state.
        let table = format!("-w{}", self.about.max(1).ilog2().clamp(9, 28) + 1);
        // An export has a few more states than the program.
        let depth = format!("-m{}", self.about.saturating_mul(4).clamp(10_000, 10_000_000));
        let optimised = if args.quick { "-O0" } else { "-O3" };
        let flags: Vec<&str> =
            [optimised, &memory].into_iter().chain(self.compile.iter().copied()).collect();
        let options: Vec<&str> =
            ["-n", &time, &table, &depth].into_iter().chain(self.run.iter().copied()).collect();
        let start = Instant::now();
        let verifier = Verifier::generate(self.text, self.generate)?;
        verifier.compile("gcc", &flags)?;
        let searched = Instant::now();
        let found = verifier.run(&options)?;
        let outcome = match (found.errors, found.complete) {
            (0, true) => "holds",
            (0, false) => "cut off",
            _ => "violated",
        };
        Ok(Figures {
            outcome,
            states: found.states,
            transitions: found.transitions,
            // SPIN rounds to hundredths of a second; where that says nothing, the clock does.
            search_seconds: match found.seconds > 0.1 {
                true => found.seconds,
                false => searched.elapsed().as_secs_f64(),
            },
            total_seconds: start.elapsed().as_secs_f64(),
            bytes: found.store_bytes,
        })
    }
}
