//! The codes of the messages of the lowering: `D04xx` for models, `D055x` for lists of atomic writes.

/// A property process does something, where it may only watch.
pub(crate) const WATCHER_ACTS: &str = "D0401";
/// A property process has more conditions than an automaton can have.
pub(crate) const TOO_MANY_CONDITIONS: &str = "D0402";
/// Something of the property process is asked for, which is no part of the system.
pub(crate) const ASKS_THE_WATCHER: &str = "D0403";
/// A computed index into a very long array of another process.
pub(crate) const FAR_INDEX: &str = "D0404";
/// A tree that breaks the rules of [`crate::ast`].
pub(crate) const BROKEN_TREE: &str = "D0405";
/// An assertion or a committed location of a property process (a warning).
pub(crate) const IGNORED: &str = "D0406";
/// Too many processes with committed locations.
pub(crate) const MANY_COMMITTED: &str = "D0407";

/// A line that is no entry.
pub(crate) const ENTRY: &str = "D0550";
/// There is no such process.
pub(crate) const NO_PROCESS: &str = "D0551";
/// The process has no such transition.
pub(crate) const NO_TRANSITION: &str = "D0552";
/// The transition goes elsewhere.
pub(crate) const OTHER_ROUTE: &str = "D0553";
/// There is no such variable.
pub(crate) const NO_VARIABLE: &str = "D0554";
/// The transition does not write the variable.
pub(crate) const NOT_WRITTEN: &str = "D0555";
