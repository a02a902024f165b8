//! The entries of a file of formulas, as ranges of bytes.
//!
//! A file is free text. What counts are lines that begin with `#define NAME e`, `#property f`, `ltl NAME: f`
//! or `ltl NAME { f }`; [`taut_ltl::file`] says where they end. Free text has no operators, so a formula goes on in
//! the next line only where its line ends with `\` or a bracket is open. A file in which no line begins with `#`
//! or is such a line is one formula, as LTSmin has it.

use std::ops::Range;

use taut_ltl::file::{Mark, Role, entries};

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// `#define NAME e`
    Define { name: Range<usize>, body: Range<usize> },
    /// `#property f`, or a whole file.
    Property { formula: Range<usize> },
    /// `ltl NAME: f` or `ltl NAME { f }`
    Named { name: Range<usize>, formula: Range<usize> },
    /// `#` and another word.
    Other { word: Range<usize> },
}

/// All lines of a file that count.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let words = words(text);
    let marks: Vec<Mark> = words.iter().map(|(_, mark)| *mark).collect();
    let entries = entries(&marks).into_iter();
    let line = |range: Range<usize>| {
        let role = marks[range.start].role;
        entry(text, role, words[range.start].0.start..words[range.end - 1].0.end)
    };
    let mut found: Vec<Line> = entries.filter_map(line).collect();
    if found.is_empty() && !text.trim().is_empty() {
        found.push(Line::Property { formula: trimmed(text, 0..text.len()) });
    }
    found
}

/// What an entry says; `None` if it is free text.
fn entry(text: &str, role: Role, at: Range<usize>) -> Option<Line> {
    match role {
        Role::Property => {
            let formula = trimmed(text, word(text, at.start + 1).end..at.end);
            Some(Line::Property { formula })
        }
        Role::Directive => Some(directive(text, at)),
        Role::Ltl => {
            let (name, sign) = named(text, at.start)?;
            let formula = trimmed(text, sign + 1..at.end);
            Some(Line::Named { name, formula: braced(text, sign, formula) })
        }
        _ => None,
    }
}

/// `#define …`, or `#` and another word.
fn directive(text: &str, at: Range<usize>) -> Line {
    let word = word(text, at.start + 1);
    if &text[word.clone()] != "define" {
        return Line::Other { word };
    }
    let name = word_after(text, word.end, at.end);
    let body = trimmed(text, name.end..at.end);
    Line::Define { name, body }
}

/// The words of a text: letters and digits, brackets, `#` with its word, and all else up to these or a blank.
fn words(text: &str) -> Vec<(Range<usize>, Mark)> {
    let mut all = Vec::new();
    let (mut at, mut begins_line) = (0, true);
    while let Some(first) = text[at..].chars().next() {
        let joined = ["\\\n", "\\\r\n"].iter().find(|j| text[at..].starts_with(**j));
        if let Some(joined) = joined {
            at += joined.len();
        } else if first.is_whitespace() {
            begins_line |= first == '\n';
            at += first.len_utf8();
        } else {
            let (role, end) = role(text, at, first);
            all.push((at..end, Mark { role, begins_line }));
            (at, begins_line) = (end, false);
        }
    }
    all
}

/// The part that the word at a place plays, and its end.
fn role(text: &str, at: usize, first: char) -> (Role, usize) {
    let one = at + first.len_utf8();
    match first {
        '#' => {
            let word = word(text, one);
            let property = &text[word.clone()] == "property";
            (if property { Role::Property } else { Role::Directive }, word.end)
        }
        '(' => (Role::Open, one),
        ')' => (Role::Close, one),
        '{' => (Role::OpenBrace, one),
        '}' => (Role::CloseBrace, one),
        'l' if named(text, at).is_some() => (Role::Ltl, at + "ltl".len()),
        _ if is_word(first) => (Role::Operand, word(text, at).end),
        _ => (Role::Operand, one),
    }
}

/// `ltl NAME` before `:` or `{`: the name and where the sign stands.
fn named(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let after = start + text[start..].strip_prefix("ltl").map(|_| 3)?;
    let gap = blanks(&text[after..]);
    let name = word(text, after + gap);
    let sign = name.end + blanks(&text[name.end..]);
    let is_sign = text[sign..].starts_with([':', '{']);
    (gap > 0 && !name.is_empty() && is_sign).then_some((name, sign))
}

/// A formula without the brace that closes it, if one opened it.
fn braced(text: &str, sign: usize, formula: Range<usize>) -> Range<usize> {
    let closes = text[sign..].starts_with('{') && text[formula.clone()].ends_with('}');
    trimmed(text, formula.start..formula.end - usize::from(closes))
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// Letters, digits and `_` from here on.
fn word(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    start..start + end
}

/// What stands up to the next blank or parenthesis.
fn word_after(text: &str, start: usize, end: usize) -> Range<usize> {
    let start = (start + blanks(&text[start..])).min(end);
    let rest = &text[start..end];
    let length = rest.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(rest.len());
    start..start + length
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + inside.len() - inside.trim_start().len();
    start..start + inside.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let slice = |r: Range<usize>| text[r].to_owned();
        let show = |line| match line {
            Line::Define { name, body } => format!("define [{}] [{}]", slice(name), slice(body)),
            Line::Property { formula } => format!("property [{}]", slice(formula)),
            Line::Named { name, formula } => format!("ltl [{}] [{}]", slice(name), slice(formula)),
            Line::Other { word } => format!("other [{}]", slice(word)),
        };
        lines(text).into_iter().map(show).collect()
    }

    #[test]
    fn free_text_is_no_formula() {
        let text = "Propositions\n  #define a P.s \r\n# note\nltl is a logic\n#property G a\r\n(1)";
        assert_eq!(shown(text), ["define [a] [P.s]", "other []", "property [G a]"]);
    }

    #[test]
    fn lines_go_on() {
        let text = "#define a \\\n x == 1\n#property G (a\n -> b)\n#property (a\n#property b";
        let found = shown(text);
        assert_eq!(found[0], "define [a] [\\\n x == 1]");
        assert_eq!(found[1..], ["property [G (a\n -> b)]", "property [(a]", "property [b]"]);
    }

    #[test]
    fn named_formulas() {
        let text = "ltl one: G a\nltl two { F\n b }\nltl three {";
        assert_eq!(shown(text), ["ltl [one] [G a]", "ltl [two] [F\n b]", "ltl [three] []"]);
    }

    #[test]
    fn a_file_may_be_one_formula() {
        assert_eq!(shown("\n ([] p)\n"), ["property [([] p)]"]);
        assert_eq!(shown(" \n"), [""; 0]);
    }

    #[test]
    fn any_text_has_lines() {
        for text in
            ["#", "#define", "#property", "#defineä", "ltl ä: b", "ltl a", "#property \\", "é"]
        {
            lines(text);
        }
        let deep = "#property (".repeat(10_000);
        assert_eq!(lines(&deep).len(), 1);
    }
}
