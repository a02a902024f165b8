//! The export with buffers: mutual exclusion and other models with known counts, what the text looks like,
//! names, limits, and fairness in formulas.

use crate::buffers_support;

use buffers_support::{compared, counts, exported, model, program};
use taut_dve::ast::Model;
use taut_dve::{
    AtomicList, MOST_READS, RangeErrors, claims, fair_ltl, formulas, parse_atomic, print,
    with_buffers,
};
use taut_explicit::Limits;
use taut_ir::{Claim, ClaimText, Fairness, Memory, MemoryFairness, MemoryModel, Program, PropId};
use taut_source::SourceMap;
use taut_temporal::{Emptiness, TemporalOptions, find_accepting_lasso};

const LIMIT: u64 = 200_000;

/// Two processes of a text with `$i` for the own number and `$o` for the other.
fn twice(globals: &str, process: &str) -> String {
    let one = |i: u8| process.replace("$i", &i.to_string()).replace("$o", &(1 - i).to_string());
    format!("{globals}\n{}\n{}\nsystem async;", one(0), one(1))
}

fn peterson() -> String {
    twice(
        "byte pos[2]; byte step[2];",
        "process P_$i { byte j, k; state idle, cs, wait, q2, q3; init idle; trans
           idle -> wait { effect j = 1; },
           wait -> q2 { guard j < 2; effect pos[$i] = j; },
           q2 -> q3 { effect step[j-1] = $i, k = 0; },
           q3 -> q3 { guard k < 2 && (k == $i || pos[k] < j); effect k = k+1; },
           q3 -> wait { guard step[j-1] != $i || k == 2; effect j = j+1; },
           wait -> cs { guard j == 2; },
           cs -> idle { effect pos[$i] = 0; }; }",
    )
}

fn lamport() -> String {
    twice(
        "byte b[2]; byte x = 255; byte y = 255;",
        "process P_$i { byte j; state idle, cs, q1, q2, q22, p, q3, q4, q5, e1; init idle; trans
           idle -> q1 { effect b[$i] = 1; },
           q1 -> q2 { effect x = $i; },
           q2 -> q22 { guard y != 255; effect b[$i] = 0; },
           q22 -> idle { guard y == 255; },
           q2 -> p { guard y == 255; },
           p -> q3 { effect y = $i; },
           q3 -> cs { guard x == $i; },
           q3 -> q4 { guard x != $i; effect b[$i] = 0, j = 0; },
           q4 -> q4 { guard j < 2 && b[j] == 0; effect j = j+1; },
           q4 -> q5 { guard j == 2; },
           q5 -> cs { guard y == $i; },
           q5 -> idle { guard y == 255; },
           cs -> e1 { effect y = 255; },
           e1 -> idle { effect b[$i] = 0; }; }",
    )
}

fn bakery() -> String {
    twice(
        "byte choosing[2]; byte number[2];",
        "process P_$i { byte j, max; state idle, choose, wait, for1, for2, cs; init idle; trans
           idle -> choose { effect choosing[$i] = 1, j = 0, max = 0; },
           choose -> choose { guard j < 2 && number[j] > max; effect max = number[j], j = j+1; },
           choose -> choose { guard j < 2 && number[j] <= max; effect j = j+1; },
           choose -> wait { guard j == 2 && max < 2;
             effect number[$i] = max+1, j = 0, choosing[$i] = 0; },
           wait -> for1 { guard j < 2 && choosing[j] == 0; },
           for1 -> wait { guard number[j] == 0 || (number[j] > number[$i])
             || (number[j] == number[$i] && $i <= j); effect j = j+1; },
           wait -> cs { guard j == 2; },
           cs -> idle { effect number[$i] = 0; }; }",
    )
}

/// Short-circuits with the index one past the end.
fn szymanski() -> String {
    twice(
        "byte a[2]; byte w[2]; byte s[2];",
        "process P_$i { byte j; state idle, p1, p2, p3, p4, p5, cs; init idle; trans
           idle -> p1 { effect a[$i] = 1, j = 0; },
           p1 -> p1 { guard j < 2 && s[j] == 0; effect j = j+1; },
           p1 -> p2 { guard j == 2; effect w[$i] = 1, a[$i] = 0, j = 0; },
           p2 -> p3 { guard not (j < 2 && a[j] == 0) && j < 2; effect w[$i] = 0; },
           p2 -> p2 { guard j < 2 && a[j] == 0; effect j = j+1; },
           p2 -> p4 { guard not (j < 2 && a[j] == 0); effect s[$i] = 1, w[$i] = 0, j = 0; },
           p3 -> p4 { guard s[$o] == 1; effect s[$i] = 1, j = 0; },
           p4 -> p4 { guard j < $i && s[j] == 0; effect j = j+1; },
           p4 -> cs { guard j == $i; },
           cs -> idle { effect s[$i] = 0; }; }",
    )
}

/// Swaps, compare-and-swaps, and an index that is an element.
fn mcs() -> String {
    twice(
        "byte next[2] = {255, 255}; byte locked[2]; byte tail = 255;",
        "process P_$i { byte pred; state idle, p2, p3, p4, cs, p6, p9, p10; init idle; trans
           idle -> p2 { effect next[$i] = 255; },
           p2 -> p3 { effect pred = tail, tail = $i; },
           p3 -> cs { guard pred == 255; },
           p3 -> p4 { guard pred != 255; effect locked[$i] = 1, next[pred] = $i; },
           p4 -> cs { guard locked[$i] == 0; },
           cs -> p6 {},
           p6 -> p9 { guard next[$i] == 255; },
           p9 -> idle { guard tail == $i; effect tail = 255; },
           p9 -> p10 { guard tail != $i; },
           p10 -> idle { guard next[$i] != 255; effect locked[next[$i]] = 0; },
           p6 -> idle { guard next[$i] != 255; effect locked[next[$i]] = 0; }; }",
    )
}

const MESSAGES: &str = "byte x; int a[3]; byte last;
    channel c; channel {byte, int} d[2];
    process S { byte n; state s, t; init s; trans
      s -> t { guard n < 2; effect n = n + 1, x = n; },
      t -> s { sync c!x + a[n - 1]; effect a[n - 1] = x; },
      s -> t { guard n < 2; sync d!{x, a[last]}; effect n = n + 1, x = 0; }; }
    process R { byte m; state s; init s; trans
      s -> s { sync c?last; effect m = (m + last) % 3; },
      s -> s { sync d?{m, a[last % 3]}; effect last = a[m % 3] % 3; }; }
    system async;";

/// Values that leave their types, an index out of range, a division by zero, in effects and in guards.
const FAULTS: &str = "int z = 32766; byte a[2] = {0, 3}; byte q;
    process P { byte j; state s, t; init s; trans
      s -> t { guard j < 3; effect z = z + 1, j = j + 1; },
      t -> s { guard a[j] != 7; effect a[a[0]] = j, q = q * 2 + 1; },
      t -> s { effect q = 6 / a[0]; }; }
    process Q { state s; init s; trans
      s -> s { guard z > 0 and q < 3; effect a[a[1] - 2] = q - 1, z = -1; }; }
    system async;";

fn list(model: &Model, text: &str) -> AtomicList {
    let mut sources = SourceMap::new();
    let file = sources.add("atomic.txt", text);
    parse_atomic(&sources, file, model).unwrap_or_else(|e| panic!("{e:?}"))
}

/// States without and with buffers; compared with the export on the way.
fn states(text: &str, atomic: &str) -> (u64, u64) {
    let model = model(text);
    let list = list(&model, atomic);
    let plain = counts(&program(&model, RangeErrors::Error, None), MemoryModel::Sc, LIMIT);
    let delayed = compared(&model, &list, RangeErrors::Error, LIMIT);
    (plain.expect("few states").states, delayed.expect("few states").states)
}

#[test]
fn peterson_has_the_counts_of_the_thesis() {
    assert_eq!(states(&peterson(), ""), (196, 7_267));
    // The cheapest atomic writes; of `step` that is the element that two processes play with.
    let repaired = "write pos P_0 1\nwrite pos P_1 1\nwrite step P_0 2\nwrite step P_1 2\n";
    assert_eq!(states(&peterson(), repaired), (196, 254));
}

#[test]
fn lamport_has_the_counts_known() {
    assert_eq!(states(&lamport(), ""), (748, 171_813));
    let repaired: String = (0..2)
        .map(|i| format!("write b P_{i} 0\nwrite x P_{i} 1\nwrite y P_{i} 5\nwrite * P_{i} 12\n"))
        .collect();
    assert_eq!(states(&lamport(), &repaired), (748, 1_384));
}

#[test]
fn exports_are_the_native_memory() {
    for text in [bakery(), mcs(), MESSAGES.into(), FAULTS.into()] {
        let model = model(&text);
        for atomic in ["", "write * @ 1", "fence @ 1", "write * @ 0\nwrite * @ 2\nfence @ 2"] {
            let first = &model.processes[0].name.text;
            let list = list(&model, &atomic.replace('@', first));
            for errors in [RangeErrors::Error, RangeErrors::Wrap] {
                compared(&model, &list, errors, LIMIT).expect("few states");
            }
        }
    }
}

#[test]
fn an_index_past_the_end_that_is_not_looked_at() {
    let (plain, delayed) = states(&szymanski(), "write * P_0 0\nwrite * P_1 0\nwrite * P_0 2");
    assert!(plain > 100 && delayed > plain, "{plain} {delayed}");
}

#[test]
fn faults_and_deadlocks_are_there_to_compare() {
    let counted = |text| {
        let model = model(text);
        compared(&model, &AtomicList::default(), RangeErrors::Error, LIMIT).expect("few states")
    };
    assert!(counted(FAULTS).faults > 3);
    assert!(counted(MESSAGES).deadlocks > 0);
}

const SMALL: &str = "byte x; byte y;
    process A { state a1, a2, a3; init a1; trans
      a1 -> a2 { effect y = 1; }, a2 -> a3 { effect x = 1; }; }
    process B { state b1, b2; init b1; trans b1 -> b2 { guard x; effect y = y * 2; }; }
    system async;";

#[test]
fn the_example_of_the_thesis() {
    let model = model(SMALL);
    insta::assert_snapshot!(print(&exported(&model, &AtomicList::default())));
    let atomic = list(&model, "write y A 0\nfence B 0");
    insta::assert_snapshot!(print(&exported(&model, &atomic)));
}

#[test]
fn arrays_channels_and_committed_locations() {
    let text = "byte a[2]; byte x; channel c, d; const byte one = 1;
        process P { byte j; state s, t; init s; commit t; assert s: a[0] == x; trans
          s -> t { guard a[one] == a[j]; effect a[a[j]] = x, j = a[1]; },
          t -> s { sync c!x; effect x = j, j = x; }; }
        process Q { byte x_P; state s; init s; trans
          s -> s { sync c?a[x]; effect a[0] = 1; }, s -> s { sync d?x; }; }
        system async;";
    insta::assert_snapshot!(print(&exported(&model(text), &AtomicList::default())));
}

#[test]
fn new_names_are_new() {
    let text = "byte x; byte x_A; byte sb_x_B; byte MM;
        process A { byte q0; state s; init s; trans s -> s { effect x = q0, x_A = 1; }; }
        process A_A { state i_x_A; init i_x_A; trans i_x_A -> i_x_A { effect x = 1; }; }
        process B { state s; init s; trans s -> s { effect x = sb_x_B; }; }
        system async;";
    let model = model(text);
    let export = exported(&model, &AtomicList::default());
    for name in ["sb_x_A_A", "sb_x_A_A_2", "i_x_A_2", "sb_x_B_2"] {
        assert!(export.global(name).is_some(), "{name}");
    }
    assert!(export.process("MM_2").is_some_and(|p| p.states[0].text == "q0_2"));
    compared(&model, &AtomicList::default(), RangeErrors::Error, LIMIT).expect("few states");
}

#[test]
fn many_reads_are_selected_in_one_transition() {
    let names: Vec<_> = (0..=MOST_READS).map(|i| format!("g{i}")).collect();
    let model_of = |reads: usize| {
        let (all, sum) = (names.join(", "), names[..reads].join(" + "));
        let step = format!("s -> s {{ guard g0 < 2; effect g0 = {sum} + 1; }}");
        model(&format!(
            "byte {all};\nprocess P {{ state s; init s; trans {step}; }}\nsystem async;"
        ))
    };
    let none = AtomicList::default();
    let copies = |model: &Model| exported(model, &none).process("P").map(|p| p.transitions.len());
    assert_eq!(copies(&model_of(MOST_READS)), Some(1 << MOST_READS));
    assert_eq!(copies(&model_of(MOST_READS + 1)), Some(1));
    for reads in [MOST_READS, MOST_READS + 1] {
        compared(&model_of(reads), &none, RangeErrors::Error, LIMIT).expect("few states");
    }
}

#[test]
fn what_becomes_too_large_is_refused() {
    let mut index = String::from("0 + j");
    for _ in 0..12 {
        index = format!("a[{index}]");
    }
    let refused = |text: &str| {
        let found = with_buffers(&model(text), &AtomicList::default()).expect_err("refused");
        found.iter().map(|d| format!("{}: {}", d.code, d.message)).collect::<Vec<_>>().join("\n")
    };
    let process =
        format!("process P {{ byte j; state s; init s; trans s -> s {{ guard {index}; }}; }}");
    let deep = refused(&format!("byte a[2]; {process} system async;"));
    assert_eq!(
        deep,
        "D0601: with buffers an index in an index becomes too large an expression here"
    );
    let one = |i: u32| format!("process P{i} {{ state s; init s; }}\n");
    let many: String = (0..60).map(one).collect();
    let wide = refused(&format!("byte a[4000];\n{many}system async;"));
    assert_eq!(wide, "D0601: with buffers the model would have more than 200000 transitions");
}

#[test]
fn a_list_for_another_model_is_refused() {
    let (one, other) = (model(SMALL), model(MESSAGES));
    let atomic = list(&other, "write x S 0");
    assert!(with_buffers(&one, &atomic).is_err());
}

/// What runs of a program violate of its properties that are formulas, by name.
fn violated(program: &Program, memory: MemoryModel, fairness: Fairness) -> Vec<(String, bool)> {
    let options = TemporalOptions {
        fairness,
        emptiness: Emptiness::default(),
        reduce: taut_explicit::Reduce::None,
        threads: 1,
        alone: taut_temporal::PARALLEL_FROM_NODES,
        spawn_all: false,
        limits: Limits::default(),
    };
    let asked = program.properties.iter().enumerate().filter(|(_, p)| p.kind.is_temporal());
    let answer = |(i, p): (usize, &taut_ir::Property)| {
        let run =
            find_accepting_lasso(program, Memory::new(memory), PropId::from(i), &options).unwrap();
        (p.name.clone(), run.found.is_some())
    };
    asked.map(answer).collect()
}

/// The program with the formulas of a file.
fn with_file(model: &Model, text: &str) -> Program {
    let mut sources = SourceMap::new();
    let files = vec![sources.add("f.ltl", text)];
    let mut program = program(model, RangeErrors::Error, None);
    let claim = Claim { files, text: ClaimText::File };
    let found = claims(model, &program, &sources, &[claim]);
    program.properties.extend(found.unwrap_or_else(|e| panic!("{text}\n{e:?}")));
    program
}

const HANDOVER: &str = "byte go; byte done;
    process A { state s, t; init s; trans s -> t { effect go = 1; }; }
    process B { state s, t; init s; trans s -> s { guard go == 0; }, s -> t { guard go == 1; }; }
    system async;";

const FORMULAS: &str = "Propositions
#define moved A.t
#define arrived B.t
#define waits_go_a (go == 1)
(1) holds if writes arrive
#property F moved -> F arrived
(2) does not hold
#property G !arrived
ltl seen { G (arrived ->
  waits_go_a) }
";

#[test]
fn formulas_hold_under_fairness_where_they_do_natively() {
    let model = model(HANDOVER);
    let native = with_file(&model, FORMULAS);
    let fair = Fairness { process: false, memory: MemoryFairness::Buffers };
    let expected = violated(&native, MemoryModel::Delayed, fair);
    let export = exported(&model, &AtomicList::default());
    let file = fair_ltl(FORMULAS, &model);
    let plain = violated(&with_file(&export, &file), MemoryModel::Sc, Fairness::NONE);
    assert_eq!(plain, expected);
    let unfair = violated(&with_file(&export, FORMULAS), MemoryModel::Sc, Fairness::NONE);
    let answers = |all: &[(String, bool)]| all.iter().map(|(_, found)| *found).collect::<Vec<_>>();
    assert_eq!(answers(&expected), [false, true, false]);
    assert_eq!(answers(&unfair), [true, true, false]);
    insta::assert_snapshot!(file);
}

#[test]
fn a_file_that_is_one_formula_gets_fair_too() {
    let model = model(HANDOVER);
    let file = fair_ltl("\n[] go == 0\n", &model);
    assert!(file.starts_with("#define waits_go_a (i_go_A == 1)\n"), "{file}");
    assert!(file.contains("\n#property (GF !waits_go_a && GF !waits_go_b && "), "{file}");
    assert!(file.ends_with(" && GF !waits_done_b) -> ([] go == 0)\n"), "{file}");
    with_file(&exported(&model, &AtomicList::default()), &file);
    let nothing = self::model("process P { state s; init s; } system async;");
    assert_eq!(fair_ltl("G true", &nothing), "G true");
}

#[test]
fn formulas_of_the_model_itself_get_fair() {
    let text = HANDOVER.replace(
        "byte go;",
        "expression moved() { A.t }\nexpression arrived() { B.t }
         property ltl f \"F moved -> F arrived\";\nbyte go;",
    );
    let mut sources = SourceMap::new();
    let file = sources.add("m.dve", print(&exported(&model(&text), &AtomicList::default())));
    let export = taut_dve::parse(&sources, file).unwrap().model;
    let mut program = program(&export, RangeErrors::Error, None);
    program.properties.extend(formulas(&export, &program, &sources).unwrap());
    let found = violated(&program, MemoryModel::Sc, Fairness::NONE);
    assert_eq!(found, [("f".to_owned(), false)]);
    assert!(
        export.formulas[0].text.starts_with("(GF !waits_go_a && "),
        "{}",
        export.formulas[0].text
    );
}

/// The property process watches memory: what waits in a buffer is not there for it.
#[test]
fn a_property_process_reads_memory() {
    let text = SMALL.replace(
        "system async;",
        "process W { state n, bad; init n; accept bad; trans
           n -> n {}, n -> bad { guard x == 1 and y == 0; }, bad -> bad {}; }
         system async property W;",
    );
    let model = model(&text);
    let native = program(&model, RangeErrors::Error, None);
    assert_eq!(violated(&native, MemoryModel::Sc, Fairness::NONE), [("W".to_owned(), false)]);
    let delayed = violated(&native, MemoryModel::Delayed, Fairness::NONE);
    assert_eq!(delayed, [("W".to_owned(), true)]);
    let export = program(&exported(&model, &AtomicList::default()), RangeErrors::Error, None);
    assert_eq!(violated(&export, MemoryModel::Sc, Fairness::NONE), delayed);
}
