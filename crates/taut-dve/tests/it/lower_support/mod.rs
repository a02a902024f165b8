//! Models from texts, and what a search of everything counts.

pub mod locks;

use taut_dve::ast::Model;
use taut_dve::{AtomicList, LowerOptions, Lowered, RangeErrors, lower, parse, parse_atomic};
use taut_explicit::{Completion, SearchOptions, explore};
use taut_ir::{Memory, MemoryModel, Program};
use taut_source::{Diagnostics, SourceMap};

/// What a search of everything counts: states, transitions into states, deadlocks, faulting transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    pub faults: u64,
}

/// Counts of a search without deadlocks and faults.
pub fn only(states: u64, transitions: u64) -> Counts {
    Counts { states, transitions, deadlocks: 0, faults: 0 }
}

fn rendered(sources: &SourceMap, diagnostics: &Diagnostics) -> String {
    let one = |d: &taut_source::Diagnostic| {
        let line = sources.position(d.span).map_or(0, |p| p.line);
        format!("{line}: {}: {} [{}] {:?}", d.code, d.message, d.label, d.help)
    };
    diagnostics.sorted().into_iter().map(one).collect::<Vec<_>>().join("\n")
}

pub fn model(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add("model.dve", text);
    parse(&sources, file).unwrap_or_else(|d| panic!("{}", rendered(&sources, &d))).model
}

pub fn lowered(text: &str, range_errors: RangeErrors) -> Lowered {
    let options = LowerOptions {
        name: "model".into(),
        range_errors,
        atomic: None,
        ..LowerOptions::default()
    };
    lower(&model(text), &options).unwrap_or_else(|d| panic!("{d:?}"))
}

pub fn program(text: &str) -> Program {
    lowered(text, RangeErrors::Error).program
}

/// The codes and messages of what a model cannot be lowered for.
pub fn refusals(text: &str) -> Vec<(&'static str, String)> {
    let refused = lower(&model(text), &LowerOptions::default()).expect_err("it is refused");
    refused.iter().map(|d| (d.code, d.message.clone())).collect()
}

/// A list of atomic writes, or what is said about it, a line each.
pub fn atomic(model: &Model, list: &str) -> Result<AtomicList, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("atomic.txt", list);
    parse_atomic(&sources, file, model).map_err(|d| rendered(&sources, &d))
}

pub fn count(program: &Program, memory: MemoryModel) -> Counts {
    let options = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
    let found = explore(program, Memory::new(memory), &options);
    assert_eq!(found.completion, Completion::Complete);
    let s = found.stats;
    let (states, transitions) = (s.states, s.transitions);
    Counts { states, transitions, deadlocks: s.deadlocks, faults: s.faults }
}

pub fn count_sc(text: &str) -> Counts {
    count(&program(text), MemoryModel::Sc)
}

/// With a list of atomic writes, under delayed writes.
pub fn count_delayed(text: &str, list: &str) -> Counts {
    let model = model(text);
    let atomic = atomic(&model, list).unwrap_or_else(|e| panic!("{e}"));
    let options = LowerOptions { atomic: Some(atomic), ..LowerOptions::default() };
    let lowered = lower(&model, &options).unwrap_or_else(|d| panic!("{d:?}"));
    count(&lowered.program, MemoryModel::Delayed)
}
