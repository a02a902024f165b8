//! A finding in words: what is violated, and why it is violated here.

mod events;
mod runs;

use taut_ir::{
    Action, Effect, Expr, Fault, Finding, ProcId, Program, PropId, PropertyKind, Step, StepId,
    VarId,
};
use taut_witness::{Address, Machine, Refusal, Row, Run, State};

use crate::atoms::{atoms, is_question};
use crate::pool::{pool_fault, shown, whole};
use crate::race::race;
use crate::swap::swap;
use crate::view::{Names, RunView};

/// A finding in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is violated, in one line.
    pub headline: String,
    /// Why, a line for each thing to say.
    pub details: Vec<String>,
}

/// Explains a finding at the end of a run that [`taut_witness::replay()`] has accepted.
pub fn explain(view: RunView<'_>, finding: Finding) -> Explanation {
    let teller = Teller { view, names: view.names(), program: view.program(), run: view.run() };
    match finding {
        Finding::Property(id) => teller.property(id),
        Finding::Deadlock => teller.deadlock(),
        Finding::Fault(fault) => teller.fault(fault),
        Finding::FullBuffer => teller.full_buffer(),
        Finding::NotRobust => teller.not_robust(),
    }
}

/// The state inside the step that went wrong.
fn inside(row: &Row) -> &State {
    row.failure.as_ref().map_or(&row.after, |failure| &failure.inside)
}

struct Teller<'a> {
    view: RunView<'a>,
    names: Names<'a>,
    program: &'a Program,
    run: &'a Run,
}

impl<'a> Teller<'a> {
    fn machine(&self) -> Machine<'a> {
        self.view.machine()
    }

    fn property(&self, id: PropId) -> Explanation {
        let property = self.program.property(id);
        if let Some(explanation) = self.event(&property.name) {
            return explanation;
        }
        if let Some(race) = race(self.view) {
            return Explanation { headline: format!("data race: {race}"), details: Vec::new() };
        }
        let word = if property.kind.is_cover() { "covered" } else { "violated" };
        let headline = format!("{} `{}` is {word}", property.kind.word(), property.name);
        let details = match &property.kind {
            PropertyKind::Assert => self.assertion(id),
            PropertyKind::Forbid(bad) => self.of_state("forbidden", bad),
            PropertyKind::Cover(sought) => self.of_state("sought", sought),
            PropertyKind::Invariant(good) => self.of_state("must always hold", good),
            PropertyKind::Ltl(_) | PropertyKind::Never(_) => self.violation(property),
        };
        Explanation { headline, details }
    }

    fn of_state(&self, word: &str, expr: &Expr) -> Vec<String> {
        let mut details = vec![format!("{word}: {}", whole(self.program, None, expr))];
        let (machine, state) = (self.machine(), self.run.last());
        details.extend(self.here(expr, None, |atom| machine.value(state, atom)));
        details
    }

    /// "here: x = 1, p@cs is true", for what the expression reads.
    fn here(
        &self,
        expr: &Expr,
        process: Option<ProcId>,
        value: impl Fn(&Expr) -> Result<i64, Fault>,
    ) -> Option<String> {
        let values = self.values(expr, process, value);
        (!values.is_empty()).then(|| format!("here: {}", values.join(", ")))
    }

    fn values(
        &self,
        expr: &Expr,
        process: Option<ProcId>,
        value: impl Fn(&Expr) -> Result<i64, Fault>,
    ) -> Vec<String> {
        let def = process.map(|p| self.program.process(p).def);
        let one = |atom: &Expr| {
            let name = shown(self.program, def, atom)?;
            match value(atom) {
                Ok(value) if is_question(atom) => Some(format!("{name} is {}", value != 0)),
                Ok(value) => Some(format!("{name} = {}", word(self.names, process, atom, value))),
                Err(_) => None,
            }
        };
        atoms(expr).into_iter().filter_map(one).collect()
    }

    /// The step that went wrong: the last action, or one half of it in a rendezvous.
    fn failed_step(&self) -> Option<(&Row, ProcId, StepId, &Step)> {
        let row = self.run.rows.last()?;
        let to_blame = row.failure.as_ref().map(|failure| failure.process);
        let (process, step) = match row.action {
            Action::Handshake { receiver, receive, .. } if to_blame == Some(receiver) => {
                (receiver, receive)
            }
            Action::Step { process, step, .. } | Action::Handshake { process, step, .. } => {
                (process, step)
            }
            Action::Commit { .. } => return None,
        };
        Some((row, process, step, self.names.find_step(process, step)?))
    }

    fn assertion(&self, property: PropId) -> Vec<String> {
        let Some((row, process, id, step)) = self.failed_step() else { return Vec::new() };
        let (machine, inside) = (self.machine(), inside(row));
        let failed = step.effects.iter().find_map(|effect| match effect {
            Effect::Assert { condition, property: of } if *of == property => {
                (machine.value_in(inside, process, condition) == Ok(0)).then_some(condition)
            }
            _ => None,
        });
        let Some(condition) = failed else { return Vec::new() };
        let place = self.place(process, step);
        // C: the condition was computed before, and the step that fails says what it is.
        if matches!(condition, Expr::Const(_)) {
            return vec![format!("{place}: {}", self.names.step(process, id))];
        }
        let def = self.program.process(process).def;
        let shown = whole(self.program, Some(def), condition);
        let mut details = vec![format!("{place}: {shown} is false")];
        let value = |e: &Expr| machine.value_in(inside, process, e);
        details.extend(self.here(condition, Some(process), value));
        details
    }

    fn fault(&self, fault: Fault) -> Explanation {
        let headline = format!("fault: {}", fault.describe());
        let Some((row, process, id, step)) = self.failed_step() else {
            return Explanation { headline, details: Vec::new() };
        };
        let (machine, inside) = (self.machine(), inside(row));
        let shown = self.names.step(process, id);
        let mut details = vec![format!("{}: {shown}", self.place(process, step))];
        let failure = row.failure.as_ref();
        let of_pool = failure.and_then(|failure| pool_fault(self.program, &machine, failure, step));
        if let Some(words) = of_pool {
            return Explanation { headline: format!("fault: {words}"), details };
        }
        let mut values: Vec<String> = Vec::new();
        for expr in step.expressions() {
            let value = |e: &Expr| machine.value_in(inside, process, e);
            let more = self.values(expr, Some(process), value);
            values.extend(more.into_iter().filter(|v| !values.contains(v)).collect::<Vec<_>>());
        }
        if !values.is_empty() {
            details.push(format!("here: {}", values.join(", ")));
        }
        Explanation { headline, details }
    }

    fn not_robust(&self) -> Explanation {
        let found = swap(self.view, Finding::NotRobust);
        let headline = "no sequentially consistent run is like this one".to_string();
        let details = found.map(|swap| [swap.to_string()].into_iter().chain(swap.circle));
        Explanation { headline, details: details.into_iter().flatten().collect() }
    }

    fn full_buffer(&self) -> Explanation {
        let headline = "a store into a full buffer".to_string();
        let Some((row, process, id, step)) = self.failed_step() else {
            return Explanation { headline, details: Vec::new() };
        };
        let inside = inside(row);
        let shown = self.names.step(process, id);
        let mut details = vec![format!("{}: {shown}", self.place(process, step))];
        let held = inside.process(process).buffer.entries().count();
        if let Some(bound) = self.run.memory.bound {
            let each = match self.run.memory.model.buffers().are_per_cell() {
                true => " for each variable",
                false => "",
            };
            let stores = if held == 1 { "1 store".into() } else { format!("{held} stores") };
            details.push(format!("its buffer holds {stores} and has room for {bound}{each}"));
        }
        Explanation { headline, details }
    }

    fn deadlock(&self) -> Explanation {
        let headline = "deadlock: nothing can happen any more".to_string();
        let state = self.run.last();
        let machine = self.machine();
        let stuck = self.program.process_ids().filter(|&p| !machine.may_stop(state, p));
        let waiting = stuck.flat_map(|p| self.waits(state, p));
        Explanation { headline, details: waiting.chain(self.unfinished_trace()).collect() }
    }

    /// What a process waits for, a line for each step that leaves its program point.
    fn waits(&self, state: &State, process: ProcId) -> Vec<String> {
        let machine = self.machine();
        let at = state.process(process).point;
        let steps = self.program.def_of(process).steps_from(at);
        let lines: Vec<_> = steps
            .filter_map(|(id, step)| {
                let refusal = machine.apply(state, Action::step(process, id)).err()?;
                Some(self.waits_for(state, process, id, step, refusal))
            })
            .collect();
        if lines.is_empty() {
            let name = self.names.process(process);
            return vec![format!("{name} is at a place that no step leaves")];
        }
        lines
    }

    fn waits_for(
        &self,
        state: &State,
        process: ProcId,
        id: StepId,
        step: &Step,
        refusal: Refusal,
    ) -> String {
        let name = self.names.process(process);
        let at = self.names.line(step.span).map(|line| format!(" at line {line}"));
        let shown = self.names.step(process, id);
        let mut why = refusal.describe(self.program);
        if refusal == Refusal::GuardFalse {
            // Nothing can happen, so a timeout is due: what it waits for is something else.
            let machine = self.machine();
            let values = self.values(&step.guard, Some(process), |expr| {
                machine.value_at_timeout(state, process, expr)
            });
            if !values.is_empty() {
                why = format!("{why} ({})", values.join(", "));
            }
        }
        format!("{name} waits{} for `{shown}`: {why}", at.unwrap_or_default())
    }

    /// "p, line 7".
    fn place(&self, process: ProcId, step: &Step) -> String {
        let name = self.names.process(process);
        match self.names.line_word(step.span) {
            Some(line) => format!("{name}, line {line}"),
            None => name.into(),
        }
    }
}

/// The value of an atom: a number, or what the source calls it.
pub(crate) fn word(names: Names<'_>, process: Option<ProcId>, atom: &Expr, value: i64) -> String {
    // The elements of an array have one type, so the words are those of the first.
    let cell = |&var: &VarId| names.value(Address { var, index: 0 }, value);
    match (atom, process) {
        (Expr::Var(var) | Expr::VarElem(var, _), _) => cell(var),
        (Expr::Reg(id) | Expr::RegElem(id, _), Some(p)) => names.register_value(p, *id, value),
        (Expr::In(p, inner), _) => word(names, Some(*p), inner, value),
        _ => value.to_string(),
    }
}
