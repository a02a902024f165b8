//! Checks that can go on after they were ended: `taut check --checkpoint DIR`, `taut resume DIR`.
//!
//! The directory holds the command with hashes of what it read (`command`), one file per search ([`SEARCH`]), and a lock.
//! `taut resume` gives the command again, in the same directory, and the searches find their files
//! ([`taut::checkpoint`]). When the check has its answer, and the answer has been written, the files are removed.

mod folder;
mod order;

use std::path::{Path, PathBuf};
use std::time::Duration;

use taut::checkpoint::{SEARCH, fingerprint, verify};
use taut::{Checkpoints, Limit, Loaded, Report, StoreKind, Unknown, Verdict};

pub use folder::{Folder, is_writing};
pub use order::Order;

use super::args::{CheckArgs, SearchArg};
use super::refused::Refused;
use super::scope;

/// Time between two checkpoints unless another is given.
const EVERY: Duration = Duration::from_secs(600);

/// The checkpoints of a check.
pub struct Keeping {
    folder: Folder,
    /// The directory as it was typed.
    typed: PathBuf,
    checkpoints: Checkpoints,
}

impl Keeping {
    /// The checkpoints that a new check asks for, if it does.
    pub fn of(args: &CheckArgs, loaded: &Loaded) -> Result<Option<Keeping>, Refused> {
        let Some(typed) = &args.checkpoint.folder else { return Ok(None) };
        let folder = Folder::create(typed)?;
        let order = Order::of(loaded).map_err(|error| cannot("write", typed, &error))?;
        order.write(&folder).map_err(|error| cannot("write", typed, &error))?;
        Ok(Some(Keeping::new(folder, typed, args.checkpoint.every)))
    }

    /// The checkpoints of a check that goes on. The files that it reads must be those that it read before.
    pub fn again(
        Found { folder, typed, order }: Found,
        every: Option<Duration>,
        loaded: &Loaded,
    ) -> Result<Keeping, Refused> {
        match order.changed(loaded) {
            Some(trouble) => Err(Refused::Message(trouble)),
            None => Ok(Keeping::new(folder, &typed, every)),
        }
    }

    fn new(folder: Folder, typed: &Path, every: Option<Duration>) -> Keeping {
        let vault = Box::new(folder.clone());
        let checkpoints = Checkpoints::new(vault, every.unwrap_or(EVERY));
        Keeping { folder, typed: typed.into(), checkpoints }
    }

    /// Where searches are kept.
    pub fn checkpoints(&self) -> Checkpoints {
        self.checkpoints.clone()
    }

    /// Ends the check: the files are removed if there is nothing to go on with. Else the line that says how.
    pub fn end(self, reports: &[Report], is_written: bool) -> Option<String> {
        if reports.iter().any(is_ended_by_limit) {
            let folder = taut::suite::quoted(&self.typed.display().to_string());
            let from = if self.folder.has_search() { "" } else { ", from the beginning" };
            return Some(format!("resume with `taut resume {folder}`{from}\n"));
        }
        if is_written {
            self.folder.clear();
        }
        None
    }
}

/// Whether time, memory or an interrupt left something open.
fn is_ended_by_limit(report: &Report) -> bool {
    let is_open = |verdict: &Verdict| match verdict {
        Verdict::Unknown(Unknown::Limit(limit)) => {
            matches!(limit, Limit::Time(_) | Limit::Bytes(_) | Limit::Interrupted)
        }
        Verdict::Unknown(Unknown::Spent(_)) => true,
        _ => false,
    };
    report.results.iter().any(|result| is_open(&result.verdict))
}

/// Refuses checkpoints of a check that cannot be kept.
pub fn refuse(args: &CheckArgs) -> Result<(), Refused> {
    match trouble(args).filter(|_| args.checkpoint.folder.is_some()) {
        Some(trouble) => Err(Refused::Message(trouble)),
        None => Ok(()),
    }
}

/// The reason why a check cannot be kept.
fn trouble(args: &CheckArgs) -> Option<String> {
    let search = &args.checking.search;
    let store = StoreKind::from(search.speed.store);
    let choice = scope::engine(search);
    let no_checkpoints = choice.engine().and_then(|engine| engine.capabilities().no_checkpoints);
    let trouble = if args.checking.input.file == Path::new("-") {
        "--checkpoint needs a file, because `taut resume` reads the program again".into()
    } else if let Some(refusal) = no_checkpoints {
        refusal.into()
    } else if search.search == SearchArg::Dfs {
        "--checkpoint is for `--search bfs`; leave one of the two out".into()
    } else if !matches!(store, StoreKind::Exact | StoreKind::Tree) {
        let name = store.name();
        format!("--checkpoint is for `--store exact` and `--store tree`, not for `{name}`")
    } else {
        return None;
    };
    Some(trouble)
}

/// A checkpoint that was found.
pub struct Found {
    folder: Folder,
    typed: PathBuf,
    pub order: Order,
}

/// Finds the checkpoint in a directory. Every file of it is read, so that damage is noticed before anything is searched.
pub fn find(typed: &Path) -> Result<Found, Refused> {
    let folder = Folder::open(typed)?;
    let order = match Order::read(&folder) {
        Ok(Some(order)) => order,
        Ok(None) => return Err(nothing_in(typed)),
        Err(error) => return Err(cannot("read", &typed.join(order::NAME), &error)),
    };
    let names = folder.names().map_err(|error| cannot("read", typed, &error))?;
    for name in names.iter().filter(|name| name.starts_with(SEARCH)) {
        if let Err(error) = verify(&folder, name) {
            let file = typed.join(name);
            let message = format!(
                "cannot read `{}`: {error}\nhelp: remove this file to make its search again from the start",
                file.display()
            );
            return Err(Refused::Message(message));
        }
    }
    Ok(Found { folder, typed: typed.into(), order })
}

fn nothing_in(typed: &Path) -> Refused {
    Refused::Message(format!("there is no checkpoint in `{}`", typed.display()))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Refused {
    Refused::Message(format!("cannot {what} `{}`: {error}", path.display()))
}
