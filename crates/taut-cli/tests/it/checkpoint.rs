//! Checks that are killed, interrupted, limited or disturbed in other ways, and go on: `taut check --checkpoint`,
//! `taut resume`. The answer is always that of an undisturbed check.

use crate::command;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use command::{code, objects, path, shown, stderr, stdout, taut};
use serde_json::Value;
use taut_testkit::suite::root;

/// A folder of its own for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("taut-checkpoint-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What must be the same: everything but the command, times, bytes, threads and that the check was resumed.
fn essence(output: &Output) -> Vec<Value> {
    let mut all = objects(output);
    all.iter_mut().for_each(strip);
    all
}

fn strip(value: &mut Value) {
    const OTHERS: [&str; 9] = [
        "arguments",
        "seconds",
        "phases",
        "peak_bytes",
        "bytes_per_state",
        "load_factor",
        "threads",
        "resumed",
        "turns",
    ];
    match value {
        Value::Object(fields) => {
            OTHERS.iter().for_each(|name| {
                fields.remove(*name);
            });
            fields.values_mut().for_each(strip);
        }
        Value::Array(all) => all.iter_mut().for_each(strip),
        _ => {}
    }
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// A check with JSON, the answer of which is to be kept in a folder.
fn kept<'a>(args: &[&'a str], folder: &'a Path, every: &'a str) -> Vec<&'a str> {
    let more = ["--format", "json", "--checkpoint", path(folder), "--every", every];
    [&["check"], args, &more].concat()
}

fn plain(args: &[&str]) -> Output {
    taut(&[&["check"], args, &["--format", "json"]].concat())
}

/// Goes on until there is an answer, with time limits that grow. A limit that is met after a violation was found leaves a run
/// that may not be the shortest, so the last step is made once more without one.
fn resumed(folder: &Path, first: Output) -> (Output, usize) {
    let (mut output, mut times, mut millis) = (first, 0, 20);
    let copy = folder.with_extension("copy");
    while code(&output) == 2 {
        assert!(stderr(&output).contains("resume with `taut resume "), "{}", shown(&output));
        copy_files(folder, &copy);
        let (limit, jobs) = (format!("{millis}ms"), ["-j1", "-j2", "-j3"][times % 3]);
        output = taut(&["resume", path(folder), "--timeout", &limit, jobs]);
        times += 1;
        millis += millis / 2;
    }
    if times > 0 {
        output = taut(&["resume", path(&copy)]);
    }
    (output, times)
}

fn copy_files(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

/// Programs of every language, of states and of runs, that hold and that do not.
const CHECKS: [&[&str]; 9] = [
    &["examples/peterson_filter.taut", "--model", "tso", "--bound", "2"],
    &["examples/peterson_filter_tso.taut", "--model", "tso", "--store", "tree"],
    &["examples/bakery_tso.taut", "--model", "pso", "--reduce", "none", "--all"],
    &["examples/peterson_live.taut"],
    &["examples/peterson_live.taut", "--model", "tso", "--cycles", "nested"],
    &["examples/leader.pml", "--model", "sc"],
    &["examples/philosophers.pml", "--reduce", "none", "--model", "sc"],
    &["examples/peterson_tso.taut", "--engine", "rounds", "--model", "tso"],
    &["testdata/litmus/classic/SB.litmus", "--model", "tso"],
];

#[test]
fn a_check_goes_on_after_limits_on_time() {
    let folder = Folder::new("time");
    let mut times = 0;
    for (i, check) in CHECKS.iter().enumerate() {
        let kept_in = folder.join(&i.to_string());
        let first = [kept(check, &kept_in, "10m"), vec!["--timeout", "5ms"]].concat();
        let first = taut(&first);
        if code(&first) != 2 {
            continue;
        }
        let (output, more) = resumed(&kept_in, first);
        assert_eq!(essence(&output), essence(&plain(check)), "{check:?}");
        assert!(!kept_in.join("command").exists(), "{check:?}: an answered check leaves nothing");
        times += more;
    }
    assert!(times >= 4, "resumed {times} times only");
}

/// A search of some seconds.
const LONG: [&str; 7] =
    ["examples/peterson_filter.taut", "--model", "pso", "--bound", "3", "--reduce", "none"];

/// A search for runs that takes about as long.
const LONG_RUNS: [&str; 9] = [
    "examples/peterson_filter_tso.taut",
    "--model",
    "pso",
    "--bound",
    "2",
    "--reduce",
    "none",
    "--ltl",
    "[] <> p[0]@cs",
];

fn start(args: &[&str]) -> Child {
    program().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("taut runs")
}

#[test]
fn a_check_goes_on_after_kills_at_random_moments() {
    let folder = Folder::new("kill");
    for (i, check) in [LONG.as_slice(), &LONG_RUNS].iter().enumerate() {
        let kept_in = folder.join(&i.to_string());
        let mut child = start(&kept(check, &kept_in, "100ms"));
        for jobs in ["-j1", "-j2", "-j2"] {
            std::thread::sleep(Duration::from_millis(400));
            child.kill().expect("killed");
            child.wait().expect("ended");
            if !kept_in.join("command").exists() {
                child = start(&kept(check, &kept_in, "100ms"));
                continue;
            }
            child = start(&["resume", path(&kept_in), jobs]);
        }
        let output = child.wait_with_output().expect("ended");
        assert_eq!(essence(&output), essence(&plain(check)), "{check:?}: {}", shown(&output));
    }
}

/// The system calls by which a file is changed, or comes to be.
const WRITING: &str = "write,pwrite64,writev,openat,ftruncate,fsync,fdatasync,fchmod,chmod,fchown,chown,rename,\
                       renameat,renameat2,link,linkat,unlink,unlinkat";

/// Runs a command under strace, with something done at some of its system calls.
fn disturbed(inject: &str, args: &[&str]) -> Output {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", inject]);
    let command = strace.arg(env!("CARGO_BIN_EXE_taut")).args(args);
    let command = command.current_dir(root()).stdin(Stdio::null());
    command.output().expect("strace, which scripts/setup installs")
}

/// Kills a check at some of its system calls that write, one after the other, until it is not killed any more; the
/// number of times that it was resumed.
fn killed_at(check: &[&str], folder: &Folder, calls: impl Iterator<Item = usize>) -> usize {
    let expected = essence(&plain(check));
    let mut times = 0;
    for n in calls {
        let kept_in = folder.join(&n.to_string());
        let inject = format!("inject={WRITING}:signal=KILL:when={n}");
        let output = disturbed(&inject, &kept(check, &kept_in, "0s"));
        if output.status.code().is_some_and(|code| code != 137) {
            assert_eq!(essence(&output), expected);
            break;
        }
        if !kept_in.join("command").exists() {
            continue;
        }
        let output = taut(&["resume", path(&kept_in)]);
        assert_eq!(essence(&output), expected, "killed at call {n}: {}", shown(&output));
        times += 1;
    }
    times
}

#[test]
fn a_check_goes_on_after_a_kill_at_every_system_call_that_writes() {
    let folder = Folder::new("call");
    let states = ["examples/sb.taut", "--model", "tso", "-j1", "--reduce", "none"];
    let times = killed_at(&states, &folder, 1..);
    assert!(times >= 5, "resumed {times} times");
}

#[test]
fn a_search_for_runs_goes_on_after_a_kill_at_system_calls_that_write() {
    let folder = Folder::new("call-runs");
    // A checkpoint is written after every node, with some ten calls each.
    let runs = ["examples/peterson_live.taut", "--model", "sc", "-j1", "--reduce", "none"];
    let times = killed_at(&runs, &folder, (71..1_000).step_by(73));
    assert!(times >= 5, "resumed {times} times");
}

#[test]
fn a_check_goes_on_after_a_limit_on_memory() {
    let folder = Folder::new("memory");
    let kept_in = folder.join("kept");
    let args = [kept(&LONG, &kept_in, "10m"), vec!["--max-memory", "2M"]].concat();
    let output = taut(&args);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stderr(&output).contains("resume with `taut resume "), "{}", shown(&output));
    // With less memory than the states take it stays where it is, and says so.
    let output = taut(&["resume", path(&kept_in), "--max-memory", "1M"]);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let output = taut(&["resume", path(&kept_in), "--max-memory", "1G", "-j2"]);
    assert_eq!(essence(&output), essence(&plain(&LONG)), "{}", shown(&output));
    let resumed = &objects(&output)[0]["resumed"];
    assert!(resumed["states"].as_u64().is_some_and(|states| states > 1_000), "{resumed}");
}

#[test]
fn the_first_signal_writes_a_checkpoint() {
    let folder = Folder::new("signal");
    let kept_in = folder.join("kept");
    let child = start(&kept(&LONG, &kept_in, "10m"));
    while !kept_in.join("command").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    let pid = child.id().to_string();
    Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
    let output = child.wait_with_output().expect("ended");
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stderr(&output).contains("resume with"), "{}", shown(&output));
    // From another directory than the check.
    let output =
        program().current_dir(&folder.0).args(["resume", "kept"]).output().expect("taut runs");
    assert_eq!(essence(&output), essence(&plain(&LONG)), "{}", shown(&output));
    assert!(objects(&output)[0]["resumed"].is_object(), "{}", shown(&output));
}

/// A checkpoint of a check of a copy of an example.
fn stopped(folder: &Folder) -> (PathBuf, PathBuf) {
    let (file, kept_in) = (folder.join("program.taut"), folder.join("kept"));
    fs::copy(root().join("examples/peterson_filter.taut"), &file).expect("a copy");
    let args = ["check", path(&file), "--model", "pso", "--bound", "3", "--reduce", "none"];
    let limits = ["--checkpoint", path(&kept_in), "--max-memory", "2M"];
    let output = taut(&[args.as_slice(), &limits].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("resume with `taut resume "), "{}", shown(&output));
    (file, kept_in)
}

fn is_refused(output: &Output, why: &str) {
    assert_eq!(code(output), 3, "{}", shown(output));
    assert!(stderr(output).contains(why), "{why}: {}", shown(output));
}

#[test]
fn a_source_that_was_changed_is_refused() {
    let folder = Folder::new("changed");
    let (file, kept_in) = stopped(&folder);
    let before = fs::read_to_string(&file).expect("text");
    fs::write(&file, format!("{before}\n")).expect("written");
    is_refused(&taut(&["resume", path(&kept_in)]), "program.taut` was changed");
    fs::write(&file, before).expect("written");
    assert!(code(&taut(&["resume", path(&kept_in)])) < 2);
}

#[test]
fn a_second_process_and_a_second_check_are_refused() {
    let folder = Folder::new("second");
    let (file, kept_in) = stopped(&folder);
    let again = ["check", path(&file), "--checkpoint", path(&kept_in)];
    is_refused(&taut(&again), "there is a checkpoint in");
    let held = fs::File::create(kept_in.join("lock")).expect("a lock");
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    is_refused(&taut(&["resume", path(&kept_in)]), "another process uses the checkpoint");
    drop(held);
    assert!(code(&taut(&["resume", path(&kept_in)])) < 2);
    is_refused(&taut(&["resume", path(&kept_in)]), "there is no checkpoint in");
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = Folder::new("damaged");
    let (_, kept_in) = stopped(&folder);
    let entries = fs::read_dir(&kept_in).expect("a folder");
    let paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    let files: Vec<&PathBuf> = paths.iter().filter(|p| !p.ends_with("lock")).collect();
    assert!(files.len() >= 2, "{files:?}");
    for file in files {
        let before = fs::read(file).expect("a file");
        let mut flipped = before.clone();
        flipped[before.len() / 2] ^= 4;
        let foreign = b"something else".to_vec();
        for bytes in [flipped, before[..before.len() - 1].to_vec(), Vec::new(), foreign] {
            fs::write(file, bytes).expect("written");
            is_refused(&taut(&["resume", path(&kept_in)]), "cannot read");
        }
        fs::write(file, before).expect("written");
    }
    // A search without its file is made again.
    let search = paths.iter().find(|p| path(p).contains("search-")).expect("a search");
    fs::remove_file(search).expect("removed");
    assert!(code(&taut(&["resume", path(&kept_in)])) < 2);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let folder = Folder::new("refused");
    let kept_in = folder.join("kept");
    let file = "examples/sb.taut";
    let cases: [(&[&str], &str); 7] = [
        (&[file, "--search", "dfs"], "is for `--search bfs`"),
        (&[file, "--engine", "symbolic"], "is for states one by one"),
        (&[file, "--store", "compact"], "is for `--store exact` and `--store tree`"),
        (&[file, "--store", "bitstate"], "is for `--store exact` and `--store tree`"),
        (&["-"], "needs a file"),
        (&["testdata/suites"], "--checkpoint is not for a directory"),
        (&["examples/none.taut"], "none.taut"),
    ];
    for (args, why) in cases {
        let output = taut(&[&["check"], args, &["--checkpoint", path(&kept_in)]].concat());
        is_refused(&output, why);
        assert!(!kept_in.exists(), "{args:?}: nothing was written");
    }
    is_refused(&taut(&["check", file, "--every", "1m"]), "--checkpoint");
    is_refused(&taut(&["resume", path(&kept_in)]), "there is no checkpoint in");
    for command in ["compare", "repair", "explain"] {
        is_refused(&taut(&[command, file, "--checkpoint", path(&kept_in)]), "unexpected argument");
    }
}

#[test]
fn a_full_disk_ends_no_search() {
    let folder = Folder::new("full");
    let check = ["examples/sb.taut", "--model", "tso", "-j1", "--reduce", "none"];
    let kept_in = folder.join("kept");
    // The first two are of the command.
    let output = disturbed("inject=fsync:error=ENOSPC:when=3+", &kept(&check, &kept_in, "0s"));
    assert_eq!(essence(&output), essence(&plain(&check)), "{}", shown(&output));
    assert!(stderr(&output).contains("the checkpoint was not written"), "{}", shown(&output));
    assert!(!kept_in.exists(), "the directory that was made is removed");
    // Without room for the command nothing begins.
    let output = disturbed("inject=fsync:error=ENOSPC:when=1+", &kept(&check, &kept_in, "0s"));
    is_refused(&output, "cannot write");
}

#[test]
fn statistics_say_what_was_resumed() {
    let folder = Folder::new("stats");
    let kept_in = folder.join("kept");
    let args = [&["check"], LONG.as_slice(), &["--stats", "--checkpoint", path(&kept_in)]].concat();
    let output = taut(&[args.as_slice(), &["--max-memory", "2M"]].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(!stdout(&output).contains("resumed:"), "{}", shown(&output));
    let output = taut(&["resume", path(&kept_in)]);
    let said = stdout(&output);
    assert!(said.contains("    resumed: 1 search with "), "{}", shown(&output));
}

#[test]
fn a_limit_before_the_first_search_says_that_nothing_is_kept() {
    let folder = Folder::new("early");
    let (file, kept_in) = (folder.join("counters.pml"), folder.join("kept"));
    // Each counter grows until its range is known, which takes longer than the limit.
    let vars: String = (0..1500).map(|i| format!("int v{i};\n")).collect();
    let steps: String = (0..1500).map(|i| format!(":: v{i} = v{i} + 1\n")).collect();
    let text = format!("{vars}active proctype p() {{ do\n{steps}od }}\n");
    fs::write(&file, text).expect("written");
    let limits = ["--timeout", "250ms", "--checkpoint", path(&kept_in)];
    let output = taut(&[&["check", path(&file)], limits.as_slice()].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let said = stdout(&output) + &stderr(&output);
    // Where the limit was met while the program was read, there is no checkpoint at all.
    let is_resumable = kept_in.join("command").exists();
    assert_eq!(is_resumable, said.contains("`, from the beginning\n"), "{}", shown(&output));
}
