//! The models of other people: all are read, printed, read again as the same tree, and SPIN accepts what is
//! printed.

mod common;

use std::path::Path;

use common::{as_promela, has_spin, models, native, read, read_with, spin_refuses};
use taut_promela::Headers;

/// The models that are refused, and why. None of the corpora has embedded C.
const REFUSED: &[(&str, &str)] = &[("leader_trace.pml", "P0016")];

/// Checks all models of a folder; how many were read, how many refused.
fn check_all(folder: &Path, headers: &Headers, spin: bool) -> (usize, usize) {
    let (mut accepted, mut refused) = (0, 0);
    let mut problems = Vec::new();
    for path in models(folder) {
        let name = path.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let bare = path.file_name().expect("a name").to_string_lossy().into_owned();
        let parsed = read_with(&name, &text, &mut headers.clone());
        if let Some((_, code)) = REFUSED.iter().find(|(name, _)| *name == bare) {
            let said = parsed.err().unwrap_or_default();
            assert!(said.contains(code), "{name}: {said}");
            refused += 1;
            continue;
        }
        let model = match parsed {
            Ok(parsed) => parsed.model,
            Err(said) => {
                problems.push(format!("{name}: {said}"));
                continue;
            }
        };
        let printed = taut_promela::print(&model);
        match read(&printed) {
            Ok(again) if again.model == model => accepted += 1,
            Ok(_) => problems.push(format!("{name}: another tree from\n{printed}")),
            Err(said) => problems.push(format!("{name}: printed: {said}")),
        }
        if spin && let Some(said) = spin_refuses(&printed) {
            problems.push(format!("{name}: SPIN: {said}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    (accepted, refused)
}

#[test]
fn spins_own_models_are_read_and_printed() {
    let Some(corpus) = taut_testkit::corpus::find("promela corpus") else { return };
    let spin = has_spin("promela corpus");
    assert_eq!(check_all(&corpus.join("promela"), &Headers::on_disk(), spin), (41, 1));
}

#[test]
fn mmlib_models_are_read_natively() {
    let Some(corpus) = taut_testkit::corpus::find("mmlib corpus") else { return };
    assert_eq!(check_all(&corpus.join("mmlib"), &native(), false), (46, 0));
}

#[test]
fn mmlib_models_are_read_with_their_header() {
    let Some(corpus) = taut_testkit::corpus::find("mmlib corpus") else { return };
    let spin = has_spin("mmlib corpus");
    assert_eq!(check_all(&corpus.join("mmlib"), &as_promela(), spin), (46, 0));
}
