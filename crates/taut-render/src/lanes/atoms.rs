//! The truth of a property's atoms, as it stands under the rows: `want == 1 ∧ ¬p@cs`.

use super::cell::{Cell, Place, Word};
use super::theme::Role;
use taut_witness::AtomTruths;

/// All atoms after so many rows.
pub(super) fn all(atoms: &AtomTruths, rows: usize) -> Option<Cell> {
    let now = atoms.at.get(rows)?.as_ref()?;
    told(atoms, now.iter().copied().enumerate())
}

/// The atoms whose truth changed in the last of so many rows; none if none did. While a process holds the
/// others nobody looks: what changed meanwhile is told after it.
pub(super) fn changed(atoms: &AtomTruths, rows: usize) -> Option<Cell> {
    let now = atoms.at.get(rows)?.as_ref()?;
    let before = atoms.at[..rows].iter().rev().find_map(Option::as_ref)?;
    let pairs = now.iter().zip(before).enumerate();
    told(atoms, pairs.filter(|(_, (now, before))| now != before).map(|(i, (now, _))| (i, *now)))
}

fn told(atoms: &AtomTruths, truths: impl Iterator<Item = (usize, bool)>) -> Option<Cell> {
    let mut words = Vec::new();
    for (i, truth) in truths {
        if !words.is_empty() {
            words.push(Word::new("∧", Role::Remark));
        }
        words.extend(literal(&atoms.texts[i], truth));
    }
    if words.is_empty() {
        return None;
    }
    let mut cell = Cell::default();
    cell.push(words, Place::Beside);
    Some(cell)
}

/// An atom or its negation, in parentheses where it takes some.
fn literal(text: &str, truth: bool) -> Vec<Word> {
    let is_simple = !text.contains(|c: char| " =<>!&|+-*/%?^~".contains(c));
    let binds_loosely = text.contains("&&") || text.contains("||") || text.contains('?');
    let shown = match (truth, is_simple) {
        (true, _) if !binds_loosely => text.to_string(),
        (true, _) => format!("({text})"),
        (false, true) => format!("¬{text}"),
        (false, false) => format!("¬({text})"),
    };
    let role = if truth { Role::Value } else { Role::Plain };
    shown.split_whitespace().map(|word| Word::new(word, role)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::theme::Theme;
    use super::*;

    fn shown(cell: Option<Cell>) -> String {
        let plain = Theme { styled: false };
        cell.map_or(String::new(), |cell| {
            cell.wrap(80).iter().map(|line| line.render(None, plain)).collect()
        })
    }

    #[test]
    fn what_changed_while_nobody_looked_is_told_afterwards() {
        let texts = vec!["x == 1".to_string(), "p@cs".to_string(), "a || b".to_string()];
        let at = vec![Some(vec![false, false, true]), None, Some(vec![true, false, false])];
        let atoms = AtomTruths { texts, at };
        assert_eq!(shown(all(&atoms, 0)), "¬(x == 1) ∧ ¬p@cs ∧ (a || b)");
        assert_eq!(shown(changed(&atoms, 1)), "");
        assert_eq!(shown(changed(&atoms, 2)), "x == 1 ∧ ¬(a || b)");
        assert_eq!(shown(changed(&atoms, 0)), "");
        assert_eq!(shown(all(&atoms, 7)), "");
    }
}
