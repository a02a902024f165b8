//! Where included files come from.

use std::collections::HashMap;
use std::path::Path;

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

/// Finds the files that a model includes.
pub trait Files {
    /// The file that `#include "path"` means in the file called `from`; none if there is no such file.
    fn find(&mut self, from: &str, path: &str) -> Option<Found>;

    /// Whether there may be files that are not built in.
    fn reads_disk(&self) -> bool {
        true
    }
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
    fn find(&mut self, from: &str, path: &str) -> Option<Found> {
        let bare = path.rsplit('/').next().unwrap_or(path);
        if let Some(text) = self.built_in.get(bare) {
            let bytes = text.clone().into_bytes();
            return Some(Found { name: bare.into(), bytes, built_in: true });
        }
        if !self.disk {
            return None;
        }
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let bytes = std::fs::read(&beside).ok()?;
        let name = beside.to_string_lossy().into_owned();
        Some(Found { name, bytes, built_in: false })
    }

    fn reads_disk(&self) -> bool {
        self.disk
    }
}
