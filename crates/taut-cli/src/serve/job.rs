//! A job, in a process of its own: what it was told on standard input, what came of it on standard output.

use std::io::{BufRead, BufWriter, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use taut::budget::Meter;
use taut_job::{Event, Job, Telling};
use taut_serve::confine;

use super::super::exit::Exit;
use super::super::output::eprint;

/// Time between two events that tell how far a job has come.
const BETWEEN: Duration = Duration::from_millis(200);
/// Bytes that are written at once.
const PIECE: usize = 64 << 10;

/// Runs the job that is told on standard input.
pub fn run(threads: usize) -> Exit {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).map_err(|error| error.to_string());
    let job = read.and_then(|_| serde_json::from_str(&line).map_err(|error| error.to_string()));
    let job: Job = match job {
        Ok(job) => job,
        Err(error) => return fail(&format!("a job is a line of JSON: {error}")),
    };
    // A confined process opens no file.
    let meter = Meter::new();
    if let Err(error) = confine(job.memory_mib) {
        return fail(&format!("the limits of the job cannot be set: {error}"));
    }
    end_with_the_server();
    let telling = taut_job::begin(&job, meter, Arc::new(say));
    pulse(&telling);
    say(&taut_job::run(&job, threads, &telling));
    Exit::Holds
}

fn fail(message: &str) -> Exit {
    eprint(&format!("error: {message}\n"));
    Exit::Internal
}

/// Ends this process when standard input does, which the server holds open.
fn end_with_the_server() {
    let watch = || {
        let mut rest = [0; 64];
        while let Ok(1..) = std::io::stdin().lock().read(&mut rest) {}
        std::process::exit(0);
    };
    // Without the thread the server's own limits end it.
    let _ = std::thread::Builder::new().spawn(watch);
}

/// Tells, a few times per second, how far the job has come.
fn pulse(telling: &Telling) {
    let teller = telling.clone();
    let pulses = move || loop {
        std::thread::sleep(BETWEEN);
        teller.pulse();
    };
    // Without the thread nothing is told, and the server ends what takes too long.
    let _ = std::thread::Builder::new().spawn(pulses);
}

/// Says an event, as a line of JSON. If the reader is gone, the job has been ended.
fn say(event: &Event) {
    let mut out = BufWriter::with_capacity(PIECE, std::io::stdout().lock());
    let _ = serde_json::to_writer(&mut out, event);
    let _ = out.write_all(b"\n").and_then(|()| out.flush());
}
