//! The workers of a command: started, given orders, watched.
//!
//! A worker that ends, that loses a link, or that gives no sign of life ends the search within a stated time ([`Settings::patience`]).
//! All workers are then ended: what a part has stored is lost, and no answer is made of the rest.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use taut_engine::Limit;
use taut_explicit::WorkerTrouble;
use taut_explicit::limits::ProgressSnapshot;

use crate::link::notice_cuts;
use crate::token::{Role, Token};
use crate::wire::Frame;
use crate::worker::{CONNECTING, dial};

/// Time between two looks at the limits of the command.
const LOOK: Duration = Duration::from_millis(50);
/// Time in which the reason of a loss becomes known.
const REASONS: Duration = Duration::from_millis(300);

/// How workers are started and how long they are waited for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of workers.
    pub workers: u32,
    /// The command that starts a worker on this machine, with its arguments: it reads the token from its standard input and prints
    /// `listening ADDRESS`.
    pub command: (PathBuf, Vec<String>),
    /// A worker that gives no sign of life for so long is lost.
    pub patience: Duration,
    /// Where a search found something and stored at most so many states, one process makes it once more, and its result counts.
    pub repeat: u64,
}

impl Settings {
    /// Workers on this machine, started by a command.
    pub fn new(workers: u32, command: PathBuf, arguments: Vec<String>) -> Settings {
        let patience = Duration::from_secs(20);
        Settings { workers, command: (command, arguments), patience, repeat: 1_000_000 }
    }
}

/// How far a worker has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Its part of the search.
    pub part: ProgressSnapshot,
    /// Bytes sent to other workers since it was started.
    pub sent: u64,
    /// Bytes received from other workers since it was started.
    pub received: u64,
}

impl Report {
    fn of(numbers: &[u64]) -> Report {
        let at = |i: usize| numbers.get(i).copied().unwrap_or(0);
        let (states, transitions, queue) = (at(0), at(1), at(2));
        let part = ProgressSnapshot { states, transitions, queue, depth: at(3), bytes: at(4) };
        Report { part, sent: at(5), received: at(6) }
    }
}

/// Something that a worker said, or that its connection ended.
type Event = (u32, io::Result<Frame>);

/// Workers that are connected.
pub(crate) struct Pool {
    members: Vec<Member>,
    events: Receiver<Event>,
    patience: Duration,
}

struct Member {
    child: Child,
    control: TcpStream,
    seen: Instant,
    report: Report,
    /// The worker to which it lost its link.
    lost: Option<u32>,
    is_closed: bool,
}

impl Member {
    /// How its process ended, if it did.
    fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for member in &mut self.members {
            let _ = member.child.kill();
            let _ = member.child.wait();
        }
    }
}

fn not_started(worker: u32) -> impl Fn(io::Error) -> Limit {
    move |error| Limit::Worker(worker, WorkerTrouble::NotStarted(error.kind()))
}

impl Pool {
    /// Starts workers and has them connect to each other.
    pub(crate) fn start(settings: &Settings) -> Result<Pool, Limit> {
        let token = Token::random().map_err(not_started(0))?;
        let mut started = Vec::new();
        for index in 0..settings.workers {
            started.push(start(settings, &token).map_err(not_started(index))?);
        }
        let addresses: Vec<String> = started.iter().map(|(_, address)| address.clone()).collect();
        let (sender, events) = channel();
        let mut pool = Pool { members: Vec::new(), events, patience: settings.patience };
        for (index, (child, address)) in started.into_iter().enumerate() {
            let index = index as u32;
            let member = Member::new(index, child, (&addresses, &address), &token, &sender);
            pool.members.push(member.map_err(not_started(index))?);
        }
        pool.wait_for_all(|frame| *frame == Frame::Ready, Instant::now() + CONNECTING)?;
        Ok(pool)
    }

    /// Waits until every worker has said something.
    fn wait_for_all(
        &mut self,
        is_wanted: impl Fn(&Frame) -> bool,
        deadline: Instant,
    ) -> Result<(), Limit> {
        let mut missing: Vec<u32> = (0..self.members.len() as u32).collect();
        while let Some(&first) = missing.first() {
            if Instant::now() > deadline {
                let kind = io::ErrorKind::TimedOut;
                return Err(Limit::Worker(first, WorkerTrouble::NotStarted(kind)));
            }
            if let Some((worker, frame)) = self.next()?
                && is_wanted(&frame)
            {
                missing.retain(|&other| other != worker);
            }
        }
        Ok(())
    }

    /// Has all workers make a search; its result as bytes. `watch` is called every now and then, and says whether to end.
    pub(crate) fn search(
        &mut self,
        order: Vec<u8>,
        mut watch: impl FnMut(&[Report]) -> bool,
    ) -> Result<Vec<u8>, Limit> {
        self.tell_all(&Frame::Order(order))?;
        let (mut result, mut missing) = (None, self.members.len());
        let mut is_interrupted = false;
        while missing > 0 {
            if let Some((worker, Frame::Done(bytes))) = self.next()? {
                missing -= 1;
                if worker == 0 {
                    result = Some(bytes);
                }
            }
            if watch(&self.reports()) && !is_interrupted {
                is_interrupted = true;
                self.tell_all(&Frame::Interrupt)?;
            }
        }
        result.ok_or(Limit::Worker(0, WorkerTrouble::Closed))
    }

    /// How far the workers have come.
    pub(crate) fn reports(&self) -> Vec<Report> {
        self.members.iter().map(|member| member.report).collect()
    }

    fn tell_all(&mut self, frame: &Frame) -> Result<(), Limit> {
        for worker in 0..self.members.len() {
            if frame.write(&mut self.members[worker].control).is_err() {
                self.members[worker].is_closed = true;
                return Err(self.reason());
            }
        }
        Ok(())
    }

    /// What a worker says next, if any does soon. An error if one is lost.
    fn next(&mut self) -> Result<Option<(u32, Frame)>, Limit> {
        let said = match self.events.recv_timeout(LOOK) {
            Ok(event) => self.take(event),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        };
        if self.members.iter().any(|member| member.is_closed || member.lost.is_some()) {
            return Err(self.reason());
        }
        let silent = self.members.iter().position(|m| m.seen.elapsed() > self.patience);
        match silent {
            Some(worker) => Err(Limit::Worker(worker as u32, WorkerTrouble::Silent(self.patience))),
            None => Ok(said),
        }
    }

    /// Notes what was said.
    fn take(&mut self, (worker, said): Event) -> Option<(u32, Frame)> {
        let member = &mut self.members[worker as usize];
        member.seen = Instant::now();
        match said {
            Ok(Frame::Progress(numbers)) => member.report = Report::of(&numbers),
            Ok(Frame::Lost(peer, _)) => member.lost = Some(peer),
            Ok(frame) => return Some((worker, frame)),
            Err(_) => member.is_closed = true,
        }
        None
    }

    /// The worker that a signal has ended, if there is one.
    fn killed(&mut self) -> Option<Limit> {
        let mut members = self.members.iter_mut().enumerate();
        members.find_map(|(worker, member)| {
            let signal = member.status()?.signal()?;
            Some(Limit::Worker(worker as u32, WorkerTrouble::Signal(signal)))
        })
    }

    /// The worker that is the reason of a loss: one that ended without having lost a link itself.
    fn reason(&mut self) -> Limit {
        let until = Instant::now() + REASONS;
        // The connection of a process is closed before the process has ended, and others that lose their links to it end, too: a
        // signal says more than what follows from it.
        while Instant::now() < until {
            if let Ok(event) = self.events.recv_timeout(LOOK / 10) {
                self.take(event);
            }
            if let Some(limit) = self.killed() {
                return limit;
            }
        }
        let ended = self.members.iter().position(|m| m.is_closed && m.lost.is_none());
        if let Some(worker) = ended {
            let code = self.members[worker].status().and_then(|status| status.code());
            let trouble = code.map_or(WorkerTrouble::Closed, WorkerTrouble::Exit);
            return Limit::Worker(worker as u32, trouble);
        }
        let mut lost = self.members.iter().enumerate();
        match lost.find_map(|(from, member)| member.lost.map(|peer| (from, peer))) {
            Some((from, peer)) => Limit::Worker(peer, WorkerTrouble::Link(from as u32)),
            None => Limit::Worker(0, WorkerTrouble::Closed),
        }
    }
}

/// Starts a worker on this machine; its address.
fn start(settings: &Settings, token: &Token) -> io::Result<(Child, String)> {
    let (program, arguments) = &settings.command;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    // The search runs in a thread, which gets the stack of a main thread.
    command.env("RUST_MIN_STACK", (8 << 20).to_string());
    let mut child = command.spawn()?;
    let spoken = || -> io::Result<String> {
        let input = child.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{}", token.text())?;
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (sender, first_line) = channel();
        // A worker that hangs before it says anything must not make the command hang.
        thread::spawn(move || {
            let mut line = String::new();
            let read = BufReader::new(output).read_line(&mut line).map(|_| line);
            drop(sender.send(read));
        });
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let line = first_line.recv_timeout(CONNECTING).map_err(late)??;
        let address = line.trim().strip_prefix("listening ");
        Ok(address.ok_or(io::ErrorKind::UnexpectedEof)?.to_owned())
    };
    match { spoken }() {
        Ok(address) => Ok((child, address)),
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

impl Member {
    fn new(
        index: u32,
        mut child: Child,
        (addresses, address): (&[String], &str),
        token: &Token,
        events: &Sender<Event>,
    ) -> io::Result<Member> {
        let connect = || -> io::Result<TcpStream> {
            let mut control = dial(address, Instant::now() + CONNECTING)?;
            token.connect(&mut control, Role::Command)?;
            notice_cuts(&control)?;
            Frame::Setup(index, addresses.to_vec()).write(&mut control)?;
            listen(index, control.try_clone()?, events.clone());
            Ok(control)
        };
        match connect() {
            Ok(control) => {
                let (seen, report) = (Instant::now(), Report::default());
                Ok(Member { child, control, seen, report, lost: None, is_closed: false })
            }
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }
}

/// Takes what a worker says, until its connection ends.
fn listen(worker: u32, mut control: TcpStream, events: Sender<Event>) {
    thread::spawn(move || {
        loop {
            let said = Frame::read(&mut control);
            let is_over = said.is_err();
            if events.send((worker, said)).is_err() || is_over {
                return;
            }
        }
    });
}
