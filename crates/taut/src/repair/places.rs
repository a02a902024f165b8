//! Where the places of a program are in its source.

use taut_ir::Process;
use taut_repair::{RepairProblem, RepairSite, Set, SiteId};

use super::report::{ShownPlace, ShownWeakening};
use crate::load::{LoadError, Loaded};

/// Where in its source each place of a subject is, and how the source is changed.
pub(super) trait Source {
    /// The program with all its places, as it was read.
    fn loaded(&self) -> &Loaded;
    /// The program with its places.
    fn subject(&self) -> &RepairProblem;
    /// A place without what is known of it from counterexamples.
    fn show(&self, id: SiteId) -> ShownPlace;
    /// The name, the text before and the text after of the file to change.
    fn edit(&self, set: &Set) -> Edit;
    /// The program as it is after the change.
    fn reread(&self, text: &str) -> Result<Loaded, Box<LoadError>>;
    /// What a set leaves weaker than it was, in the order of the source.
    fn weakened(&self, set: &Set) -> Vec<ShownWeakening> {
        let _ = set;
        Vec::new()
    }
    /// What cannot be changed.
    fn unpatchable(&self) -> Vec<(String, u32, &'static str)>;
}

/// A change of a file.
pub(super) struct Edit {
    pub(super) file: String,
    pub(super) original: String,
    pub(super) text: String,
}

/// The names of the processes that a place belongs to.
pub(super) fn processes(loaded: &Loaded, place: &RepairSite) -> Vec<String> {
    let is_of = |p: &&Process| place.steps.iter().any(|(def, _)| *def == p.def);
    loaded.program.processes.iter().filter(is_of).map(|p| p.name.clone()).collect()
}
