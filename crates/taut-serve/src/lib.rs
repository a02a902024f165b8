//! A local page for people: a small HTTP server on the loopback interface that runs jobs.
//!
//! This crate knows how to be asked and how to keep a job within its limits; what a job *is* it does not
//! know. Whoever starts the server says which names a request may use ([`Setup`]) and which program runs one
//! ([`Runner`]); `taut` says its own checks, and itself.
//!
//! # What is always true
//!
//! - Whoever does not know the token in the [`Address`] learns nothing but that something listens.
//! - Nothing that is asked for is looked up in a file system: the routes are a fixed list (`routes`).
//! - A job runs in a process of its own that ends within its time, cannot have more than its memory and cannot open a
//!   file (`child`, [`confine`]). There are never more of these processes than [`Limits::jobs`], and a place
//!   is free again only when the process is gone (`queue`).
//! - Whoever asks can stop waiting: a job ends when its connection does.
//! - Nobody can hold what others need: sizes, times and the number of connections have limits (`listen`).
//!
//! # The routes
//!
//! All of them below `/TOKEN/`.
//!
//! | route | answer |
//! | --- | --- |
//! | `GET ./` | the page; `./page.js` and `./page.css` belong to it |
//! | `GET ./setup` | what can be asked for, examples, and the limits, as JSON |
//! | `GET ./book/NAME.md` | a chapter of the book, of a fixed list |
//! | `GET ./health` | how many jobs run and wait, as JSON |
//! | `POST ./jobs` | runs a job: a [`Request`] as JSON, answered by a line of JSON for each event |

mod address;
mod answer;
mod body;
mod child;
mod closing;
mod confine;
mod event;
mod guard;
mod incoming;
mod jobs;
mod listen;
mod queue;
mod relay;
mod request;
mod routes;
mod server;
mod stall;

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use taut_page::{Job, Setup};

pub use address::Address;
pub use confine::{MARGIN, confine};
pub use listen::serve;
pub use request::Request;

/// What a job may cost, and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a program.
    pub bytes: usize,
    /// How long a job may take.
    pub time: Duration,
    /// How many MiB a job may use.
    pub memory_mib: u64,
    /// How many jobs may run at once.
    pub jobs: usize,
    /// How many more may wait.
    pub waiting: usize,
}

/// The program that runs a job: it reads one line of JSON from its standard input, a [`Job`], and writes a line of
/// JSON for each event to its standard output, each beginning with `{"event":"`. All but those called
/// `progress` are the last one. When its standard input ends, so must it.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// A server to be started.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interface it listens on.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The limits of jobs.
    pub limits: Limits,
    /// What can be asked for.
    pub setup: Setup,
    /// Who runs jobs.
    pub runner: Runner,
}

impl Options {
    /// The interface that only this machine can reach.
    pub const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
}
