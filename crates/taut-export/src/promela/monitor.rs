//! Properties of states.
//!
//! A process `monitor` asserts that nothing forbidden is true. Where some property is about runs there must
//! be no such process, which would move in them: there these properties are claims, too.

use taut_ir::{Expr, PropertyKind};

use super::{Exporter, comment};
use crate::text::Text;

impl Exporter<'_> {
    /// The process that watches what is forbidden and what is invariant.
    pub(super) fn monitor(&self, text: &mut Text) {
        let properties = self.program.properties.iter();
        let violated = properties.filter_map(|p| Some((self.violated(&p.kind)?, p)));
        let violated: Vec<_> = violated.collect();
        if violated.is_empty() || self.temporal {
            return;
        }
        text.open("active proctype monitor() {");
        text.label("end_monitor");
        // Once is enough; and what went on for ever would hide a deadlock.
        text.open("if");
        for (violated, property) in violated {
            let name = comment(&format!("{} {}", property.kind.word(), property.name));
            text.line(&format!(":: ({violated}) -> assert(false) /* {name} */"));
        }
        text.close("fi");
        text.close("}");
    }

    /// When a property of states is violated.
    pub(super) fn violated(&self, kind: &PropertyKind) -> Option<String> {
        match kind {
            PropertyKind::Forbid(bad) => Some(self.holds(bad)),
            PropertyKind::Invariant(good) => Some(format!("!({})", self.holds(good))),
            PropertyKind::Assert
            | PropertyKind::Cover(_)
            | PropertyKind::Ltl(_)
            | PropertyKind::Never(_) => None,
        }
    }

    /// That an expression of a property is true. One that faults counts as false.
    pub(super) fn holds(&self, expr: &Expr) -> String {
        let value = self.observed_expr(expr);
        match self.observed_fault(expr) {
            None => value,
            Some(fault) => format!("!({fault}) && {value}"),
        }
    }
}
