//! Words in a column: a cell is a list of chunks, a chunk is a list of words, and both are broken
//! into lines only where the column is too narrow.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::theme::{Role, Theme};

/// How many columns stand between two chunks on one line.
const GAP: usize = 2;
/// How far the second and further lines of a chunk are indented.
const INDENT: usize = 2;

/// A word with its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    text: String,
    role: Role,
}

impl Word {
    /// A word. What a terminal would not print as it is (control characters) is replaced.
    pub fn new(text: impl AsRef<str>, role: Role) -> Word {
        let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        Word { text: text.as_ref().chars().map(printable).collect(), role }
    }

    fn width(&self) -> usize {
        self.text.width()
    }

    /// The word in pieces no wider than a column.
    fn split(&self, width: usize) -> Vec<Word> {
        let mut pieces = vec![String::new()];
        let mut used = 0;
        for c in self.text.chars() {
            let wide = c.width().unwrap_or(0);
            if used + wide > width && used > 0 {
                pieces.push(String::new());
                used = 0;
            }
            used += wide;
            pieces.last_mut().expect("never empty").push(c);
        }
        pieces.into_iter().map(|text| Word { text, role: self.role }).collect()
    }
}

/// Where a chunk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// After the chunk before it, if it fits there as a whole.
    Beside,
    /// On a line of its own.
    Below,
    /// At the right end of the line, if it fits there as a whole.
    Right,
}

/// Words that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    words: Vec<Word>,
    place: Place,
}

impl Chunk {
    fn width(&self) -> usize {
        joined_width(&self.words)
    }
}

fn joined_width(words: &[Word]) -> usize {
    words.iter().map(Word::width).sum::<usize>() + words.len().saturating_sub(1)
}

/// The content of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    chunks: Vec<Chunk>,
}

/// One line of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    left: Vec<Word>,
    left_width: usize,
    right: Vec<Word>,
}

impl Cell {
    /// A cell with one chunk, of the words of a text.
    pub fn text(text: &str, role: Role) -> Cell {
        let mut cell = Cell::default();
        cell.push_text(text, role, Place::Beside);
        cell
    }

    /// Adds a chunk of the words of a text.
    pub fn push_text(&mut self, text: &str, role: Role, place: Place) {
        self.push(text.split_whitespace().map(|w| Word::new(w, role)).collect(), place);
    }

    /// Adds a chunk; one without words is left out.
    pub fn push(&mut self, words: Vec<Word>, place: Place) {
        taut_budget::tick();
        if !words.is_empty() {
            self.chunks.push(Chunk { words, place });
        }
    }

    /// The words in one line.
    pub fn plain(&self) -> String {
        let words = self.chunks.iter().flat_map(|chunk| &chunk.words);
        words.map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The width of the column in which no line has to be broken.
    pub fn natural_width(&self) -> usize {
        let mut widest = 0;
        let mut line = 0;
        for chunk in &self.chunks {
            let starts_line = line == 0 || chunk.place == Place::Below;
            line = if starts_line { chunk.width() } else { line + GAP + chunk.width() };
            widest = widest.max(line);
        }
        widest
    }

    /// The lines in a column of this width.
    pub fn wrap(&self, width: usize) -> Vec<Line> {
        taut_budget::tick();
        let mut lines: Vec<Line> = Vec::new();
        for chunk in &self.chunks {
            let fits = lines.last().is_some_and(|line| line.has_room(chunk, width));
            if !fits || chunk.place == Place::Below {
                lines.push(Line::default());
            }
            if chunk.place == Place::Right && chunk.width() <= width {
                lines.last_mut().expect("just pushed").right = chunk.words.clone();
            } else {
                fill(&mut lines, chunk, width);
            }
        }
        lines
    }
}

/// Breaks a chunk over lines, beginning on the last one, which has room or is empty.
fn fill(lines: &mut Vec<Line>, chunk: &Chunk, width: usize) {
    let indent = if width > 4 * INDENT { INDENT } else { 0 };
    let mut first = true;
    let pieces = |word: &Word, starts: bool| match word.width() {
        wide if wide <= width - indent || (starts && wide <= width) => vec![word.clone()],
        _ => word.split(width - indent),
    };
    let starts = lines.last().is_some_and(|line| line.left.is_empty());
    let words = chunk.words.iter().enumerate();
    for word in words.flat_map(|(i, word)| pieces(word, starts && i == 0)) {
        let line = lines.last_mut().expect("a line to begin on");
        let gap = match (line.left.is_empty(), first) {
            (true, _) => 0,
            (false, true) => GAP,
            (false, false) => 1,
        };
        if line.left_width + gap + word.width() > width {
            lines.push(Line::default());
            lines.last_mut().expect("just pushed").add(indent, word);
        } else {
            line.add(gap, word);
        }
        first = false;
    }
}

impl Line {
    fn has_room(&self, chunk: &Chunk, width: usize) -> bool {
        self.right.is_empty() && self.left_width + GAP + chunk.width() <= width
    }

    fn add(&mut self, gap: usize, word: Word) {
        self.left_width += gap + word.width();
        let blanks = " ".repeat(gap);
        match self.left.last_mut() {
            Some(last) if last.role == word.role => last.text.push_str(&(blanks + &word.text)),
            _ if gap == 0 => self.left.push(word),
            _ => self.left.extend([Word { text: blanks, role: Role::Plain }, word]),
        }
    }

    /// The line as text; padded to a width if one is given.
    pub fn render(&self, width: Option<usize>, theme: Theme) -> String {
        let left: String = self.left.iter().map(|w| theme.paint(&w.text, w.role)).collect();
        let right: Vec<_> = self.right.iter().map(|w| theme.paint(&w.text, w.role)).collect();
        let used = self.left_width + joined_width(&self.right);
        let padding = " ".repeat(width.unwrap_or(used).saturating_sub(used));
        format!("{left}{padding}{}", right.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(cell: &Cell, width: usize) -> Vec<String> {
        let plain = Theme { styled: false };
        cell.wrap(width).iter().map(|l| l.render(Some(width), plain)).collect()
    }

    #[test]
    fn chunks_stay_together_where_they_fit() {
        let mut cell = Cell::text("x := 1", Role::Plain);
        cell.push_text("[x=1 y=2]", Role::Buffer, Place::Right);
        assert_eq!(cell.natural_width(), 17);
        assert_eq!(lines(&cell, 18), ["x := 1   [x=1 y=2]"]);
        assert_eq!(lines(&cell, 10), ["x := 1    ", " [x=1 y=2]"]);
    }

    #[test]
    fn long_words_are_split_and_wide_characters_counted() {
        let cell = Cell::text("abcdefghij", Role::Plain);
        assert_eq!(lines(&cell, 4), ["abcd", "efgh", "ij  "]);
        assert_eq!(lines(&cell, 10), ["abcdefghij"]);
        let cell = Cell::text("日本語", Role::Plain);
        assert_eq!(lines(&cell, 5), ["日本 ", "語   "]);
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        let cell = Cell::text("a\u{1b}[31m", Role::Plain);
        assert!(!lines(&cell, 20)[0].contains('\u{1b}'));
    }
}
