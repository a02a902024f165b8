//! Ranges of nodes as a reader would mark them.
//!
//! The parser drops parentheses, so the range of `(a) + b` begins at `a`; and the head of a statement is
//! known only up to the beginning of its body. [`tidy`] repairs both with the text.

use std::ops::Range;

/// The range without blanks around it and with all its parentheses closed.
pub fn tidy(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut range = range.start.min(bytes.len())..range.end.min(bytes.len());
    while range.end > range.start && bytes[range.end - 1].is_ascii_whitespace() {
        range.end -= 1;
    }
    while range.start < range.end && bytes[range.start].is_ascii_whitespace() {
        range.start += 1;
    }
    let (closing, opening) = unbalanced(&bytes[range.clone()]);
    let start = (0..closing).try_fold(range.start, |at, _| before(bytes, at));
    let end = (0..opening).try_fold(range.end, |at, _| after(bytes, at));
    start.unwrap_or(range.start)..end.unwrap_or(range.end)
}

/// Numbers of closing parentheses without their opening ones, and the other way round. Those in quotes do not count.
fn unbalanced(bytes: &[u8]) -> (usize, usize) {
    let (mut closing, mut opening, mut quote) = (0, 0usize, None);
    let mut rest = bytes.iter();
    while let Some(&b) = rest.next() {
        match (b, quote) {
            (b'\\', Some(_)) => {
                rest.next();
            }
            (b, Some(q)) if b == q => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(b),
            (b'(', None) => opening += 1,
            (b')', None) if opening > 0 => opening -= 1,
            (b')', None) => closing += 1,
            _ => {}
        }
    }
    (closing, opening)
}

/// The place of the opening parenthesis right before a place.
fn before(bytes: &[u8], at: usize) -> Option<usize> {
    let blank = bytes[..at].iter().rev().take_while(|b| b.is_ascii_whitespace()).count();
    let open = (at - blank).checked_sub(1)?;
    (bytes[open] == b'(').then_some(open)
}

/// The place after the closing parenthesis right behind a place.
fn after(bytes: &[u8], at: usize) -> Option<usize> {
    let blank = bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    (bytes.get(at + blank) == Some(&b')')).then_some(at + blank + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_are_closed_and_blanks_dropped() {
        let text = "x = ( a) + (b ) ; if (y) z;";
        let tidied = |part: &str| {
            let start = text.find(part).expect("a part");
            &text[tidy(text, start..start + part.len())]
        };
        assert_eq!(tidied("a) + (b"), "( a) + (b )");
        assert_eq!(tidied("if (y) "), "if (y)");
        assert_eq!(tidied("z"), "z");
    }
}
