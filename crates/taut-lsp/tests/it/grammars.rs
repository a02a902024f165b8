//! The grammars that editors colour programs with say what the front ends say: every keyword, and the comments.
//!
//! `TAUT_GRAMMARS=update cargo test -p taut-lsp` writes them.

use std::path::PathBuf;

use serde_json::{Value, json};
use taut::Language;

/// The extension for Visual Studio Code.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode")
}

fn value(file: &str) -> Value {
    let text =
        std::fs::read_to_string(folder().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The languages with a grammar of their own; editors know C.
fn languages() -> Vec<Language> {
    Language::all().into_iter().filter(|language| language.name() != "c").collect()
}

/// A text as a regular expression that matches it alone.
fn exactly(text: &str) -> String {
    let escape =
        |c: char| if c.is_alphanumeric() || c == '_' { c.to_string() } else { format!("\\{c}") };
    text.chars().map(escape).collect()
}

/// The grammar of a language.
fn grammar(language: Language) -> Value {
    let name = language.name();
    let (line, block) = language.comments().marks();
    let scoped = |what: &str| format!("{what}.{name}");
    let mut patterns = Vec::new();
    if let Some(mark) = line {
        let pattern = format!("{}.*$", exactly(mark));
        patterns.push(json!({"name": scoped("comment.line"), "match": pattern}));
    }
    if let Some((begin, end)) = block {
        let (begin, end) = (exactly(begin), exactly(end));
        patterns.push(json!({"name": scoped("comment.block"), "begin": begin, "end": end}));
    }
    let mut keywords: Vec<String> = language.keywords().iter().map(|word| exactly(word)).collect();
    keywords.sort();
    let ignores_case = if language.ignores_case() { "(?i)" } else { "" };
    let keywords = format!("{ignores_case}\\b(?:{})\\b", keywords.join("|"));
    patterns.extend([
        json!({"name": scoped("string.quoted.double"), "begin": "\"", "end": "\"|$"}),
        json!({"name": scoped("keyword.control"), "match": keywords}),
        json!({"name": scoped("constant.numeric"), "match": "\\b(?:0[xX][0-9a-fA-F]+|[0-9]+)\\b"}),
        json!({"name": scoped("entity.name.label"), "match": "^\\s*[A-Za-z_]\\w*(?=\\s*:(?![=:]))"}),
        json!({"name": scoped("keyword.operator"), "match": ":=|->|<-|&&|\\|\\||[=!<>]=|[-+*/%<>=!&|^~?]"}),
    ]);
    json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": language.title(),
        "scopeName": format!("source.{name}"),
        "patterns": patterns,
    })
}

/// The marks of comments and brackets, for editing.
fn configuration(language: Language) -> Value {
    let (line, block) = language.comments().marks();
    let mut comments = serde_json::Map::new();
    comments.extend(line.map(|mark| ("lineComment".into(), json!(mark))));
    comments.extend(block.map(|(begin, end)| ("blockComment".into(), json!([begin, end]))));
    let pairs = [["{", "}"], ["[", "]"], ["(", ")"]];
    json!({"comments": comments, "brackets": pairs, "autoClosingPairs": pairs, "surroundingPairs": pairs})
}

#[test]
fn grammars_and_configurations_are_those_of_the_front_ends() {
    let is_updated = std::env::var("TAUT_GRAMMARS").is_ok_and(|value| value == "update");
    for language in languages() {
        assert!(!language.keywords().is_empty(), "{language:?}");
        let name = language.name();
        for (file, made) in [
            (format!("syntaxes/{name}.tmLanguage.json"), grammar(language)),
            (format!("{name}.language-configuration.json"), configuration(language)),
        ] {
            if is_updated {
                let text = serde_json::to_string_pretty(&made).expect("JSON") + "\n";
                std::fs::write(folder().join(&file), text).expect("written");
            }
            assert_eq!(value(&file), made, "{file}; TAUT_GRAMMARS=update writes it");
        }
    }
}

#[test]
fn the_extension_knows_every_language() {
    let package = value("package.json");
    let contributed = package["contributes"]["languages"].as_array().expect("languages");
    let grammars = package["contributes"]["grammars"].as_array().expect("grammars");
    for language in languages() {
        let name = language.name();
        let known =
            contributed.iter().find(|l| l["id"] == name).unwrap_or_else(|| panic!("{name}"));
        let extensions: Vec<String> =
            language.extensions().iter().map(|extension| format!(".{extension}")).collect();
        assert_eq!(known["extensions"], json!(extensions), "{name}");
        assert_eq!(known["configuration"], format!("./{name}.language-configuration.json"));
        let grammar =
            grammars.iter().find(|g| g["language"] == name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(grammar["path"], format!("./syntaxes/{name}.tmLanguage.json"));
        assert_eq!(grammar["scopeName"], format!("source.{name}"));
    }
    assert_eq!(contributed.len(), languages().len());
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let commands = package["contributes"]["commands"].as_array().expect("commands");
    let client = std::fs::read_to_string(folder().join("extension.js")).expect("the extension");
    for command in commands {
        let name = command["command"].as_str().expect("a name");
        assert!(client.contains(&format!("\"{name}\"")), "{name}");
    }
}
