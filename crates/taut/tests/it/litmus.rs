//! Litmus tests: the *set* of final states under each memory model equals what is known, all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use taut::load::{LoadOptions, from_path, from_text};
use taut::{Limit, Limits, MemoryModel};
use taut_testkit::{corpus, suite};

/// The parts of an answer that are compared; the set of states has no order.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    name: String,
    quantifier: String,
    verdict: String,
    observation: String,
    states: BTreeSet<String>,
}

impl Answer {
    fn new(object: &Value) -> Answer {
        let text = |key: &str| object[key].as_str().expect("a string").to_string();
        let states = object["states"].as_array().expect("states");
        Answer {
            name: text("name"),
            quantifier: text("quantifier"),
            verdict: text("verdict"),
            observation: text("observation"),
            // Maps of serde_json are sorted, so equal states print equally.
            states: states.iter().map(Value::to_string).collect(),
        }
    }
}

fn objects(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|l| serde_json::from_str(l).expect("an object per line")).collect()
}

fn run(path: &Path, model: MemoryModel) -> Answer {
    let loaded = from_path(path, LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let test = loaded.litmus().expect("a litmus test");
    let outcome = taut::litmus::run(test, model, &Limits::default()).expect("no limit");
    let line = outcome.json(test, &loaded.name, model.name());
    Answer::new(&serde_json::from_str(&line).expect("an object"))
}

/// Runs all tests of a folder under a model; how many there were.
fn compare(folder: &Path, model: MemoryModel, expected: &BTreeMap<String, Answer>) -> usize {
    for (file, expected) in expected {
        let answer = run(&folder.join(file), model);
        assert_eq!(&answer, expected, "{file} under {model}");
    }
    expected.len()
}

fn by_file(objects: &[Value]) -> BTreeMap<String, Answer> {
    let file = |o: &Value| o["file"].as_str().expect("a file").to_string();
    objects.iter().map(|o| (file(o), Answer::new(o))).collect()
}

fn tests_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let count = |path: PathBuf| match path.is_dir() {
        true => tests_below(&path),
        false => usize::from(path.extension().is_some_and(|e| e == "litmus")),
    };
    entries.map(count).sum()
}

#[test]
fn every_test_of_the_corpus_has_the_states_of_the_oracle() {
    let Some(corpus) = corpus::find("litmus oracle") else { return };
    for model in MemoryModel::ALL {
        let oracle = corpus.join(format!("oracle/litmus_{model}.jsonl"));
        let count = compare(&corpus.join("litmus"), model, &by_file(&objects(&oracle)));
        assert!(count >= 1_565, "the oracle is complete: {count}");
    }
}

#[test]
fn every_own_test_has_the_states_that_were_worked_out_for_it() {
    let folder: PathBuf = suite::root().join("testdata/litmus");
    let all = objects(&folder.join("expected.jsonl"));
    let mut count = 0;
    for model in MemoryModel::ALL {
        let of_model: Vec<_> = all.iter().filter(|o| o["model"] == model.name()).cloned().collect();
        count += compare(&folder, model, &by_file(&of_model));
    }
    let tests = tests_below(&folder);
    assert_eq!(count, 3 * tests, "every test has its expectation under every model");
    assert!(tests >= 60);
}

#[test]
fn the_property_of_a_litmus_program_says_what_its_condition_says() {
    let folder = suite::root().join("testdata/litmus");
    for object in objects(&folder.join("expected.jsonl")) {
        let file = object["file"].as_str().expect("a file");
        let model: MemoryModel = object["model"].as_str().expect("a model").parse().expect("known");
        let loaded = from_path(&folder.join(file), LoadOptions::default()).expect("a test");
        let report = taut::Check::of(&loaded).model(model).deadlock(false).run();
        let violated = report.expect("a report").is_violated();
        let answer = Answer::new(&object);
        let expected = match answer.quantifier.as_str() {
            "exists" => answer.observation != "Never",
            "~exists" => answer.observation != "Never",
            "forall" => answer.observation != "Always",
            other => panic!("unknown quantifier {other}"),
        };
        // `forall` of no states at all is never violated.
        let expected = expected && !answer.states.is_empty();
        assert_eq!(violated, expected, "{file} under {model}");
    }
}

/// A thread that fills its buffer for ever: this ate memory until there was no more.
#[test]
fn regression_a_thread_that_stores_in_a_loop_ends_in_a_limit() {
    let text = "X86_64 loop
{ x=0; y=0; }
 P0           | P1            ;
 L0:          | movq (x),%rax ;
 movq $1,(x)  | movq (y),%rbx ;
 movq $2,(y)  |               ;
 jmp L0       |               ;
exists (1:rax=1)
";
    let loaded = from_text("loop.litmus", text).expect("a test");
    let test = loaded.litmus().expect("a litmus test");
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let limit = taut::litmus::run(test, model, &Limits::default()).err();
        assert_eq!(limit, Some(Limit::Buffer(256)), "{model}");
    }
}
