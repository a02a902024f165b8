//! Verdicts do not depend on what is left out, how states are kept and how many threads search: on other people's
//! models, where the corpus is present. Partial-order reduction is where famous tools have been wrong, on BEEM's
//! `iprotocol` for one, so every product of a model with a formula is compared that fits: small ones always, with
//! `TAUT_SOAK` set those below two million states.

use crate::combinations_support;

use std::path::Path;

use combinations_support::{Way, compare, some};
use taut::load::{LoadOptions, Loaded, from_bytes, from_path};
use taut::{Check, Fairness, Order, Reduce, StoreKind};
use taut_testkit::corpus;
use taut_testkit::mmlib::{Case, read};
use taut_testkit::table::rows;

/// The ways in which products are compared. What is asked of runs is kept whole, whatever is asked.
const OF_RUNS: [Way; 2] = [
    Way { reduce: Reduce::Por, store: StoreKind::Exact, threads: 1, order: Order::Bfs },
    Way { reduce: Reduce::All, store: StoreKind::Exact, threads: 2, order: Order::Bfs },
];

fn soaks() -> bool {
    std::env::var_os("TAUT_SOAK").is_some()
}

/// Most states of a search.
fn limit(always: u64, soak: u64) -> u64 {
    if soaks() { soak } else { always }
}

/// Runs comparisons, and gives how many were made; none may differ.
fn agreeing(comparisons: impl Iterator<Item = (String, Result<bool, String>)>) -> usize {
    let mut compared = 0;
    let mut differing = Vec::new();
    for (name, result) in comparisons {
        match result {
            Ok(yes) => compared += usize::from(yes),
            Err(why) => differing.push(format!("{name}: {why}")),
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    compared
}

/// The names of the products that have fewer states than this, as the table says.
fn products(folder: &Path, most: u64) -> Vec<String> {
    let text = read(&folder.join("products.tsv"));
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let small = lines.filter_map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next()?.to_string();
        let states: u64 = columns.nth(1)?.parse().ok()?;
        (states < most).then_some(name)
    });
    small.collect()
}

/// A product says itself what is asked of it.
fn compare_product(path: &Path, most: u64) -> Result<bool, String> {
    let options = LoadOptions::default().with(&taut::dve::RANGE_ERRORS, "wrap")?;
    let loaded = from_path(path, options).map_err(|e| e.to_string())?;
    let of_runs = loaded.program.properties.iter().filter(|p| p.kind.is_temporal());
    let asked = of_runs.map(|p| p.name.clone()).collect();
    let check = Check::of(&loaded).only(asked).fairness(Fairness::NONE);
    compare(&check, &OF_RUNS, 3 * most)
}

#[test]
fn of_products_of_beem() {
    let Some(corpus) = corpus::find("BEEM products, reduced") else { return };
    let folder = corpus.join("beem");
    let most = limit(12_000, 2_000_000);
    let names = products(&folder, most);
    let (many, files) = (names.len(), folder.join("prop"));
    let compared = agreeing(names.into_iter().map(|name| {
        let path = files.join(format!("{name}.dve"));
        let compared = compare_product(&path, most);
        (name, compared)
    }));
    assert!(compared * 10 >= many * 9, "{compared} of {many}");
}

fn load(path: &Path, text: String) -> Result<Loaded, String> {
    let name = path.display().to_string();
    from_bytes(&name, text.into_bytes(), LoadOptions::default()).map_err(|e| e.to_string())
}

/// Compares a model in a few ways, others for every number.
fn compare_model(path: &Path, text: String, number: usize) -> Result<bool, String> {
    let loaded = load(path, text)?;
    compare(&Check::of(&loaded), &some(number), limit(30_000, 2_000_000))
}

#[test]
fn of_spins_own_models() {
    let Some(corpus) = corpus::find("promela corpus, reduced") else { return };
    let folder = corpus.join("promela");
    let rows = rows(&folder.join("spin.csv"));
    let files = rows.iter().map(|row| row.get("file"));
    let compared = agreeing(files.enumerate().map(|(number, file)| {
        let path = folder.join(file);
        (file.to_string(), compare_model(&path, read(&path), number))
    }));
    assert!(compared >= 20, "{compared}");
}

/// Every model and choice of fences under every memory, with the questions that it asks itself.
#[test]
fn of_models_of_mmlib() {
    let Some(corpus) = corpus::find("mmlib corpus, reduced") else { return };
    let mut cases = Case::all(&corpus.join("mmlib"));
    cases.dedup_by_key(|case| case.name());
    if !soaks() {
        // The plain ones are under SC, and so small.
        cases.retain(|case| case.get("memory") != "plain");
    }
    let compared = agreeing(
        cases
            .iter()
            .enumerate()
            .map(|(number, case)| (case.name(), compare_model(&case.path, case.text(), number))),
    );
    assert!(compared >= 40, "{compared} of {}", cases.len());
}
