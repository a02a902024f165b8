//! One command, watched: its exit, its processor time and its memory.
//!
//! The system counts the memory of this process to that of a child that it starts, so this process stays small.

use std::cell::Cell;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::commands::Attempt;

/// The limit of time that commands are given, in seconds.
pub const MOST_SECONDS: u64 = 1;
/// The limit of memory that commands are given, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;
/// Processor time above the limit: a limit is honoured within a second.
const GRACE: Duration = Duration::from_secs(1);
/// Time on the wall after which a command hangs, however busy the machine is.
const HANGS: Duration = Duration::from_secs(60);
/// Pages of the executable and of libraries that a small check does not touch. The limit is on other memory.
const EXECUTABLE: u64 = 24 << 20;
/// Memory of commands that have no limit of their own.
const MOST_BYTES_UNLIMITED: u64 = 1 << 30;

/// What must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A signal ended it.
    Signal,
    /// An exit code that means nothing, or a bug.
    Exit(i32),
    /// A message of a panic.
    Panic(String),
    /// No end.
    Hang,
    /// More processor time than allowed, in milliseconds.
    Time(u64),
    /// More memory than allowed, in bytes.
    Memory(u64),
}

impl Failure {
    /// Whether two failures are of one kind.
    pub fn same_kind(&self, other: &Failure) -> bool {
        match (self, other) {
            (Failure::Panic(a), Failure::Panic(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Signal => f.write_str("ended by a signal"),
            Failure::Exit(code) => write!(f, "exit code {code}"),
            Failure::Panic(place) => write!(f, "a panic: {place}"),
            Failure::Hang => f.write_str("no end"),
            Failure::Time(ms) => {
                write!(f, "{ms} ms of processor time at a limit of {MOST_SECONDS} s")
            }
            Failure::Memory(bytes) => write!(f, "{} MiB of memory", bytes >> 20),
        }
    }
}

/// Runs commands.
pub struct Runner<'a> {
    taut: &'a Path,
    /// The folder of the attack; the examples are beside it.
    folder: PathBuf,
    /// The memory of the executable itself.
    base: u64,
    /// The largest memory of a child so far.
    largest: Cell<u64>,
    /// Commands by their exit codes: 0, 1, 2, 3.
    exits: Cell<[u64; 4]>,
}

impl<'a> Runner<'a> {
    /// Runs an executable in a folder, beside which links to the texts of the repository are made.
    pub fn new(taut: &'a Path, scratch: &Path) -> Result<Runner<'a>, String> {
        let text = |error: std::io::Error| error.to_string();
        let folder = scratch.join("here");
        fs::create_dir_all(&folder).map_err(text)?;
        let examples = Path::new("examples").canonicalize().map_err(text)?;
        std::os::unix::fs::symlink(examples, scratch.join("examples")).map_err(text)?;
        fs::write(scratch.join("attack.script"), "show\n1\nrandom 50\nback 5\nsteps\nquit\n")
            .map_err(text)?;
        let (largest, exits) = (Cell::new(0), Cell::new([0; 4]));
        let mut runner = Runner { taut, folder, base: 0, largest, exits };
        // A check of a small program touches as much of the executable as any other.
        let small = Path::new("examples/sb.taut").canonicalize().map_err(text)?;
        runner.trace(&small, "tso")?;
        runner.base = memory(&usage()?);
        runner.largest.set(runner.base);
        Ok(runner)
    }

    /// The executable. A backtrace would read its tables of lines, which are larger than the limit on memory.
    fn command(&self) -> Command {
        let mut command = Command::new(self.taut);
        command.env_remove("RUST_BACKTRACE");
        command
    }

    /// The help of a command.
    pub fn help(&self, command: &str) -> Result<String, String> {
        let output = Command::new(self.taut).args([command, "--help"]).output();
        let output = output.map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The trace of a violation.
    pub fn trace(&self, program: &Path, model: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join("trace.json");
        let output = self
            .command()
            .arg("check")
            .arg(program)
            .args(["--model", model, "-j", "1", "--max-memory", "32M", "--trace"])
            .arg(&path)
            .output();
        output.map_err(|error| error.to_string())?;
        fs::read(&path).map_err(|error| format!("no trace of `{}`: {error}", program.display()))
    }

    /// Commands by what they came to.
    pub fn summary(&self) -> String {
        let [holds, violated, unknown, refused] = self.exits.get();
        format!("{holds} hold, {violated} violated, {unknown} unknown, {refused} refused")
    }

    /// Commands that were not refused.
    pub fn decided(&self) -> u64 {
        self.exits.get()[..3].iter().sum()
    }

    /// Writes the file of an attempt and runs its command.
    pub fn run(&self, attempt: &Attempt) -> Result<(), Failure> {
        let path = self.folder.join(&attempt.name);
        // A name that the system does not take is no attack.
        if let Some(parent) = path.parent()
            && (fs::create_dir_all(parent).is_err() || fs::write(&path, &attempt.bytes).is_err())
        {
            return Ok(());
        }
        let words = attempt.words.iter().map(|word| match word.as_str() {
            "FILE" => attempt.name.clone().into_os_string(),
            word => OsString::from(word),
        });
        let said = self.folder.join("said.txt");
        let result = self.watched(words, attempt.limited, &said);
        let _ = fs::remove_file(&path);
        result
    }

    fn watched(
        &self,
        words: impl Iterator<Item = OsString>,
        limited: bool,
        said: &Path,
    ) -> Result<(), Failure> {
        let Ok(file) = fs::File::create(said) else { return Ok(()) };
        let before = usage().map_err(|_| Failure::Signal)?;
        let child = self
            .command()
            .args(words)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file)
            .spawn();
        let Ok(mut child) = child else { return Ok(()) };
        let code = wait(&mut child)?;
        let after = usage().map_err(|_| Failure::Signal)?;
        let within = self.within(&before, &after, limited);
        if let Some(place) = panic_in(said) {
            return Err(Failure::Panic(place));
        }
        match code {
            0..=3 => self.count(code),
            74 => {}
            other => return Err(Failure::Exit(other)),
        }
        within
    }

    fn count(&self, code: i32) {
        let mut exits = self.exits.get();
        if let Some(exit) = usize::try_from(code).ok().and_then(|code| exits.get_mut(code)) {
            *exit += 1;
        }
        self.exits.set(exits);
    }

    /// Whether time and memory are within their limits.
    fn within(&self, before: &Usage, after: &Usage, limited: bool) -> Result<(), Failure> {
        let spent = processor_time(after).saturating_sub(processor_time(before));
        if spent > Duration::from_secs(MOST_SECONDS) + GRACE {
            return Err(Failure::Time(spent.as_millis() as u64));
        }
        // The system tells the largest child only: one that is larger than all before it is this one.
        let largest = memory(after);
        let most = if limited { MOST_BYTES + MOST_BYTES / 10 } else { MOST_BYTES_UNLIMITED };
        let is_new = largest > self.largest.replace(largest);
        if is_new && largest > self.base + EXECUTABLE + most {
            Err(Failure::Memory(largest))
        } else {
            Ok(())
        }
    }
}

/// Waits for the end of a process.
fn wait(child: &mut Child) -> Result<i32, Failure> {
    let end = Instant::now() + HANGS;
    let mut pause = Duration::from_micros(500);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.code().ok_or(Failure::Signal),
            Ok(None) if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::Hang);
            }
            _ => {}
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn usage() -> Result<Usage, String> {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())
}

fn processor_time(usage: &Usage) -> Duration {
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

/// The memory of the largest child, in bytes.
fn memory(usage: &Usage) -> u64 {
    u64::try_from(usage.max_rss()).unwrap_or(0) << 10
}

/// The place of a panic in what a process said.
fn panic_in(said: &Path) -> Option<String> {
    let text = fs::read(said).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line = text
        .lines()
        .find(|line| line.contains("panicked at") || line.contains("internal error"))?;
    Some(line.to_string())
}
