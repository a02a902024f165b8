//! The models of BEEM, where the corpus is present: states, transitions, deadlocks and faults under sequential
//! consistency, and the sizes of products and their verdicts, equal to those of an explorer that was checked
//! against the published figures. Small ones always; with `TAUT_SOAK` set, models below two million states and
//! products below one million.

use std::path::Path;

use taut_dve::{LowerOptions, Lowered, RangeErrors, lower, parse};
use taut_explicit::{Limits, SearchOptions, explore};
use taut_ir::{Fairness, Memory, MemoryModel};
use taut_source::SourceMap;
use taut_temporal::{Emptiness, TemporalOptions, find_accepting_lasso, product_size};
use taut_testkit::corpus;

/// A row of a table, by the names in its first line.
struct Row<'t>(Vec<(&'t str, &'t str)>);

impl Row<'_> {
    fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.get(name).parse().ok()
    }
}

/// The rows of a table of tab-separated values.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<_> = lines.next().expect("a line of names").split('\t').collect();
    lines.map(|line| Row(names.iter().copied().zip(line.split('\t')).collect())).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn load(path: &Path, range_errors: RangeErrors) -> Result<Lowered, String> {
    let mut sources = SourceMap::new();
    let file = sources.add(path.display().to_string(), read(path));
    let said =
        |d: taut_source::Diagnostics| d.iter().map(|d| d.message.clone()).collect::<String>();
    let model = parse(&sources, file).map_err(said)?.model;
    let options =
        LowerOptions { name: String::new(), range_errors, atomic: None, ..LowerOptions::default() };
    lower(&model, &options).map_err(said)
}

fn limit(always: u64, soak: u64) -> u64 {
    if std::env::var_os("TAUT_SOAK").is_some() { soak } else { always }
}

fn most(row: &Row<'_>, limit: u64) -> bool {
    row.number("proto_states").is_some_and(|states| states < limit)
}

fn compare_model(folder: &Path, row: &Row<'_>) -> Result<(), String> {
    let path = folder.join("dve").join(format!("{}.dve", row.get("instance")));
    let program = load(&path, RangeErrors::Error)?.program;
    let options = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
    let s = explore(&program, Memory::new(MemoryModel::Sc), &options).stats;
    // There, all faults lead to one more state.
    let states = s.states + u64::from(s.faults > 0);
    let ours = [states, s.transitions + s.faults, s.deadlocks, s.faults].map(Some);
    let columns = ["proto_states", "proto_trans", "proto_deadlocks", "proto_error_trans"];
    let theirs = columns.map(|name| row.number(name));
    if ours == theirs { Ok(()) } else { Err(format!("{ours:?}, expected {theirs:?}")) }
}

fn compare_product(folder: &Path, row: &Row<'_>) -> Result<(), String> {
    let path = folder.join("prop").join(format!("{}.dve", row.get("product")));
    // The figures are of bytes that wrap.
    let Lowered { program, property, .. } = load(&path, RangeErrors::Wrap)?;
    let property = property.ok_or("no property process")?;
    let memory = Memory::new(MemoryModel::Sc);
    let limits = Limits::default();
    let size = product_size(&program, memory, property, &limits).map_err(|e| e.to_string())?;
    let options = TemporalOptions {
        fairness: Fairness::NONE,
        emptiness: Emptiness::Components,
        reduce: taut_explicit::Reduce::None,
        threads: 1,
        alone: taut_temporal::PARALLEL_FROM_NODES,
        spawn_all: false,
        limits,
    };
    let run =
        find_accepting_lasso(&program, memory, property, &options).map_err(|e| e.to_string())?;
    let verdict = if run.found.is_some() { "FALSE" } else { "TRUE" };
    let ours = (Some(size.stats.states), Some(size.stats.transitions), verdict);
    let (states, edges) = (row.number("proto_states"), row.number("proto_edges"));
    let theirs = (states, edges, row.get("verdict"));
    if ours == theirs { Ok(()) } else { Err(format!("{ours:?}, expected {theirs:?}")) }
}

/// Compares all rows, and gives how many agree; there must be no others.
fn agreeing(
    rows: &[Row<'_>],
    name: &str,
    compare: impl Fn(&Row<'_>) -> Result<(), String>,
) -> usize {
    let differing = rows.iter().filter_map(|row| {
        let why = compare(row).err()?;
        Some(format!("{}: {why}", row.get(name)))
    });
    let differing: Vec<_> = differing.collect();
    let (all, many) = (rows.len(), differing.len());
    assert!(differing.is_empty(), "{many} of {all} differ:\n{}", differing.join("\n"));
    all
}

#[test]
fn models_have_their_states_edges_and_deadlocks() {
    let Some(corpus) = corpus::find("BEEM models") else { return };
    let folder = corpus.join("beem");
    let text = read(&folder.join("states.tsv"));
    let most_states = limit(100_000, 2_000_000);
    let rows: Vec<_> = rows(&text).into_iter().filter(|row| most(row, most_states)).collect();
    let agree = agreeing(&rows, "instance", |row| compare_model(&folder, row));
    assert_eq!(agree as u64, limit(54, 95));
}

#[test]
fn products_have_their_sizes_and_verdicts() {
    let Some(corpus) = corpus::find("BEEM products") else { return };
    let folder = corpus.join("beem");
    let text = read(&folder.join("products.tsv"));
    let most_states = limit(50_000, 1_000_000);
    let rows: Vec<_> = rows(&text).into_iter().filter(|row| most(row, most_states)).collect();
    let agree = agreeing(&rows, "product", |row| compare_product(&folder, row));
    assert_eq!(agree as u64, limit(SMALL_PRODUCTS, 94));
}

/// How many products have fewer than 50,000 states.
const SMALL_PRODUCTS: u64 = 54;
