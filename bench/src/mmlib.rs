//! The experiments of the SPIN library for TSO and PSO (mmlib): its 24 models under SC, TSO and PSO, as in the
//! tables of its paper, with Taut, with the recorded figures of the library in SPIN 6.5.2, and with SPIN run
//! now on Taut's own export of the same model.
//!
//! Fairness is that of SPIN's `-f` (`process,memory-process`), so that all answer the same question; the
//! verdict under fairness to every buffer stands beside it. The models come from the corpus.

mod defaults;

use std::path::{Path, PathBuf};
use std::time::Instant;

use taut::export::{ExportOptions, promela_with};
use taut::ir::MemoryFairness;
use taut::load::{LoadOptions, Loaded, from_bytes};
use taut::{Check, Fairness, Memory, Report};
use taut_testkit::corpus;
use taut_testkit::mmlib::Case;
use taut_testkit::spin::Verifier;

/// Arguments.
#[derive(clap::Args)]
pub struct MmlibArgs {
    /// Do not run SPIN; only the recorded figures stand beside Taut's.
    #[arg(long)]
    no_spin: bool,
    /// Only models whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// How often Taut answers each question; the median counts.
    #[arg(long, default_value_t = 11)]
    runs: usize,
    /// Instead ask every question of every model by `taut check` with its default options, and list the verdicts that take
    /// more than 2 seconds.
    #[arg(long)]
    defaults: bool,
    /// For --defaults: the `taut` to measure; by default the one that was built beside this program.
    #[arg(long, requires = "defaults")]
    taut: Option<PathBuf>,
    /// For --defaults: the limit on time for each model.
    #[arg(long, requires = "defaults", default_value = "60s")]
    timeout: String,
}

/// What SPIN's `-f` promises to models of mmlib.
pub(crate) const SPINS: Fairness = Fairness { process: true, memory: MemoryFairness::Process };

/// The figures of the paper's Tables 1 and 2 (Journal of Information Processing 26, 2018): the model, and for SC,
/// TSO and PSO the memory in kilobytes and the time in seconds. Question 3.1 under PSO was given up.
const PAPER: &[(&str, [(&str, &str); 3])] = &[
    ("3.5.2", [("129.6", "0"), ("4210.4", "0.02"), ("4991.5", "0.02")]),
    ("prac_2.2", [("0.3", "0.01"), ("24.9", "0.07"), ("26.1", "0.07")]),
    ("ques_2.1_liveness", [("5.0", "0.11"), ("130.6", "0.02"), ("1914.0", "0.02")]),
    ("ques_2.1_safety", [("2.5", "0.02"), ("5.3", "0.13"), ("8.8", "0.13")]),
    ("ques_3.1", [("1.8", "0"), ("1477.4", "0.01"), (">47 GB", ">42.6")]),
    ("ques_3.3", [("2.3", "0"), ("150.0", "0.07"), ("146.3", "0.07")]),
    ("ques_3.7_liveness", [("2.0", "0"), ("251.6", "0.13"), ("176.4", "0.13")]),
    ("ques_3.7_safety", [("1.1", "0.03"), ("36.9", "0.06"), ("25.9", "0.06")]),
    ("burns_liveness", [("5.8", "0"), ("719.3", "0.03"), ("710.5", "0.03")]),
    ("burns_safety", [("2.9", "0"), ("369.0", "0"), ("364.5", "0")]),
    ("dekker_liveness", [("17.3", "0"), ("1929.1", "0.08"), ("4084.2", "0.08")]),
    ("dekker_safety", [("8.9", "0.01"), ("981.8", "0.01"), ("2069.2", "0.01")]),
    ("dijkstra_liveness", [("8.2", "0.03"), ("89.4", "0.04"), ("113.7", "0.04")]),
    ("dijkstra_safety", [("16.2", "0"), ("1365.3", "0.03"), ("2216.4", "0.03")]),
    ("lamportBakery_liveness", [("2.6", "0"), ("25.9", "0.12"), ("42.0", "0.12")]),
    ("lamportBakery_safety", [("41.9", "0"), ("2002.6", "0.01"), ("3235.2", "0.01")]),
    ("lamportFast_liveness", [("15.5", "0.05"), ("396.5", "0.05"), ("237.7", "0.05")]),
    ("lamportFast_safety", [("37.7", "0.10"), ("3230.2", "0.03"), ("5652.8", "0.03")]),
    ("peterson_liveness", [("5.4", "0"), ("214.0", "0.03"), ("601.6", "0.01")]),
    ("peterson_safety", [("2.8", "0"), ("113.7", "0"), ("184.0", "0")]),
    ("peterson_ast_liveness", [("–", "–"), ("–", "–"), ("270.9", "0.03")]),
    ("peterson_ast_safety", [("–", "–"), ("–", "–"), ("143.6", "0")]),
    ("szymanski_liveness", [("9.4", "0"), ("1732.0", "0.03"), ("1752.2", "0.03")]),
    ("szymanski_safety", [("5.7", "0.01"), ("1098.7", "0.02"), ("1111.5", "0.02")]),
];

/// The models of the paper.
pub(crate) fn models() -> impl Iterator<Item = &'static str> {
    PAPER.iter().map(|(model, _)| *model)
}

/// What one tool says about one question.
struct Answer {
    verdict: String,
    states: u64,
    /// For states.
    kilobytes: f64,
    search_seconds: f64,
    /// From the file to the verdict.
    total_seconds: f64,
}

/// The answers of all about one question.
struct Answers {
    taut: Answer,
    /// Taut's verdict if no buffer may wait for ever.
    if_fair: String,
    recorded: Option<Answer>,
    live: Option<Result<Answer, String>>,
}

/// Runs the benchmark.
pub fn run(args: &MmlibArgs) -> Result<(), String> {
    let folder = corpus::find("taut-bench mmlib").ok_or("the models are not in the repository")?;
    let folder = folder.join("mmlib");
    if args.defaults {
        return defaults::run(args, &folder);
    }
    let mut total = Total::default();
    heading();
    for (model, paper) in PAPER {
        if args.only.as_ref().is_some_and(|only| !model.starts_with(only.as_str())) {
            continue;
        }
        for (memory, paper) in ["sc", "tso", "pso"].into_iter().zip(paper) {
            let case = find(&folder, model, memory, "noreduce")?;
            let answers = answer(&case, args)?;
            row(model, memory, *paper, &answers);
            total.add(&answers);
        }
    }
    total.print();
    Ok(())
}

/// The row of the table with the fences that the paper's experiment has: all that the model says are needed.
pub(crate) fn find(
    folder: &Path,
    model: &str,
    memory: &str,
    reduction: &str,
) -> Result<Case, String> {
    let wanted = |case: &Case| {
        case.get("version") == "forLib"
            && case.get("model") == model
            && case.get("memory") == memory
            && case.get("search") != "reach"
            && case.get("reduction") == reduction
    };
    let cases = Case::all(folder).into_iter().filter(wanted);
    cases.max_by_key(fences).ok_or(format!("no row for {model} under {memory}"))
}

fn fences(case: &Case) -> usize {
    case.get("fence").split('+').filter(|fence| *fence != "none").count()
}

fn answer(case: &Case, args: &MmlibArgs) -> Result<Answers, String> {
    let fairness = if case.get("search") == "claim" { Fairness::NONE } else { SPINS };
    Ok(Answers {
        taut: by_taut(case, fairness, args.runs)?,
        if_fair: verdict(&check(&load(case)?, Fairness::ALL)?),
        recorded: recorded(case),
        live: (!args.no_spin).then(|| by_spin(case, fairness)),
    })
}

pub(crate) fn load(case: &Case) -> Result<Loaded, String> {
    let name = case.path.display().to_string();
    from_bytes(&name, case.text().into_bytes(), LoadOptions::default()).map_err(|e| e.to_string())
}

/// Asks about the claim alone.
fn check(loaded: &Loaded, fairness: Fairness) -> Result<Report, String> {
    let claims = loaded.program.properties.iter().filter(|p| p.kind.is_temporal());
    let claims = claims.map(|p| p.name.clone()).collect();
    Check::of(loaded).only(claims).fairness(fairness).run().map_err(|e| e.to_string())
}

fn verdict(report: &Report) -> String {
    report.results.first().map_or("–", |r| r.verdict.word()).into()
}

fn by_taut(case: &Case, fairness: Fairness, runs: usize) -> Result<Answer, String> {
    let mut all = Vec::new();
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        let report = check(&load(case)?, fairness)?;
        let total_seconds = start.elapsed().as_secs_f64();
        let search = report.results.first().and_then(|r| r.stats).unwrap_or(report.stats);
        all.push(Answer {
            verdict: verdict(&report),
            states: report.stats.states,
            kilobytes: report.stats.peak_bytes as f64 / 1e3,
            search_seconds: search.time.as_secs_f64(),
            total_seconds,
        });
    }
    all.sort_by(|a, b| a.total_seconds.total_cmp(&b.total_seconds));
    Ok(all.swap_remove(all.len() / 2))
}

/// What SPIN 6.5.2 said about the library's encoding.
fn recorded(case: &Case) -> Option<Answer> {
    let seconds = case.number("pan_elapsed_s")?;
    Some(Answer {
        verdict: case.get("verdict").into(),
        states: case.number("states_stored")? as u64,
        kilobytes: case.number("mem_states_actual_mb")? * 1e3,
        search_seconds: seconds,
        total_seconds: seconds + case.number("gcc_cpu_s")?,
    })
}

/// Asks SPIN, now, about Taut's export of the model.
fn by_spin(case: &Case, fairness: Fairness) -> Result<Answer, String> {
    let loaded = load(case)?;
    let model = loaded.memory_model().ok_or("no memory model")?;
    let memory = Memory::new(model).bounded(Some(loaded.bound()));
    // The search for states finds out how many processes run at once.
    let grown = Check::of(&loaded).temporal(false).deadlock(false).asserts(false);
    let grown = grown.max_states(Some(100_000)).run().map_err(|e| e.to_string())?.program;
    let options = ExportOptions { fairness };
    let export = promela_with(&grown, memory, options).map_err(|e| e.to_string())?;
    let claim = export.claims.first().ok_or("no claim")?;
    let start = Instant::now();
    let verifier = Verifier::generate(&export.text, &[])?;
    let flags: Vec<&str> =
        ["-O3", "-DMEMLIM=4000"].into_iter().chain(export.compile.iter().map(|f| &**f)).collect();
    verifier.compile("gcc", &flags)?;
    let searched = Instant::now();
    let run: Vec<&str> = export.run.iter().map(|f| &**f).collect();
    let more = ["-n", "-m200000", "-w18", "-Q1", "-N", &claim.name];
    let figures = verifier.run(&run.into_iter().chain(more).collect::<Vec<_>>())?;
    let verdict = match (figures.errors, figures.complete, export.exact) {
        (0, false, _) => "cut off",
        (0, true, true) => "holds",
        (_, _, true) => "violated",
        (_, _, false) => "not the same question",
    };
    Ok(Answer {
        verdict: verdict.into(),
        states: figures.states,
        kilobytes: figures.store_bytes / 1e3,
        // SPIN rounds to hundredths of a second, and most of these take less.
        search_seconds: searched.elapsed().as_secs_f64(),
        total_seconds: start.elapsed().as_secs_f64(),
    })
}

fn heading() {
    println!(
        "| model | memory | paper, KB | s | SPIN 6.5.2, recorded | states | KB | s | gcc, s | Taut | if no store \
         waits for ever | states | KB | search, ms | from the file, ms | SPIN on the export | states | KB | \
         search, s | from the file, s |"
    );
    println!("|{}", " --- |".repeat(20));
}

fn row(model: &str, memory: &str, paper: (&str, &str), answers: &Answers) {
    let taut = &answers.taut;
    let recorded = match &answers.recorded {
        None => "– | – | – | – | –".into(),
        Some(a) => format!(
            "{} | {} | {:.0} | {:.2} | {:.2}",
            a.verdict,
            a.states,
            a.kilobytes,
            a.search_seconds,
            a.total_seconds - a.search_seconds
        ),
    };
    let live = match &answers.live {
        None => "– | – | – | – | –".into(),
        Some(Err(why)) => {
            format!("{} | – | – | – | –", why.lines().next().unwrap_or("an error"))
        }
        Some(Ok(a)) => format!(
            "{} | {} | {:.0} | {:.3} | {:.2}",
            a.verdict, a.states, a.kilobytes, a.search_seconds, a.total_seconds
        ),
    };
    println!(
        "| {model} | {memory} | {} | {} | {recorded} | {} | {} | {} | {:.1} | {:.3} | {:.2} | {live} |",
        paper.0,
        paper.1,
        taut.verdict,
        answers.if_fair,
        taut.states,
        taut.kilobytes,
        taut.search_seconds * 1e3,
        taut.total_seconds * 1e3,
    );
}

/// Sums of times and memory, over the rows in which both tools have them.
#[derive(Default)]
struct Total {
    rows: usize,
    recorded: Ratios,
    live: Ratios,
    different: Vec<String>,
}

#[derive(Default)]
struct Ratio {
    rows: usize,
    taut: [f64; 3],
    spin: [f64; 3],
}

/// All rows, and those that SPIN finished.
#[derive(Default)]
struct Ratios {
    all: Ratio,
    finished: Ratio,
}

impl Ratios {
    fn add(&mut self, taut: &Answer, spin: &Answer) {
        self.all.add(taut, spin);
        if !matches!(spin.verdict.as_str(), "incomplete" | "cut off") {
            self.finished.add(taut, spin);
        }
    }

    fn print(&self, title: &str) {
        self.all.print(title);
        if self.finished.rows < self.all.rows {
            self.finished.print("the same without the rows in which SPIN was cut off");
        }
    }
}

impl Ratio {
    fn add(&mut self, taut: &Answer, spin: &Answer) {
        self.rows += 1;
        let figures = |a: &Answer| [a.total_seconds, a.search_seconds, a.kilobytes];
        for i in 0..3 {
            self.taut[i] += figures(taut)[i];
            self.spin[i] += figures(spin)[i];
        }
    }

    fn print(&self, title: &str) {
        if self.rows == 0 {
            return;
        }
        let [total, search, memory] = [0, 1, 2].map(|i| self.spin[i] / self.taut[i]);
        println!(
            "{title}: {} rows\n  from the file to the verdict: Taut {:.3} s, \
             SPIN {:.1} s, {total:.0} times\n  search: Taut {:.4} s, SPIN {:.2} s, {search:.1} times\n  memory \
             for states: Taut {:.0} KB, SPIN {:.0} KB, {memory:.1} times",
            self.rows,
            self.taut[0],
            self.spin[0],
            self.taut[1],
            self.spin[1],
            self.taut[2],
            self.spin[2],
        );
    }
}

impl Total {
    fn add(&mut self, answers: &Answers) {
        self.rows += 1;
        let taut = &answers.taut;
        let live = answers.live.as_ref().and_then(|live| live.as_ref().ok());
        for (spin, ratio) in
            [(answers.recorded.as_ref(), &mut self.recorded), (live, &mut self.live)]
        {
            let Some(spin) = spin else { continue };
            ratio.add(taut, spin);
            let both = ["holds", "violated"];
            if both.contains(&spin.verdict.as_str()) && spin.verdict != taut.verdict {
                self.different.push(format!("row {}", self.rows));
            }
        }
    }

    fn print(&self) {
        println!();
        self.recorded.print("recorded figures of the library in SPIN 6.5.2");
        self.live.print("SPIN run now on Taut's export");
        match self.different.is_empty() {
            true => println!("no verdict differs"),
            false => println!("verdicts differ: {}", self.different.join(", ")),
        }
    }
}
