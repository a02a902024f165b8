//! Options of the lowering.

use taut_source::FileId;

/// Options of the lowering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of objects of each allocation site.
    pub heap: u32,
    /// True if signed arithmetic wraps around instead of being a fault.
    pub wraps: bool,
    /// Number of calls of functions that call themselves that can be open at once.
    pub max_calls: u32,
    /// True if the program is to be one that looks for data races.
    pub races: bool,
    /// Files of Taut's own: their statements are not shown.
    pub built_in: Vec<FileId>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            heap: 3,
            wraps: false,
            max_calls: taut_ir::build::DEFAULT_CALL_DEPTH,
            races: false,
            built_in: Vec::new(),
        }
    }
}
