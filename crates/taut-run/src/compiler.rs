//! The C compiler of the machine.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::failure::{Failure, system};
use crate::process::{self, Ended};

/// The compilers that are tried if none is named.
const USUAL: [&str; 3] = ["cc", "gcc", "clang"];

/// Longest time for one call of the compiler.
const LONGEST: Duration = Duration::from_secs(120);

/// A compiler: a command and its first arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    command: Vec<String>,
    version: String,
}

impl Compiler {
    /// The compiler that is named, by a command and arguments between blanks; else one of the usual ones.
    pub fn find(named: Option<&str>) -> Result<Compiler, Failure> {
        let words = |name: &str| name.split_whitespace().map(String::from).collect::<Vec<_>>();
        let candidates: Vec<Vec<String>> = match named.filter(|name| !name.trim().is_empty()) {
            Some(name) => vec![words(name)],
            None => USUAL.iter().map(|name| words(name)).collect(),
        };
        for command in &candidates {
            if let Some(version) = version(command) {
                return Ok(Compiler { command: command.clone(), version });
            }
        }
        let tried: Vec<_> =
            candidates.iter().map(|c| format!("`{}` does not start", c.join(" "))).collect();
        Err(Failure::NoCompiler(tried.join(", ")))
    }

    /// The first line that it says about its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Compiles or links.
    pub(crate) fn run(
        &self,
        arguments: &[OsString],
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).args(arguments);
        let ended = process::run(&mut command, LONGEST, is_interrupted)
            .map_err(system(format!("cannot start `{}`", self.command[0])))?;
        match ended {
            Ended::Itself { success: true, .. } => Ok(()),
            Ended::Itself { errors, .. } => Err(Failure::Refused(errors.trim_end().into())),
            Ended::Late => Err(Failure::Late),
            Ended::Interrupted => Err(Failure::Interrupted),
        }
    }
}

/// What a compiler says about itself; none if it cannot be started.
fn version(command: &[String]) -> Option<String> {
    let said: io::Result<_> = Command::new(&command[0])
        .args(&command[1..])
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let said = said.ok().filter(|said| said.status.success())?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let first = text.lines().next().unwrap_or_default();
    Some(first.chars().filter(|c| !c.is_control()).take(100).collect())
}
