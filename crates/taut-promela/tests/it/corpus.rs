//! The models of other people: all are read, printed, read again as the same tree, and SPIN accepts what is
//! printed.

use crate::common;

use std::path::Path;

use common::{as_promela, lower_with, models, native, need_spin, read, read_with, spin_refuses};
use taut_ir::{Atom, PropertyKind};
use taut_ltl::{AtomId, Formula};
use taut_promela::{ClaimText, Headers};

/// Checks all models of a folder; the number of models. None of the corpora has embedded C.
fn check_all(folder: &Path, headers: &Headers, spin: bool) -> usize {
    let mut accepted = 0;
    let mut problems = Vec::new();
    for path in models(folder) {
        let name = path.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let parsed = read_with(&name, &text, &mut headers.clone());
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
    accepted
}

#[test]
fn spins_own_models_are_read_and_printed() {
    let Some(corpus) = taut_testkit::corpus::find("promela corpus") else { return };
    need_spin();
    assert_eq!(check_all(&corpus.join("promela"), &Headers::on_disk(), true), 42);
}

#[test]
fn mmlib_models_are_read_natively() {
    let Some(corpus) = taut_testkit::corpus::find("mmlib corpus") else { return };
    assert_eq!(check_all(&corpus.join("mmlib"), &native(), false), 46);
}

#[test]
fn mmlib_models_are_read_with_their_header() {
    let Some(corpus) = taut_testkit::corpus::find("mmlib corpus") else { return };
    need_spin();
    assert_eq!(check_all(&corpus.join("mmlib"), &as_promela(), true), 46);
}

/// Lowers all models of a folder; how many formulas and claims they have.
fn claims_in(folder: &Path, headers: &Headers) -> (usize, usize) {
    let (mut formulas, mut claims) = (0, 0);
    for path in models(folder) {
        let (name, text) = read_model(&path);
        let lowered = lower_with(&name, &text, &[], &mut headers.clone());
        let lowered = lowered.unwrap_or_else(|said| panic!("{name}: {said}"));
        assert_eq!(taut_ir::validate::validate(&lowered.program), Ok(()), "{name}");
        let kinds = lowered.program.properties.iter().map(|p| &p.kind);
        formulas += kinds.clone().filter(|k| matches!(k, PropertyKind::Ltl(_))).count();
        claims += kinds.filter(|k| matches!(k, PropertyKind::Never(_))).count();
    }
    (formulas, claims)
}

fn read_model(path: &Path) -> (String, String) {
    let text = std::fs::read_to_string(path).expect("a readable model");
    (path.to_string_lossy().into_owned(), text)
}

#[test]
fn claims_of_the_models_become_properties() {
    let Some(corpus) = taut_testkit::corpus::find("claims of the models") else { return };
    assert_eq!(claims_in(&corpus.join("promela"), &Headers::on_disk()), (21, 2));
    assert_eq!(claims_in(&corpus.join("mmlib"), &native()), (0, 46));
}

/// The formula that a claim was made of, as its first line says: `never { /* f */`.
fn comment(text: &str) -> Option<&str> {
    let claim = text.find("never ")?;
    let rest = &text[claim + text[claim..].find("/*")? + 2..];
    Some(rest[..rest.find("*/")?].trim())
}

/// A formula over atoms of another list: those that say the same.
fn renamed(formula: &Formula, from: &[Atom], to: &[Atom]) -> Formula {
    let inner = |f: &Formula| Box::new(renamed(f, from, to));
    match formula {
        Formula::True => Formula::True,
        Formula::False => Formula::False,
        Formula::Atom(atom) => {
            let wanted = &from[atom.index()].expr;
            let found = to.iter().position(|a| a.expr == *wanted);
            Formula::Atom(AtomId(found.expect("the claim speaks of the same") as u32))
        }
        Formula::Not(f) => Formula::Not(inner(f)),
        Formula::And(f, g) => Formula::And(inner(f), inner(g)),
        Formula::Or(f, g) => Formula::Or(inner(f), inner(g)),
        Formula::Implies(f, g) => Formula::Implies(inner(f), inner(g)),
        Formula::Iff(f, g) => Formula::Iff(inner(f), inner(g)),
        Formula::Next(f) => Formula::Next(inner(f)),
        Formula::Always(f) => Formula::Always(inner(f)),
        Formula::Eventually(f) => Formula::Eventually(inner(f)),
        Formula::Until(f, g) => Formula::Until(inner(f), inner(g)),
        Formula::Release(f, g) => Formula::Release(inner(f), inner(g)),
        Formula::WeakUntil(f, g) => Formula::WeakUntil(inner(f), inner(g)),
        Formula::StrongRelease(f, g) => Formula::StrongRelease(inner(f), inner(g)),
    }
}

#[test]
fn claims_of_mmlib_accept_what_their_formulas_say() {
    let Some(corpus) = taut_testkit::corpus::find("claims of mmlib") else { return };
    let (mut compared, mut slips) = (0, Vec::new());
    for path in models(&corpus.join("mmlib")) {
        let (name, text) = read_model(&path);
        let Some(formula) = comment(&text) else { continue };
        let claim = (&[formula][..], ClaimText::Formula { name: "comment".into() });
        let lowered = match lower_with(&name, &text, &[claim], &mut native()) {
            Ok(lowered) => lowered,
            Err(said) => {
                assert!(said.contains("--> claim:"), "{name}: {said}");
                slips.push(format!("{}: {formula}", path.file_stem().expect("a name").display()));
                continue;
            }
        };
        let program = lowered.program;
        let temporal: Vec<_> = program.properties.iter().filter(|p| p.kind.is_temporal()).collect();
        let [never, ltl] = &temporal[..] else { panic!("{name}: two properties") };
        let (PropertyKind::Never(never), PropertyKind::Ltl(ltl)) = (&never.kind, &ltl.kind) else {
            panic!("{name}: a claim and a formula");
        };
        let formula = renamed(&ltl.formula, &ltl.atoms, &never.atoms);
        let mut noise = 1u64;
        let mut valuations = |most: u64| -> Vec<u64> {
            noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut word = noise;
            (0..(noise >> 40) % most)
                .map(|_| {
                    word = word.wrapping_mul(6364136223846793005).wrapping_add(99);
                    word >> 33 & ((1 << never.atoms.len()) - 1)
                })
                .collect()
        };
        for _ in 0..500 {
            let (stem, mut cycle) = (valuations(5), valuations(4));
            cycle.push(stem.first().copied().unwrap_or(0));
            let accepted = never.automaton.accepts(&stem, &cycle);
            let said = taut_ltl::evaluate(&formula, &stem, &cycle);
            assert_eq!(accepted, said, "{name}: {stem:?} {cycle:?}");
        }
        compared += 1;
    }
    // A parenthesis is missing.
    let slip = "burns_liveness: ! [](flag0 == 1) -> <> (P0@crit))";
    assert_eq!((compared, slips), (45, vec![slip.to_owned()]));
}
