//! Reductions, stores and threads as a user types them, what is said of them, and the live line on a terminal.

use crate::command;

use std::process::{Command, Output};

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};

/// The verdicts of a check: model, property, verdict, coverage.
fn verdicts(output: &Output) -> Vec<String> {
    let of = |object: &serde_json::Value| {
        let results = object["results"].as_array().expect("results").clone();
        let model = object["model"].clone();
        results.into_iter().map(move |r| format!("{model} {} {}", r["property"], r["verdict"]))
    };
    objects(output).iter().flat_map(of).collect()
}

#[test]
fn verdicts_do_not_depend_on_reductions_stores_and_threads() {
    for file in ["examples/peterson.taut", "examples/spawn.taut", "examples/mp.taut"] {
        let check = |options: &[&str]| {
            let args = [&["check", file, "--all", "--bound", "2", "--format", "json"], options];
            taut(&args.concat())
        };
        let plain = check(&["--reduce", "none", "--store", "exact", "-j", "1"]);
        for reduce in ["none", "por", "all"] {
            for (store, jobs) in
                [("exact", "2"), ("tree", "1"), ("compact", "2"), ("bitstate", "1"), ("disk", "1")]
            {
                let options = ["--reduce", reduce, "--store", store, "--jobs", jobs];
                let output = check(&options);
                assert_eq!(verdicts(&output), verdicts(&plain), "{file} {options:?}");
                assert_eq!(code(&output), code(&plain), "{file} {options:?}");
                for object in objects(&output) {
                    assert_eq!(object["reduce"], reduce);
                    assert_eq!(object["store"], store);
                    assert_eq!(object["threads"].to_string(), jobs);
                }
            }
        }
    }
}

#[test]
fn every_core_is_used_unless_said_otherwise() {
    let cores = std::thread::available_parallelism().expect("a number").get();
    let output = taut(&["check", "examples/sb.taut", "--model", "sc", "--format", "json"]);
    assert_eq!(objects(&output)[0]["threads"], cores);
    for wrong in ["0", "257", "two"] {
        let output = taut(&["check", "examples/sb.taut", "-j", wrong]);
        assert_eq!(code(&output), 3, "{}", shown(&output));
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let peterson = "examples/peterson_tso.taut";
    let refused = [
        (&["check", peterson, "--engine", "symbolic", "--store", "tree"][..], "--engine explicit"),
        (&["check", peterson, "--store", "bitstate", "--ltl", "[] true"], "is about runs"),
        (&["compare", peterson, "--store", "compact", "--ltl", "[] true"], "is about runs"),
        (&["explain", peterson, "--store", "compact", "--ltl", "[] true"], "is about runs"),
        (&["repair", "examples/peterson.taut", "--store", "compact"], "proves nothing"),
        (&["check", "examples", "--store", "tree"], "is not for a directory"),
        (&["check", "examples", "--disk-dir", "/tmp"], "is not for a directory"),
        (&["check", peterson, "--disk-dir", "/tmp"], "are for --store disk"),
        (&["check", peterson, "--store", "tree", "--max-disk", "1G"], "are for --store disk"),
        (&["check", peterson, "--store", "disk", "--search", "dfs"], "breadth first"),
        (&["check", peterson, "--store", "disk", "--ltl", "[] true"], "is about runs"),
        (
            &["check", peterson, "--store", "disk", "--disk-dir", "/no/such"],
            "no file can be created in",
        ),
        (&["check", peterson, "--engine", "symbolic", "--store", "disk"], "--engine explicit"),
        (&["check", "examples", "--reduce", "none"], "is not for a directory"),
    ];
    for (args, why) in refused {
        let output = taut(args);
        assert_eq!(code(&output), 3, "{args:?}: {}", shown(&output));
        assert!(stderr(&output).contains(why), "{args:?}: {}", stderr(&output));
    }
    let allowed = ["check", peterson, "--store", "bitstate", "--ltl", "[] true", "--no-ltl"];
    let output = taut(&[&allowed[..], &["--property", "mutex", "--model", "tso"]].concat());
    assert_eq!(code(&output), 0, "nothing is asked about runs: {}", shown(&output));
}

#[test]
fn statistics_have_a_line_for_each_part() {
    let args = ["check", "examples/peterson_tso.taut", "--model", "tso", "-j", "1"];
    let text = stdout(&taut(&[&args[..], &["--stats"]].concat()));
    for words in ["matched", "exact store: ", "bytes per state", "1 thread: ", "states/s"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let object = &objects(&taut(&[&args[..], &["--format", "json"]].concat()))[0];
    let stats = &object["stats"];
    for count in ["states", "expanded", "transitions", "matched", "deadlocks", "faults", "depth"] {
        assert!(stats[count].is_u64(), "{count}: {stats}");
    }
    for part in ["stubborn", "fused", "symmetric"] {
        assert!(stats["pruned"][part].is_u64(), "{part}: {stats}");
    }
    for part in ["successors", "store", "properties"] {
        assert!(stats["phases"][part].is_f64(), "{part}: {stats}");
    }
}

#[test]
fn json_counts_deadlocks_and_faults() {
    let count = |name: &str, text: &str, count: &str| {
        let file = scratch(name, text);
        let args = ["check", path(&file), "--model", "sc", "--all", "--format", "json"];
        let output = taut(&args);
        assert_eq!(code(&output), 1, "{}", shown(&output));
        objects(&output)[0]["stats"][count].as_u64()
    };
    let stuck = "shared 0..3 x = 0;\nprocess p begin x := 1; await(x == 2); end\n";
    assert_eq!(count("stuck.taut", stuck, "deadlocks"), Some(1));
    let divides = "shared 0..3 x = 0;\nprocess p begin x := 1 / x; end\n";
    assert_eq!(count("divides.taut", divides, "faults"), Some(1));
}

/// A search that nobody waits for, ended after a little more than a second.
fn long_search() -> Vec<String> {
    let slow = scratch(
        "long.taut",
        "shared 0..1000000 x, y, z;\n\
         process p begin loop { x := (x + 1) % 1000000; } end\n\
         process q begin loop { y := (y + 1) % 1000000; } end\n\
         process r begin loop { z := (z + 1) % 1000000; } end\n\
         ltl small: [] (x <= 1000000);\n",
    );
    let args = ["check", path(&slow), "--model", "sc", "--property", "small"];
    let limits = ["--timeout", "1300ms", "--max-memory", "2G"];
    args.into_iter().chain(limits).map(String::from).collect()
}

/// Runs a command on a terminal of its own; everything that appears there.
fn on_a_terminal(args: &[String], variables: &[(&str, &str)]) -> String {
    let quoted: Vec<_> = args.iter().map(|arg| format!("'{arg}'")).collect();
    let line = format!("'{}' {}", env!("CARGO_BIN_EXE_taut"), quoted.join(" "));
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env("TERM", "xterm");
    let output = script.envs(variables.iter().copied()).output().expect("script runs");
    assert_eq!(code(&output), 2, "{}", shown(&output));
    stdout(&output)
}

#[test]
fn a_terminal_shows_how_far_a_search_is() {
    let shown = on_a_terminal(&long_search(), &[]);
    for words in [" states, ", " states/s, queue ", ", depth ", " MiB, ", " s"] {
        assert!(shown.contains(words), "{words}: {shown:?}");
    }
    let after = shown.rsplit("states/s").next().expect("the rest");
    assert!(after.contains("unknown"), "the answer comes after the line: {shown:?}");
    let plain = on_a_terminal(&long_search(), &[("NO_COLOR", "1")]);
    assert!(!plain.contains("\u{1b}[3"), "there are no colours: {plain:?}");
    let dumb = on_a_terminal(&long_search(), &[("TERM", "dumb")]);
    assert!(!dumb.contains("states/s"), "such a terminal cannot wipe a line out: {dumb:?}");
}

#[test]
fn nothing_is_shown_where_nobody_watches() {
    let args = long_search();
    let output = taut(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert_eq!(stderr(&output), "");
    assert!(!stdout(&output).contains("queue"), "{}", stdout(&output));
}

/// To find out what may be left out took minutes for a process with so many statements: it grew with the third
/// power of their number.
#[test]
fn regression_long_processes_are_reduced_in_good_time() {
    let statements = ["x = 1; x = 2; x = 3; x = 4; x = 5;"; 1_000].join("\n");
    let model = scratch("long_process.pml", format!("byte x;\ninit {{\n{statements}\n}}\n"));
    let output = taut(&["check", path(&model), "--model", "sc", "--timeout", "60s"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}
