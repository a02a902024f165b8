//! Taut beside SPIN on plain Promela models under sequential consistency.
//!
//! Both search all states of the same model on one core, without reductions, and must agree on how many
//! there are. SPIN is used as its users do who want speed: `gcc -O3`, a hash table as large as the number of
//! states asks for. What counts for a user is the time from the file to the verdict, so SPIN's generation and
//! compilation are measured too. Bytes a state are what holds the visited states: SPIN's states and hash
//! table without its search stack, Taut's peak in all.

use std::path::{Path, PathBuf};
use std::time::Instant;

use taut::load::{LoadOptions, from_path};
use taut::{Check, Order, Reduce};
use taut_testkit::spin::{PLAIN, Verifier};

/// What to run.
#[derive(clap::Args)]
pub struct PromelaArgs {
    /// Only models whose name has this in it.
    filter: Option<String>,
    /// Leave out models with more than a million states.
    #[arg(long)]
    small: bool,
    /// Leave SPIN out.
    #[arg(long)]
    no_spin: bool,
    /// Runs of each search; the best counts.
    #[arg(long, default_value_t = 1)]
    rounds: u32,
}

/// A model with its size, and about how many states that makes.
struct Model {
    file: PathBuf,
    defines: &'static [&'static str],
    about: u64,
}

/// The models of this crate.
const OWN: &[(&str, &[&str], u64)] = &[
    ("philosophers.pml", &["N=5"], 819),
    ("counters.pml", &["LIMIT=12"], 28_561),
    ("window.pml", &["W=2"], 15_949),
    ("peterson.pml", &["N=3"], 51_596),
    ("leader.pml", &["N=6"], 313_449),
    ("bakery.pml", &["MOST=4"], 710_466),
    ("window.pml", &["W=4", "C=3"], 1_069_747),
    ("bakery.pml", &["MOST=8"], 2_314_888),
    ("counters.pml", &["LIMIT=40"], 2_825_761),
    ("leader.pml", &["N=7"], 2_829_274),
    ("philosophers.pml", &["N=11"], 3_355_443),
    ("window.pml", &["W=4", "C=4"], 3_501_778),
    ("peterson.pml", &["N=4"], 8_843_939),
];

/// Models of the corpus, if there is one.
const CORPUS: &[(&str, u64)] = &[
    ("peterson.pml", 55),
    ("leader0.pml", 41_692),
    ("eratosthenes.pml", 47_669),
    ("LTL/train.pml", 57_482),
    ("dtp.pml", 251_409),
    ("LTL/pftp.pml", 439_895),
];

/// Figures of one tool on one model.
#[derive(Clone, Copy)]
struct Figures {
    states: u64,
    transitions: u64,
    search_seconds: f64,
    total_seconds: f64,
    bytes: f64,
}

/// Runs the benchmark.
pub fn run(args: &PromelaArgs) -> Result<(), String> {
    println!("one core, sequential consistency, no reductions, best of {}", args.rounds.max(1));
    println!(
        "{:<30} {:<5} {:>10} {:>11} {:>8} {:>10} {:>13} {:>9} {:>8}",
        "",
        "",
        "states",
        "transitions",
        "seconds",
        "states/s",
        "transitions/s",
        "bytes/st",
        "total s"
    );
    for model in models() {
        let wanted = args.filter.as_ref().is_none_or(|f| model.name().contains(f.as_str()));
        if wanted && !(args.small && model.about > 1_000_000) {
            compare(&model, args)?;
        }
    }
    println!("seconds: the search; total s: from the file to the verdict, for SPIN with gcc");
    println!(
        "floors: states/s and bytes/st as good as SPIN's over a million states, total s always"
    );
    Ok(())
}

fn models() -> Vec<Model> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = OWN.iter().map(|&(file, defines, about)| Model {
        file: root.join("models").join(file),
        defines,
        about,
    });
    let named = std::env::var_os("TAUT_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or_else(|| root.join("../../shared/corpus")).join("promela");
    let theirs =
        CORPUS.iter().map(|&(file, about)| Model { file: corpus.join(file), defines: &[], about });
    let mut all: Vec<_> = own.chain(theirs.filter(|m| m.file.is_file())).collect();
    all.sort_by_key(|model| model.about);
    all
}

impl Model {
    fn name(&self) -> String {
        let file = self.file.file_stem().expect("a name").to_string_lossy();
        [&[&*file], self.defines].concat().join(" ")
    }
}

fn compare(model: &Model, args: &PromelaArgs) -> Result<(), String> {
    let name = model.name();
    let taut = best(args.rounds, || by_taut(model)).map_err(|e| format!("{name}: {e}"))?;
    row(&name, "taut", taut);
    if args.no_spin {
        return Ok(());
    }
    let spin = match best(args.rounds, || by_spin(model)) {
        Ok(spin) => spin,
        Err(why) => {
            println!("{:<30} spin left out: {why}", "");
            return Ok(());
        }
    };
    row("", "spin", spin);
    ratios(taut, spin);
    match taut.states == spin.states {
        true => Ok(()),
        false => Err(format!("{name}: Taut and SPIN store different numbers of states")),
    }
}

/// What Taut has for each of SPIN's. SPIN measures hundredths of a second, and its memory comes in pieces, so
/// for small searches only the time in all says something.
fn ratios(taut: Figures, spin: Figures) {
    let bytes = (taut.bytes / taut.states as f64) / (spin.bytes / spin.states as f64);
    let ratio = |value: f64| match spin.states < 100_000 {
        true => "-".to_string(),
        false => format!("{value:.2}x"),
    };
    println!(
        "{:<30} {:<5} {:>10} {:>11} {:>8} {:>10} {:>13} {:>9} {:>7.2}x",
        "",
        "ratio",
        if taut.states == spin.states { "same" } else { "DIFFERENT" },
        if taut.transitions == spin.transitions { "same" } else { "different" },
        "",
        ratio(taut.rate() / spin.rate()),
        ratio(taut.transition_rate() / spin.transition_rate()),
        ratio(bytes),
        taut.total_seconds / spin.total_seconds,
    );
}

/// The run with the least time in all.
fn best(rounds: u32, run: impl Fn() -> Result<Figures, String>) -> Result<Figures, String> {
    let mut all = (0..rounds.max(1)).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    all.sort_by(|a, b| a.total_seconds.total_cmp(&b.total_seconds));
    Ok(all[0])
}

impl Figures {
    fn rate(&self) -> f64 {
        self.states as f64 / self.search_seconds
    }

    fn transition_rate(&self) -> f64 {
        self.transitions as f64 / self.search_seconds
    }
}

fn row(name: &str, tool: &str, f: Figures) {
    println!(
        "{name:<30} {tool:<5} {:>10} {:>11} {:>8.3} {:>10.0} {:>13.0} {:>9.1} {:>8.3}",
        f.states,
        f.transitions,
        f.search_seconds,
        f.rate(),
        f.transition_rate(),
        f.bytes / f.states as f64,
        f.total_seconds,
    );
}

fn by_taut(model: &Model) -> Result<Figures, String> {
    let start = Instant::now();
    let options = LoadOptions::default().define(model.defines.iter().copied());
    let loaded = from_path(&model.file, options).map_err(|e| e.to_string())?;
    // SPIN is compiled without the claim, so only states are compared.
    let report = Check::of(&loaded)
        .temporal(false)
        .order(Order::Bfs)
        .reduce(Reduce::None)
        .run()
        .map_err(|e| e.to_string())?;
    let total_seconds = start.elapsed().as_secs_f64();
    if !report.complete {
        return Err("Taut found a violation or met a limit".into());
    }
    let s = report.stats;
    Ok(Figures {
        states: s.states,
        // As SPIN counts them: steps inside of an atomic block are part of the one that leaves it.
        transitions: s.states + s.matched,
        search_seconds: s.time.as_secs_f64(),
        total_seconds,
        bytes: s.peak_bytes as f64,
    })
}

fn by_spin(model: &Model) -> Result<Figures, String> {
    let bytes = std::fs::read(&model.file).map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let start = Instant::now();
    let defines: Vec<_> = model.defines.iter().map(|d| format!("-D{d}")).collect();
    let options: Vec<_> = PLAIN.iter().copied().chain(defines.iter().map(|d| &**d)).collect();
    let verifier = Verifier::generate(&text, &options)?;
    verifier.compile("gcc", &["-O3", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=16000"])?;
    // A slot for every state, and a stack that no search of these models overflows.
    let table = format!("-w{}", model.about.ilog2().max(13) + 1);
    let depth = format!("-m{}", (model.about + 1_000).min(4_000_000));
    let figures = verifier.run(&["-n", &table, &depth])?;
    let total_seconds = start.elapsed().as_secs_f64();
    match figures.complete && figures.errors == 0 {
        true => Ok(Figures {
            states: figures.states,
            transitions: figures.transitions,
            search_seconds: figures.seconds,
            total_seconds,
            bytes: figures.store_bytes,
        }),
        false => Err("SPIN found an error or was cut off".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_models_have_as_many_states_as_the_table_says_and_as_spin_stores() {
        for model in models().iter().filter(|m| m.about < 60_000) {
            let name = model.name();
            let taut = by_taut(model).unwrap_or_else(|e| panic!("{name}: {e}"));
            let spin = by_spin(model).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!((taut.states, spin.states), (model.about, model.about), "{name}");
        }
    }
}
