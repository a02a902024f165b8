//! Files in memory, for tests of checkpoints: every state that the files were in is remembered.
//!
//! A test gives a [`Shelf`] to a search as its vault, and then resumes the search from each state of the files. The trait of
//! vaults belongs to the engine, so each test implements it with the methods here.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard};

use taut_budget::Interrupt;

/// The files by their names.
pub type Files = BTreeMap<String, Arc<Vec<u8>>>;

/// Files in memory; clones are the same files.
#[derive(Clone, Debug, Default)]
pub struct Shelf(Arc<Mutex<Shelved>>);

/// The content of a [`Shelf`].
#[derive(Debug, Default)]
pub struct Shelved {
    /// The files now.
    pub files: Files,
    /// The files after each write.
    pub history: Vec<Files>,
    /// The warnings that were given.
    pub warnings: Vec<String>,
    /// Raised after so many writes.
    pub interrupt: Option<(usize, Interrupt)>,
    /// Writes fail.
    pub is_full: bool,
}

impl Shelf {
    /// A shelf with some files.
    pub fn of(files: &Files) -> Shelf {
        let shelf = Shelf::default();
        shelf.lock().files = files.clone();
        shelf
    }

    /// The content.
    pub fn lock(&self) -> MutexGuard<'_, Shelved> {
        self.0.lock().expect("no panic")
    }

    /// Writes a file, or fails if the shelf is full.
    pub fn write(
        &self,
        name: &str,
        body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        body(&mut bytes)?;
        let mut shelved = self.lock();
        if shelved.is_full {
            return Err(io::ErrorKind::StorageFull.into());
        }
        shelved.files.insert(name.into(), Arc::new(bytes));
        let files = shelved.files.clone();
        shelved.history.push(files);
        if let Some((writes, interrupt)) = &shelved.interrupt
            && shelved.history.len() >= *writes
        {
            interrupt.raise();
        }
        Ok(())
    }

    /// The content of a file and its length.
    pub fn read(&self, name: &str) -> Option<(io::Cursor<Vec<u8>>, u64)> {
        let bytes = self.lock().files.get(name).cloned()?;
        Some((io::Cursor::new(bytes.to_vec()), bytes.len() as u64))
    }

    /// Keeps a warning.
    pub fn warn(&self, message: &str) {
        self.lock().warnings.push(message.into());
    }
}

/// At most so many states of the files, spread over all of them, the last one included.
pub fn some(history: &[Files], most: usize) -> impl Iterator<Item = &Files> {
    let step = history.len().div_ceil(most).max(1);
    history.iter().rev().step_by(step)
}
