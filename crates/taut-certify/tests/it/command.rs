//! `taut-certify` as a user types it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::proof::certificate;
use taut::{Check, MemoryModel};

const LOCK: &str = "shared bool flag[2] = 0;
process p[2](i) begin
  flag[i] := 1;
  fence;
  await(flag[1 - i] == 0);
  cs: skip;
end
forbid mutex: p[0]@cs && p[1]@cs;
";

fn certify(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_taut-certify")).args(words).output().expect("it runs")
}

fn said(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    format!("{:?} {}", output.status.code(), String::from_utf8(text).expect("UTF-8"))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A program with the certificate of its `mutex` under TSO.
fn proven(folder: &Path) -> (PathBuf, PathBuf) {
    proven_of(folder, LOCK)
}

fn proven_of(folder: &Path, text: &str) -> (PathBuf, PathBuf) {
    let (file, proof) = (folder.join("lock.taut"), folder.join("lock.tautproof"));
    std::fs::write(&file, text).expect("written");
    let loaded = from_path(&file, LoadOptions::default()).expect("a program");
    let check = Check::of(&loaded).model(MemoryModel::Tso).only(vec!["mutex".into()]);
    let report = check.run().expect("a report");
    let report = report.with_proof(&loaded, &Budget::new()).expect("evidence");
    let whole = certificate(&loaded, report.proof.as_ref()).expect("a certificate");
    std::fs::write(&proof, whole.to_bytes()).expect("written");
    (file, proof)
}

fn words(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn a_certificate_is_accepted_with_what_is_proven() {
    let folder = folder();
    let (file, proof) = proven(folder.path());
    let text = said(&certify(&[words(&file), words(&proof)]));
    assert!(text.starts_with("Some(0) accepted: "), "{text}");
    assert!(text.contains("under tso") && text.contains("holds     mutex"), "{text}");
    assert!(text.contains("covered   all executions"), "{text}");
}

#[test]
fn another_text_is_refused_with_that_reason() {
    let folder = folder();
    let (file, proof) = proven(folder.path());
    std::fs::write(&file, LOCK.replace("  fence;\n", "")).expect("written");
    let text = said(&certify(&[words(&file), words(&proof)]));
    assert!(text.starts_with("Some(1) refused: it is about another text"), "{text}");
}

#[test]
fn a_weaker_program_under_the_hash_of_the_old_one_is_refused() {
    let folder = folder();
    let (file, proof) = proven(folder.path());
    let weaker = LOCK.replace("  fence;\n", "");
    std::fs::write(&file, &weaker).expect("written");
    let bytes = std::fs::read(&proof).expect("read");
    let (old, new) = (taut_proof_hash(LOCK), taut_proof_hash(&weaker));
    let at = bytes.windows(64).position(|w| w == old.as_bytes()).expect("the hash");
    let forged = [&bytes[..at], new.as_bytes(), &bytes[at + 64..]].concat();
    std::fs::write(&proof, forged).expect("written");
    let text = said(&certify(&[words(&file), words(&proof)]));
    assert!(text.starts_with("Some(1) refused: claim 1 (tso)"), "{text}");
}

fn taut_proof_hash(text: &str) -> String {
    taut::provenance::Source::new("", text.as_bytes()).sha256
}

#[test]
fn damage_and_other_versions_are_told() {
    let folder = folder();
    let (file, proof) = proven(folder.path());
    let bytes = std::fs::read(&proof).expect("read");
    let refusal = |bytes: &[u8]| {
        std::fs::write(&proof, bytes).expect("written");
        said(&certify(&[words(&file), words(&proof)]))
    };
    let end = bytes.len();
    assert!(refusal(&bytes[..end - 1]).contains("it ends before its last claim does"));
    assert!(refusal(&bytes[..20]).contains("it ends in its header"));
    assert!(refusal(b"").contains("it is no certificate of Taut"));
    assert!(refusal(&[&bytes[..], b"x"].concat()).contains("bytes after its end"));
    let text = String::from_utf8_lossy(&bytes);
    let later = text.replacen("\"version\":1", "\"version\":9", 1);
    assert!(refusal(later.as_bytes()).contains("version 9 of the format"));
}

#[test]
fn bad_input_and_limits_have_their_exit_codes() {
    let folder = folder();
    let (file, _) = proven(folder.path());
    assert!(said(&certify(&[words(&file)])).starts_with("Some(3) error: two files"));
    assert!(said(&certify(&[words(&file), "none"])).starts_with("Some(3) error: cannot read"));
    assert!(said(&certify(&["--what", "a", "b"])).starts_with("Some(3) error: there is no option"));
    // The clock is looked at every few states.
    let steps = "  flag[i] := 0;\n  flag[i] := 1;\n".repeat(6);
    let long = LOCK.replacen("  cs: skip;\n", &format!("  cs: skip;\n{steps}"), 1);
    let (file, proof) = proven_of(folder.path(), &long);
    let late = certify(&[words(&file), words(&proof), "--timeout", "0ms"]);
    assert!(said(&late).starts_with("Some(2) unknown: "), "{}", said(&late));
    assert!(said(&certify(&["--help"])).starts_with("Some(0) "));
}
