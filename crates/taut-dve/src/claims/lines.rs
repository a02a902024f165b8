//! The lines of a file of formulas, as ranges of bytes.
//!
//! A file is free text. What counts are lines that begin with `#define NAME e`, `#property f`, `ltl NAME: f`
//! or `ltl NAME { f }`. A line goes on where it ends with `\`, and a formula also as long as a parenthesis
//! or its brace is open and the next line begins nothing else. A file in which no line begins with `#`
//! or is such a line is one formula, as LTSmin has it.

use std::ops::Range;

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
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (line, next) = entry(text, at);
        found.extend(line);
        at = next;
    }
    if found.is_empty() && !text.trim().is_empty() {
        found.push(Line::Property { formula: trimmed(text, 0..text.len()) });
    }
    found
}

/// What begins at a line, and where the next one begins.
fn entry(text: &str, at: usize) -> (Option<Line>, usize) {
    let start = at + blanks(&text[at..]);
    if text[start..].starts_with('#') {
        return directive(text, start);
    }
    if let Some((name, after)) = named(text, start) {
        let end = formula_end(text, after);
        let formula = trimmed(text, after + 1..end);
        return (Some(Line::Named { name, formula: braced(text, after, formula) }), end + 1);
    }
    (None, line_end(text, start) + 1)
}

/// What follows a `#`.
fn directive(text: &str, hash: usize) -> (Option<Line>, usize) {
    let word = word(text, hash + 1);
    let after = word.end;
    match &text[word.clone()] {
        "define" => {
            let end = joined_end(text, after);
            let name = word_after(text, after, end);
            let body = trimmed(text, name.end..end);
            (Some(Line::Define { name, body }), end + 1)
        }
        "property" => {
            let end = formula_end(text, after);
            (Some(Line::Property { formula: trimmed(text, after..end) }), end + 1)
        }
        _ => (Some(Line::Other { word }), line_end(text, hash) + 1),
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

/// Where the line ends, before the line break.
fn line_end(text: &str, start: usize) -> usize {
    text[start..].find('\n').map_or(text.len(), |n| start + n)
}

/// Where a line ends that may go on after a `\`.
fn joined_end(text: &str, start: usize) -> usize {
    let mut end = line_end(text, start);
    while end < text.len() && text[start..end].trim_end_matches('\r').ends_with('\\') {
        end = line_end(text, end + 1);
    }
    end
}

/// Where a formula ends: with its line, or later as long as something is open.
fn formula_end(text: &str, start: usize) -> usize {
    let mut end = joined_end(text, start);
    let mut open = balance(&text[start..end]);
    while end < text.len() && open > 0 && !begins(text, end + 1) {
        let next = joined_end(text, end + 1);
        open += balance(&text[end + 1..next]);
        end = next;
    }
    end
}

/// Whether something else begins at a line.
fn begins(text: &str, at: usize) -> bool {
    let start = at + blanks(&text[at..]);
    text[start..].starts_with('#') || named(text, start).is_some()
}

/// How many parentheses and braces are left open.
fn balance(text: &str) -> i64 {
    let one = |c: char| match c {
        '(' | '{' => 1,
        ')' | '}' => -1,
        _ => 0,
    };
    text.chars().map(one).sum()
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
