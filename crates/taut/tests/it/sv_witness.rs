//! Witnesses for validators of SV-COMP: their shape, and that what they say is true.
//!
//! The shape is held against a schema of our own, written from the description of the format. Invariants are read back and
//! evaluated in every state that the replayer reaches; the statements of a violation are those of the run.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use boon::{Compiler, Schemas};
use serde_json::{Value, json};
use taut::budget::Budget;
use taut::ir::{Action, Footprint, Program};
use taut::load::{LoadOptions, from_path, from_text};
use taut::sv_witness::{refusal, witness};
use taut::witness::{Machine, Outcome, State};
use taut::{Check, Loaded, MemoryModel, QuestionKind, Report};
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;
use yaml_rust2::{Yaml, YamlLoader};

fn schema() -> Value {
    let text = json!({ "type": "string", "minLength": 1 });
    let number = json!({ "type": "integer", "minimum": 1 });
    let object = |fields: Value, optional: &[&str]| {
        let names = fields.as_object().expect("fields").keys().cloned();
        let required: Vec<String> = names.filter(|n| !optional.contains(&n.as_str())).collect();
        json!({ "type": "object", "properties": fields, "required": required, "additionalProperties": false })
    };
    let location = object(
        json!({ "file_name": text, "line": number, "column": number, "function": text }),
        &["column", "function"],
    );
    let expression = json!({ "const": "c_expression" });
    let invariant = object(
        json!({ "type": { "enum": ["loop_invariant", "location_invariant"] }, "location": location,
            "value": text, "format": expression }),
        &[],
    );
    let constraint = object(json!({ "value": text, "format": expression }), &[]);
    let follow = json!({ "const": "follow" });
    let assumption = object(
        json!({ "type": { "const": "assumption" }, "action": follow, "location": location, "constraint": constraint }),
        &[],
    );
    let target = object(
        json!({ "type": { "const": "target" }, "action": follow, "location": location }),
        &[],
    );
    let waypoint = object(json!({ "waypoint": { "oneOf": [assumption, target] } }), &[]);
    let segment =
        object(json!({ "segment": { "type": "array", "minItems": 1, "items": waypoint } }), &[]);
    let producer = object(json!({ "name": text, "version": text }), &[]);
    let hash = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
    let task = object(
        json!({ "input_files": { "type": "array", "minItems": 1, "items": text },
            "input_file_hashes": { "type": "object", "additionalProperties": hash },
            "specification": { "type": "string", "pattern": "^CHECK\\( init\\(.*\\), LTL\\(.*\\) \\)$" },
            "data_model": { "enum": ["ILP32", "LP64"] }, "language": { "enum": ["C", "Promela"] } }),
        &[],
    );
    let metadata = object(
        json!({ "format_version": { "const": "2.0" },
            "uuid": { "type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" },
            "creation_time": { "type": "string", "format": "date-time" },
            "producer": producer, "task": task }),
        &[],
    );
    let entry = |kind: &str, item: Value| {
        let content = json!({ "type": "array", "items": item });
        object(
            json!({ "entry_type": { "const": kind }, "metadata": metadata, "content": content }),
            &[],
        )
    };
    let correct = entry("invariant_set", object(json!({ "invariant": invariant }), &[]));
    let violated = entry("violation_sequence", segment);
    json!({ "type": "array", "minItems": 1, "maxItems": 1, "items": { "oneOf": [correct, violated] } })
}

fn to_json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Array(all) => all.iter().map(to_json).collect(),
        Yaml::Hash(fields) => {
            let field = |(name, value): (&Yaml, &Yaml)| {
                (name.as_str().expect("a name").to_string(), to_json(value))
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Yaml::Integer(number) => json!(number),
        Yaml::String(text) => json!(text),
        other => panic!("{other:?}"),
    }
}

/// The one entry of a witness, which has the right shape.
fn entry(text: &str) -> Value {
    let all = YamlLoader::load_from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let value = to_json(&all[0]);
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.enable_format_assertions();
    compiler.add_resource("https://schema.test/witness.json", schema()).expect("a resource");
    let index = compiler.compile("https://schema.test/witness.json", &mut schemas);
    let index = index.unwrap_or_else(|error| panic!("{error:#}"));
    if let Err(error) = schemas.validate(&value, index) {
        panic!("{error:#}\n{text}");
    }
    value[0].clone()
}

fn report(loaded: &Loaded) -> Report {
    Check::of(loaded).model(MemoryModel::Sc).all(true).run().expect("a report")
}

fn text_of(loaded: &Loaded, report: &Report) -> Result<String, String> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    witness(loaded, report, &Budget::new(), now)
}

/// An expression of the shape that witnesses have, without parentheses inside of parentheses.
fn is_true(expression: &str, values: &BTreeMap<String, i64>) -> bool {
    let value = |word: &str| {
        let number = word.parse::<i64>().ok();
        number.unwrap_or_else(|| *values.get(word).unwrap_or_else(|| panic!("no `{word}`")))
    };
    let compares = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [a, "==", b] => value(a) == value(b),
            [a, "<=", b] => value(a) <= value(b),
            ["1"] => true,
            _ => panic!("`{text}`"),
        }
    };
    let mut rest = expression;
    loop {
        let part = match rest.strip_prefix('(') {
            Some(inner) => {
                let (inner, after) = inner.split_once(')').expect("a closing parenthesis");
                rest = after;
                match inner.contains("||") {
                    true => inner.split("||").any(compares),
                    false => inner.split("&&").all(compares),
                }
            }
            None => {
                let (first, after) = rest.split_at(rest.find(" && ").unwrap_or(rest.len()));
                rest = after;
                compares(first)
            }
        };
        if !part {
            return false;
        }
        match rest.strip_prefix(" && ") {
            Some(more) => rest = more,
            None => return rest.is_empty() || panic!("`{expression}`"),
        }
    }
}

/// The values of everything in memory that has a name, by name.
fn values(program: &Program, state: &State) -> BTreeMap<String, i64> {
    let mut all = BTreeMap::new();
    for var in program.var_ids() {
        let variable = program.var(var);
        for (index, &value) in state.memory[var.index()].iter().enumerate() {
            let own = match variable.len {
                Some(_) => format!("{}[{index}]", variable.name),
                None => variable.name.clone(),
            };
            let shown = program.shown.cell(var, index as u32).map(String::from);
            all.insert(shown.unwrap_or(own), value);
        }
    }
    all
}

fn states(report: &Report) -> HashSet<State> {
    let machine = Machine::new(&report.program, report.memory);
    let mut seen = HashSet::from([machine.initial()]);
    let mut left = vec![machine.initial()];
    while let Some(state) = left.pop() {
        for (_, done) in machine.successors(&state).moves {
            if let Outcome::State(after) = done.outcome
                && seen.insert(after.clone())
            {
                left.push(after);
            }
        }
    }
    seen
}

/// Whether a step that begins at an offset is in the statement that begins at a position: nothing ends a statement in between.
fn is_within(text: &str, start: usize, offset: usize) -> bool {
    let Some(between) = text.get(start..offset) else { return false };
    let mut depth = 0;
    for c in between.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '{' | '}' => return false,
            ';' if depth == 0 => return false,
            _ => {}
        }
    }
    // Behind the parenthesis that closes a head is another statement.
    let is_behind = depth == 0 && between.contains(')') && is_head(between);
    depth >= 0 && !is_behind
}

fn is_head(text: &str) -> bool {
    ["if (", "while (", "switch (", "for ("].iter().any(|head| text.starts_with(head))
}

/// The program points of all definitions at which a process is in the statement that begins at an offset.
fn points(loaded: &Loaded, program: &Program, start: usize) -> HashSet<(usize, usize)> {
    let text = loaded.sources.file(loaded.file).text();
    let is_c = loaded.language.name() == "c";
    let mut all = HashSet::new();
    for (number, def) in program.defs.iter().enumerate() {
        for (step, footprint) in def.steps.iter().zip(Footprint::of_steps(program, def)) {
            let begins = step.span.start as usize;
            // In C, what comes before or after the accesses of a statement has no place of its own.
            let accesses = [&footprint.reads, &footprint.writes, &footprint.stores];
            let is_there = match is_c {
                true => {
                    accesses.iter().any(|list| !list.is_empty()) && is_within(text, start, begins)
                }
                false => begins == start,
            };
            if is_there && step.span.file == loaded.file {
                all.insert((number, step.source.index()));
            }
        }
    }
    all
}

/// Every invariant holds in every state in which a process is in the statement.
fn invariants_hold(loaded: &Loaded, report: &Report, entry: &Value, tally: &Tally) {
    let program = &report.program;
    let states: Vec<_> =
        states(report).into_iter().map(|state| (values(program, &state), state)).collect();
    for item in entry["content"].as_array().expect("a list") {
        let invariant = &item["invariant"];
        let start = offset(loaded, &invariant["location"]);
        let value = invariant["value"].as_str().expect("a text");
        let is_loop = invariant["type"] == "loop_invariant";
        let text = &loaded.sources.file(loaded.file).text()[start..];
        assert_eq!(is_loop, text.starts_with("while"), "{text}");
        let points = points(loaded, program, start);
        let mut visits = 0;
        for (known, state) in &states {
            let mut processes = program.process_ids().zip(&state.processes);
            let is_there = processes.any(|(process, own)| {
                let def = program.process(process).def.index();
                own.started && points.contains(&(def, own.point.index()))
            });
            if is_there {
                visits += 1;
                assert!(is_true(value, known), "{}: `{value}` in {known:?}", loaded.name);
            }
        }
        assert!(visits > 0, "{}: no state is at {}", loaded.name, invariant["location"]);
        tally.count(if is_loop { "loop invariants" } else { "location invariants" });
    }
}

/// The statements of a violation are those of the run, in their order.
fn lines_are_those_of_the_run(loaded: &Loaded, report: &Report, entry: &Value) {
    let segments = entry["content"].as_array().expect("a list");
    let waypoint = |segment: &Value| segment["segment"][0]["waypoint"].clone();
    let (last, before) = segments.split_last().expect("a target");
    assert_eq!(waypoint(last)["type"], "target");
    assert!(before.iter().all(|segment| waypoint(segment)["type"] == "assumption"));
    let mut asserts = report.violations().filter(|(r, _)| r.kind == QuestionKind::Assert);
    let (_, found) = asserts.next().expect("a run");
    let begins = found.run.rows.iter().filter_map(|row| match row.action {
        Action::Step { process, step, .. } | Action::Handshake { process, step, .. } => {
            let span = found.program.def_of(process).steps[step.index()].span;
            (span.file == loaded.file).then_some(span.start as usize)
        }
        Action::Commit { .. } => None,
    });
    let run: Vec<usize> = begins.collect();
    let told: Vec<usize> =
        segments.iter().map(|s| offset(loaded, &waypoint(s)["location"])).collect();
    let text = loaded.sources.file(loaded.file).text();
    let mut left = run.iter();
    let is_next = |&start: &usize| left.any(|&own| is_within(text, start, own));
    assert!(told.iter().all(is_next), "{}: {told:?} in {run:?}", loaded.name);
    assert!(is_within(text, told[told.len() - 1], run[run.len() - 1]), "{told:?} in {run:?}");
}

/// The offset of a location.
fn offset(loaded: &Loaded, location: &Value) -> usize {
    let at = |field: &str| location[field].as_u64().expect("a number") as usize;
    let text = loaded.sources.file(loaded.file).text();
    let before: usize = text.split_inclusive('\n').take(at("line") - 1).map(str::len).sum();
    before + text[before..].char_indices().nth(at("column") - 1).expect("a column").0
}

fn examples(folder: &str, extension: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("examples").join(folder)).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    let mut all: Vec<_> = paths.filter(|p| p.extension().is_some_and(|e| e == extension)).collect();
    all.sort();
    all
}

fn all_examples(folder: &str, extension: &str) -> Tally {
    let tally = Tally::new();
    for path in examples(folder, extension) {
        let options = LoadOptions::default();
        let loaded =
            from_path(&path, options).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()));
        let report = report(&loaded);
        let Ok(text) = text_of(&loaded, &report) else {
            tally.count("not written");
            continue;
        };
        let entry = entry(&text);
        if entry["entry_type"] == "invariant_set" {
            tally.count("correct");
            invariants_hold(&loaded, &report, &entry, &tally);
        } else {
            tally.count("violated");
            lines_are_those_of_the_run(&loaded, &report, &entry);
        }
    }
    println!("{tally}");
    tally
}

#[test]
fn of_the_examples_in_c() {
    let tally = all_examples("c", "c");
    tally.at_least("correct", 45).at_least("location invariants", 100);
    tally.at_least("loop invariants", 5);
}

#[test]
fn of_the_examples_in_promela() {
    let tally = all_examples("", "pml");
    tally.at_least("correct", 20).at_least("location invariants", 100);
}

const LOST: &str = "\
#include <assert.h>
#include <pthread.h>
static int x;
static void *thread(void *arg)
{
    int t = x;
    x = t + 1;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
";

#[test]
fn a_lost_update_is_told_statement_by_statement() {
    let loaded = from_text("lost.c", LOST).expect("a program");
    let report = report(&loaded);
    let entry = entry(&text_of(&loaded, &report).expect("a witness"));
    lines_are_those_of_the_run(&loaded, &report, &entry);
    let segments = entry["content"].as_array().expect("a list");
    let of = |segment: &Value| {
        let waypoint = &segment["segment"][0]["waypoint"];
        let line = waypoint["location"]["line"].as_u64().expect("a line");
        (line, waypoint["constraint"]["value"].as_str().map(String::from))
    };
    let told: Vec<_> =
        segments.iter().map(of).filter(|(line, _)| *line != 13 && *line != 14).collect();
    let x = |value: i64| Some(format!("x == {value}"));
    // Both load before one stores; each returns with what is stored then.
    let loads = [(6, x(0)), (6, x(0)), (7, x(0)), (8, x(1)), (7, x(1)), (8, x(1))];
    let stores: Vec<_> = told.iter().filter(|(line, _)| *line < 10).cloned().collect();
    assert_eq!(stores, loads);
    assert_eq!(told.last(), Some(&(17, None)));
    let task = &entry["metadata"]["task"];
    assert_eq!(task["input_files"], json!(["lost.c"]));
    assert_eq!(entry["metadata"]["creation_time"], "2023-11-14T22:13:20Z");
}

#[test]
fn a_false_invariant_would_be_noticed() {
    let known = BTreeMap::from([("x".to_string(), 3), ("y".to_string(), 0)]);
    assert!(is_true("(x == 1 || x == 3) && y == 0", &known));
    assert!(is_true("(1 <= x && x <= 3) && (y == 0 || y == 1)", &known));
    assert!(!is_true("(x == 1 || x == 2) && y == 0", &known));
    assert!(!is_true("(4 <= x && x <= 9)", &known) && !is_true("x == 3 && y == 1", &known));
}

#[test]
fn what_the_format_cannot_say_is_not_written() {
    let taut = from_text("p.taut", "shared int x; process p begin x := 1; end").expect("a program");
    let c = from_text("lost.c", LOST).expect("a program");
    let why = |loaded: &Loaded, models: &[MemoryModel]| refusal(loaded, models).unwrap_or_default();
    assert!(why(&taut, &[MemoryModel::Sc]).contains("C or Promela"));
    assert!(why(&c, &[MemoryModel::Tso]).contains("--model sc"));
    assert!(why(&c, &MemoryModel::ALL).contains("--model sc"));
    assert_eq!(refusal(&c, &[MemoryModel::Sc]), None);
    let stuck = from_text("stuck.pml", "byte x; active proctype p() { x == 1 }").expect("a model");
    let why = text_of(&stuck, &report(&stuck)).expect_err("no witness");
    assert!(why.contains("`deadlock` is violated"), "{why}");
    let report = Check::of(&c).model(MemoryModel::Sc).max_states(3).run().expect("a report");
    let why = text_of(&c, &report).expect_err("no witness");
    assert!(why.contains("unknown"), "{why}");
}
