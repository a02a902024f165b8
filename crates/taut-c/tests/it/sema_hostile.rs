//! Programs with a word left out or put in the place of another: messages, never a panic.

use lang_c::driver::{Config, Flavor, parse_preprocessed};
use taut_c::sema;
use taut_source::{SourceMap, Span};

/// The ranges of the words of a text.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, b) in text.bytes().enumerate().filter(|(_, b)| !b.is_ascii_whitespace()) {
        match words.last_mut() {
            Some(last) if last.end == i && is_word(b) && is_word(text.as_bytes()[i - 1]) => {
                last.end = i + 1;
            }
            _ => words.push(i..i + 1),
        }
    }
    words
}

/// Analyses a text; false if it is not even parsed.
fn is_analysed(text: &str) -> bool {
    let mut map = SourceMap::new();
    let file = map.add("hostile.c", text.to_string());
    let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
    let Ok(parsed) = parse_preprocessed(&config, text.to_string()) else { return false };
    let place = |span: lang_c::span::Span| Span::new(file, sema::tidy(text, span.start..span.end));
    if let Err(said) = sema::analyse(&parsed.unit, &place) {
        assert!(said.has_errors(), "refused without a reason: {text}");
    }
    true
}

#[test]
fn changed_programs_are_messages() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut analysed = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of broken programs").flatten() {
        let path = entry.path();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        if path.extension().is_none_or(|e| e != "c") || text.contains('#') {
            continue;
        }
        let words = words(&text);
        for (i, word) in words.iter().enumerate() {
            let other = &text[words[(i * 7 + 3) % words.len()].clone()];
            for new in ["", other] {
                let changed = format!("{}{new}{}", &text[..word.start], &text[word.end..]);
                analysed += usize::from(is_analysed(&changed));
            }
        }
    }
    assert!(analysed >= 500, "only {analysed} are parsed");
}
