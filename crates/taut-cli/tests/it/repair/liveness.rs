//! Properties of runs: lassos are learned from like any other counterexample.

use crate::command::{code, shown, stdout};

use super::{Folder, array, places};

/// Whoever reads last finds the other's store, under SC. Under TSO both can miss it, and nobody ever wins.
const RACE: &str = "\
shared bool x = 0;
shared bool y = 0;

process p begin
  local bool seen;
  x := 1;
  seen := y;
  if (seen == 1) { won: skip; }
  loop { skip; }
end

process q begin
  local bool seen;
  y := 1;
  seen := x;
  if (seen == 1) { won: skip; }
  loop { skip; }
end
";

const SOMEBODY: &str = "<> (p@won || q@won)";

#[test]
fn a_formula_that_fails_for_late_stores_is_fixed_by_fences() {
    let folder = Folder::new("race");
    folder.write("race.taut", RACE);
    assert_eq!(folder.check("race.taut", &["--ltl", SOMEBODY, "--model", "sc"]), 0);
    for model in ["tso", "pso"] {
        let asked = ["--ltl", SOMEBODY, "--model", model];
        assert_eq!(folder.check("race.taut", &asked), 1);
        let report = folder.repair("race.taut", &[&asked[..], &["--all"]].concat());
        let sets = array(&report["sets"]).iter().map(places);
        let expected = [(6, "fence".into()), (14, "fence".into())].into();
        assert_eq!(sets.collect::<Vec<_>>(), [expected], "{report}");
        assert!(report["places"][0]["breaks"]["property"].is_string(), "{report}");
    }
    folder.repair_and_patch("race.taut", &["--ltl", SOMEBODY, "--model", "tso"]);
    folder.holds("race.taut", &["--ltl", SOMEBODY, "--model", "tso"]);
}

#[test]
fn a_formula_in_the_program_is_fixed_with_the_rest() {
    let folder = Folder::new("own");
    folder.write("race.taut", &format!("{RACE}\nltl somebody: {SOMEBODY};\n"));
    folder.repair_and_patch("race.taut", &["--model", "tso"]);
    folder.holds("race.taut", &["--model", "tso"]);
    assert!(folder.read("race.taut").contains("x := 1;\n  fence;\n"));
}

/// A flag that is raised before the data is there: who waits for the flag then waits for the data for ever.
const LOST: &str = "\
shared bool data = 0;
shared bool flag = 0;

process writer begin
  data := 1;
  flag := 1;
end

process reader begin
  local bool seen;
  await(flag == 1);
  seen := data;
  loop {
    if (seen == 1) { got: skip; } else { skip; }
  }
end
";

#[test]
fn a_store_fence_is_enough_for_a_message_that_must_be_got_again_and_again() {
    let folder = Folder::new("lost");
    folder.write("lost.taut", LOST);
    let asked = ["--ltl", "[] <> reader@got", "--model", "pso"];
    assert_eq!(folder.check("lost.taut", &["--ltl", "[] <> reader@got", "--model", "tso"]), 0);
    assert_eq!(folder.check("lost.taut", &asked), 1);
    let report = folder.repair("lost.taut", &[&asked[..], &["--all"]].concat());
    assert_eq!((&report["cost"], array(&report["sets"]).len()), (&1.into(), 1), "{report}");
    assert_eq!(places(&report), [(5, "sfence".into())].into(), "{report}");
    folder.repair_and_patch("lost.taut", &asked);
    folder.holds("lost.taut", &asked);
}

/// Without fairness a store may wait for ever, and only a process that must wait for it makes it come.
#[test]
fn a_store_that_nobody_commits_is_made_to_come_by_a_fence() {
    let folder = Folder::new("never");
    let text = "shared bool x = 0;\nprocess p begin\n  x := 1;\n  loop { skip; }\nend\n";
    folder.write("never.taut", text);
    let asked = ["--ltl", "<> (x == 1)", "--fairness", "none"];
    assert_eq!(folder.check("never.taut", &[&asked[..], &["--model", "sc"]].concat()), 0);
    let asked = [&asked[..], &["--model", "tso"]].concat();
    assert_eq!(folder.check("never.taut", &asked), 1);
    let output = folder.taut(&[&["repair", "never.taut", "--all"], &asked[..]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let is_set = |line: &&str| line.starts_with("cheapest set") && line.contains("1 fence, cost 3");
    let sets = stdout(&output).lines().filter(is_set).count();
    assert_eq!(sets, 3, "after the store, and at both ends of the loop");
    folder.repair_and_patch("never.taut", &asked);
    folder.holds("never.taut", &asked);
}

/// Memory need not be fair to a process that waits at a fence, so no fence helps.
#[test]
fn without_a_fair_memory_a_fence_may_wait_for_ever() {
    let folder = Folder::new("unfair");
    folder.write("race.taut", RACE);
    let asked = ["--ltl", SOMEBODY, "--fairness", "process", "--model"];
    assert_eq!(folder.check("race.taut", &[&asked[..], &["sc"]].concat()), 0);
    let output = folder.taut(&[&["repair", "race.taut"], &asked[..], &["tso"]].concat());
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("fixes it under TSO"), "{}", stdout(&output));
    assert!(stdout(&output).contains("repeated for ever"), "a lasso: {}", stdout(&output));
}
