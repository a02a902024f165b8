//! The findings that a search of states was asked for and that can occur.
//!
//! A search that has found one of each kind has nothing left to do ([`super::Completion::Answered`]). What the code
//! rules out is not waited for: an assertion property without an assertion, a fault in a program that cannot fault, a
//! full buffer where it is no error. So a question without a finding after such a search is one whose answer is known
//! from the code alone.

use taut_ir::{Effect, Fault, Finding, FullBuffer, Memory, Program, PropId, PropertyKind};

/// What a search is asked besides the properties of the program.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// Whether deadlocks are looked for.
    pub deadlock: bool,
    /// Findings that are passed over.
    pub unasked: &'a [Finding],
    /// Whether a step may fault, by a look at the code.
    pub may_fault: bool,
}

/// The kinds of findings that are asked for and can occur, one finding per kind.
pub fn asked(program: &Program, memory: Memory, asking: Asking<'_>) -> Vec<Finding> {
    let properties = program.property_ids().filter(|&id| can_occur(program, id));
    let mut all: Vec<Finding> = properties.map(Finding::Property).collect();
    if asking.deadlock {
        all.push(Finding::Deadlock);
    }
    if asking.may_fault {
        // All faults are of one kind.
        all.push(Finding::Fault(Fault::Range));
    }
    if memory.full_buffer == FullBuffer::Error && memory.model.has_bound() {
        all.push(Finding::FullBuffer);
    }
    all.retain(|finding| !asking.unasked.iter().any(|unasked| unasked.same_kind(*finding)));
    all
}

/// Whether a search of states can find a violation of a property.
fn can_occur(program: &Program, id: PropId) -> bool {
    match program.property(id).kind {
        PropertyKind::Assert => is_asserted(program, id),
        PropertyKind::Forbid(_) | PropertyKind::Cover(_) | PropertyKind::Invariant(_) => true,
        PropertyKind::Ltl(_) | PropertyKind::Never(_) => false,
    }
}

/// Whether some step asserts a property.
fn is_asserted(program: &Program, id: PropId) -> bool {
    let effects = program.defs.iter().flat_map(|def| &def.steps).flat_map(|step| &step.effects);
    effects
        .into_iter()
        .any(|effect| matches!(effect, Effect::Assert { property, .. } if *property == id))
}
