//! States in files, as a user meets them: the same answers with little memory, a full disk, damaged files, and nothing
//! left behind.

use crate::command;

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use command::{code, objects, path, scratch, shown, stdout, taut};
use serde_json::Value;
use taut_testkit::suite::root;

/// What two searches must have in common: verdicts with their runs, and counts.
fn essence(output: &Output) -> Vec<String> {
    let of = |object: &Value| {
        let stats = &object["stats"];
        let keys = ["states", "expanded", "transitions", "matched", "deadlocks", "faults", "depth"];
        let counts: Vec<_> = keys.iter().map(|key| stats[key].to_string()).collect();
        format!("{} {} {}", object["model"], object["results"], counts.join(" "))
    };
    objects(output).iter().map(of).collect()
}

#[test]
fn answers_runs_and_counts_are_those_of_the_exact_store() {
    let files = [
        "examples/peterson.taut",
        "examples/seqlock.taut",
        "examples/spawn.taut",
        "examples/mp.pml",
        "examples/dve/peterson2.dve",
    ];
    let mut bytes = 0;
    for file in files {
        let check = |options: &[&str]| {
            let args = [
                "check",
                file,
                "--reduce",
                "none",
                "-j",
                "1",
                "--format",
                "json",
                "--no-ltl",
                "--bound=2",
            ];
            taut(&[&args[..], options].concat())
        };
        for all in [&[][..], &["--all"]] {
            let exact = check(all);
            let disk = check(&[&["--store", "disk", "--disk-memory", "256K"][..], all].concat());
            assert_eq!(essence(&exact), essence(&disk), "{file} {all:?}: {}", shown(&disk));
            assert_eq!(code(&exact), code(&disk), "{file} {all:?}");
            let in_files = |object: &Value| object["stats"]["disk_bytes"].as_u64().unwrap_or(0);
            bytes += objects(&disk).iter().map(in_files).sum::<u64>();
        }
    }
    assert!(bytes > 0, "some states did not fit the memory");
}

/// A search that does not end by itself.
fn endless() -> PathBuf {
    scratch(
        "endless.taut",
        "shared 0..1000000 x, y, z;\n\
         process p begin loop { x := (x + 1) % 1000000; } end\n\
         process q begin loop { y := (y + 1) % 1000000; } end\n\
         process r begin loop { z := (z + 1) % 1000000; } end\n\
         invariant small: x <= 1000000;\n",
    )
}

const SEARCH: [&str; 7] =
    ["--model", "sc", "--reduce", "none", "--disk-memory", "512K", "--store=disk"];

#[test]
fn statistics_tell_what_is_in_files() {
    let file = endless();
    let args = [&["check", path(&file), "--max-states", "60000", "--stats"], &SEARCH[..]].concat();
    let output = taut(&args);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let text = stdout(&output);
    for words in ["disk store: ", " in files, ", " bytes per state", "the limit of 60000 states"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_limit_on_files_ends_in_unknown() {
    let file = endless();
    let args = [&["check", path(&file), "--max-disk", "300K"], &SEARCH[..]].concat();
    let output = taut(&args);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let text = stdout(&output);
    assert!(text.contains("the limit of 300.0 KiB for files of states was met"), "{text}");
}

/// The system refuses to write more than 100 KiB to a file, as a full disk does.
#[test]
fn a_full_disk_ends_in_unknown() {
    let file = endless();
    let script = r#"trap '' XFSZ; ulimit -f 100; exec "$0" "$@""#;
    let mut command = Command::new("bash");
    command.args(["-c", script, env!("CARGO_BIN_EXE_taut"), "check", path(&file)]).args(SEARCH);
    let output = command.current_dir(root()).output().expect("bash runs");
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("the disk is full, with "), "{}", shown(&output));
}

/// A search whose files are in a directory of their own.
fn start(directory: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.arg("check").arg(endless()).args(SEARCH).arg("--disk-dir").arg(directory);
    command.args(["--timeout", "60s"]).current_dir(root());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("taut runs")
}

/// The files of a process that have no name and some bytes in them.
#[cfg(target_os = "linux")]
fn nameless(process: u32) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(format!("/proc/{process}/fd")) else { return Vec::new() };
    let is_nameless = |path: &PathBuf| {
        let target = fs::read_link(path).map(|target| target.display().to_string());
        let len = fs::metadata(path).map_or(0, |metadata| metadata.len());
        len > 0 && target.is_ok_and(|target| target.ends_with(" (deleted)"))
    };
    entries.flatten().map(|entry| entry.path()).filter(is_nameless).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name, "").with_extension("folder");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Waits until something is so, half a minute at most.
fn wait_for(mut it: impl FnMut() -> bool) {
    let started = Instant::now();
    while !it() {
        assert!(started.elapsed() < Duration::from_secs(30), "it takes too long");
        sleep(Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_killed_leaves_no_file_behind() {
    let folder = folder("killed");
    let is_empty = || fs::read_dir(&folder).expect("a folder").next().is_none();
    let mut child = start(&folder);
    wait_for(|| nameless(child.id()).len() > 1);
    assert!(is_empty(), "files have no name while they are used");
    child.kill().expect("a process");
    child.wait().expect("a process");
    assert!(is_empty());
}

/// Changes a byte in each 4 KiB of a file.
fn damage(path: &Path) -> std::io::Result<()> {
    let mut file = File::options().read(true).write(true).open(path)?;
    for offset in (20..file.metadata()?.len()).step_by(1 << 12) {
        let mut byte = [0];
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(&mut byte)?;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(&[!byte[0]])?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn damaged_files_end_in_unknown() {
    let mut child = start(&folder("damaged"));
    wait_for(|| {
        for path in nameless(child.id()) {
            // The file may be gone already: there will be others.
            let _ = damage(&path);
        }
        child.try_wait().expect("a process").is_some()
    });
    let output = child.wait_with_output().expect("a process");
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("a file of states is damaged"), "{}", shown(&output));
}
