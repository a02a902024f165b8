//! A format from outside of Taut, registered in one line, is a format of the command line: in its help, in its messages
//! and in what it prints.

use std::ffi::OsString;
use std::process::{Command, Output};

use taut::formats::{self, Format, Page, Shown};
use taut::suite::FileResult;
use taut::{Loaded, Report};
use taut_testkit::suite::root;

use crate::command::{code, stderr, stdout};

/// One line per answer, with blanks between the words.
struct Toy;

impl Format for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn title(&self) -> &'static str {
        "For tests: three words per answer"
    }

    fn shows(&self, command: Shown) -> bool {
        matches!(command, Shown::Check | Shown::Suite)
    }

    fn report(&self, _: &Page, _: &Loaded, report: &Report) -> String {
        let model = report.memory.model.name();
        let line = |r: &taut::PropertyResult| format!("{model} {} {}\n", r.name, r.verdict.word());
        report.results.iter().map(line).collect()
    }

    fn suite(&self, _: &Page, _: &str, files: &[FileResult]) -> String {
        files.iter().map(|file| format!("{} {}\n", file.name(), file.status().word())).collect()
    }
}

/// The variable by which this executable is told to be a `taut` that knows the toy.
const ARGUMENTS: &str = "TAUT_TOY_ARGUMENTS";

/// Not a test of its own: with [`ARGUMENTS`] it is the command line.
#[test]
fn command_line() {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else { return };
    formats::register(&Toy);
    let arguments = arguments.into_string().expect("UTF-8");
    let words = std::iter::once("taut").chain(arguments.split(' ')).map(OsString::from);
    taut_cli::run_with(words);
}

/// Runs the command line with the toy.
fn taut(arguments: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("this executable"));
    command.args(["toy_format::command_line", "--exact", "--nocapture"]);
    command.env(ARGUMENTS, arguments).current_dir(root());
    let output = command.output().expect("it runs");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    output
}

#[test]
fn a_registered_format_prints_what_a_check_finds() {
    let text = stdout(&taut("check examples/peterson.taut --model sc --format toy"));
    assert!(text.contains("sc mutex holds\n"), "{text}");
    assert!(!text.contains("coverage"), "nothing else is printed: {text}");
}

#[test]
fn a_registered_format_is_in_the_help_of_the_commands_that_it_shows() {
    let check = stdout(&taut("check --help"));
    assert!(check.contains("toy:"), "{check}");
    assert!(check.contains("For tests: three words per answer"), "{check}");
    assert!(!stdout(&taut("explain --help")).contains("toy:"));
    let refused = stderr(&taut("compare examples/peterson.taut --format toy"));
    assert!(refused.contains("[possible values: text, json, sarif, github]"), "{refused}");
}

#[test]
fn formats_of_taut_keep_their_names() {
    formats::register(&Impostor);
    let json = formats::named("json").expect("a format of Taut");
    assert!(json.title().starts_with("For programs"));
    let names: Vec<_> = formats::FORMATS.iter().map(|format| format.name()).collect();
    assert_eq!(names, ["text", "json", "sarif", "github"]);
}

/// A format with a name that is taken.
struct Impostor;

impl Format for Impostor {
    fn name(&self) -> &'static str {
        "json"
    }

    fn title(&self) -> &'static str {
        "For nobody"
    }

    fn shows(&self, _: Shown) -> bool {
        true
    }
}
