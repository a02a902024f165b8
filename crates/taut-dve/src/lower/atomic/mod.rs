//! Lists of atomic writes and fences (`atomic.txt`).
//!
//! A list belongs to a model but stands in a file of its own, so that one model can have several (Havel's
//! thesis, chapter 3). It has one entry per line:
//!
//! ```text
//! # the turn must be written at once
//! write turn P_0 3 wait->check
//! write *    P_1 3
//! fence      P_0 4
//! ```
//!
//! `write x P n`: in transition *n* of process P, counted from 0, what is written to the global variable x, by an
//! effect or by a receive, acts on memory at once and drops what P has waiting for x. Of an array x that is
//! every element; `x[2]` is one, if the model says that index as a constant. `*` is all global variables.
//! `fence P n`: the transition waits until nothing of P waits. After the number may stand where the transition
//! goes; it is checked, so that a list does not outlive a change of its model unnoticed.

mod check;
mod file;

use std::collections::HashSet;
use std::fmt;

use taut_ir::{ProcId, StepId};
use taut_source::{Diagnostics, Span};

use crate::ast::{Model, Name};
use crate::lower::names::Names;
pub use file::parse_atomic;

/// A list of atomic writes and fences. [`fmt::Display`] writes it as a file that can be read back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtomicList {
    /// The entries, in order.
    pub entries: Vec<AtomicEntry>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtomicEntry {
    /// A write acts on memory at once.
    Write {
        /// The global variable; all of them if there is none.
        variable: Option<Name>,
        /// The element of an array; every one if there is none.
        element: Option<u32>,
        /// The transition that writes.
        at: TransitionRef,
        /// The whole entry.
        span: Span,
    },
    /// A transition waits until nothing of its process waits to be written.
    Fence {
        /// The transition.
        at: TransitionRef,
        /// The whole entry.
        span: Span,
    },
}

/// A transition of a process, by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionRef {
    /// The process.
    pub process: Name,
    /// Which of its transitions, from 0.
    pub index: usize,
    /// From where to where it goes, if that is said.
    pub route: Option<(String, String)>,
    /// The number and the route.
    pub span: Span,
}

impl TransitionRef {
    /// A transition of a model, with its route; none if there is no such transition.
    pub fn new(model: &Model, process: &str, index: usize) -> Option<TransitionRef> {
        let transition = model.process(process)?.transitions.get(index)?;
        let route = (transition.source.text.clone(), transition.target.text.clone());
        Some(TransitionRef {
            process: Name::new(process),
            index,
            route: Some(route),
            span: Span::NONE,
        })
    }
}

impl AtomicEntry {
    /// An atomic write of a variable, or of all, in a transition.
    pub fn write(variable: Option<&str>, at: TransitionRef) -> AtomicEntry {
        let variable = variable.map(Name::new);
        AtomicEntry::Write { variable, element: None, at, span: Span::NONE }
    }

    /// A fence on a transition.
    pub fn fence(at: TransitionRef) -> AtomicEntry {
        AtomicEntry::Fence { at, span: Span::NONE }
    }

    /// The transition it is about.
    pub fn at(&self) -> &TransitionRef {
        match self {
            AtomicEntry::Write { at, .. } | AtomicEntry::Fence { at, .. } => at,
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            AtomicEntry::Write { span, .. } | AtomicEntry::Fence { span, .. } => *span,
        }
    }
}

impl AtomicList {
    /// What is wrong with a list for a model: what it names but the model does not have.
    pub fn check(&self, model: &Model) -> Diagnostics {
        Chosen::new(model, &Names::new(model), self).err().unwrap_or_default()
    }
}

impl fmt::Display for TransitionRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.process, self.index)?;
        match &self.route {
            Some((source, target)) => write!(f, " {source}->{target}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for AtomicEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AtomicEntry::Fence { at, .. } => write!(f, "fence {at}"),
            AtomicEntry::Write { variable, element, at, .. } => {
                let variable = variable.as_ref().map_or("*", |name| &name.text);
                match element {
                    Some(element) => write!(f, "write {variable}[{element}] {at}"),
                    None => write!(f, "write {variable} {at}"),
                }
            }
        }
    }
}

impl fmt::Display for AtomicList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

/// What a list chose, by positions in the program.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Effects, by their positions in the transition.
    assignments: HashSet<(ProcId, StepId, usize)>,
    /// Received fields.
    receives: HashSet<(ProcId, StepId, usize)>,
    fences: HashSet<(ProcId, StepId)>,
}

impl Chosen {
    /// Whether an effect of a transition is atomic, as far as it writes a global variable.
    pub(super) fn assignment(&self, process: ProcId, step: StepId, effect: usize) -> bool {
        self.assignments.contains(&(process, step, effect))
    }

    /// Whether a received field is to be written atomically.
    pub(super) fn receive(&self, process: ProcId, step: StepId, field: usize) -> bool {
        self.receives.contains(&(process, step, field))
    }

    /// Whether a transition has a fence.
    pub(super) fn fence(&self, process: ProcId, step: StepId) -> bool {
        self.fences.contains(&(process, step))
    }
}
