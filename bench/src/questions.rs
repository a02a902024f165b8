//! The time to the answers: for every example and command, the time to the first violation and to the last verdict, and
//! the number of states.
//!
//! Everything is measured from outside, on one core: a line of standard output that says `violated` is the first
//! violation, the end of the process is the last verdict. States come from a run of the same command with `--format json`.
//! With `--against` another executable answers the same questions, in turn with the first, so that a busy machine is
//! busy for both.

mod ask;
mod asked;

use std::path::{Path, PathBuf};

use ask::{Answer, ask};
use asked::{Question, questions};

use crate::usability::program;

/// Arguments.
#[derive(clap::Args)]
pub struct QuestionsArgs {
    /// The `taut` to measure; by default the one that was built beside this program.
    #[arg(long)]
    taut: Option<PathBuf>,
    /// Another `taut` to compare it with.
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
    /// Only examples whose name begins like this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Number of times that each command runs; the median counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// The limit on time for each memory model, as `taut check --timeout` reads it.
    #[arg(long, default_value = "20s")]
    timeout: String,
}

/// Runs the benchmark.
pub fn run(args: &QuestionsArgs) -> Result<(), String> {
    let taut = program(args.taut.as_deref())?;
    let mut total = Total::default();
    heading(args.against.is_some());
    for question in questions(args.only.as_deref())? {
        let answers = answers(&taut, args, &question)?;
        row(&question, &answers);
        total.add(&answers);
    }
    total.print();
    Ok(())
}

/// The answers of the executable and, if there is one, of the other.
struct Answers {
    ours: Answer,
    theirs: Option<Answer>,
}

fn answers(taut: &Path, args: &QuestionsArgs, question: &Question) -> Result<Answers, String> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..args.runs.max(1) {
        ours.push(ask(taut, question, &args.timeout)?);
        if let Some(other) = &args.against {
            theirs.push(ask(other, question, &args.timeout)?);
        }
    }
    Ok(Answers { ours: Answer::median(&ours)?, theirs: Answer::median(&theirs).ok() })
}

fn heading(compared: bool) {
    let more = if compared {
        " before: first violation, ms | last verdict, ms | states | answer | first violation, ratio | last verdict, \
         ratio | states, ratio |"
    } else {
        ""
    };
    println!(
        "| example | command | first violation, ms | last verdict, ms | states | answer |{more}"
    );
    println!("|{}", " --- |".repeat(if compared { 13 } else { 6 }));
}

fn row(question: &Question, Answers { ours, theirs }: &Answers) {
    let of = |a: &Answer| {
        let first = a.first.map_or_else(|| "–".into(), |s| format!("{:.1}", s * 1e3));
        let states = a.states.map_or_else(|| "–".into(), |states| states.to_string());
        format!(" {first} | {:.1} | {states} | {} |", a.last * 1e3, a.word())
    };
    let compared = theirs.as_ref().map_or_else(String::new, |theirs| {
        let ratios =
            ours.ratios(theirs).map(|r| r.map_or_else(|| "–".into(), |r| format!("{r:.2}")));
        format!("{} {} |", of(theirs), ratios.join(" | "))
    });
    println!("| {} | {} |{}{compared}", question.example, question.command, of(ours));
}

/// Sums over all rows, and ratios over those that both have.
#[derive(Default)]
struct Total {
    ours: f64,
    theirs: f64,
    /// For the first violation, the last verdict and the states: the number of rows and the sum of the logarithms.
    ratios: [(u32, f64); 3],
    /// Rows with different answers.
    different: usize,
}

impl Total {
    fn add(&mut self, Answers { ours, theirs }: &Answers) {
        self.ours += ours.last;
        let Some(theirs) = theirs else { return };
        self.theirs += theirs.last;
        self.different += usize::from(ours.code != theirs.code);
        for (ratio, sum) in ours.ratios(theirs).into_iter().zip(&mut self.ratios) {
            if let Some(ratio) = ratio {
                *sum = (sum.0 + 1, sum.1 + ratio.ln());
            }
        }
    }

    fn print(&self) {
        println!("\nall rows: {:.2} s", self.ours);
        if self.theirs == 0.0 {
            return;
        }
        println!("before: {:.2} s; rows with another exit code: {}", self.theirs, self.different);
        for (name, (rows, sum)) in
            ["first violation", "last verdict", "states"].iter().zip(self.ratios)
        {
            if rows > 0 {
                let mean = (sum / f64::from(rows)).exp();
                println!("{name}: {mean:.2} times as before (geometric mean of {rows} rows)");
            }
        }
    }
}
