//! Programs printed and read back are the same programs.

use crate::common;
use crate::random;

use common::{format, program, try_program};
use proptest::prelude::*;
use taut_ir::Program;

fn check(original: &Program) {
    taut_ir::validate::validate(original).expect("a valid program");
    let text = taut_lang::print(original).expect("a printable program");
    let back = try_program(&text).unwrap_or_else(|m| panic!("{m}\n--- in\n{text}"));
    let (a, b) = (taut_lang::without_spans(original), taut_lang::without_spans(&back));
    assert_eq!(a, b, "--- through\n{text}");
    assert_eq!(text, format(&text), "what is printed is formatted");
}

const SAMPLES: &[&str] = &[
    include_str!("../samples/peterson.taut"),
    include_str!("../samples/everything.taut"),
    include_str!("../samples/paper.taut"),
    include_str!("../samples/any.taut"),
];

#[test]
fn samples_survive_printing() {
    SAMPLES.iter().for_each(|text| check(&program(text)));
}

#[test]
fn samples_survive_formatting() {
    for text in SAMPLES {
        let formatted = format(text);
        assert_eq!(formatted, format(&formatted), "formatting twice is formatting once");
        let (before, mut after) = (program(text), program(&formatted));
        // Assertions without a name are called after their line, which formatting may change.
        for (a, b) in before.properties.iter().zip(&mut after.properties) {
            if b.name.starts_with("assert:") {
                b.name = a.name.clone();
            }
        }
        assert!(taut_lang::same(&before, &after), "{formatted}");
        let comments = |t: &str| (t.matches("//").count(), t.matches("/*").count());
        assert_eq!(comments(text), comments(&formatted), "{formatted}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_programs_survive_printing(original in random::program()) {
        check(&original);
    }
}
