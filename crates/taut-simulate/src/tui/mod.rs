//! The simulator on a terminal.
//!
//! [`run`] owns the terminal while it lasts and gives it back as it was, whatever ends it: a key, a signal, an
//! error or a panic. `app` is what keys do and knows of no screen, `draw` is what the screen shows and changes
//! nothing.

mod app;
mod draw;
mod keys;
mod panes;
mod prompt;
mod theme;

use std::io::{self, BufWriter, Stdout};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::simulator::Simulator;
use app::App;
use theme::Theme;

/// How to use the terminal.
pub struct Options<'a> {
    /// Whether to use colours. They are those of the terminal.
    pub coloured: bool,
    /// Whether to end, asked a few times a second.
    pub stop: &'a dyn Fn() -> bool,
}

/// How long to wait for a key before asking whether to end.
const PATIENCE: Duration = Duration::from_millis(100);

/// More bytes than a frame has: it is written at once, so that no half of one is ever seen.
const FRAME: usize = 1 << 18;

type Screen = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// Runs a simulation on the terminal until somebody ends it.
pub fn run(simulator: Simulator<'_>, options: &Options<'_>) -> io::Result<()> {
    // From here on a panic gives the terminal back before it says anything.
    ratatui::try_init().inspect_err(|_| ratatui::restore())?;
    let out = BufWriter::with_capacity(FRAME, io::stdout());
    let theme = Theme { coloured: options.coloured };
    let ended = Terminal::new(CrosstermBackend::new(out))
        .and_then(|mut terminal| converse(&mut terminal, App::new(simulator), theme, options));
    ended.and(ratatui::try_restore())
}

/// Draws, and does what keys say, until it is over.
fn converse(
    terminal: &mut Screen,
    mut app: App<'_>,
    theme: Theme,
    options: &Options<'_>,
) -> io::Result<()> {
    let mut changed = true;
    while !app.quits() && !(options.stop)() {
        if changed {
            terminal.draw(|frame| draw::draw(frame, &app, theme))?;
        }
        changed = app.work();
        let patience = if changed { Duration::ZERO } else { PATIENCE };
        if event::poll(patience)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => app.press(key),
                _ => {}
            }
            changed = true;
        }
    }
    Ok(())
}
