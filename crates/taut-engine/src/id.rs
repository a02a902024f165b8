//! The name of an engine.

use std::fmt;

/// The name of an engine. Two engines with the same name are one engine with different options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId(&'static str);

impl EngineId {
    /// The name of the automatic choice among the engines, which is no engine itself.
    pub const AUTO: EngineId = EngineId("auto");

    /// A name: one word in lower case.
    pub const fn new(name: &'static str) -> EngineId {
        EngineId(name)
    }

    /// The word, as on the command line and in reports.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}
