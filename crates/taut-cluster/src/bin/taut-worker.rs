//! A worker on this machine, which a program that uses the library starts: it reads the token from its standard input.

use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = taut_cluster::WorkerSettings { address: "127.0.0.1:0".into(), token: None };
    match taut_cluster::work(settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("taut-worker: {error}");
            ExitCode::FAILURE
        }
    }
}
