//! Running m4: text in, text out, within limits.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Kind, LARGEST_OUTPUT, M4Error, TIME_LIMIT};

/// How much of m4's complaints is shown.
const LONGEST_COMPLAINT: usize = 2_000;

/// Runs m4 with some arguments on an input.
pub(super) fn m4(arguments: &[String], input: String) -> Result<String, M4Error> {
    let pipes = Command::new("m4")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = pipes.map_err(|error| match error.kind() {
        ErrorKind::NotFound => M4Error::new(Kind::Missing),
        _ => broken(&error),
    })?;
    // One thread a pipe: m4 reads and writes at its own pace, and a full pipe would stop it.
    let stdin = child.stdin.take();
    thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
    let stdout = collect(child.stdout.take(), LARGEST_OUTPUT);
    let stderr = collect(child.stderr.take(), LONGEST_COMPLAINT);
    let status = wait(&mut child, &stdout);
    let output = stdout.join().unwrap_or_default();
    let complaint = stderr.join().unwrap_or_default();
    if output.len() > LARGEST_OUTPUT {
        return Err(M4Error::new(Kind::TooLarge));
    }
    match status? {
        status if status.success() => {
            String::from_utf8(output).map_err(|_| broken(&"it returns what is no text"))
        }
        status => Err(refused(&complaint, status)),
    }
}

fn broken(why: &impl std::fmt::Display) -> M4Error {
    M4Error::new(Kind::Broken(why.to_string()))
}

fn refused(complaint: &[u8], status: ExitStatus) -> M4Error {
    let words = String::from_utf8_lossy(complaint);
    let words = words.trim_end();
    M4Error::new(Kind::Refused(if words.is_empty() { status.to_string() } else { words.into() }))
}

/// Reads a pipe up to one byte more than the limit. The pipe is closed then, which ends who writes to it.
fn collect(pipe: Option<impl Read + Send + 'static>, limit: usize) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What could be read is what there is, also if the pipe breaks.
            let _ = pipe.take(limit as u64 + 1).read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Waits for m4 to end, and ends it if it takes too long.
fn wait(child: &mut Child, stdout: &thread::JoinHandle<Vec<u8>>) -> Result<ExitStatus, M4Error> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if start.elapsed() < TIME_LIMIT => {}
            Ok(None) => {
                stop(child);
                return Err(M4Error::new(Kind::TooSlow));
            }
            Err(error) => {
                stop(child);
                return Err(broken(&error));
            }
        }
        // Once its output is complete, m4 is about to end.
        let pause = if stdout.is_finished() { 1 } else { 5 };
        thread::sleep(Duration::from_millis(pause));
    }
}

/// Ends m4. It may have ended by itself at this moment, which is as well.
fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
