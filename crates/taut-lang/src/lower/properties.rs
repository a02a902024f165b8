//! What properties ask, lowered last because they name processes, their registers and their labels.

use taut_ir::PropertyKind;

use super::Lowering;
use super::scope::Scope;
use crate::ast::{Asked, File, ItemKind};

impl<'a> Lowering<'a> {
    /// Fills in what `forbid`, `invariant` and `ltl` ask.
    pub(super) fn ask(&mut self, file: &'a File) {
        // Names of program points and locals make sense only if the code they stand in does.
        if self.diagnostics.has_errors() && self.program.processes.is_empty() {
            return;
        }
        let scope = Scope::property();
        let mut declared = std::mem::take(&mut self.declared_properties).into_iter();
        for item in &file.items {
            let ItemKind::Property(property) = &item.kind else { continue };
            let Some(id) = declared.next() else { return };
            let kind = match &property.asked {
                Asked::Forbid(e) => PropertyKind::Forbid(self.expr(&scope, e)),
                Asked::Cover(e) => PropertyKind::Cover(self.expr(&scope, e)),
                Asked::Invariant(e) => PropertyKind::Invariant(self.expr(&scope, e)),
                Asked::Ltl(f) => PropertyKind::Ltl(Box::new(self.ltl(f))),
                Asked::Assertion => continue,
            };
            self.program.properties[id.index()].kind = kind;
        }
    }
}
