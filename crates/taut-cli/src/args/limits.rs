//! The limits that a command was given.

use std::time::Duration;

use super::{Command, LimitArgs, ResourceArgs};

/// Limits on a command as they were typed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Typed {
    /// Time of the whole command.
    pub time: Option<Duration>,
    /// Memory of the process.
    pub memory: Option<u64>,
}

impl Command {
    /// The limits on the whole command; none for commands without any work, and for the server, which limits its jobs.
    pub fn limits(&self) -> Option<Typed> {
        match self {
            // The limit on time is one for each program.
            Command::Check(args) if args.checking.input.file.is_dir() || !args.more.is_empty() => {
                Some(Typed { time: None, ..args.checking.limits.typed() })
            }
            Command::Check(args) => Some(args.checking.limits.typed()),
            Command::Resume(args) => Some(Typed { time: args.timeout, memory: args.max_memory }),
            Command::Compare(args) => Some(args.checking.limits.typed()),
            Command::Explain(args) => Some(args.checking.limits.typed()),
            Command::Repair(args) => Some(args.checking.limits.typed()),
            // The limit on time is one for each test.
            Command::Litmus(args) => Some(Typed { time: None, ..args.limits.typed() }),
            Command::Fmt(args) => Some(args.limits.typed()),
            Command::Fix(args) => Some(args.limits.typed()),
            Command::Export(args) => Some(args.limits.typed()),
            Command::Translate(args) => Some(args.limits.typed()),
            Command::Graph(args) => Some(args.limits.typed()),
            Command::Replay(args) => Some(args.limits.typed()),
            Command::Simulate(args) => Some(args.limits.typed()),
            Command::Ltl(args) => Some(args.limits.typed()),
            // The limit on time is one for the models; rounds have theirs.
            #[cfg(feature = "run")]
            Command::Run(args) => Some(Typed { time: None, memory: args.max_memory }),
            #[cfg(feature = "serve")]
            Command::Serve(_) => None,
            // The limits are those of each check.
            #[cfg(feature = "lsp")]
            Command::Lsp(_) => None,
            Command::Header(_)
            | Command::Examples(_)
            | Command::Schema(_)
            | Command::InitCi(_)
            | Command::Completions(_)
            | Command::Man(_) => None,
        }
    }
}

impl LimitArgs {
    fn typed(&self) -> Typed {
        Typed { time: self.timeout, memory: self.max_memory }
    }
}

impl ResourceArgs {
    fn typed(&self) -> Typed {
        Typed { time: self.timeout, memory: self.max_memory }
    }
}
