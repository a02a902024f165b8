//! A model beside its export with buffers.

use std::collections::BTreeSet;

use taut_dve::ast::Model;
use taut_dve::{AtomicList, LowerOptions, RangeErrors, lower, parse, print, same, with_buffers};
use taut_explicit::{Completion, Limits, SearchOptions, explore};
use taut_ir::{Memory, MemoryModel, Program};
use taut_source::SourceMap;

/// What a search through everything counts, and what it finds.
#[derive(Debug, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    pub faults: u64,
    pub found: BTreeSet<String>,
}

/// Reads a model that is right.
pub fn model(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add("m.dve", text);
    parse(&sources, file).unwrap_or_else(|e| panic!("{text}\n{e:?}")).model
}

/// The model as a program.
pub fn program(model: &Model, range_errors: RangeErrors, atomic: Option<&AtomicList>) -> Program {
    let options = LowerOptions {
        name: "m".into(),
        range_errors,
        atomic: atomic.cloned(),
        ..LowerOptions::default()
    };
    lower(model, &options).unwrap_or_else(|e| panic!("{}\n{e:?}", print(model))).program
}

/// The export, as who reads its text sees it.
pub fn exported(model: &Model, atomic: &AtomicList) -> Model {
    let made = with_buffers(model, atomic).unwrap_or_else(|e| panic!("{e:?}"));
    let text = print(&made);
    let read = self::model(&text);
    assert!(same(&made, &read), "printed and read back it differs:\n{text}");
    read
}

/// Searches through everything; `None` if that is more than `limit` states.
pub fn counts(program: &Program, memory: MemoryModel, limit: u64) -> Option<Counts> {
    let limits = Limits { states: Some(limit), ..Limits::default() };
    let options = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    let done = explore(program, Memory::new(memory), &options);
    (done.completion == Completion::Complete).then(|| Counts {
        states: done.stats.states,
        transitions: done.stats.transitions,
        deadlocks: done.stats.deadlocks,
        faults: done.stats.faults,
        found: done.found.iter().map(|f| f.finding.name(program)).collect(),
    })
}

/// What the model has under delayed writes, after it was compared with what the export has without;
/// `None` if that is more than `limit` states.
pub fn compared(
    model: &Model,
    atomic: &AtomicList,
    range_errors: RangeErrors,
    limit: u64,
) -> Option<Counts> {
    let native = program(model, range_errors, Some(atomic));
    let native = counts(&native, MemoryModel::Delayed, limit)?;
    let export = exported(model, atomic);
    let plain = counts(&program(&export, range_errors, None), MemoryModel::Sc, limit);
    let texts = || format!("{}\n--- {atomic}\n{}", print(model), print(&export));
    assert_eq!(plain.as_ref(), Some(&native), "export and native differ\n{}", texts());
    Some(native)
}
