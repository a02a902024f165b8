//! Text to be put into a source file.

use crate::{FileId, SourceMap};

/// Text that is put into a file, nothing else being changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Insertion {
    /// The file.
    pub file: FileId,
    /// Before which byte.
    pub at: usize,
    /// The text.
    pub text: String,
}

impl Insertion {
    /// The text of a file with some insertions made; of several at one byte, the first comes first. Those
    /// into other files are left out.
    pub fn apply(sources: &SourceMap, file: FileId, insertions: &[Insertion]) -> String {
        let text = sources.file(file).text();
        let mut ours: Vec<_> = insertions.iter().filter(|i| i.file == file).collect();
        ours.sort_by_key(|i| i.at);
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        for insertion in ours {
            result.push_str(&text[done..insertion.at]);
            result.push_str(&insertion.text);
            done = insertion.at;
        }
        result.push_str(&text[done..]);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_keep_their_order_and_leave_other_files_alone() {
        let mut sources = SourceMap::new();
        let (file, other) = (sources.add("a", "one two"), sources.add("b", "three"));
        let put = |file, at, text: &str| Insertion { file, at, text: text.into() };
        let list = [put(file, 7, "!"), put(file, 3, ","), put(file, 3, ";"), put(other, 0, "?")];
        assert_eq!(Insertion::apply(&sources, file, &list), "one,; two!");
    }
}
