//! A model as a tree of lines, which can be made smaller without knowing what the lines mean.

/// A line or a block of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A line.
    Line(String),
    /// Lines between two others.
    Block {
        /// What comes first.
        open: String,
        /// What is inside.
        body: Vec<Piece>,
        /// What comes last.
        close: String,
    },
}

/// A model of Promela.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its declarations.
    pub pieces: Vec<Piece>,
}

impl Piece {
    /// A line.
    pub fn line(text: impl Into<String>) -> Piece {
        Piece::Line(text.into())
    }

    /// A block.
    pub fn block(open: impl Into<String>, body: Vec<Piece>, close: impl Into<String>) -> Piece {
        Piece::Block { open: open.into(), body, close: close.into() }
    }

    /// The same with a label before it.
    #[must_use]
    pub fn labelled(self, label: &str) -> Piece {
        match self {
            Piece::Line(text) => Piece::Line(format!("{label}: {text}")),
            Piece::Block { open, body, close } => {
                Piece::Block { open: format!("{label}: {open}"), body, close }
            }
        }
    }

    fn write(&self, indent: usize, text: &mut String) {
        match self {
            Piece::Line(content) => write_line(indent, content, text),
            Piece::Block { open, body, close } => {
                write_line(indent, open, text);
                body.iter().for_each(|piece| piece.write(indent + 1, text));
                write_line(indent, close, text);
            }
        }
    }
}

fn write_line(indent: usize, content: &str, text: &mut String) {
    if !content.is_empty() {
        text.push_str(&"  ".repeat(indent));
        text.push_str(content);
        text.push('\n');
    }
}

impl Model {
    /// The model as Promela.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            piece.write(0, &mut text);
        }
        text
    }

    /// A smaller model that still fails: no single piece of it can be taken away, nor a block be replaced
    /// by what is in it. `fails` is also asked about models that SPIN does not accept.
    #[must_use]
    pub fn reduce(&self, mut fails: impl FnMut(&Model) -> bool) -> Model {
        let mut model = self.clone();
        loop {
            let before = model.clone();
            let mut at = 0;
            while at < count(&model.pieces) {
                let smaller = [Change::Remove, Change::Unwrap].into_iter().find_map(|change| {
                    let mut candidate = model.clone();
                    let mut left = at;
                    let changed = apply(&mut candidate.pieces, &mut left, change);
                    (changed && fails(&candidate)).then_some(candidate)
                });
                match smaller {
                    Some(smaller) => model = smaller,
                    None => at += 1,
                }
            }
            if model == before {
                return model;
            }
        }
    }
}

/// A way to make a model smaller at one piece.
#[derive(Clone, Copy)]
enum Change {
    /// Take the piece away.
    Remove,
    /// Replace a block by what is in it.
    Unwrap,
}

fn count(pieces: &[Piece]) -> usize {
    let inside = |p: &Piece| match p {
        Piece::Line(_) => 0,
        Piece::Block { body, .. } => count(body),
    };
    pieces.iter().map(|p| 1 + inside(p)).sum()
}

/// Changes the piece that has `left` pieces before it; whether there was something to change.
fn apply(pieces: &mut Vec<Piece>, left: &mut usize, change: Change) -> bool {
    for i in 0..pieces.len() {
        if *left == 0 {
            return apply_here(pieces, i, change);
        }
        *left -= 1;
        if let Piece::Block { body, .. } = &mut pieces[i] {
            let inside = count(body);
            if *left < inside {
                return apply(body, left, change);
            }
            *left -= inside;
        }
    }
    false
}

fn apply_here(pieces: &mut Vec<Piece>, i: usize, change: Change) -> bool {
    match (change, pieces.remove(i)) {
        (Change::Remove, _) => true,
        (Change::Unwrap, Piece::Line(_)) => false,
        (Change::Unwrap, Piece::Block { body, .. }) => {
            pieces.splice(i..i, body);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduction_keeps_what_the_failure_needs() {
        let inner = vec![Piece::line("a"), Piece::line("b"), Piece::line("c")];
        let block = Piece::block("{", vec![Piece::block("(", inner, ")"), Piece::line("d")], "}");
        let model = Model { pieces: vec![Piece::line("e"), block] };
        let reduced = model.reduce(|m| m.text().contains('b') && m.text().contains('{'));
        assert_eq!(reduced.text(), "{\n  b\n}\n");
    }
}
