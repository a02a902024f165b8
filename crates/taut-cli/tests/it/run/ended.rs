//! A run that is interrupted leaves nothing behind: no process, no file.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use taut_testkit::suite::root;

/// The processes whose executable is in a folder.
fn processes_in(folder: &Path) -> usize {
    let entries = std::fs::read_dir("/proc").expect("processes");
    let executables =
        entries.flatten().filter_map(|e| std::fs::read_link(e.path().join("exe")).ok());
    executables.filter(|path| path.starts_with(folder)).count()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    for file in ["examples/sb.taut", "examples/c/store_buffering_fenced.c"] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_taut"))
            .args(["run", file, "--seconds", "60"])
            .current_dir(root())
            .env("TMPDIR", folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("taut starts");
        wait_until("the program runs", || processes_in(folder.path()) > 0);
        kill_process(Pid::from_child(&child), Signal::INT).expect("a signal");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(2), "{file}");
        wait_until("no process is left", || processes_in(folder.path()) == 0);
        let left = std::fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(left, 0, "{file}");
    }
}

#[test]
fn a_harness_is_kept_where_it_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept/here");
    let output = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(["run", "examples/sb.taut", "--seconds", "50ms", "--keep"])
        .arg(&kept)
        .current_dir(root())
        .env("TMPDIR", folder.path())
        .output()
        .expect("taut runs");
    assert!(output.status.code() <= Some(1), "{output:?}");
    let text = std::fs::read_to_string(kept.join("harness.c")).expect("a harness");
    assert!(text.contains("int main"), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
}
