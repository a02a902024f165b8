//! Commands for each reader.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::run::{MOST_BYTES, MOST_SECONDS, Runner};
use crate::seeds::{Reader, Seed};

/// One command and the file that it is about.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The name of the file, relative to the folder of the attack.
    pub name: PathBuf,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// The words of the command. `FILE` is the file.
    pub words: Vec<String>,
    /// Whether the command has a limit on memory.
    pub limited: bool,
}

impl Attempt {
    /// The command as a line.
    pub fn shown(&self) -> String {
        self.words.join(" ")
    }
}

/// Options of `check` and its relatives, each a few words.
const OPTIONS: [&str; 29] = [
    "--model sc",
    "--model tso",
    "--model pso",
    "--model delayed",
    "--model all",
    "--all",
    "--stats",
    "--bound 1",
    "--bound none",
    "--engine symbolic",
    "--engine explicit",
    "--engine rounds",
    "--engine dual",
    "--reduce none",
    "--reduce por",
    "--store tree",
    "--store compact",
    "--store bitstate",
    "--search dfs",
    "--no-deadlock",
    "--no-assert",
    "--no-fault",
    "--full-buffer error",
    "--granularity access",
    "--granularity statement",
    "--channels free",
    "--vacuity error",
    "--fairness weak",
    "--progress",
];

/// Formats of `check`.
const FORMATS: [&str; 5] = ["text", "json", "sarif", "github", "text"];

/// The commands that the executable has, with their limits.
pub struct Commands {
    /// The commands that have `--timeout`, and those that have `--max-memory`.
    timed: HashSet<&'static str>,
    limited: HashSet<&'static str>,
    threaded: HashSet<&'static str>,
}

const ALL: [&str; 12] = [
    "check",
    "compare",
    "explain",
    "repair",
    "fmt",
    "export",
    "translate",
    "graph",
    "replay",
    "simulate",
    "litmus",
    "ltl",
];

impl Commands {
    /// Looks into the help of the executable.
    pub fn new(runner: &Runner<'_>) -> Result<Commands, String> {
        let with = |option: &str| {
            let has =
                |name: &&'static str| Ok(runner.help(name)?.contains(option).then_some(*name));
            let found: Result<Vec<_>, String> = ALL.iter().map(has).collect();
            found.map(|found| found.into_iter().flatten().collect())
        };
        Ok(Commands {
            timed: with("--timeout")?,
            limited: with("--max-memory")?,
            threaded: with("-j, ")?,
        })
    }

    /// A command about a text.
    pub fn draw(&self, seed: &Seed, bytes: Vec<u8>, random: &mut fastrand::Rng) -> Attempt {
        let words = match seed.reader {
            Reader::Taut | Reader::Promela | Reader::Dve | Reader::Macros | Reader::Rmm => {
                program(random)
            }
            Reader::Litmus if random.bool() => words("litmus FILE --model all"),
            Reader::Litmus => program(random),
            Reader::Formulas => words("check ../examples/peterson.taut --ltl-file FILE"),
            Reader::Automaton => words("check ../examples/peterson.taut --hoa FILE --model sc"),
            Reader::Script => words("simulate ../examples/peterson.taut --model tso --script FILE"),
            Reader::Trace => {
                let program = seed.beside.as_deref().unwrap_or(std::path::Path::new("FILE"));
                vec!["replay".into(), program.display().to_string(), "FILE".into()]
            }
        };
        let name = PathBuf::from("attack").with_extension(seed.reader.extension());
        self.attempt(name, bytes, words)
    }

    /// A command with its limits.
    pub fn attempt(&self, name: PathBuf, bytes: Vec<u8>, mut words: Vec<String>) -> Attempt {
        let command = words.first().cloned().unwrap_or_default();
        if self.timed.contains(command.as_str()) {
            words.extend(["--timeout".into(), format!("{MOST_SECONDS}s")]);
        }
        let limited = self.limited.contains(command.as_str());
        if limited {
            words.extend(["--max-memory".into(), format!("{}M", MOST_BYTES >> 20)]);
        }
        if self.threaded.contains(command.as_str()) {
            words.extend(["-j".into(), "1".into()]);
        }
        Attempt { name, bytes, words, limited }
    }
}

/// Words between blanks.
pub fn words(text: &str) -> Vec<String> {
    text.split(' ').map(String::from).collect()
}

/// A command about a program.
fn program(random: &mut fastrand::Rng) -> Vec<String> {
    let model = ["sc", "tso", "pso"][random.usize(..3)];
    let mut words = match random.u32(..100) {
        0..55 => words("check FILE"),
        55..63 => words("compare FILE"),
        63..68 => words("explain FILE"),
        68..78 => {
            return words(&format!("repair FILE --model {}", ["tso", "pso"][random.usize(..2)]));
        }
        78..81 => return words("fmt FILE"),
        81..86 => return words(&format!("export FILE --to promela --model {model}")),
        86..88 => return words("export FILE --to dve --model delayed"),
        88..92 => return words(&format!("translate FILE --rounds {} --to taut", random.u32(..3))),
        92..96 => return words(&format!("graph FILE --model {model} --to dot")),
        _ => return words(&format!("simulate FILE --model {model} --script ../attack.script")),
    };
    let is_check = words[0] == "check";
    for _ in 0..random.usize(..4) {
        let option = OPTIONS[random.usize(..OPTIONS.len())];
        let needs_check =
            ["--model", "--all", "--stats", "--vacuity"].iter().any(|o| option.starts_with(o));
        let name = option.split(' ').next().unwrap_or_default();
        let is_new = !words.iter().any(|word| word == name);
        if is_new && (is_check || !needs_check) {
            words.extend(option.split(' ').map(String::from));
        }
    }
    if words[0] != "explain" {
        words.extend(["--format".into(), FORMATS[random.usize(..FORMATS.len())].into()]);
    }
    words
}
