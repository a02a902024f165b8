//! `taut schema`: the JSON Schemas of what Taut writes.

use std::path::Path;

use taut::schema::{ALL, Schema};

use super::args::SchemaArgs;
use super::exit::Exit;
use super::files;
use super::output::{eprint, print};

/// Runs the command.
pub fn run(args: &SchemaArgs) -> Exit {
    if args.list {
        let width = ALL.map(|schema| schema.name.len()).into_iter().max().unwrap_or(0);
        ALL.iter().for_each(|s| print(&format!("{:width$}  {}\n", s.name, s.about)));
        return Exit::Holds;
    }
    if let Some(folder) = &args.out {
        return write_all(folder);
    }
    let wanted = ALL.iter().find(|schema| schema.name == args.which);
    // Other names are refused when the arguments are read.
    print(&wanted.map(Schema::text).unwrap_or_default());
    Exit::Holds
}

fn write_all(folder: &Path) -> Exit {
    let write = |schema: &Schema| {
        let path = folder.join(format!("taut-{}.schema.json", schema.name));
        files::replace(&path, schema.text().as_bytes())
    };
    match std::fs::create_dir_all(folder).and_then(|()| ALL.iter().try_for_each(write)) {
        Ok(()) => Exit::Holds,
        Err(error) => {
            eprint(&format!("error: cannot write to `{}`: {error}\n", folder.display()));
            Exit::NotWritten
        }
    }
}
