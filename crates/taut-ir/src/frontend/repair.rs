//! What repairs ask of a language.

use super::options::{NamedText, OptionSpec};
use crate::ids::{DefId, StepId, VarId};
use crate::program::Program;

/// The texts of fences, as statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenceWords<'m> {
    /// A full fence.
    pub fence: &'m str,
    /// A store fence.
    pub store_fence: &'m str,
    /// A full fence that is one step with the place of its statement. It is put everywhere to see where steps are, and read,
    /// but not shown.
    pub mark: &'m str,
}

impl<'m> FenceWords<'m> {
    /// A full fence, which is a step of its own, and a store fence.
    pub const fn new(fence: &'m str, store_fence: &'m str) -> FenceWords<'m> {
        FenceWords { fence, store_fence, mark: fence }
    }
}

/// The effect of a load and a store that should be one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// Something is added.
    Add(String),
    /// If the value is the first, it becomes the second.
    Swap(String, String),
    /// Something else.
    Other,
}

/// A list of repairs next to a model, for languages that have no fences and no atomic writes: one line per repaired
/// step.
pub trait RepairList {
    /// The option that gives the list to the front end.
    fn option(&self) -> &'static OptionSpec;

    /// The list as it is; none if there is none yet.
    fn list(&self) -> Option<&NamedText>;

    /// The name of a new list.
    fn usual_name(&self) -> &'static str;

    /// The line for a step of a program of the model: an atomic write of a variable, or a fence; none if the step has
    /// no such line.
    fn entry(
        &self,
        program: &Program,
        def: DefId,
        step: StepId,
        var: Option<VarId>,
    ) -> Option<String>;
}
