//! Source files and positions in them.

use crate::{Diagnostic, FileId, Span};

/// The largest source text accepted, in bytes. A program a person wrote is far smaller; the limit keeps
/// spans in 32 bits and turns a mistaken path to a core dump into a message.
const LARGEST_SOURCE: usize = 64 << 20;

/// A line and a column, both counted from one; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one.
    pub column: u32,
}

/// One source file: its name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    /// Byte offset of the start of each line; the first is 0.
    lines: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: String) -> SourceFile {
        let starts =
            text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        SourceFile { name, text, lines }
    }

    /// The name as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let start = self.lines[line] as usize;
        let end = self.floor_boundary((offset as usize).min(self.text.len()).max(start));
        let column = self.text[start..end].chars().count() as u32 + 1;
        Position { line: line as u32 + 1, column }
    }

    /// The text of a line, counted from one, without its line break; empty past the end.
    pub fn line(&self, line: u32) -> &str {
        let index = line.saturating_sub(1) as usize;
        let Some(&start) = self.lines.get(index) else { return "" };
        let end = self.lines.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// The byte offset at which a line, counted from one, starts.
    pub(crate) fn line_start(&self, line: u32) -> usize {
        self.lines[line.saturating_sub(1) as usize] as usize
    }

    /// The nearest character boundary at or before an offset.
    pub(crate) fn floor_boundary(&self, mut offset: usize) -> usize {
        offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// All source files of one run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text under a name.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile::new(name.into(), text.into()));
        id
    }

    /// Adds what was read from a file or a pipe. Text that is not UTF-8, holds NUL bytes or is far too
    /// large is refused with its position; the file is in the map either way so that the refusal can
    /// be shown. A byte order mark is dropped; CRLF line ends are kept and are blank space to every
    /// front end.
    pub fn add_bytes(
        &mut self,
        name: impl Into<String>,
        bytes: Vec<u8>,
    ) -> Result<FileId, Box<Diagnostic>> {
        let name = name.into();
        if bytes.len() > LARGEST_SOURCE {
            let id = self.add(name, "");
            let message = format!(
                "the file has {} bytes; at most {LARGEST_SOURCE} are accepted",
                bytes.len()
            );
            return Err(Box::new(
                Diagnostic::error("E0003", message, Span::new(id, 0..0)).help("is this a program?"),
            ));
        }
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if text.starts_with('\u{feff}') {
                    text.drain(..'\u{feff}'.len_utf8());
                }
                self.add_text(name, text)
            }
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let id = self.add(name, text);
                Err(Box::new(
                    Diagnostic::error(
                        "E0001",
                        "the file is not UTF-8 text",
                        Span::new(id, at..at + 1),
                    )
                    .label("this byte is part of no character")
                    .help("save the file as UTF-8; programs are plain text"),
                ))
            }
        }
    }

    fn add_text(&mut self, name: String, text: String) -> Result<FileId, Box<Diagnostic>> {
        let nul = text.find('\0');
        let id = self.add(name, text);
        match nul {
            None => Ok(id),
            Some(at) => Err(Box::new(
                Diagnostic::error("E0002", "the file holds a NUL byte", Span::new(id, at..at + 1))
                    .label("here")
                    .help("this looks like a binary file; programs are plain text"),
            )),
        }
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// A file of this map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// A file of this map, if the id is one of its own.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Where a span starts, if it points into this map.
    pub fn position(&self, span: Span) -> Option<Position> {
        Some(self.get(span.file)?.position(span.start))
    }

    /// The source text of a span; empty if it points nowhere.
    pub fn text(&self, span: Span) -> &str {
        let Some(file) = self.get(span.file) else { return "" };
        let start = file.floor_boundary(span.start as usize);
        let end = file.floor_boundary(span.end as usize).max(start);
        &file.text[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let mut map = SourceMap::new();
        let id = map.add("a", "x\nµy\r\nz");
        let file = map.file(id);
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position(4), Position { line: 2, column: 2 });
        assert_eq!(file.position(7), Position { line: 3, column: 1 });
        assert_eq!(file.position(99), Position { line: 3, column: 2 });
        assert_eq!(file.line(2), "µy");
        assert_eq!(file.line(9), "");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_place() {
        let mut map = SourceMap::new();
        let nul = map.add_bytes("nul", b"ab\0c".to_vec()).unwrap_err();
        assert_eq!(map.position(nul.span).unwrap().column, 3);
        let latin1 = map.add_bytes("latin1", b"a\n\xe9".to_vec()).unwrap_err();
        assert_eq!(map.position(latin1.span).unwrap().line, 2);
        assert!(map.add_bytes("bom", b"\xef\xbb\xbfx".to_vec()).is_ok());
    }
}
