//! `taut serve` as a process of its own, and the processes that it starts.

// Each test file uses its own part of this.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use taut_testkit::served::Served;
use taut_testkit::suite::root;

/// How long something may take that is to happen at once; machines that run all tests at once are slow.
pub const SOON: Duration = Duration::from_secs(10);

/// A server. It ends when it is dropped.
pub struct Server {
    process: Child,
    /// What it printed first.
    pub address: String,
    /// The way to it.
    pub served: Served,
}

impl Server {
    /// Starts `taut serve`.
    pub fn start(arguments: &[&str]) -> Server {
        Server::start_of(Path::new(env!("CARGO_BIN_EXE_taut")), arguments)
    }

    /// Starts `serve` of an executable.
    pub fn start_of(executable: &Path, arguments: &[&str]) -> Server {
        let mut process = Command::new(executable)
            .arg("serve")
            .args(arguments)
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("taut runs");
        let mut address = String::new();
        let output = process.stdout.as_mut().expect("a pipe");
        BufReader::new(output).read_line(&mut address).expect("an address");
        let served = Served::at(&address);
        Server { process, address: address.trim().into(), served }
    }

    /// The processes of its jobs.
    pub fn children(&self) -> Vec<u32> {
        children(self.process.id())
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.process.id() as i32).expect("a number of a process");
        kill_process(id, signal).expect("it runs");
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        self.process.wait().expect("it ends")
    }

    /// Ends it; what it said on standard error.
    pub fn complaints(mut self) -> String {
        self.signal(Signal::TERM);
        let stderr = self.process.stderr.take().expect("a pipe");
        std::io::read_to_string(stderr).expect("UTF-8")
    }

    /// How many jobs run and wait.
    pub fn health(&self) -> (u64, u64) {
        let health = self.served.get("health").json();
        let number = |name: &str| health[name].as_u64().expect("a number");
        (number("running"), number("waiting"))
    }

    /// Asserts that it has nothing to do and does what it should.
    pub fn assert_healthy(&self) {
        soon("no job is left", || self.health() == (0, 0));
        assert!(self.children().is_empty());
        let events = self.served.post(&job("sb.taut", "taut", &example("sb.taut"))).events();
        let last = events.last().expect("events");
        assert_eq!(last["document"]["verdict"], "violated", "{last}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until something is so.
pub fn soon(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < SOON, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes that a process has started and that are not gone.
fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("Linux");
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|&id| parent_of(id) == Some(parent)).collect()
}

/// The process that started a process.
fn parent_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name, in brackets, may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// Whether a process is there.
pub fn is_alive(id: u32) -> bool {
    std::fs::exists(format!("/proc/{id}")).expect("Linux")
}

/// A program of the repository.
pub fn example(name: &str) -> String {
    std::fs::read_to_string(root().join("examples").join(name)).expect("an example")
}

/// A check under TSO.
pub fn job(name: &str, language: &str, text: &str) -> Value {
    json!({
        "task": "check", "name": name, "language": language, "text": text, "model": "tso",
        "engine": "auto", "bound": null, "seconds": null, "memory_mib": null,
    })
}

/// A program in which nothing goes wrong, with far more states than any test can visit.
const ENDLESS: &str = "\
shared 0..255 x[5] = 0;
process p[5](i) begin
  local 0..255 r;
  loop { r := x[(i + 1) % 5]; x[i] := (r * 3 + i + 1) % 256; }
end
";

/// A check that takes far longer than any test.
pub fn endless() -> Value {
    with(job("endless.taut", "taut", ENDLESS), "engine", json!("explicit"))
}

/// A job with another value in a field.
pub fn with(mut job: Value, field: &str, value: Value) -> Value {
    job[field] = value;
    job
}
