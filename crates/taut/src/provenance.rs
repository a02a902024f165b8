//! What an answer depends on, so that it can be repeated: the version of Taut, the arguments, and the texts that were
//! read.
//!
//! A verdict is a function of these three. Limits and the number of threads are arguments; where a default depends on the
//! machine (memory, cores), it can turn a verdict into `unknown`, and never into another verdict.
//!
//! A text is named by the SHA-256 of its bytes as they were read, before macros are expanded: what `sha256sum` prints
//! for the file.

use serde::Serialize;

use crate::shell::quoted;

/// The version of Taut.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Hexadecimal digits of a hash in a line of text.
const SHORT: usize = 16;
/// Hashes in a line of text.
const MOST_HASHES: usize = 4;

/// What an answer depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The version of Taut.
    pub version: &'static str,
    /// The arguments of the command; empty for an answer of the library.
    pub arguments: Vec<String>,
    /// The texts that were read, the program's own file first. Headers that are built in belong to the version.
    pub sources: Vec<Source>,
}

/// A text that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Source {
    /// The name of its file, as it was given.
    pub file: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl Source {
    /// A text by its name and bytes.
    pub fn new(file: impl Into<String>, bytes: &[u8]) -> Source {
        let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
        let hash = hmac_sha256::Hash::hash(bytes);
        let digits = hash.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        Source { file: file.into(), sha256: digits.collect() }
    }

    /// The first digits of the hash.
    fn short(&self) -> &str {
        self.sha256.get(..SHORT).unwrap_or(&self.sha256)
    }
}

impl Provenance {
    /// What answers about some texts depend on.
    pub fn of_sources(sources: Vec<Source>, arguments: Vec<String>) -> Provenance {
        Provenance { version: VERSION, arguments, sources }
    }

    /// One line: the command, the version and the hashes.
    pub fn line(&self) -> String {
        let words: Vec<_> = self.arguments.iter().map(|word| quoted(&printable(word))).collect();
        let command = ["taut".into(), words.join(" ")].join(" ");
        format!("{} (version {}, {})", command.trim_end(), self.version, self.hashes())
    }

    /// The hashes of a few texts, or one of the list of all: what `sha256sum FILE… | sha256sum` prints.
    fn hashes(&self) -> String {
        match self.sources.as_slice() {
            [only] => format!("sha256 {}", only.short()),
            few if few.len() <= MOST_HASHES => {
                let each = |s: &Source| format!("{} sha256 {}", printable(&s.file), s.short());
                few.iter().map(each).collect::<Vec<_>>().join(", ")
            }
            all => {
                let lines = all.iter().map(|s| format!("{}  {}\n", s.sha256, s.file));
                let list = Source::new("", lines.collect::<String>().as_bytes());
                format!("{} files, sha256 of their list {}", all.len(), list.short())
            }
        }
    }
}

/// A word without what a terminal would not print as it is.
fn printable(word: &str) -> String {
    word.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_sha256sum() {
        let source = Source::new("a.taut", b"abc");
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(source.sha256, known);
        assert_eq!(source.short(), "ba7816bf8f01cfea");
    }

    #[test]
    fn a_line_is_a_command_of_a_shell() {
        let arguments = ["check", "a b.taut", "--ltl", "[] !p", "\u{1b}[31m"].map(String::from);
        let sources = vec![Source::new("a b.taut", b"abc")];
        let provenance = Provenance { version: "1.2.3", arguments: arguments.into(), sources };
        assert_eq!(
            provenance.line(),
            "taut check 'a b.taut' --ltl '[] !p' '\u{fffd}[31m' (version 1.2.3, sha256 ba7816bf8f01cfea)"
        );
    }
}
