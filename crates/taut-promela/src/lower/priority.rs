//! Priorities of processes: `priority n`, `_priority`, `get_priority` and `set_priority`.
//!
//! The priorities are a ghost array with one element per pid ([`taut_ir::priority`] has the rule), made only if the
//! model uses one of these words. Pids are positions on a stack, so the pid of a process that `run` starts is the
//! number of processes that live at that moment, and `run` sets that element first. An exit sets the element of
//! its process back to 0. The array has one element more than there are processes: it takes what `set_priority`
//! writes for a pid that no process has, which is nothing.
//!
//! As in SPIN: the `priority` of a proctype is that of its active processes only, `run` without one gives 1;
//! `_priority = e` keeps the lowest eight bits of `e`; `set_priority` of a process that does not live has no effect,
//! and else a value outside of 1 to 255 is an error of the model; `get_priority` of no process is 0.

use taut_ir::priority::PRIORITIES;
use taut_ir::{Assignment, BinaryOp, Effect, Expr, Lvalue, Type, VarId};
use taut_source::Diagnostic;

use super::Lowering;
use super::statement::Act;
use crate::ast::{self, Item, PREDEFINED, Reference};
use crate::{Binding, codes};

/// The priority of a process for which none is given.
const DEFAULT: i64 = 1;
/// The ghost that takes a field received into `_priority`; no variable of a model can have this name.
const RECEIVED: &str = "priority?";

impl<'m> Lowering<'m> {
    /// Declares the array, if the model has priorities. Its elements are known once all processes are.
    pub(super) fn declare_priorities(&mut self) {
        let Some(span) = self.used.priority else { return };
        let var = self.ghost("priority", Type::range(0, 255));
        let variable = &mut self.program.vars[var.index()];
        variable.init.clear();
        variable.span = span;
        self.program.priorities = Some(var);
    }

    /// Gives the next process that runs from the start the priority that its proctype declares.
    pub(super) fn start_priority(&mut self, proctype: usize) {
        let Some(var) = self.program.priorities else { return };
        let item = self.symbols().proctypes[proctype].item;
        let declared = match &self.parsed.model.items[item] {
            Item::Proctype(p) => p.priority,
            Item::Init(init) => init.priority,
            _ => None,
        };
        self.program.vars[var.index()].init.push(declared.map_or(DEFAULT, i64::from));
    }

    /// Gives the array its size.
    pub(super) fn lay_out_priorities(&mut self) {
        let Some(var) = self.program.priorities else { return };
        self.refuse_rendezvous();
        let size = self.program.processes.len() + 1;
        let variable = &mut self.program.vars[var.index()];
        variable.init.resize(size, 0);
        variable.len = Some(size as u32);
    }

    /// SPIN's verifiers do not compile with both.
    fn refuse_rendezvous(&mut self) {
        let declared = self.program.channels.iter().find(|c| c.capacity == 0).map(|c| c.span);
        let Some(channel) = self.used.rendezvous.or(declared) else { return };
        let text = "priorities cannot be combined with rendezvous channels";
        let used = self.used.priority.unwrap_or(channel);
        let d = Diagnostic::error(codes::PRIORITY, text, channel)
            .label("a channel without room for messages")
            .related(used, "a priority")
            .help("SPIN refuses the combination, too; give the channel room for a message");
        self.diagnostics.push(d);
    }

    /// `_priority`; a claim has the priority that SPIN gives it.
    pub(super) fn own_priority(&self) -> Expr {
        match self.program.priorities {
            Some(var) if !self.in_claim => Expr::VarElem(var, Box::new(Expr::Pid)),
            _ => Expr::Const(DEFAULT),
        }
    }

    /// The place of the own priority, if a reference names it.
    pub(super) fn priority_place(&self, reference: &Reference) -> Option<Lvalue> {
        let Binding::Predefined(which) = self.symbols().binding(reference) else { return None };
        let var = self.program.priorities?;
        (PREDEFINED[which as usize] == "_priority").then_some(Lvalue::VarElem(var, Expr::Pid))
    }

    /// `get_priority(process)`
    pub(super) fn get_priority(&mut self, process: &'m ast::Expr) -> Expr {
        let pid = self.expr(process);
        let Some(var) = self.program.priorities else { return Expr::Const(DEFAULT) };
        let found = Expr::VarElem(var, Box::new(pid.clone()));
        Expr::Cond(Box::new(lives(pid)), Box::new(found), Box::new(Expr::Const(0)))
    }

    /// `set_priority(process, value)`
    pub(super) fn set_priority(&mut self, process: &'m ast::Expr, value: &'m ast::Expr) -> Act {
        let (pid, value) = (self.expr(process), self.expr(value));
        let Some(var) = self.program.priorities else { return Act::skip() };
        let spare = i64::from(self.program.var(var).size()) - 1;
        let index = either(lives(pid.clone()), pid.clone(), spare);
        let low = Expr::binary(BinaryOp::Ge, value.clone(), (*PRIORITIES.start()).into());
        // What is too large does not fit the type; neither does -1.
        let value = either(low, value, -1);
        let value = either(lives(pid), value, 0);
        Act::run(vec![Effect::assign(Lvalue::VarElem(var, index), value)])
    }

    /// What comes before a `run`: the priority of the new process, whose pid is the number of those that live.
    pub(super) fn give_priority(&self, priority: Option<i32>) -> Option<Effect> {
        let var = self.program.priorities?;
        let given = priority.filter(|&p| p > 0).map_or(DEFAULT, i64::from);
        Some(Effect::assign(Lvalue::VarElem(var, Expr::Processes), given))
    }

    /// What an exit does to the priority of its process.
    pub(super) fn drop_priority(&self) -> Option<Effect> {
        let var = self.program.priorities?;
        Some(Effect::assign(Lvalue::VarElem(var, Expr::Pid), 0))
    }

    /// What a receive does after its fields were stored: it sets the own priority, if a field is for it.
    pub(super) fn received_priority(&mut self, patterns: &'m [ast::Pattern]) -> Vec<Effect> {
        let references = patterns.iter().filter_map(|pattern| match pattern {
            ast::Pattern::Reference(to) => Some(to),
            ast::Pattern::Constant(_) | ast::Pattern::Eval(_) => None,
        });
        references.filter_map(|to| self.receive_priority(to)).map(|(_, set)| set).collect()
    }

    /// Where a receive puts a field for `_priority`, and the effect that sets the priority to its lowest eight bits.
    /// The effect also resets the place, so that states stay canonical.
    pub(super) fn receive_priority(&mut self, to: &Reference) -> Option<(Lvalue, Effect)> {
        let own = self.priority_place(to)?;
        let known = self.program.vars.iter().position(|v| v.name == RECEIVED);
        let ghost = match known {
            Some(index) => VarId::from(index),
            None => self.ghost(RECEIVED, super::BYTE),
        };
        let place = Lvalue::Var(ghost);
        let set = |place, value: Expr| Assignment { place, value, atomic: false };
        let both = vec![set(own, Expr::Var(ghost)), set(place.clone(), Expr::Const(0))];
        Some((place, Effect::Assign(both)))
    }
}

/// Whether a process with this pid lives.
fn lives(pid: Expr) -> Expr {
    let low = Expr::binary(BinaryOp::Ge, pid.clone(), 0.into());
    low.and(Expr::binary(BinaryOp::Lt, pid, Expr::Processes))
}

fn either(condition: Expr, value: Expr, other: i64) -> Expr {
    Expr::Cond(Box::new(condition), Box::new(value), Box::new(Expr::Const(other)))
}
