//! `--proof` and `--certify` as a user types them.

use crate::command;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};

const LOCK: &str = "\
shared bool flag[2] = 0;
process p[2](i) begin
  flag[i] := 1;
  fence;
  await(flag[1 - i] == 0);
  cs: skip;
end
forbid mutex: p[0]@cs && p[1]@cs;
ltl never_both: [] !(p[0]@cs && p[1]@cs);
";

#[test]
fn one_file_has_the_claims_of_all_models() {
    let (file, proof) = (scratch("lock.taut", LOCK), scratch("lock.tautproof", ""));
    let words = ["check", path(&file), "--no-deadlock", "--proof", path(&proof)];
    let output = taut(&words);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let bytes = std::fs::read(&proof).expect("a certificate");
    let accepted = taut_certify::certify(path(&file), LOCK.as_bytes(), &bytes).expect("accepted");
    // Under each model, what is asked of states and what is asked of runs.
    assert_eq!(accepted.claims.len(), 6);
    assert!(stdout(&output).contains("proof: tso, mutex"), "{}", shown(&output));
}

#[test]
fn json_has_the_file_and_what_was_accepted() {
    let (file, proof) = (scratch("json_lock.taut", LOCK), scratch("json.tautproof", ""));
    let words = ["compare", path(&file), "--no-deadlock", "--certify", "--proof", path(&proof)];
    let output = taut(&[&words[..], &["--format", "json"]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let all = objects(&output);
    let proofs: Vec<_> = all.iter().flat_map(|o| find(o, "proof")).collect();
    assert_eq!(proofs.len(), 3, "{all:?}");
    for document in proofs {
        assert_eq!(document["accepted"], true);
        assert_eq!(document["file"], path(&proof));
        assert!(document["bytes"].as_u64().is_some_and(|bytes| bytes > 0));
    }
    // In words, too.
    let output = taut(&words);
    let told =
        stdout(&output).lines().filter(|line| line.contains("accepted by the checker")).count();
    assert_eq!(told, 3, "{}", shown(&output));
}

/// All values of a key, wherever they stand.
fn find<'v>(value: &'v serde_json::Value, key: &str) -> Vec<&'v serde_json::Value> {
    let inside: Vec<&serde_json::Value> = match value {
        serde_json::Value::Object(map) => map.values().collect(),
        serde_json::Value::Array(list) => list.iter().collect(),
        _ => Vec::new(),
    };
    let own = value.get(key).into_iter();
    own.chain(inside.into_iter().flat_map(|value| find(value, key))).collect()
}

#[test]
fn where_nothing_holds_nothing_is_written_and_nothing_is_removed() {
    let proof = scratch("kept.tautproof", "what was there");
    let words = ["check", "examples/sb.taut", "--model", "tso", "--proof", path(&proof)];
    let output = taut(&words);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stderr(&output).contains("is not written"), "{}", shown(&output));
    assert_eq!(std::fs::read(&proof).expect("a file"), b"what was there");
}

#[test]
fn what_has_no_certificate_is_unknown_if_one_is_demanded() {
    let rounds = |file| {
        let asked =
            ["check", file, "--model", "tso", "--engine", "rounds", "--age", "1", "--certify"];
        taut(&asked)
    };
    // Right within the rounds, and not beyond.
    let output = rounds("examples/late_toggles.taut");
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("with so few rounds, and not of all"), "{}", shown(&output));
    // Right beyond the rounds as well: the evidence is about all runs.
    let output = rounds("examples/dekker_tso.taut");
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("accepted by the checker"), "{}", shown(&output));
    let bitstate = ["check", "examples/peterson.taut", "--model", "sc", "--store", "bitstate"];
    let output = taut(&[&bitstate[..], &["--certify"]].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("can miss some"), "{}", shown(&output));
}

#[test]
fn that_no_number_of_processes_has_a_deadlock_has_none() {
    let output = taut(&["check", "examples/any/tas_lock.taut", "--model", "sc", "--certify"]);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("no certificate: "), "{}", shown(&output));
}

#[test]
fn a_suite_can_demand_certificates() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("// expect: tso holds\n// options: --no-deadlock --certify\n{LOCK}");
    std::fs::write(folder.path().join("lock.taut"), text).expect("written");
    let output = taut(&["check", path(folder.path())]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let refused = taut(&["check", path(folder.path()), "--certify"]);
    assert_eq!(code(&refused), 3, "{}", shown(&refused));
}

const OPEN_LOCK: &str = "\
shared bool want[2] = 0;
process p[2](i) begin
  want[i] := 1;
  await(want[1 - i] == 0);
  cs: skip;
end
forbid mutex: p[0]@cs && p[1]@cs;
";

#[test]
fn the_certificate_of_a_repair_is_about_the_text_that_was_fixed_and_its_fix() {
    let (file, proof) = (scratch("open.taut", OPEN_LOCK), scratch("open.tautproof", ""));
    let words = ["repair", path(&file), "--model", "tso", "--no-deadlock", "--proof", path(&proof)];
    let output = taut(&words);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(
        stdout(&output).contains("proof: no cheaper set is enough: 1 run\n"),
        "{}",
        shown(&output)
    );
    let bytes = std::fs::read(&proof).expect("a certificate");
    let fixed = OPEN_LOCK.replace("want[i] := 1;\n", "want[i] := 1;\n  fence;\n");
    for text in [OPEN_LOCK, &fixed] {
        let said = taut_certify::certify(path(&file), text.as_bytes(), &bytes).expect("accepted");
        let said = said.fixed.expect("a repair");
        assert_eq!((said.cost, said.places.len()), (3, 1));
        assert!(said.cheapest.expect("claimed").contains("violates mutex under tso"));
    }
    let other = OPEN_LOCK.replace("== 0", "== 1");
    let refused =
        taut_certify::certify(path(&file), other.as_bytes(), &bytes).expect_err("another");
    assert!(refused.to_string().contains("neither the one that was fixed"), "{refused}");
}

#[test]
fn a_repair_is_certified_at_once_and_what_has_no_certificate_is_unknown() {
    let file = scratch("certified.taut", OPEN_LOCK);
    let words = ["repair", path(&file), "--model", "all", "--no-deadlock", "--certify"];
    let output = taut(&[&words[..], &["--format", "json"]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let proof = objects(&output)[0]["proof"].clone();
    assert_eq!((&proof["accepted"], &proof["runs"]), (&true.into(), &1.into()), "{proof}");
    // Atomic writes are no places that the checker knows.
    let output = taut(&[&words[..], &["--with", "atomics"]].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let note = "note: no certificate that nothing cheaper is enough: the checker knows places of";
    assert!(stdout(&output).contains(note), "{}", shown(&output));
    // A program that is right has an ordinary certificate.
    let right = scratch("right.taut", OPEN_LOCK.replace(":= 1;", ":= 1;\n  fence;"));
    let output = taut(&["repair", path(&right), "--model", "tso", "--no-deadlock", "--certify"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("accepted by the checker"), "{}", shown(&output));
}
