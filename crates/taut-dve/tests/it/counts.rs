//! Numbers of states, transitions, deadlocks and faults, to the last one. Most are published: by BEEM for the
//! models under sequential consistency, in Havel's thesis and its reconstruction for delayed writes.

use crate::lower_support;

use lower_support::locks::{anderson, bakery, lamport, mcs, peterson, szymanski};
use lower_support::{Counts, count, count_delayed, count_sc, lowered, only, program};
use taut_dve::RangeErrors;
use taut_explicit::Limits;
use taut_ir::{Fairness, Memory, MemoryModel};
use taut_temporal::{Emptiness, TemporalOptions, find_accepting_lasso, product_size};

#[test]
fn locks_have_the_states_and_edges_of_beem() {
    assert_eq!(count_sc(&peterson(2)), only(196, 371));
    assert_eq!(count_sc(&peterson(3)), only(12_498, 33_369));
    assert_eq!(count_sc(&lamport(2)).states, 748);
    assert_eq!(count_sc(&lamport(3)), only(29_242, 77_286));
    assert_eq!(count_sc(&szymanski(2)).states, 489);
    assert_eq!(count_sc(&szymanski(3)), only(20_264, 56_701));
    assert_eq!(count_sc(&mcs(2)).states, 173);
    assert_eq!(count_sc(&mcs(3)), only(7_963, 21_503));
    assert_eq!(count_sc(&anderson(3, false)), only(1_459, 3_705));
    let bakery = count_sc(&bakery(2, 9));
    assert_eq!((bakery.states, bakery.transitions), (1_506, 2_697));
    assert!(bakery.deadlocks > 0, "nobody has a ticket left");
}

#[test]
fn locks_under_delayed_writes_have_the_states_of_the_thesis() {
    let plain = |text: &str| count_delayed(text, "").states;
    assert_eq!(count_delayed(&peterson(2), ""), only(7_267, 29_356));
    assert_eq!(plain(&lamport(2)), 171_813);
    assert_eq!(plain(&bakery(2, 2)), 40_136);
    assert_eq!(plain(&bakery(2, 3)), 102_169);
    assert_eq!(plain(&szymanski(2)), 492_281);
    assert_eq!(plain(&mcs(2)), 30_448);
}

#[test]
fn atomic_writes_take_the_states_away_again() {
    // The published minima: every write but that of leaving; the four of Lamport's; the swaps on the tail.
    let of_both = |entries: &[&str]| -> String {
        (0..2).flat_map(|i| entries.iter().map(move |e| e.replace('#', &i.to_string()))).collect()
    };
    let peterson_list =
        of_both(&["write room P_# 1 enter->set\n", "write last P_# 2 set -> look\n"]);
    assert_eq!(count_delayed(&peterson(2), &peterson_list).states, 254);
    let entries =
        ["write b P_# 0\n", "write x P_# 1\n", "write y P_# 5 // enter\n", "write y P_# 12\n"];
    assert_eq!(count_delayed(&lamport(2), &of_both(&entries)).states, 1_384);
    assert_eq!(count_delayed(&mcs(2), &of_both(&["write tail P_# 1\n"])).states, 4_901);
    // With everything atomic nothing is left to wait.
    let all = (0..7).map(|t| format!("write * P_# {t}\n")).collect::<Vec<_>>();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(count_delayed(&peterson(2), &of_both(&all)), count_sc(&peterson(2)));
}

#[test]
fn fences_wait_before_their_transition() {
    let one = "byte x, y; process P { state a, b, c; init a; trans
        a -> b { effect x = 1; }, b -> c { guard y == 0; effect y = 1; }; } system async;";
    // x waits or not, in b and in c; y waits or not, in c.
    assert_eq!(count_delayed(one, "").states, 1 + 2 + 4);
    assert_eq!(count_delayed(one, "fence P 1").states, 1 + 2 + 2);
}

/// A byte that counts past 255: an error, or 0 again.
#[test]
fn values_out_of_range_go_wrong_or_wrap() {
    let text = "byte x = 250; process P { state a; init a; trans a -> a { effect x = x+1; }; }
        system async;";
    let error = Counts { states: 6, transitions: 5, deadlocks: 0, faults: 1 };
    assert_eq!(count_sc(text), error);
    let wrapped = lowered(text, RangeErrors::Wrap).program;
    assert_eq!(count(&wrapped, MemoryModel::Sc), only(256, 256));
}

/// The published numbers of Anderson's lock gone wrong: 347,036 states and the error state of DiVinE, or
/// 352,664 if bytes wrap.
#[test]
fn a_counter_that_overflows_has_the_states_known() {
    let wrong = lowered(&anderson(2, true), RangeErrors::Error).program;
    let counts = count(&wrong, MemoryModel::Sc);
    assert_eq!(counts.states, 347_036);
    assert!(counts.faults > 0);
    let wrapped = lowered(&anderson(2, true), RangeErrors::Wrap).program;
    assert_eq!(count(&wrapped, MemoryModel::Sc), only(352_664, 704_302));
}

/// DiVinE's own test of channels: one message of two values, with room for 0, 1 or 3.
#[test]
fn channels_with_and_without_room() {
    let text = |room: u32| {
        format!(
            "byte x, y; channel {{byte, int}} c[{room}];
process S {{ state a, b; init a; trans a -> b {{ sync c!{{7, -1}}; }}, b -> b {{}}; }}
process R {{ int z; state a, b; init a; trans a -> b {{ sync c?{{x, z}}; }}, b -> b {{}}; }}
system async;"
        )
    };
    assert_eq!(count_sc(&text(0)), only(2, 3));
    assert_eq!(count_sc(&text(1)), only(3, 5));
    assert_eq!(count_sc(&text(3)), only(3, 5));
}

#[test]
fn committed_processes_go_first() {
    let text = |commit: &str| {
        format!(
            "process P {{ state a, b, c; init a; {commit} trans a -> b {{}}, b -> c {{}}, c -> a {{}}; }}
process Q {{ state a, b; init a; trans a -> b {{}}, b -> a {{}}; }} system async;"
        )
    };
    assert_eq!(count_sc(&text("")), only(6, 12));
    // From b only P moves on.
    assert_eq!(count_sc(&text("commit b;")), only(6, 10));
    assert_eq!(count_sc(&text("commit b, c;")), only(6, 8));
}

#[test]
fn both_partners_of_a_rendezvous_must_be_committed() {
    let text = |commit: &str| {
        format!(
            "channel c; process P {{ state a, b; init a; commit a; trans a -> b {{ sync c!; }}; }}
process Q {{ state a, b; init a; {commit} trans a -> b {{ sync c?; }}; }} system async;"
        )
    };
    let stuck = Counts { states: 1, transitions: 0, deadlocks: 1, faults: 0 };
    assert_eq!(count_sc(&text("")), stuck);
    let met = Counts { states: 2, transitions: 1, deadlocks: 1, faults: 0 };
    assert_eq!(count_sc(&text("commit a;")), met);
}

/// The product of a model and its property process: the automaton moves along, and alone at the end.
#[test]
fn products_have_all_their_nodes() {
    let text = |from: &str| {
        format!(
            "byte x; process P {{ state a, b; init a; trans a -> a {{ guard x < 3; effect x = x+1; }},
a -> b {{ guard x > 1; }}; }}
process never {{ state q, r; init q; accept r; trans q -> q {{}}, q -> r {{ guard {from}; }},
r -> r {{ guard not P.b; }}; }} system async property never;"
        )
    };
    // Seen from x == 3 on, not to have ended stays true nowhere: every run ends in b.
    let size = |from: &str| {
        let lowered = lowered(&text(from), RangeErrors::Error);
        let property = lowered.property.expect("a property process");
        let memory = Memory::new(MemoryModel::Sc);
        let size =
            product_size(&lowered.program, memory, property, &Limits::default()).expect("small");
        let options = TemporalOptions {
            fairness: Fairness::NONE,
            emptiness: Emptiness::Components,
            reduce: taut_explicit::Reduce::None,
            threads: 1,
            alone: taut_temporal::PARALLEL_FROM_NODES,
            spawn_all: false,
            limits: Limits::default(),
        };
        let run =
            find_accepting_lasso(&lowered.program, memory, property, &options).expect("small");
        (size.stats.states, size.stats.transitions, run.found.is_some())
    };
    // States: x = 0..3 in a, x = 2, 3 in b. With q: all 6. With r: what follows x == 3, which is b only.
    assert_eq!(size("x == 3 and P.a"), (7, 8, false));
    // In b the automaton goes from q to r and is stuck there.
    assert_eq!(size("P.b"), (8, 9, false));
    let accepting = "byte x; process P { state a; init a; trans a -> a { effect x = 1 - x; }; }
process never { state q; init q; accept q; trans q -> q { guard x == 0 or x == 1; }; }
system async property never;";
    let lowered = lowered(accepting, RangeErrors::Error);
    let property = lowered.property.expect("a property process");
    let size =
        product_size(&lowered.program, Memory::new(MemoryModel::Sc), property, &Limits::default());
    assert_eq!(size.expect("small").stats.states, 2);
}

#[test]
fn a_guard_that_faults_is_one_that_can_be_taken() {
    let text = "byte a[2]; process P { byte i = 5; state s; init s; trans
        s -> s { guard i < 2 and a[i] == 0; }, s -> s { guard a[i] == 0; }, s -> s { guard 1 / a[0]; };
        } system async;";
    assert_eq!(count_sc(text), Counts { states: 1, transitions: 0, deadlocks: 0, faults: 2 });
    assert_eq!(program(text).defs[0].steps.len(), 3);
}
