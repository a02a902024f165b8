//! EditSites in files, as other tools understand them.

use taut_source::{SourceMap, Span};

/// How the names of models with parameters end.
const PARAMETERISED: &str = ".mdve";

/// A part of a file. Lines and columns count from 1, columns in characters; the end is behind the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file, as it was given.
    pub file: String,
    /// The first line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column behind the last one.
    pub end_column: u32,
}

impl SourceLine {
    /// The place of a span; none if it points nowhere, or into what is no file: formulas from the command line. Of a
    /// model with parameters it is the first line: what was read is the text that m4 made of it, whose lines are
    /// not those of the file.
    pub fn of(sources: &SourceMap, span: Span) -> Option<SourceLine> {
        let file = sources.get(span.file)?;
        if file.name().starts_with("--") {
            return None;
        }
        if file.name().ends_with(PARAMETERISED) {
            return Some(SourceLine::top(file.name()));
        }
        let start = file.position(span.start);
        let text = sources.text(span);
        let length = text.trim_end().len() as u32;
        let end = file.position(span.start + length);
        Some(SourceLine {
            file: file.name().into(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        })
    }

    /// The first line of a file, for what is about all of it.
    pub fn top(file: &str) -> SourceLine {
        SourceLine { file: file.into(), line: 1, column: 1, end_line: 1, end_column: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_end_behind_the_last_character_that_is_no_blank() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.taut", "µ x;\n  y\n\n");
        let place = SourceLine::of(&sources, Span::new(file, 3..12)).expect("a place");
        assert_eq!((place.line, place.column), (1, 3));
        assert_eq!((place.end_line, place.end_column), (2, 4));
        assert_eq!(SourceLine::of(&sources, Span::NONE), None);
        let model = sources.add("a.mdve", "\n\nx");
        assert_eq!(
            SourceLine::of(&sources, Span::new(model, 2..3)),
            Some(SourceLine::top("a.mdve"))
        );
        let formula = sources.add("--ltl", "[] p");
        assert_eq!(SourceLine::of(&sources, Span::new(formula, 0..1)), None);
    }
}
