//! Names that may stand at a position: words of the language, names of the program, and names of the text.
//!
//! The text is in the middle of a change, so it is not read for this: the names are those of the last program that was
//! read, and all that stand in the text now. After `@` and `goto` a label is meant, and nothing else is offered.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use taut::ir::VarKind;

use crate::document::Document;
use crate::names::{enclosing, label, word_at, words};

/// The most names that are offered: an editor narrows the list down as letters are typed.
const MOST: usize = 1000;

/// What a name is, as the protocol counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Text = 1,
    Function = 3,
    Variable = 6,
    Property = 10,
    Keyword = 14,
    Reference = 18,
}

/// The names that may stand at a byte.
pub fn completions(document: &Document, offset: usize) -> Vec<Value> {
    let text = &document.text;
    let word = word_at(text, offset).unwrap_or(offset..offset);
    let before = text[..word.start].trim_end();
    let mut found = BTreeMap::new();
    if before.ends_with('@') || before.ends_with("goto") {
        let names = words(text).map(|(_, name)| name);
        for name in names.filter(|name| label(text, name).is_some()).take(MOST) {
            found.insert(name.to_owned(), (Kind::Reference, "label".to_owned()));
        }
        return listed(found);
    }
    // What is said later about a name takes the place of what was said before: the most exact comes last.
    for (at, name) in words(text) {
        if at != word.start {
            found.entry(name.to_owned()).or_insert((Kind::Text, String::new()));
        }
    }
    for name in document.language.keywords() {
        found.insert((*name).to_owned(), (Kind::Keyword, document.language.title().to_owned()));
    }
    of_program(document, offset, &mut found);
    listed(found)
}

fn of_program(document: &Document, offset: usize, found: &mut BTreeMap<String, (Kind, String)>) {
    let Some(loaded) = document.program.as_deref() else { return };
    let program = &loaded.program;
    let is_plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut add = |name: &str, kind, detail: &str| {
        if is_plain(name) {
            found.insert(name.to_owned(), (kind, detail.to_owned()));
        }
    };
    for property in &program.properties {
        add(&property.name, Kind::Property, "property");
    }
    for def in &program.defs {
        add(&def.name, Kind::Function, "process");
    }
    for var in &program.vars {
        let word = if var.kind == VarKind::Shared { "shared" } else { "ghost" };
        add(&var.name, Kind::Variable, word);
    }
    for register in enclosing(loaded, offset).into_iter().flat_map(|def| &def.registers) {
        add(&register.name, Kind::Variable, "local");
    }
}

fn listed(found: BTreeMap<String, (Kind, String)>) -> Vec<Value> {
    let item = |(name, (kind, detail)): (String, (Kind, String))| match detail.is_empty() {
        true => json!({"label": name, "kind": kind as u8}),
        false => json!({"label": name, "kind": kind as u8, "detail": detail}),
    };
    found.into_iter().take(MOST).map(item).collect()
}
