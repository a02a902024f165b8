//! The reasons why a program is not compiled; `explore.rs` has the words, `window.rs` the way out for one of them.

use taut_ir::{ProcId, Span, StepId, VarId};

use crate::places::Cell;

/// The reason why a program was not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotCompiled {
    /// A cell has too many values.
    Values(Cell),
    /// A process has too many control points, or edges between them.
    Points(ProcId),
    /// A plain step loads too many cells at once.
    Loads(ProcId, StepId),
    /// A process is started while stores of the process that starts it may wait.
    Late(ProcId, StepId),
    /// A ghost belongs to a process that may be started again.
    Ghost(VarId),
    /// A property names one of several processes that may be started again.
    Named(Span),
}
