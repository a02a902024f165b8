//! What is true now.

use ratatui::text::{Line, Span};

use super::super::theme::{Role, Theme};
use super::{Pane, Size};
use crate::facts::{Fact, Truth};

/// The properties, those that are violated first.
pub(in crate::tui) fn properties(facts: &[Fact], (_, height): Size, theme: Theme) -> Pane {
    let mut facts: Vec<&Fact> = facts.iter().collect();
    facts.sort_by_key(|fact| fact.truth != Truth::Violated);
    let left_out = facts.len().saturating_sub(height);
    let title = match left_out {
        0 => "Properties now".into(),
        count => format!("Properties now, {count} more"),
    };
    let line = |fact: &&Fact| {
        let (mark, role) = match fact.truth {
            Truth::Fine | Truth::True | Truth::Covered => ("✓", Role::Right),
            Truth::Violated => ("✗", Role::Wrong),
            Truth::False => ("·", Role::Plain),
            Truth::Unseen => ("?", Role::Faint),
        };
        Line::from(vec![
            Span::styled(format!("{mark} {}", fact.name), theme.style(role)),
            Span::styled(format!("  {}", fact.truth.word()), theme.style(Role::Faint)),
        ])
    };
    Pane { title, lines: facts.iter().take(height).map(line).collect() }
}
