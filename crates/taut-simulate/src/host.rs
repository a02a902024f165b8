//! What the simulator needs from those who read programs and write files.

use std::path::Path;

use taut_ir::{DefId, Finding, Program};
use taut_source::{FileId, SourceMap};
use taut_witness::Run;

use crate::condition::Condition;

/// The world around a simulation: the front ends and the file system.
pub trait Host {
    /// What the program is called, such as the name of its file.
    fn name(&self) -> &str;

    /// The sources, for everything that points into them.
    fn sources(&self) -> &SourceMap;

    /// The main file of the program.
    fn file(&self) -> FileId;

    /// Reads a condition on states of the program, in its own language. The error is a message for people.
    fn condition(&self, program: &Program, text: &str) -> Result<Condition, String>;

    /// The same program with more processes of a definition; none if there cannot be more.
    fn grown(&self, program: &Program, def: DefId) -> Option<Program>;

    /// Writes a run, and what is wrong at its end if anything is, to a file that can be replayed.
    fn save(
        &self,
        program: &Program,
        run: &Run,
        finding: Option<Finding>,
        path: &Path,
    ) -> Result<(), String>;
}
