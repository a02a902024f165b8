//! Programs on the real processor: compiled, run in rounds, and what was seen.
//!
//! Two kinds of programs are run for some time. A *harness* is a C file with a `main` of its own that runs threads in rounds
//! ([`run_harness`]); `taut_export` writes such files. A *C program* is a file of a user's own, whose `main` is one round
//! ([`run_program`]); `rounds.c` calls it over and over. Both print what they have seen, a line per fact ([`Seen`]).
//!
//! What is started: the compiler that the caller names ([`Compiler`]), and the executable that it makes. No shell is.
//!
//! | file | idea |
//! | --- | --- |
//! | `compiler.rs` | finding the compiler, and compiling |
//! | `folder.rs` | the folder that all files are in |
//! | `process.rs` | a process with limits, and its end |
//! | `seen.rs` | what a run prints |
//! | `program.rs` | C programs |
//! | `rounds.c` | rounds of a C program |

mod compiler;
mod failure;
mod folder;
mod process;
mod program;
mod seen;

use std::path::PathBuf;
use std::time::Duration;

pub use compiler::Compiler;
pub use failure::Failure;
pub use program::{CProgram, run_program};
pub use seen::{Event, EventKind, Seen};

use folder::Folder;

/// How a program is run.
pub struct Settings<'s> {
    /// The compiler.
    pub compiler: Compiler,
    /// The time for rounds; compiling comes on top.
    pub time: Duration,
    /// Where the random choices of the rounds start.
    pub seed: u64,
    /// The folder that files are kept in. Without it they are removed.
    pub keep: Option<PathBuf>,
    /// Asked again and again: whether to end at once.
    pub is_interrupted: &'s dyn Fn() -> bool,
}

/// The options that a harness is compiled with. Its accesses are volatile, so optimisation leaves them as they are.
const HARNESS_OPTIONS: [&str; 4] = ["-std=gnu11", "-O2", "-pthread", "-w"];

/// Compiles a harness and runs it.
pub fn run_harness(text: &str, settings: &Settings<'_>) -> Result<Seen, Failure> {
    let folder = Folder::new(settings.keep.as_deref())?;
    let source = folder.write("harness.c", text)?;
    let executable = folder.path("harness");
    let mut arguments: Vec<_> = HARNESS_OPTIONS.map(Into::into).to_vec();
    arguments.extend([source.into(), "-o".into(), executable.clone().into()]);
    settings.compiler.run(&arguments, settings.is_interrupted)?;
    process::seen(&executable, settings)
}
