//! The budget of the command that runs: its time, the memory of the process, and signals.
//!
//! There is one per process. Work asks it in its loops ([`taut::budget`]). Three things stand behind that, for code that
//! does not ask, such as code of other crates, and for reads and writes that wait:
//!
//! - **Time and signals**: a [watchdog](watchdog) thread ends the process a little later than the work should have ended.
//! - **Memory**: `RLIMIT_DATA` is set a tenth above the limit. An allocation beyond it fails, which aborts a Rust program.
//! - **Aborts**: a handler of `SIGABRT` makes the exit code 2, so memory that is refused by this limit, by `ulimit -v`
//!   or in a container ends as any other limit does. The standard library has printed how much memory was wanted. The
//!   same is true for a stack that overflows.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use taut::Limits;
use taut::budget::{Budget, GRACE, Interrupt, Level, Met, Meter, Reason, host};

use super::args::{Command, Typed};
use super::checkpoint;
use super::exit::Exit;
use super::output::{eprint, is_writing};

/// The time after the limit at which the watchdog ends the process. It is more than the [grace](GRACE) of the
/// command, and less than the second that is promised.
const PATIENCE: Duration = Duration::from_millis(800);

/// The time between two looks of the watchdog.
const LIMIT_CHECK_INTERVAL: Duration = Duration::from_millis(50);

static BUDGET: OnceLock<Budget> = OnceLock::new();

/// The part of the budget for the program at hand, where a command has several.
static PART: Mutex<Option<Budget>> = Mutex::new(None);

/// The budget of this command, or its part for the program at hand. Before the command begins it has no limits.
pub fn budget() -> Budget {
    part().clone().unwrap_or_else(|| BUDGET.get().cloned().unwrap_or_default())
}

fn part() -> MutexGuard<'static, Option<Budget>> {
    PART.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the work for one of several programs, with so much time for it.
pub fn for_one(time: Option<Duration>, run: impl FnOnce() -> Exit) -> Exit {
    let budget = budget().within(time);
    *part() = Some(budget.clone());
    let exit = ended(budget.run(Level::Command, run));
    *part() = None;
    exit
}

/// The flag that the first Ctrl-C or SIGTERM raises.
#[cfg(feature = "tui")]
pub fn interrupt() -> Interrupt {
    budget().interrupt().clone()
}

/// Limits of a search that has all that is left of the budget.
pub fn search_limits() -> Limits {
    let budget = budget();
    Limits {
        bytes: budget.most_memory(),
        time: budget.left(),
        interrupt: budget.interrupt().clone(),
        budget,
        ..Limits::default()
    }
}

/// Runs a command within the limits that were typed for it.
pub fn within(command: &Command, run: impl FnOnce() -> Exit) -> Exit {
    let Some(typed) = command.limits() else { return run() };
    let budget = begin(typed);
    ended(budget.run(Level::Command, run))
}

/// The end of work that a limit may have cut.
fn ended(run: Result<Exit, Met>) -> Exit {
    run.unwrap_or_else(|met| {
        eprint(&format!("unknown: {met}\n"));
        Exit::Unknown
    })
}

/// Begins to count.
fn begin(typed: Typed) -> Budget {
    let interrupt = on_signals();
    let most = host::memory_limit(typed.memory);
    let meter = Meter::new();
    end_aborts_as_unknown();
    if let (Some(most), Some(meter)) = (most, &meter) {
        limit_data(most, meter);
    }
    let budget = Budget::new().interrupted_by(interrupt).time(typed.time).memory(most, meter);
    let budget = BUDGET.get_or_init(|| budget).clone();
    watch(&budget);
    budget
}

/// A flag that Ctrl-C and SIGTERM raise; the second one ends the program at once.
fn on_signals() -> Interrupt {
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
    };
    // Without a handler a signal ends the program, which is what it does anyway.
    let _ = ctrlc::set_handler(handler);
    interrupt
}

/// Starts the watchdog: a thread that ends the process where work does not look at its budget.
fn watch(budget: &Budget) {
    let budget = budget.clone();
    // Without the thread only code that never asks goes on too long.
    let _ =
        std::thread::Builder::new().name("watchdog".into()).stack_size(1 << 16).spawn(move || {
            let reason = watchdog(&budget);
            eprint(&format!("unknown: {reason}\n"));
            std::process::exit(i32::from(Exit::Unknown.ending().code));
        });
}

/// Waits until the process has to end, and says why.
fn watchdog(budget: &Budget) -> Reason {
    let mut met: Option<(Reason, Instant)> = None;
    loop {
        std::thread::sleep(LIMIT_CHECK_INTERVAL);
        if met.is_none() {
            met = budget.met_in_time(Level::Work).map(|reason| (reason, Instant::now()));
        }
        if checkpoint::is_writing() {
            met = met.map(|(reason, _)| (reason, Instant::now()));
        }
        let Some((reason, since)) = met else { continue };
        // A reader that is slow to take the output, such as a pager, is not work.
        let is_waiting = is_writing() && reason != Reason::Interrupted;
        if since.elapsed() >= PATIENCE && !is_waiting {
            return reason;
        }
    }
}

/// Makes an abort end with the exit code of a limit.
#[cfg(unix)]
fn end_aborts_as_unknown() {
    use signal_hook::consts::SIGABRT;
    let always = std::sync::Arc::new(true.into());
    let code = i32::from(Exit::Unknown.ending().code);
    // Without the handler an abort is a signal, as it was.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, code, always);
}

#[cfg(not(unix))]
fn end_aborts_as_unknown() {}

/// Has the system refuse memory beyond a tenth above the limit. Stacks of threads are mapped whole and hardly used,
/// so they are allowed on top.
#[cfg(unix)]
fn limit_data(most: u64, meter: &Meter) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Some(held) = meter.read() else { return };
    let stacks = MOST_STACKS.saturating_mul(STACK);
    let wanted = held.data.saturating_add(most).saturating_add(most / 10).saturating_add(stacks);
    let Rlimit { current, maximum } = getrlimit(Resource::Data);
    let current = Some(current.map_or(wanted, |now| now.min(wanted)));
    // Without it the limit is kept by the work itself.
    let _ = setrlimit(Resource::Data, Rlimit { current, maximum });
}

#[cfg(not(unix))]
fn limit_data(_: u64, _: &Meter) {}

/// Bytes of the stack of a thread.
const STACK: u64 = 2 << 20;

/// Stacks of threads that fit beside the memory of the limit.
const MOST_STACKS: u64 = 4;

const _: () = assert!(GRACE.as_millis() < PATIENCE.as_millis());
