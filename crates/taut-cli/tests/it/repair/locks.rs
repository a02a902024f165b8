//! How many fences each lock of `examples/` needs, and how many cheapest sets there are.
//!
//! The numbers come from exhaustive trials (every subset of stores followed by a fence), beside which
//! two research tools were run. There a place is a store of one process; here it is a point of the text, and a text of
//! two processes is changed for both. So the first table counts a point once for each of its processes.

use serde_json::Value;
use taut_testkit::suite::root;

use crate::command::{code, shown, stdout};

use super::{BY_NUMBER, Folder, array, in_all_processes};

/// What is known of a lock: the fewest fences under TSO, in how many ways, and the fewest under PSO.
struct Known {
    lock: &'static str,
    property: &'static str,
    tso: usize,
    tso_sets: usize,
    pso: usize,
}

const fn known(lock: &'static str, tso: usize, tso_sets: usize, pso: usize) -> Known {
    Known { lock, property: "mutex", tso, tso_sets, pso }
}

/// Where mutual exclusion alone is asked.
const KNOWN: [Known; 9] = [
    known("peterson", 2, 1, 4),
    known("dekker", 2, 1, 2),
    known("burns", 2, 1, 2),
    known("dijkstra", 2, 1, 2),
    // Nothing was known for PSO: our third place is between `y := NOBODY` and `b[i] := 0` on the way out.
    known("lamport_fast", 4, 1, 6),
    // Four ways if each process may choose between two points; the text is one, so both choose alike.
    known("bakery", 4, 2, 4),
    known("clh_lock", 0, 0, 0),
    Known { property: "together", ..known("sense_barrier", 0, 0, 0) },
    known("ticket_lock", 0, 0, 0),
];

#[test]
fn mutual_exclusion_needs_as_many_fences_as_is_known() {
    let folder = Folder::new("known");
    for Known { lock, property, tso, tso_sets, pso } in KNOWN {
        let file = root().join(format!("examples/{lock}.taut"));
        let file = file.to_str().expect("UTF-8");
        for (model, number) in [("tso", tso), ("pso", pso)] {
            let args = ["--model", model, "--property", property, "--all"];
            let report = folder.repair(file, &[&args, BY_NUMBER].concat());
            assert_eq!(in_all_processes(&report), number, "{lock} under {model}: {report}");
            assert_eq!(report["optimal"], number > 0, "{lock} under {model}: {report}");
            if model == "tso" {
                assert_eq!(array(&report["sets"]).len(), tso_sets, "{lock}: {report}");
            }
        }
    }
}

/// The lock; places and cheapest sets under TSO; the same under PSO. All that the program asks must hold.
///
/// Under PSO a fence is as good as a store fence wherever one is enough, so each such place doubles the sets.
const WHOLE: [(&str, [usize; 2], [usize; 2]); 14] = [
    ("peterson", [1, 1], [2, 2]),
    ("dekker", [1, 1], [1, 1]),
    ("burns", [2, 1], [2, 1]),
    ("dijkstra", [1, 1], [1, 1]),
    ("lamport_fast", [2, 1], [3, 2]),
    ("bakery", [2, 2], [2, 1]),
    // It can also wait for ever. Of the five sets of three that fix `mutex`, one fixes that, too.
    ("szymanski", [3, 1], [3, 1]),
    // The data must also be handed over: a store fence before the release.
    ("clh_lock", [0, 0], [1, 2]),
    // A store fence after `blocked[i] := 1`, and one at any of three points on the way to the release.
    ("mcs_lock", [0, 0], [2, 12]),
    // `together` holds, but without a store fence both can wait for ever.
    ("sense_barrier", [0, 0], [1, 2]),
    ("ticket_lock", [0, 0], [1, 2]),
    ("tas_lock", [0, 0], [1, 2]),
    ("ttas_lock", [0, 0], [1, 2]),
    ("peterson_filter", [1, 1], [2, 2]),
];

#[test]
fn all_that_a_lock_promises_needs_the_places_that_its_text_names() {
    let folder = Folder::new("whole");
    for (lock, tso, pso) in WHOLE {
        let file = root().join(format!("examples/{lock}.taut"));
        let file = file.to_str().expect("UTF-8");
        for (model, [number, sets]) in [("tso", tso), ("pso", pso)] {
            let report = folder.repair(file, &[&["--model", model, "--all"], BY_NUMBER].concat());
            let found = [array(&report["places"]).len(), array(&report["sets"]).len()];
            assert_eq!(found, [number, sets], "{lock} under {model}: {report}");
            let outcome = if number == 0 { "right" } else { "fixed" };
            assert_eq!(report["outcome"], outcome, "{lock} under {model}: {report}");
        }
    }
}

#[test]
fn szymanski_has_five_cheapest_sets_if_mutual_exclusion_alone_is_asked() {
    let folder = Folder::new("szymanski");
    let file = root().join("examples/szymanski.taut");
    let args = ["--model", "tso", "--property", "mutex", "--all"];
    let report = folder.repair(file.to_str().expect("UTF-8"), &args);
    assert_eq!(array(&report["sets"]).len(), 5, "{report}");
    assert!(array(&report["sets"]).iter().all(|set| set["cost"] == 9), "{report}");
}

#[test]
fn prices_decide() {
    let (folder, file) = Folder::with_copy("prices", "examples/peterson.taut");
    let kinds = |cost: &str| {
        let args = ["--model", "pso", "--with", "both", "--cost", cost, "--all"];
        let report = folder.repair(&file, &args);
        let kind = |p: &Value| p["kind"].as_str().expect("a kind").to_owned();
        let sets = array(&report["sets"]).iter();
        let of_set = |set: &Value| array(&set["places"]).iter().map(kind).collect();
        sets.map(of_set).collect::<Vec<Vec<_>>>()
    };
    // An atomic write waits until the process's buffers are empty, so one does the work of both fences.
    assert_eq!(kinds("fence=3,atomic=5,sfence=3"), [["atomic"]]);
    assert_eq!(kinds("fence=3,atomic=5,sfence=1"), [["sfence", "fence"]]);
    assert_eq!(kinds("fence=1,atomic=5,sfence=1000"), [["fence", "fence"]]);
}

/// The accident needs more entries than the bound; who does not look that far has nothing to fix.
#[test]
fn buffers_without_a_bound_are_fixed_as_well() {
    let (folder, file) = Folder::with_copy("late", "examples/late_toggles.taut");
    let within = folder.repair(&file, &["--model", "tso", "--bound", "8"]);
    assert_eq!(within["outcome"], "right", "{within}");
    let report = folder.repair(&file, &["--model", "tso"]);
    // In a loop, so twice as much as elsewhere.
    assert_eq!((&report["outcome"], &report["cost"]), (&"fixed".into(), &6.into()), "{report}");
    let covered = |r: &Value| r["coverage"].as_str().is_some_and(|c| c.contains("all executions"));
    assert!(array(&report["check"]["results"]).iter().all(covered), "{report}");
}

/// `own` says that whoever has stored 1 is at `raised`. A fence between the two is a state in which it is not.
#[test]
fn a_fence_that_breaks_another_property_is_no_repair() {
    let (folder, file) = Folder::with_copy("shown", "examples/lw_two_writers.taut");
    let report = folder.repair(&file, &["--model", "tso", "--property", "unseen"]);
    assert_eq!((&report["outcome"], &report["cost"]), (&"fixed".into(), &3.into()), "{report}");
    let output = folder.taut(&["repair", &file, "--model", "tso"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("invariant `own` is violated"), "{}", stdout(&output));
}
