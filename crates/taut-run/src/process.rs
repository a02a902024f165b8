//! A process with limits: on its time, and on what it says. It ends with everything that it has started.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::Settings;
use crate::failure::{Failure, system};
use crate::seen::Seen;

/// Most bytes that are read of what a process says.
const MOST_OUTPUT: u64 = 4 << 20;

/// The time between two looks at a process.
const TICK: Duration = Duration::from_millis(5);

/// The time that a run has after its rounds, on a machine that is busy.
const GRACE: Duration = Duration::from_secs(10);

/// The time to wait for the last words of a process that has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How a process came to its end.
pub(crate) enum Ended {
    Itself { success: bool, how: String, output: String, errors: String },
    Late,
    Interrupted,
}

/// Runs an executable for the time of the settings, and reads what it has seen.
pub(crate) fn seen(executable: &Path, settings: &Settings<'_>) -> Result<Seen, Failure> {
    let mut command = Command::new(executable);
    command.arg(settings.time.as_millis().to_string()).arg(settings.seed.to_string());
    let longest = settings.time.saturating_add(GRACE);
    let ended = run(&mut command, longest, settings.is_interrupted)
        .map_err(system("the program cannot be started"))?;
    match ended {
        Ended::Itself { success, how, output, .. } => {
            let seen = Seen::read(&output).filter(|_| success);
            seen.ok_or(Failure::Broken(how))
        }
        Ended::Late => Err(Failure::Late),
        Ended::Interrupted => Err(Failure::Interrupted),
    }
}

/// Runs a command to its end, or ends it.
pub(crate) fn run(
    command: &mut Command,
    longest: Duration,
    is_interrupted: &dyn Fn() -> bool,
) -> io::Result<Ended> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // In a group of its own it can be ended with its children, and Ctrl-C reaches it only through this process.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let output = read(child.stdout.take());
    let errors = read(child.stderr.take());
    let start = Instant::now();
    let ended = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if is_interrupted() => break None,
            None if start.elapsed() > longest => break None,
            None => thread::sleep(TICK),
        }
    };
    end_group(&mut child);
    let Some(status) = ended else {
        return Ok(if is_interrupted() { Ended::Interrupted } else { Ended::Late });
    };
    let text = |said: Receiver<String>| said.recv_timeout(LAST_WORDS).unwrap_or_default();
    Ok(Ended::Itself {
        success: status.success(),
        how: status.to_string(),
        output: text(output),
        errors: text(errors),
    })
}

/// Reads what a process says, on a thread of its own: neither of two pipes may fill up.
fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut pipe) = pipe {
            // What could be read is read; the end of the process says the rest.
            let _ = (&mut pipe).take(MOST_OUTPUT).read_to_end(&mut said);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        let _ = send.send(String::from_utf8_lossy(&said).into_owned());
    });
    receive
}

/// Kills whatever is left of the group.
#[cfg(unix)]
fn end_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // The group may be gone already.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.wait();
}

#[cfg(not(unix))]
fn end_group(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
