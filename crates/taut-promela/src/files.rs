//! Where included files come from.
//!
//! A model names the files it includes, and a model may come from a stranger. So only regular files are opened, and no
//! more than [`MOST_BYTES`] of them are read: a pipe would hold the reader for ever, a terminal would take the user's
//! input, and a device such as `/dev/zero` has no end.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that can be included.
pub const MOST_BYTES: u64 = 16 << 20;

/// A file that was found: the name under which messages speak of it, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name for messages; files it includes are looked for beside it.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Whether it is built in: no file that the user could change.
    pub built_in: bool,
}

/// The reason why a file cannot be included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// There is no such file.
    Absent,
    /// It is a folder, a pipe, a device or a socket.
    Special,
    /// It is larger than 16 MiB.
    Large,
    /// The system does not let it be read.
    Unreadable,
    /// No files are read at all.
    Forbidden,
}

impl Missing {
    /// What a message says at the place, and what to do about it.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Missing::Absent => {
                ("no such file", "files are looked for beside the file that includes them")
            }
            Missing::Special => {
                ("not a regular file", "only regular files are included: no folder, pipe or device")
            }
            Missing::Large => ("larger than 16 MiB", "put the part that is used into the model"),
            Missing::Unreadable => ("the file cannot be read", "look at its permissions"),
            Missing::Forbidden => {
                ("no files are read here", "put what is in it into the model itself")
            }
        }
    }
}

/// Finds the files that a model includes.
pub trait Files {
    /// The file that `#include "path"` means in the file called `from`.
    fn find(&mut self, from: &str, path: &str) -> Result<Found, Missing>;
}

/// The usual [`Files`]: headers that are built in, by their bare file name, and files on disk beside the file
/// that includes them.
///
/// A built-in header wins over a file on disk and is found whatever folder the model names: mmlib's models say
/// `#include "../../../library/sc.h"` and mean `sc.h`.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    built_in: HashMap<String, String>,
    disk: bool,
}

impl Headers {
    /// Nothing on disk, whatever a model asks for: only headers that are [built in](Headers::with) can be included.
    pub fn none() -> Headers {
        Headers::default()
    }

    /// Files on disk only.
    pub fn on_disk() -> Headers {
        Headers { disk: true, ..Headers::default() }
    }

    /// Adds a built-in header under its bare file name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, text: impl Into<String>) -> Headers {
        self.built_in.insert(name.into(), text.into());
        self
    }
}

impl Files for Headers {
    fn find(&mut self, from: &str, path: &str) -> Result<Found, Missing> {
        let bare = path.rsplit('/').next().unwrap_or(path);
        if let Some(text) = self.built_in.get(bare) {
            let bytes = text.clone().into_bytes();
            return Ok(Found { name: bare.into(), bytes, built_in: true });
        }
        if !self.disk {
            return Err(Missing::Forbidden);
        }
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let bytes = read_regular(&beside)?;
        let name = beside.to_string_lossy().into_owned();
        Ok(Found { name, bytes, built_in: false })
    }
}

/// What is in a regular file of reasonable size.
fn read_regular(path: &Path) -> Result<Vec<u8>, Missing> {
    let missing = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
            Missing::Absent
        }
        _ => Missing::Unreadable,
    };
    // Before it is opened: to open a pipe is to wait for its other end.
    if !std::fs::metadata(path).map_err(missing)?.is_file() {
        return Err(Missing::Special);
    }
    let mut bytes = Vec::new();
    // Not by the size that the system tells, which is 0 for files such as those of `/proc`.
    let file = File::open(path).map_err(missing)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(missing)?;
    if bytes.len() as u64 > MOST_BYTES { Err(Missing::Large) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_reasonable_size_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("small.h"), "byte x;\n").expect("a file");
        let large = File::create(at("large.h")).expect("a file");
        large.set_len(MOST_BYTES + 1).expect("a file with a hole");
        assert_eq!(read_regular(&at("small.h")), Ok(b"byte x;\n".to_vec()));
        assert_eq!(read_regular(&at("large.h")), Err(Missing::Large));
        assert_eq!(read_regular(&at("none.h")), Err(Missing::Absent));
        assert_eq!(read_regular(&at("small.h/none.h")), Err(Missing::Absent));
        assert_eq!(read_regular(&at("")), Err(Missing::Special));
        assert_eq!(read_regular(Path::new("nul\0")), Err(Missing::Absent));
    }

    #[test]
    fn without_disk_no_path_is_looked_at() {
        let mut headers = Headers::none().with("sc.h", "byte x;");
        assert_eq!(headers.find("m.pml", "/etc/passwd"), Err(Missing::Forbidden));
        assert!(headers.find("m.pml", "../../sc.h").is_ok_and(|found| found.built_in));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_opened() {
        let mut headers = Headers::on_disk();
        for path in ["/dev/zero", "/dev/stdin", "/dev/tty", "/dev"] {
            let found = headers.find("m.pml", path);
            assert!(matches!(found, Err(Missing::Special | Missing::Absent)), "{path}: {found:?}");
        }
    }
}
