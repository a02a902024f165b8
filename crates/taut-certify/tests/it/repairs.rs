//! Certificates of repairs: that of every repair is accepted, and what is no proof is refused.
//!
//! Whether nothing cheaper is enough is decided apart from the checker: each cheaper set is put into the text, the text is
//! read, and all of its states are found by brute force. A certificate that is accepted though a cheaper set is right
//! fails the test, whether it was written or tampered with.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use fastrand::Rng;
use taut::budget::Budget;
use taut::load::{LoadOptions, from_bytes, from_path};
use taut::repair::{Costs, Outcome, Repair, Repaired};
use taut::{Check, Loaded, MemoryModel};
use taut_certify::{Certified, certify};
use taut_ir::{Fault, Finding, Memory, Program};
use taut_proof::{Certificate, FenceKind, Kind};
use taut_source::{Insertion, Point};
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;
use taut_witness::enumerate::explore;

use crate::random::is_found;

/// Number of random programs.
fn cases(usual: u64) -> u64 {
    if std::env::var_os("TAUT_SOAK").is_some() { 50 * usual } else { usual }
}

/// A repair with its certificate.
fn repair(loaded: &Loaded, check: &Check<'_>, costs: Costs) -> Option<(Repaired, Certificate)> {
    let repair = Repair::new(loaded).costs(costs).proof(true).run(check).ok()?;
    let Outcome::Repaired(mut fixed) = repair.outcome else { return None };
    let budget = Budget::new().time(Some(Duration::from_secs(5)));
    let prove = |report: taut::Report| report.with_proof(&fixed.loaded, &budget).expect("evidence");
    fixed.proofs = std::mem::take(&mut fixed.proofs).into_iter().map(prove).collect();
    fixed.prove_cheapest(false, &budget).expect("no fault");
    let whole = fixed.certificate()?;
    Some((*fixed, whole))
}

fn accepted(fixed: &Repaired, whole: &Certificate) -> Certified {
    let bytes = whole.to_bytes();
    let checked = certify(&fixed.loaded.name, fixed.original.as_bytes(), &bytes);
    checked.unwrap_or_else(|why| panic!("{}: {why}\n{}", fixed.loaded.name, fixed.original))
}

/// The example programs of some languages.
fn examples() -> Vec<PathBuf> {
    let folders = ["examples", "examples/c", "examples/rmm"].map(|folder| root().join(folder));
    let all = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<PathBuf> = all.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|e| ["taut", "pml", "c", "rmm"].map(|x| x == e).contains(&true))
    });
    files.sort();
    files
}

#[test]
fn repairs_of_the_examples_are_accepted() {
    let (tally, soak) = (Tally::new(), std::env::var_os("TAUT_SOAK").is_some());
    for file in examples() {
        let Ok(loaded) = from_path(&file, LoadOptions::default()) else { continue };
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            let most = if soak { 100_000 } else { 400 };
            let check = Check::of(&loaded).model(model).max_states(most);
            let check = check.timeout(Some(Duration::from_secs(if soak { 60 } else { 2 })));
            let Some((fixed, whole)) = repair(&loaded, &check, Costs::default()) else {
                tally.count("not fixed");
                continue;
            };
            let evidence = fixed.evidence.clone().expect("asked for");
            let said = accepted(&fixed, &whole).fixed;
            // The fixed text is as good as the text that was fixed.
            let bytes = whole.to_bytes();
            certify(&loaded.name, fixed.text.as_bytes(), &bytes).expect("the fixed text");
            match (said.and_then(|said| said.cheapest), evidence.open) {
                (Some(_), None) => tally.count("cheapest"),
                (None, Some(why)) => {
                    println!("{} under {model}: {why}", loaded.name);
                    tally.count("open");
                }
                other => panic!("{}: {other:?}", loaded.name),
            }
        }
    }
    println!("{tally}");
    // Every repair by fences has a certificate of being cheapest: the list of exceptions is empty.
    tally.at_least("cheapest", 70).at_most("open", 0);
}

/// Two or three processes with stores and loads in between, and a property that buffers may break.
fn program(rng: &mut Rng) -> String {
    let passes = rng.u32(..3) == 0;
    let (mut first, mut second) = match passes {
        true => (vec!["x := 1", "y := 1"], vec!["await(y == 1)", "a := x", "assert(a == 1)"]),
        false => (vec!["x := 1", "a := y"], vec!["y := 1", "a := x"]),
    };
    let more = ["z := 1", "b := z", "w := 1", "b := w", "skip", "z := 0", "fence", "sfence"];
    for list in [&mut first, &mut second] {
        for _ in 0..rng.usize(..3) {
            let most = if list.contains(&"assert(a == 1)") { 2 } else { list.len() };
            list.insert(rng.usize(..=most), more[rng.usize(..more.len())]);
        }
    }
    let mut text = String::from("shared bool x, y, z, w;\n");
    let third = vec!["z := 1", "b := w", "w := 1"];
    let third = (rng.u32(..4) == 0).then_some(("r", &third));
    for (name, list) in [("p", &first), ("q", &second)].into_iter().chain(third) {
        let body = list.join(";\n  ");
        text += &format!("process {name} begin\n  local bool a, b;\n  {body};\n  done: ;\nend\n");
    }
    if !passes {
        text += "forbid bad: p@done && q@done && p:a == 0 && q:a == 0;\n";
    }
    text
}

/// Two processes that are started in an atomic section, one that waits for a program point of both or for their end, and
/// messages: what may tell a process at a fence from one that is past it.
fn asking(rng: &mut Rng) -> String {
    let more = ["z = 1;", "c!1;", "skip;", "atomic { z = 1; z = 0 };", "r = z;"];
    let mut text = String::from("bool x, y, z, a, b;\nchan c = [4] of { byte };\n");
    let by_points = rng.bool();
    for (name, own, other, seen) in [("left", "x", "y", "a"), ("right", "y", "x", "b")] {
        let mut extra = || if rng.bool() { more[rng.usize(..more.len())] } else { "" };
        let look = match by_points {
            true => format!("if\n  :: {other} == 0 -> missed: skip\n  :: else\n  fi;"),
            false => format!("{seen} = {other};"),
        };
        let (first, second, third) = (extra(), extra(), extra());
        let body = format!("{first}\n  {own} = 1;\n  {second}\n  {look}\n  {third}\n  skip");
        text += &format!("proctype {name}() {{\n  bool r;\n  {body}\n}}\n");
    }
    let start = "init {\n  atomic { run left(); run right()";
    text += &match by_points {
        true => {
            let missed = "(left@missed && right@missed) -> assert(false)";
            format!(
                "proctype watcher() {{ end: atomic {{ {missed} }} }}\n{start}; run watcher() }}\n}}\n"
            )
        }
        false => format!("{start} }};\n  (_nr_pr == 1) -> assert(a || b)\n}}\n"),
    };
    text
}

fn read(text: &str) -> Loaded {
    let name = if text.contains("proctype") { "random.pml" } else { "random.taut" };
    from_bytes(name, text.into(), LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Whether brute force finds something that a certificate claims not to be.
///
/// A program has one property here, whatever the line in its name.
fn is_violated(program: &Program, model: MemoryModel, whole: &Certificate) -> bool {
    assert_eq!(program.properties.len(), 1);
    let brute = explore(program, Memory::new(model), 50_000).expect("a small program");
    let claimed = whole.header.claims.iter().flat_map(|claim| &claim.holds);
    let found = |finding| is_found(&brute, finding);
    claimed.into_iter().any(|proven| match proven.kind {
        Kind::Deadlock => found(Finding::Deadlock),
        Kind::Fault => Fault::ALL.iter().any(|&fault| found(Finding::Fault(fault))),
        Kind::FullBuffer => false,
        Kind::Property => program.property_ids().any(|id| found(Finding::Property(id))),
    })
}

/// The text with some places, numbered as in a certificate.
fn with(loaded: &Loaded, kinds: &[FenceKind], set: &[usize]) -> String {
    let mut points = loaded.model.edit_sites(&loaded.sources, loaded.file).expect("sites").points;
    points.sort_by_key(|point| point.at);
    let words = loaded.language.fences().expect("fences");
    let edits = |place: &usize| -> Vec<Insertion> {
        let point: &Point = &points[place / kinds.len()];
        point.edits(match kinds[place % kinds.len()] {
            FenceKind::Fence => words.fence,
            FenceKind::StoreFence => words.store_fence,
        })
    };
    let edits: Vec<Insertion> = set.iter().flat_map(edits).collect();
    Insertion::apply(&loaded.sources, loaded.file, &edits)
}

/// A set that is right and costs less than that of a certificate, by brute force.
fn cheaper(loaded: &Loaded, model: MemoryModel, whole: &Certificate) -> Option<Vec<usize>> {
    let part = whole.header.repair.as_ref().expect("a repair");
    let set: BTreeSet<u32> = part.set.iter().copied().collect();
    let limit: u64 = set.iter().map(|&place| part.costs[place as usize]).sum();
    let mut left = vec![(Vec::new(), 0_u64)];
    while let Some((set, cost)) = left.pop() {
        let text = with(loaded, &part.kinds, &set);
        if !is_violated(&read(&text).program, model, whole) {
            return Some(set);
        }
        let first = set.last().map_or(0, |last: &usize| last + 1);
        for place in first..part.costs.len() {
            let cost = cost.saturating_add(part.costs[place]);
            if cost < limit {
                left.push(([&set[..], &[place]].concat(), cost));
            }
        }
    }
    None
}

/// Repairs of random programs.
fn random(seed: u64, tally: &Tally) -> Option<(Loaded, MemoryModel, Repaired, Certificate)> {
    let mut rng = Rng::with_seed(seed);
    let text = program(&mut rng);
    let (fence, store_fence) = (rng.u64(1..4), rng.u64(1..3));
    random_text(&mut rng, &text, Costs { fence, store_fence, ..Costs::default() }, tally)
}

/// The repair of a text under one of two memory models.
fn random_text(
    rng: &mut Rng,
    text: &str,
    costs: Costs,
    tally: &Tally,
) -> Option<(Loaded, MemoryModel, Repaired, Certificate)> {
    let loaded = read(text);
    let model = if rng.bool() { MemoryModel::Tso } else { MemoryModel::Pso };
    let Some((fixed, whole)) = repair(&loaded, &Check::of(&loaded).model(model), costs) else {
        tally.count("not fixed");
        return None;
    };
    Some((loaded, model, fixed, whole))
}

#[test]
fn cheapest_sets_of_random_programs_are_cheapest_by_brute_force() {
    let tally = Tally::new();
    for seed in 0..cases(40) {
        let Some((loaded, model, fixed, whole)) = random(seed, &tally) else { continue };
        let said = accepted(&fixed, &whole).fixed.expect("a repair");
        match said.cheapest {
            Some(_) => tally.count("cheapest"),
            None => {
                println!("{:?}\n{}", fixed.evidence.as_ref().map(|e| &e.open), fixed.original);
                tally.count("open");
                continue;
            }
        }
        let found = cheaper(&loaded, model, &whole);
        assert_eq!(found, None, "under {model}:\n{}", fixed.original);
    }
    println!("{tally}");
    tally.at_least("cheapest", 25).at_most("open", 3);
}

/// Runs in which a process stands at a fence while another one asks about processes, starts them, or sends.
#[test]
fn cheapest_sets_of_programs_that_ask_about_processes_are_cheapest_by_brute_force() {
    let tally = Tally::new();
    for seed in 0..cases(30) {
        let mut rng = Rng::with_seed(seed);
        let text = asking(&mut rng);
        let costs = Costs { fence: 1, store_fence: 1, ..Costs::default() };
        let Some((loaded, model, fixed, whole)) = random_text(&mut rng, &text, costs, &tally)
        else {
            continue;
        };
        let said = accepted(&fixed, &whole).fixed.expect("a repair");
        if said.cheapest.is_none() {
            println!("{:?}\n{}", fixed.evidence.as_ref().map(|e| &e.open), fixed.original);
            tally.count("open");
            continue;
        }
        let found = cheaper(&loaded, model, &whole);
        assert_eq!(found, None, "under {model}:\n{}", fixed.original);
        tally.count("cheapest");
    }
    println!("{tally}");
    tally.at_least("cheapest", 25).at_most("open", 0);
}

/// Tampers with the part about the repair.
fn tamper(rng: &mut Rng, whole: &mut Certificate) -> &'static str {
    let part = whole.header.repair.as_mut().expect("a repair");
    let (places, runs) = (part.costs.len(), part.runs.as_mut().expect("runs"));
    let at = rng.usize(..runs.len());
    let place = rng.usize(..places);
    match rng.u32(..9) {
        0 => {
            let clause = &mut runs[at].clause;
            if !clause.is_empty() {
                clause.remove(rng.usize(..clause.len()));
            }
            "a clause without a place"
        }
        1 => {
            runs.remove(at);
            "a run less"
        }
        2 => {
            let actions = &mut runs[at].actions;
            let action = rng.usize(..actions.len());
            match rng.u32(..3) {
                0 => drop(actions.remove(action)),
                1 => actions.insert(action, actions[rng.usize(..actions.len())]),
                _ => actions.truncate(action),
            }
            "another run"
        }
        3 => {
            part.costs[part.set[0] as usize] += 1 + rng.u64(..3);
            "a dearer place of the set"
        }
        4 => {
            part.costs[place] = 1;
            "a cheap place"
        }
        5 => {
            runs[at].clause = vec![place as u32];
            "another clause"
        }
        6 => {
            runs[at].clause.clear();
            "a clause of nothing"
        }
        7 => {
            runs[at].violates.kind = Kind::Deadlock;
            runs[at].violates.name = "deadlock".into();
            "another property"
        }
        _ => {
            part.set.push(part.set[0]);
            part.set.push(place as u32);
            "a larger set"
        }
    }
}

#[test]
fn what_is_no_proof_of_a_cheapest_set_is_refused() {
    let tally = Tally::new();
    for seed in 0..cases(24) {
        let Some((loaded, model, fixed, whole)) = random(seed, &tally) else { continue };
        let part = whole.header.repair.as_ref().expect("a repair");
        if part.runs.is_none() {
            continue;
        }
        let mut rng = Rng::with_seed(seed);
        for _ in 0..25 {
            let mut mutant = whole.clone();
            let kind = tamper(&mut rng, &mut mutant);
            if mutant == whole {
                continue;
            }
            match certify(&loaded.name, fixed.original.as_bytes(), &mutant.to_bytes()) {
                Err(_) => tally.count(&format!("refused: {kind}")),
                Ok(said) => {
                    let cheapest = said.fixed.expect("a repair").cheapest;
                    assert!(cheapest.is_some(), "it claims to be a cheapest one");
                    let found = cheaper(&loaded, model, &mutant);
                    assert_eq!(found, None, "{kind} under {model}:\n{}", fixed.original);
                    tally.count(&format!("still a proof: {kind}"));
                }
            }
            tally.count("mutants");
        }
        // Beside another program: a constant, a place more.
        for other in
            [fixed.original.replace(":= 1", ":= 0"), fixed.text.replace("done", "fence; done")]
        {
            let checked = certify(&loaded.name, other.as_bytes(), &whole.to_bytes());
            assert!(checked.is_err(), "{other}");
            tally.count("other programs");
        }
    }
    println!("{tally}");
    tally.at_least("mutants", 300).at_least("other programs", 25);
    let kinds =
        ["a clause without a place", "a run less", "another run", "a dearer place of the set"];
    for kind in kinds.into_iter().chain(["a clause of nothing", "another property", "a larger set"])
    {
        tally.at_least(&format!("refused: {kind}"), 8);
    }
}

/// A set with one place too many, whose text is right: the claims hold, and the set is no cheapest one.
#[test]
fn a_dearer_set_that_is_right_is_no_cheapest_one() {
    let tally = Tally::new();
    for seed in 0..cases(30) {
        let Some((loaded, model, fixed, whole)) = random(seed, &tally) else { continue };
        // The name of an assertion has its line, which is another one in the dearer text.
        if !fixed.original.contains("forbid") {
            continue;
        }
        let mut part = whole.header.repair.expect("a repair");
        let more = (0..part.costs.len() as u32).find(|place| {
            // One fence per point.
            let point = |place: u32| place as usize / part.kinds.len();
            part.set.iter().all(|&other| point(other) != point(*place))
        });
        let Some(more) = more.filter(|_| part.runs.is_some()) else { continue };
        part.set.push(more);
        part.set.sort_unstable();
        let set: Vec<usize> = part.set.iter().map(|&place| place as usize).collect();
        let dearer = read(&with(&loaded, &part.kinds, &set));
        let report = Check::of(&dearer).model(model).all(true).run().expect("a report");
        let report = report.with_proof(&dearer, &Budget::new()).expect("evidence");
        let mut whole = taut::proof::certificate(&dearer, &report.proof).expect("claims");
        whole.header.repair = Some(taut_proof::Repair { runs: None, ..part.clone() });
        let text = fixed.original.as_bytes();
        certify(&loaded.name, text, &whole.to_bytes()).expect("right, and not said to be cheapest");
        whole.header.repair = Some(part);
        let why = certify(&loaded.name, text, &whole.to_bytes()).expect_err("no cheapest set");
        assert!(why.to_string().contains("a cheaper set may be enough"), "{why}");
        tally.count("refused");
    }
    println!("{tally}");
    tally.at_least("refused", 10);
}
