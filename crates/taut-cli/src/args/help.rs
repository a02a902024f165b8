//! Help that fits a screen: options by heading, and the common ones alone in `-h`.
//!
//! The commands that check a program share some seventy options. `--help` has all of them, under the headings of
//! [`OPTIONS`]; `-h` has those with a short text in that table, the examples and a pointer to the book. An option that
//! is not in the table belongs to its command alone (such as `--with` of `taut repair`) or to a language, and the
//! languages have a heading of their own.

use clap::{Arg, ArgAction, Command};
use taut::frontends;

const QUESTIONS: &str = "What to check";
const MEMORY: &str = "Memory model";
const SEARCH: &str = "Search";
const OUTPUT: &str = "Output";
const LANGUAGE: &str = "Language";

/// The headings in their order; what has none comes first.
const HEADINGS: [&str; 5] = [QUESTIONS, MEMORY, SEARCH, OUTPUT, LANGUAGE];

/// An option by its name in the code, its heading, and its line in `-h`, if it has one.
type Row = (&'static str, &'static str, Option<&'static str>);

const OPTIONS: &[Row] = &[
    ("property", QUESTIONS, Some("Only this question: a property's name, `deadlock` or `fault`")),
    ("ltl", QUESTIONS, Some("Also: does every run satisfy this formula?")),
    ("ltl_file", QUESTIONS, None),
    ("hoa", QUESTIONS, None),
    ("progress", QUESTIONS, None),
    ("acceptance", QUESTIONS, None),
    ("fairness", QUESTIONS, None),
    ("no_ltl", QUESTIONS, None),
    ("no_deadlock", QUESTIONS, None),
    ("no_assert", QUESTIONS, None),
    ("no_fault", QUESTIONS, None),
    ("robust", QUESTIONS, Some("Also: is every run like a sequentially consistent one?")),
    ("all", QUESTIONS, Some("Every property, not only up to the first violation")),
    ("vacuity", QUESTIONS, None),
    ("model", MEMORY, Some("The memory model [default: all]")),
    ("bound", MEMORY, Some("Entries per store buffer, or `none` [default: 8, then more]")),
    ("full_buffer", MEMORY, None),
    ("granularity", MEMORY, None),
    ("engine", SEARCH, Some("The engine")),
    ("rounds", SEARCH, None),
    ("age", SEARCH, None),
    ("search", SEARCH, None),
    ("cycles", SEARCH, None),
    ("reduce", SEARCH, None),
    ("store", SEARCH, None),
    ("disk_dir", SEARCH, None),
    ("max_disk", SEARCH, None),
    ("disk_memory", SEARCH, None),
    ("jobs", SEARCH, Some("Number of threads [default: one per core]")),
    ("max_states", SEARCH, None),
    ("max_memory", SEARCH, Some("Limit of memory (4G, 512M)")),
    ("timeout", SEARCH, Some("Limit of time (60s, 2m)")),
    ("folder", SEARCH, None),
    ("every", SEARCH, None),
    ("format", OUTPUT, Some("Format")),
    ("help", OUTPUT, Some("Print help (all of it with `--help`)")),
    ("stats", OUTPUT, Some("Counts and times of the search")),
    ("full", OUTPUT, None),
    ("trace", OUTPUT, None),
    ("witness", OUTPUT, None),
    ("path", OUTPUT, Some("Write a page with verdicts and runs to step through (HTML)")),
    ("proof_file", OUTPUT, Some("Write the evidence for what holds, for `taut-certify`")),
    ("certify", OUTPUT, None),
    ("sarif_file", OUTPUT, None),
    ("junit", OUTPUT, None),
    ("baseline", OUTPUT, None),
    ("write_baseline", OUTPUT, None),
    ("language", LANGUAGE, Some("The language")),
    ("define", LANGUAGE, None),
    ("compile_commands", LANGUAGE, None),
];

/// Options of single commands by their names in the code, and their lines in `-h`, if they have one.
const OF_COMMANDS: &[(&str, &str, Option<&str>)] = &[
    (
        "repair",
        "relax",
        Some("The opposite: the weakest fences with which a program is still right"),
    ),
    ("repair", "with", Some("What may be put in")),
    ("repair", "cost", None),
    ("repair", "strategy", None),
    ("repair", "diff", Some("Print the change as a unified diff and nothing else")),
    ("repair", "atomic_out", None),
    ("repair", "show_runs", None),
];

/// Options of many commands that `-h` leaves out.
const RARE: &[&str] = &[
    "define",
    "compile_commands",
    "compiler",
    "granularity",
    "full_buffer",
    "ltl_file",
    "hoa",
    "progress",
    "acceptance",
    "fairness",
];

/// Commands whose first sentence is longer than a line of the list of commands, in fewer words.
const ABOUTS: &[(&str, &str)] = &[
    ("explain", "Tells why something is violated, in plain sentences"),
    ("fix", "Fixes the mistakes of a Taut program whose fix is certain"),
    ("graph", "Draws the states of a program, with the languages of its buffers"),
    ("repair", "Finds the cheapest fences that fix a program, and shows the change"),
    ("resume", "Goes on with a check that a kill, a reboot or a limit ended"),
    ("run", "Runs a program on the real processor, and counts what is seen"),
    ("serve", "Serves a page on this machine: check and repair in a browser"),
    ("simulate", "Runs a program step by step, forward and back"),
    ("translate", "Writes a program for SC that does what this one does under TSO"),
    ("init-ci", "Prints a workflow for a build server, or a hook of Git"),
    ("lsp", "Speaks with an editor: the Language Server Protocol"),
];

/// Pointers below the list of commands.
const POINTERS: &str = "\
Options of a command: taut COMMAND -h; all of them: --help. Manual: taut man COMMAND.
One page with everything that is used daily: `book/src/cheat-sheet.md`, a page of the book.";

/// Examples and pointers below the options of `taut check`.
const EXAMPLES: &str = "\
Examples:
  taut check lock.c                              under SC, TSO and PSO
  taut check lock.taut --model tso --report run.html
  taut check models/                             programs with their expected verdicts
All options: taut check --help. Programs to begin with: taut examples. Manual: taut man check.";

/// The command line with its options under headings.
pub fn arranged(command: Command) -> Command {
    let checks = |c: &&Command| c.get_arguments().any(|arg| arg.get_id() == "engine");
    let names: Vec<String> =
        command.get_subcommands().filter(checks).map(|c| c.get_name().to_string()).collect();
    let command = names.into_iter().fold(command, |all, name| all.mut_subcommand(name, arrange));
    let others: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_string()).collect();
    let command = others.into_iter().fold(command, |all, name| all.mut_subcommand(name, shorten));
    command.after_help(POINTERS).mut_subcommand("check", |check| {
        check
            .about(
                "Checks a program, or the programs of a directory against their expected verdicts",
            )
            .after_help(EXAMPLES)
    })
}

/// A command whose `-h` has no options of languages and no long sentences; `--help` has them.
fn shorten(command: Command) -> Command {
    let name = command.get_name().to_string();
    let command = command.mut_args(|arg| {
        let own = OF_COMMANDS.iter().find(|(of, id, _)| *of == name && arg.get_id() == id);
        match own {
            Some((_, _, short)) => with_short(arg, *short),
            None if is_of_language(&arg) || is_rare(&arg) => arg.hide_short_help(true),
            None => arg,
        }
    });
    let Some((_, about)) = ABOUTS.iter().find(|(of, _)| *of == name) else { return command };
    let long = command.get_long_about().or(command.get_about()).cloned().unwrap_or_default();
    command.about(*about).long_about(long)
}

/// Whether an option that several commands have is left to `--help`.
fn is_rare(arg: &Arg) -> bool {
    RARE.iter().any(|name| arg.get_id() == name)
}

/// A command with its options under headings. Headings come in the order of their first options, so the options are
/// put into the order of the headings.
fn arrange(command: Command) -> Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let mut args: Vec<Arg> = command.get_arguments().cloned().chain([help]).map(place).collect();
    let rank = |arg: &Arg| {
        let heading = arg.get_help_heading();
        HEADINGS.iter().position(|known| Some(*known) == heading).map_or(0, |found| found + 1)
    };
    args.sort_by_key(rank);
    let mut arranged = Command::new(command.get_name().to_string())
        .disable_help_flag(true)
        .args(args)
        .groups(command.get_groups().cloned());
    if let Some(about) = command.get_about() {
        arranged = arranged.about(about.clone());
    }
    if let Some(about) = command.get_long_about() {
        arranged = arranged.long_about(about.clone());
    }
    arranged
}

fn place(arg: Arg) -> Arg {
    match (row(&arg), is_of_language(&arg)) {
        (Some(row), _) => placed(arg, row),
        (None, true) => arg.help_heading(LANGUAGE).hide_short_help(true),
        (None, false) if arg.get_id() == "typed" => {
            let long = arg.get_help().cloned().unwrap_or_default();
            arg.help("The program, or a directory of programs; - for standard input")
                .long_help(long)
        }
        (None, false) if arg.get_id() == "compiler" => arg.hide_short_help(true),
        (None, false) => arg,
    }
}

/// An option at its place.
fn placed(arg: Arg, (_, heading, short): &Row) -> Arg {
    with_short(arg.help_heading(*heading), *short)
}

/// An option with a line of its own in `-h`, or without any.
fn with_short(arg: Arg, short: Option<&'static str>) -> Arg {
    let Some(short) = short else { return arg.hide_short_help(true) };
    let long = arg.get_long_help().or(arg.get_help()).cloned();
    let arg = match long {
        Some(long) => arg.long_help(long),
        None => arg,
    };
    arg.help(short)
}

fn row(arg: &Arg) -> Option<&'static Row> {
    OPTIONS.iter().find(|(name, _, _)| arg.get_id() == name)
}

fn is_of_language(arg: &Arg) -> bool {
    frontends::options().iter().any(|(option, _)| arg.get_id() == option.name)
}

#[cfg(test)]
mod tests {
    use super::super::Args;
    use super::*;

    fn check() -> Command {
        let command = Args::command();
        command.find_subcommand("check").expect("a command").clone()
    }

    /// An option that is new must be given its heading.
    #[test]
    fn every_option_of_a_check_has_a_heading_and_every_row_an_option() {
        let check = check();
        for arg in check.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let known = row(arg).is_some() || is_of_language(arg);
            assert!(known, "--{} has no heading", arg.get_long().unwrap_or_default());
        }
        for (name, _, _) in OPTIONS {
            assert!(check.get_arguments().any(|arg| arg.get_id() == name), "{name} is no option");
        }
    }

    #[test]
    fn the_short_help_of_every_command_fits_a_screen() {
        let mut command = Args::command();
        let whole = command.render_help().to_string();
        assert!(whole.lines().count() <= 40, "{} lines:\n{whole}", whole.lines().count());
        for (name, _) in ABOUTS {
            assert!(
                command.find_subcommand(name).is_some() || cfg!(not(feature = "lsp")),
                "{name}"
            );
        }
        for command in command.get_subcommands_mut() {
            let short = command.render_help().to_string();
            let (name, lines) = (command.get_name(), short.lines().count());
            assert!(lines <= 40, "{name}: {lines} lines:\n{short}");
        }
        for (of, id, _) in OF_COMMANDS {
            let command = command.find_subcommand(of).expect("a command");
            assert!(command.get_arguments().any(|arg| arg.get_id() == id), "{of} {id}");
        }
    }

    #[test]
    fn short_help_fits_a_screen_and_long_help_has_everything() {
        let mut check = check();
        let short = check.render_help().to_string();
        assert!(short.lines().count() <= 40, "{} lines:\n{short}", short.lines().count());
        assert!(short.lines().all(|line| line.chars().count() <= 100), "{short}");
        let long = check.render_long_help().to_string();
        for arg in check.get_arguments() {
            let Some(name) = arg.get_long() else { continue };
            assert!(long.contains(&format!("--{name}")), "--{name} is not in --help");
        }
        for help in [&short, &long] {
            let at = HEADINGS.map(|heading| help.find(&format!("\n{heading}:\n")));
            assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{at:?}\n{help}");
        }
    }
}
