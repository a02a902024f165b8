//! Words as a shell reads them: with quotes, and with their places in a text.

use std::ops::Range;

/// A word without its quotes, and where it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What it says.
    pub text: String,
    /// Where.
    pub range: Range<usize>,
}

/// The words of a part of a text, as a shell has them: blanks separate, except in single or double quotes. An error
/// is the place of a quote that is never closed.
pub fn words(text: &str, within: Range<usize>) -> Result<Vec<Word>, Range<usize>> {
    let mut words: Vec<Word> = Vec::new();
    let mut quote: Option<(char, usize)> = None;
    let mut inside = false;
    for (i, c) in text[within.clone()].char_indices() {
        let at = within.start + i;
        let end = at + c.len_utf8();
        match quote {
            None if c.is_whitespace() => {
                inside = false;
                continue;
            }
            Some((open, _)) if open == c => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some((c, at)),
            None => {}
        }
        if !inside {
            words.push(Word { text: String::new(), range: at..end });
            inside = true;
        }
        if let Some(word) = words.last_mut() {
            word.range.end = end;
            // A quote is there to hold the word together and is no part of it.
            let is_quote = matches!(quote, Some((_, start)) if start == at)
                || (quote.is_none() && (c == '"' || c == '\''));
            if !is_quote {
                word.text.push(c);
            }
        }
    }
    match quote {
        Some((_, at)) => Err(at..at + 1),
        None => Ok(words),
    }
}

/// A word as a shell reads it as one.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        words(text, 0..text.len()).expect("words").into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(texts("--ltl \"[] p\" -D N=1"), ["--ltl", "[] p", "-D", "N=1"]);
        assert_eq!(texts("a'b \"c'd ''"), ["ab \"cd", ""]);
        assert_eq!(texts("  "), [""; 0]);
        assert_eq!(words("a \"b", 0..4), Err(2..3));
    }

    #[test]
    fn places_include_the_quotes() {
        let all = words("xx 'ä b' c", 2..11).expect("words");
        assert_eq!(all[0].range, 3..9);
        assert_eq!(all[1].range, 10..11);
    }

    #[test]
    fn a_quoted_word_is_read_back() {
        for word in ["plain/file.taut", "with space", "it's", "<>[] (a && b)", ""] {
            let text = quoted(word);
            if !word.contains('\'') {
                assert_eq!(texts(&text), [word]);
            }
        }
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
