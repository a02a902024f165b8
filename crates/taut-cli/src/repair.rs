//! `taut repair`: the cheapest fences and atomic writes that mend a program.

use serde::Serialize;
use taut::repair::{
    Outcome, Race, Races, Repair, RepairError, RepairReport, Repaired, ShownPlace, ShownSet,
    Without, unified,
};
use taut::verdict::steps;
use taut::{Loaded, MemoryModel, StoreKind};

use super::args::{Format, RepairArgs};
use super::check::{internal, summary, violations};
use super::columns::{Cell, render};
use super::command;
use super::exit::Exit;
use super::files;
use super::input::warn_under;
use super::output::{eprint, is_styled, paint, print, verdict_style};
use super::progress;
use super::provenance;

/// Runs the command.
pub fn run(args: &RepairArgs) -> Exit {
    let loaded = match args.checking.read() {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let model = match args.model {
        Some(model) => model.model(),
        None => loaded.memory_model().unwrap_or(MemoryModel::USUAL),
    };
    if let Err(exit) = refuse(args, &loaded, model) {
        return exit;
    }
    warn_under(&loaded, &[model]);
    let check = args.checking.check(&loaded, model, &command::budget());
    let repair = Repair::new(&loaded)
        .with(args.with.map(|with| with.with()))
        .costs(args.cost.unwrap_or_default())
        .strategy(args.strategy.strategy())
        .all(args.all)
        .show_runs(args.show_runs);
    match progress::watch(check, |check| repair.run(check)) {
        Ok(report) => tell(args, &loaded, &report),
        Err(error) => fail(&error),
    }
}

/// Shows what cannot be asked.
fn refuse(args: &RepairArgs, loaded: &Loaded, model: MemoryModel) -> Result<(), Exit> {
    args.checking.refuse(loaded, &[model])?;
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
    let exit = exit_of(&report.outcome);
    if let Outcome::Repaired(mended) = &report.outcome
        && let Err(exit) = write(args, mended)
    {
        return exit;
    }
    match (args.format, &report.outcome) {
        (Format::Json, _) => print(&json(loaded, report)),
        (Format::Text, Outcome::Repaired(mended)) if args.result.diff => print(&diff(mended)),
        (Format::Text, Outcome::Right(_)) if args.result.diff => {}
        (Format::Text, _) => print(&text(args, loaded, report)),
    }
    exit
}

fn exit_of(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Right(_) | Outcome::Repaired(_) => Exit::Holds,
        Outcome::WrongUnderSc(_) | Outcome::Unrepairable(_) => Exit::Violated,
        Outcome::Unknown(_) => Exit::Unknown,
    }
}

/// Writes the fixed text where it was asked for. The file is the one that was typed: its name may be no text.
fn write(args: &RepairArgs, mended: &Repaired) -> Result<(), Exit> {
    let text = mended.text.as_bytes();
    if let Some(path) = &args.result.atomic_out {
        return files::deliver(path, text);
    }
    if !args.result.write {
        return Ok(());
    }
    let input = &args.checking.input;
    let list = mended.loaded.model.repair_list();
    let path = list.and_then(|list| input.options.file(list.option())).unwrap_or(&input.file);
    files::replace_source(path, mended.original.as_bytes(), text)
}

fn diff(mended: &Repaired) -> String {
    unified(&mended.file, &mended.original, &mended.text)
}

fn text(args: &RepairArgs, loaded: &Loaded, report: &RepairReport) -> String {
    let model = report.model.name().to_uppercase();
    match &report.outcome {
        Outcome::WrongUnderSc(under_sc) => format!(
            "{}{}: violated under SC already: no fence helps\n{}",
            violations(loaded, under_sc),
            loaded.name,
            races(&report.races)
        ),
        Outcome::Right(proof) => {
            let reports = std::slice::from_ref(&**proof);
            let (rows, repeat) = (summary(loaded, reports), provenance::line(loaded, reports));
            format!("{rows}{repeat}nothing to mend\n")
        }
        Outcome::Unknown(why) => format!("{}: unknown under {model}: {why}\n", loaded.name),
        Outcome::Unrepairable(last) => hopeless(loaded, report, last.as_deref()),
        Outcome::Repaired(mended) => of_mended(args, loaded, report, mended),
    }
}

fn hopeless(loaded: &Loaded, report: &RepairReport, last: Option<&Without>) -> String {
    let mut text = last.map_or_else(String::new, |last| violations(&last.loaded, &last.report));
    text.push_str(&format!(
        "{}: none of {} mends it under {}\n",
        loaded.name,
        count(report.candidates, "place"),
        report.model.name().to_uppercase()
    ));
    text + &races(&report.races) + &unpatchable(report)
}

/// The loads and stores that have to be one step, and whether that is enough.
pub fn races(found: &Races) -> String {
    let mut text = String::new();
    for race in &found.races {
        let Race { file, load, store, statement, variable, process, other, instead } = race;
        let accesses = match load == store {
            true => format!("loads and stores {variable} (line {store})"),
            false => format!("loads {variable} (line {load}) and stores it (line {store})"),
        };
        text.push_str(&format!(
            "lost update at {file}:{store}, `{statement}`: {process} {accesses}, and {other} stores {variable} in \
             between; no fence keeps the two together\n  make it one step: {instead}\n"
        ));
    }
    if found.races.is_empty() {
        return text;
    }
    let each =
        if found.races.len() == 1 { "with this as one step" } else { "with each as one step" };
    text + match found.enough {
        Some(true) => format!("{each}, everything asked holds (checked)\n"),
        Some(false) => format!("{each}, the program is still violated (checked)\n"),
        None => format!("{each}, the check met a limit\n"),
    }
    .as_str()
}

fn of_mended(
    args: &RepairArgs,
    loaded: &Loaded,
    report: &RepairReport,
    mended: &Repaired,
) -> String {
    let styled = is_styled();
    let mut text = String::new();
    for (place, witness) in mended.runs() {
        let title = format!("without the {} at line {}:", place.kind, place.line);
        text.push_str(&paint(&title, verdict_style("violated"), styled));
        text.push_str(&format!("\n\n{}", violations(&witness.loaded, &witness.report)));
    }
    let many = mended.sets.len() > 1;
    for (i, set) in mended.sets.iter().enumerate() {
        let number =
            if many { format!(" {} of {}", i + 1, mended.sets.len()) } else { String::new() };
        let how = if mended.optimal { "cheapest set" } else { "set found greedily" };
        text.push_str(&format!("{how}{number}: {}, cost {}\n", kinds(set), set.cost));
        text.push_str(&places(set, styled));
        text.push('\n');
    }
    text.push_str(&format!(
        "{}, {}, {} tried\n",
        count(report.candidates, "place"),
        count(report.counterexamples, "counterexample"),
        count(report.checks as usize, "set")
    ));
    text.push_str(&unpatchable(report));
    text.push_str("\nas mended, ");
    let proof = std::slice::from_ref(&*mended.proof);
    text.push_str(&summary(&mended.loaded, proof));
    text.push_str(&provenance::line(loaded, proof));
    if let Some(note) = mended.loaded.language.repair_note(&mended.text) {
        text.push_str(&format!("\nnote: {note}\n"));
    }
    match (&args.result.atomic_out, args.result.write) {
        (Some(path), _) => text.push_str(&format!("\nwritten to {}\n", path.display())),
        (None, true) => text.push_str(&format!("\nwritten to {}\n", mended.file)),
        (None, false) => text.push_str(&format!("\n{}", diff(mended))),
    }
    text
}

/// What a set is made of: `2 fences, 1 sfence`.
pub fn kinds(set: &ShownSet) -> String {
    let words = [("fence", "fence"), ("sfence", "store fence"), ("atomic", "atomic write")];
    let of = |&(kind, word): &(&str, &str)| {
        let number = set.places.iter().filter(|p| p.kind == kind).count();
        (number > 0).then(|| count(number, word))
    };
    words.iter().filter_map(of).collect::<Vec<_>>().join(", ")
}

fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

/// A line a place, and below it what it is needed for.
fn places(set: &ShownSet, styled: bool) -> String {
    let row = |place: &ShownPlace| {
        vec![
            Cell::new(format!("{}:{}", place.file, place.line)),
            Cell::new(place.kind),
            Cell::new(&place.words),
            Cell::new(place.processes.join(", ")),
        ]
    };
    let header = ["place", "kind", "where", "processes"].map(Cell::new).into();
    let rows: Vec<_> = std::iter::once(header).chain(set.places.iter().map(row)).collect();
    let table = render(&rows, styled);
    let mut lines = table.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    for (line, place) in lines.zip(&set.places) {
        text.push_str(&format!("{line}\n"));
        if let Some(need) = &place.need {
            let run = steps(need.steps);
            text.push_str(&format!(
                "      breaks a run of {run} to {}: {}\n",
                need.property, need.words
            ));
        }
    }
    text
}

fn unpatchable(report: &RepairReport) -> String {
    let mut text = String::new();
    for (file, line, why) in &report.unpatchable {
        text.push_str(&format!("note: nothing can be put at {file}:{line}: {why}\n"));
    }
    text
}

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    model: &'static str,
    outcome: &'static str,
    places: Vec<PlaceObject<'a>>,
    cost: Option<u64>,
    optimal: bool,
    /// How many sets were tried.
    iterations: u64,
    counterexamples: usize,
    candidates: usize,
    sets: Vec<SetObject<'a>>,
    unpatchable: Vec<UnpatchableObject<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    races: Vec<RaceObject<'a>>,
    /// Whether everything asked holds if each race is one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    races_enough: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    /// The check that decided: of the mended program, or the one with the counterexample.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<serde_json::Value>,
}

#[derive(Serialize)]
struct SetObject<'a> {
    places: Vec<PlaceObject<'a>>,
    cost: u64,
}

#[derive(Serialize)]
struct PlaceObject<'a> {
    file: &'a str,
    line: u32,
    kind: &'static str,
    process: &'a [String],
    r#where: &'a str,
    cost: u64,
    loops: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    breaks: Option<NeedObject<'a>>,
}

#[derive(Serialize)]
struct NeedObject<'a> {
    property: &'a str,
    steps: usize,
    how: &'a str,
}

#[derive(Serialize)]
struct UnpatchableObject<'a> {
    file: &'a str,
    line: u32,
    why: &'a str,
}

/// A load and a store that have to be one step.
#[derive(Serialize)]
struct RaceObject<'a> {
    file: &'a str,
    load: u32,
    store: u32,
    statement: &'a str,
    variable: &'a str,
    process: &'a str,
    other: &'a str,
    instead: &'a str,
}

impl<'a> RaceObject<'a> {
    fn of(race: &'a Race) -> RaceObject<'a> {
        let Race { file, load, store, statement, variable, process, other, instead } = race;
        let (load, store) = (*load, *store);
        RaceObject { file, load, store, statement, variable, process, other, instead }
    }
}

impl<'a> PlaceObject<'a> {
    fn all(set: &'a ShownSet) -> Vec<PlaceObject<'a>> {
        set.places.iter().map(PlaceObject::of).collect()
    }

    fn of(place: &'a ShownPlace) -> PlaceObject<'a> {
        let breaks = place.need.as_ref().map(|need| NeedObject {
            property: &need.property,
            steps: need.steps,
            how: &need.words,
        });
        let ShownPlace { file, line, kind, words, processes, cost, loops, .. } = place;
        let (line, cost, loops) = (*line, *cost, *loops);
        PlaceObject { file, line, kind, process: processes, r#where: words, cost, loops, breaks }
    }
}

fn json(loaded: &Loaded, report: &RepairReport) -> String {
    let mended = match &report.outcome {
        Outcome::Repaired(mended) => Some(mended),
        _ => None,
    };
    let sets: &[ShownSet] = mended.map_or(&[], |mended| &mended.sets);
    let (outcome, why, checked) = match &report.outcome {
        Outcome::WrongUnderSc(check) => ("wrong-under-sc", None, Some((loaded, &**check))),
        Outcome::Right(check) => ("right", None, Some((loaded, &**check))),
        Outcome::Repaired(mended) => ("mended", None, Some((&*mended.loaded, &*mended.proof))),
        Outcome::Unrepairable(last) => {
            ("hopeless", None, last.as_deref().map(|last| (&last.loaded, &last.report)))
        }
        Outcome::Unknown(why) => ("unknown", Some(why.as_str()), None),
    };
    let check = checked
        .and_then(|(loaded, check)| serde_json::from_str(&super::json::line(loaded, check)).ok());
    let object = Object {
        file: &loaded.name,
        model: report.model.name(),
        outcome,
        places: sets.first().map(PlaceObject::all).unwrap_or_default(),
        cost: sets.first().map(|set| set.cost),
        optimal: mended.is_some_and(|mended| mended.optimal),
        iterations: report.checks,
        counterexamples: report.counterexamples,
        candidates: report.candidates,
        sets: sets
            .iter()
            .map(|set| SetObject { places: PlaceObject::all(set), cost: set.cost })
            .collect(),
        unpatchable: report
            .unpatchable
            .iter()
            .map(|(file, line, why)| UnpatchableObject { file, line: *line, why })
            .collect(),
        races: report.races.races.iter().map(RaceObject::of).collect(),
        races_enough: report.races.enough.filter(|_| !report.races.races.is_empty()),
        diff: mended.map(|mended| diff(mended)),
        why,
        check,
    };
    // Strings and numbers only: nothing in it cannot be written.
    serde_json::to_string(&object).map_or_else(|error| format!("{error}\n"), |text| text + "\n")
}
