//! Messages with structures, and statements that are rarely written.

use super::features::Feature;
use super::statement::{Body, Position};
use super::tree::Piece;

impl Body<'_> {
    /// How likely a statement about the channel of structures is.
    pub(super) fn messages_weight(&self, at: Position) -> usize {
        match self.scope.messages {
            Some(0) if at.d_step => 0,
            Some(_) if !at.beside_else => self.features.weight(Feature::Messages, 5),
            _ => 0,
        }
    }

    /// A statement about the channel of structures.
    pub(super) fn message(&mut self, at: Position) -> Piece {
        let buffered = self.scope.messages != Some(0);
        let text = match self.random.below(if buffered { 8 } else { 5 }) {
            0 | 1 => "cm!m;",
            2 | 3 => "cm?m;",
            4 => {
                *self.random.pick(&["cm!1, true;", "cm?m.p, _;", "cm?1, m.q;", "cm?eval(m.p), _;"])
            }
            5 => "cm?<m>;",
            6 if self.features.has(Feature::For) && !at.d_step => {
                return Piece::block("for (m in cm) {", vec![self.assign(at)], "}");
            }
            _ => "nempty(cm);",
        };
        Piece::line(text)
    }

    /// A statement that is rarely written.
    pub(super) fn rare(&mut self, at: Position) -> Piece {
        if at.atomic || self.scope.of_mtype(true).is_empty() {
            let place = self.expressions().place(false);
            return Piece::line(format!("{place} = (_pid -> 1 : 2);"));
        }
        Piece::line(format!("printm({});", self.expressions().place(true)))
    }
}
