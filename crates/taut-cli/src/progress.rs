//! The line that says how far a search has come, on a terminal.
//!
//! A thread looks at what the search [tells](taut::Progress) and draws it on standard error. Nothing is drawn where
//! nobody watches, in the first half second, or before the search has told anything; and the line is gone before
//! anything else is printed.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use taut::ProgressSnapshot;
use taut::budget::Bytes;
use taut::formats::columns::thousands;
use taut::{Check, Progress};

use super::output::{eprint, is_watched, print};

/// Searches shorter than this are not worth a line.
const SILENCE: Duration = Duration::from_millis(500);
/// How often the line is drawn.
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(200);
/// The speed is that of so many drawings: searches tell how far they are in leaps.
const SAMPLES: usize = 10;

/// Runs a check with the line below it, where somebody watches.
pub fn watch<'p, T>(check: Check<'p>, run: impl FnOnce(&Check<'p>) -> T) -> T {
    if !is_watched() {
        return run(&check);
    }
    let progress = Progress::default();
    let _line = Line::start(progress.clone());
    run(&check.progress(progress))
}

/// Prints text while a check runs. The line is wiped out first, and drawn again below the text.
pub fn above(text: &str) {
    if text.is_empty() {
        return;
    }
    if is_watched() {
        eprint("\r\x1b[2K");
    }
    print(text);
}

/// The line. Dropping it wipes it out.
struct Line {
    /// Who lets go of this ends the drawing.
    end: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

impl Line {
    fn start(progress: Progress) -> Line {
        let (end, ended) = channel();
        let drawing = std::thread::Builder::new().spawn(move || draw(&progress, &ended)).ok();
        Line { end: Some(end), drawing }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.end.take();
        if let Some(drawing) = self.drawing.take() {
            // A panic in there has drawn its own message, and harms no verdict.
            let _ = drawing.join();
        }
    }
}

/// Draws until the other end lets go.
fn draw(progress: &Progress, ended: &Receiver<()>) {
    let goes_on = |wait| ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
    let started = Instant::now();
    if !goes_on(SILENCE) {
        return;
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    let mut latest = VecDeque::from([(Duration::ZERO, 0)]);
    loop {
        let (now, elapsed) = (progress.snapshot(), started.elapsed());
        if now.states > 0 {
            bar.set_message(words(now, elapsed, latest[0]));
            bar.tick();
        }
        latest.push_back((elapsed, now.states));
        if latest.len() > SAMPLES {
            latest.pop_front();
        }
        if !goes_on(BETWEEN_DRAWINGS) {
            break;
        }
    }
    bar.finish_and_clear();
}

/// What the line says; `before` is a moment a little earlier, and how many states there were.
fn words(now: ProgressSnapshot, elapsed: Duration, before: (Duration, u64)) -> String {
    let (then, states) = before;
    let seconds = elapsed.saturating_sub(then).as_secs_f64().max(1e-3);
    // A search that begins again, with more processes or larger buffers, has fewer states than before.
    let speed = now.states.saturating_sub(states) as f64 / seconds;
    format!(
        "{} states, {} states/s, queue {}, depth {}, {}, {:.1} s",
        thousands(now.states),
        thousands(speed as u64),
        thousands(now.queue),
        thousands(now.depth),
        Bytes(now.bytes),
        elapsed.as_secs_f64(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_everything_in_it() {
        let now = ProgressSnapshot {
            states: 1_500_000,
            transitions: 9,
            queue: 1_234,
            depth: 17,
            bytes: 4096,
        };
        let line = words(now, Duration::from_secs(3), (Duration::from_secs(2), 500_000));
        assert_eq!(
            line,
            "1 500 000 states, 1 000 000 states/s, queue 1 234, depth 17, 4.0 KiB, 3.0 s"
        );
        let again = words(
            ProgressSnapshot { states: 1, ..now },
            Duration::from_secs(3),
            (Duration::from_secs(2), 5),
        );
        assert!(again.starts_with("1 states, 0 states/s"), "{again}");
    }
}
