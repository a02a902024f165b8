//! Locked steps: a loop around compare-and-exchange of the one location that the step names.
//!
//! The value of the location is loaded into `now`. Guard and effects are computed with `now` for the location. Then the
//! exchange stores `now` if memory still has the value that was loaded; otherwise registers, ghosts and violations are put
//! back, and the step is tried again. A step that stores nothing in shared memory is a fence and a load.

use taut_ir::{Expr, Lvalue, Step};

use super::code::{Code, Function};
use super::refuse::locations;
use super::steps::{Section, Storing};
use super::values::Values;
use crate::text::Text;

/// The variable that stands for the location.
pub(super) const NOW: &str = "now";

/// The attempt to exchange a value for another.
fn exchange(new: &str) -> String {
    let orders = "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST";
    format!("__atomic_compare_exchange_n(place, &found, {new}, 0, {orders})")
}

impl Code<'_> {
    pub(super) fn locked(
        &self,
        text: &mut Text,
        function: Function,
        step: &Step,
        behind: Option<&str>,
    ) {
        let location = locations(self.writer.program, step).into_iter().next();
        let stores = location.as_ref().is_some_and(|l| step.stores().any(|p| is_at(p, l)));
        let storing = if stores { Storing::Exchange } else { Storing::Nothing };
        let section = Section { function, observes: self.observes(step), storing };
        if !stores {
            text.line("TAUT_FENCE;");
        }
        if section.observes {
            text.line("taut_lock(me);");
        }
        let mut values = self.values(function);
        if let Some(location) = &location {
            let at = self.location(text, location, &mut values);
            text.line(&format!("cell *const place = &{at};"));
            self.fault(text, &mut values, Section { storing: Storing::Nothing, ..section });
        }
        if stores {
            self.keep(text, section);
        }
        text.open("for (;;) {");
        if let Some(location) = location {
            text.line(&format!("word {NOW} = *place;"));
            values = values.standing_in(location, NOW);
        }
        if stores {
            text.line(&format!("word found = {NOW};"));
        }
        self.guard(text, step, &mut values, behind, section);
        self.effects(text, step, &mut values, section);
        if stores {
            text.open(&format!("if (!{}) {{", exchange(NOW)));
            self.put_back(text, section);
            text.close("}");
        }
        text.line("break;");
        text.close("}");
        self.end_section(text, step, section);
        self.jump(text, function, step, self.values(function));
    }

    /// The location as an assignable expression.
    fn location(&self, text: &mut Text, location: &Expr, values: &mut Values<'_>) -> String {
        let (var, index) = match location {
            Expr::Var(v) => (*v, "0".into()),
            Expr::VarElem(v, index) => {
                (*v, values.index(text, index, self.writer.program.var(*v).size()))
            }
            _ => unreachable!("a location is a variable or an element"),
        };
        format!("v{}[{index}]", self.writer.slot(var))
    }

    /// Keeps what the step changes beside its location.
    fn keep(&self, text: &mut Text, section: Section) {
        let structure = self.writer.structure(self.id);
        let registers = section.function.registers();
        text.line(&format!("struct {structure} before = *({registers});"));
        text.line("uint64_t failed_before = me->failed;");
        if section.observes {
            text.line("word ghosts_before[TAUT_GHOSTS];");
            text.line("memcpy(ghosts_before, me->side->ghost, sizeof ghosts_before);");
        }
    }

    /// Puts it back, and tries again.
    fn put_back(&self, text: &mut Text, section: Section) {
        text.line(&format!("*({}) = before;", section.function.registers()));
        text.line("me->failed = failed_before;");
        if section.observes {
            text.line("memcpy(me->side->ghost, ghosts_before, sizeof ghosts_before);");
        }
        text.line("continue;");
    }

    /// A fault that was computed from a value that memory no longer has is none.
    pub(super) fn only_real_faults(&self, text: &mut Text, section: Section) {
        text.open(&format!("if (!{}) {{", exchange("found")));
        text.line("taut_fault = 0;");
        self.put_back(text, section);
        text.close("}");
    }
}

/// Whether a place is the location of the step.
fn is_at(place: &Lvalue, location: &Expr) -> bool {
    match (place, location) {
        (Lvalue::Var(a), Expr::Var(b)) => a == b,
        (Lvalue::VarElem(a, i), Expr::VarElem(b, j)) => a == b && *i == **j,
        _ => false,
    }
}
