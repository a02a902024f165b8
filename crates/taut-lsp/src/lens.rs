//! What stands above the text: checks to run, and repairs to apply.

use serde_json::{Value, json};
use taut::MemoryModel;

use crate::document::Document;
use crate::text::top;

/// The command that checks a document under a memory model.
pub const CHECK: &str = "taut.check";
/// The command that applies the cheapest repair of a document under a memory model.
pub const FIX: &str = "taut.fix";

/// The lenses of a document: none while it has mistakes.
pub fn lenses(document: &Document) -> Vec<Value> {
    if document.current().is_none() {
        return Vec::new();
    }
    let fixes = document.fixes.iter().map(|fix| {
        let title = format!("{} ({})", fix.title, fix.model.name().to_uppercase());
        lens(document, &title, FIX, fix.model)
    });
    let checks = MemoryModel::ALL.iter().map(|&model| {
        lens(document, &format!("check under {}", model.name().to_uppercase()), CHECK, model)
    });
    checks.chain(fixes).collect()
}

fn lens(document: &Document, title: &str, command: &str, model: MemoryModel) -> Value {
    let arguments = json!([document.uri, model.name()]);
    let command = json!({"title": title, "command": command, "arguments": arguments});
    json!({"range": top(), "command": command})
}
