//! `taut serve`: a page on this machine, and the jobs that are run for it.
//!
//! The server is in [`taut_serve`], which knows nothing of checks; what comes of a job is in [`taut_job`]. The server runs each job in a process of its own: this
//! very program, which [`job_of_a_server`] recognises by its first argument.

mod job;
mod limits;

use std::io::ErrorKind;

use taut_serve::{Options, Runner};

use super::args::ServeArgs;
use super::exit::Exit;
use super::output::{eprint, print};

/// The first argument of a process that runs a job. It is no command: nobody but the server uses it.
const JOB: &str = "serve-job";

/// Runs the command.
pub fn run(args: &ServeArgs) -> Exit {
    match options(args).and_then(|options| taut_serve::serve(options, greet)) {
        Ok(()) => Exit::Holds,
        Err(error) => {
            let (host, port) = (args.host, args.port);
            eprint(&format!("error: cannot serve on {host}, port {port}: {error}\n"));
            if let Some(hint) = hint(error.kind()) {
                eprint(&format!("help: {hint}\n"));
            }
            Exit::BadInput
        }
    }
}

/// What can be done where a server cannot listen.
fn hint(error: ErrorKind) -> Option<&'static str> {
    match error {
        ErrorKind::AddrInUse => Some("leave --port out for any that is free"),
        ErrorKind::PermissionDenied => Some("ports below 1024 are the system's; leave --port out"),
        ErrorKind::AddrNotAvailable => Some("this machine has no such address; leave --host out"),
        _ => None,
    }
}

fn options(args: &ServeArgs) -> std::io::Result<Options> {
    let program = std::env::current_exe()?;
    let arguments = vec![JOB.into(), args.threads().to_string().into()];
    Ok(Options {
        host: args.host,
        port: args.port,
        limits: limits::of(args),
        setup: taut_job::setup(),
        runner: Runner { program, arguments },
    })
}

/// Says where the page is.
fn greet(address: &taut_serve::Address) {
    print(&format!("{address}\n"));
    if !address.socket().ip().is_loopback() {
        eprint(
            "warning: other machines can reach this page, and whoever sees the address on its way can use it\n",
        );
    }
    eprint("Open this address in a browser. Ctrl-C ends the server.\n");
}

/// If a server started this process for a job, runs it.
pub fn job_of_a_server() -> Option<Exit> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != JOB {
        return None;
    }
    let threads = arguments.next().and_then(|threads| threads.to_str()?.parse().ok());
    Some(job::run(threads.unwrap_or(1)))
}
