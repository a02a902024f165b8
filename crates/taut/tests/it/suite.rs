//! The suite under every engine.

use taut::load::{LoadOptions, from_bytes};
use taut::{Check, Loaded, MemoryModel, Order, Program, Reduce, Report, StoreKind, Verdict};
use taut_testkit::suite::{Case, Known, cases};

/// An engine, and the groups of cases it cannot do.
struct Engine {
    name: &'static str,
    order: Order,
    reduce: Reduce,
    store: StoreKind,
    threads: usize,
    leaves_out: &'static [&'static str],
    /// Whether it stores exactly the reachable states.
    counts_states: bool,
    /// Whether its runs are shortest ones.
    finds_shortest: bool,
}

/// Every state, breadth first.
const PLAIN: Engine = Engine {
    name: "explicit, breadth first",
    order: Order::Bfs,
    reduce: Reduce::None,
    store: StoreKind::Exact,
    threads: 1,
    leaves_out: &[],
    counts_states: true,
    finds_shortest: true,
};

const ENGINES: [Engine; 7] = [
    PLAIN,
    Engine { name: "explicit, depth first", order: Order::Dfs, finds_shortest: false, ..PLAIN },
    Engine { name: "explicit, two threads", threads: 2, ..PLAIN },
    Engine { name: "explicit, tree, two threads", store: StoreKind::Tree, threads: 2, ..PLAIN },
    Engine { name: "explicit, disk", store: StoreKind::Disk, ..PLAIN },
    Engine {
        name: "explicit, reduced",
        reduce: Reduce::All,
        counts_states: false,
        finds_shortest: false,
        ..PLAIN
    },
    Engine {
        name: "explicit, reduced, depth first",
        order: Order::Dfs,
        reduce: Reduce::All,
        counts_states: false,
        finds_shortest: false,
        ..PLAIN
    },
];

/// Memory of searches with states in files: enough for some ten thousand of them.
const LITTLE_MEMORY: u64 = 2 << 20;

fn load(case: &Case) -> Loaded {
    let (name, text) = case.source();
    match from_bytes(&name, text, LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{}:\n{error}", case.name),
    }
}

fn check(engine: &Engine, loaded: &Loaded, case: &Case, model: MemoryModel) -> Report {
    let bound = Some(case.bound.unwrap_or(loaded.bound()));
    let Engine { order, reduce, store, threads, .. } = *engine;
    let check = Check::of(loaded).model(model).bound(bound).order(order).whole(true);
    let check = check.reduce(reduce).store(store).threads(threads);
    let check = if store == StoreKind::Disk { check.max_memory(LITTLE_MEMORY) } else { check };
    check.run().unwrap_or_else(|fault| panic!("{} under {model}: {fault}", case.name))
}

/// What a report says that is not known, or the other way round.
fn differences(engine: &Engine, known: &Known, report: &Report) -> Vec<String> {
    let mut all = Vec::new();
    for (property, expected) in &known.verdicts {
        let Some(verdict) = report.verdict(property) else {
            all.push(format!("no property {property}"));
            continue;
        };
        if verdict.word() != expected {
            all.push(format!("{property} {}, not {expected}", verdict.word()));
        }
        match verdict {
            Verdict::Holds(coverage) => {
                if known.coverage.as_ref().is_some_and(|known| *known != coverage.to_string()) {
                    all.push(format!("{property} holds for {coverage}"));
                }
            }
            Verdict::Violated(witness) => {
                let length = witness.trace.actions.len();
                let shortest = known.shortest.get(property);
                if engine.finds_shortest && shortest.is_some_and(|&known| known != length) {
                    all.push(format!("{property} violated in {length}"));
                }
            }
            Verdict::Unknown(why) => all.push(format!("{property} unknown: {why}")),
            Verdict::NotAsked => all.push(format!("{property} not asked")),
        }
    }
    let states = report.states_search().map(|search| search.stats.states);
    if engine.counts_states && known.states.is_some() && known.states != states {
        all.push(format!("{states:?} states"));
    }
    all
}

#[test]
fn every_engine_runs_the_suite() {
    let cases = cases();
    assert!(cases.len() >= 60, "the suite is there");
    let mut wrong = Vec::new();
    for engine in &ENGINES {
        for case in &cases {
            if engine.leaves_out.contains(&case.group.as_str()) {
                println!("{} leaves out {} ({})", engine.name, case.name, case.group);
                continue;
            }
            let loaded = load(case);
            for model in MemoryModel::EVERY {
                let Some(known) = case.known(model) else { continue };
                let found = differences(engine, known, &check(engine, &loaded, case, model));
                let place = format!("{} under {model} by {}", case.name, engine.name);
                wrong.extend(found.into_iter().map(|difference| format!("{place}: {difference}")));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Every program of the repository, printed in the Taut language and read again, is the same program. Promela
/// models are not: their processes live on a stack, for which the Taut language has no words.
#[test]
fn every_program_survives_printing() {
    let mut count = 0;
    for (name, loaded) in cases().iter().map(|case| (&case.name, load(case))) {
        match loaded.language.name() {
            "promela" => assert!(taut::lang::print(&loaded.program).is_err(), "{name}"),
            _ => survives_printing(name, &loaded.program),
        }
        count += 1;
    }
    let mut todo = vec![taut_testkit::suite::root().join("testdata/litmus")];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            todo.extend(entries.map(|e| e.expect("an entry").path()));
        } else if path.extension().is_some_and(|e| e == "litmus") {
            let loaded = taut::load::from_path(&path, LoadOptions::default()).expect("a test");
            survives_printing(&loaded.name, &loaded.program);
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

fn survives_printing(name: &str, program: &Program) {
    let text = taut::lang::print(program).expect("a printable program");
    let again = match taut::load::from_text("printed.taut", &text) {
        Ok(loaded) => loaded.program,
        Err(error) => panic!("{name}:\n{error}"),
    };
    assert!(taut::lang::same(program, &again), "{name}:\n{text}");
}
