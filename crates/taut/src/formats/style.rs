//! Colours of text for people.

use anstyle::{AnsiColor, Style};

use crate::verdict::VerdictKind;

/// Paints text in a style if it is to be seen in colour.
pub fn paint(text: &str, style: Style, styled: bool) -> String {
    if styled { format!("{style}{text}{style:#}") } else { text.into() }
}

/// The style of a verdict.
pub fn verdict_style(verdict: VerdictKind) -> Style {
    let colour = match verdict {
        VerdictKind::Holds | VerdictKind::Covered => AnsiColor::Green,
        VerdictKind::Violated | VerdictKind::Never => AnsiColor::Red,
        VerdictKind::Unknown | VerdictKind::NotAsked => AnsiColor::Yellow,
    };
    colour.on_default().bold()
}

/// A text without what a terminal would not print as it is.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
