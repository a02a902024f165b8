//! What properties ask, lowered last because they name processes, their registers and their labels.

use taut_ir::PropertyKind;

use super::Lowering;
use super::scope::Scope;
use crate::ast::{File, ItemKind};

impl<'a> Lowering<'a> {
    /// Fills in the expressions of `forbid` and `invariant`.
    pub(super) fn ask(&mut self, file: &'a File) {
        // Names of locations and locals make sense only if the code they stand in does.
        if self.diagnostics.has_errors() && self.program.processes.is_empty() {
            return;
        }
        let scope = Scope::property();
        let mut declared = std::mem::take(&mut self.declared_properties).into_iter();
        for item in &file.items {
            let ItemKind::Property(property) = &item.kind else { continue };
            let Some(id) = declared.next() else { return };
            let Some(expr) = &property.expr else { continue };
            let lowered = self.expr(&scope, expr);
            match &mut self.program.properties[id.index()].kind {
                PropertyKind::Forbid(e) | PropertyKind::Invariant(e) => *e = lowered,
                PropertyKind::Assert => {}
            }
        }
    }
}
