//! What a model becomes: steps, values, channels, properties, and what is refused.

use crate::lower_support;

use lower_support::{Counts, count_sc, lowered, only, program, refusals};
use taut_dve::RangeErrors;
use taut_explicit::{SearchOptions, explore};
use taut_ir::{Expr, Finding, Memory, MemoryModel, PropertyKind, VarKind};
use taut_witness::{Trace, replay};

/// The names of the properties over states that are violated under sequential consistency. The replayer
/// agrees with every run that is found.
fn violated(text: &str) -> Vec<String> {
    let program = program(text);
    let options = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
    let memory = Memory::new(MemoryModel::Sc);
    let found = explore(&program, memory, &options).found;
    for f in &found {
        let trace = Trace::new(memory, f.finding, f.actions.clone());
        replay(&program, &trace).unwrap_or_else(|e| panic!("{e}"));
    }
    let properties = found.iter().filter_map(|f| match f.finding {
        Finding::Property(id) => Some(program.property(id).name.clone()),
        _ => None,
    });
    properties.collect()
}

/// A process with variables that makes one move, on some conditions; whether it can.
fn can(variables: &str, guard: &str) -> bool {
    let text = format!(
        "{variables} process P {{ state a, b; init a; trans a -> b {{ guard {guard}; }}; }} system async;"
    );
    let counts = count_sc(&text);
    assert_eq!((counts.faults, counts.deadlocks), (0, 1));
    counts.states == 2
}

#[test]
fn every_transition_is_the_step_of_its_number() {
    let text = "byte x; channel c; process P { state a, b; init b;
        trans b -> a { guard x < 3 and not (x == 1); sync c!; effect x = x + 1, x = x * 2; },
        a -> b {}; } process Q { state s; init s; trans s -> s { sync c?; }; } system async;";
    let program = program(text);
    let steps = &program.defs[0].steps;
    let texts: Vec<_> = steps.iter().map(|s| s.text.as_deref().unwrap_or("")).collect();
    let first = "b -> a { guard x < 3 and not (x == 1); sync c!; effect x = x + 1, x = x * 2; }";
    assert_eq!(texts, [first, "a -> b {}"]);
    assert_eq!((steps[0].source.0, steps[1].source.0, program.defs[0].entry.0), (1, 0, 1));
    assert_eq!(steps[0].effects.len(), 2);
    let said = &text[steps[1].span.start as usize..steps[1].span.end as usize];
    assert_eq!(said, "a -> b {}");
    assert!(program.defs.iter().flat_map(|d| &d.points).all(|l| !l.end));
}

#[test]
fn numbers_have_32_bits_on_the_way() {
    let x = "int x = 32767;";
    // 32767 cubed is 35,181,150,961,663; its lowest 32 bits are these.
    assert!(can(x, "x * x * x == 1073840127"));
    assert!(can(x, "x << 17 == 0 - 131072"));
    assert!(can(x, "x * x * 4 + 262140 == 0"));
    assert!(can(x, "x * x == 1073676289"));
    assert!(can(x, "1 << 31 < 0 and (1 << 31) - 1 > 0"));
    assert!(can(x, "-(1 << 31) == 1 << 31"));
    assert!(can("byte z;", "((1 << 31) + z) / (z - 1) < 0"));
    assert!(can("byte z = 200;", "~z == -201 and z >> 3 == 25 and -z / 7 == -28 and -z % 7 == -4"));
}

#[test]
fn connectives_compute_no_more_than_they_need() {
    let a = "byte a[2] = {1, 0}; byte i = 2;";
    assert!(can(a, "not (i < 2 and a[i] == 0)"));
    assert!(can(a, "i == 2 or a[i] == 0"));
    assert!(can(a, "i < 2 imply a[i] == 0"));
    assert!(can(a, "(5 and 6) == 1 and (0 or 7) == 1 and (3 imply 4) == 1"));
    assert!(!can(a, "a[0] imply a[1]"));
}

#[test]
fn effects_come_one_after_the_other_behind_the_move() {
    let text = "byte x; byte y; process P { byte i; state a, b; init a;
        assert b: x == 1, b: y == 1, b: i == 2;
        trans a -> b { guard P.a and not P.b; effect i = i + 1, x = P.b, y = i * (1 - P.a), i = i + 1; };
        } system async;";
    assert_eq!(violated(text), Vec::<String>::new());
    assert_eq!(violated(&text.replace("y == 1", "y == 2")), ["assert P.b"]);
}

#[test]
fn a_rendezvous_hands_over_then_the_receiver_then_the_sender() {
    let text = |x: u32| {
        format!(
            "byte x = 1; channel c;
process S {{ state a, b; init a; assert b: x == {x}; trans a -> b {{ sync c!x; effect x = x*10 + 2; }}; }}
process R {{ byte r; state a, b; init a; trans a -> b {{ sync c?r; effect x = x*10 + r + 4; }}; }}
system async;"
        )
    };
    assert_eq!(violated(&text(152)), Vec::<String>::new());
    assert_eq!(violated(&text(125)), ["assert S.b"]);
}

#[test]
fn typed_channels_cast_and_others_do_not() {
    let text = |channel: &str, value: &str| {
        format!(
            "{channel} process S {{ state a, b; init a; trans a -> b {{ sync c!{value}; }}; }}
process R {{ byte r; state a, b; init a; assert b: r == 44; trans a -> b {{ sync c?r; }}; }}
system async;"
        )
    };
    for channel in ["channel {byte} c[0];", "channel {byte} c[2];"] {
        assert_eq!(violated(&text(channel, "300")), Vec::<String>::new());
        assert_eq!(count_sc(&text(channel, "300")).faults, 0);
    }
    assert_eq!(count_sc(&text("channel c;", "300")).faults, 1);
    assert_eq!(count_sc(&text("channel {int} c[0];", "300")).faults, 1);
    assert_eq!(violated(&text("channel c;", "44")), Vec::<String>::new());
    assert_eq!(violated(&text("channel c;", "45")), ["assert R.b"]);
}

#[test]
fn other_processes_can_be_looked_at() {
    let text = "byte g; process P { byte a[2] = {3, 4}; byte v = 9; state s, t; init s;
        trans s -> t { effect a[1] = 5; }; }
        process Q { byte i; state s, t, u; init s;
        trans s -> t { guard P.t and P->v == 9; effect i = 1; },
        t -> u { guard P->a[i] == 5 and P->a[0] == 3 and P->a[g] == 3; },
        t -> u { guard P->a[i + 1] == 0; }; } system async;";
    let program = program(text);
    assert_eq!(count_sc(text), Counts { states: 4, transitions: 3, deadlocks: 1, faults: 1 });
    let reads = |e: &Expr| {
        let mut found = false;
        e.visit(&mut |e| found |= matches!(e, Expr::At(..)));
        found
    };
    assert!(reads(&program.defs[1].steps[0].guard));
}

#[test]
fn constants_are_no_part_of_the_state() {
    let text =
        "const byte n = 3, table[3] = {7, 8, 9}; byte x; process P { const int m = -5; byte i;
        state s; init s; assert s: x == 0 or x >= 7;
        trans s -> s { guard i < n and m < 0; effect x = table[i], i = i + 1; },
        s -> s { guard i == n and table[1] == 8; effect x = table[i]; }; } system async;";
    let program = program(text);
    let kinds: Vec<_> = program.vars.iter().map(|v| (v.name.as_str(), v.kind)).collect();
    assert_eq!(kinds, [("table", VarKind::Ghost), ("x", VarKind::Shared)]);
    assert_eq!(count_sc(text), Counts { states: 4, transitions: 3, deadlocks: 0, faults: 1 });
    assert_eq!(violated(text), Vec::<String>::new());
}

#[test]
fn an_assertion_sees_what_its_process_sees() {
    let text = "byte x; process P { state a, b; init a; assert b: x == 1;
        trans a -> b { effect x = 1; }; } system async;";
    let program = program(text);
    let found = |model| {
        let options = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
        let found = explore(&program, Memory::new(model), &options).found;
        found.iter().any(|f| matches!(f.finding, Finding::Property(_)))
    };
    assert!(!found(MemoryModel::Sc) && !found(MemoryModel::Delayed));
}

#[test]
fn a_property_process_is_an_automaton() {
    let text = "byte x; process P { state a; init a; trans a -> a { effect x = 1 - x; }; }
        process watch { const byte one = 1; state q, r, s; init q; accept r, s;
        trans q -> q {}, q -> r { guard x == one; }, r -> r { guard x == one; },
        r -> s { guard false; }, s -> s { guard true; }; } system async property watch;";
    let lowered = lowered(text, RangeErrors::Error);
    assert_eq!(lowered.program.processes.len(), 1);
    let property = lowered.program.property(lowered.property.expect("one"));
    assert_eq!(property.name, "watch");
    let PropertyKind::Never(never) = &property.kind else { panic!("{property:?}") };
    let texts: Vec<_> = never.atoms.iter().map(|a| a.text.as_str()).collect();
    assert_eq!(texts, ["x == one"]);
    let edges: Vec<_> = never.automaton.states.iter().map(|s| s.edges.len()).collect();
    assert_eq!(edges, [2, 1, 1]);
    let accepts = |s: usize| never.automaton.states[s].edges.iter().all(|e| e.accepts == 1);
    assert!(!accepts(0) && accepts(1) && accepts(2));
}

#[test]
fn what_a_property_process_cannot_do() {
    let text = |watch: &str, more: &str| {
        format!(
            "byte x; channel c; process P {{ state a; init a; trans a -> a {{ {more} }}; }}
process W {{ {watch} }} system async property W;"
        )
    };
    let acts = "state q; init q; trans q -> q { effect x = 1; };";
    let message = "the property process `W` can only watch".to_owned();
    assert_eq!(refusals(&text(acts, "")), [("D0401", message.clone())]);
    let sends = "state q; init q; trans q -> q { sync c!; };";
    assert_eq!(refusals(&text(sends, "sync c?;")), [("D0401", message)]);
    let own = "byte v; state q; init q; trans q -> q { guard v == 0; };";
    let message = "a property process has no variables of its own".to_owned();
    assert_eq!(refusals(&text(own, "")), [("D0401", message)]);
    let plain = "state q; init q; trans q -> q {};";
    let message = "`W` is the property process, which only watches".to_owned();
    assert_eq!(refusals(&text(plain, "guard W.q;")), [("D0403", message)]);
    let many: Vec<_> = (0..65).map(|i| format!("q -> q {{ guard x == {i}; }}")).collect();
    let many = format!("state q; init q; trans {};", many.join(", "));
    let message = "the property process `W` has 65 different guards".to_owned();
    assert_eq!(refusals(&text(&many, "")), [("D0402", message)]);
}

#[test]
fn what_a_property_process_says_in_vain() {
    let text = "process P { state a; init a; trans a -> a {}; }
        process W { state q; init q; assert q: 0; trans q -> q {}; } system async property W;";
    let lowered = lowered(text, RangeErrors::Error);
    let codes: Vec<_> = lowered.warnings.iter().map(|d| d.code).collect();
    assert_eq!((codes, lowered.program.properties.len()), (vec!["D0406"], 1));
}

/// An index is computed once for each element it may name, so that nested ones would be far too large.
#[test]
fn nested_indices_into_other_processes_are_refused_before_they_explode() {
    let text = |index: &str| {
        format!(
            "process P {{ byte a[100]; state s; init s; }} process Q {{ byte i; state s; init s;
trans s -> s {{ guard P->a[{index}] == 0; }}; }} system async;"
        )
    };
    assert_eq!(count_sc(&text("i")), only(1, 1));
    let message = "a computed index into a long array of another process".to_owned();
    assert_eq!(refusals(&text("P->a[P->a[P->a[P->a[i]]]]")), [("D0404", message)]);
}

#[test]
fn an_assertion_can_look_through_others() {
    let text = |value: u32| {
        format!(
            "byte g[2] = {{5, 6}}; const byte t[2] = {{1, 0}};
process P {{ byte i = 1; state s; init s; assert s: g[Q->j] + g[i] == {value} and t[i] == Q->b[t[0]]; }}
process Q {{ byte j, b[2]; state s; init s; }} system async;"
        )
    };
    assert_eq!(violated(&text(11)), Vec::<String>::new());
    assert_eq!(violated(&text(12)), ["assert P.s"]);
}

/// Neither a deep stack nor a large program comes of many small things.
#[test]
fn many_assertions_and_many_committed_processes() {
    let asserts = vec!["a: x < 3"; 20_000].join(", ");
    let text = format!(
        "byte x; process P {{ state a; init a; assert {asserts}; trans a -> a {{ guard x < 3;
effect x = x + 1; }}; }} system async;"
    );
    assert_eq!(violated(&text), ["assert P.a"]);
    let committed = |n: usize| {
        let one =
            |i| format!("process P{i} {{ state a, b; init a; commit b; trans a -> b {{}}; }}\n");
        (0..n).map(one).collect::<String>() + "system async;"
    };
    // Who commits is stuck there, and so is everybody else.
    let counts = count_sc(&committed(10));
    assert_eq!((counts.states, counts.transitions, counts.deadlocks), (11, 10, 10));
    let message = "2000 processes with committed locations".to_owned();
    assert_eq!(refusals(&committed(2_000)), [("D0407", message)]);
}

#[test]
fn a_model_that_only_moves() {
    let text = "process P { state a, b; init a; trans a -> b {}, b -> a {}; } system async;";
    assert_eq!(count_sc(text), only(2, 2));
}
