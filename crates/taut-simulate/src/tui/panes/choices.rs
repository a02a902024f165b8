//! What can happen.

use ratatui::text::{Line, Span};

use super::super::app::App;
use super::super::theme::{Role, Theme};
use super::{Pane, Size, first_line};
use crate::choice::Choice;
use crate::script::bounds;

/// The actions, the selected one marked.
pub(in crate::tui) fn choices(app: &App<'_>, (_, height): Size, theme: Theme) -> Pane {
    let all = app.simulator.choices();
    let held = bounds(app.simulator.bounds());
    let title = match all.len() {
        0 => "Nothing can happen".into(),
        count => format!("What can happen: {count}"),
    };
    if all.is_empty() {
        let words = match (held, app.simulator.has_ended()) {
            (Some(words), _) => words,
            (None, true) => "the last step went wrong".into(),
            (None, false) => "the run ends here; ← goes back".into(),
        };
        return Pane { title, lines: vec![Line::styled(words, theme.style(Role::Faint))] };
    }
    let first = first_line(all.len(), height, app.selected);
    let shown = all.iter().enumerate().skip(first).take(height);
    let lines = shown.map(|(i, choice)| line(i, choice, i == app.selected, theme)).collect();
    Pane { title, lines }
}

fn line(number: usize, choice: &Choice, selected: bool, theme: Theme) -> Line<'static> {
    let role = match choice {
        choice if choice.row.failure.is_some() => Role::Wrong,
        choice if choice.is_commit() => Role::Buffer,
        _ => Role::Plain,
    };
    let style = if selected { theme.selected(role) } else { theme.style(role) };
    let mark = if selected { "▸" } else { " " };
    let number = format!("{mark}{:>2} ", number + 1);
    let mut spans = vec![
        Span::styled(number, theme.style(Role::Key)),
        Span::styled(choice.text.clone(), style),
    ];
    if let Some(line) = choice.line {
        spans.push(Span::styled(format!("  line {line}"), theme.style(Role::Faint)));
    }
    Line::from(spans)
}
