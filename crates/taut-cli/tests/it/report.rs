//! Reports: the document that is made of what checks found, and the commands that write one.

use crate::command;

use command::{code, path, scratch, stderr, taut};
use insta::assert_snapshot;
use serde_json::Value;
use taut::Interrupt;
use taut::report::{Compared, document};
use taut::{Check, Loaded, MemoryModel, Report, Witness, load};
use taut_testkit::suite::root;

const HANDOVER: &str = "\
shared bool data, ready;
process writer begin
  data := 1;
  ready := 1;
end
process reader begin
  local bool seen;
  await(ready == 1);
  seen := data;
  assert(seen == 1) as delivered;
end
";

const NEVER: &str = "\
shared bool x;
process p begin
  loop { x := 1; x := 0; }
end
process q begin
  await(x == 1);
  in: skip;
end
ltl gets_in: <> q@in;
";

fn loaded(text: &str) -> Loaded {
    load::from_text("program.taut", text).expect("a program")
}

fn checked(loaded: &Loaded, model: MemoryModel) -> Report {
    Check::of(loaded).model(model).run().expect("a report")
}

/// The document as JSON, without times, and without counts that other tests look at.
fn json(loaded: &Loaded, reports: &[Report], compared: &[Report]) -> Value {
    let compared = Compared { reports: compared, limit: std::time::Duration::from_secs(5) };
    let mut document = document(loaded, reports, compared);
    for counts in document.models.iter_mut().filter_map(|model| model.counts.as_mut()) {
        *counts = Default::default();
    }
    serde_json::to_value(&document).expect("JSON")
}

#[test]
fn a_document_says_what_was_found_and_how_it_happened() {
    let loaded = loaded(HANDOVER);
    let asked = [checked(&loaded, MemoryModel::Pso)];
    let compared = [checked(&loaded, MemoryModel::Sc)];
    let json = json(&loaded, &asked, &compared);
    assert_snapshot!("document", serde_json::to_string_pretty(&json).expect("JSON"));
}

#[test]
fn a_lasso_has_its_cycle_and_its_atoms() {
    let loaded = loaded(NEVER);
    let json = json(&loaded, &[checked(&loaded, MemoryModel::Sc)], &[]);
    let run = &json["runs"][0];
    assert_eq!(run["atoms"], serde_json::json!(["q@in"]));
    let (before, rows) =
        (run["lasso"]["before"].as_u64().unwrap(), run["rows"].as_array().unwrap());
    assert!((before as usize) < rows.len(), "{run:#}");
    assert!(rows.iter().all(|row| row["truth"] == serde_json::json!([false])), "{run:#}");
}

/// What the rows change, one after the other, leads to the states of the run.
#[test]
fn the_changes_of_the_rows_add_up_to_the_run() {
    for name in ["peterson.taut", "mp.taut", "late_toggles.taut", "lw_forwarding.pml", "abp.pml"] {
        let path = root().join("examples").join(name);
        let loaded = load::from_path(&path, load::LoadOptions::default()).expect("a program");
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Delayed] {
            let reports = [checked(&loaded, model)];
            let json = json(&loaded, &reports, &[]);
            for (run, (_, witness)) in
                json["runs"].as_array().unwrap().iter().zip(reports[0].violations())
            {
                adds_up(&format!("{name} under {model}"), run, witness);
            }
        }
    }
}

fn adds_up(title: &str, run: &Value, witness: &Witness) {
    let rows = run["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), witness.run.rows.len(), "{title}");
    let cells = run["cells"].as_array().expect("cells");
    let mut memory: Vec<i64> = cells.iter().map(|cell| cell["value"].as_i64().unwrap()).collect();
    let mut waiting = vec![0; run["processes"].as_array().expect("processes").len()];
    for (row, replayed) in rows.iter().zip(&witness.run.rows) {
        for set in row["memory"].as_array().into_iter().flatten() {
            memory[set[0].as_u64().unwrap() as usize] = set[1].as_i64().unwrap();
        }
        for set in row["buffers"].as_array().into_iter().flatten() {
            waiting[set[0].as_u64().unwrap() as usize] = set[1].as_array().unwrap().len();
        }
        assert_eq!(memory, replayed.after.memory.concat(), "{title}");
        let all: usize = replayed.after.processes.iter().map(|p| p.buffer.items().len()).sum();
        assert_eq!(waiting.iter().sum::<usize>(), all, "{title}");
    }
}

/// A place in a file that is included is one in that file.
#[test]
fn included_files_are_shown_as_well() {
    scratch("put.h", "inline put(n) {\n  x = n;\n  assert(x == 0)\n}\n");
    let model =
        scratch("include.pml", "#include \"put.h\"\nbyte x;\nactive proctype p() { put(1) }\n");
    let loaded = load::from_path(&model, load::LoadOptions::default()).expect("a model");
    let json = json(&loaded, &[checked(&loaded, MemoryModel::Sc)], &[]);
    let names: Vec<_> =
        json["sources"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert!(names[0].ends_with("include.pml") && names[1].ends_with("put.h"), "{names:?}");
    assert_eq!(json["runs"][0]["rows"][0]["part"]["place"], serde_json::json!([1, 2]));
}

/// The data in a page.
fn data(page: &std::path::Path) -> Value {
    let page = std::fs::read_to_string(page).expect("a page");
    let (_, rest) = page.split_once("id=\"taut-report-data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(json).expect("JSON")
}

fn models(data: &Value) -> Vec<(String, bool)> {
    let all = data["models"].as_array().expect("models").iter();
    all.map(|m| (m["model"].as_str().unwrap().into(), m["asked"].as_bool().unwrap())).collect()
}

#[test]
fn every_command_that_finds_runs_writes_a_report() {
    let (page, trace) = (scratch("page.html", ""), scratch("trace.json", ""));
    let (page, trace) = (path(&page), path(&trace));
    let mp = "examples/mp.taut";
    let asked = |names: &[(&str, bool)]| -> Vec<(String, bool)> {
        names.iter().map(|(name, asked)| (name.to_string(), *asked)).collect()
    };
    let to_compare = asked(&[("sc", false), ("tso", false), ("pso", true)]);
    let all = asked(&[("sc", true), ("tso", true), ("pso", true)]);

    let check = taut(&["check", mp, "--model", "pso", "--trace", trace, "--report", page]);
    assert_eq!(code(&check), 1);
    assert_eq!(models(&data(page.as_ref())), to_compare);
    assert_eq!(code(&taut(&["compare", mp, "--report", page])), 1);
    assert_eq!(models(&data(page.as_ref())), all);
    assert_eq!(code(&taut(&["explain", mp, "--model", "pso", "--report", page])), 1);
    assert_eq!(models(&data(page.as_ref())), to_compare);
    assert_eq!(code(&taut(&["replay", mp, trace, "--report", page])), 0);
    let replayed = data(page.as_ref());
    assert_eq!(models(&replayed), asked(&[("pso", true)]));
    assert_eq!(replayed["runs"][0]["rows"].as_array().unwrap().len(), 6);
}

#[test]
fn rounds_are_compared_with_whole_searches() {
    let page = scratch("rounds.html", "");
    let check = taut(&["check", "examples/sb.taut", "--rounds", "1", "--report", path(&page)]);
    assert_eq!(code(&check), 1, "{}", stderr(&check));
    let data = data(&page);
    assert_eq!(data["models"][0]["model"], "sc");
    assert_eq!(data["models"][0]["answers"][0]["verdict"], "holds");
    assert_eq!(data["models"][1]["engine"], "rounds");
}

#[test]
fn a_report_that_cannot_be_written_is_said() {
    let check = taut(&["check", "examples/sb.taut", "--report", "/no/such/folder/report.html"]);
    assert_eq!(code(&check), 74);
    assert_snapshot!("unwritable", stderr(&check));
}

#[test]
fn an_interrupted_check_still_has_its_report() {
    let loaded = loaded(HANDOVER);
    let interrupt = Interrupt::new();
    interrupt.raise();
    let report = Check::of(&loaded).model(MemoryModel::Sc).interrupt(interrupt).run().expect("one");
    assert_eq!(json(&loaded, &[report], &[])["verdict"], "unknown");
}
