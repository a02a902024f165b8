//! Where a fence or an atomic write can be put into the text of a program: see [`taut_source::EditSites`].
//!
//! A fence can stand after every statement that control goes on from, and at the start of every block. It is
//! left out where it would change more than it adds:
//!
//! - *Atomic sections and locked blocks.* A section begins with the process's own buffer empty and its stores
//!   go to memory at once, so a fence in it would wait for nothing.
//! - *Between a label and its statement.* `p@l` asks whether p is right before the statement. A `loop` takes no
//!   step, so a label before it names its first statement; a label at the end of a block names what follows.
//! - *Before a guard.* The first step of each branch of `choose` leaves one program point: with a fence before
//!   `assume` the branch would be chosen before it is known whether it can be.
//! - *After a jump*, which nothing follows.
//!
//! Declarations are no statements; the start of a block is after those at its start.

mod walk;
mod weaken;

use taut_source::{Diagnostics, EditSites, FileId, SourceMap, Weakenings};

/// A fence as a statement.
pub const FENCE: &str = "fence;";
/// A store fence as a statement.
pub const STORE_FENCE: &str = "sfence;";
/// A statement that takes a step and does nothing else.
pub const NOTHING: &str = "skip;";

/// The places of a program in which a fence can be put, and the stores that can be made atomic.
///
/// ```
/// let mut map = taut_source::SourceMap::new();
/// let text = "shared int x;\nprocess p begin\n  x := 1;\nend\n";
/// let file = map.add("p.taut", text);
/// let places = taut_lang::places(&map, file).unwrap();
/// let after = &places.points[1];
/// assert_eq!(after.words, "after `x := 1`");
/// let fenced = taut_source::Insertion::apply(&map, file, &[after.insert(taut_lang::FENCE)]);
/// assert_eq!(fenced, "shared int x;\nprocess p begin\n  x := 1;\n  fence;\nend\n");
/// ```
pub fn places(map: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let (tree, _) = crate::tree(map, file, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(walk::Walk::new(map.file(file).text(), file).run(&tree))
}

/// The fences and atomic writes of a program that can be weaker.
///
/// ```
/// let mut map = taut_source::SourceMap::new();
/// let text = "shared int x;\nprocess p begin\n  atomic x := 1;\n  fence;\nend\n";
/// let file = map.add("p.taut", text);
/// let found = taut_lang::weakenings(&map, file).unwrap();
/// let was: Vec<_> = found.list.iter().map(|weakening| &*weakening.was).collect();
/// assert_eq!(was, ["atomic x := 1", "fence"]);
/// ```
pub fn weakenings(map: &SourceMap, file: FileId) -> Result<Weakenings, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let (tree, _) = crate::tree(map, file, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(weaken::Walk::new(map.file(file).text(), file).run(&tree))
}
