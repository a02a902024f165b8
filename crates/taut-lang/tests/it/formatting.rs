//! The layout that `taut fmt` gives.

use crate::common;
use common::format;

#[test]
fn blank_lines_are_kept_as_one() {
    let text =
        "shared int x;\n\n\n\nshared int y;\nprocess p begin\n\n\n x:=1;\n\n\n y:=2;\n\n\nend\n\n";
    let wanted = "shared int x;\n\nshared int y;\nprocess p begin\n  x := 1;\n\n  y := 2;\nend\n";
    assert_eq!(format(text), wanted);
}

#[test]
fn comments_stay_where_they_are() {
    let text = "// head\n\n// x\nshared int x; // behind x\n/* before p */ process p begin // begins\n// first\n\
        if (x) then // yes\n x := 1; // one\n else // no\n // nothing\n fi; // done\n // last\n end // p\n// tail\n";
    let wanted = "// head\n\n// x\nshared int x; // behind x\n/* before p */\nprocess p begin // begins\n  // first\n  \
        if (x) then // yes\n    x := 1; // one\n  else // no\n    // nothing\n  fi; // done\n  // last\nend // p\n// tail\n";
    assert_eq!(format(text), wanted);
    assert_eq!(format(wanted), wanted);
}

#[test]
fn comments_inside_of_a_statement_move_behind_it() {
    let text = "shared int x;\nprocess p begin\n x /* a */ := // b\n 1 /* c */; // d\nend";
    let once = format(text);
    assert_eq!(
        once,
        "shared int x;\nprocess p begin\n  x := 1; /* a */ // b\n  /* c */\n  // d\nend\n"
    );
    assert_eq!(format(&once), once);
}

#[test]
fn two_statements_on_a_line_come_apart_and_keep_their_comment() {
    let text = "shared int x;\nprocess p begin\nx := 1; x := 2; // two\nend";
    assert_eq!(format(text), "shared int x;\nprocess p begin\n  x := 1;\n  x := 2; // two\nend\n");
}

#[test]
fn what_stands_on_one_line_stays_on_one_line() {
    for text in [
        "process p begin skip; skip; end\n",
        "process p begin\n  atomic { skip; skip; }\n  if (1) then skip; else skip; fi;\nend\n",
        "process p begin\n  choose { skip; } or { loop { skip; } }\nend\n",
    ] {
        assert_eq!(format(text), text);
    }
    let long = format!("process p begin {} end\n", "skip; ".repeat(20));
    assert_eq!(format(&long).lines().count(), 22);
}

#[test]
fn operators_and_words_become_one_style() {
    let text = "process p begin assume(not(true)and 1=1 or -(2)<3);end";
    assert_eq!(format(text), "process p begin assume(!(true) && 1 == 1 || -(2) < 3); end\n");
}

#[test]
fn graphs_keep_their_comments() {
    let text = "shared int x;\nprocess p graph // g\n  local int r = 0; // r\n  // first\n  #0 [a]: // zero\n    \
        when x do x := 1; goto #1; // step\n\n  // last\n  #1 end:\n  // none\nend\ninstance p = p;\n";
    assert_eq!(format(text), text);
}

#[test]
fn formulas_become_one_style() {
    let of = |formula: &str| {
        let text = format!("shared int x, X;\nprocess p begin skip; end\nltl f: {formula};\n");
        let once = format(&text);
        assert_eq!(format(&once), once);
        let line = once.lines().last().expect("a line");
        line.strip_prefix("ltl f: ")
            .and_then(|l| l.strip_suffix(';'))
            .expect("a formula")
            .to_string()
    };
    assert_eq!(of("G F p@l and not(x=1)"), "[] <> p@l && !(x == 1)");
    assert_eq!(of("[]<>(x)R(x)V x"), "[] <> (x) V (x) V x");
    assert_eq!(of("X X&&X==1 U{ x&&1 }"), "X `X` && `X` == 1 U {x && 1}");
    assert_eq!(of("(x -> next x) <-> (x M x) W `X`"), "(x -> X x) <-> (x M x) W `X`");
    assert_eq!(of("always (x?1:0) implies eventually x until x"), "[] (x ? 1 : 0) -> <> x U x");
}

#[test]
fn comments_in_formulas_move_behind_them() {
    let text = "process p begin skip; end\nltl f: [] /* a */ true // b\n -> <> false;\n";
    let once = format(text);
    assert_eq!(once, "process p begin skip; end\nltl f: [] true -> <> false; /* a */ // b\n");
    assert_eq!(format(&once), once);
}
