//! Untrusted text in a page.
//!
//! The document stands in the page as JSON in a `script` element of a type that browsers do not run. Such
//! an element ends at the first `</script`, and `<!--` changes how it is read, whatever the JSON means: so
//! `<`, `>` and `&` are written as escapes, which only strings have need of. With them the two separators
//! of lines that JavaScript once did not allow in strings.

use serde::Serialize;

/// A value as JSON that can stand in a `script` element.
pub(crate) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("a document has string keys only");
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => safe.push(c),
        }
    }
    safe
}

/// A text as the content of an element.
pub(crate) fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_string_ends_the_element_and_nothing_is_lost() {
        let hostile = "</script><script>alert(1)</script><!--<script>&amp;\u{2028}\u{2029}";
        let safe = json(&hostile);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).expect("JSON"), hostile);
    }

    #[test]
    fn a_title_is_only_text() {
        assert_eq!(text("a<b>&c"), "a&lt;b&gt;&amp;c");
    }
}
