//! What can be asked of a program.

use crate::{Expr, Span};

/// A named question about a program. Deadlock, run-time faults and full buffers are asked of every
/// program and are not listed in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name; unique in a program.
    pub name: String,
    /// What is asked.
    pub kind: PropertyKind,
    /// Where it stands in the source.
    pub span: Span,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// No [`crate::Effect::Assert`] that names this property ever fails.
    Assert,
    /// No reachable state satisfies the expression.
    Forbid(Expr),
    /// Every reachable state satisfies the expression.
    Invariant(Expr),
}

impl PropertyKind {
    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        match self {
            PropertyKind::Assert => "assert",
            PropertyKind::Forbid(_) => "forbid",
            PropertyKind::Invariant(_) => "invariant",
        }
    }
}
