//! `trace` and `notrace` assertions in Taut and in SPIN: the same verdicts and as many states under SC.
//!
//! SPIN runs for real, without its reductions; `make test` installs it, and without it this test fails. There are models
//! written by hand, one for each rule, and random ones. `TAUT_SEED=n` runs one seed, `TAUT_SOAK=n` as many times more of
//! them.

use std::time::Duration;

use taut::ir::{Memory, MemoryModel};
use taut::load::from_text;
use taut::{Check, Order, Reduce, Verdict};
use taut_testkit::promela::{Model, generate_with_trace};
use taut_testkit::seeds::{Difference, Seeds};
use taut_testkit::spin::Verifier;
use taut_testkit::tally::Tally;

/// Seeds in an ordinary run: where SPIN's verifiers compile fast, and where each of them takes half a second.
const SEEDS: (u64, u64) = (200, 100);
/// Time that SPIN may take for one model.
const MOST_TIME: Duration = Duration::from_secs(5);

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Answer {
    /// An event that is not allowed, or the last one of a `notrace`.
    event: bool,
    /// A process, or the assertion, is where it may not end.
    end_state: bool,
    /// An event with two transitions. SPIN's search ends there, so nothing else is compared.
    two: bool,
    states: u64,
}

/// What SPIN says; the reason if that is nothing.
fn by_spin(text: &str) -> Result<Answer, String> {
    let search = match Verifier::plain(text)?.search(MOST_TIME) {
        Err(error) if error.contains("non-determinism in event-trace") => {
            return Ok(Answer { two: true, ..Answer::default() });
        }
        search => search?,
    };
    let is_event = |e: &String| e.starts_with("event_trace error");
    if search.errors.iter().any(|e| e.starts_with("non-determinism in event-trace")) {
        return Ok(Answer { two: true, ..Answer::default() });
    }
    if let Some(other) =
        search.errors.iter().find(|e| !is_event(e) && !e.starts_with("invalid end"))
    {
        return Err(format!("another error: {other}"));
    }
    Ok(Answer {
        event: search.errors.iter().any(is_event),
        end_state: search.end_state(),
        two: false,
        states: search.figures.states,
    })
}

/// What Taut says, or why it says nothing.
fn by_taut(text: &str, order: Order) -> Result<Answer, String> {
    let loaded = from_text("model.pml", text).map_err(|e| format!("refused: {e}"))?;
    let check = Check::of(&loaded).order(order).whole(true).reduce(Reduce::None);
    let report = check.max_states(Some(2_000_000)).run().map_err(|e| format!("fault: {e}"))?;
    if !report.complete {
        return Err("the search was cut off".into());
    }
    let violated = |name: &str| {
        let mut of_name = report.results.iter().filter(|r| r.name == name);
        of_name.any(|r| matches!(r.verdict, Verdict::Violated(_)))
    };
    if violated("trace_deterministic") {
        return Ok(Answer { two: true, ..Answer::default() });
    }
    Ok(Answer {
        event: violated("trace") || violated("notrace"),
        end_state: violated("deadlock"),
        two: false,
        states: report.stats.states,
    })
}

/// The properties that are violated under a memory model, with reductions or without, or why that is not known.
fn violated(text: &str, model: MemoryModel, reduce: Reduce) -> Result<Vec<String>, String> {
    let loaded = from_text("model.pml", text).map_err(|e| format!("refused: {e}"))?;
    let check = Check::of(&loaded).model(model).bound(Some(2)).all(true).reduce(reduce);
    let report = check.max_states(Some(20_000)).run().map_err(|e| format!("fault: {e}"))?;
    if !report.complete {
        return Err("the search was cut off".into());
    }
    let wrong = report.results.iter().filter(|r| matches!(r.verdict, Verdict::Violated(_)));
    let mut names: Vec<String> = wrong.map(|r| r.name.clone()).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// The same by brute force, in which the replayer takes the steps.
fn by_force(text: &str, model: MemoryModel) -> Result<Vec<String>, String> {
    let loaded = from_text("model.pml", text).map_err(|e| format!("refused: {e}"))?;
    let memory = Memory { bound: Some(2), ..Memory::new(model) };
    let found = taut_witness::enumerate::explore(&loaded.program, memory, 4_000);
    let found = found.ok_or("too many states")?.findings;
    let mut names: Vec<String> = found.iter().map(|f| f.name(&loaded.program)).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Compares reductions and brute force with the whole search, under each memory model. Every violation is replayed on the
/// way.
fn compare_reductions(seed: u64, text: &str) -> Result<(), Difference> {
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        let Ok(whole) = violated(text, model, Reduce::None) else { continue };
        let reduced = violated(text, model, Reduce::All);
        // Not every model is small enough for brute force.
        let force = by_force(text, model).unwrap_or_else(|_| whole.clone());
        if reduced.as_ref() != Ok(&whole) || force != whole {
            let said = format!("{model:?}: {whole:?}, reduced {reduced:?}, by force {force:?}");
            return Err(Difference { seed, model: text.into(), said });
        }
    }
    Ok(())
}

/// Whether an answer of Taut is the one of SPIN. An offer of a rendezvous that no process accepts is an event for SPIN only.
fn agrees(spin: Answer, taut: &Result<Answer, String>, observes_offers: bool) -> bool {
    let Ok(taut) = *taut else { return false };
    match observes_offers {
        true if spin.two && !taut.two => true,
        true => (spin.event || !taut.event) && Answer { event: spin.event, ..taut } == spin,
        false => taut == spin,
    }
}

/// Counts an answer.
fn count(tally: &Tally, answer: Answer) {
    let holds = !(answer.event || answer.end_state || answer.two);
    let kinds = [
        ("compared", true),
        ("hold", holds),
        ("with a wrong event", answer.event),
        ("with a wrong end", answer.end_state),
        ("with two transitions for one event", answer.two),
    ];
    for (kind, _) in kinds.into_iter().filter(|(_, counts)| *counts) {
        tally.count(kind);
    }
}

/// Compares on the model of a seed.
fn compare(seed: u64, tally: &Tally) -> Result<(), Difference> {
    let order = if seed.is_multiple_of(2) { Order::Bfs } else { Order::Dfs };
    let traced = generate_with_trace(seed);
    let text = traced.model.text();
    let Ok(spin) = by_spin(&text) else {
        tally.count("without an answer of SPIN");
        return Ok(());
    };
    if agrees(spin, &by_taut(&text, order), traced.observes_offers) {
        count(tally, spin);
        return compare_reductions(seed, &text);
    }
    let differs = |candidate: &Model| {
        let text = candidate.text();
        by_spin(&text).is_ok_and(|s| !agrees(s, &by_taut(&text, order), traced.observes_offers))
    };
    let model = traced.model.reduce(differs).text();
    let (spin, taut) = (by_spin(&model), by_taut(&model, order));
    Err(Difference { seed, model, said: format!("SPIN: {spin:?}\nTaut: {taut:?}") })
}

#[test]
fn random_assertions_have_the_same_verdicts_and_as_many_states_in_spin() {
    let (seeds, tally) = (Seeds::of_verifiers(SEEDS), Tally::new());
    seeds.compare(|seed| compare(seed, &tally));
    println!("of {} models: {tally}", seeds.count());
    if !seeds.is_one() {
        let all = seeds.count() as u64;
        tally.at_least("compared", all * 8 / 10);
        tally.at_least("hold", all / 20).at_least("with a wrong event", all / 5);
        tally.at_least("with a wrong end", all / 20);
        tally.at_least("with two transitions for one event", all / 100);
    }
}

/// Models by hand: what they are about, what SPIN says (`holds`, or a wrong `event`, a wrong `end`, `two` transitions), the
/// assertion, and the processes. The assertion comes last: SPIN loses every rendezvous of the first process if the
/// assertion is the first process of the text.
const MODELS: &[(&str, &str, &str, &str)] = &[
    ("events in order", "holds", "trace { q!1; q?1 }", "active proctype P() { q!1; q?x }"),
    ("a send with another value", "event", "trace { q!1 }", "active proctype P() { q!2 }"),
    (
        "an event after the closing brace",
        "event",
        "trace { q!1 }",
        "active proctype P() { q!1; q!1 }",
    ),
    (
        "a channel that is not named is out of scope",
        "holds",
        "trace { q!1 }",
        "active proctype P() { q!1; p!ping(1); p?ping(1) }",
    ),
    (
        "receives are out of scope where only sends are named",
        "holds",
        "trace { do :: q!1 od }",
        "active proctype P() { q!1; q?x; q!1; q?x }",
    ),
    (
        "an event that nothing leads to is in scope",
        "event",
        "trace { do :: q!1; od; q?1 }",
        "active proctype P() { q!1; q?x }",
    ),
    (
        "a receive that leaves the message is no event",
        "holds",
        "trace { q!1; q?1 }",
        "active proctype P() { q!1; q?<x>; q?x }",
    ),
    (
        "a poll is no event",
        "holds",
        "trace { q!1; q?1 }",
        "active proctype P() { q!1; q?[1]; q?x }",
    ),
    (
        "an expression in a send stands for any value",
        "holds",
        "trace { q!(1+2) }",
        "active proctype P() { q!7 }",
    ),
    ("so does a negative number", "holds", "trace { q!-1 }", "active proctype P() { q!7 }"),
    ("so does a variable in a send", "holds", "trace { q!x }", "active proctype P() { q!7 }"),
    (
        "so does a variable in a receive",
        "holds",
        "trace { q!1; q?y }",
        "active proctype P() { q!1; q?x }",
    ),
    (
        "wildcards",
        "holds",
        "trace { do :: q!_; q?_ od }",
        "active proctype P() { q!1; q?x; q!2; q?_ }",
    ),
    (
        "a value in eval that is right",
        "holds",
        "trace { q!_; q?eval(y) }",
        "active proctype P() { y = 3; q!3; q?x }",
    ),
    (
        "a value in eval that is wrong",
        "event",
        "trace { q!_; q?eval(y) }",
        "active proctype P() { y = 3; q!4; q?x }",
    ),
    (
        "a value in eval that another process changes",
        "event",
        "trace { do :: q!_; q?eval(y) od }",
        "active proctype P() { q!3; q?x } active proctype Q() { y = 3 }",
    ),
    (
        "names and numbers in two fields",
        "holds",
        "trace { do :: p!ping,1; p?ping,1; p!pong,2; p?pong,2 od }",
        "active proctype P() { mtype m; p!ping(1); p?m,x; p!pong(2); p?pong,x }",
    ),
    (
        "a wrong second field",
        "event",
        "trace { do :: p!ping,1; p?ping,_ od }",
        "active proctype P() { mtype m; p!ping(2); p?m,x }",
    ),
    (
        "a receive that matches its fields",
        "event",
        "trace { do :: p!_,_; p?ping,2 od }",
        "active proctype P() { if :: p!ping(1) :: p!ping(2) fi; p?ping,_ }",
    ),
    (
        "the process stops too early",
        "end",
        "trace { q!1; q!2 }",
        "active proctype P() { q!1; end: x == 9 }",
    ),
    (
        "the process stops at an end label of the assertion",
        "holds",
        "trace { q!1; end: q!2 }",
        "active proctype P() { q!1; end: x == 9 }",
    ),
    (
        "the process stops at the closing brace",
        "holds",
        "trace { q!1 }",
        "active proctype P() { q!1; end: x == 9 }",
    ),
    ("no process is left", "holds", "trace { q!1; q!2 }", "active proctype P() { q!1 }"),
    (
        "a process is left and another is not",
        "end",
        "trace { q!1; q!2 }",
        "active proctype P() { q!1 } active proctype Q() { end: x == 9 }",
    ),
    (
        "the process may not stop either",
        "end",
        "trace { q!1; q!2 }",
        "active proctype P() { q!1; x == 9 }",
    ),
    (
        "a notrace that is matched",
        "event",
        "notrace { q!1; q!2 }",
        "active proctype P() { q!1; q!2 }",
    ),
    (
        "a notrace that another event ends",
        "holds",
        "notrace { q!1; q!2 }",
        "active proctype P() { q!1; q!1; q?_; q!2 }",
    ),
    (
        "a notrace that is not finished",
        "end",
        "notrace { q!1; q!2 }",
        "active proctype P() { q!1; end: x == 9 }",
    ),
    (
        "a notrace that is not finished, and no process is left",
        "holds",
        "notrace { q!1; q!2 }",
        "active proctype P() { q!1 }",
    ),
    (
        "a notrace that one of two orders matches",
        "event",
        "notrace { q!1; q!2 }",
        "active proctype P() { q!1 } active proctype Q() { q!2 }",
    ),
    (
        "a notrace with a loop",
        "event",
        "notrace { do :: q!1 :: q!2; break od }",
        "active proctype P() { q!1; q!1; q?_; q!2 }",
    ),
    (
        "a notrace that ends where an option begins with break",
        "event",
        "notrace { do :: q!1 :: break od }",
        "active proctype P() { q!2 }",
    ),
    (
        "a jump that begins an option takes any event",
        "holds",
        "trace { do :: q?1 :: goto L od; L: q!2 }",
        "active proctype P() { q!1; q!2 }",
    ),
    (
        "a break that begins an option takes any event",
        "event",
        "trace { do :: q?1 :: break od; q!2 }",
        "active proctype P() { q!1; q!1 }",
    ),
    (
        "two transitions for one event",
        "two",
        "trace { do :: q!1 :: q!_ od }",
        "active proctype P() { q!1 }",
    ),
    (
        "two transitions for an event that does not happen",
        "holds",
        "trace { do :: q!1 :: q!_ od }",
        "active proctype P() { q!2 }",
    ),
    (
        "two transitions, one of them by a jump",
        "two",
        "trace { do :: q!1 :: break od }",
        "active proctype P() { q!1 }",
    ),
    (
        "a choice inside of a loop",
        "holds",
        "trace { do :: q!_; if :: q?1 :: q?2; q!1; q?1 fi od }",
        "active proctype P() { q!1; q?_; q!2; q?_; q!1; q?_ }",
    ),
    (
        "a choice inside of a loop that is left the wrong way",
        "event",
        "trace { do :: q!_; if :: q?1 :: q?2; q!1; q?1 fi od }",
        "active proctype P() { q!2; q?_; q!2; q?_ }",
    ),
    (
        "a jump to a label",
        "event",
        "trace { again: q!1; q?1; goto again }",
        "active proctype P() { q!1; q?x; q!1; q?x; q!2 }",
    ),
    (
        "a rendezvous is a send, then a receive",
        "holds",
        "trace { do :: r!1; r?1 od }",
        "active proctype P() { r!1; r!1 } active proctype Q() { r?x; r?x }",
    ),
    (
        "a rendezvous is no receive before the send",
        "event",
        "trace { do :: r?1; r!1 od }",
        "active proctype P() { r!1 } active proctype Q() { r?x }",
    ),
    (
        "only the receive of a rendezvous",
        "event",
        "trace { do :: r?1; r?2 od }",
        "active proctype P() { r!1; r!2; r!2 } active proctype Q() { r?x; r?x; r?x }",
    ),
    (
        "a rendezvous with a choice of senders",
        "event",
        "trace { do :: r?1; r?2 od }",
        "active proctype P() { r!1 } active proctype Q() { r!2 } active proctype R() { r?x; r?x }",
    ),
    (
        "channels of an array",
        "holds",
        "trace { do :: a[0]!1; a[1]!1 od }",
        "active proctype P() { a[0]!1; a[1]!1; a[0]?x; a[0]!1 }",
    ),
    (
        "channels of an array in the wrong order",
        "event",
        "trace { do :: a[0]!1; a[1]!1 od }",
        "active proctype P() { byte i = 1; a[i]!1 }",
    ),
    (
        "a channel variable in the assertion",
        "holds",
        "trace { do :: v!1 od }",
        "active proctype P() { v = q; q!1; s!2; s?_; v = s; s!1; q!2 }",
    ),
    (
        "a channel variable in the assertion, and a wrong event",
        "event",
        "trace { do :: v!1 od }",
        "active proctype P() { v = q; q!1; v = s; q!2; s!2 }",
    ),
    (
        "a channel that is a parameter",
        "event",
        "trace { do :: q!1; q?1 od }",
        "proctype P(chan c) { c!1; c?x; c!2 } init { run P(q) }",
    ),
    (
        "a channel in a variable",
        "holds",
        "trace { do :: q!1; q?1 od }",
        "active proctype P() { chan c = s; c!5; c = q; c!1; c?x }",
    ),
    (
        "a value that does not fit the field",
        "holds",
        "trace { do :: q!1; q?1 od }",
        "active proctype P() { q!257; q?x }",
    ),
    (
        "events in atomic sequences",
        "holds",
        "trace { do :: q!1; q!2 od }",
        "active proctype P() { atomic { q!1; q!2 } q?_; q?_ } active proctype Q() { atomic { q!1; q!2 } q?_; q?_ }",
    ),
    (
        "the same without atomic",
        "event end",
        "trace { do :: q!1; q!2 od }",
        "active proctype P() { q!1; q!2; q?_; q?_ } active proctype Q() { q!1; q!2; q?_; q?_ }",
    ),
    (
        "events in a d_step",
        "holds",
        "trace { do :: q!1; q?1 od }",
        "active proctype P() { d_step { q!1; q?x } } active proctype Q() { d_step { q!1; q?x } }",
    ),
    (
        "a sorted send and a random receive with wildcards",
        "holds",
        "trace { do :: q!_; q?_ od }",
        "active proctype P() { q!!2; q??2; q!!1; q??1 }",
    ),
    (
        "an end label on a loop",
        "holds",
        "trace { end: do :: q!1; q?1 od }",
        "active proctype P() { end: do :: q!1; q?x od }",
    ),
    (
        "an end label in the middle of a loop",
        "holds",
        "trace { do :: q!1; end1: if :: q?1 :: q?2 fi od }",
        "active proctype P() { q!1; end: x == 9 }",
    ),
    (
        "the same after a whole round",
        "end",
        "trace { do :: q!1; end1: if :: q?1 :: q?2 fi od }",
        "active proctype P() { q!1; q?x; end: x == 9 }",
    ),
    (
        "a timeout that leaves an end label",
        "event",
        "trace { do :: q!1 od }",
        "active proctype P() { q!1; end: do :: timeout -> q!2; break od }",
    ),
    (
        "a timeout that leaves an end label, and a right event",
        "holds",
        "trace { q!1; q!2 }",
        "active proctype P() { q!1; end1: do :: timeout -> q!2; break od; end2: x == 9 }",
    ),
    (
        "a server and two clients",
        "event end",
        "trace { do :: q!_; q?_; s!_; s?_ od }",
        "active [2] proctype C() { atomic { q!_pid; s?x } } active proctype S() { byte z; end: do :: q?z; s!z od }",
    ),
    (
        "a server and two clients, one at a time",
        "holds",
        "trace { end: do :: q!_; q?_; s!_; s?_ od }",
        "byte n; active [2] proctype C() { atomic { n == 0; n = 1 } q!1; s?x; n = 0 } active proctype S() { byte z; end: do :: q?z; s!z od }",
    ),
    (
        "four processes that take turns",
        "end",
        "trace { do :: q?1; q?2; q?3 od }",
        "active proctype A() { q!1; q!2; q!3 } active proctype B() { q?x; q?x } active proctype C() { q?y } active proctype D() { y == 3; q!1; q?_ }",
    ),
    (
        "messages that are passed on in an inline",
        "event",
        "trace { do :: q!1; q?1 od }",
        "inline both(w) { q!w; q?w } active proctype P() { both(1); both(2) }",
    ),
    (
        "four processes that are finished",
        "end",
        "trace { do :: q?1; q?2; q?3; q?1 od }",
        "active proctype A() { q!1; q!2; q!3 } active proctype B() { q?x; q?x } active proctype C() { q?y } active proctype D() { x == 2 && y == 3; q!1; q?_ }",
    ),
    (
        "escapes",
        "event",
        "trace { do :: q!1; q?1 od }",
        "active proctype P() { { q!1; q?x; q!1 } unless { y == 1; q!2 } } active proctype Q() { y = 1 }",
    ),
    (
        "a process that sends its own number",
        "holds",
        "trace { do :: q!1; q?1 od }",
        "proctype P() { q!_pid; q?x } init { run P() }",
    ),
    (
        "an offer that no process accepts, of a message that is allowed",
        "holds",
        "trace { end: do :: r!1; r?1 od }",
        "active proctype P() { end: r!1 }",
    ),
    (
        "an event of an active process before those of init",
        "holds",
        "trace { q!1; q!2; q?1; q?2 }",
        "active proctype P() { q!1 } init { len(q) == 1; q!2; q?x; q?x }",
    ),
];

/// What the models share.
const SHARED: &str = "mtype = { ping, pong }; byte x, y; chan v;
    chan q = [2] of { byte }; chan s = [1] of { byte }; chan p = [1] of { mtype, byte };
    chan r = [0] of { byte }; chan a[2] = [1] of { byte };";

fn words(answer: Answer) -> String {
    let parts = [(answer.event, "event"), (answer.end_state, "end"), (answer.two, "two")];
    let said: Vec<&str> = parts.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    if said.is_empty() { "holds".into() } else { said.join(" ") }
}

#[test]
fn each_rule_is_that_of_spin() {
    let mut different = Vec::new();
    for (about, expected, assertion, processes) in MODELS {
        let text = format!("{SHARED}\n{processes}\n{assertion}\n");
        let spin = by_spin(&text).unwrap_or_else(|error| panic!("{about}: {error}"));
        assert_eq!(words(spin), *expected, "{about}: SPIN");
        for order in [Order::Bfs, Order::Dfs] {
            let taut = by_taut(&text, order);
            if taut != Ok(spin) {
                different.push(format!("{about}: SPIN {spin:?}, Taut {taut:?}"));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// SPIN takes the offer for an event, and Taut does not: no message is sent.
#[test]
fn an_offer_that_no_process_accepts_is_no_event() {
    let text = "chan r = [0] of { byte };
        active proctype P() { end: r!2 }
        active proctype Q() { r!1 }
        active proctype R() { r?1; end: false }
        trace { end: do :: r!1; r?1 od }";
    assert!(by_spin(text).expect("SPIN runs").event);
    let taut = by_taut(text, Order::Bfs).expect("Taut runs");
    assert!(!taut.event && !taut.end_state, "{taut:?}");
}
