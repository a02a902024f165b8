//! Checkpoints: searches that go on after a kill, a reboot or a limit.
//!
//! # What is kept
//! A check makes one search after the other: of states and of runs, with growing budgets, with more processes, with
//! larger buffers, by several threads and once more by one. A checkpoint does not know this plan. It is a
//! set of files, one per search, and the name of a file is a hash of everything that determines the result of the search:
//! the program, the memory, the options, the budget (`Fingerprint`). A file holds either the *result* of a search that has
//! ended or the *state* of one that has not.
//!
//! A resumed check makes all its searches again, in the same way. A search that finds its result does nothing. A search
//! that finds its state goes on from there. All others begin at the start; those are the ones that took less than a
//! second (`LONG`) and the one that began after the last checkpoint.
//!
//! # Why the answer is the one of an undisturbed check
//! - A result is stored only if the search did not end by time, memory or an interrupt. Then it is a function of what its
//!   name is a hash of. (Searches of several threads may be *raced*; that is a part of their result, and the repetition by one
//!   thread is a search with a name of its own.)
//! - A state is a *cut*: all threads have finished what they had begun. A search by one thread that goes on from a cut
//!   takes the same steps as one that never stopped. A search by several threads has no fixed order anyway; what it has
//!   established at a cut stays true, at any number of threads.
//! - Each file is written beside the old one and replaces it in one step, so there is never half a file. Files are
//!   independent of each other, so there is no order in which they must be written.
//!
//! Where the cuts are: `bfs`, `liveness/scc.rs`, `liveness/nested.rs`, `liveness/parallel`.
//!
//! # What it costs
//! A search without checkpoints asks an `Option` per batch of states. Writing streams the search's own tables; it
//! needs no second copy of them. Threads stand still meanwhile.
//!
//! | file | idea |
//! | --- | --- |
//! | `stream.rs` | blocks with checksums; plain values |
//! | `values.rs` | findings, counts, results |

mod stream;
#[cfg(test)]
mod tests;
mod values;

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use taut_budget::Instant;

pub use stream::{Reader, Saved, Writer, damaged, saved};

/// A search that took so long is not made again by a resumed check.
const LONG: Duration = Duration::from_secs(1);

/// How the names of files of searches begin.
pub const SEARCH: &str = "search-";

/// Bytes to be read, and their number.
pub type Content<'v> = (Box<dyn Read + 'v>, u64);

/// A place for the files of a checkpoint.
pub trait Vault: fmt::Debug + Send + Sync {
    /// Replaces a file, at once and whole: if this fails, or ends in the middle, the old file stays.
    fn write(
        &self,
        name: &str,
        body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;

    /// The content of a file, if there is one.
    fn read(&self, name: &str) -> io::Result<Option<Content<'_>>>;

    /// Tells the user that something went wrong. The search goes on.
    fn warn(&self, message: &str);
}

/// What a file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Something of the caller.
    Note,
    /// A search that has not ended.
    State,
    /// A search that has.
    Result,
}

impl Saved for Kind {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        (*self as u8).save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Kind> {
        let kinds = [Kind::Note, Kind::State, Kind::Result];
        let kind = kinds.get(usize::from(u8::restore(from)?));
        kind.copied().ok_or_else(|| damaged("it is of an unknown kind"))
    }
}

/// Begins a file.
fn begin(to: &mut Writer<'_>, name: &str, kind: Kind) -> io::Result<()> {
    env!("CARGO_PKG_VERSION").to_string().save(to)?;
    name.to_string().save(to)?;
    kind.save(to)
}

/// Begins to read a file.
fn open<'r>((from, length): Content<'r>, name: &str) -> io::Result<(Kind, Reader<'r>)> {
    let mut reader = Reader::new(from, length)?;
    let version = String::restore(&mut reader)?;
    if version != env!("CARGO_PKG_VERSION") {
        return Err(damaged(&format!("version {version} of Taut wrote it")));
    }
    if String::restore(&mut reader)? != name {
        return Err(damaged("it is a file with another name"));
    }
    Ok((Kind::restore(&mut reader)?, reader))
}

/// Writes a file of the caller's own.
pub fn write_note(vault: &dyn Vault, name: &str, note: &[u8]) -> io::Result<()> {
    vault.write(name, &mut |out| {
        let mut to = Writer::new(out)?;
        begin(&mut to, name, Kind::Note)?;
        note.len().save(&mut to)?;
        to.raw(note)?;
        to.finish()
    })
}

/// Reads a file of the caller's own, if there is one.
pub fn read_note(vault: &dyn Vault, name: &str) -> io::Result<Option<Vec<u8>>> {
    let Some(content) = vault.read(name)? else { return Ok(None) };
    let (_, mut reader) = open(content, name)?;
    let note = Vec::restore(&mut reader)?;
    reader.finish()?;
    Ok(Some(note))
}

/// Reads a file of a checkpoint to its end; an error says what is wrong with it.
pub fn verify(vault: &dyn Vault, name: &str) -> io::Result<()> {
    let Some(content) = vault.read(name)? else { return Err(damaged("it is not there")) };
    open(content, name)?.1.finish()
}

/// What a check took from a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resumed {
    /// Number of searches that went on, or whose result was known.
    pub searches: u64,
    /// Number of states that these had stored.
    pub states: u64,
}

/// The checkpoints of a check: where they are kept, and how often they are written.
#[derive(Clone, Debug)]
pub struct Checkpoints(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    vault: Box<dyn Vault>,
    every: Duration,
    started: Instant,
    /// Milliseconds after the start at which the next one is due.
    due: AtomicU64,
    resumed: Mutex<Resumed>,
}

impl Checkpoints {
    /// Checkpoints in a vault. One is written whenever so much time has passed since the last one, and when a limit of
    /// time or memory or an interrupt ends a search. With no time at all one is written as often as possible.
    pub fn new(vault: Box<dyn Vault>, every: Duration) -> Checkpoints {
        let due = AtomicU64::new(millis(every));
        let (started, resumed) = (Instant::now(), Mutex::default());
        Checkpoints(Arc::new(Inner { vault, every, started, due, resumed }))
    }

    /// What was taken from the vault since this was asked last.
    pub fn take_resumed(&self) -> Resumed {
        std::mem::take(&mut *self.0.resumed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_due(&self) -> bool {
        millis(self.0.started.elapsed()) >= self.0.due.load(Ordering::Relaxed)
    }

    fn put_off(&self) {
        let next = millis(self.0.started.elapsed()).saturating_add(millis(self.0.every));
        self.0.due.store(next, Ordering::Relaxed);
    }

    fn note_resumed(&self, states: u64) {
        let mut resumed = self.0.resumed.lock().unwrap_or_else(PoisonError::into_inner);
        resumed.searches += 1;
        resumed.states += states;
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A hash of everything that determines the result of a search, written as text.
///
/// Threads, time, memory and progress do not: results are the same at any number of threads.
pub struct Fingerprint(hmac_sha256::Hash);

impl Default for Fingerprint {
    /// The hash of nothing yet.
    fn default() -> Fingerprint {
        Fingerprint(hmac_sha256::Hash::new())
    }
}

impl Fingerprint {
    fn digits(self) -> String {
        let hash = self.0.finalize();
        hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    fn name(self) -> String {
        format!("{SEARCH}{}", self.digits())
    }
}

impl fmt::Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// A hash of something, as hexadecimal digits.
pub fn fingerprint(thing: &dyn fmt::Debug) -> String {
    let mut print = Fingerprint::default();
    match fmt::Write::write_fmt(&mut print, format_args!("{thing:?}")) {
        Ok(()) => print.digits(),
        Err(fmt::Error) => String::new(),
    }
}

/// How far a stored search had come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Number of states.
    pub states: u64,
    /// Bytes that they took.
    pub bytes: u64,
}
saved!(Extent { states, bytes });

/// The checkpoint of one search.
#[derive(Debug)]
pub struct Keeper {
    checkpoints: Checkpoints,
    name: String,
    started: Instant,
}

impl Keeper {
    /// The checkpoint of the search with a fingerprint.
    pub fn new(checkpoints: &Checkpoints, fingerprint: Fingerprint) -> Keeper {
        let (checkpoints, name) = (checkpoints.clone(), fingerprint.name());
        Keeper { checkpoints, name, started: Instant::now() }
    }

    fn vault(&self) -> &dyn Vault {
        &*self.checkpoints.0.vault
    }

    /// Whether a checkpoint is to be written now.
    pub fn is_due(&self) -> bool {
        self.checkpoints.is_due()
    }

    /// Whether checkpoints are due all the time.
    pub fn is_eager(&self) -> bool {
        self.checkpoints.0.every.is_zero()
    }

    /// Opens the file of this search, if it is of a kind. What cannot be read is not there: the search is
    /// made from the start.
    fn open(&self, wanted: Kind) -> Option<Reader<'_>> {
        let content = match self.vault().read(&self.name) {
            Ok(content) => content?,
            Err(error) => return self.unreadable(&error),
        };
        match open(content, &self.name) {
            Ok((kind, reader)) => (kind == wanted).then_some(reader),
            Err(error) => self.unreadable(&error),
        }
    }

    fn unreadable<T>(&self, error: &io::Error) -> Option<T> {
        let message = format!("`{}` cannot be read: {error}; this search is made again", self.name);
        self.vault().warn(&message);
        None
    }

    /// The result of this search, if it has ended before.
    pub fn result<T: Saved>(&self) -> Option<T> {
        let mut reader = self.open(Kind::Result)?;
        let states = u64::restore(&mut reader);
        match states.and_then(|states| Ok((states, T::restore(&mut reader)?))) {
            Ok((states, result)) => {
                self.checkpoints.note_resumed(states);
                Some(result)
            }
            Err(error) => self.unreadable(&error),
        }
    }

    /// The state of this search, if it was interrupted before; `restore` reads it.
    pub fn state<T>(
        &self,
        restore: impl FnOnce(Extent, &mut Reader<'_>) -> io::Result<T>,
    ) -> Option<T> {
        let mut reader = self.open(Kind::State)?;
        let restored = Extent::restore(&mut reader)
            .and_then(|extent| Ok((extent, restore(extent, &mut reader)?)));
        match restored {
            Ok((extent, state)) => {
                self.checkpoints.note_resumed(extent.states);
                Some(state)
            }
            Err(error) => self.unreadable(&error),
        }
    }

    /// Writes the state of this search. If that fails, the last one stays, and the search goes on.
    pub fn save(&self, extent: Extent, body: impl Fn(&mut Writer<'_>) -> io::Result<()>) {
        self.write(Kind::State, |to| {
            extent.save(to)?;
            body(to)
        });
    }

    /// Writes the result of this search, which has visited so many states, if it took long.
    pub fn finish(&self, states: u64, result: &impl Saved) {
        let is_short = self.started.elapsed() < LONG.min(self.checkpoints.0.every);
        let is_kept = || matches!(self.vault().read(&self.name), Ok(Some(_)));
        if is_short && !is_kept() {
            return;
        }
        self.write(Kind::Result, |to| {
            states.save(to)?;
            result.save(to)
        });
    }

    fn write(&self, kind: Kind, body: impl Fn(&mut Writer<'_>) -> io::Result<()>) {
        let written = self.vault().write(&self.name, &mut |out| {
            let mut to = Writer::new(out)?;
            begin(&mut to, &self.name, kind)?;
            body(&mut to)?;
            to.finish()
        });
        if let Err(error) = written {
            let message = format!("the checkpoint was not written: {error}; the search goes on");
            self.vault().warn(&message);
        }
        self.checkpoints.put_off();
    }
}
