//! The Hanoi format: what is written is read back, what others write is understood.

use crate::common;

use common::{ATOMS, Random, counted, names, soak};
use proptest::prelude::*;
use taut_ltl::{Automaton, hoa};

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..300 * soak() {
        let mut random = Random(seed);
        let automaton = Automaton::of(&random.formula(5), ATOMS as usize).unwrap();
        for automaton in [automaton.to_state_based(), automaton.degeneralised(), automaton] {
            let text = hoa::write(&automaton, &names());
            let read = hoa::read(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
            assert_eq!(read.atoms, names());
            assert_eq!(read.automaton, automaton, "seed {seed}\n{text}");
        }
    }
}

#[test]
fn names_are_escaped() {
    let formula = taut_ltl::parse("[] p").unwrap().formula;
    let mut automaton = Automaton::of(&formula, 1).unwrap();
    automaton.name = Some("a \"b\" \\ c".to_string());
    automaton.states[0].name = Some("\\".to_string());
    let text = hoa::write(&automaton, &["x == \"1\"".to_string()]);
    let read = hoa::read(&text).unwrap();
    assert_eq!((read.automaton, &*read.atoms), (automaton, &["x == \"1\"".to_string()][..]));
}

#[test]
fn how_it_is_written() {
    let parsed = taut_ltl::parse("[] <> p && [] <> q || X r").unwrap();
    let automaton = Automaton::of(&parsed.formula, 3).unwrap();
    insta::assert_snapshot!(hoa::write(&automaton, &parsed.atoms));
}

/// `[] <> p` in the ways the format has for it. Atom 0 is `p`; a second atom does not matter.
const ALWAYS_EVENTUALLY: &[&str] = &[
    // Marks on edges.
    "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" acc-name: Buchi Acceptance: 1 Inf(0)
     --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--",
    // Marks on states, no number of states, names, a comment in a comment.
    "HOA: v1 tool: \"some\" \"1.0\" Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) properties: state-acc
     /* a /* b */ c */ --BODY-- State: 0 \"wait\" [t] 0 [0] 1 State: 1 {0} [t] 0 --END--",
    // Labels on states.
    "HOA: v1 Start: 0 Start: 1 AP: 1 \"p\" Acceptance: 1 Inf(0)
     --BODY-- State: [0] 0 {0} 0 1 State: [!0] 1 0 1 --END--",
    // Aliases, one of another, and one above its atoms.
    "HOA: v1 Alias: @p 0 Alias: @other !@p & (1 | !1) AP: 2 \"p\" \"q\" Start: 0 Acceptance: 1 Inf(0)
     --BODY-- State: 0 [@p] 0 {0} [@other] 0 --END--",
    // Implicit labels: !p first, then p.
    "HOA: v1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- State: 0 0 0 {0} --END--",
    // Two atoms, implicit: 00, 10, 01, 11 (the first atom is the lowest bit).
    "HOA: v1 Start: 0 AP: 2 \"p\" \"q\" Acceptance: 1 Inf(0)
     --BODY-- State: 0 0 0 {0} 0 0 {0} --END--",
    // Several sets, one of which is not asked for and one the complement of what is meant.
    "HOA: v1 Start: 0 AP: 1 \"p\" Acceptance: 3 (Inf(2) & Inf(!0)) & t
     --BODY-- State: 0 [0] 0 {2} [!0] 0 {0} --END--",
];

#[test]
fn all_spellings_are_understood() {
    for text in ALWAYS_EVENTUALLY {
        let read = hoa::read(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        for seed in 0..100 {
            let (stem, cycle) = Random(seed).lasso();
            let expected = cycle.iter().any(|valuation| valuation & 1 == 1);
            assert_eq!(read.automaton.accepts(&stem, &cycle), expected, "{cycle:?}\n{text}");
        }
    }
}

#[test]
fn all_and_none() {
    let text = |condition: &str| {
        format!("HOA: v1 Start: 0 AP: 0 Acceptance: 0 {condition} --BODY-- State: 0 [t] 0 --END--")
    };
    assert!(hoa::read(&text("t")).unwrap().automaton.accepts(&[], &[0]));
    assert!(!hoa::read(&text("f")).unwrap().automaton.accepts(&[], &[0]));
    let no_start = "HOA: v1 States: 0 Acceptance: 0 t --BODY-- --END--";
    let nothing = hoa::read(no_start).unwrap().automaton;
    assert!(!nothing.accepts(&[], &[0]));
    // The other forms cope with automata without states.
    assert!(!nothing.to_state_based().accepts(&[], &[0]));
    assert!(taut_ltl::never::write(&nothing, &[], "").contains("false"));
}

#[test]
fn errors() {
    let head = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\nAcceptance: 1 Inf(0)\n--BODY--\n";
    let with = |body: &str| format!("{head}{body}");
    let texts = [
        "".to_string(),
        "never { }".to_string(),
        "HOA: v2".to_string(),
        "HOA: v1\nStates: 1\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAcceptance: 2 Fin(0) & Inf(1)\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAcceptance: 2 Inf(0) | Inf(1)\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAcceptance: 2 (Inf(0) | Inf(1))\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAcceptance: 1 Inf(1)\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAcceptance: 65 t\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAcceptance: 0 t\nAcceptance: 0 t\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAP: 2 \"p\"\n".to_string(),
        "HOA: v1\nAP: 65".to_string(),
        "HOA: v1\nStates: 99999999999999999999".to_string(),
        "HOA: v1\nStates: 1000000".to_string(),
        "HOA: v1\nStates: 1\nStart: 0 & 1".to_string(),
        "HOA: v1\nStart: 2\nStates: 1\nAcceptance: 0 t\n--BODY--\n--END--".to_string(),
        "HOA: v1\nSpooky: 1".to_string(),
        "HOA: v1\nAlias: @a @b\nAcceptance: 0 t\n--BODY--\n--END--".to_string(),
        "HOA: v1\nAlias: @a t t\nAcceptance: 0 t\n--BODY--\n--END--".to_string(),
        "HOA: v1\nname: \"x".to_string(),
        "HOA: v1 /* x".to_string(),
        "HOA: v1 ?".to_string(),
        with("State: 0\n[0] 1"),
        with("State: 0\n[1] 1\n--END--"),
        with("State: 0\n[0] 2\n--END--"),
        with("State: 0\n[0] 0&1\n--END--"),
        with("State: 0\n[0 0\n--END--"),
        with("State: 0\n[@x] 0\n--END--"),
        with("State: 0\n[0] 0 {1}\n--END--"),
        with("State: 0\n0\n--END--"),
        with("State: 0\n[0] 0 1\n--END--"),
        with("State: [0] 0\n[0] 0\n--END--"),
        with("State: 0\nState: 0\n--END--"),
        with("State: 0\n--ABORT--"),
        with("--END--\nHOA: v1"),
    ];
    let mut shown = String::new();
    for text in &texts {
        let error = hoa::read(text).expect_err(text);
        let end = text.strip_prefix(head).map_or(text.clone(), |body| format!("… {body}"));
        shown += &format!("{}\n    {error}\n\n", end.replace('\n', " "));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn hostile_labels_are_errors_or_quick() {
    let with = |label: &str| {
        let atoms = (0..64).map(|i| format!(" \"p{i}\"")).collect::<String>();
        format!(
            "HOA: v1 AP: 64{atoms} Start: 0 Acceptance: 0 t --BODY-- State: 0 [{label}] 0 --END--"
        )
    };
    assert!(hoa::read(&with(&"(".repeat(100_000))).is_err());
    assert!(hoa::read(&with(&("!".repeat(100_000) + "0"))).is_err());
    let pairs: Vec<String> = (0..32).map(|i| format!("({} | {})", i, i + 32)).collect();
    assert!(hoa::read(&with(&pairs.join(" & "))).unwrap_err().message.contains("cubes"));
    assert!(hoa::read(&with(&format!("!({})", pairs.join(" & ")))).is_ok());
    let chain: String = (1..60).map(|i| format!("Alias: @a{i} @a{0} & @a{0} ", i - 1)).collect();
    let text = with("@a59").replace("Start:", &format!("Alias: @a0 0 {chain} Start:"));
    assert!(hoa::read(&text).is_ok());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = hoa::read(&text);
        let _ = hoa::read(&format!("HOA: v1 {text}"));
    }
}

#[test]
fn any_tokens_are_read_or_refused() {
    let tokens = prop::sample::select(vec![
        "States:",
        "Start:",
        "AP:",
        "Acceptance:",
        "Alias:",
        "--BODY--",
        "--END--",
        "State:",
        "0",
        "1",
        "2",
        "64",
        "\"p\"",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "!",
        "&",
        "|",
        "t",
        "f",
        "@a",
        "Inf",
        "Fin",
        "[0]",
        "[!0]",
        "{0}",
        "Acceptance: 1 Inf(0)",
        "AP: 1 \"p\"",
        "State: 0",
    ]);
    // Where nothing is drawn the automaton is good, so that some are read.
    let drawn = || prop::collection::vec(tokens.clone(), 0..6);
    let read = counted(2_000, (drawn(), drawn(), drawn()), |(head, label, body)| {
        let (head, label, body) = (head.join(" "), label.join(" "), body.join(" "));
        let text = format!(
            "HOA: v1 States: 3 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) {head} --BODY-- \
             State: 0 [{label} 0] 1 {{0}} State: 1 [t] 0 {body} --END--"
        );
        let Ok(read) = hoa::read(&text) else { return Ok(false) };
        // What is read can be used in every form.
        let automaton = read.automaton;
        let other = automaton.clone().simplified();
        prop_assert_eq!(automaton.accepts(&[0], &[1, 0]), other.accepts(&[0], &[1, 0]));
        let other = automaton.to_state_based();
        prop_assert_eq!(automaton.accepts(&[0], &[1, 0]), other.accepts(&[0], &[1, 0]));
        Ok(true)
    });
    assert!(read >= 8, "only {read} automata were read");
}
