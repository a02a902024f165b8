//! `taut man`: manual pages, made from the help of the commands.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use super::args::{Args, ManArgs};
use super::exit::Exit;
use super::files;
use super::output::{eprint, print};

/// Runs the command.
pub fn run(args: &ManArgs) -> Exit {
    let mut taut = Args::command().disable_help_subcommand(true);
    taut.build();
    match (&args.out, &args.command) {
        (Some(folder), _) => write_all(&taut, folder),
        (None, None) => show(&taut),
        (None, Some(name)) => match taut.find_subcommand(name) {
            Some(command) => show(command),
            None => unknown(&taut, name),
        },
    }
}

/// A page and the name of its file, such as `taut-check.1`.
fn page(command: &Command) -> std::io::Result<(String, Vec<u8>)> {
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok((man.get_filename(), text))
}

fn show(command: &Command) -> Exit {
    match page(command) {
        Ok((_, text)) => {
            print(&String::from_utf8_lossy(&text));
            Exit::Holds
        }
        Err(error) => failed(&error.to_string()),
    }
}

fn write_all(taut: &Command, folder: &Path) -> Exit {
    let write = |command: &Command| -> std::io::Result<()> {
        let (name, text) = page(command)?;
        files::replace(&folder.join(name), &text)
    };
    let mut all = std::iter::once(taut).chain(taut.get_subcommands());
    match std::fs::create_dir_all(folder).and_then(|()| all.try_for_each(write)) {
        Ok(()) => Exit::Holds,
        Err(error) => {
            failed(&format!("cannot write to `{}`: {error}", folder.display()));
            Exit::NotWritten
        }
    }
}

fn unknown(taut: &Command, name: &str) -> Exit {
    let names: Vec<_> = taut.get_subcommands().map(Command::get_name).collect();
    failed(&format!("there is no command `{name}`; there are {}", names.join(", ")))
}

fn failed(message: &str) -> Exit {
    eprint(&format!("error: {message}\n"));
    Exit::BadInput
}
