//! What can be asked of a program.

use taut_ltl::{Automaton, Formula};

use crate::{Expr, Span};

/// A named question about a program. Deadlock, run-time faults and full buffers are asked of every
/// program and are not listed in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PropertyKind {
    /// No [`crate::Effect::Assert`] that names this property ever fails.
    Assert,
    /// No reachable state satisfies the expression.
    Forbid(Expr),
    /// Some reachable state satisfies the expression. A search looks for such a state as it does for one that is
    /// forbidden, so to engines and replayer the two are one; the verdict is turned round.
    Cover(Expr),
    /// Every reachable state satisfies the expression.
    Invariant(Expr),
    /// Every run, or every fair one, satisfies a formula of linear temporal logic.
    #[cfg_attr(feature = "serde", serde(skip))]
    Ltl(Box<Ltl>),
    /// No run, or no fair one, is accepted by an automaton.
    #[cfg_attr(feature = "serde", serde(skip))]
    Never(Box<Never>),
}

/// A formula about runs.
///
/// A run is a sequence of states in which nobody holds the others. It is infinite, or it ends where nothing
/// can happen any more. A step that goes wrong and a bound that holds everything back end no run: what
/// leads there is not looked at here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ltl {
    /// The formula, over [`Ltl::atoms`].
    pub formula: Formula,
    /// What its atoms mean.
    pub atoms: Vec<Atom>,
    /// Whether runs that end count. They are taken to stay in their last state for ever. Cycles without
    /// progress are looked for among infinite runs only.
    pub finite_runs: bool,
}

/// An automaton that says which runs must not be. Runs that end stay in their last state for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Never {
    /// The automaton, over [`Never::atoms`]. A run that reaches one of its universal states
    /// ([`Automaton::universal`]) is accepted at once.
    pub automaton: Automaton,
    /// What its atoms mean.
    pub atoms: Vec<Atom>,
}

/// A condition on one state that a temporal property speaks of. One that cannot be computed (a division by
/// zero, an index out of range) counts as false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The condition.
    pub expr: Expr,
    /// How the source says it.
    pub text: String,
}

impl PropertyKind {
    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        match self {
            PropertyKind::Assert => "assert",
            PropertyKind::Forbid(_) => "forbid",
            PropertyKind::Cover(_) => "cover",
            PropertyKind::Invariant(_) => "invariant",
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Never(_) => "never",
        }
    }

    /// Whether it is about runs, not about states and steps.
    pub fn is_temporal(&self) -> bool {
        self.atoms().is_some()
    }

    /// Whether it asks for a run, and not for the absence of one.
    pub fn is_cover(&self) -> bool {
        matches!(self, PropertyKind::Cover(_))
    }

    /// The atoms of a temporal property.
    pub fn atoms(&self) -> Option<&[Atom]> {
        match self {
            PropertyKind::Ltl(ltl) => Some(&ltl.atoms),
            PropertyKind::Never(never) => Some(&never.atoms),
            PropertyKind::Assert
            | PropertyKind::Forbid(_)
            | PropertyKind::Cover(_)
            | PropertyKind::Invariant(_) => None,
        }
    }

    /// All expressions in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            PropertyKind::Assert => vec![],
            PropertyKind::Forbid(e) | PropertyKind::Cover(e) | PropertyKind::Invariant(e) => {
                vec![e]
            }
            PropertyKind::Ltl(_) | PropertyKind::Never(_) => {
                self.atoms().into_iter().flatten().map(|a| &a.expr).collect()
            }
        }
    }
}
