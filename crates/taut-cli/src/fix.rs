//! `taut fix`: a program in the Taut language with every fix that is certain.

use taut::LoadError;

use super::args::FixArgs;
use super::exit::Exit;
use super::files;
use super::input::load_asking;
use super::output::{eprint, print};
use super::refused::Refused;

/// Runs the command.
pub fn run(args: &FixArgs) -> Exit {
    if args.input.file.extension().is_none_or(|extension| extension != "taut") {
        eprint("error: only `.taut` files can be fixed\n");
        return Exit::BadInput;
    }
    match load_asking(&args.input, Vec::new()) {
        Ok(loaded) => {
            if !args.write {
                print(loaded.sources.file(loaded.file).text());
            }
            Exit::Holds
        }
        Err(Refused::Text(error)) => fix(args, &error),
        Err(refused) => refused.show(),
    }
}

/// Fixes what can be fixed, and shows the messages about the rest.
fn fix(args: &FixArgs, error: &LoadError) -> Exit {
    let file = error.sources.file(taut::diag::FileId(0));
    let (text, count) = taut::lang::fixed(file.name(), file.text());
    if count == 0 {
        return Refused::Text(Box::new(error.clone())).show();
    }
    if !args.write {
        print(&text);
    } else if let Err(exit) =
        files::replace_source(&args.input.file, file.text().as_bytes(), text.as_bytes())
    {
        return exit;
    }
    eprint(&format!("{count} {}\n", if count == 1 { "fix" } else { "fixes" }));
    match taut::load::from_text(file.name(), &text) {
        Ok(_) => Exit::Holds,
        Err(left) => Refused::Text(left).show(),
    }
}
