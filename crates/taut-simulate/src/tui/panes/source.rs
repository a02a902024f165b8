//! The source, with the lines that processes are at.

use std::collections::BTreeMap;

use ratatui::text::{Line, Span};
use taut_ir::Action;
use unicode_width::UnicodeWidthStr;

use super::super::app::App;
use super::super::theme::{Role, Theme};
use super::{Pane, Size, first_line};
use crate::view::{self, Spot, printable};

/// The widest that the names of processes in front of lines may be.
const WIDEST: usize = 10;
/// What a tab is drawn as.
const TAB: &str = "    ";

/// The lines around the one that the selected action, or the last one, is about.
pub(in crate::tui) fn source(app: &App<'_>, (_, height): Size, theme: Theme) -> Pane {
    let simulator = &app.simulator;
    let sources = simulator.host().sources();
    let spots = spots(app);
    let focus = focus(app);
    let file = focus.map_or(simulator.host().file(), |spot| spot.file);
    let source = sources.file(file);
    let texts: Vec<&str> = source.text().lines().collect();
    let wanted = focus.map_or(0, |spot| spot.line.saturating_sub(1) as usize);
    let first = first_line(texts.len(), height, wanted);
    let shown = first..texts.len().min(first + height);
    let names = |index: usize| {
        let spot = Spot { file, line: index as u32 + 1 };
        spots.get(&spot).map(|names| shortened(&names.join(",")))
    };
    let widest = shown.clone().filter_map(names).map(|n| n.width()).max().unwrap_or(0);
    let line = |index: usize| {
        let here = names(index);
        let is_focus = focus.is_some() && index == wanted;
        let style = match &here {
            Some(_) if is_focus => theme.selected(Role::Here),
            Some(_) => theme.style(Role::Here),
            None => theme.style(Role::Plain),
        };
        let mark = if here.is_some() { "▸" } else { " " };
        let name = here.unwrap_or_default();
        let blank = " ".repeat(widest - name.width());
        let text = printable(&texts[index].replace('\t', TAB));
        Line::from(vec![
            Span::styled(format!("{blank}{name}{mark}"), theme.style(Role::Name)),
            Span::styled(format!("{:>3} ", index + 1), theme.style(Role::Faint)),
            Span::styled(text, style),
        ])
    };
    Pane { title: printable(source.name()), lines: shown.map(line).collect() }
}

/// The lines that processes are at, with their names.
fn spots(app: &App<'_>) -> BTreeMap<Spot, Vec<String>> {
    let simulator = &app.simulator;
    let (names, state) = (simulator.names(), simulator.state());
    let mut spots: BTreeMap<Spot, Vec<String>> = BTreeMap::new();
    for process in view::living(names, state) {
        if let Some(spot) = view::spot(names, state, process) {
            spots.entry(spot).or_default().push(printable(names.process(process)));
        }
    }
    spots
}

/// The line to look at: that of the selected step, else where the process of the selected commit, or the one
/// that moved last, is.
fn focus(app: &App<'_>) -> Option<Spot> {
    let simulator = &app.simulator;
    let names = simulator.names();
    let row = simulator.choices().get(app.selected).map(|choice| &choice.row);
    let action = row.or(simulator.last()).map(|row| row.action)?;
    if let (Action::Step { process, step, .. } | Action::Handshake { process, step, .. }, true) =
        (action, row.is_some())
    {
        let span = names.find_step(process, step).map_or(taut_ir::Span::NONE, |step| step.span);
        if let Some(spot) = Spot::of(names.sources(), span) {
            return Some(spot);
        }
    }
    view::spot(names, simulator.state(), action.process())
}

/// Names that fit in front of a line.
fn shortened(names: &str) -> String {
    if names.width() <= WIDEST {
        return names.into();
    }
    let mut text = String::new();
    for c in names.chars() {
        if text.width() + 2 > WIDEST {
            break;
        }
        text.push(c);
    }
    text + "…"
}
