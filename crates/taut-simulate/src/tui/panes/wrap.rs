//! Pieces of text that are not broken, in lines that are as wide as a pane.

use unicode_width::UnicodeWidthStr;

use super::super::theme::Role;

/// A text with its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) role: Role,
    /// Whether it stands right after the piece before it.
    glued: bool,
}

impl Piece {
    pub(super) fn new(text: String, role: Role) -> Piece {
        Piece { text, role, glued: false }
    }

    /// A piece without a blank in front of it.
    pub(super) fn glued(text: String, role: Role) -> Piece {
        Piece { text, role, glued: true }
    }
}

/// The pieces in lines; blanks between them are pieces, too. Only a piece that is wider than a line is cut.
pub(super) fn wrap(pieces: &[Piece], width: usize) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    let mut used = 0;
    for piece in pieces {
        let gap = usize::from(!piece.glued);
        let fits = used + gap + piece.text.width() <= width;
        match lines.last_mut() {
            Some(line) if fits => {
                if gap > 0 {
                    line.push(Piece::new(" ".into(), Role::Plain));
                }
                line.push(piece.clone());
                used += gap + piece.text.width();
            }
            _ => {
                lines.push(vec![piece.clone()]);
                used = piece.text.width();
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pieces: &[Piece], width: usize) -> Vec<String> {
        let line = |line: &Vec<Piece>| line.iter().map(|p| p.text.as_str()).collect();
        wrap(pieces, width).iter().map(line).collect()
    }

    #[test]
    fn pieces_stay_whole_and_glued_ones_have_no_blank_before_them() {
        let piece = |text: &str| Piece::new(text.into(), Role::Plain);
        let all = [piece("x=1"), piece("⇠│"), Piece::glued("y=2│".into(), Role::Buffer)];
        assert_eq!(texts(&all, 20), ["x=1 ⇠│y=2│"]);
        assert_eq!(texts(&all, 7), ["x=1 ⇠│", "y=2│"]);
        assert_eq!(texts(&all, 1), ["x=1", "⇠│", "y=2│"]);
        assert!(texts(&[], 5).is_empty());
    }
}
