//! The directory of a checkpoint.
//!
//! A file is written under a temporary name, synced and renamed, and the directory is synced: a process that is killed at any
//! moment leaves the old file or the new one. A lock, which ends with the process, keeps a second process out. What
//! a killed process left under temporary names is removed by the next one.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use taut::checkpoint::Vault;
use taut::checkpoint::{Content, SEARCH};

use super::super::files;
use super::super::output::eprint;
use super::super::refused::Refused;
use super::{cannot, nothing_in, order};

/// The name of the lock.
const LOCK: &str = "lock";
/// Bytes that are written together.
const AT_ONCE: usize = 1 << 20;

/// A directory that this process alone uses.
#[derive(Clone, Debug)]
pub struct Folder(Arc<Locked>);

#[derive(Debug)]
struct Locked {
    path: PathBuf,
    /// Whether this process made it.
    is_new: bool,
    /// Locked as long as it is open.
    _lock: File,
}

impl Folder {
    /// A directory for a new checkpoint. One that has a checkpoint already is left alone.
    pub fn create(typed: &Path) -> Result<Folder, Refused> {
        let is_new = !typed.exists();
        fs::create_dir_all(typed).map_err(|error| cannot("create", typed, &error))?;
        let folder = Folder::lock(typed, is_new)?;
        if !folder.path(order::NAME).exists() {
            folder.remove(is_of_search);
            return Ok(folder);
        }
        let shown = typed.display();
        Err(Refused::Message(format!(
            "there is a checkpoint in `{shown}`\nhelp: go on with `taut resume {shown}`, or remove the directory"
        )))
    }

    /// The directory of a checkpoint.
    pub fn open(typed: &Path) -> Result<Folder, Refused> {
        if !typed.join(order::NAME).is_file() {
            return Err(nothing_in(typed));
        }
        let folder = Folder::lock(typed, false)?;
        folder.remove(|name| name.starts_with(files::TEMPORARY));
        Ok(folder)
    }

    fn lock(typed: &Path, is_new: bool) -> Result<Folder, Refused> {
        let path = fs::canonicalize(typed).map_err(|error| cannot("read", typed, &error))?;
        let lock = File::create(path.join(LOCK)).map_err(|error| cannot("write", typed, &error))?;
        match try_lock(&lock) {
            Ok(()) => Ok(Folder(Arc::new(Locked { path, is_new, _lock: lock }))),
            Err(_) => Err(Refused::Message(format!(
                "another process uses the checkpoint in `{}`",
                typed.display()
            ))),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path.join(name)
    }

    /// The names of all files.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.0.path)?;
        let names = entries.map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()));
        let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
        names.sort();
        Ok(names)
    }

    /// Whether a search is kept. Before the first one there is only the command, which begins anew.
    pub fn has_search(&self) -> bool {
        self.names().unwrap_or_default().iter().any(|name| name.starts_with(SEARCH))
    }

    /// Removes all files of a checkpoint; the command last, so that what is there until then can be resumed. A directory
    /// that was made for it goes, too, unless it holds something else.
    pub fn clear(&self) {
        self.remove(is_of_search);
        self.remove(|name| name == order::NAME);
        self.remove(|name| name == LOCK);
        if self.0.is_new {
            let _ = fs::remove_dir(&self.0.path);
        }
    }

    /// Removes some files. One that cannot be removed does no harm.
    fn remove(&self, is_meant: impl Fn(&str) -> bool) {
        for name in self.names().unwrap_or_default() {
            if is_meant(&name) {
                let _ = fs::remove_file(self.path(&name));
            }
        }
    }
}

/// Whether a file is of a search, whole or not.
fn is_of_search(name: &str) -> bool {
    name.starts_with(SEARCH) || name.starts_with(files::TEMPORARY)
}

#[cfg(unix)]
fn try_lock(lock: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    Ok(flock(lock, FlockOperation::NonBlockingLockExclusive)?)
}

/// Without locks of files two processes can use one directory; each file that they write is whole all the same.
#[cfg(not(unix))]
fn try_lock(_: &File) -> io::Result<()> {
    Ok(())
}

/// Number of files of checkpoints that are being written.
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// Whether a checkpoint is being written. A limit on time does not end that: what the search has found so far would be
/// lost with it.
pub fn is_writing() -> bool {
    WRITING.load(Ordering::Relaxed) > 0
}

/// Says that a file is being written until this is dropped.
struct KeepingNow;

impl KeepingNow {
    fn begin() -> KeepingNow {
        WRITING.fetch_add(1, Ordering::Relaxed);
        KeepingNow
    }
}

impl Drop for KeepingNow {
    fn drop(&mut self) {
        WRITING.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Vault for Folder {
    fn write(
        &self,
        name: &str,
        body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let _keeping = KeepingNow::begin();
        let temporary = files::create_in(&self.0.path)?;
        let mut out = BufWriter::with_capacity(AT_ONCE, temporary);
        body(&mut out)?;
        let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        temporary.as_file().sync_all()?;
        temporary.persist(self.path(name)).map_err(|error| error.error)?;
        // The rename itself reaches the disk with the directory.
        File::open(&self.0.path)?.sync_all()
    }

    fn read(&self, name: &str) -> io::Result<Option<Content<'_>>> {
        let file = match File::open(self.path(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let length = file.metadata()?.len();
        Ok(Some((Box::new(BufReader::with_capacity(AT_ONCE, file)), length)))
    }

    fn warn(&self, message: &str) {
        eprint(&format!("warning: {message}\n"));
    }
}
