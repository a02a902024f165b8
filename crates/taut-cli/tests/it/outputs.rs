//! What Taut writes: output that does not arrive is an error, and a file is whole, whatever happens.

use crate::command;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use command::{code, shown, stderr, taut};
use taut_testkit::suite::root;

/// A folder of its own for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("taut-outputs-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// A copy of an example.
    fn copy(&self, example: &str, name: impl AsRef<OsStr>) -> PathBuf {
        let path = self.0.join(name.as_ref());
        fs::copy(root().join("examples").join(example), &path).expect("a copy");
        path
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let mut names: Vec<_> = entries
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::set_permissions(&self.0, fs::Permissions::from_mode(0o755));
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command whose standard output has no room.
fn on_full_disk(args: &[&str]) -> Output {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    program().args(args).stdout(full).output().expect("taut runs")
}

#[test]
fn output_that_does_not_arrive_is_an_error() {
    let commands: [&[&str]; 20] = [
        &["check", "examples/sb.taut"],
        &["check", "examples/sb.taut", "--format", "json"],
        &["check", "examples/sb.taut", "--format", "sarif"],
        &["check", "examples/sb.taut", "--format", "github"],
        &["check", "examples/peterson_tso.taut", "--model", "tso"],
        &["check", "examples/sb.taut", "--all", "--stats"],
        &["compare", "examples/sb.taut"],
        &["compare", "examples/sb.taut", "--format", "json"],
        &["explain", "examples/sb.taut", "--model", "tso"],
        &["repair", "examples/sb.taut"],
        &["repair", "examples/sb.taut", "--diff"],
        &["repair", "examples/sb.taut", "--format", "json"],
        &["fmt", "examples/sb.taut"],
        &["export", "examples/sb.taut", "--to", "promela"],
        &["litmus", "testdata/litmus/classic"],
        &["ltl", "[] <> a"],
        &["graph", "examples/sb.taut", "--to", "dot"],
        &["schema", "check"],
        &["header"],
        &["--help"],
    ];
    for args in commands {
        let output = on_full_disk(args);
        assert_eq!(code(&output), 74, "{args:?}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains("cannot write to standard output"), "{args:?}: {said}");
    }
}

#[test]
fn a_suite_whose_output_does_not_arrive_is_an_error() {
    for format in ["text", "json", "sarif", "github"] {
        let output = on_full_disk(&["check", "testdata/suites", "--format", format]);
        assert_eq!(code(&output), 74, "{format}: {}", stderr(&output));
    }
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let commands: [&[&str]; 4] = [
        &["check", "examples/sb.taut", "--report", "/dev/full"],
        &["check", "examples/sb.taut", "--model", "tso", "--trace", "/dev/full"],
        &["check", "examples/sb.taut", "--sarif", "/dev/full"],
        &["check", "testdata/suites", "--junit", "/dev/full"],
    ];
    for args in commands {
        let output = taut(args);
        assert_eq!(code(&output), 74, "{args:?}: {}", shown(&output));
        assert!(stderr(&output).contains("cannot write `/dev/full`"), "{}", shown(&output));
    }
}

#[test]
fn a_name_that_is_no_text_is_written_to() {
    let folder = Folder::new("name");
    let path = folder.copy("sb.taut", OsStr::from_bytes(b"s\xffb.taut"));
    let output =
        program().args(["repair", "--write", "--model", "tso"]).arg(&path).output().expect("runs");
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let text = fs::read_to_string(&path).expect("text");
    assert!(text.contains("fence"), "{text}");
    assert_eq!(folder.names().len(), 1);
}

#[test]
fn a_repaired_file_keeps_its_permissions_its_link_and_its_byte_order_mark() {
    let folder = Folder::new("keep");
    let file = folder.copy("sb.taut", "file.taut");
    let marked = ["\u{feff}", &fs::read_to_string(&file).expect("text")].concat();
    fs::write(&file, marked).expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o664)).expect("permissions");
    let link = folder.0.join("link.taut");
    symlink("file.taut", &link).expect("a link");
    let output =
        program().args(["repair", "--write", "--model", "tso"]).arg(&link).output().expect("runs");
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o664);
    let text = fs::read_to_string(&file).expect("text");
    assert!(text.starts_with('\u{feff}') && text.contains("fence"), "{text}");
}

/// The system calls by which a file is changed, or comes to be.
const WRITING: &str = "write,pwrite64,writev,openat,open,creat,ftruncate,fsync,fdatasync,fchmod,chmod,fchown,chown,\
                       rename,renameat,renameat2,link,linkat,unlink,unlinkat";

/// Runs a command that is killed at its n-th system call that writes; whether it was.
fn killed_at(n: usize, args: &[&str], path: &Path) -> bool {
    let inject = format!("inject={WRITING}:signal=KILL:when={n}");
    let status = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", &inject])
        .arg(env!("CARGO_BIN_EXE_taut"))
        .args(args)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("strace, which scripts/setup installs");
    status.code().is_none() || status.code() == Some(137)
}

#[test]
fn a_source_survives_a_kill_at_every_system_call_that_writes() {
    let folder = Folder::new("kill");
    let args = ["repair", "--write", "--model", "tso", "-j1"];
    let path = folder.copy("sb.taut", "sb.taut");
    let before = fs::read(&path).expect("a file");
    let output = program().args(args).arg(&path).output().expect("runs");
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let after = fs::read(&path).expect("a file");
    assert_ne!(before, after);
    let (mut kills, mut n) = (0, 1);
    loop {
        fs::write(&path, &before).expect("written");
        let killed = killed_at(n, &args, &path);
        let now = fs::read(&path).expect("a file is there");
        assert!(
            now == before || now == after,
            "killed at call {n}: {}",
            String::from_utf8_lossy(&now)
        );
        kills += usize::from(killed);
        n += 1;
        if !killed {
            assert!(now == after, "a run that was not killed writes");
            break;
        }
    }
    assert!(kills >= 5, "killed {kills} times only");
}
