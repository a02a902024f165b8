//! A job, in a process of its own: what it was told on standard input, what came of it on standard output.

use std::io::{BufRead, Read};
use std::time::Duration;

use taut::budget::{Level, Meter};
use taut::load::{FileAccess, LoadOptions, from_bytes};
use taut::{Language, Loaded};
use taut_serve::{Job, confine};

use super::super::exit::Exit;
use super::super::output::eprint;
use super::budget::memory;
use super::event::Event;
use super::telling::Telling;
use super::{check, repair};

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
    outcome(&job, threads, meter).say();
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

/// What comes of a job.
fn outcome(job: &Job, threads: usize, meter: Option<Meter>) -> Event {
    let time = Duration::try_from_secs_f64(job.seconds).unwrap_or_default();
    let telling = Telling::start(time, memory(job), meter);
    let budget = telling.budget().within(Some(telling.left()));
    let loaded = match budget.run(Level::Work, || load(job)) {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(refusal)) => return refusal,
        Err(met) => return Event::spent(&met),
    };
    match job.task.as_str() {
        "check" => check::one(job, threads, &loaded, &telling),
        "compare" => check::compare(job, threads, &loaded, &telling),
        "repair" => repair::repair(job, threads, &loaded, &telling),
        task => Event::refused(&format!("there is no task `{task}`")),
    }
}

/// Reads the program; nothing but the text, whatever that asks for.
fn load(job: &Job) -> Result<Loaded, Event> {
    let language = Language::named(&job.language);
    let options = LoadOptions { language, access: FileAccess::Denied, ..LoadOptions::default() };
    let bytes = job.text.clone().into_bytes();
    from_bytes(&job.name, bytes, options).map_err(|error| Event::unreadable(&error))
}
