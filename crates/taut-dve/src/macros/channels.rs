//! Channels with a process in the middle: `c!` becomes `c_in!` and `c?` becomes `c_out?`.

use std::collections::HashSet;

/// What the prelude writes at the end, before the names of such channels. `@` is no word of DVE.
const MARK: &str = "@channels";

/// Rewrites the uses of the channels that are listed at the end of a text, and drops the list.
pub(super) fn rewrite(mut text: String) -> String {
    let Some(at) = text.rfind(MARK) else { return text };
    let names: HashSet<String> =
        text[at + MARK.len()..].split_whitespace().map(str::to_string).collect();
    text.truncate(at);
    let mut result = String::with_capacity(text.len() + text.len() / 16);
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| is_word(c)) {
        let word_end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |e| start + e);
        result.push_str(&rest[..word_end]);
        if names.contains(&rest[start..word_end]) {
            result.push_str(suffix(&rest[word_end..]));
        }
        rest = &rest[word_end..];
    }
    result.push_str(rest);
    result
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What is added to the name of a channel with this after it.
fn suffix(after: &str) -> &'static str {
    let after = after.trim_start();
    match after.as_bytes() {
        [b'!', b'=', ..] => "",
        [b'!', ..] => "_in",
        [b'?', ..] => "_out",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_operations_on_listed_channels_change() {
        let text = "channel c_in; sync c!x; sync c ?x; d!1; c!=2; cc!; c; @channels c e";
        assert_eq!(
            rewrite(text.into()),
            "channel c_in; sync c_in!x; sync c_out ?x; d!1; c!=2; cc!; c; "
        );
        assert_eq!(rewrite("c!x".into()), "c!x");
    }
}
