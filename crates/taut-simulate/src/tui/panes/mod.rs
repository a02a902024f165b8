//! What stands in the panes.

mod choices;
mod history;
mod properties;
mod source;
mod state;
mod wrap;

pub(super) use choices::choices;
pub(super) use history::history;
pub(super) use properties::properties;
pub(super) use source::source;
pub(super) use state::state;

use ratatui::text::Line;

/// A pane.
pub(super) struct Pane {
    pub(super) title: String,
    pub(super) lines: Vec<Line<'static>>,
}

/// The columns and rows of a pane.
type Size = (usize, usize);

/// The first of `count` lines to show, so that line `wanted` is among `height` of them, about in the middle.
fn first_line(count: usize, height: usize, wanted: usize) -> usize {
    wanted.saturating_sub(height / 2).min(count.saturating_sub(height))
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn the_wanted_line_is_always_to_be_seen() {
        for count in 0..12 {
            for height in 1..8 {
                for wanted in 0..count {
                    let first = first_line(count, height, wanted);
                    assert!(first <= wanted && wanted < first + height);
                    assert!(first == 0 || first + height <= count);
                }
            }
        }
    }
}
