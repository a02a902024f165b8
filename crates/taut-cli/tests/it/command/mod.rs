//! Running `taut` as a user types it.

// Each test file uses its own part of this.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use taut_testkit::suite::root;

/// Runs `taut` in the root of the repository.
pub fn taut(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(args).current_dir(root()).env_remove("COLUMNS");
    command.output().expect("taut runs")
}

/// What it printed.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// What it printed to standard error.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Its exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

/// Everything it said.
pub fn shown(output: &Output) -> String {
    format!("exit {}\n{}{}", code(output), stdout(output), stderr(output))
}

/// A file of its own for one test.
pub fn scratch(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("taut-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file");
    path
}

/// A path as an argument.
pub fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The objects of `--format json`.
pub fn objects(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|l| serde_json::from_str(l).expect("an object per line")).collect()
}
