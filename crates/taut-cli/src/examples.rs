//! `taut examples`: programs to begin with, which the executable carries. The page of `taut serve` offers the same.

use std::path::Path;

use super::args::ExamplesArgs;
use super::exit::Exit;
use super::files::{self, deliver_text};
use super::output::{eprint, print};

/// A program of the repository.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name of its file.
    pub name: &'static str,
    /// Name of its language.
    pub language: &'static str,
    /// What it is.
    pub title: &'static str,
    /// The text.
    pub text: &'static str,
    /// The memory model that shows most.
    pub model: &'static str,
}

/// An example from a file of the repository. The files are symbolic links, so that the package holds them.
macro_rules! example {
    ($language:literal, $name:literal, $title:literal, $model:literal) => {
        Example {
            name: $name,
            language: $language,
            title: $title,
            text: include_str!(concat!("examples/", $name)),
            model: $model,
        }
    };
}

/// The examples, language by language.
pub const EXAMPLES: &[Example] = &[
    example!("taut", "peterson.taut", "Peterson's lock", "tso"),
    example!("taut", "sb.taut", "Store buffering: both miss each other", "tso"),
    example!("taut", "mp.taut", "Message passing: data, then a flag", "pso"),
    example!("taut", "dekker.taut", "Dekker's lock", "tso"),
    example!("taut", "seqlock.taut", "Sequence lock", "pso"),
    example!("taut", "ticket_lock.taut", "Ticket lock", "pso"),
    example!("taut", "mcs_lock.taut", "MCS queue lock", "pso"),
    example!("taut", "work_stealing_deque.taut", "Work-stealing deque", "tso"),
    example!("taut", "insisting_lock.taut", "A lock whose buffers have no bound", "tso"),
    example!("taut", "ttas_lock_any.taut", "A spin lock for any number of threads", "tso"),
    example!("taut", "peterson_live.taut", "Peterson's lock: does everyone get in?", "tso"),
    example!("c", "dekker.c", "Dekker's lock in C", "tso"),
    example!("c", "seqlock.c", "Sequence lock in C", "pso"),
    example!("c", "chase_lev.c", "Chase and Lev's work-stealing deque in C", "tso"),
    example!("c", "michael_scott.c", "Michael and Scott's queue in C", "pso"),
    example!("promela", "dekker.pml", "Dekker's lock in Promela", "tso"),
    example!("promela", "philosophers.pml", "Dining philosophers in Promela", "sc"),
    example!("dve", "peterson2.dve", "Peterson's lock in DVE", "delayed"),
    example!("rmm", "dekker.rmm", "Dekker's lock in RMM", "tso"),
    example!("litmus", "SB.litmus", "Store buffering on x86", "tso"),
];

/// Runs the command.
pub fn run(args: &ExamplesArgs) -> Exit {
    match (&args.name, &args.out) {
        (Some(name), _) => match EXAMPLES.iter().find(|example| example.name == name) {
            Some(example) => deliver_text(example.text, args.output.as_deref()),
            None => unknown(name),
        },
        (None, Some(folder)) => write_all(folder),
        (None, None) => {
            print(&list());
            Exit::Holds
        }
    }
}

/// The list: name, what it is, and the command to begin with.
fn list() -> String {
    let width = EXAMPLES.iter().map(|example| example.name.len()).max().unwrap_or(0);
    let line = |example: &Example| format!("{:width$}  {}\n", example.name, example.title);
    let lines: String = EXAMPLES.iter().map(line).collect();
    format!("{lines}\ntaut examples peterson.taut -o peterson.taut && taut check peterson.taut\n")
}

fn unknown(name: &str) -> Exit {
    // A part of a name is a good guess of what is meant.
    let part = name.split('.').next().unwrap_or(name).to_lowercase();
    let near: Vec<&str> = EXAMPLES
        .iter()
        .map(|example| example.name)
        .filter(|known| !part.is_empty() && known.to_lowercase().contains(&part))
        .collect();
    let hint = match near.is_empty() {
        true => "`taut examples` lists them".to_string(),
        false => format!("there is {}", near.join(", ")),
    };
    eprint(&format!("error: there is no example `{name}`; {hint}\n"));
    Exit::BadInput
}

/// Writes all examples. Nothing is written where a file with another text would be lost.
fn write_all(folder: &Path) -> Exit {
    for example in EXAMPLES {
        let path = folder.join(example.name);
        if std::fs::read(&path).is_ok_and(|there| there != example.text.as_bytes()) {
            eprint(&format!(
                "error: `{}` is there with another text; nothing is written\n",
                path.display()
            ));
            return Exit::BadInput;
        }
    }
    let write =
        |example: &Example| files::replace(&folder.join(example.name), example.text.as_bytes());
    match std::fs::create_dir_all(folder).and_then(|()| EXAMPLES.iter().try_for_each(write)) {
        Ok(()) => Exit::Holds,
        Err(error) => {
            eprint(&format!("error: cannot write to `{}`: {error}\n", folder.display()));
            Exit::NotWritten
        }
    }
}
