//! The screen: where the panes are, and what stands around them.
//!
//! ```text
//! file, model, place in the history
//! ┌ what can happen ─┐┌ source ────┐
//! ├ state ───────────┤├ history ───┤
//! └──────────────────┘└ properties ┘
//! the answer to the last command, or a prompt
//! keys
//! ```

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::app::App;
use super::keys::{KEYS, LINE};
use super::panes::{self, Pane};
use super::theme::{Role, Theme};
use crate::facts::facts;
use crate::view::printable;

/// The smallest screen that everything fits on, the help included.
const SMALLEST: (u16, u16) = (60, 18);

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, app: &App<'_>, theme: Theme) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return too_small(frame, area);
    }
    let bars = [1, 0, 1, 1].map(|height| match height {
        0 => Constraint::Fill(1),
        height => Constraint::Length(height),
    });
    let [top, body, answer, keys] = Layout::vertical(bars).areas(area);
    frame.render_widget(title(app, theme), top);
    draw_body(frame, body, app, theme);
    draw_answer(frame, answer, app, theme);
    frame.render_widget(key_line(usize::from(keys.width), theme), keys);
    if app.helps {
        draw_help(frame, area, theme);
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect) {
    let words = [
        format!("The terminal is {}×{};", area.width, area.height),
        format!("the simulator needs {}×{}.", SMALLEST.0, SMALLEST.1),
        "Make it larger, or press q.".into(),
    ];
    let lines: Vec<_> = words.into_iter().map(Line::from).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

fn title<'a>(app: &App<'_>, theme: Theme) -> Line<'a> {
    let simulator = &app.simulator;
    let memory = simulator.memory();
    let bound = match memory.bound.filter(|_| memory.model.has_bound()) {
        Some(bound) => format!(", at most {bound} stores per buffer"),
        None => String::new(),
    };
    let (at, rows) = (simulator.at(), simulator.rows().len());
    let place = if at == rows { format!("row {at}") } else { format!("row {at} of {rows}") };
    let model = memory.model.name().to_uppercase();
    Line::from(vec![
        Span::styled(format!(" {}", printable(simulator.host().name())), theme.style(Role::Title)),
        Span::styled(format!("  {model}{bound}  "), theme.style(Role::Plain)),
        Span::styled(place, theme.style(Role::Changed)),
    ])
}

fn draw_body(frame: &mut Frame<'_>, body: Rect, app: &App<'_>, theme: Theme) {
    let facts = facts(&app.simulator);
    let most = body.height / 3;
    let rows =
        |count: usize, least: u16| (count as u16).saturating_add(2).clamp(least, most.max(least));
    let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]);
    let [left, right] = halves.areas(body);
    let choices = Constraint::Length(rows(app.simulator.choices().len(), 5));
    let [choices, state] = Layout::vertical([choices, Constraint::Fill(1)]).areas(left);
    let [source, history, properties] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(most),
        Constraint::Length(rows(facts.len(), 3).min(most)),
    ])
    .areas(right);
    draw_pane(frame, choices, theme, |size| panes::choices(app, size, theme));
    draw_pane(frame, state, theme, |size| panes::state(app, size, theme));
    draw_pane(frame, source, theme, |size| panes::source(app, size, theme));
    draw_pane(frame, history, theme, |size| panes::history(app, size, theme));
    draw_pane(frame, properties, theme, |size| panes::properties(&facts, size, theme));
}

/// Draws a pane, which is told how many columns and rows it has.
fn draw_pane(
    frame: &mut Frame<'_>,
    area: Rect,
    theme: Theme,
    pane: impl FnOnce((usize, usize)) -> Pane,
) {
    let inside = area.inner(Margin::new(1, 1));
    let Pane { title, lines } = pane((usize::from(inside.width), usize::from(inside.height)));
    let title = Span::styled(format!(" {title} "), theme.style(Role::Title));
    let block = Block::bordered().border_style(theme.style(Role::Faint)).title(title);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn draw_answer(frame: &mut Frame<'_>, area: Rect, app: &App<'_>, theme: Theme) {
    let width = usize::from(area.width);
    let line = if let Some(task) = &app.task {
        let words = format!(" {} (Esc gives up)", task.words());
        Line::styled(words, theme.style(Role::Key))
    } else if let Some(prompt) = &app.prompt {
        let words = format!(" {}", prompt.question.words());
        let answer = tail(&prompt.answer, width.saturating_sub(words.width() + 2));
        let typed = words.width() + answer.width();
        frame.set_cursor_position((area.x + typed as u16, area.y));
        Line::from(vec![Span::styled(words, theme.style(Role::Key)), Span::raw(answer)])
    } else if let Some(message) = &app.message {
        let role = if message.is_error { Role::Wrong } else { Role::Key };
        Line::styled(format!(" {}", message.text), theme.style(role))
    } else {
        Line::default()
    };
    frame.render_widget(line, area);
}

/// The end of a text that fits into some columns.
fn tail(text: &str, width: usize) -> String {
    let text = printable(text);
    let mut start = 0;
    while text[start..].width() > width {
        start += text[start..].chars().next().map_or(1, char::len_utf8);
    }
    text[start..].into()
}

fn key_line<'a>(width: usize, theme: Theme) -> Line<'a> {
    let mut spans = Vec::new();
    let mut used = 0;
    for (key, what) in LINE {
        let wide = key.width() + what.width() + 4;
        if used + wide > width {
            break;
        }
        used += wide;
        spans.push(Span::styled(format!(" {key}"), theme.style(Role::Key)));
        spans.push(Span::styled(format!(" {what}  "), theme.style(Role::Faint)));
    }
    Line::from(spans)
}

fn draw_help(frame: &mut Frame<'_>, area: Rect, theme: Theme) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (key, what) in KEYS {
        lines.push(Line::from(vec![
            Span::styled(format!(" {key:<14}"), theme.style(Role::Key)),
            Span::raw(what),
        ]));
    }
    let (width, height) = (60, lines.len() as u16 + 2);
    let (width, height) = (width.min(area.width), height.min(area.height));
    let (x, y) = ((area.width - width) / 2, (area.height - height) / 2);
    let window = Rect { x: area.x + x, y: area.y + y, width, height };
    let title = Line::from(" Keys ").alignment(Alignment::Center);
    frame.render_widget(Clear, window);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), window);
}
