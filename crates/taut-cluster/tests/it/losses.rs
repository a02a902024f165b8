//! Workers that are killed, that hang, that know another token: a limit with its reason within the stated time, never an answer.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use taut_cluster::{Cluster, Settings};
use taut_engine::{Completion, Engine, Job, Limit, SearchOptions};
use taut_explicit::{Limits, Progress, WorkerTrouble};
use taut_ir::build::ProgramBuilder;
use taut_ir::{Memory, MemoryModel, Program, Type, VarId};

use crate::common::settings;

/// A program with 22 to the power of 4 states: four processes that store 21 numbers each.
fn program() -> Program {
    stores(21)
}

/// Four processes that store so many numbers each.
fn stores(most: i64) -> Program {
    let mut builder = ProgramBuilder::new("stores");
    let variables: Vec<VarId> =
        (0..4).map(|i| builder.shared(&format!("x{i}"), Type::range(0, 63), 0)).collect();
    for (i, &variable) in variables.iter().enumerate() {
        let mut process = builder.process(&format!("p{i}"));
        for value in 1..=most {
            process.store(variable, value);
        }
        process.finish();
    }
    builder.build().expect("a program")
}

fn job(program: &Program, limits: Limits) -> Job<'_> {
    let options = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    Job::new(program, Memory::new(MemoryModel::Sc), options)
}

/// The workers that were started with an argument.
fn workers(tag: &str) -> Vec<i32> {
    let mut ps = Command::new("ps");
    ps.args(["-o", "pid=,args=", "--ppid"]).arg(std::process::id().to_string());
    let text = String::from_utf8(ps.output().expect("ps").stdout).expect("text");
    let tagged = text.lines().filter(|line| line.ends_with(tag));
    tagged.filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
}

/// When a worker is disturbed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// After so many milliseconds, or as soon as there are workers: while they start, connect or search.
    After(u64),
    /// When the command knows of states that are stored.
    Searching,
}

impl Moment {
    fn wait(self, progress: &Progress, tag: &str) -> Vec<i32> {
        if let Moment::After(time) = self {
            thread::sleep(Duration::from_millis(time));
        }
        loop {
            let all = workers(tag);
            let has_begun = matches!(self, Moment::After(_)) || progress.snapshot().states > 0;
            if has_begun && !all.is_empty() {
                return all;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Searches, and sends a signal to a worker meanwhile; how the search ended, and after what time.
fn disturbed(
    settings: Settings,
    moment: Moment,
    signal: &'static str,
    which: usize,
) -> (Completion, Duration) {
    let tag = format!("disturbed{signal}-{which}-{moment:?}");
    let command = (settings.command.0, vec![tag.clone()]);
    let cluster = Cluster::new(Settings { command, ..settings });
    // Sixteen million states: no machine is done before a worker is disturbed.
    let program = stores(63);
    let progress = Progress::default();
    let limits = Limits { progress: Some(progress.clone()), ..Limits::default() };
    let started = Instant::now();
    let disturber = thread::spawn(move || {
        let workers = moment.wait(&progress, &tag);
        let pid = workers[which % workers.len()].to_string();
        let _ = Command::new("kill").args([signal, &pid]).status();
    });
    let result = cluster.run(&job(&program, limits)).expect("no fault");
    disturber.join().expect("no panic");
    (result.completion(), started.elapsed())
}

#[test]
fn a_worker_that_is_lost_is_a_limit_and_never_an_answer() {
    let early = [5, 30, 60, 150, 250, 400, 700].map(Moment::After);
    for (i, moment) in early.into_iter().chain([Moment::Searching; 3]).enumerate() {
        let (end, _) = disturbed(settings(3), moment, "-KILL", i);
        let Completion::Limit(Limit::Worker(_, trouble)) = end else {
            panic!("{moment:?}: {end:?}")
        };
        // A worker that is killed while they connect is a loss of another kind for the others.
        if matches!(moment, Moment::Searching) {
            assert_eq!(trouble, WorkerTrouble::Signal(9));
        }
    }
}

#[test]
fn a_worker_that_hangs_is_lost_after_the_stated_time() {
    let patience = Duration::from_secs(2);
    let hasty = Settings { patience, ..settings(2) };
    let (end, time) = disturbed(hasty, Moment::Searching, "-STOP", 1);
    assert!(time < patience + Duration::from_secs(10), "{time:?}");
    let Completion::Limit(Limit::Worker(_, trouble)) = end else { panic!("{end:?}") };
    assert_eq!(trouble, WorkerTrouble::Silent(patience));
}

#[test]
fn limits_of_time_and_memory_and_interrupts_end_a_search() {
    let cluster = Cluster::new(settings(2));
    let program = program();
    let end = |limits| cluster.run(&job(&program, limits)).expect("no fault").completion();
    let short = Duration::from_millis(50);
    let time = Limits { time: Some(short), ..Limits::default() };
    assert_eq!(end(time), Completion::Limit(Limit::Time(short)));
    let memory = Limits { bytes: Some(1 << 20), ..Limits::default() };
    assert_eq!(end(memory), Completion::Limit(Limit::Bytes(1 << 19)));
    // The same workers go on to serve.
    assert_eq!(end(Limits::default()), Completion::Complete);
    let limits = Limits::default();
    limits.interrupt.raise();
    assert_eq!(end(limits), Completion::Limit(Limit::Interrupted));
}

#[test]
fn a_worker_that_cannot_be_started_is_told() {
    let none = Settings::new(2, "/nonexistent/worker".into(), Vec::new());
    let program = program();
    let end = Cluster::new(none).run(&job(&program, Limits::default())).expect("no fault");
    let Completion::Limit(limit) = end.completion() else { panic!("{:?}", end.completion()) };
    assert_eq!(limit.to_string(), "worker 0 was lost: it could not be started: entity not found");
}

/// A connection with a wrong token, or none, is refused and logged, and the worker goes on to listen.
#[test]
fn a_wrong_token_is_refused_and_logged() {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_taut-worker"));
    worker.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut worker = worker.spawn().expect("a worker");
    writeln!(worker.stdin.as_mut().expect("piped"), "0123456789abcdef").expect("a token");
    let mut line = String::new();
    BufReader::new(worker.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("listening ").expect("an address");
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    for _ in 0..2 {
        let mut stream = TcpStream::connect(address).expect("it listens");
        // A number, the role of a command, and a code that is none.
        stream.write_all(&[&[7; 32][..], &[0; 5], &[7; 32]].concat()).expect("sent");
        let mut heard = Vec::new();
        std::io::Read::read_to_end(&mut stream, &mut heard).expect("closed");
        assert_eq!(&heard[..8], b"TautWork");
        assert_eq!(
            heard.len(),
            8 + 1 + env!("CARGO_PKG_VERSION").len() + 32,
            "no code for a stranger"
        );
    }
    worker.kill().expect("it runs");
    let log = worker.wait_with_output().expect("its log").stderr;
    let log = String::from_utf8(log).expect("text");
    assert_eq!(
        log.lines().filter(|l| l.contains("its token is not that of this cluster")).count(),
        2,
        "{log}"
    );
}
