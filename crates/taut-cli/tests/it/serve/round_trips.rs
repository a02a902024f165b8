//! What comes back is what the command line says.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use taut_testkit::suite::root;

use crate::serve_support::{Server, job, with};

/// A program of each language with a model under which something is wrong.
const PROGRAMS: [(&str, &str, &str, &str); 4] = [
    ("examples", "peterson.taut", "taut", "tso"),
    ("examples", "dekker.pml", "promela", "pso"),
    ("examples/dve", "peterson2.dve", "dve", "delayed"),
    ("testdata/litmus/classic", "SB.litmus", "litmus", "tso"),
];

/// A server whose jobs search on one thread, as the commands here do: so many may run at once.
fn server() -> Server {
    Server::start(&["--jobs", "256", "--max-memory", "512M"])
}

fn read(folder: &str, name: &str) -> String {
    std::fs::read_to_string(root().join(folder).join(name)).expect("a program")
}

/// Runs `taut` beside a program; what it prints.
fn taut(folder: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    let output =
        command.args(arguments).current_dir(root().join(folder)).output().expect("taut runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The document in the report that a command writes.
fn reported(folder: &str, arguments: &[&str]) -> Value {
    let name = format!("taut-served-{}-{}.html", std::process::id(), arguments.join("-"));
    let path: PathBuf = std::env::temp_dir().join(name);
    let file = path.to_str().expect("UTF-8");
    taut(folder, &[arguments, &["--jobs", "1", "--report", file]].concat());
    let page = std::fs::read_to_string(&path).expect("a report");
    std::fs::remove_file(&path).expect("it was there");
    let (_, rest) = page.split_once("id=\"taut-report-data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(data).expect("JSON")
}

/// A document without its times and without the arguments of the command, which a page has none of.
fn timeless(mut document: Value) -> Value {
    let repeat = document["repeat"].as_str().expect("a line").to_string();
    document["repeat"] = repeat.split_once(" (version").expect("a version").1.into();
    for model in document["models"].as_array_mut().expect("models") {
        model["counts"]["seconds"] = Value::Null;
    }
    document
}

fn last(server: &Server, job: &Value) -> Value {
    server.served.post(job).events().pop().expect("events")
}

#[test]
fn checks_are_those_of_the_command_line() {
    let server = server();
    for (folder, name, language, model) in PROGRAMS {
        let job = with(job(name, language, &read(folder, name)), "model", json!(model));
        let served = last(&server, &job);
        let typed = reported(folder, &["check", name, "--model", model]);
        assert_eq!(timeless(served["document"].clone()), timeless(typed), "{name}");
        assert_eq!(served["document"]["verdict"], "violated", "{name}");
    }
}

#[test]
fn comparisons_are_those_of_the_command_line() {
    let server = server();
    for (folder, name, language, _) in PROGRAMS {
        let job = with(job(name, language, &read(folder, name)), "task", json!("compare"));
        let job = with(job, "bound", json!(1));
        let served = last(&server, &job);
        let typed = reported(folder, &["compare", name, "--bound", "1"]);
        assert_eq!(timeless(served["document"].clone()), timeless(typed), "{name}");
    }
}

#[test]
fn repairs_are_those_of_the_command_line() {
    let server = server();
    for (folder, name, language, model) in PROGRAMS {
        let text = read(folder, name);
        let job =
            with(with(job(name, language, &text), "model", json!(model)), "task", json!("repair"));
        let served = last(&server, &job);
        let typed = taut(folder, &["repair", name, "--model", model, "--format", "json"]);
        let typed: Value = serde_json::from_str(&typed).expect("JSON");
        for field in ["outcome", "cost", "diff"] {
            assert_eq!(served[field], typed[field], "{name}: {field}");
        }
        assert_eq!(served["outcome"], "fixed", "{name}: {served}");
        assert_eq!(served["document"]["verdict"], "holds", "{name}");
        let lines = |places: &Value| {
            let places = places.as_array().expect("places").iter();
            places.map(|place| (place["line"].clone(), place["where"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(lines(&served["places"]), lines(&typed["places"]), "{name}");
        let (changed, other) = if language == "dve" { ("list", "text") } else { ("text", "list") };
        assert_eq!(served[other], Value::Null, "{name}");
        assert_ne!(served[changed].as_str().expect("a text"), text);
    }
}

#[test]
fn repairs_that_end_otherwise_say_so() {
    let server = Server::start(&[]);
    let repaired = |text: &str, model: &str| {
        let job = with(job("p.taut", "taut", text), "task", json!("repair"));
        last(&server, &with(job, "model", json!(model)))
    };
    let right = repaired("shared bool x;\nprocess p begin x := 1; end\n", "tso");
    assert_eq!(
        (&right["outcome"], &right["document"]["verdict"]),
        (&json!("right"), &json!("holds"))
    );
    let wrong = repaired("shared bool x;\nprocess p begin x := 1; assert(x == 0); end\n", "tso");
    assert_eq!(wrong["outcome"], "wrong-under-sc", "{wrong}");
    assert_eq!(wrong["document"]["verdict"], "violated");
    let refused = repaired("shared bool x;\nprocess p begin x := 1; end\n", "sc");
    assert_eq!(refused["event"], "refused", "{refused}");
}

#[test]
fn every_example_is_a_program_of_its_language() {
    let server = Server::start(&[]);
    let setup = server.served.get("setup").json();
    for example in setup["examples"].as_array().expect("examples") {
        let (name, language) = (&example["name"], &example["language"]);
        let text = example["text"].as_str().expect("a text");
        let mut job = job(name.as_str().expect("a name"), language.as_str().expect("one"), text);
        job["model"] = example["model"].clone();
        job["seconds"] = json!(5);
        assert_eq!(last(&server, &job)["event"], "report", "{name}");
    }
}
