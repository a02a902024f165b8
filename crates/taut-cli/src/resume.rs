//! `taut resume`: goes on with a check that was ended.

use super::args::{Args, CheckArgs, Command, ResumeArgs};
use super::check;
use super::checkpoint::{self, Found};
use super::compiler;
use super::exit::Exit;
use super::provenance;
use super::refused::Refused;

/// Runs the command.
pub fn run(args: &ResumeArgs) -> Exit {
    match found(args) {
        Ok((check, found)) => check::resume(&check, found),
        Err(refused) => refused.show(),
    }
}

/// The check as it was typed, with the limits that hold now.
fn found(args: &ResumeArgs) -> Result<(CheckArgs, Found), Refused> {
    let found = checkpoint::find(&args.folder)?;
    let directory = found.order.directory();
    std::env::set_current_dir(&directory).map_err(|error| {
        let directory = directory.display();
        Refused::Message(format!("cannot go to `{directory}`, where the check began: {error}"))
    })?;
    let Ok(Args { command: Command::Check(mut check) }) = Args::read(found.order.arguments())
    else {
        return Err(Refused::Message("the command of the checkpoint is no `taut check`".into()));
    };
    compiler::take(&mut check.checking.input)?;
    provenance::resume(found.order.arguments());
    check.checking.limits.timeout = args.timeout;
    check.checking.limits.max_memory = args.max_memory;
    let jobs = &mut check.checking.search.speed.jobs;
    *jobs = args.jobs.or(*jobs);
    let every = &mut check.checkpoint.every;
    *every = args.every.or(*every);
    Ok((check, found))
}
