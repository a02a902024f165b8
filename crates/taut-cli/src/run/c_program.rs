//! C programs, which are run as they are.

use std::ffi::OsString;
use std::path::Path;

use taut::json::{RunDocument, SeenPropertyDocument};
use taut::{Loaded, QuestionKind, Report};
use taut_run::{CProgram, Event, EventKind, run_program};

use super::super::args::{InputArgs, RunOnProcessorArgs};
use super::super::exit::Exit;
use super::super::input::load_asking;
use super::super::refused::Refused;
use super::{begin, judge, seen};

/// The word for what no model was asked about.
const OTHER: &str = "other";

/// Runs a C program.
pub fn document(args: &RunOnProcessorArgs) -> Result<RunDocument, Exit> {
    if args.input.file == Path::new("-") {
        return Err(Refused::Message("a C program that is run must be a file".into()).show());
    }
    // A program that is refused here can run all the same; but a file that is not there cannot.
    let loaded = load_asking(&args.input, Vec::new());
    if !args.input.file.is_file() {
        let message = format!("`{}` is no file", args.input.file.display());
        return Err(loaded.err().unwrap_or(Refused::Message(message)).show());
    }
    let program = CProgram { file: args.input.file.clone(), options: options(args) };
    let (seen, compiler) = seen(args, |settings| run_program(&program, settings))?;
    let name = args.input.file.display().to_string();
    let mut document = begin(args, &name, &seen, &compiler);
    let reports = match &loaded {
        Ok(loaded) => {
            let reports = judge::reports(loaded, &judge::budget(args))?;
            document.properties = asked(loaded, &reports);
            reports
        }
        Err(refused) => {
            document.notes.push(unchecked(refused));
            Vec::new()
        }
    };
    for event in &seen.events {
        add(&mut document.properties, event);
    }
    if seen.left_out > 0 {
        document.notes.push(format!("{} further violations are not listed", seen.left_out));
    }
    if seen.cut > 0 {
        document.notes.push("rounds that took longer than a second were cut".into());
    }
    if args.cflags.is_empty() {
        judge::contradict(&mut document, &reports);
    } else {
        document.notes.push(
            "compiled with further options: the compiler may have changed the order of plain accesses".into(),
        );
    }
    Ok(document)
}

/// The options of the compiler: those of the language that compilers have, too, and those for the compiler alone.
fn options(args: &RunOnProcessorArgs) -> Vec<OsString> {
    let InputArgs { options, .. } = &args.input;
    let mut all = Vec::new();
    for (option, word) in &options.words {
        match (option.name, word.as_str()) {
            ("define", word) => all.push(format!("-D{word}").into()),
            ("undefine", word) => all.push(format!("-U{word}").into()),
            ("include-dir", word) => all.push(format!("-I{word}").into()),
            ("iquote", word) => all.extend(["-iquote".into(), word.into()]),
            ("isystem", word) => all.extend(["-isystem".into(), word.into()]),
            ("include", word) => all.extend(["-include".into(), word.into()]),
            ("overflow", "wrap") => all.push("-fwrapv".into()),
            _ => {}
        }
    }
    all.extend(args.cflags.iter().map(OsString::from));
    all
}

/// Why there are no verdicts.
fn unchecked(refused: &Refused) -> String {
    let why = match refused {
        Refused::Text(error) => {
            let first = error.diagnostics.iter().next();
            first.map_or_else(String::new, |d| d.message.clone())
        }
        Refused::Message(message) => message.clone(),
        Refused::Spent(met) => met.to_string(),
    };
    format!("the models were not asked, because `taut check` refuses the program: {why}")
}

/// The properties that the models were asked about.
fn asked(loaded: &Loaded, reports: &[Report]) -> Vec<SeenPropertyDocument> {
    let mut rows = Vec::new();
    let Some(first) = reports.first() else { return rows };
    for result in &first.results {
        if !matches!(result.kind, QuestionKind::Assert | QuestionKind::Fault) {
            continue;
        }
        let property = loaded.program.properties.iter().find(|p| p.name == result.name);
        let line = property.and_then(|p| loaded.sources.position(p.span)).map(|at| at.line);
        rows.push(SeenPropertyDocument {
            name: result.name.clone(),
            kind: result.kind.word(),
            line,
            seen: 0,
            verdicts: judge::verdicts(reports, &result.name),
        });
    }
    rows
}

/// Counts an event with the property that it violates, or as something that no model was asked about.
fn add(rows: &mut Vec<SeenPropertyDocument>, event: &Event) {
    let matching: Vec<usize> =
        (0..rows.len()).filter(|&row| is_violated_by(&rows[row], event)).collect();
    if let [only] = matching[..] {
        rows[only].seen += event.count;
        return;
    }
    rows.push(SeenPropertyDocument {
        name: name(event),
        kind: OTHER,
        line: event.line,
        seen: event.count,
        verdicts: judge::no_verdicts(),
    });
}

/// Whether an event violates a property: an assertion by its line, calls by their names, signals as faults.
fn is_violated_by(row: &SeenPropertyDocument, event: &Event) -> bool {
    match event.kind {
        EventKind::Assert => {
            row.kind == QuestionKind::Assert.word() && row.line.is_some() && row.line == event.line
        }
        EventKind::Abort | EventKind::Error => {
            row.kind == QuestionKind::Assert.word() && row.name.starts_with(&event.text)
        }
        EventKind::Signal => row.kind == QuestionKind::Fault.word() && is_fault(event),
    }
}

/// Whether a signal is what a processor makes of a fault: SIGILL, SIGBUS, SIGFPE, SIGSEGV.
fn is_fault(event: &Event) -> bool {
    ["4", "7", "8", "11"].contains(&event.text.as_str())
}

fn name(event: &Event) -> String {
    match event.kind {
        EventKind::Assert => format!("assert({})", event.text),
        EventKind::Abort | EventKind::Error => event.text.clone(),
        EventKind::Signal => format!("signal {}", event.text),
    }
}
