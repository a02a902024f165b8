//! Random Promela models with priorities in Taut and in SPIN: the same verdicts and as many states under SC, with
//! Taut's reductions and without.
//!
//! SPIN runs for real, without its reductions. A model that SPIN refuses or does not finish is thrown away and
//! counted. A model on which the two differ is made small before it is printed. `TAUT_SEED=n` runs one seed,
//! `TAUT_SOAK=n` as many times more of them. Formulas about such models are compared in `spin_ltl.rs`.

use std::time::Duration;

use taut::load::from_text;
use taut::{Check, Order, Reduce, Verdict};
use taut_testkit::promela::{Model, generate_with_priorities};
use taut_testkit::seeds::{Difference, Seeds};
use taut_testkit::spin::Verifier;
use taut_testkit::tally::Tally;

/// Seeds in an ordinary run: where SPIN's verifiers compile fast, and where each of them takes half a second.
const SEEDS: (u64, u64) = (270, 60);
/// Models in a hundred that must have been compared.
const AT_LEAST: u64 = 60;
/// Models in a hundred with each verdict, and models on which priorities make a difference.
const OF_EACH: u64 = 5;
/// Time that SPIN may take for one model.
const MOST_TIME: Duration = Duration::from_secs(5);

/// What is compared: whether an assertion is violated, whether there is an invalid end state, the number of states.
type Answer = (bool, bool, u64);

/// What SPIN says; none if it refuses the model or does not finish.
fn by_spin(text: &str) -> Option<Answer> {
    let search = Verifier::plain(text).and_then(|v| v.search(MOST_TIME)).ok()?;
    let answer = (search.assertion(), search.end_state(), search.figures.states);
    search.other().is_none().then_some(answer)
}

/// What Taut says, or why it says nothing.
fn by_taut(text: &str, order: Order) -> Result<Answer, String> {
    let plain = search(text, order, Reduce::None)?;
    let reduced = search(text, order, Reduce::All)?;
    // No reduction is made in a program with priorities, so that the numbers of states are the same, too.
    if reduced == plain || !text.contains("priority") {
        return Ok(plain);
    }
    Err(format!("{plain:?}, and reduced {reduced:?}"))
}

fn search(text: &str, order: Order, reduce: Reduce) -> Result<Answer, String> {
    let loaded = from_text("model.pml", text).map_err(|e| format!("refused: {e}"))?;
    let check = Check::of(&loaded).order(order).whole(true).reduce(reduce);
    let report = check.max_states(Some(2_000_000)).run().map_err(|e| format!("fault: {e}"))?;
    if !report.complete {
        return Err("the search was cut off".into());
    }
    let violated = |kind: &str| {
        let mut of_kind = report.results.iter().filter(|r| r.kind.word() == kind);
        of_kind.any(|r| matches!(r.verdict, Verdict::Violated(_)))
    };
    if violated("fault") {
        return Err("a fault".into());
    }
    Ok((violated("assert"), violated("deadlock"), report.stats.states))
}

/// The number of states of a model if all priorities were the same.
fn states_without(text: &str) -> Option<u64> {
    let mut loaded = from_text("model.pml", text).ok()?;
    loaded.program.priorities = None;
    let check = Check::of(&loaded).whole(true).reduce(Reduce::None).max_states(Some(100_000));
    check.run().ok().map(|report| report.stats.states)
}

/// Counts an answer that both gave.
fn count(tally: &Tally, text: &str, (assertion, end_state, states): Answer) {
    tally.count("compared");
    tally.count(if assertion { "with a violated assertion" } else { "without one" });
    tally.count(if end_state { "with an invalid end state" } else { "with valid ends only" });
    if states_without(text).is_some_and(|n| n != states) {
        tally.count("with another number of states without priorities");
    }
}

/// Compares on the model of a seed.
fn compare(seed: u64, tally: &Tally) -> Result<(), Difference> {
    let order = if seed.is_multiple_of(2) { Order::Bfs } else { Order::Dfs };
    let model = generate_with_priorities(seed);
    let text = model.text();
    let Some(spin) = by_spin(&text) else {
        tally.count("without an answer of SPIN");
        return Ok(());
    };
    let taut = by_taut(&text, order);
    if taut == Ok(spin) {
        count(tally, &text, spin);
        return Ok(());
    }
    let refused = taut.is_err();
    let differs = |candidate: &Model| {
        let text = candidate.text();
        let Some(spin) = by_spin(&text) else { return false };
        let taut = by_taut(&text, order);
        taut != Ok(spin) && taut.is_err() == refused
    };
    let model = model.reduce(differs).text();
    let (spin, taut) = (by_spin(&model), by_taut(&model, order));
    Err(Difference { seed, model, said: format!("SPIN: {spin:?}\nTaut: {taut:?}") })
}

#[test]
fn random_models_with_priorities_have_the_same_verdicts_and_as_many_states_in_spin() {
    let (seeds, tally) = (Seeds::of_verifiers(SEEDS), Tally::new());
    seeds.compare(|seed| compare(seed, &tally));
    println!("of {} random models: {tally}", seeds.count());
    if !seeds.is_one() {
        let share = |percent: u64| (seeds.count() as u64 * percent).div_ceil(100);
        tally.at_least("compared", share(AT_LEAST));
        for kind in [
            "with a violated assertion",
            "without one",
            "with an invalid end state",
            "with valid ends only",
            "with another number of states without priorities",
        ] {
            tally.at_least(kind, share(OF_EACH));
        }
    }
}

/// Models about one thing each.
const MODELS: &[(&str, &str)] = &[
    (
        "the highest priority moves first, and lower ones where it is blocked",
        "byte x;
         active proctype A() priority 3 { x = 1; x == 2 -> x = 3 }
         active proctype B() priority 2 { assert(x == 1); x = 2; assert(x == 3) }
         active proctype C() { assert(x == 3); x = 4 }",
    ),
    (
        "an atomic sequence is interrupted by a higher priority, a d_step is not",
        "byte x;
         active proctype A() priority 3 { x == 1 -> x = 10 }
         active proctype B() { atomic { x = 1; assert(x == 1); x = 2 } }
         active proctype C() priority 3 { x == 5 -> x = 20 }
         active proctype D() { d_step { x = 5; x = x + 1 }; assert(x != 20) }",
    ),
    (
        "run gives 1 unless it says a priority, whatever the proctype says",
        "byte a, b;
         proctype P(byte i) priority 5 { if :: i -> a = _priority :: else -> b = _priority fi }
         init priority 2 { run P(0); run P(1) priority 7; assert(get_priority(1) == 1); assert(a == 7) }",
    ),
    (
        "priorities are bytes, of no process 0, and set for no process without effect",
        "byte x;
         active proctype A() {
           _priority = 300; x = _priority; assert(x == 44);
           _priority = 0; assert(get_priority(0) == 0); assert(get_priority(7) == 0);
           set_priority(9, 0); set_priority(0, 255); _priority++; assert(_priority == 0)
         }
         active proctype B() { x = 1 }",
    ),
    (
        "initial values and arguments read priorities, and the process that starts counts",
        "proctype P(byte a) { byte x = _priority; byte y = get_priority(0); byte z = get_priority(_pid);
           byte n = _nr_pr; assert(x == 7 && y == 3 && z == 7 && n == 2 && a == 3) }
         active proctype A() priority 3 { byte x = _priority; byte n = _nr_pr;
           assert(x == 3 && n == 1); run P(_priority) priority 7 }",
    ),
    (
        "a receive into a priority keeps eight bits",
        "chan q = [1] of { int };
         active proctype A() priority 3 { byte x; q!300; q?_priority; x = _priority; assert(x == 44) }
         active proctype B() priority 40 { byte y; y = get_priority(0); assert(y == 44) }",
    ),
    (
        "a priority that changes while processes wait, with timeout, else and unless",
        "byte x;
         active proctype A() priority 3 { x = 1; x == 2 -> x = 3; set_priority(_pid, 1); x = 5 }
         active proctype B() priority 2 {
           if :: x == 1 -> x = 2 :: else -> skip fi; _priority = 7; assert(get_priority(0) == 3) }
         init {
           atomic { timeout -> x = 9 };
           do :: x > 4 -> x = 0; break :: else -> x = 7 od unless { x == 8 } }",
    ),
    (
        "a process that may not move by its provided clause stops no other",
        "byte x;
         active proctype A() priority 3 provided (x == 1) { x = 2 }
         active proctype B() { x = 1; assert(x == 2) }",
    ),
    (
        "an exit that waits for a younger process stops no other",
        "byte x;
         proctype P() { x = 1 }
         init priority 4 { run P(); x = 2 }",
    ),
];

#[test]
fn models_with_priorities_agree_with_spin() {
    for (about, text) in MODELS {
        let spin = by_spin(text).unwrap_or_else(|| panic!("{about}: SPIN refuses it"));
        for order in [Order::Bfs, Order::Dfs] {
            assert_eq!(by_taut(text, order), Ok(spin), "{about}");
        }
    }
}
