//! The models of mmlib, where the corpus is present: read natively and exported with their claims, SPIN
//! gives the verdicts that it gives on the library's own encoding of the memory models. The library's
//! memory is one process that picks any buffer, and its fences empty the buffer themselves; so that is the
//! fairness here.

use crate::support;

use std::collections::BTreeMap;
use std::path::Path;

use support::*;
use taut_export::{Export, ExportOptions};
use taut_ir::{Fairness, Memory, MemoryFairness, MemoryModel, PropertyKind};
use taut_promela::{Headers, LowerOptions, Lowered, Options};
use taut_source::SourceMap;
use taut_testkit::corpus;
use taut_testkit::spin::Verifier;

/// A row of the library's results.
struct Row {
    file: String,
    memory: String,
    fence: String,
    search: String,
    violated: bool,
}

/// The rows about claims; those that SPIN did not finish have no verdict.
fn rows(folder: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(folder.join("spin.csv")).expect("the results");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a first line");
    let row = |fields: Vec<&str>| {
        let get = |name: &str| fields[names.iter().position(|n| *n == name).expect("a column")];
        let asked = get("version") == "forLib" && get("reduction") == "noreduce";
        let done = ["holds", "violated"].contains(&get("verdict"));
        (asked && done && get("search") != "reach").then(|| Row {
            file: format!("{}/forLib/{}.pml", get("suite"), get("model")),
            memory: get("memory").into(),
            fence: get("fence").into(),
            search: get("search").into(),
            violated: get("verdict") == "violated",
        })
    };
    lines.filter_map(row).collect()
}

/// The model of a row, with the header and the fences that the row names.
fn lowered(folder: &Path, row: &Row) -> Result<Lowered, String> {
    let bytes = std::fs::read(folder.join(&row.file)).map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&bytes).replace("sc.h", &format!("{}.h", row.memory));
    let fences = row.fence.split('+').filter(|fence| *fence != "none");
    let text = fences.fold(text, |text, f| text.replace(&format!("/* {f} needed */"), "FENCE();"));
    let mut map = SourceMap::new();
    let file = map.add(row.file.clone(), text);
    let none = Headers::none();
    let mut headers = MemoryModel::ALL.iter().fold(none, |all, m| all.with(format!("{m}.h"), ""));
    let options = Options::default();
    let parsed = taut_promela::parse(&mut map, file, &options, &mut headers);
    let parsed = parsed.map_err(|e| format!("{e:?}"))?;
    taut_promela::lower(&parsed, &LowerOptions::default()).map_err(|e| format!("{e:?}"))
}

fn export(folder: &Path, row: &Row) -> Result<Export, String> {
    let Lowered { mut program, model, bound, .. } = lowered(folder, row)?;
    program.properties.retain(|p| !matches!(p.kind, PropertyKind::Assert));
    let model = model.ok_or("no memory model")?;
    if model.name() != row.memory {
        return Err(format!("{model} instead of {}", row.memory));
    }
    let memory = Memory::new(model).bounded(bound);
    let fairness = Fairness { process: true, memory: MemoryFairness::Process };
    let export = taut_export::promela_with(&program, memory, ExportOptions { fairness });
    let export = export.map_err(|e| e.to_string())?;
    match export.exact && export.claims.len() == 1 {
        true => Ok(export),
        false => Err(format!("exact: {}, claims: {:?}", export.exact, export.claims)),
    }
}

fn compare(folder: &Path, row: &Row) -> Result<Option<String>, String> {
    let name = format!("{} {} {} {}", row.file, row.memory, row.fence, row.search);
    let said = |e: String| format!("{name}: {e}");
    let export = export(folder, row).map_err(said)?;
    let flags: Vec<_> = export.compile.iter().map(String::as_str).collect();
    let verifier = Verifier::quick(&export.text, &[], &flags).map_err(said)?;
    let fair = row.search == "ltl+weakfair";
    let run = export.run.iter().map(String::as_str).filter(|flag| fair || *flag != "-f");
    let args: Vec<_> = run.chain(["-m2000000", "-w20"]).collect();
    let violated = finds_errors(&verifier, &args).map_err(said)?;
    match violated == row.violated {
        true => Ok(Some(row.memory.clone())),
        false => Err(said(format!("violated: {violated}, in the library {}", row.violated))),
    }
}

#[test]
fn claims_of_mmlib_have_the_verdicts_of_the_library() {
    let Some(corpus) = corpus::find("mmlib corpus") else { return };
    let folder = corpus.join("mmlib");
    let rows = rows(&folder);
    let compared = on_two_threads(&rows, |_, row| compare(&folder, row));
    let mut models = BTreeMap::new();
    compared.into_iter().for_each(|model| *models.entry(model).or_insert(0) += 1);
    println!("{models:?}");
    let all = [("sc", 24), ("tso", 40), ("pso", 45)].map(|(model, rows)| (model.to_string(), rows));
    assert_eq!(models, BTreeMap::from(all), "every row with a verdict");
}
