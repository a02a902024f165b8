//! Names as text: when they need backticks, how those are read back, and what a misspelt one was meant
//! to be.

use crate::lexer::KEYWORDS;

/// Whether a name can be written without backticks.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    first && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') && !KEYWORDS.contains(&name)
}

/// A name as it is written.
pub(crate) fn quoted(name: &str) -> String {
    if is_plain(name) { name.into() } else { enclose(name, '`') }
}

/// A name in quotes of the given kind.
pub(crate) fn enclose(name: &str, quote: char) -> String {
    let mut text = String::from(quote);
    for c in name.chars() {
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if c == quote || c == '\\' => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text.push(quote);
    text
}

/// What stands between quotes, escapes resolved; the offset of an unknown escape otherwise.
pub(crate) fn unescape(inside: &str) -> Result<String, usize> {
    let mut text = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next().map(|(_, c)| c) {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some(c @ ('\\' | '`' | '"')) => text.push(c),
            _ => return Err(at),
        }
    }
    Ok(text)
}

/// A process name as it is written: `p`, `p[1]`, `p#1`, or in backticks.
pub(crate) fn process(name: &str) -> String {
    match split_process(name) {
        Some(_) => name.into(),
        None => quoted(name),
    }
}

/// Splits `p[1]` or `p#1` into its parts, if it can be written like that.
fn split_process(name: &str) -> Option<(&str, u32)> {
    let (base, rest) = match name.split_once('[') {
        Some((base, rest)) => (base, rest.strip_suffix(']')?),
        None => name.split_once('#')?,
    };
    let number: u32 = rest.parse().ok()?;
    (is_plain(base) && number.to_string() == rest).then_some((base, number))
}

/// The candidate nearest to a misspelt name, if any is near enough to be meant.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // One wrong letter in a name of one letter is another name, not a slip.
    let limit = match name.chars().count() {
        0 | 1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let near = |c: &str| name.eq_ignore_ascii_case(c) || distance(name, c) <= limit;
    let near = candidates.into_iter().filter(|c| *c != name && near(c));
    near.min_by_key(|&c| (distance(name, c), c))
}

/// The edit distance, where two letters swapped and a change of case only are 1. Long names are not
/// compared.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return usize::from(a != b);
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().max(b.len()) > 64 {
        return usize::MAX;
    }
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 { i + j } else { cell(&table, &a, &b, i, j) };
        }
    }
    table[a.len()][b.len()]
}

/// One cell of the table of distances between beginnings of two names.
fn cell(table: &[Vec<usize>], a: &[char], b: &[char], i: usize, j: usize) -> usize {
    let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
    let best = changed.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
    if swapped { best.min(table[i - 2][j - 2] + 1) } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_names_survive_quoting() {
        for name in ["x", "fence", "0:EAX", "a`b\\c", "", "two\nlines\r", "été", "\""] {
            let written = quoted(name);
            match written.strip_prefix('`') {
                Some(rest) => assert_eq!(unescape(&rest[..rest.len() - 1]).unwrap(), name),
                None => assert_eq!(written, name),
            }
        }
        assert_eq!(unescape("a\\q"), Err(1));
    }

    #[test]
    fn process_names_look_like_what_they_are() {
        assert_eq!(process("p[1]"), "p[1]");
        assert_eq!(process("w#2"), "w#2");
        assert_eq!(process("p[01]"), "`p[01]`");
        assert_eq!(process("0"), "`0`");
    }

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("flga", ["flag", "turn"]), Some("flag"));
        assert_eq!(nearest("X", ["x", "y"]), Some("x"));
        assert_eq!(nearest("counter", ["x", "y"]), None);
    }
}
