//! Things that never happen, as a report lists them. [`crate::vacuity`] looks for them.

use taut_source::{SourceMap, Span};

/// The kinds of things that can be vacuous, those that matter most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VacuityKind {
    /// A process that never moves, or never starts.
    Process,
    /// The left side of an implication that is never true.
    Antecedent,
    /// An assertion that is never reached.
    Assertion,
    /// A statement at which processes wait, and which none of them ever passes.
    Wait,
    /// A condition of a branch that is never true.
    Guard,
    /// A label that is never reached.
    Label,
    /// A statement that is never reached.
    Statement,
}

impl VacuityKind {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            VacuityKind::Process => "process",
            VacuityKind::Antecedent => "antecedent",
            VacuityKind::Assertion => "assertion",
            VacuityKind::Wait => "wait",
            VacuityKind::Guard => "guard",
            VacuityKind::Label => "label",
            VacuityKind::Statement => "statement",
        }
    }
}

/// One thing that never happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Vacuous {
    /// Its kind.
    pub kind: VacuityKind,
    /// Its place in the source.
    pub span: Span,
    /// The process definition it belongs to, or the property for an antecedent.
    pub owner: String,
    /// How the source says it, on one line.
    pub text: String,
    /// What never happens, in words.
    pub message: String,
}

impl Vacuous {
    /// Its file and line; none if it stands in no file.
    pub fn position(&self, sources: &SourceMap) -> Option<(String, u32)> {
        let file = sources.get(self.span.file)?;
        Some((file.name().into(), sources.position(self.span)?.line))
    }
}

/// The vacuity of one check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vacuity {
    /// Everything that never happens, what matters most first, then in the order of the source.
    pub list: Vec<Vacuous>,
    /// The executions that the list speaks of.
    pub coverage: String,
}
