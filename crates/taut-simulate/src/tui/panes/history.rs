//! What happened, and what lies ahead.

use ratatui::text::{Line, Span};
use taut_render::tell;

use super::super::app::App;
use super::super::theme::{Role, Theme};
use super::{Pane, Size, first_line};

/// The rows around the place in the run; row 0 is the start.
pub(in crate::tui) fn history(app: &App<'_>, (_, height): Size, theme: Theme) -> Pane {
    let simulator = &app.simulator;
    let (rows, at) = (simulator.rows(), simulator.at());
    let count = rows.len() + 1;
    let first = first_line(count, height, at);
    let line = |number: usize| {
        let text = match number.checked_sub(1) {
            None => "the start".to_string(),
            Some(index) => tell(simulator.names(), &rows[index]),
        };
        let wrong = number > 0 && rows[number - 1].failure.is_some();
        let role = match number {
            number if number > at => Role::Faint,
            _ if wrong => Role::Wrong,
            number if number == at => Role::Title,
            _ => Role::Plain,
        };
        let mark = if number == at { "▸" } else { " " };
        Line::from(vec![
            Span::styled(format!("{mark}{number:>3} "), theme.style(Role::Key)),
            Span::styled(text, theme.style(role)),
        ])
    };
    let lines = (first..count).take(height).map(line).collect();
    Pane { title: "History".into(), lines }
}
