//! What a process does in a row, as words in a column.

use super::cell::{Cell, Place, Word};
use super::theme::Role;
use crate::view::PartView;

/// The step and what it did, or the store that commits.
pub(super) fn told(part: &PartView<'_>) -> Cell {
    let Some(text) = part.text() else {
        let stores = part.committed("=").join(" ");
        return Cell::text(&format!("⇢ {stores} commits"), Role::Commit);
    };
    let mut words: Vec<_> = text.split_whitespace().map(|w| Word::new(w, Role::Plain)).collect();
    let results = part.results();
    if !results.is_empty() {
        words.push(Word::new("→", Role::Remark));
        words.extend(results.iter().map(|w| Word::new(w, Role::Value)));
    }
    let mut cell = Cell::default();
    cell.push(words, Place::Beside);
    cell.push_text(&part.remark(), Role::Remark, Place::Beside);
    if let Some(failure) = part.failure() {
        cell.push_text(&format!("✗ {failure}"), Role::Finding, Place::Beside);
    }
    cell
}
