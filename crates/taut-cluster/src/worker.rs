//! The worker: a process that has a part of every search that it is given.
//!
//! It listens at one address. The command connects first and says which workers there are; then each worker connects to those
//! with smaller numbers, and closes its listener. After that it takes one order after the other until the connection to the
//! command ends.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use taut_budget::Interrupt;
use taut_explicit::part::Peers;
use taut_explicit::{Explorer, Progress};
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::thread::ThreadBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks, initialize_from};
use timely::worker::Worker as TimelyWorker;

use crate::dataflow::Timely;
use crate::link::{Link, Links, notice_cuts};
use crate::order::{Order, result_bytes};
use crate::token::{Role, Token};
use crate::wire::Frame;

/// Longest time until the command and all workers are connected.
pub(crate) const CONNECTING: Duration = Duration::from_secs(60);
/// Time between two signs of life.
const BEAT: Duration = Duration::from_millis(250);
/// The exit code of a worker that lost a link.
const LOST: i32 = 75;

/// What a worker is started with.
#[derive(Debug)]
pub struct WorkerSettings {
    /// Where it listens.
    pub address: String,
    /// The token of the cluster; none to read it from the first line of the standard input.
    pub token: Option<Token>,
}

/// Runs a worker to its end; an error if it has none to work for.
pub fn work(settings: WorkerSettings) -> io::Result<()> {
    let token = match settings.token {
        Some(token) => token,
        None => token_of_input()?,
    };
    let listener = TcpListener::bind(&settings.address)?;
    println!("listening {}", listener.local_addr()?);
    io::stdout().flush()?;
    let accepted = accept(listener, token.clone());
    let deadline = Instant::now() + CONNECTING;
    let mut early = VecDeque::new();
    let mut command = command_of(&accepted, deadline, &mut early)?;
    notice_cuts(&command)?;
    let Frame::Setup(me, addresses) = Frame::read(&mut command)? else {
        return Err(io::Error::other("the command does not say which workers there are"));
    };
    let control = Arc::new(Mutex::new(command.try_clone()?));
    let links = Arc::new(links(control.clone()));
    let sockets = connect(me, &addresses, &token, (&accepted, early), deadline)?;
    // The listener ends with the channel: no further connection is taken.
    drop(accepted);
    let builder = builder(me, sockets, &links)?;
    let (interrupt, progress) = (Interrupt::new(), Progress::default());
    let orders = Mutex::new(listen(command, interrupt.clone()));
    beat(control.clone(), progress.clone(), links);
    // Timely builds what sends and receives in a thread of its own.
    let guards = initialize_from(vec![builder], Box::new(()), move |allocator| {
        let worker = TimelyWorker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
        tell(&control, &Frame::Ready)?;
        take_orders(&orders, &Timely::new(worker), &control, (&interrupt, &progress))
    });
    let mut ended = guards.map_err(io::Error::other)?.join().into_iter();
    ended.try_for_each(|ended| ended.map_err(io::Error::other)?)
}

/// Makes the searches that are ordered.
fn take_orders(
    orders: &Receiver<Vec<u8>>,
    peers: &Timely,
    control: &Mutex<TcpStream>,
    (interrupt, progress): (&Interrupt, &Progress),
) -> io::Result<()> {
    for order in orders {
        let order = Order::of(&order, interrupt, progress)?;
        let Order { program, memory, options } = &order;
        let exploration = Explorer::new(program, *memory, options).with_peers(peers).run();
        let result = if peers.index() == 0 { result_bytes(&exploration)? } else { Vec::new() };
        tell(control, &Frame::Done(result))?;
    }
    Ok(())
}

/// The token in the first line of the standard input. When the input ends, the process that started this one is gone.
fn token_of_input() -> io::Result<Token> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let token = Token::of(&line)?;
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        process::exit(LOST);
    });
    Ok(token)
}

/// Takes connections that show the token.
fn accept(listener: TcpListener, token: Token) -> Receiver<Accepted> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let (token, sender): (Token, Sender<_>) = (token.clone(), sender.clone());
            // One that says nothing does not keep others waiting.
            thread::spawn(move || match token.accept(&mut stream) {
                Ok(role) => drop(sender.send((role, stream))),
                Err(error) => {
                    let address = stream.peer_addr();
                    let from = address.map_or_else(|_| "?".into(), |a: SocketAddr| a.to_string());
                    eprintln!("taut worker: a connection from {from} is refused: {error}");
                }
            });
        }
    });
    receiver
}

/// The connection of the command. A worker that was told earlier than this one may connect before it: it waits in `early`.
fn command_of(
    accepted: &Receiver<Accepted>,
    deadline: Instant,
    early: &mut VecDeque<Accepted>,
) -> io::Result<TcpStream> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let none = |_| io::Error::new(io::ErrorKind::TimedOut, "no command has connected");
        match accepted.recv_timeout(left).map_err(none)? {
            (Role::Command, stream) => return Ok(stream),
            worker => early.push_back(worker),
        }
    }
}

/// A connection whose other end has shown that it knows the token.
type Accepted = (Role, TcpStream);

/// Connections to all other workers: to smaller numbers from here, to larger ones from there.
fn connect(
    me: u32,
    addresses: &[String],
    token: &Token,
    (accepted, mut early): (&Receiver<Accepted>, VecDeque<Accepted>),
    deadline: Instant,
) -> io::Result<Vec<Option<TcpStream>>> {
    let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    for (to, address) in addresses.iter().enumerate().take(me as usize) {
        let mut stream = dial(address, deadline)?;
        token.connect(&mut stream, Role::Worker(me))?;
        sockets[to] = Some(stream);
    }
    for _ in me as usize + 1..addresses.len() {
        let left = deadline.saturating_duration_since(Instant::now());
        let missing = || io::Error::new(io::ErrorKind::TimedOut, "a worker has not connected");
        let (role, stream) = match early.pop_front() {
            Some(first) => first,
            None => accepted.recv_timeout(left).map_err(|_| missing())?,
        };
        match role {
            Role::Worker(from)
                if from > me && sockets.get(from as usize).is_some_and(Option::is_none) =>
            {
                sockets[from as usize] = Some(stream);
            }
            _ => {
                return Err(io::Error::other(format!(
                    "{role:?} connects twice, or to the wrong worker"
                )));
            }
        }
    }
    Ok(sockets)
}

/// Connects to an address, again and again until it listens.
pub(crate) fn dial(address: &str, deadline: Instant) -> io::Result<TcpStream> {
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return Ok(stream),
            Err(error) if Instant::now() >= deadline => return Err(error),
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// What links share: a link that is lost ends this process, after the command was told.
fn links(control: Arc<Mutex<TcpStream>>) -> Links {
    let lost = move |peer: u32, why: &str| {
        let _ = tell(&control, &Frame::Lost(peer, why.to_owned()));
        process::exit(LOST);
    };
    Links { sent: 0.into(), received: 0.into(), lost: Box::new(lost) }
}

/// What timely sends and receives with.
fn builder(
    me: u32,
    sockets: Vec<Option<TcpStream>>,
    links: &Arc<Links>,
) -> io::Result<AllocatorBuilder> {
    if sockets.len() == 1 {
        return Ok(AllocatorBuilder::Thread(ThreadBuilder));
    }
    let link = |(peer, socket): (usize, Option<TcpStream>)| {
        socket.map(|socket| Link::new(socket, peer as u32, links.clone())).transpose()
    };
    let sockets = sockets.into_iter().enumerate().map(link).collect::<io::Result<Vec<_>>>()?;
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (builders, guard) =
        initialize_networking_from_sockets(inner, sockets, me as usize, 1, hooks)?;
    // Its threads end with the process.
    std::mem::forget(guard);
    Ok(AllocatorBuilder::Tcp(builders.into_iter().next().expect("one thread, one builder")))
}

fn tell(control: &Mutex<TcpStream>, frame: &Frame) -> io::Result<()> {
    frame.write(&mut *control.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Takes what the command says. When the connection ends, so does this process.
fn listen(mut command: TcpStream, interrupt: Interrupt) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        loop {
            match Frame::read(&mut command) {
                Ok(Frame::Order(order)) => drop(sender.send(order)),
                Ok(Frame::Interrupt) => interrupt.raise(),
                Ok(_) => {}
                Err(_) => process::exit(0),
            }
        }
    });
    receiver
}

/// Gives signs of life, with how far the search has come.
fn beat(control: Arc<Mutex<TcpStream>>, progress: Progress, links: Arc<Links>) {
    use std::sync::atomic::Ordering::Relaxed;
    thread::spawn(move || {
        loop {
            let now = progress.snapshot();
            let traffic = [links.sent.load(Relaxed), links.received.load(Relaxed)];
            let numbers = [now.states, now.transitions, now.queue, now.depth, now.bytes];
            let all = numbers.into_iter().chain(traffic).collect();
            if tell(&control, &Frame::Progress(all)).is_err() {
                process::exit(LOST);
            }
            thread::sleep(BEAT);
        }
    });
}
