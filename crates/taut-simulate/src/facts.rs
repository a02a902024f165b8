//! What is true now: the properties of the program, seen from one state.

use taut_ir::{Finding, PropId, PropertyKind};
use taut_ltl::MOST_BITS;

use crate::simulator::Simulator;
use crate::view::printable;

/// What a state says about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of the property, or of an atom of a property of runs.
    pub name: String,
    /// What the state says.
    pub truth: Truth,
}

/// What a state says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Nothing is wrong here.
    Fine,
    /// It is violated here.
    Violated,
    /// An atom of a property of runs is true.
    True,
    /// An atom of a property of runs is false.
    False,
    /// The state is one that a cover asks for.
    Covered,
    /// A process holds the others: nobody looks at this state.
    Unseen,
}

impl Truth {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Truth::Fine => "fine",
            Truth::Violated => "violated",
            Truth::True => "true",
            Truth::False => "false",
            Truth::Covered => "covered",
            Truth::Unseen => "not looked at",
        }
    }
}

/// All properties of the program, deadlock and whatever went wrong in the last step.
pub fn facts(simulator: &Simulator<'_>) -> Vec<Fact> {
    let program = simulator.program();
    let found = simulator.found();
    let mut facts: Vec<Fact> =
        program.property_ids().flat_map(|id| of_property(simulator, &found, id)).collect();
    let others = found.iter().filter(|f| !matches!(f, Finding::Property(_)));
    facts.extend(others.map(|f| Fact { name: f.name(program), truth: Truth::Violated }));
    facts
}

fn of_property(simulator: &Simulator<'_>, found: &[Finding], id: PropId) -> Vec<Fact> {
    let property = simulator.program().property(id);
    let unseen = simulator.state().holder.is_some();
    let name = printable(&property.name);
    if let Some(atoms) = property.kind.atoms() {
        let valuation = simulator.machine().valuation(simulator.state(), atoms);
        let of = |(i, atom): (usize, &taut_ir::Atom)| {
            let truth = match (unseen, valuation >> i & 1) {
                (true, _) => Truth::Unseen,
                (false, 1) => Truth::True,
                (false, _) => Truth::False,
            };
            Fact { name: format!("{name}: {}", printable(&atom.text)), truth }
        };
        return atoms.iter().take(MOST_BITS).enumerate().map(of).collect();
    }
    let truth = match &property.kind {
        kind if found.contains(&Finding::Property(id)) => match kind.is_cover() {
            true => Truth::Covered,
            false => Truth::Violated,
        },
        PropertyKind::Assert => Truth::Fine,
        _ if unseen => Truth::Unseen,
        _ => Truth::Fine,
    };
    vec![Fact { name, truth }]
}
