//! What is asked about states and steps.

use taut_ir::{Fault, Finding, FullBuffer, Program, PropId, PropertyKind};

use crate::check::{Check, Covers};
use crate::verdict::QuestionKind;

/// Something that is asked about the states and steps of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Property(PropId),
    Deadlock,
    Fault,
    FullBuffer,
}

impl Question {
    /// Whether a finding is a violation of what is asked.
    pub(crate) fn is_answered_by(self, finding: Finding) -> bool {
        match (self, finding) {
            (Question::Property(asked), Finding::Property(found)) => asked == found,
            (Question::Deadlock, Finding::Deadlock)
            | (Question::Fault, Finding::Fault(_))
            | (Question::FullBuffer, Finding::FullBuffer) => true,
            _ => false,
        }
    }

    /// The name of the question, and what kind it is.
    pub(crate) fn name_and_kind(self, program: &Program) -> (String, QuestionKind) {
        match self {
            Question::Property(id) => {
                let property = program.property(id);
                (property.name.clone(), (&property.kind).into())
            }
            Question::Deadlock => ("deadlock".into(), QuestionKind::Deadlock),
            Question::Fault => ("fault".into(), QuestionKind::Fault),
            Question::FullBuffer => ("full-buffer".into(), QuestionKind::FullBuffer),
        }
    }
}

impl Check<'_> {
    /// The questions about states, in the order of the program, deadlock and faults last. Faults are asked of programs
    /// that may have one.
    pub(crate) fn questions(&self, program: &Program, may_fault: bool) -> Vec<Question> {
        let of_states = program.property_ids().filter(|&id| self.asks_property(program, id));
        let mut all: Vec<_> = of_states.map(Question::Property).collect();
        if self.asks_deadlock() {
            all.push(Question::Deadlock);
        }
        if may_fault && self.asks_faults() {
            all.push(Question::Fault);
        }
        if self.asks_full_buffer() {
            all.push(Question::FullBuffer);
        }
        all
    }

    /// Whether a search of states is to be made. Where nothing at all is asked, one is: it counts states.
    pub(crate) fn needs_states(&self) -> bool {
        let program = self.growing.program;
        // The number of processes that robustness is asked of may take a search to find out.
        let robust = self.asks_robust() && !self.growing.is_open();
        let others = self.runs_asked().next().is_some() || self.covers_asked().next().is_some();
        let nothing = !others && !robust;
        nothing || !self.questions(program, false).is_empty() || {
            self.asks_faults() && self.may_fault()
        }
    }

    /// Whether the program could fault, by a look at its code.
    pub(crate) fn may_fault(&self) -> bool {
        self.growing.may_fault()
    }

    /// What a search passes over because it is not asked. Deadlocks have an option of their own.
    pub(crate) fn unasked(&self) -> Vec<Finding> {
        let program = self.growing.program;
        let properties = program.property_ids().filter(|&id| !self.asks_property(program, id));
        let mut all: Vec<_> = properties.map(Finding::Property).collect();
        if !self.asks_faults() {
            // Of faults, one stands for all.
            all.push(Finding::Fault(Fault::Range));
        }
        all
    }

    fn asks_property(&self, program: &Program, id: PropId) -> bool {
        let property = program.property(id);
        let asked = match property.kind {
            PropertyKind::Cover(_) => self.covers == Covers::Search,
            _ if self.covers == Covers::Search => false,
            PropertyKind::Assert => self.asserts,
            PropertyKind::Forbid(_) | PropertyKind::Invariant(_) => true,
            PropertyKind::Ltl(_) | PropertyKind::Never(_) => false,
        };
        asked && self.is_named(&property.name)
    }

    pub(crate) fn asks_deadlock(&self) -> bool {
        let is_asked = self.usual_deadlock || self.is_chosen("deadlock");
        self.options.deadlock && is_asked && self.is_named("deadlock")
    }

    /// Faults end runs, so they are asked about whatever else is.
    pub(crate) fn asks_faults(&self) -> bool {
        self.faults
    }

    /// A store that ends a run is asked about whatever else is.
    pub(crate) fn asks_full_buffer(&self) -> bool {
        self.memory.full_buffer == FullBuffer::Error && self.memory.model.has_bound()
    }

    /// The properties of runs that are asked.
    pub(crate) fn runs_asked(&self) -> impl Iterator<Item = PropId> {
        let program = self.growing.program;
        program.property_ids().filter(move |&id| {
            let property = program.property(id);
            self.temporal && self.is_named(&property.name) && property.kind.is_temporal()
        })
    }
}
