//! The one suite (`testdata/*.toml`) under every engine, every store and every reduction.
//!
//! A [`Configuration`] answers every question of every case under every memory model that something is known about.
//! Each answer is the known one, or it is named and counted: the groups and models that an engine leaves out, what a
//! limit leaves open, what lies outside of a scope or beyond a bound. Floors and ceilings keep those numbers honest.

use taut::engines::{Dual, Explicit, Rounds, Symbolic};
use taut::load::{LoadOptions, from_bytes};
use taut::rounds::Scopes;
use taut::{
    Check, Coverage, Engine, Loaded, MemoryModel, Order, Program, Reduce, Report, StoreKind,
    Unknown, Verdict,
};
use taut_testkit::suite::{Case, Known, cases};
use taut_testkit::tally::Tally;

/// A way to answer the questions of the suite.
#[derive(Clone, Copy)]
struct Configuration {
    engine: &'static dyn Engine,
    order: Order,
    reduce: Reduce,
    store: StoreKind,
    threads: usize,
    /// The memory models that the engine is for.
    models: &'static [MemoryModel],
    /// Groups that the engine cannot do.
    leaves_out: &'static [&'static str],
    /// Number of states after which a search may give up.
    most_states: Option<u64>,
}

/// Every state, breadth first.
const PLAIN: Configuration = Configuration {
    engine: &Explicit,
    order: Order::Bfs,
    reduce: Reduce::None,
    store: StoreKind::Exact,
    threads: 1,
    models: &MemoryModel::EVERY,
    leaves_out: &[],
    most_states: None,
};

const REDUCTIONS: [Reduce; 3] = [Reduce::None, Reduce::Por, Reduce::All];

/// Memory of a search. For states in files it is enough for some ten thousand of them, so that files are needed; for the
/// others it is more than any search needs, and a field of bits that is quickly there.
fn memory(store: StoreKind) -> u64 {
    match store {
        StoreKind::Disk => 2 << 20,
        _ => 64 << 20,
    }
}

impl Configuration {
    fn name(&self) -> String {
        let Configuration { order, reduce, store, threads, .. } = self;
        match self.is_unbounded() {
            false => format!("explicit {order:?} {reduce:?} {store:?} -j{threads}"),
            true => format!("{:?}", self.engine),
        }
    }

    /// The engine has buffers without a bound, whatever the bound of a case.
    fn is_unbounded(&self) -> bool {
        self.engine.id() != Explicit::ID
    }

    /// The engine visits exactly the reachable states.
    fn counts_states(&self) -> bool {
        !self.is_unbounded()
            && self.reduce == Reduce::None
            && !matches!(self.store, StoreKind::Compact | StoreKind::Bitstate)
    }

    /// Runs are shortest ones.
    fn finds_shortest(&self) -> bool {
        self.counts_states() && self.order == Order::Bfs
    }

    fn check(&self, loaded: &Loaded, case: &Case, model: MemoryModel) -> Report {
        let bound = Some(case.bound.unwrap_or(loaded.bound()));
        let Configuration { engine, order, reduce, store, threads, .. } = *self;
        let check = Check::of(loaded).engine(engine).model(model).bound(bound).order(order);
        let check = check.reduce(reduce).store(store).threads(threads).whole(true);
        let check = check.max_states(self.most_states).max_memory(memory(store));
        check.run().unwrap_or_else(|fault| panic!("{} under {model}: {fault}", case.name))
    }

    /// Runs the whole suite; what is wrong, and the number of answers by what became of them.
    fn run(&self, cases: &[Case]) -> (Vec<String>, Tally) {
        let (mut wrong, tally) = (Vec::new(), Tally::new());
        for case in cases {
            let known = MemoryModel::EVERY.map(|model| Some((model, case.known(model)?)));
            let loaded = load(case);
            for (model, known) in known.into_iter().flatten() {
                let place = format!("{} under {model} by {}", case.name, self.name());
                if !self.models.contains(&model) || self.leaves_out.contains(&case.group.as_str()) {
                    println!("left out: {place}");
                    tally.add("left out", known.verdicts.len() as u64);
                    continue;
                }
                let report = self.check(&loaded, case, model);
                let found = self.differences(known, &report, &tally);
                wrong.extend(found.into_iter().map(|difference| format!("{place}: {difference}")));
            }
        }
        println!("{}: {tally}", self.name());
        (wrong, tally)
    }

    /// What a report says otherwise than it is known. Answers are counted.
    fn differences(&self, known: &Known, report: &Report, tally: &Tally) -> Vec<String> {
        let mut all = Vec::new();
        for (property, expected) in &known.verdicts {
            match self.judge(property, expected, known, report.verdict(property)) {
                Ok(kind) => tally.count(kind),
                Err(why) => all.push(why),
            }
        }
        let states = report.states_search().map(|search| search.stats.states);
        if self.counts_states() && known.states.is_some() {
            tally.count("counts of states");
            if known.states != states {
                all.push(format!("{states:?} states"));
            }
        }
        all
    }

    /// What an answer counts as, or what is wrong with it.
    fn judge(
        &self,
        property: &str,
        expected: &str,
        known: &Known,
        verdict: Option<&Verdict>,
    ) -> Result<&'static str, String> {
        let Some(verdict) = verdict else { return Err(format!("no property {property}")) };
        match (verdict, expected) {
            (Verdict::Holds(coverage), "holds") => self.covers(property, known, coverage),
            (Verdict::Violated(witness), "violated") => {
                let (length, shortest) =
                    (witness.trace.actions.len(), known.shortest.get(property));
                match shortest {
                    Some(&known) if self.finds_shortest() && known != length => {
                        Err(format!("{property} violated in {length}"))
                    }
                    _ => Ok("the same"),
                }
            }
            // A scope is a part of the runs, and the violation may be in another part.
            (Verdict::Holds(coverage), "violated") if coverage.scope.is_some() => {
                Ok("violated outside of the scope")
            }
            // Longer buffers may have violations that those within the bound have not.
            (Verdict::Violated(_), "holds") if self.is_unbounded() && known.is_bounded() => {
                Ok("violated beyond the bound")
            }
            (Verdict::Unknown(Unknown::Unsupported(_)), _) => Ok("not translated"),
            (Verdict::Unknown(Unknown::NotCarried(_)), _) => Ok("not carried"),
            (Verdict::Unknown(_), _) if self.most_states.is_some() => Ok("open"),
            (other, _) => Err(format!("{property} {}, not {expected}", other.word())),
        }
    }

    /// What an expected `holds` counts as: its coverage is the known one, where that says something about this engine.
    fn covers(
        &self,
        property: &str,
        known: &Known,
        coverage: &Coverage,
    ) -> Result<&'static str, String> {
        let lossy = matches!(self.store, StoreKind::Compact | StoreKind::Bitstate);
        if coverage.lossy.is_some() && !lossy {
            return Err(format!("{property} may have missed states"));
        }
        if coverage.scope.is_some() {
            return Ok("holds within the scope");
        }
        let mut said = coverage.clone();
        said.lossy = None;
        let said = said.to_string();
        match &known.coverage {
            Some(known) if *known == said => Ok("the same"),
            // Without a bound there is none to be met.
            Some(_) if self.is_unbounded() && known.is_bounded() => Ok("holds without the bound"),
            Some(_) => Err(format!("{property} holds for {said}")),
            None => Ok("the same"),
        }
    }
}

fn load(case: &Case) -> Loaded {
    let (name, text) = case.source();
    match from_bytes(&name, text, LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{}:\n{error}", case.name),
    }
}

/// Runs the suite in several configurations, which all have the known answers. Their counts, in order.
fn all_agree(configurations: impl IntoIterator<Item = Configuration>) -> Vec<Tally> {
    let cases = cases();
    assert!(cases.len() >= 170, "the suite is there: {}", cases.len());
    let run = |configuration: Configuration| configuration.run(&cases);
    let (wrong, tallies): (Vec<_>, Vec<_>) = configurations.into_iter().map(run).unzip();
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    tallies
}

/// The explicit engine leaves nothing out and nothing open.
fn explicit_agrees(configurations: impl IntoIterator<Item = Configuration>) {
    for tally in all_agree(configurations) {
        tally.at_least("the same", 1_150).at_most("left out", 0).at_most("open", 0);
    }
}

/// A store under every reduction.
fn reduced(store: StoreKind, threads: usize) -> impl Iterator<Item = Configuration> {
    REDUCTIONS.into_iter().map(move |reduce| Configuration { reduce, store, threads, ..PLAIN })
}

#[test]
fn with_exact_states() {
    explicit_agrees(reduced(StoreKind::Exact, 1));
}

#[test]
fn with_exact_states_and_two_threads() {
    explicit_agrees(reduced(StoreKind::Exact, 2));
}

#[test]
fn depth_first() {
    explicit_agrees(reduced(StoreKind::Exact, 1).map(|c| Configuration { order: Order::Dfs, ..c }));
}

#[test]
fn with_trees() {
    explicit_agrees(reduced(StoreKind::Tree, 1));
    explicit_agrees([Configuration { store: StoreKind::Tree, threads: 2, ..PLAIN }]);
}

#[test]
fn with_hashes() {
    explicit_agrees(reduced(StoreKind::Compact, 1));
    explicit_agrees([Configuration { store: StoreKind::Compact, threads: 2, ..PLAIN }]);
}

#[test]
fn with_bits() {
    explicit_agrees(reduced(StoreKind::Bitstate, 1));
}

#[test]
fn with_files() {
    explicit_agrees(reduced(StoreKind::Disk, 1));
}

#[test]
fn with_languages_of_buffers() {
    let symbolic = Configuration {
        engine: &Symbolic,
        models: &[MemoryModel::Tso, MemoryModel::Pso],
        most_states: Some(2_000),
        ..PLAIN
    };
    for tally in all_agree([symbolic]) {
        tally.at_least("the same", 440).at_least("holds without the bound", 55);
        tally.at_most("open", 240).at_most("left out", 420).at_most("violated beyond the bound", 0);
    }
}

#[test]
fn backward_over_load_buffers() {
    let dual = Configuration {
        engine: &Dual,
        models: &[MemoryModel::Tso],
        most_states: Some(20_000),
        ..PLAIN
    };
    for tally in all_agree([dual]) {
        tally.at_least("the same", 150).at_least("holds without the bound", 45);
        // Left out are the other memory models; refused are channels, spawned processes, shared ghosts and the like.
        tally.at_most("open", 10).at_most("left out", 790).at_most("not translated", 175);
        tally.at_most("violated beyond the bound", 0);
    }
}

#[test]
fn in_rounds() {
    let rounds = |engine: &'static Rounds| Configuration {
        engine,
        models: &[MemoryModel::Tso],
        most_states: Some(2_000),
        ..PLAIN
    };
    for tally in all_agree([rounds(&Rounds(Scopes::Rounds)), rounds(&Rounds(Scopes::Ages))]) {
        tally.at_least("the same", 65).at_least("holds within the scope", 40);
        tally.at_most("open", 90).at_most("left out", 790).at_most("not carried", 135);
        tally.at_most("not translated", 16).at_most("violated outside of the scope", 6);
    }
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
