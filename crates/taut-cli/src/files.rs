//! Files that Taut writes: the old content or the new content, whole, whatever happens in between.
//!
//! A file is replaced by writing a temporary one beside it, syncing it to the disk and renaming it. A rename
//! within a directory is atomic, so a process that is killed, a full disk or a lost machine leaves one of the two.
//! The permissions and, where the system allows it, the owner stay those of the old file. A symbolic link stays
//! a link: the file that it leads to is replaced. What is no regular file (a pipe, a terminal, `/dev/null`) cannot be replaced
//! and is written to.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::output::{eprint, print};

/// The byte order mark of UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Replaces what a file holds. If this fails, the file is as it was.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let (target, old) = target(path)?;
    match old {
        Some(old) if !old.is_file() => write_to(&target, content),
        old => rename_over(&target, old.as_ref(), content),
    }
}

/// Replaces what a file holds, with a message and its exit if that fails.
pub fn deliver(path: &Path, content: &[u8]) -> Result<(), Exit> {
    replace(path, content).map_err(|error| {
        eprint(&format!("error: cannot write `{}`: {error}\n", path.display()));
        Exit::NotWritten
    })
}

/// Writes a text to a file, or without one to standard output.
pub fn deliver_text(text: &str, path: Option<&Path>) -> Exit {
    let Some(path) = path else {
        print(text);
        return Exit::Holds;
    };
    match deliver(path, text.as_bytes()) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

/// Replaces a source file that was read before; if it holds something else now, it is left alone.
pub fn replace_source(path: &Path, before: &[u8], content: &[u8]) -> Result<(), Exit> {
    match fs::read(path) {
        Ok(now) if now == before => deliver(path, content),
        // A byte order mark is no part of a text that was read, and stays where it is.
        Ok(now) if now.strip_prefix(MARK) == Some(before) => {
            deliver(path, &[MARK, content].concat())
        }
        Ok(_) => {
            eprint(&format!(
                "error: `{}` was changed while Taut was at work; it is left as it is now\n\
                 help: run the command again\n",
                path.display()
            ));
            Err(Exit::BadInput)
        }
        Err(error) => {
            eprint(&format!("error: cannot read `{}` again: {error}\n", path.display()));
            Err(Exit::BadInput)
        }
    }
}

/// The file that a path leads to through symbolic links, and what is there now.
fn target(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    match fs::canonicalize(path) {
        Ok(target) => {
            let old = fs::metadata(&target)?;
            Ok((target, Some(old)))
        }
        // A link that leads nowhere: its file is created, as any program would.
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            Ok(link) => Ok((path.parent().unwrap_or(Path::new("")).join(link), None)),
            Err(_) => Ok((path.to_path_buf(), None)),
        },
        Err(error) => Err(error),
    }
}

fn write_to(path: &Path, content: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(content)
}

fn rename_over(target: &Path, old: Option<&Metadata>, content: &[u8]) -> io::Result<()> {
    // The file must be one that could be written in place: a rename would replace it even if it is read-only.
    if old.is_some() {
        OpenOptions::new().write(true).open(target)?;
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut temporary = create_in(folder)?;
    temporary.write_all(content)?;
    if let Some(old) = old {
        keep_owner(temporary.path(), old);
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(target).map_err(|error| error.error)?;
    // The rename itself reaches the disk with the directory; where that cannot be asked for, it does so later.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// How the names of temporary files begin.
pub const TEMPORARY: &str = ".taut-";

/// A temporary file with the permissions of a new one, which is removed unless it is kept.
pub fn create_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // Without this the message has the name of the temporary file, which means nothing to the user.
    let plain = |error: io::Error| {
        let text = error.to_string();
        io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or(&text).to_string())
    };
    builder.tempfile_in(folder).map_err(plain)
}

/// Gives a file the owner of the old one. Only the superuser can do this; for other users the owner is the same.
#[cfg(unix)]
fn keep_owner(path: &Path, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, chown};
    let _ = chown(path, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &Metadata) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_or_created() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        replace(&path, b"one").expect("created");
        replace(&path, b"two").expect("replaced");
        assert_eq!(fs::read(&path).expect("a file"), b"two");
        assert_eq!(
            fs::read_dir(folder.path()).expect("a folder").count(),
            1,
            "nothing is left over"
        );
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("permissions");
        symlink("file", &link).expect("a link");
        replace(&link, b"new").expect("replaced");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read(&file).expect("a file"), b"new");
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o640);
        let dangling = folder.path().join("dangling");
        symlink("made", &dangling).expect("a link");
        replace(&dangling, b"through").expect("created");
        assert_eq!(fs::read(folder.path().join("made")).expect("a file"), b"through");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_written_to() {
        replace(Path::new("/dev/null"), b"anything").expect("written");
        let full = replace(Path::new("/dev/full"), b"anything").expect_err("no space");
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
    }

    #[test]
    fn a_source_that_changed_in_the_meantime_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.taut");
        fs::write(&path, "somebody's change").expect("written");
        assert_eq!(replace_source(&path, b"as it was read", b"fixed"), Err(Exit::BadInput));
        assert_eq!(fs::read(&path).expect("a file"), b"somebody's change");
        fs::write(&path, "as it was read").expect("written");
        assert_eq!(replace_source(&path, b"as it was read", b"fixed"), Ok(()));
        assert_eq!(fs::read(&path).expect("a file"), b"fixed");
        fs::remove_file(&path).expect("removed");
        assert_eq!(replace_source(&path, b"fixed", b"twice"), Err(Exit::BadInput));
        assert!(!path.exists());
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("folder");
        fs::create_dir(&path).expect("a folder");
        replace(&path, b"text").expect_err("a folder is no file");
        replace(&folder.path().join("none/file"), b"text").expect_err("no such folder");
        assert!(path.is_dir());
    }
}
