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
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
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
    /// Whether to end, asked a few times per second.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// How long to wait for a key before asking whether to end.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often to look whether it is to end and does not, and how long to wait then.
const GLANCE: Duration = Duration::from_millis(20);
const GRACE: Duration = Duration::from_secs(1);

/// The exit code of a process whose terminal is gone: that of a hang-up (128 and SIGHUP).
const GONE: i32 = 129;

/// More bytes than a frame has: it is written at once, so that no half of one is ever seen.
const FRAME: usize = 1 << 18;

type Screen = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// Runs a simulation on the terminal until somebody ends it.
pub fn run(simulator: Simulator<'_>, options: &Options<'_>) -> io::Result<()> {
    // From here on a panic gives the terminal back before it says anything.
    ratatui::try_init().inspect_err(|_| ratatui::restore())?;
    let out = BufWriter::with_capacity(FRAME, io::stdout());
    let theme = Theme { coloured: options.coloured };
    let over = AtomicBool::new(false);
    let stop = options.stop;
    let ended = thread::scope(|scope| {
        scope.spawn(|| watch(stop, &over));
        let ended = Terminal::new(CrosstermBackend::new(out))
            .and_then(|mut terminal| converse(&mut terminal, App::new(simulator), theme, options));
        over.store(true, Ordering::Relaxed);
        ended
    });
    ended.and(ratatui::try_restore())
}

/// Sees to it that a simulation that is to end does. When the terminal is gone, waiting for a key never comes
/// back: the terminal says for ever that there is something to read, and then that it is nothing.
fn watch(stop: &(dyn Fn() -> bool + Sync), over: &AtomicBool) {
    let mut left = GRACE;
    while !over.load(Ordering::Relaxed) {
        thread::sleep(GLANCE);
        left = if stop() { left.saturating_sub(GLANCE) } else { GRACE };
        if left.is_zero() {
            ratatui::restore();
            std::process::exit(GONE);
        }
    }
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
