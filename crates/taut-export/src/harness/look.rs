//! Properties of states, looked at during rounds and in final states; and what is watched in final states.
//!
//! During a round a thread looks under the lock of the observers, where ghosts and marks do not change. A mark that is set
//! tells where a process is; one that is not set tells nothing. So a property is looked at there only if its
//! violation is a condition over ghosts and marks that no mark makes false.

use taut_ir::{BinaryOp, Expr, Program, PropId, PropertyKind, UnaryOp, VarKind};

use super::Writer;
use super::values::{Scope, Values};
use crate::text::Text;

/// Whether a violation of a property of states can be seen during a round.
pub(super) fn can_be_seen_in_flight(program: &Program, property: PropId) -> bool {
    match &program.property(property).kind {
        PropertyKind::Forbid(bad) => is_positive(program, bad, true),
        PropertyKind::Invariant(good) => is_positive(program, good, false),
        PropertyKind::Assert
        | PropertyKind::Cover(_)
        | PropertyKind::Ltl(_)
        | PropertyKind::Never(_) => false,
    }
}

/// Whether an expression is over ghosts and marks, and marks can make it true (or false) only.
fn is_positive(program: &Program, e: &Expr, wanted: bool) -> bool {
    match e {
        Expr::At(..) => wanted,
        Expr::Unary(UnaryOp::Not, a) => is_positive(program, a, !wanted),
        Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            is_positive(program, a, wanted) && is_positive(program, b, wanted)
        }
        _ => is_over_ghosts(program, e),
    }
}

fn is_over_ghosts(program: &Program, e: &Expr) -> bool {
    let mut all = true;
    e.visit(&mut |part| {
        all &= match part {
            Expr::Var(v) | Expr::VarElem(v, _) => program.var(*v).kind == VarKind::Ghost,
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => true,
            _ => false,
        };
    });
    all
}

impl Writer<'_> {
    /// The function that looks at properties during a round, and those that mark where a process is.
    pub(super) fn flight(&self, text: &mut Text) {
        if self.flight.is_empty() {
            return;
        }
        text.line("/* looks at what observers see; under their lock */");
        text.open("static void taut_flight(struct taut_thread *me) {");
        for &property in self.flight {
            self.violation(text, property, Scope::Flight, "me->failed");
        }
        text.close("}");
        text.blank();
        text.open(
            "__attribute__((unused)) static void taut_arrive(struct taut_thread *me, int at) {",
        );
        text.line("taut_lock(me);");
        text.line("me->side->pc[me->number] = at;");
        text.line("taut_flight(me);");
        text.line("taut_unlock(me);");
        text.line("taut_linger(me);");
        text.close("}");
        text.blank();
        text.open("__attribute__((unused)) static void taut_leave(struct taut_thread *me) {");
        text.line("taut_lock(me);");
        text.line("me->side->pc[me->number] = 0;");
        text.line("taut_unlock(me);");
        text.close("}");
        text.blank();
    }

    /// The functions that look at a final state.
    pub(super) fn finals(&self, text: &mut Text, watched: &[Expr]) {
        text.line("/* the violations in a final state */");
        text.open("static uint64_t taut_final(unsigned int i) {");
        text.line("uint64_t failed = 0;");
        for &property in self.properties {
            self.violation(text, property, Scope::Final(None), "failed");
        }
        text.line("(void)i;");
        text.line("return failed;");
        text.close("}");
        text.blank();
        text.line("/* the values of what is watched */");
        text.open("static void taut_watch(unsigned int i, word *value) {");
        for (slot, expr) in watched.iter().enumerate() {
            let value = Values::new(self, Scope::Final(None)).value(text, expr);
            text.line(&format!("value[{slot}] = {value};"));
        }
        text.line("(void)i;");
        text.line("(void)value;");
        text.close("}");
    }

    /// Notes the violation of a property of states. One that cannot be computed counts as false.
    fn violation(&self, text: &mut Text, property: PropId, scope: Scope<'_>, noted: &str) {
        let (expr, violated) = match &self.program.property(property).kind {
            PropertyKind::Forbid(bad) => (bad, "holds && !taut_fault"),
            PropertyKind::Invariant(good) => (good, "!holds || taut_fault"),
            PropertyKind::Assert
            | PropertyKind::Cover(_)
            | PropertyKind::Ltl(_)
            | PropertyKind::Never(_) => return,
        };
        let Some(bit) = self.bit(property) else { return };
        text.open("{");
        let value = Values::new(self, scope).value(text, expr);
        text.line(&format!("int holds = ({value}) != 0;"));
        text.line(&format!("if ({violated}) {noted} |= (uint64_t)1 << {bit};"));
        text.line("taut_fault = 0;");
        text.close("}");
    }
}
