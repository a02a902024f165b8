//! `taut graph`: state graphs and buffer automata, as Graphviz, SVG and JSON.

use crate::command;

use std::collections::BTreeSet;

use command::{code, path, scratch, shown, stderr, stdout, taut};
use roxmltree::{Document, Node};
use serde_json::Value;
use taut::graph::{self, EdgeKind, GraphOptions};
use taut::{MemoryModel, load};

const TWO_WRITERS: &str = "examples/lw_two_writers.taut";

fn json(args: &[&str]) -> Value {
    let output = taut(&[&["graph"], args, &["--to", "json"]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

fn strings<'v>(values: &'v Value, field: &str) -> BTreeSet<&'v str> {
    let all = values.as_array().expect("a list").iter();
    all.map(|v| v[field].as_str().expect("a string")).collect()
}

/// The groups of a class in an SVG picture.
fn groups<'d>(document: &'d Document<'_>, class: &str) -> Vec<Node<'d, 'd>> {
    let all = document.descendants();
    all.filter(|n| n.has_tag_name("g") && n.attribute("class") == Some(class)).collect()
}

// ---- Figure 2 of the paper ----

#[test]
fn the_graph_of_two_writers_is_that_of_the_paper() {
    let output = taut(&["graph", TWO_WRITERS, "--model", "tso", "--engine", "symbolic"]);
    insta::assert_snapshot!("two_writers_dot", shown(&output));
    let dot = stdout(&output);
    assert!(dot.contains("(x,1)((x,0)(x,1))*"), "the language of the paper");
    assert!(dot.contains("⟳ p"), "an accelerated state");
    assert!(dot.contains("style=dashed"), "an inclusion");
    assert!(dot.contains("✗ unseen"), "a violating state");
}

#[test]
fn json_has_the_promised_shape() {
    let graph = json(&[TWO_WRITERS, "--model", "tso"]);
    assert_eq!(graph["engine"], "symbolic");
    assert_eq!(graph["model"], "tso");
    assert_eq!(graph["bound"], Value::Null);
    assert_eq!(graph["complete"], true);
    let states = graph["states"].as_array().unwrap();
    for (number, state) in states.iter().enumerate() {
        assert_eq!(state["state"], number);
        assert_eq!(strings(&state["processes"], "process"), BTreeSet::from(["p", "q"]));
        assert_eq!(strings(&state["memory"], "name"), BTreeSet::from(["x", "y"]));
        for buffer in state["buffers"].as_array().unwrap() {
            assert_automaton(&buffer["automaton"]);
        }
    }
    let edges = graph["edges"].as_array().unwrap();
    assert_eq!(strings(&graph["edges"], "kind"), BTreeSet::from(["included", "taken"]));
    for end in ["from", "to"] {
        assert!(edges.iter().all(|e| (e[end].as_u64().unwrap() as usize) < states.len()), "{end}");
    }
    // Every state but the first is the end of an edge that leads to it.
    let taken: BTreeSet<_> =
        edges.iter().filter(|e| e["kind"] == "taken").map(|e| e["to"].as_u64().unwrap()).collect();
    assert_eq!(taken, (1..states.len() as u64).collect());
    let accelerated: Vec<_> =
        states.iter().filter(|s| !s["accelerated"].as_array().unwrap().is_empty()).collect();
    assert!(!accelerated.is_empty());
}

fn assert_automaton(automaton: &Value) {
    let states = automaton["states"].as_u64().unwrap();
    let accepting = automaton["accepting"].as_array().unwrap();
    assert!(!accepting.is_empty() && accepting.iter().all(|s| s.as_u64().unwrap() < states));
    for edge in automaton["edges"].as_array().unwrap() {
        assert!(edge["from"].as_u64().unwrap() < states && edge["to"].as_u64().unwrap() < states);
        assert!(edge["entry"].is_string());
    }
}

#[test]
fn the_graph_has_as_many_states_as_the_check_stores() {
    for (file, model) in [(TWO_WRITERS, "tso"), ("examples/lw_forwarding.taut", "pso")] {
        let graph = json(&[file, "--model", model]);
        let arguments = ["check", file, "--engine", "symbolic", "--all", "--format", "json"];
        let report = taut(&[&arguments[..], &["--model", model]].concat());
        let report: Value = serde_json::from_str(&stdout(&report)).expect("JSON");
        let states = graph["states"].as_array().unwrap().len();
        assert_eq!(report["stats"]["states"], states, "{file} {model}");
    }
}

#[test]
fn svg_is_well_formed_and_has_a_group_for_each_state_and_edge() {
    let folder = scratch("two_writers.svg", "");
    let output = taut(&["graph", TWO_WRITERS, "-o", path(&folder)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert_eq!(shown(&output), "exit 0\n", "nothing to say");
    let text = std::fs::read_to_string(&folder).expect("a picture");
    let document = Document::parse(&text).expect("well-formed XML");
    let graph = json(&[TWO_WRITERS]);
    assert_eq!(groups(&document, "state").len(), graph["states"].as_array().unwrap().len());
    let edges = graph["edges"].as_array().unwrap();
    assert_eq!(groups(&document, "edge").len(), edges.len());
    let included = edges.iter().filter(|e| e["kind"] == "included").count();
    let dashed = document.descendants().filter(|n| n.attribute("stroke-dasharray").is_some());
    assert_eq!(dashed.count(), included, "inclusions are dashed");
    let background = document.descendants().find(|n| n.has_tag_name("rect")).unwrap();
    assert_eq!(background.attribute("fill"), Some("#ffffff"));
    for outside in ["href", "<style", "<script", "url(http"] {
        assert!(!text.contains(outside), "{outside}");
    }
}

// ---- one buffer ----

#[test]
fn a_buffer_is_drawn_as_its_automaton() {
    let output = taut(&["graph", TWO_WRITERS, "--buffer", "p@1"]);
    insta::assert_snapshot!("buffer_dot", shown(&output));
    let buffer = json(&[TWO_WRITERS, "--buffer", "p@1"]);
    assert_eq!(buffer["process"], "p");
    assert_eq!(buffer["state"], 1);
    assert_eq!(buffer["regex"], "(x,1)((x,0)(x,1))*");
    assert_automaton(&buffer["automaton"]);
    let svg = taut(&["graph", TWO_WRITERS, "--buffer", "p@1", "--to", "svg"]);
    let text = stdout(&svg);
    let document = Document::parse(&text).expect("well-formed XML");
    let states = buffer["automaton"]["states"].as_u64().unwrap() as usize;
    assert_eq!(groups(&document, "automaton-state").len(), states);
    assert_eq!(groups(&document, "start").len(), 1);
}

#[test]
fn buffers_of_process_arrays_are_named_as_everywhere_and_are_whole_in_a_graph_that_is_not() {
    let args = ["examples/peterson.taut", "--engine", "explicit", "--buffer", "p[0]@1"];
    let buffer = json(&[&args[..], &["--max-nodes", "5"]].concat());
    assert_eq!(buffer["process"], "p[0]");
    assert_eq!(buffer["regex"], "(flag[0],1)");
}

// ---- single states ----

#[test]
fn sequential_consistency_has_the_states_of_the_check_and_no_buffers() {
    let graph = json(&["examples/sb.taut", "--model", "sc"]);
    assert_eq!(graph["engine"], "explicit");
    let arguments = ["check", "examples/sb.taut", "--model", "sc", "--all", "--format", "json"];
    let report = taut(&[&arguments[..], &["--reduce", "none"]].concat());
    let report: Value = serde_json::from_str(&stdout(&report)).expect("JSON");
    let states = graph["states"].as_array().unwrap();
    assert_eq!(report["stats"]["states"], states.len());
    let edges = graph["edges"].as_array().unwrap().len();
    assert_eq!(report["stats"]["transitions"], edges);
    let buffers = states.iter().flat_map(|s| s["buffers"].as_array().unwrap());
    assert!(buffers.into_iter().all(|b| b["regex"] == "ε"));
}

#[test]
fn single_states_hold_words_and_commits_say_what_they_write() {
    let graph = json(&["examples/sb.taut", "--model", "tso", "--bound", "2"]);
    assert_eq!((graph["engine"].as_str(), graph["bound"].as_u64()), (Some("explicit"), Some(2)));
    let states = graph["states"].as_array().unwrap();
    let languages: BTreeSet<_> =
        states.iter().flat_map(|s| strings(&s["buffers"], "regex")).collect();
    assert_eq!(languages, BTreeSet::from(["(x,1)", "(y,1)", "ε"]));
    let edges = graph["edges"].as_array().unwrap();
    let said = |what: &str| edges.iter().any(|e| e["actions"] == Value::from(vec![what]));
    assert!(said("p: commit x=1") && said("p: x := 1") && said("q: commit y=1"));
    assert!(states.iter().any(|s| s["violates"] != Value::from(Vec::<Value>::new())));
}

#[test]
fn promela_with_processes_that_start_others_and_channels_is_drawn() {
    for (file, model) in [("examples/workers.pml", "sc"), ("examples/abp.pml", "sc")] {
        let output = taut(&["graph", file, "--model", model, "--to", "svg", "--max-nodes", "5000"]);
        assert_eq!(code(&output), 0, "{file}: {}", stderr(&output));
        let text = stdout(&output);
        assert!(!groups(&Document::parse(&text).expect("XML"), "state").is_empty(), "{file}");
    }
}

// ---- acceleration ----

#[test]
fn a_repeated_loop_is_said_on_the_edge_that_leads_to_the_accelerated_state() {
    let loaded = load::from_text(
        "late.taut",
        "shared bool x, y;\n\
         process p begin\n y := 1;\n loop { x := 1; x := 0; }\nend\n\
         process q begin\n await(y == 1);\nend\n",
    )
    .expect("a program");
    let graph = graph::symbolic(&loaded, &GraphOptions::new(MemoryModel::Tso)).expect("a graph");
    assert!(graph.cut.is_none());
    let repeats = graph.edges.iter().filter(|e| e.actions.iter().any(|a| a == "repeat p"));
    let repeats: Vec<_> = repeats.collect();
    assert!(!repeats.is_empty());
    for edge in repeats {
        assert_ne!(edge.kind, EdgeKind::Included);
        assert_eq!(graph.states[edge.to].accelerated, [0]);
    }
}

#[test]
fn a_state_that_is_another_one_accelerated_follows_it_by_a_thick_line() {
    let graph = json(&["examples/lw_unlock.taut", "--model", "tso"]);
    let edges = graph["edges"].as_array().unwrap();
    let accelerated: Vec<_> = edges.iter().filter(|e| e["kind"] == "accelerated").collect();
    assert!(!accelerated.is_empty());
    for edge in &accelerated {
        let to = &graph["states"][edge["to"].as_u64().unwrap() as usize];
        let repeats = |p: &Value| format!("repeat {}", p.as_str().unwrap());
        let expected: Vec<_> = to["accelerated"].as_array().unwrap().iter().map(repeats).collect();
        assert_eq!(edge["actions"], Value::from(expected));
    }
    let dot = stdout(&taut(&["graph", "examples/lw_unlock.taut", "--model", "tso"]));
    assert_eq!(dot.matches("style=bold").count(), accelerated.len());
}

// ---- what is too large or wrong ----

#[test]
fn beyond_the_limit_it_says_what_is_left_out() {
    for engine in ["symbolic", "explicit"] {
        let args = ["graph", "examples/lw_dekker_repeated.taut", "--max-nodes", "10"];
        let output = taut(&[&args[..], &["--engine", engine, "--to", "json"]].concat());
        assert_eq!(code(&output), 2, "{engine}");
        let said = stderr(&output);
        assert!(said.contains("10 states") && said.contains("--max-nodes"), "{said}");
        let graph: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(graph["states"].as_array().unwrap().len(), 10, "{engine}");
        assert_eq!(graph["complete"], false);
    }
}

#[test]
fn a_graph_that_just_fits_is_whole() {
    let states = json(&[TWO_WRITERS])["states"].as_array().unwrap().len().to_string();
    let whole = json(&[TWO_WRITERS, "--max-nodes", &states]);
    assert_eq!(whole["complete"], true);
}

#[test]
fn large_graphs_are_drawn_soon() {
    let started = std::time::Instant::now();
    let file = "examples/lw_dekker_repeated.taut";
    let output =
        taut(&["graph", file, "--to", "svg", "--engine", "explicit", "--max-nodes", "1000"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(groups(&Document::parse(&text).expect("XML"), "state").len(), 1000);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

/// 1,824 states.
const MANY: [&str; 7] =
    ["examples/lw_dekker_repeated.taut", "--model", "tso", "--bound", "3", "--max-nodes", "20000"];

#[test]
fn a_picture_of_thousands_of_states_is_refused_with_what_to_do() {
    for to in ["svg", "html"] {
        let output = taut(&[&["graph"], &MANY[..], &["--to", to]].concat());
        assert_eq!(code(&output), 3, "{to}");
        let text = stderr(&output);
        assert!(text.contains("a picture of 1824 states cannot be read"), "{text}");
        assert!(text.contains("hint: --violating draws"), "{text}");
    }
    assert_eq!(json(&MANY)["states"].as_array().map(Vec::len), Some(1_824));
}

/// Every state that is left is on a way to a violation that is as short as in the whole graph.
#[test]
fn ways_to_violations_are_shortest_ways() {
    let lengths = |graph: &Value| {
        let states = graph["states"].as_array().expect("states");
        let mut steps = vec![None; states.len()];
        steps[0] = Some(0u32);
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        for round in 0..steps.len() as u32 {
            let found = steps.clone();
            for edge in graph["edges"].as_array().expect("edges") {
                let (from, to) = (number(&edge["from"]), number(&edge["to"]));
                if found[from] == Some(round) && steps[to].is_none() {
                    steps[to] = Some(round + 1);
                }
            }
            if found == steps {
                break;
            }
        }
        let violated =
            |at: &usize| states[*at]["violates"].as_array().is_some_and(|v| !v.is_empty());
        let ways = (0..states.len()).filter(violated).map(|at| steps[at].expect("it is reached"));
        let mut ways: Vec<u32> = ways.collect();
        ways.sort_unstable();
        (states.len(), ways)
    };
    let whole = lengths(&json(&MANY));
    let part = lengths(&json(&[&MANY[..], &["--violating"]].concat()));
    assert_eq!(part.1, whole.1);
    assert!(!part.1.is_empty() && part.0 < whole.0 / 2, "{} of {}", part.0, whole.0);
    let safe = ["graph", "examples/peterson_tso.taut", "--model", "tso", "--violating"];
    assert!(stderr(&taut(&safe)).contains("no state that is drawn violates anything"));
}

#[test]
fn mistakes_are_refused_with_a_hint() {
    let cases: [(&[&str], &str, &str); 7] = [
        (&["--buffer", "P@0"], "there is no process `P`", "did you mean `p`?"),
        (&["--buffer", "writer@0"], "there is no process `writer`", "the processes are: p, q"),
        (&["--buffer", "p@99"], "there is no state 99", "0 to 15"),
        (&["--buffer", "p"], "`p` names no buffer", "p@3"),
        (&["--buffer", "p@x"], "`x` is no number", "p@3"),
        (&["-o", "graph.png"], "`graph.png` does not say", "--to svg"),
        (&["--engine", "symbolic", "--model", "sc"], "no symbolic states", "--engine explicit"),
    ];
    for (args, message, hint) in cases {
        let output = taut(&[&["graph", TWO_WRITERS], args].concat());
        assert_eq!(code(&output), 3, "{args:?}: {}", shown(&output));
        let said = stderr(&output);
        assert!(said.contains(message) && said.contains(hint), "{args:?}: {said}");
        assert!(stdout(&output).is_empty(), "{args:?}");
    }
    let output = taut(&["graph", TWO_WRITERS, "-o", "no/such/folder/graph.svg"]);
    assert_eq!(code(&output), 74, "{}", shown(&output));
    let said = stderr(&output);
    assert!(said.contains("cannot write") && said.contains("hint: -o needs a folder"), "{said}");
}

// ---- names that are no names ----

/// What could break out of a string or a tag, or is no character of XML at all.
const NASTY: &str = "a\"]; b</title><script>&amp;\\N\n\u{1}@'{|}";

#[test]
fn nasty_names_are_escaped_everywhere() {
    let mut loaded = load::from_path(
        taut_testkit::suite::root().join(TWO_WRITERS).as_path(),
        load::LoadOptions::default(),
    )
    .expect("a program");
    loaded.program.processes[0].name = NASTY.into();
    loaded.program.vars[0].name = NASTY.into();
    loaded.program.properties[1].name = NASTY.into();
    loaded.name = NASTY.into();
    let graph = graph::symbolic(&loaded, &GraphOptions::new(MemoryModel::Tso)).expect("a graph");

    let svg = graph.svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    assert_eq!(groups(&document, "state").len(), graph.states.len());
    assert!(!document.descendants().any(|n| n.has_tag_name("script")));
    let title = document.descendants().find(|n| n.has_tag_name("title")).unwrap();
    assert!(title.text().unwrap().starts_with("a\"]; b</title><script>&amp;\\N\n\u{fffd}@'{|}"));

    let value: Value = serde_json::from_str(&graph.json()).expect("JSON");
    assert_eq!(value["processes"][0], NASTY);
    assert_eq!(value["program"], NASTY);
    assert_dot(&graph.dot());
    let asked = format!("{NASTY}@1");
    let buffer = graph.buffer(&asked).expect("a buffer");
    assert_dot(&buffer.dot());
    Document::parse(&buffer.svg()).expect("well-formed XML");
    let value: Value = serde_json::from_str(&buffer.json()).expect("JSON");
    assert_eq!(value["process"], NASTY);
}

/// Outside of strings there is only Graphviz's own syntax, and every line ends outside of strings.
fn assert_dot(text: &str) {
    for line in text.lines() {
        let (mut outside, mut inside, mut characters) = (String::new(), false, line.chars());
        while let Some(c) = characters.next() {
            match (inside, c) {
                (true, '\\') => drop(characters.next()),
                (_, '"') => inside = !inside,
                (true, _) => {}
                (false, c) => outside.push(c),
            }
        }
        assert!(!inside, "a string without an end: {line}");
        assert!(!outside.contains("script") && !outside.contains('\u{1}'), "{line}");
        let known = |c: char| c.is_ascii_alphanumeric() || " {}[]=,;->".contains(c);
        assert!(outside.chars().all(known), "{outside}");
    }
}
