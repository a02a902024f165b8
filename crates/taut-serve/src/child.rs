//! A job's process, from its start to its end, which comes in time whatever it does.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use hyper::body::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use crate::closing::Closing;
use crate::event::{Event, Reason};
use crate::relay::Relay;
use crate::{Job, Runner};

/// How much is read at once.
const PIECE: usize = 16 << 10;
/// How much is kept of what a process says on standard error.
const LONGEST_COMPLAINT: usize = 4 << 10;
/// How long a process has, after its time is over, to say what it has found.
const LONGEST_GRACE: Duration = Duration::from_secs(5);
/// What a process says when it is refused memory.
const NO_MEMORY: [&str; 3] = ["memory allocation of", "annot allocate memory", "WouldBlock"];

/// How a process came to its end.
enum Ended {
    /// By itself, with what it said on standard error.
    Itself(String),
    /// It took too long.
    Late,
    /// Nobody waits for it any more.
    Unwanted,
}

/// Runs a job, and lets its events through. What is left to be said in the end, if anybody waits for it and
/// the process did not say it; when this returns, the process is gone.
pub(crate) async fn run(
    runner: &Runner,
    job: &Job,
    events: &Sender<Bytes>,
    closing: &mut Closing,
) -> Option<Bytes> {
    let mut child = match start(runner) {
        Ok(child) => child,
        Err(error) => return Some(not_started(&error).line()),
    };
    let mut relay = Relay::default();
    let ended = tokio::select! {
        () = events.closed() => Ended::Unwanted,
        () = closing.begins() => Ended::Unwanted,
        () = sleep(longest(job)) => Ended::Late,
        complaint = talk(&mut child, job, &mut relay, events) => Ended::Itself(complaint),
    };
    // It may be gone already.
    let _ = child.start_kill();
    let status = child.wait().await.ok();
    let event = match ended {
        _ if relay.has_ended() => return None,
        Ended::Unwanted => return None,
        Ended::Late => late(job),
        Ended::Itself(complaint) => broken(job, status, &complaint),
    };
    let line = event.line();
    Some(if relay.is_within_line() { [b"\n", &*line].concat().into() } else { line })
}

/// A process with nothing of this one's: no environment, no folder that matters, no terminal.
fn start(runner: &Runner) -> std::io::Result<Child> {
    let mut command = Command::new(&runner.program);
    // In a group of its own Ctrl-C does not reach it: the server ends it in good order.
    #[cfg(unix)]
    command.process_group(0);
    command
        .args(&runner.arguments)
        .env_clear()
        // Of each further arena glibc reserves 64 MiB of address space, which is limited.
        .env("MALLOC_ARENA_MAX", "1")
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

/// How long a job's process may live.
fn longest(job: &Job) -> Duration {
    let time = Duration::try_from_secs_f64(job.seconds).unwrap_or(Duration::MAX);
    let grace = (time / 4).clamp(Duration::from_secs(1), LONGEST_GRACE);
    time.saturating_add(grace)
}

/// Gives a process its job, and lets through what it says, to its end.
async fn talk(child: &mut Child, job: &Job, relay: &mut Relay, events: &Sender<Bytes>) -> String {
    let (mut stdin, stdout, stderr) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // The standard input stays open while it runs: its end is the end of the server.
    let (_, (), complaint) =
        tokio::join!(give(&mut stdin, job), pass(stdout, relay, events), complaint(stderr));
    complaint
}

async fn give(stdin: &mut Option<ChildStdin>, job: &Job) -> Option<()> {
    let mut line = serde_json::to_vec(job).ok()?;
    line.push(b'\n');
    // A process that does not read has ended, and how it ended says why.
    stdin.as_mut()?.write_all(&line).await.ok()
}

async fn pass(stdout: Option<ChildStdout>, relay: &mut Relay, events: &Sender<Bytes>) {
    let Some(mut stdout) = stdout else { return };
    let mut piece = vec![0; PIECE];
    while let Ok(size @ 1..) = stdout.read(&mut piece).await {
        let passed = relay.pass(&piece[..size]);
        if !passed.is_empty() && events.send(passed.into()).await.is_err() {
            return;
        }
    }
}

/// The beginning of what a process says on standard error.
async fn complaint(stderr: Option<ChildStderr>) -> String {
    let Some(mut stderr) = stderr else { return String::new() };
    let (mut kept, mut piece) = (Vec::new(), vec![0; LONGEST_COMPLAINT]);
    while let Ok(size @ 1..) = stderr.read(&mut piece).await {
        let room = LONGEST_COMPLAINT - kept.len();
        kept.extend_from_slice(&piece[..size.min(room)]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

fn not_started(error: &std::io::Error) -> Event {
    stopped(
        Reason::Crash,
        format!("The process for this job could not be started: {error}."),
        "Try again; the machine may be short of memory or processes.",
    )
}

fn late(job: &Job) -> Event {
    stopped(
        Reason::Time,
        format!("The job was not done after {} s and had to be ended.", job.seconds),
        "Try a smaller program or another engine, or start the server with a larger --timeout.",
    )
}

/// What a process met that ended without an answer.
fn broken(job: &Job, status: Option<ExitStatus>, complaint: &str) -> Event {
    if was_killed(status) || NO_MEMORY.iter().any(|words| complaint.contains(words)) {
        return stopped(
            Reason::Memory,
            format!("The job needed more than its {} MiB of memory.", job.memory_mib),
            "Try a smaller program, or start the server with a larger --max-memory.",
        );
    }
    let how = status.map_or_else(String::new, |status| format!(" ({status})"));
    let said = complaint.trim();
    let said = if said.is_empty() { String::new() } else { format!(" It said: {said}") };
    stopped(
        Reason::Crash,
        format!("The job ended without an answer{how}.{said}"),
        "This is a bug in Taut. Please report it with the program.",
    )
}

/// Whether somebody else killed it, as Linux does where memory is short.
#[cfg(unix)]
fn was_killed(status: Option<ExitStatus>) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGKILL: i32 = 9;
    status.is_some_and(|status| status.signal() == Some(SIGKILL))
}

#[cfg(not(unix))]
fn was_killed(_: Option<ExitStatus>) -> bool {
    false
}

fn stopped(reason: Reason, message: String, hint: &str) -> Event {
    Event::Stopped { reason, message, hint: hint.into() }
}
