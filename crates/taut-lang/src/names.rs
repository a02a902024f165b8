//! Names as text: when they need backticks, and how those are read back.

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

/// The name of a field, which may be a reserved word.
pub(crate) fn field(name: &str) -> String {
    if KEYWORDS.contains(&name) { name.into() } else { quoted(name) }
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
}
