//! What stands out, and how.

use anstyle::{AnsiColor, Style};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Header,
    /// Lines of the table, numbers of rows.
    Frame,
    /// What a buffer holds.
    Buffer,
    /// A store that reaches memory.
    Commit,
    /// A value that has changed in memory.
    Changed,
    /// The value that came out of a step.
    Value,
    /// A remark about a step.
    Remark,
    /// What marks a cycle.
    Cycle,
    /// What is wrong.
    Finding,
}

/// With or without colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub styled: bool,
}

impl Theme {
    /// A text in the style of its role.
    pub fn paint(self, text: &str, role: Role) -> String {
        let style = style(role);
        if !self.styled || style.is_plain() || text.trim().is_empty() {
            return text.to_string();
        }
        format!("{style}{text}{style:#}")
    }
}

fn style(role: Role) -> Style {
    let colour = |c: AnsiColor| c.on_default();
    match role {
        Role::Plain => Style::new(),
        Role::Header => Style::new().bold(),
        Role::Frame | Role::Remark => Style::new().dimmed(),
        Role::Buffer => colour(AnsiColor::Blue),
        Role::Commit => colour(AnsiColor::Cyan),
        Role::Changed => colour(AnsiColor::Yellow).bold(),
        Role::Value => Style::new().bold(),
        Role::Cycle => colour(AnsiColor::Magenta),
        Role::Finding => colour(AnsiColor::Red).bold(),
    }
}
