//! The word at a position, and where it is declared.
//!
//! Variables, registers, processes and properties have their places in the program model. Labels, procedures, functions,
//! macros and types are found in the text: the name behind a word that declares, or before a colon. Comments and strings are
//! passed over.

use std::ops::Range;

use taut::Loaded;
use taut::ir::ProcessDef;

use crate::document::Document;

/// Words of all languages behind which a name is declared.
const DECLARES: [&str; 14] = [
    "procedure",
    "function",
    "inline",
    "proctype",
    "process",
    "define",
    "struct",
    "enum",
    "macro",
    "typedef",
    "ltl",
    "forbid",
    "invariant",
    "cover",
];

/// The word that a byte is in or behind, and where it is.
pub fn word_at(text: &str, offset: usize) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..offset].char_indices().rev().take_while(|(_, c)| is_part(*c)).last();
    let start = before.map_or(offset, |(at, _)| at);
    let end = text[offset..].find(|c| !is_part(c)).map_or(text.len(), |length| offset + length);
    let is_name = text[start..end].starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name.then_some(start..end)
}

/// Where the word at a byte is declared.
pub fn definition(document: &Document, offset: usize) -> Option<Range<usize>> {
    let text = &document.text;
    let word = word_at(text, offset)?;
    let name = &text[word.clone()];
    let before = text[..word.start].trim_end();
    let is_label = before.ends_with('@') || before.ends_with("goto");
    let declared =
        || document.current().and_then(|loaded| in_program(loaded, document, name, offset));
    match is_label {
        true => label(text, name).or_else(declared).or_else(|| behind_a_word(text, name)),
        false => declared().or_else(|| behind_a_word(text, name)).or_else(|| label(text, name)),
    }
}

/// The definition of processes that a byte is in: the last one that begins before it.
pub fn enclosing(loaded: &Loaded, offset: usize) -> Option<&ProcessDef> {
    let before =
        |def: &&ProcessDef| def.span.file == loaded.file && def.span.start as usize <= offset;
    loaded.program.defs.iter().filter(before).max_by_key(|def| def.span.start)
}

/// A place that the program model knows: of the process that the byte is in, of the program, of any process.
fn in_program(
    loaded: &Loaded,
    document: &Document,
    name: &str,
    offset: usize,
) -> Option<Range<usize>> {
    let program = &loaded.program;
    let here = enclosing(loaded, offset).into_iter();
    let registers = here.chain(&program.defs).flat_map(|def| &def.registers);
    let registers =
        registers.filter(|register| register.name == name).map(|register| register.span);
    let variables = program.vars.iter().filter(|var| var.name == name).map(|var| var.span);
    let processes = program.defs.iter().filter(|def| def.name == name).map(|def| def.span);
    let properties = program.properties.iter().filter(|p| p.name == name).map(|p| p.span);
    let mut all = registers.chain(variables).chain(processes).chain(properties);
    all.find_map(|span| {
        let is_here = loaded.sources.get(span.file)?.text() == document.text;
        let part = is_here.then_some(span.start as usize..span.end as usize)?;
        // A declaration as a whole; the name in it is what is meant.
        occurrence(&document.text, part, name)
    })
}

/// The first place of a name in a part of a text.
fn occurrence(text: &str, part: Range<usize>, name: &str) -> Option<Range<usize>> {
    let mut words = words(text.get(part.clone())?);
    let found = words.find(|(_, word)| *word == name)?;
    let start = part.start + found.0;
    Some(start..start + name.len())
}

/// A name behind a word that declares.
fn behind_a_word(text: &str, name: &str) -> Option<Range<usize>> {
    let mut last = "";
    words(text).find_map(|(at, word)| {
        let is_declared = word == name && DECLARES.contains(&last);
        last = word;
        is_declared.then(|| at..at + name.len())
    })
}

/// Words before the name of a property, which has a colon behind it, too.
const NAMES_A_PROPERTY: [&str; 4] = ["cover", "forbid", "invariant", "ltl"];

/// A label: a name before a colon that is no part of `:=` or `::`, and no name of a property.
pub fn label(text: &str, name: &str) -> Option<Range<usize>> {
    words(text).filter(|(_, word)| *word == name).find_map(|(at, word)| {
        let rest = text[at + word.len()..].trim_start().strip_prefix(':')?;
        let before = text[..at].trim_end();
        let is_owner = before.ends_with([':', '@', '?']);
        let last = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        let is_property = last.is_some_and(|word| NAMES_A_PROPERTY.contains(&word));
        let is_label = !rest.starts_with(['=', ':']) && !is_owner && !is_property;
        is_label.then(|| at..at + name.len())
    })
}

/// The words of a text outside of comments and strings, with their places.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let first = rest.chars().next()?;
            if first.is_alphabetic() || first == '_' {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let word = &rest[..end.unwrap_or(rest.len())];
                at += word.len();
                return Some((at - word.len(), word));
            }
            at += skipped(rest, first);
        }
    })
}

/// The bytes of a comment, a string, a number or a sign at the start of a text.
fn skipped(rest: &str, first: char) -> usize {
    let until = |from: usize, end: &str| {
        rest[from..].find(end).map_or(rest.len(), |length| from + length + end.len())
    };
    match first {
        '/' if rest.starts_with("//") => until(2, "\n"),
        '/' if rest.starts_with("/*") => until(2, "*/"),
        '"' => until(1, "\""),
        _ if first.is_numeric() => rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()),
        _ => first.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_in_comments_and_strings_are_none() {
        let text = "a /* b */ c // d\n \"e\" 1f µg";
        assert_eq!(words(text).map(|(_, word)| word).collect::<Vec<_>>(), ["a", "c", "µg"]);
    }

    #[test]
    fn labels_and_declared_names() {
        let text = "procedure f(); x := 1; p:r == 0; cs: skip; goto cs; // f\n";
        assert_eq!(behind_a_word(text, "f"), Some(10..11));
        assert_eq!(label(text, "cs"), Some(33..35));
        assert_eq!(label(text, "x"), None);
        assert_eq!(label("forbid mutex: p@cs", "mutex"), None);
    }

    proptest! {
        #[test]
        fn every_place_of_any_text_is_looked_at(text in "[a-cµ𝄞/*\":@ \n]{0,30}") {
            for (at, _) in text.char_indices() {
                if let Some(word) = word_at(&text, at) {
                    let name = &text[word];
                    let _ = (label(&text, name), behind_a_word(&text, name));
                }
            }
        }
    }
}
