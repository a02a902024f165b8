//! `taut-certify FILE PROOF`: checks a certificate against a program.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

use taut_budget::{Budget, Level, Meter, host, units};
use taut_certify::{Certified, Refusal, certify};
use taut_proof::sha256;

const HELP: &str = "\
Checks a certificate that `taut check FILE --proof PROOF` has written, or `taut repair`.

Usage: taut-certify [OPTIONS] FILE PROOF

Arguments:
  FILE   The program that the certificate is about; of a repair, as it was or as it is
  PROOF  The certificate

Options:
  --timeout TIME     Take at most so long (60s, 500ms, 2m)
  --max-memory SIZE  Use at most so much memory (4G, 512M); by default three quarters of what is free
  -h, --help         Print help
  -V, --version      Print the version

Exit code: 0 if the certificate is accepted, 1 if it is refused, 2 if a limit was met, 3 for bad input.
";

/// What can be typed.
#[derive(Default)]
struct Typed {
    files: Vec<String>,
    time: Option<Duration>,
    memory: Option<u64>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "-h" || word == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if words.iter().any(|word| word == "-V" || word == "--version") {
        println!("taut-certify {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match read(words) {
        Ok(typed) => run(&typed),
        Err(why) => bad(&why),
    }
}

fn bad(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::from(3)
}

fn read(words: Vec<String>) -> Result<Typed, String> {
    let mut typed = Typed::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name.to_string(), Some(value.into())),
            _ => (word.clone(), None),
        };
        let value = || attached.or_else(|| words.next()).ok_or(format!("{name} has no value"));
        match name.as_str() {
            "--timeout" => typed.time = Some(units::duration(&value()?)?),
            "--max-memory" => typed.memory = Some(units::size(&value()?)?),
            other if other.starts_with("--") => {
                return Err(format!("there is no option `{other}`"));
            }
            _ => typed.files.push(word),
        }
    }
    match typed.files.len() {
        2 => Ok(typed),
        _ => Err("two files are needed: the program and its certificate".into()),
    }
}

fn run(typed: &Typed) -> ExitCode {
    let budget = Budget::new().time(typed.time);
    let budget = budget.memory(host::memory_limit(typed.memory), Meter::new());
    // There is nothing inside of it that could tell how far it came: it ends at the limit, not after it.
    match budget.run(Level::Search, || check(&typed.files[0], &typed.files[1])) {
        Ok(exit) => exit,
        Err(met) => {
            println!("unknown: {met}");
            ExitCode::from(2)
        }
    }
}

fn check(file: &str, proof: &str) -> ExitCode {
    let load = |path: &str| std::fs::read(path).map_err(|e| format!("cannot read `{path}`: {e}"));
    let (text, proof) = match load(file).and_then(|text| Ok((text, load(proof)?))) {
        Ok(both) => both,
        Err(why) => return bad(&why),
    };
    match certify(file, &text, &proof) {
        Ok(Certified { claims, fixed }) => {
            println!("accepted: {file}, sha256 {}", sha256(&text));
            fixed.iter().for_each(|fixed| println!("{fixed}"));
            claims.iter().for_each(|claim| println!("{claim}"));
            ExitCode::SUCCESS
        }
        Err(Refusal::Program(messages)) => {
            eprint!("{messages}");
            ExitCode::from(3)
        }
        Err(Refusal::Proof(why)) => {
            println!("refused: {why}");
            ExitCode::from(1)
        }
    }
}
