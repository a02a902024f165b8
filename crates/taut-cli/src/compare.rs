//! `taut compare`: one table, each property under each memory model.

use taut::EngineFault;
use taut::annotate::Annotations;

use super::annotate::Annotator;
use super::args::CompareArgs;
use super::command;
use super::exit::Exit;
use super::input::warn_of;
use super::output::{page, print};
use super::progress;
use super::races;
use super::refused::Refused;
use super::report;

/// Runs the command.
pub fn run(args: &CompareArgs) -> Exit {
    match compare(args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn compare(args: &CompareArgs) -> Result<Exit, Exit> {
    let annotator = Annotator::new(args.format, &args.sarif);
    let refuse = |refused: Refused| annotator.refuse(&refused);
    let fault = |fault: EngineFault| annotator.fault(&fault);
    let loaded = args.checking.load().map_err(refuse)?;
    let models = loaded.usual_models();
    args.checking.together(&loaded, models).map_err(refuse)?;
    if !annotator.takes_messages() {
        warn_of(&loaded, models);
    }
    let budget = command::budget();
    let mut reports = Vec::new();
    let check = |model| args.checking.check(&loaded, model, &budget).all(true);
    for (i, &model) in models.iter().enumerate() {
        let share = budget.share(models.len() - i);
        let report = progress::watch(check(model).budget(&share), |check| check.run());
        reports.push(report.map_err(fault)?);
    }
    races::look(&mut reports, &loaded, check).map_err(fault)?;
    let prove = |report| args.proof.prove(report, &loaded, &budget);
    let reports = reports.into_iter().map(prove).collect::<Result<Vec<_>, _>>().map_err(fault)?;
    let written = args.proof.write(&loaded, &reports);
    print(&args.format.compare(&page(), &loaded, &reports));
    if !annotator.takes_messages() {
        races::warn(&loaded, &reports);
    }
    let exit = report::write(&args.report, &loaded, &reports, check).map_err(fault)?;
    let exit = reports.iter().map(Exit::of).max().unwrap_or(Exit::Holds).max(exit).max(written);
    Ok(annotator.deliver(exit, || Annotations::of_reports(&loaded, &reports)))
}
