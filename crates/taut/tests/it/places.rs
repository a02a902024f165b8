//! What a program means with a statement at every place its front end offers: with one that does nothing, what it
//! meant; with a fence, what it means under sequential consistency.

use taut::load::{LoadOptions, from_bytes, from_path};
use taut::{Check, Loaded, MemoryModel};
use taut_source::{EditSites, Point};
use taut_testkit::suite::root;

/// Larger searches are left to others.
const MOST_STATES: u64 = 30_000;

/// Its invariant says of each single program point what is seen there, so one more program point is one more to speak of.
const COUNTS_POINTS: &str = "lw_two_writers";

fn examples(extension: &str) -> Vec<Loaded> {
    let entries = std::fs::read_dir(root().join("examples")).expect("examples");
    let paths = entries.map(|e| e.expect("an entry").path());
    let of_language = paths.filter(|p| p.extension().is_some_and(|e| e == extension));
    let wanted = of_language.filter(|p| !p.display().to_string().contains(COUNTS_POINTS));
    wanted
        .map(|p| from_path(&p, LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")))
        .collect()
}

fn places(loaded: &Loaded) -> EditSites {
    loaded.model.edit_sites(&loaded.sources, loaded.file).unwrap()
}

/// The program with a statement at every point.
fn filled(loaded: &Loaded, statement: &str) -> Loaded {
    let places = places(loaded);
    let (text, starts) = Point::fill(&loaded.sources, loaded.file, &places.points, statement);
    assert!(starts.iter().all(Option::is_some), "{}: all points are in the file", loaded.name);
    let options = LoadOptions { language: Some(loaded.language), ..LoadOptions::default() };
    from_bytes(&loaded.name, text.clone().into(), options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The answers to all questions, in the order of the text (lines move, and names with them); none if that takes
/// too long.
fn verdicts(loaded: &Loaded, model: MemoryModel) -> Option<Vec<&'static str>> {
    let check = Check::of(loaded).model(model).bound(Some(2)).all(true);
    let report = check.max_states(Some(MOST_STATES)).run();
    let report = report.unwrap_or_else(|e| panic!("{}: {e}", loaded.name));
    (!report.is_unknown()).then(|| report.results.iter().map(|r| r.verdict.word()).collect())
}

/// Compares a program with a statement everywhere under TSO with the original under some model; how many were
/// small enough, and for how many of them the memory model matters.
fn compare(programs: &[Loaded], statement: &str, model: MemoryModel) -> (usize, usize) {
    let (mut compared, mut relaxed) = (0, 0);
    for original in programs {
        let new = filled(original, statement);
        let pair = (verdicts(original, model), verdicts(&new, MemoryModel::Tso));
        let (Some(expected), Some(found)) = pair else { continue };
        assert_eq!(found, expected, "{} with `{statement}`", original.name);
        compared += 1;
        relaxed += usize::from(verdicts(original, MemoryModel::Tso) != Some(expected));
    }
    (compared, relaxed)
}

#[test]
fn taut_programs_mean_the_same_with_a_step_everywhere() {
    let (compared, _) = compare(&examples("taut"), taut_lang::NOTHING, MemoryModel::Tso);
    assert!(compared > 30, "{compared}");
}

#[test]
fn taut_programs_with_fences_everywhere_are_sequentially_consistent() {
    let (compared, relaxed) = compare(&examples("taut"), taut_lang::FENCE, MemoryModel::Sc);
    assert!(compared > 30 && relaxed > 10, "{compared} {relaxed}");
}

/// RMM programs: those of the examples, which are all small.
fn rmm() -> Vec<Loaded> {
    let entries = std::fs::read_dir(root().join("examples/rmm")).expect("examples");
    let paths = entries.map(|e| e.expect("an entry").path());
    let wanted = paths.filter(|p| p.extension().is_some_and(|e| e == "rmm"));
    wanted
        .filter(|p| !p.ends_with("unbounded_ticket.rmm"))
        .map(|p| from_path(&p, LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")))
        .collect()
}

#[test]
fn rmm_programs_mean_the_same_with_a_step_everywhere() {
    let (compared, _) = compare(&rmm(), taut_rmm::NOTHING, MemoryModel::Tso);
    assert!(compared >= 10, "{compared}");
}

#[test]
fn rmm_programs_with_fences_everywhere_are_sequentially_consistent() {
    let (compared, relaxed) = compare(&rmm(), taut_rmm::FENCE, MemoryModel::Sc);
    assert!(compared >= 10 && relaxed >= 4, "{compared} {relaxed}");
}

#[test]
fn models_mean_the_same_with_a_step_everywhere() {
    let (compared, _) = compare(&examples("pml"), taut_promela::NOTHING, MemoryModel::Tso);
    assert!(compared > 20, "{compared}");
}

/// A store in `atomic` may be seen after the block has ended, and no fence after it undoes what came between: such
/// models need `LOCKED`.
#[test]
fn models_with_fences_everywhere_are_sequentially_consistent() {
    let mut models = examples("pml");
    models.retain(|m| !places(m).unwritable.iter().any(|(_, why)| why.contains("`atomic`")));
    let (compared, relaxed) = compare(&models, taut_promela::FENCE, MemoryModel::Sc);
    assert!(compared > 15 && relaxed > 5, "{compared} {relaxed}");
}
