//! Changes of a text: the usual layout, and fixes that are certain.

use std::ops::Range;

use serde_json::{Value, json};
use taut::diag::{Diagnostics, SourceMap};

use crate::document::{Document, Reading};
use crate::text::{Lines, place_of};

/// The change that makes one text of another: the lines that differ, with the lines between them.
pub fn between(old: &str, new: &str) -> Vec<Value> {
    if old == new {
        return Vec::new();
    }
    let is_line_start = |text: &str, at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    // Back to the start of a line, which is the start of a character, too.
    let start = (0..=same).rev().find(|&at| is_line_start(old, at)).unwrap_or(0);
    let most = (old.len() - start).min(new.len() - start);
    let same =
        old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    let from_end =
        |kept: &usize| is_line_start(old, old.len() - kept) && is_line_start(new, new.len() - kept);
    let kept = (0..=same).rev().find(from_end).unwrap_or(0);
    vec![edit(&Lines::new(old), start..old.len() - kept, &new[start..new.len() - kept])]
}

fn edit(lines: &Lines<'_>, part: Range<usize>, text: &str) -> Value {
    json!({"range": lines.range(part), "newText": text})
}

/// The changes that give a document the usual layout; none if its language has no such layout, or if it has mistakes.
pub fn formatting(document: &Document) -> Vec<Value> {
    let Some(format) = document.language.formatter() else { return Vec::new() };
    if !matches!(document.reading, Some(Reading::Program(_))) {
        return Vec::new();
    }
    let mut sources = SourceMap::new();
    let file = sources.add("document", document.text.as_str());
    match format(&sources, file) {
        Ok(text) => between(&document.text, &text),
        Err(_) => Vec::new(),
    }
}

/// The fixes that are certain, for the mistakes in a part of a document; and one for all mistakes.
pub fn actions(document: &Document, part: &Value) -> Vec<Value> {
    let Some(Reading::Mistakes(error)) = &document.reading else { return Vec::new() };
    // The words of a help are promised by the Taut language alone.
    if document.language.name() != "taut" {
        return Vec::new();
    }
    let lines = Lines::new(&document.text);
    let (Some(from), Some(to)) = (place_of(&part["start"]), place_of(&part["end"])) else {
        return Vec::new();
    };
    let part = lines.offset(from)..lines.offset(to);
    let mut all = single(document, &lines, &error.diagnostics, &part);
    let (text, count) = taut::lang::fixed("document.taut", &document.text);
    if count > 1 {
        let edits = between(&document.text, &text);
        all.push(action(document, &format!("Fix {count} mistakes"), "source.fixAll", &edits));
    }
    all
}

fn single(
    document: &Document,
    lines: &Lines<'_>,
    messages: &Diagnostics,
    part: &Range<usize>,
) -> Vec<Value> {
    let mut all = Vec::new();
    for message in messages.sorted() {
        let (start, end) = (message.span.start as usize, message.span.end as usize);
        let Some(fix) = taut::lang::fix(message).filter(|_| start <= part.end && part.start <= end)
        else {
            continue;
        };
        let title = match start == end {
            true => format!("Insert `{}`", fix.text),
            false => format!("Replace by `{}`", fix.text),
        };
        all.push(action(document, &title, "quickfix", &[edit(lines, start..end, &fix.text)]));
    }
    all
}

fn action(document: &Document, title: &str, kind: &str, edits: &[Value]) -> Value {
    json!({"title": title, "kind": kind, "edit": workspace_edit(document, edits)})
}

/// Changes of a document, for the text that they were made for and no other.
pub fn workspace_edit(document: &Document, edits: &[Value]) -> Value {
    let text_document = json!({"uri": document.uri, "version": document.version});
    json!({"documentChanges": [{"textDocument": text_document, "edits": edits}]})
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A text after some changes.
    fn applied(text: &str, edits: &[Value]) -> String {
        let lines = Lines::new(text);
        let mut out = text.to_string();
        for edit in edits {
            let at = |name: &str| lines.offset(place_of(&edit["range"][name]).expect("a place"));
            out.replace_range(at("start")..at("end"), edit["newText"].as_str().expect("a text"));
        }
        out
    }

    #[test]
    fn only_the_lines_that_differ_are_changed() {
        let edits = between("a\nb\nc\n", "a\nx\ny\nc\n");
        assert_eq!(edits[0]["newText"], "x\ny\n");
        assert_eq!(edits[0]["range"]["start"]["line"], 1);
    }

    proptest! {
        #[test]
        fn a_change_makes_the_new_text(old in "[aµ𝄞\n]{0,12}", new in "[aµ𝄞\n]{0,12}") {
            prop_assert_eq!(applied(&old, &between(&old, &new)), new);
        }
    }
}
