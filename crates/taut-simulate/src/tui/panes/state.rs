//! Memory, channels, and the processes with their locals and buffers.

use ratatui::text::{Line, Span};
use taut_ir::{ProcId, VarKind};

use super::super::app::App;
use super::super::theme::{Role, Theme};
use super::wrap::{Piece, wrap};
use super::{Pane, Size};
use crate::view::{self, Cell, Part, printable};

/// The columns for names.
const NAMES: usize = 8;

/// The state, scrolled.
pub(in crate::tui) fn state(app: &App<'_>, (width, height): Size, theme: Theme) -> Pane {
    let pane = StatePane { app, width, theme };
    let mut lines = pane.memory();
    for process in view::living(app.simulator.names(), app.simulator.state()) {
        lines.extend(pane.process(process));
    }
    let first = app.scroll.min(lines.len().saturating_sub(height));
    let below = lines.len().saturating_sub(first + height);
    let title = match (first, below) {
        (0, 0) => "State".into(),
        (above, 0) => format!("State, {above} lines above"),
        (_, below) => format!("State, {below} lines below: PgDn"),
    };
    Pane { title, lines: lines.into_iter().skip(first).take(height).collect() }
}

struct StatePane<'a, 'h> {
    app: &'a App<'h>,
    width: usize,
    theme: Theme,
}

impl StatePane<'_, '_> {
    fn memory(&self) -> Vec<Line<'static>> {
        let simulator = &self.app.simulator;
        let (names, before, now) = (simulator.names(), simulator.before(), simulator.state());
        let variables = |kind| view::variables(names, before, now, kind);
        let mut lines = self.named("memory", pieces(variables(VarKind::Shared)));
        lines.extend(self.named("ghost", pieces(variables(VarKind::Ghost))));
        for channel in view::channels(names, before, now) {
            lines.extend(self.named("channel", pieces(vec![channel])));
        }
        lines
    }

    /// A process: where it is and its locals, and below them its buffer.
    fn process(&self, process: ProcId) -> Vec<Line<'static>> {
        let simulator = &self.app.simulator;
        let (names, before, now) = (simulator.names(), simulator.before(), simulator.state());
        let place = view::place(names, now, process);
        let mut first = vec![Piece::new(place, Role::Here)];
        first.extend(pieces(view::locals(names, before, now, process)));
        let mut lines = self.named(names.process(process), first);
        let model = simulator.memory().model;
        if model.is_relaxed() {
            let parts = view::queues(names, model, now, process);
            lines.extend(self.named("", queue(parts)));
        }
        lines
    }

    /// Pieces with a name in front; nothing if there are none.
    fn named(&self, name: &str, pieces: Vec<Piece>) -> Vec<Line<'static>> {
        let name = printable(name);
        let columns = self.width.saturating_sub(NAMES + 1).max(1);
        let lines = wrap(&pieces, columns).into_iter().enumerate();
        let lines = lines.map(|(i, pieces)| {
            let name = if i == 0 { name.as_str() } else { "" };
            let name = Span::styled(format!("{name:<NAMES$} "), self.theme.style(Role::Name));
            let rest = pieces.into_iter().map(|p| Span::styled(p.text, self.theme.style(p.role)));
            Line::from_iter(std::iter::once(name).chain(rest))
        });
        lines.collect()
    }
}

fn pieces(cells: Vec<Cell>) -> Vec<Piece> {
    let piece =
        |cell: Cell| Piece::new(cell.text, if cell.changed { Role::Changed } else { Role::Plain });
    cells.into_iter().map(piece).collect()
}

/// A buffer as pieces, one for each queue up to a store fence.
fn queue(parts: Vec<Part>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts {
        match part {
            Part::Way(way) => pieces.push(Piece::new(format!("{way}│"), Role::Buffer)),
            Part::Barrier => pieces.push(Piece::new("¦".into(), Role::Faint)),
            Part::Store(store) => pieces.push(Piece::glued(format!("{store}│"), Role::Buffer)),
        }
    }
    if pieces.is_empty() {
        pieces.push(Piece::new("⇠ empty".into(), Role::Faint));
    }
    pieces
}
