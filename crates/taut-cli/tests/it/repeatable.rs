//! An answer can be repeated: every `holds` says the version, the arguments, the hashes of the texts and the counts.

use crate::command;

use std::process::Command;

use command::{code, objects, path, scratch, stdout, taut};
use serde_json::Value;
use taut_testkit::suite::root;

/// A command per language and kind of input whose answers hold, and the files that it reads.
const COMMANDS: [(&[&str], &[&str]); 6] = [
    (&["check", "examples/peterson_tso.taut", "--model", "tso"], &["examples/peterson_tso.taut"]),
    (&["check", "examples/dve/peterson2.dve", "--model", "sc"], &["examples/dve/peterson2.dve"]),
    (&["check", "examples/peterson.pml", "--model", "sc"], &["examples/peterson.pml"]),
    (
        &[
            "check",
            "examples/tas_lock_pso.taut",
            "--model",
            "pso",
            "--ltl-file",
            "examples/locks.ltl",
        ],
        &["examples/tas_lock_pso.taut", "examples/locks.ltl"],
    ),
    (&["compare", "examples/peterson_tso.taut"], &["examples/peterson_tso.taut"]),
    (&["explain", "examples/peterson_tso.taut", "--model", "sc"], &["examples/peterson_tso.taut"]),
];

/// What `sha256sum` prints for a file.
fn sha256sum(file: &str) -> String {
    let output = Command::new("sha256sum").arg(file).current_dir(root()).output();
    let text = String::from_utf8(output.expect("sha256sum runs").stdout).expect("UTF-8");
    text.split(' ').next().expect("a hash").to_string()
}

/// The version as `taut --version` prints it.
fn version() -> String {
    let text = stdout(&taut(&["--version"]));
    text.trim().rsplit(' ').next().expect("a version").to_string()
}

#[test]
fn the_text_of_what_holds_says_how_to_repeat_it() {
    for (command, files) in COMMANDS {
        let text = stdout(&taut(command));
        let lines: Vec<_> = text.lines().filter(|line| line.contains("repeat: ")).collect();
        let [line] = lines.as_slice() else { panic!("{command:?}: {text}") };
        assert!(line.contains(&format!("taut {}", command.join(" "))), "{line}");
        assert!(line.contains(&format!("version {}", version())), "{line}");
        for file in files {
            assert!(line.contains(&sha256sum(file)[..16]), "{file}: {line}");
        }
    }
}

#[test]
fn json_has_the_arguments_and_the_whole_hashes() {
    for (command, files) in COMMANDS.into_iter().filter(|(command, _)| command[0] != "explain") {
        let command = [command, &["--format", "json"]].concat();
        for object in objects(&taut(&command)) {
            let provenance = &object["provenance"];
            assert_eq!(provenance["version"], version());
            assert_eq!(provenance["arguments"], Value::from(command.clone()));
            let sources = provenance["sources"].as_array().expect("a list");
            let read = sources.iter().map(|source| (&source["file"], &source["sha256"]));
            let read: Vec<_> = read.map(|(f, h)| (f.as_str(), h.as_str())).collect();
            let hashes: Vec<_> = files.iter().map(|file| sha256sum(file)).collect();
            let known = files.iter().zip(&hashes).map(|(file, hash)| (Some(*file), Some(&**hash)));
            assert_eq!(read, known.collect::<Vec<_>>(), "{command:?}");
        }
    }
}

#[test]
fn the_recorded_arguments_give_the_same_counts_again() {
    for (command, _) in COMMANDS.into_iter().filter(|(command, _)| command[0] != "explain") {
        let command = [command, &["--format", "json"]].concat();
        for object in objects(&taut(&command)) {
            let arguments = object["provenance"]["arguments"].as_array().expect("a list");
            let arguments: Vec<_> = arguments.iter().filter_map(Value::as_str).collect();
            let again = objects(&taut(&arguments));
            let same = again.iter().find(|again| again["model"] == object["model"]);
            let same = same.expect("the same memory model");
            for field in ["states", "transitions", "depth"] {
                assert_eq!(same["stats"][field], object["stats"][field], "{arguments:?}");
            }
        }
    }
}

#[test]
fn included_files_and_parameters_are_named() {
    scratch("lib.h", "#define ONE 1\n");
    let model = scratch("m.pml", "#include \"lib.h\"\nbyte x;\ninit { x = ONE; assert(x == 1) }\n");
    let text = stdout(&taut(&["check", path(&model), "--model", "sc"]));
    assert!(text.contains("lib.h sha256 "), "{text}");
    // The hash is that of the file, not of what its macros expand to.
    let model = "default(N, 1)process p { byte x = N; state s; init s; } system async;";
    let model = scratch("m.mdve", model);
    let text =
        stdout(&taut(&["check", path(&model), "-D", "N=2", "--no-deadlock", "--ltl", "true"]));
    assert!(text.contains(&sha256sum(path(&model))[..16]), "{text}");
    assert!(text.contains("-D N=2"), "{text}");
}

#[test]
fn a_violation_alone_needs_no_such_line() {
    let output = taut(&["check", "examples/sb.taut", "--model", "tso"]);
    assert_eq!(code(&output), 1);
    assert!(!stdout(&output).contains("repeat: "), "{}", stdout(&output));
}

#[test]
fn suites_sarif_and_reports_say_it_too() {
    let text = stdout(&taut(&["check", "testdata/suites/good"]));
    assert!(text.contains("repeat: taut check testdata/suites/good (version "), "{text}");
    for object in objects(&taut(&["check", "testdata/suites/good", "--format", "json"])) {
        let file = object["file"].as_str().expect("a file");
        assert_eq!(object["provenance"]["sources"][0]["sha256"], sha256sum(file));
        for result in object["results"].as_array().expect("a list") {
            assert!(result["states"].as_u64().is_some_and(|states| states > 0), "{object}");
        }
    }
    let page = scratch("page.html", "");
    let file = "examples/peterson_tso.taut";
    let command = ["check", file, "--model", "tso", "--format", "sarif", "--report", path(&page)];
    let sarif: Value = serde_json::from_str(&stdout(&taut(&command))).expect("SARIF");
    let run = &sarif["runs"][0];
    assert_eq!(run["artifacts"][0]["hashes"]["sha-256"], sha256sum(file));
    assert_eq!(run["invocations"][0]["arguments"], Value::from(command.to_vec()));
    let html = std::fs::read_to_string(&page).expect("a report");
    assert!(html.contains(&sha256sum(file)[..16]) && html.contains("taut check examples/"));
}
