//! `taut repair`: the cheapest fences and atomic writes that fix a program.

use taut::budget::Budget;
use taut::formats::RepairView;
use taut::repair::{Outcome, Repair, RepairError, RepairReport, Repaired};
use taut::{EngineFault, Loaded, MemoryModel, Report, StoreKind};

use super::args::RepairArgs;
use super::command;
use super::exit::Exit;
use super::fault::internal;
use super::files;
use super::input::warn_under;
use super::output::{eprint, page, print};
use super::progress;

/// Runs the command.
pub fn run(args: &RepairArgs) -> Exit {
    let loaded = match args.checking.read() {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let usual = [loaded.memory_model().unwrap_or(MemoryModel::USUAL)];
    let models = args.model.map_or(&usual[..], |models| models.models());
    if let Err(exit) = refuse(args, &loaded, models) {
        return exit;
    }
    warn_under(&loaded, models);
    let weakest = models.last().copied().unwrap_or(MemoryModel::USUAL);
    let check = args.checking.check(&loaded, weakest, &command::budget());
    let check = match args.checking.search.robust && args.checking.runs.property.is_empty() {
        // What is robust has the answers of sequential consistency, so that nothing else need be asked.
        true => check.only(vec![taut::robust::ROBUST.into()]).faults(false).temporal(false),
        false => check,
    };
    let repair = Repair::new(&loaded)
        .with(args.with.map(|with| with.with()))
        .costs(args.cost.unwrap_or_default())
        .strategy(args.strategy.strategy())
        .all(args.all)
        .show_runs(args.show_runs)
        .relax(args.relax)
        .proof(args.proof.is_asked())
        .models(models);
    match progress::watch(check, |check| repair.run(check)) {
        Ok(report) => match prove(args, &loaded, report) {
            Ok(report) => tell(args, &loaded, &report),
            Err(fault) => internal(&fault),
        },
        Err(error) => fail(&error),
    }
}

/// The report with the certificates that were asked for.
fn prove(
    args: &RepairArgs,
    loaded: &Loaded,
    mut report: RepairReport,
) -> Result<RepairReport, EngineFault> {
    let budget = command::budget();
    match &mut report.outcome {
        Outcome::Right(reports) => prove_all(args, loaded, reports, &budget)?,
        Outcome::Repaired(fixed) | Outcome::Weakened(fixed) => {
            prove_all(args, &fixed.loaded, &mut fixed.proofs, &budget)?;
            fixed.prove_cheapest(args.proof.certify, &budget)?;
        }
        _ => {}
    }
    Ok(report)
}

fn prove_all(
    args: &RepairArgs,
    loaded: &Loaded,
    reports: &mut Vec<Report>,
    budget: &Budget,
) -> Result<(), EngineFault> {
    let prove = |report| args.proof.prove(report, loaded, budget);
    *reports = std::mem::take(reports).into_iter().map(prove).collect::<Result<_, _>>()?;
    Ok(())
}

/// Writes the certificate, if one was asked for.
fn write_proof(args: &RepairArgs, loaded: &Loaded, outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Right(reports) => args.proof.write(loaded, reports),
        Outcome::Repaired(fixed) | Outcome::Weakened(fixed) => {
            args.proof.deliver(fixed.certificate())
        }
        _ => args.proof.deliver(None),
    }
}

/// Whether something has no certificate and must have one.
fn is_uncertified(args: &RepairArgs, outcome: &Outcome) -> bool {
    args.proof.certify
        && match outcome {
            Outcome::Right(reports) => reports.iter().any(Report::is_unknown),
            Outcome::Repaired(fixed) | Outcome::Weakened(fixed) => {
                let is_open = fixed.evidence.as_ref().is_some_and(|e| e.open.is_some());
                is_open || fixed.proofs.iter().any(Report::is_unknown)
            }
            _ => false,
        }
}

/// Shows what cannot be asked.
fn refuse(args: &RepairArgs, loaded: &Loaded, models: &[MemoryModel]) -> Result<(), Exit> {
    args.checking.refuse(loaded, models)?;
    let list = loaded.model.repair_list();
    let given = list.and_then(|list| args.checking.input.options.file(list.option()));
    let trouble = if StoreKind::from(args.checking.search.speed.store).is_lossy() {
        "a repair is proven, and a store that can miss states proves nothing; use --store tree"
    } else if args.result.atomic_out.is_some() && list.is_none() {
        "--atomic-out is for DVE models; use --write or --diff"
    } else if args.result.write && loaded.name == "-" {
        "what came from standard input cannot be changed; use --diff"
    } else if args.result.write && list.is_some() && given.is_none() {
        "a DVE model has no fences of its own; say with --atomic-out where the list goes"
    } else {
        return Ok(());
    };
    eprint(&format!("error: {trouble}\n"));
    Err(Exit::BadInput)
}

fn fail(error: &RepairError) -> Exit {
    match error {
        RepairError::Refused(why) => {
            eprint(&format!("error: {why}\n"));
            Exit::BadInput
        }
        RepairError::Engine(fault) => internal(fault),
        RepairError::Source(_) | RepairError::NotProven(_) => {
            eprint(&format!(
                "internal error: {error}\nThis is a bug in Taut: the repair is withheld. Please report it with the program.\n"
            ));
            Exit::Internal
        }
    }
}

/// Says what came of it, and writes what is to be written.
fn tell(args: &RepairArgs, loaded: &Loaded, report: &RepairReport) -> Exit {
    let exit = match is_uncertified(args, &report.outcome) {
        true => Exit::Unknown,
        false => exit_of(&report.outcome),
    };
    if let Outcome::Repaired(fixed) | Outcome::Weakened(fixed) = &report.outcome
        && let Err(exit) = write(args, fixed)
    {
        return exit;
    }
    let (only_diff, relax) = (args.result.diff, args.relax);
    let view = RepairView { only_diff, written_to: written_to(args, report), relax };
    print(&args.format.repair(&page().full(args.full), loaded, report, &view));
    match write_proof(args, loaded, &report.outcome) {
        Exit::Holds => exit,
        not_written => not_written,
    }
}

/// The name of the file that the fixed text was written to.
fn written_to(args: &RepairArgs, report: &RepairReport) -> Option<String> {
    let (Outcome::Repaired(fixed) | Outcome::Weakened(fixed)) = &report.outcome else {
        return None;
    };
    match &args.result.atomic_out {
        Some(path) => Some(path.display().to_string()),
        None => args.result.write.then(|| fixed.file.clone()),
    }
}

fn exit_of(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Right(_) | Outcome::Repaired(_) | Outcome::Weakened(_) => Exit::Holds,
        Outcome::WrongUnderSc(_) | Outcome::Wrong(_) | Outcome::Unrepairable(_) => Exit::Violated,
        Outcome::Unknown(_) => Exit::Unknown,
    }
}

/// Writes the fixed text where it was asked for. The file is the one that was typed: its name may be no text.
fn write(args: &RepairArgs, fixed: &Repaired) -> Result<(), Exit> {
    let text = fixed.text.as_bytes();
    if let Some(path) = &args.result.atomic_out {
        return files::deliver(path, text);
    }
    if !args.result.write {
        return Ok(());
    }
    let input = &args.checking.input;
    let list = fixed.loaded.model.repair_list();
    let path = list.and_then(|list| input.options.file(list.option())).unwrap_or(&input.file);
    files::replace_source(path, fixed.original.as_bytes(), text)
}
