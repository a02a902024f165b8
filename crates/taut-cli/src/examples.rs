//! `taut examples`: programs to begin with, which the executable carries. The page offers the same.

use std::path::Path;

use taut_page::{EXAMPLES, Example};

use super::args::ExamplesArgs;
use super::exit::Exit;
use super::files::{self, deliver_text};
use super::output::{eprint, print};

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
