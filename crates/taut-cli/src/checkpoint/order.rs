//! The command of a check that can be resumed, with hashes of what it read.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use taut::Loaded;
use taut::checkpoint::{read_note, write_note};

use super::{Folder, fingerprint};

/// The name of the file.
pub const NAME: &str = "command";

/// A command.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The directory in which it was given.
    directory: Vec<u8>,
    /// What was typed after the name of the program.
    arguments: Vec<Vec<u8>>,
    /// The files that were read, each with a hash of its text.
    sources: Vec<(String, String)>,
    /// A hash of what became of them.
    program: String,
}

impl Order {
    /// The command that this process was given.
    pub fn of(loaded: &Loaded) -> io::Result<Order> {
        Ok(Order {
            directory: bytes(std::env::current_dir()?.into_os_string()),
            arguments: std::env::args_os().skip(1).map(bytes).collect(),
            sources: sources(loaded),
            program: fingerprint(&loaded.program),
        })
    }

    /// The directory in which it was given.
    pub fn directory(&self) -> PathBuf {
        text(self.directory.clone()).into()
    }

    /// What was typed, the name of the program included.
    pub fn arguments(&self) -> Vec<OsString> {
        let typed = self.arguments.iter().cloned().map(text);
        std::iter::once("taut".into()).chain(typed).collect()
    }

    /// Writes the command.
    pub fn write(&self, folder: &Folder) -> io::Result<()> {
        write_note(folder, NAME, &serde_json::to_vec(self)?)
    }

    /// Reads the command, if there is one.
    pub fn read(folder: &Folder) -> io::Result<Option<Order>> {
        let Some(note) = read_note(folder, NAME)? else { return Ok(None) };
        Ok(Some(serde_json::from_slice(&note)?))
    }

    /// What is not as it was when the command was given, if anything.
    pub fn changed(&self, loaded: &Loaded) -> Option<String> {
        let now = sources(loaded);
        let other = now.iter().find(|source| !self.sources.contains(source));
        if let Some((name, _)) = other {
            return Some(format!("`{name}` was changed since the checkpoint was written"));
        }
        let is_same = now == self.sources && fingerprint(&loaded.program) == self.program;
        (!is_same)
            .then(|| "the files of this check were changed since the checkpoint was written".into())
    }
}

fn sources(loaded: &Loaded) -> Vec<(String, String)> {
    let files = loaded.sources.files().iter();
    files.map(|file| (file.name().into(), fingerprint(&file.text()))).collect()
}

#[cfg(unix)]
fn bytes(text: OsString) -> Vec<u8> {
    std::os::unix::ffi::OsStringExt::into_vec(text)
}

#[cfg(unix)]
fn text(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn bytes(text: OsString) -> Vec<u8> {
    text.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn text(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
