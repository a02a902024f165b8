//! Temporary files without a name, and the number of bytes in them.
//!
//! A file has no name in its directory: it is created without one, or the name is removed as soon as it is open. So the
//! system frees its bytes when the process ends, also when it is killed.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::limits::DiskTrouble;
use crate::limits::Limit;

/// Creates a file without a name in a directory. Fails where a search with files in this directory would fail.
#[cfg(not(target_family = "wasm"))]
pub fn scratch_file(directory: &Path) -> io::Result<File> {
    tempfile::tempfile_in(directory)
}

/// A page has no files.
#[cfg(target_family = "wasm")]
pub fn scratch_file(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The files of one search.
#[derive(Clone)]
pub(super) struct Files {
    directory: PathBuf,
    most: u64,
    count: Rc<Count>,
}

/// Bytes in the files of one search.
#[derive(Default)]
struct Count {
    used: Cell<u64>,
    peak: Cell<u64>,
}

impl Count {
    fn add(&self, bytes: u64) {
        self.used.set(self.used.get() + bytes);
        self.peak.set(self.peak.get().max(self.used.get()));
    }
}

impl Files {
    /// Files in a directory, with at most this number of bytes in all of them.
    pub(super) fn new(directory: PathBuf, most: u64) -> Files {
        Files { directory, most, count: Rc::default() }
    }

    /// Most bytes that were in files at the same time.
    pub(super) fn peak(&self) -> u64 {
        self.count.peak.get()
    }

    /// An empty file.
    pub(super) fn create(&self) -> Result<Scratch, Limit> {
        let file = scratch_file(&self.directory).map_err(|error| self.trouble(&error))?;
        Ok(Scratch { file, len: 0, files: self.clone() })
    }

    fn trouble(&self, error: &io::Error) -> Limit {
        DiskTrouble::of(error, self.count.used.get()).into()
    }
}

/// One file. It is written at its end and read anywhere.
pub(super) struct Scratch {
    file: File,
    len: u64,
    files: Files,
}

impl Scratch {
    /// Number of bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Writes bytes at the end. If that fails, what was there before can still be read.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), Limit> {
        let more = bytes.len() as u64;
        if self.files.count.used.get().saturating_add(more) > self.files.most {
            return Err(DiskTrouble::Most(self.files.most).into());
        }
        let written =
            self.file.seek(SeekFrom::Start(self.len)).and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| self.files.trouble(&error))?;
        self.files.count.add(more);
        self.len += more;
        Ok(())
    }

    /// Reads bytes from an offset on, as many as fit the buffer or are there; their number.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Limit> {
        let there = self.len.saturating_sub(offset).min(buffer.len() as u64) as usize;
        let mut file = &self.file;
        let read =
            file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut buffer[..there]));
        read.map_err(|error| self.files.trouble(&error))?;
        Ok(there)
    }

    /// Removes all bytes.
    pub(super) fn clear(&mut self) -> Result<(), Limit> {
        self.file.set_len(0).map_err(|error| self.files.trouble(&error))?;
        self.give_back();
        self.len = 0;
        Ok(())
    }

    fn give_back(&self) {
        let used = &self.files.count.used;
        used.set(used.get() - self.len);
    }

    /// Changes a byte behind the back of the search.
    #[cfg(test)]
    pub(super) fn damage(&mut self, offset: u64) {
        let mut byte = [0];
        self.read(offset, &mut byte).expect("a byte");
        self.file.seek(SeekFrom::Start(offset)).expect("an offset");
        self.file.write_all(&[byte[0] ^ 0x10]).expect("a byte");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.give_back();
    }
}
