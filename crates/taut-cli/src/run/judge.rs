//! What the models say about what was seen.

use std::collections::{BTreeMap, BTreeSet};

use taut::budget::{Budget, Level};
use taut::ir::{Expr, Program};
use taut::json::{FinalStateDocument, RunDocument, SeenPropertyDocument};
use taut::{Check, Limits, Loaded, MemoryModel, Report, VerdictKind};

use super::super::args::RunOnProcessorArgs;
use super::super::command;
use super::super::exit::Exit;
use super::super::fault::internal;
use super::super::progress;

/// The models that are asked.
pub const MODELS: [MemoryModel; MemoryModel::ALL.len()] = MemoryModel::ALL;

/// The final states that a model allows; none if a limit was met.
pub type Allowed = Option<BTreeSet<Vec<i64>>>;

/// Whether this processor has TSO, so that what TSO forbids must not be seen.
pub fn has_tso() -> bool {
    matches!(std::env::consts::ARCH, "x86_64" | "x86")
}

/// The time for the models. Rounds are over when this is made.
pub fn budget(args: &RunOnProcessorArgs) -> Budget {
    command::budget().within(Some(args.timeout))
}

/// What each model says about the properties.
pub fn reports(loaded: &Loaded, budget: &Budget) -> Result<Vec<Report>, Exit> {
    let mut reports = Vec::new();
    for (i, model) in MODELS.into_iter().enumerate() {
        let share = budget.share(MODELS.len() - i);
        let check = Check::of(loaded).model(model).all(true).temporal(false).budget(&share);
        let report = progress::watch(check, |check| check.run());
        reports.push(report.map_err(|fault| internal(&fault))?);
    }
    Ok(reports)
}

/// The final states that each model allows.
pub fn finals(program: &Program, watched: &[Expr], budget: &Budget) -> Vec<Allowed> {
    let one = |(i, model): (usize, MemoryModel)| {
        let share = budget.share(MODELS.len() - i);
        let limits =
            Limits { time: share.left(), budget: share.clone(), ..command::search_limits() };
        let finals = share.run(Level::Work, || taut::finals(program, model, watched, &limits));
        finals.ok()?.ok()
    };
    MODELS.into_iter().enumerate().map(one).collect()
}

/// The final states that were seen or that a model allows.
pub fn states(seen: &BTreeMap<Vec<i64>, u64>, allowed: &[Allowed]) -> Vec<FinalStateDocument> {
    let mut all: BTreeSet<&Vec<i64>> = seen.keys().collect();
    all.extend(allowed.iter().flatten().flatten());
    let row = |values: &Vec<i64>| FinalStateDocument {
        values: values.clone(),
        seen: seen.get(values).copied().unwrap_or(0),
        allowed: allowed.iter().map(|set| Some(set.as_ref()?.contains(values))).collect(),
    };
    let mut rows: Vec<_> = all.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.seen.cmp(&a.seen).then_with(|| a.values.cmp(&b.values)));
    rows
}

/// The verdict of each model on a property.
pub fn verdicts(reports: &[Report], name: &str) -> Vec<&'static str> {
    let word = |report: &Report| match report.verdict(name).map(|verdict| verdict.kind()) {
        None => VerdictKind::NotAsked.word(),
        Some(kind) => kind.word(),
    };
    reports.iter().map(word).collect()
}

/// The verdicts on something that no model was asked about.
pub fn no_verdicts() -> Vec<&'static str> {
    vec![VerdictKind::NotAsked.word(); MODELS.len()]
}

/// Notes what was seen though TSO forbids it, if the processor has TSO.
pub fn contradict(document: &mut RunDocument, reports: &[Report]) {
    if !has_tso() {
        return;
    }
    let Some(tso) = MODELS.iter().position(|model| *model == MemoryModel::Tso) else { return };
    let mut found = Vec::new();
    for state in document.states.iter().filter(|s| s.seen > 0 && s.allowed[tso] == Some(false)) {
        let values = document.watched.iter().zip(&state.values);
        let values: Vec<_> = values.map(|(name, value)| format!("{name}={value}")).collect();
        found.push(format!("The final state {} was seen {} times.", values.join(" "), state.seen));
    }
    for property in document.properties.iter().filter(|p| p.seen > 0) {
        if reports.get(tso).is_some_and(|report| report.proves(&property.name)) {
            found.push(says_so(property));
        }
    }
    document.contradictions.extend(found);
}

fn says_so(property: &SeenPropertyDocument) -> String {
    format!(
        "`{}` was seen violated {} times; under TSO it holds, in all executions.",
        property.name, property.seen
    )
}

#[cfg(test)]
mod tests {
    use taut::formats::{Format, Page, Text};

    use super::*;

    fn state(seen: u64, allowed: [Option<bool>; 3]) -> FinalStateDocument {
        FinalStateDocument { values: vec![1, 0], seen, allowed: allowed.to_vec() }
    }

    /// The contradictions of a document with one state.
    fn contradictions(state: FinalStateDocument) -> RunDocument {
        let mut document = RunDocument {
            watched: vec!["x".into(), "y".into()],
            states: vec![state],
            ..RunDocument::default()
        };
        contradict(&mut document, &[]);
        document
    }

    #[test]
    fn a_state_that_tso_forbids_is_told_loudly_on_a_processor_with_tso() {
        let forbidden = contradictions(state(3, [Some(false), Some(false), Some(true)]));
        assert_eq!(forbidden.contradictions.len(), usize::from(has_tso()));
        if has_tso() {
            assert_eq!(forbidden.contradictions, ["The final state x=1 y=0 was seen 3 times."]);
            assert!(forbidden.is_violated());
            let text = Text.run(&Page::default(), &forbidden);
            assert!(text.contains("*** THE PROCESSOR DID WHAT TSO FORBIDS ***"), "{text}");
        }
    }

    #[test]
    fn what_is_allowed_not_seen_or_not_known_is_no_contradiction() {
        for state in [
            state(3, [Some(false), Some(true), Some(true)]),
            state(0, [Some(true), Some(false), Some(true)]),
            state(3, [Some(false), None, Some(false)]),
        ] {
            let document = contradictions(state);
            assert!(document.contradictions.is_empty(), "{document:?}");
            assert!(!document.is_violated());
        }
    }

    /// A violation of what TSO proves is a contradiction; one of what it does not prove is none.
    #[test]
    fn a_violation_of_what_tso_proves_is_a_contradiction() {
        let text = "shared bool x = 0; process p begin x := 1; assert(x == 1) as own; end";
        let loaded = taut::load::from_text("p.taut", text).expect("a program");
        let reports = reports(&loaded, &Budget::new()).unwrap_or_default();
        let row = |name: &str| SeenPropertyDocument {
            name: name.into(),
            kind: "assert",
            line: None,
            seen: 2,
            verdicts: verdicts(&reports, name),
        };
        assert_eq!(row("own").verdicts, ["holds"; 3]);
        let of = |row| {
            let properties = vec![row];
            let mut document = RunDocument { properties, ..RunDocument::default() };
            contradict(&mut document, &reports);
            document.contradictions.len()
        };
        assert_eq!((of(row("own")), of(row("other"))), (usize::from(has_tso()), 0));
    }
}
