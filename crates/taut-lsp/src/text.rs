//! Positions in a text. An editor counts lines from zero and, within a line, units of UTF-16; Taut counts bytes.

use serde_json::{Value, json};
use taut::annotate::SourceLine;

/// A text by its lines.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// A place between two characters: line, and units of UTF-16 in it.
pub type Place = (u32, u32);

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Lines<'t> {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(i, _)| i + 1)).collect();
        Lines { text, starts }
    }

    /// A line without its end; beyond the last one, nothing.
    fn line(&self, line: u32) -> (usize, &'t str) {
        let Some(&start) = self.starts.get(line as usize) else { return (self.text.len(), "") };
        let end = self.starts.get(line as usize + 1).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        (start, line.strip_suffix('\r').unwrap_or(line))
    }

    /// The byte at a place; what is beyond the end of a line or of the text is its end.
    pub fn offset(&self, (line, units): Place) -> usize {
        let (start, line) = self.line(line);
        let mut left = units as usize;
        for (at, c) in line.char_indices() {
            if left < c.len_utf16() {
                return start + at;
            }
            left -= c.len_utf16();
        }
        start + line.len()
    }

    /// The place of a byte; within a character it is the place before it.
    pub fn place(&self, offset: usize) -> Place {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let units: usize = self.text[self.starts[line]..offset].chars().map(char::len_utf16).sum();
        (line as u32, units as u32)
    }

    /// A part of the text as the protocol writes it.
    pub fn range(&self, bytes: std::ops::Range<usize>) -> Value {
        range(self.place(bytes.start), self.place(bytes.end.max(bytes.start)))
    }

    /// A part of the text that is given by lines and characters, both from one.
    pub fn range_of(&self, place: &SourceLine) -> Value {
        let at = |line: u32, column: u32| {
            let line = line.saturating_sub(1);
            let before = self.line(line).1.chars().take(column.saturating_sub(1) as usize);
            (line, before.map(char::len_utf16).sum::<usize>() as u32)
        };
        range(at(place.line, place.column), at(place.end_line, place.end_column))
    }
}

fn range(start: Place, end: Place) -> Value {
    let place = |(line, character): Place| json!({"line": line, "character": character});
    json!({"start": place(start), "end": place(end)})
}

/// The start of a text.
pub fn top() -> Value {
    range((0, 0), (0, 0))
}

/// A place as the protocol writes it.
pub fn place_of(value: &Value) -> Option<Place> {
    let number = |name: &str| value[name].as_u64().map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    Some((number("line")?, number("character")?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn units_are_those_of_utf_16() {
        let lines = Lines::new("aµ𝄞b\r\nc");
        assert_eq!(lines.place("aµ𝄞".len()), (0, 4));
        assert_eq!(lines.offset((0, 4)), "aµ𝄞".len());
        assert_eq!(lines.offset((0, 3)), "aµ".len(), "within a pair of surrogates");
        assert_eq!(lines.offset((0, 99)), "aµ𝄞b".len(), "not behind the end of the line");
        assert_eq!(lines.offset((1, 1)), lines.text.len());
        assert_eq!(lines.offset((9, 9)), lines.text.len());
    }

    proptest! {
        #[test]
        fn places_of_characters_are_found_again(text in "[aµ𝄞\n]{0,30}") {
            let lines = Lines::new(&text);
            for (at, _) in text.char_indices() {
                prop_assert_eq!(lines.offset(lines.place(at)), at);
            }
        }

        #[test]
        fn no_place_is_outside(text in "\\PC{0,20}", line in any::<u32>(), units in any::<u32>()) {
            let offset = Lines::new(&text).offset((line, units));
            prop_assert!(text.is_char_boundary(offset));
        }
    }
}
