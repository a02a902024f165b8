//! What a step does: assignments, assertions, new processes.
//!
//! A fault leads to a label where the export loops for ever, so that nothing of what comes after it is taken
//! for a deadlock.

use taut_ir::{Assignment, Effect, Expr, Interval, Lvalue, Overflow, Type};

use super::conditions::Moment;
use super::expr::{Scope, either};
use super::{Exporter, comment};
use crate::text::Text;

/// The label after a fault.
pub(super) const FAULT: &str = "fault";

/// Something to be stored: where, as an expression that was computed before, and what.
pub(super) struct Store<'s> {
    pub(super) place: &'s Lvalue,
    pub(super) destination: String,
    pub(super) value: String,
    /// What the value can be.
    pub(super) range: Interval,
    /// It does not go through the buffer.
    pub(super) atomic: bool,
}

impl Exporter<'_> {
    /// The step in words.
    pub(super) fn show(&self, text: &mut Text, moment: Moment) {
        let def = self.program.process(moment.process).def;
        let shown = self.program.show_step(def, moment.step).to_string();
        text.line(&format!("/* {} */", comment(&shown)));
    }

    pub(super) fn fault_label(&self, text: &mut Text) {
        text.label(FAULT);
        text.line("do :: _nr_pr > 0 od");
    }

    pub(super) fn effects(&self, text: &mut Text, moment: Moment) {
        for effect in &moment.step.effects {
            self.effect(text, moment, effect);
        }
    }

    fn effect(&self, text: &mut Text, moment: Moment, effect: &Effect) {
        taut_budget::tick();
        let scope = moment.scope();
        match effect {
            Effect::Assign(list) => self.assign(text, moment, list),
            Effect::Assert { condition, .. } => {
                let value = self.expr(scope, condition);
                self.unless_fault(text, self.fault(scope, condition), |text| {
                    text.line(&format!("assert({value});"));
                });
            }
            Effect::StoreFence => self.store_fence(text, scope.process),
            Effect::Spawn { def, args, pid } => {
                self.spawn(text, scope, *def, args);
                if let Some(place) = pid {
                    let most = self.program.processes.len() as i64 - 1;
                    let range = Interval { lo: 0, hi: most };
                    self.store_to(text, moment, place, "(living - 1)", range);
                }
            }
            // Nothing of the step happens behind this, but SPIN wants to see that it could.
            Effect::Fail(_) => self.unless_fault(text, Some("_nr_pr > 0".into()), |_| {}),
        }
    }

    /// Writes something that must not happen after a fault.
    pub(super) fn unless_fault(
        &self,
        text: &mut Text,
        fault: Option<String>,
        write: impl FnOnce(&mut Text),
    ) {
        let Some(fault) = fault else { return write(text) };
        text.open("if");
        text.line(&format!(":: ({fault}) -> {}", self.stop(true)));
        text.open(":: else ->");
        write(text);
        text.close("skip");
        text.close("fi;");
    }

    /// When computing where or what an assignment stores faults.
    pub(super) fn assign_fault(&self, scope: Scope, list: &[Assignment]) -> Option<String> {
        let faults = list
            .iter()
            .flat_map(|a| [self.destination_fault(scope, &a.place), self.fault(scope, &a.value)]);
        faults.fold(None, either)
    }

    fn assign(&self, text: &mut Text, moment: Moment, list: &[Assignment]) {
        let scope = moment.scope();
        self.unless_fault(text, self.assign_fault(scope, list), |text| match list {
            [one] => {
                let destination = self.destination(scope, &one.place);
                let value = self.expr(scope, &one.value);
                self.put(text, moment, self.to_store(scope, one, destination, value));
            }
            _ => self.assign_at_once(text, moment, list),
        });
    }

    fn to_store<'s>(
        &self,
        scope: Scope,
        a: &'s Assignment,
        destination: String,
        value: String,
    ) -> Store<'s> {
        let range = self.ranges.expr(scope.process, &a.value);
        Store { place: &a.place, destination, value, range, atomic: a.atomic }
    }

    fn assign_at_once(&self, text: &mut Text, moment: Moment, list: &[Assignment]) {
        let scope = moment.scope();
        for (i, a) in list.iter().enumerate() {
            text.line(&format!("idx{i} = {};", self.destination(scope, &a.place)));
            text.line(&format!("tmp{i} = {};", self.expr(scope, &a.value)));
        }
        for (i, a) in list.iter().enumerate() {
            let (destination, value) = (format!("idx{i}"), format!("tmp{i}"));
            self.put(text, moment, self.to_store(scope, a, destination, value));
        }
        for i in 0..list.len() {
            text.line(&format!("idx{i} = 0; tmp{i} = 0;"));
        }
    }

    /// A single store of a value that was computed already.
    pub(super) fn store_to(
        &self,
        text: &mut Text,
        moment: Moment,
        place: &Lvalue,
        value: &str,
        range: Interval,
    ) {
        let scope = moment.scope();
        self.unless_fault(text, self.destination_fault(scope, place), |text| {
            let (destination, value) = (self.destination(scope, place), value.to_string());
            self.put(text, moment, Store { place, destination, value, range, atomic: false });
        });
    }

    /// What tells where an assignment goes: the number of a place, or the index of a register.
    pub(super) fn destination(&self, scope: Scope, place: &Lvalue) -> String {
        match place {
            Lvalue::Reg(_) => "0".into(),
            Lvalue::RegElem(_, i) => self.expr(scope, i),
            Lvalue::Var(v) => self.place_of(scope, &Expr::Var(*v)),
            Lvalue::VarElem(v, i) => self.place_of(scope, &Expr::VarElem(*v, Box::new(i.clone()))),
        }
    }

    pub(super) fn destination_fault(&self, scope: Scope, place: &Lvalue) -> Option<String> {
        match place {
            Lvalue::Reg(_) | Lvalue::Var(_) => None,
            Lvalue::RegElem(r, i) => {
                self.index_fault(scope, i, self.program.register(scope.process, *r).size())
            }
            Lvalue::VarElem(v, i) => self.index_fault(scope, i, self.program.var(*v).size()),
        }
    }

    /// Stores a value, made to fit.
    fn put(&self, text: &mut Text, moment: Moment, store: Store) {
        let Store { place, destination, value, range, atomic } = store;
        let process = moment.process;
        let ty = match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => self.program.register(process, *r).ty,
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => self.program.var(*v).ty,
        };
        let (value, fault) = fitted(ty, value, range);
        self.unless_fault(text, fault, |text| match place {
            Lvalue::Reg(r) => {
                text.line(&format!("{} = {value};", self.names.register(process, *r)));
            }
            Lvalue::RegElem(r, _) => {
                let name = self.names.register(process, *r);
                text.line(&format!("{name}[{destination}] = {value};"));
            }
            _ if !atomic && self.is_buffered(moment.step, place) => {
                self.buffered_store(text, process, &destination, &value);
            }
            _ if atomic && self.is_buffered(moment.step, place) => {
                self.atomic_write(text, process, &destination, &value);
            }
            _ => text.line(&format!("mem[{destination}] = {value};")),
        });
    }

    /// Computes arguments into temporaries.
    pub(super) fn pass(&self, text: &mut Text, scope: Scope, args: &[Expr]) {
        for (i, arg) in args.iter().enumerate() {
            let value = self.expr(scope, arg);
            self.unless_fault(text, self.fault(scope, arg), |text| {
                text.line(&format!("tmp{i} = {value};"));
            });
        }
    }

    pub(super) fn fit_into(&self, text: &mut Text, name: &str, ty: Type, value: &str) {
        let (value, fault) = fitted(ty, value.into(), Interval::ALL);
        self.unless_fault(text, fault, |text| text.line(&format!("{name} = {value};")));
    }
}

/// Clears temporaries.
pub(super) fn clear(text: &mut Text, count: usize) {
    for i in 0..count {
        text.line(&format!("tmp{i} = 0;"));
    }
}

/// A value from a range as a variable of a type holds it, and when that is a fault.
pub(super) fn fitted(ty: Type, value: String, range: Interval) -> (String, Option<String>) {
    let (lo, hi) = (ty.lo, ty.hi);
    match ty.overflow {
        _ if ty.interval().includes(range) => (value, None),
        Overflow::Fault => {
            let fault = format!("({value} < {lo} || {value} > {hi})");
            (value, Some(fault))
        }
        // Promela's int is C's.
        Overflow::Wrap if ty == Type::INT => (value, None),
        Overflow::Wrap => {
            let size = i128::from(hi) - i128::from(lo) + 1;
            (format!("({lo} + (({value} - ({lo})) % {size} + {size}) % {size})"), None)
        }
    }
}
