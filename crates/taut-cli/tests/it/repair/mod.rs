//! `taut repair` as a user types it: the cheapest sets are those that are known, every patch applies with the
//! `patch` program, what comes of it is read and checked anew, and what cannot be fixed is refused.
//!
//! Repairs in folders of their own, patched by the `patch` program.

mod brute_force;
mod c;
mod litmus;
mod liveness;
mod locks;
mod patches;
mod preference;
mod promela;
mod races;
mod refusals;
mod relax;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use taut_testkit::suite::root;

use crate::command::{code, objects, shown, stdout};

/// A fence costs as much as a store fence, in loops as elsewhere: what is counted is places.
pub const BY_NUMBER: &[&str] = &["--cost", "fence=1,sfence=1,loop=1"];

/// A folder of its own for one test, in which commands run.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// An empty one.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("taut-repair-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder { path }
    }

    /// One with a copy of a file of the repository; and the name of the copy.
    pub fn with_copy(name: &str, file: &str) -> (Folder, String) {
        let folder = Folder::new(name);
        let copy = Path::new(file).file_name().and_then(|n| n.to_str()).expect("a name");
        folder.write(copy, &std::fs::read_to_string(root().join(file)).expect("a file"));
        (folder, copy.to_owned())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path.join(name), text).expect("a file");
    }

    /// What a file holds.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).expect("a file")
    }

    /// Whether there is a file.
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// Runs `taut` here.
    pub fn taut(&self, args: &[&str]) -> Output {
        self.taut_with("", args)
    }

    /// Runs `taut` here with a text on its standard input.
    pub fn taut_with(&self, input: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
        command.args(args).current_dir(&self.path).env_remove("COLUMNS");
        fed(command, input)
    }

    /// Repairs a file; the report, whose exit code is 0.
    pub fn repair(&self, file: &str, args: &[&str]) -> Value {
        let output = self.taut(&[&["repair", file, "--format", "json"], args].concat());
        assert_eq!(code(&output), 0, "{file} {args:?}: {}", shown(&output));
        objects(&output).remove(0)
    }

    /// The change that a repair of a file shows, applied to it by `patch`.
    pub fn repair_and_patch(&self, file: &str, args: &[&str]) -> String {
        let output = self.taut(&[&["repair", file, "--diff"], args].concat());
        assert_eq!(code(&output), 0, "{file} {args:?}: {}", shown(&output));
        let diff = stdout(&output);
        self.patch(&diff);
        diff
    }

    /// Applies a diff, without any offset or fuzz.
    pub fn patch(&self, diff: &str) {
        let mut command = Command::new("patch");
        command.args(["-p0", "--fuzz=0"]).current_dir(&self.path);
        let output = fed(command, diff);
        assert_eq!(code(&output), 0, "{}\n{diff}", shown(&output));
        assert!(!stdout(&output).contains("offset"), "{}\n{diff}", shown(&output));
    }

    /// Checks a file; the exit code.
    pub fn check(&self, file: &str, args: &[&str]) -> i32 {
        code(&self.taut(&[&["check", file], args].concat()))
    }

    /// Checks a file, which must be right.
    pub fn holds(&self, file: &str, args: &[&str]) {
        let output = self.taut(&[&["check", file], args].concat());
        assert_eq!(code(&output), 0, "{args:?}\n{}{}", self.read(file), shown(&output));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What a failed test had is kept to be looked at.
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Runs a command with a text on its standard input.
fn fed(mut command: Command, input: &str) -> Output {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("a program that is installed");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Who refuses its arguments reads nothing, which is no trouble here.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("an end")
}

/// The places of a set: line and kind.
pub fn places(set: &Value) -> BTreeSet<(u64, String)> {
    let place = |p: &Value| {
        (p["line"].as_u64().expect("a line"), p["kind"].as_str().expect("a kind").to_owned())
    };
    array(&set["places"]).iter().map(place).collect()
}

/// How many changes there are in all processes: a place in the text of two processes is two.
pub fn in_all_processes(set: &Value) -> usize {
    array(&set["places"]).iter().map(|place| array(&place["process"]).len()).sum()
}

/// The elements of an array.
pub fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_else(|| panic!("no array: {value}"))
}

/// The numbers of the lines that a diff adds, in the text that it makes.
pub fn added_lines(diff: &str) -> Vec<usize> {
    let mut at = 0;
    let mut added = Vec::new();
    for line in diff.lines().filter(|line| !line.starts_with("+++") && !line.starts_with("---")) {
        if let Some(hunk) = line.strip_prefix("@@ -") {
            let new = hunk.split(" +").nth(1).expect("a range");
            at = new.split([',', ' ']).next().and_then(|n| n.parse().ok()).expect("a line");
        } else if !line.starts_with('-') {
            if line.starts_with('+') {
                added.push(at);
            }
            at += 1;
        }
    }
    added
}

/// A text without one of its lines, which count from 1.
pub fn without_line(text: &str, number: usize) -> String {
    let kept = text.lines().enumerate().filter(|(i, _)| i + 1 != number);
    kept.map(|(_, line)| format!("{line}\n")).collect()
}
