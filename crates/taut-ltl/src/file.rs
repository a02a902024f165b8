//! Files of formulas: where one entry ends and the next begins.
//!
//! An entry is a formula with its name, a `#property` without one, or a directive such as `#define`:
//!
//! ```text
//! #define p x == 1
//! #property [] (p -> <> q)
//! ltl live: [] (p ->
//!              <> q)
//! ltl fair { []<> p } ltl safe { [] q }
//! ```
//!
//! A directive ends with its line. A block ends with its brace. Any other formula ends with a `;`, or with its
//! line unless a parenthesis is open, the line ends with an operator or the next begins with one. A
//! line that begins another entry ends the one before it in any case, so that a parenthesis that is
//! not closed costs one formula and not the rest of the file.
//!
//! Languages differ in their tokens, so a file is given as the [`Mark`] of each token, and entries are
//! ranges of tokens.

use std::ops::Range;

/// The part that a token plays in the layout of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The first token of a directive, which takes one line.
    Directive,
    /// The first token of `#property f`.
    Property,
    /// The word `ltl`.
    Ltl,
    /// `(`, `[`.
    Open,
    /// `)`, `]`.
    Close,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `;`
    Semicolon,
    /// A token after which a formula can end.
    Operand,
    /// An operator between two operands.
    Infix,
    /// Any other token: a formula goes on after it.
    Other,
}

/// A token of a file, as far as its layout goes.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The part that it plays.
    pub role: Role,
    /// Whether it is the first of its line.
    pub begins_line: bool,
}

/// Cuts a file into entries, without the `;` between them.
pub fn entries(marks: &[Mark]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < marks.len() {
        taut_budget::tick();
        let end = match marks[at].role {
            Role::Semicolon => at,
            Role::Directive => line_end(marks, at),
            _ => formula_end(marks, at),
        };
        if end > at {
            all.push(at..end);
        }
        // A `;` is taken with the entry that it ends.
        at = end + usize::from(marks.get(end).is_some_and(|m| m.role == Role::Semicolon));
        debug_assert!(end <= marks.len(), "an entry ends in the file");
    }
    all
}

/// The first token of the next line.
fn line_end(marks: &[Mark], start: usize) -> usize {
    let next = marks[start + 1..].iter().position(|m| m.begins_line);
    next.map_or(marks.len(), |n| start + 1 + n)
}

/// The end of a formula, with its name.
fn formula_end(marks: &[Mark], start: usize) -> usize {
    let block = is_block(marks, start);
    let mut open = 0_usize;
    for at in start..marks.len() {
        let Mark { role, begins_line } = marks[at];
        let other = matches!(role, Role::Directive | Role::Property | Role::Ltl);
        let over = || other || open == 0 && !goes_on(marks[at - 1].role, role);
        if role == Role::Semicolon || at > start && begins_line && over() {
            return at;
        }
        match role {
            Role::Open | Role::OpenBrace => open += 1,
            Role::Close | Role::CloseBrace => open = open.saturating_sub(1),
            _ => {}
        }
        if block && open == 0 && role == Role::CloseBrace {
            return at + 1;
        }
    }
    marks.len()
}

/// Whether `ltl NAME {`, `ltl {` or `NAME {` comes next.
fn is_block(marks: &[Mark], start: usize) -> bool {
    let brace = |at: usize| marks.get(at).is_some_and(|m| m.role == Role::OpenBrace);
    brace(start + 1) || marks[start].role == Role::Ltl && brace(start + 2)
}

/// Whether a formula goes on in the next line: the one line ends, or the other begins, in the middle
/// of it.
fn goes_on(last: Role, next: Role) -> bool {
    let ends = matches!(last, Role::Operand | Role::Close | Role::CloseBrace);
    !ends || matches!(next, Role::OpenBrace | Role::Infix)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries of a text whose tokens are separated by blanks.
    fn cut(text: &str) -> Vec<String> {
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let tokens: Vec<(&str, bool)> =
            lines.flat_map(|line| line.into_iter().enumerate().map(|(n, t)| (t, n == 0))).collect();
        let mark = |&(token, begins_line): &(&str, bool)| Mark { role: role(token), begins_line };
        let marks: Vec<Mark> = tokens.iter().map(mark).collect();
        let join = |range: Range<usize>| {
            tokens[range].iter().map(|(t, _)| *t).collect::<Vec<_>>().join(" ")
        };
        entries(&marks).into_iter().map(join).collect()
    }

    fn role(token: &str) -> Role {
        match token {
            "#define" => Role::Directive,
            "#property" => Role::Property,
            "ltl" => Role::Ltl,
            "(" => Role::Open,
            ")" => Role::Close,
            "{" => Role::OpenBrace,
            "}" => Role::CloseBrace,
            ";" => Role::Semicolon,
            "->" | "&&" => Role::Infix,
            "[]" | ":" => Role::Other,
            _ => Role::Operand,
        }
    }

    #[test]
    fn entries_end_with_lines_semicolons_and_braces() {
        let text = "#define p ( x\n#property [] p\na : p ; b : q\nltl c { p } ltl d { q } ;\n;";
        let found = cut(text);
        let expected =
            ["#define p ( x", "#property [] p", "a : p", "b : q", "ltl c { p }", "ltl d { q }"];
        assert_eq!(found, expected);
    }

    #[test]
    fn formulas_go_on_after_and_before_operators_and_in_brackets() {
        assert_eq!(
            cut("a : p ->\nq\nb : p\n&& q\nc : ( p\nq )\nd :\n[]\np"),
            ["a : p -> q", "b : p && q", "c : ( p q )", "d : [] p",]
        );
        assert_eq!(cut("ltl a\n{ p\nq }\nb : p"), ["ltl a { p q }", "b : p"]);
    }

    #[test]
    fn an_open_parenthesis_costs_one_formula() {
        let text = "a : ( p\nltl b : q\nc : ( p\n#property q\nd : (\n#define p x\ne : p";
        let expected =
            ["a : ( p", "ltl b : q", "c : ( p", "#property q", "d : (", "#define p x", "e : p"];
        assert_eq!(cut(text), expected);
    }

    #[test]
    fn the_end_of_a_file_ends_everything() {
        for text in ["ltl", "ltl a", "ltl a {", "#define", "#property", "(", "a :", ";", ""] {
            let expected: &[&str] = if matches!(text, ";" | "") { &[] } else { &[text] };
            assert_eq!(cut(text), expected);
        }
    }
}
