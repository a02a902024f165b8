//! What `*` stands for, chosen before anything else happens.
//!
//! *Memory.* The first process has a step per choice of all cells that begin with any value. It stores the choice and
//! opens the gate, a variable of its own, at once; every other process first waits for the gate. So no
//! process sees memory before it is chosen, and the choice overwrites nothing.
//!
//! *Registers.* A step per value, before the text. A register that is not read before it is assigned needs none: no step can tell. Properties from outside of the text
//! could, so where there are any, every register is chosen.

use taut_ir::{
    Assignment, Effect, Expr, Lvalue, Mode, PointId, ProcessDef, ProgramPoint, RegId, Span, Step,
    VarId,
};

use super::Asked;
use super::act::write;
use super::names::{Cell, Names, Place, Register};

/// The name of the gate, which no variable of a text has.
pub(super) const GATE: &str = "chosen()";

/// The most choices of memory.
const MOST_CHOICES: usize = 4_096;

/// A definition with what comes before its text.
pub(super) fn begin(
    names: &Names<'_>,
    asked: Asked,
    number: usize,
    group: usize,
    mut def: ProcessDef,
    first: PointId,
) -> ProcessDef {
    let mut begin = first;
    for (index, register) in names.registers[group].iter().enumerate().rev() {
        let id = RegId::from(index);
        let is_read = asked.all_registers || reads_first(&def, first, id);
        if register.init.is_none() && is_read {
            begin = choose(&mut def, register, id, begin);
        }
    }
    if names.begins_with_any() {
        let gate = VarId::from(names.vars.len() - 1);
        begin = match number {
            0 => choose_memory(&mut def, names, gate, begin),
            _ => wait(&mut def, gate, begin),
        };
    }
    def.entry = begin;
    def
}

/// Whether some step reads a register before one assigns it.
fn reads_first(def: &ProcessDef, first: PointId, register: RegId) -> bool {
    let mut seen = vec![false; def.points.len()];
    let mut open = vec![first];
    while let Some(point) = open.pop() {
        taut_budget::tick();
        if std::mem::replace(&mut seen[point.index()], true) {
            continue;
        }
        for (_, step) in def.steps_from(point) {
            let mut reads = false;
            for expr in step.expressions() {
                expr.visit(&mut |e| reads |= *e == Expr::Reg(register));
            }
            if reads {
                return true;
            }
            let assigns = step.stores().any(|place| *place == Lvalue::Reg(register));
            if !assigns && let taut_ir::Control::Goto(target) = step.target {
                open.push(target);
            }
        }
    }
    false
}

fn point(def: &mut ProcessDef) -> PointId {
    def.points.push(ProgramPoint::default());
    PointId::from(def.points.len() - 1)
}

/// A step per value of a register.
fn choose(def: &mut ProcessDef, register: &Register, id: RegId, target: PointId) -> PointId {
    let source = point(def);
    for value in register.low..=register.high {
        def.steps.push(Step {
            effects: vec![Effect::assign(Lvalue::Reg(id), value)],
            text: Some(format!("${} begins as {value}", register.name)),
            whole: true,
            ..Step::skip(source, target, register.span)
        });
    }
    source
}

/// A step per choice of memory, which opens the gate.
fn choose_memory(def: &mut ProcessDef, names: &Names<'_>, gate: VarId, target: PointId) -> PointId {
    let source = point(def);
    let mut choices: Vec<Vec<i64>> = vec![Vec::new()];
    for place in &names.any {
        let longer = |choice: &Vec<i64>| {
            let choice = choice.clone();
            (place.low..=place.high).map(move |value| [&choice[..], &[value]].concat())
        };
        choices = choices.iter().flat_map(longer).collect();
        debug_assert!(choices.len() <= MOST_CHOICES, "refused before");
    }
    for choice in choices {
        let (assigned, words) = chosen(names, &choice);
        let open = assignment(Cell { var: gate, index: None }, 1);
        def.steps.push(Step {
            mode: Mode::Locked,
            effects: vec![Effect::Assign(assigned.into_iter().chain([open]).collect())],
            text: Some(words),
            whole: true,
            ..Step::skip(source, target, span(names))
        });
    }
    source
}

fn chosen(names: &Names<'_>, choice: &[i64]) -> (Vec<Assignment>, String) {
    let pairs = || names.any.iter().zip(choice);
    let assigned = pairs().map(|(place, &value)| assignment(place.cell, value)).collect();
    let word = |(place, value): (&Place, &i64)| {
        let name = &names.vars[place.cell.var.index()].name;
        match place.cell.index {
            Some(index) => format!("{name}[{index}] begins as {value}"),
            None => format!("{name} begins as {value}"),
        }
    };
    (assigned, pairs().map(word).collect::<Vec<_>>().join(", "))
}

fn assignment(cell: Cell, value: i64) -> Assignment {
    Assignment { place: write(cell), value: Expr::Const(value), atomic: false }
}

fn span(names: &Names<'_>) -> Span {
    names.any.first().map_or(Span::NONE, |place| names.vars[place.cell.var.index()].span)
}

/// Waits for the gate.
fn wait(def: &mut ProcessDef, gate: VarId, target: PointId) -> PointId {
    let source = point(def);
    def.steps.push(Step {
        guard: Expr::Var(gate).equals(Expr::Const(1)),
        text: Some("begins".into()),
        whole: true,
        ..Step::skip(source, target, def.span)
    });
    source
}

/// The number of choices of memory, if that is not too many.
pub(super) fn is_few(any: &[Place]) -> bool {
    let sizes = any.iter().map(|place| (place.high - place.low + 1) as usize);
    sizes.fold(1_usize, usize::saturating_mul) <= MOST_CHOICES
}
