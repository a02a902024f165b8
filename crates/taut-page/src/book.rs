//! The chapters of the book that are at hand on the page.

/// A chapter.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// The name of its file.
    pub file: &'static str,
    /// Its text, in Markdown.
    pub text: &'static str,
}

/// A chapter from a file of the book. The files are symbolic links, so that the package holds them.
macro_rules! chapter {
    ($file:literal) => {
        Chapter { file: $file, text: include_str!(concat!("book/", $file)) }
    };
}

/// The chapters, in the order in which they are offered.
pub const BOOK: &[Chapter] = &[
    chapter!("cheat-sheet.md"),
    chapter!("language.md"),
    chapter!("grammar.md"),
    chapter!("memory-models.md"),
    chapter!("verdicts.md"),
    chapter!("liveness.md"),
    chapter!("fooled.md"),
    chapter!("c.md"),
    chapter!("promela.md"),
    chapter!("dve.md"),
    chapter!("rmm.md"),
    chapter!("litmus.md"),
    chapter!("glossary.md"),
];

impl Chapter {
    /// Its title: the first heading.
    pub fn title(&self) -> &'static str {
        let heading = self.text.lines().find_map(|line| line.strip_prefix("# "));
        heading.unwrap_or(self.file).trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_has_a_title() {
        for chapter in BOOK {
            assert!(chapter.text.starts_with("# "), "{}", chapter.file);
        }
    }
}
