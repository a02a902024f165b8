//! Options of the lowering.

use taut_source::FileId;

/// A thread function with the globals whose addresses are its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The name of the function.
    pub function: String,
    /// The names of globals, one per parameter.
    pub arguments: Vec<String>,
}

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
    /// The thread functions that run from the start; none if `main` starts the program.
    pub roots: Vec<Root>,
    /// Globals that are part of the program though no thread may use them.
    pub globals: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            heap: 3,
            wraps: false,
            max_calls: taut_ir::build::DEFAULT_CALL_DEPTH,
            races: false,
            built_in: Vec::new(),
            roots: Vec::new(),
            globals: Vec::new(),
        }
    }
}
