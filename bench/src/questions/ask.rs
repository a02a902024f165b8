//! Asking a question: a process, its output as it comes, and its figures.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use taut_testkit::suite::root;

use super::asked::Question;

/// The answer to a question.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// Seconds to the first violation, if there is one.
    pub(super) first: Option<f64>,
    /// Seconds to the end.
    pub(super) last: f64,
    /// Number of states of all searches.
    pub(super) states: Option<u64>,
    /// The exit code.
    pub(super) code: Option<i32>,
}

impl Answer {
    /// The answers' medians, figure by figure.
    pub(super) fn median(answers: &[Answer]) -> Result<Answer, String> {
        let any = answers.first().ok_or("no answers")?;
        let middle = |mut all: Vec<f64>| {
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied()
        };
        let first = middle(answers.iter().filter_map(|a| a.first).collect());
        let last = middle(answers.iter().map(|a| a.last).collect());
        Ok(Answer { first, last: last.unwrap_or(any.last), ..any.clone() })
    }

    /// What the exit code says.
    pub(super) fn word(&self) -> &'static str {
        match self.code {
            Some(0) => "holds",
            Some(1) => "violated",
            Some(2) => "unknown",
            Some(3) => "refused",
            _ => "failed",
        }
    }

    /// The ratios to another answer: first violation, last verdict, states.
    pub(super) fn ratios(&self, other: &Answer) -> [Option<f64>; 3] {
        let states = |a: &Answer| a.states.filter(|&states| states > 0).map(|states| states as f64);
        let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
        [
            ratio(self.first, other.first),
            ratio(Some(self.last), Some(other.last)),
            ratio(states(self), states(other)),
        ]
    }
}

/// Asks an executable a question, on one core: once as text for the times, once as JSON for the states.
pub(super) fn ask(taut: &Path, question: &Question, timeout: &str) -> Result<Answer, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", taut.display());
    let start = Instant::now();
    let mut child =
        command(taut, question, timeout).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let output = child.stdout.take().ok_or("no standard output")?;
    let mut first = None;
    for line in BufReader::new(output).lines() {
        let line = line.map_err(failed)?;
        if first.is_none() && line.contains("violated") {
            first = Some(start.elapsed().as_secs_f64());
        }
    }
    let code = child.wait().map_err(failed)?.code();
    let last = start.elapsed().as_secs_f64();
    let json =
        command(taut, question, timeout).args(["--format", "json"]).output().map_err(failed)?;
    let states = states(&String::from_utf8_lossy(&json.stdout));
    Ok(Answer { first, last, states, code })
}

fn command(taut: &Path, question: &Question, timeout: &str) -> Command {
    let mut command = Command::new(taut);
    command.args(&question.arguments).args(["-j", "1", "--timeout", timeout]);
    command.current_dir(root()).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// The states of all memory models: one object per line.
fn states(output: &str) -> Option<u64> {
    let objects = output.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    let figures: Vec<u64> = objects.filter_map(|o| o["stats"]["states"].as_u64()).collect();
    (!figures.is_empty()).then(|| figures.iter().sum())
}
