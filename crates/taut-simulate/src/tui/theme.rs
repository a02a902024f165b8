//! What stands out, and how: the sixteen colours of the terminal, or none.

use ratatui::style::{Color, Modifier, Style};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// Frames, numbers, what lies ahead.
    Faint,
    Title,
    /// Names of processes, and of what stands beside them.
    Name,
    /// What a buffer holds, and commits.
    Buffer,
    /// What the last action changed.
    Changed,
    /// A line that a process is at.
    Here,
    Key,
    Wrong,
    Right,
}

/// With or without colours. What matters can be told without them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) coloured: bool,
}

impl Theme {
    pub(super) fn style(self, role: Role) -> Style {
        let plain = Style::new();
        let (colour, modifier) = match role {
            Role::Plain => return plain,
            Role::Faint => (None, Modifier::DIM),
            Role::Title | Role::Name => (None, Modifier::BOLD),
            Role::Buffer => (Some(Color::Yellow), Modifier::empty()),
            Role::Changed => (Some(Color::Cyan), Modifier::BOLD),
            Role::Here => (Some(Color::Green), Modifier::BOLD),
            Role::Key => (Some(Color::Cyan), Modifier::BOLD),
            Role::Wrong => (Some(Color::Red), Modifier::BOLD),
            Role::Right => (Some(Color::Green), Modifier::empty()),
        };
        let style = plain.add_modifier(modifier);
        match colour.filter(|_| self.coloured) {
            Some(colour) => style.fg(colour),
            None => style,
        }
    }

    /// The same, selected.
    pub(super) fn selected(self, role: Role) -> Style {
        self.style(role).add_modifier(Modifier::REVERSED)
    }
}
