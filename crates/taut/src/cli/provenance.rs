//! The line below a verdict by which it can be repeated.

use taut::{Loaded, Provenance, Report, Verdict};

/// What answers about a program depend on, this command's arguments included.
pub fn of(loaded: &Loaded) -> Provenance {
    Provenance::new(loaded, arguments())
}

/// The arguments of this command.
pub fn arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The line, if something holds: a violation is shown by its run.
pub fn line(loaded: &Loaded, reports: &[Report]) -> String {
    let mut results = reports.iter().flat_map(|report| &report.results);
    let any_holds = results.any(|result| matches!(result.verdict, Verdict::Holds(_)));
    if any_holds { format!("  repeat: {}\n", of(loaded).line()) } else { String::new() }
}
