//! Random programs that go on for ever, and questions about them that fairness answers.

use taut_ir::{
    Atom, Control, DefId, Effect, Expr, Lifecycle, Ltl, Lvalue, Mode, Never, PointId, ProcId,
    Program, PropId, Property, PropertyKind, Span, Start, Step, StepId, Type, VarId, VarKind,
};
use taut_ltl::{Automaton, Formula};

use super::draw::Dice;
use super::*;

const RING: u32 = 3;

/// A program of two or three processes that go round, with guards, holds, priorities and fences on the way.
/// Every third has a process that is spawned, as in Promela.
pub fn ring(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let stack = seed.is_multiple_of(3);
    let lifecycle = if stack { Lifecycle::Stack } else { Lifecycle::Slots };
    let mut program = Program { lifecycle, ..Program::default() };
    for name in ["x", "y"] {
        let var = variable(&mut program, name, VarKind::Shared);
        program.vars[var.index()].ty = Type::range(0, 1);
    }
    for name in ["p", "q"] {
        let mut code = Code::new(RING as usize + 1, 0);
        code.def.steps = steps(&mut dice);
        code.run(&mut program, name);
    }
    if stack {
        let spawn = Effect::Spawn { def: DefId(2), args: vec![], pid: None };
        let first = program.defs[0].steps.iter_mut().find(|s| s.source == PointId(0));
        first.expect("a step").effects = vec![spawn];
        // Round, but not through the spawn again.
        for step in &mut program.defs[0].steps {
            if step.target == Control::Goto(PointId(0)) && step.source != PointId(0) {
                step.target = Control::Goto(PointId(1));
            }
        }
        let mut code = Code::new(RING as usize + 1, 0);
        code.def.steps = steps(&mut dice);
        let def = code.define(&mut program, "r");
        process(&mut program, "r", def, Start::Spawned);
    }
    program
}

fn steps(dice: &mut Dice) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for from in 0..RING {
        for _ in 0..1 + dice.below(2) {
            let to = if dice.once_in(4) { from } else { (from + 1) % RING };
            let mut step = step(dice, from, to);
            let rivals = (0..all.len()).filter(|&i| all[i].source == PointId(from));
            if dice.once_in(2) {
                step.yields_to = rivals.map(StepId::from).collect();
            }
            all.push(step);
        }
    }
    all
}

fn step(dice: &mut Dice, from: u32, to: u32) -> Step {
    let mut step = Step::skip(PointId(from), PointId(to), Span::NONE);
    let var = VarId(dice.below(2) as u32);
    match dice.below(4) {
        0 => step.guard = is(var, dice.below(2) as i64),
        1 => step.mode = [Mode::Plain, Mode::Fence, Mode::Sync][dice.below(3) as usize],
        _ => step.effects.push(Effect::assign(Lvalue::Var(var), dice.below(2) as i64)),
    }
    if dice.once_in(6) {
        step.effects.push(Effect::StoreFence);
    }
    // Never all the way round: that would hold the others for ever.
    step.holds = from == 0 && to == 1 && dice.once_in(2);
    step
}

/// Asks a question about a program: that something happens, again and again, after something else, or for
/// good; as a formula, or as an automaton that accepts what must not be.
pub fn ask(seed: u64, program: &mut Program) -> PropId {
    let mut dice = Dice::new(seed ^ 0x5555);
    let atoms: Vec<_> = (0..2).map(|i| atom(&mut dice, program, i)).collect();
    let [p, q] = [Formula::atom(0), Formula::atom(1)];
    let again = Formula::always(Formula::eventually(p.clone()));
    let formula = match dice.below(5) {
        0 => Formula::eventually(p),
        1 => again,
        2 => Formula::always(Formula::implies(q, Formula::eventually(p))),
        3 => Formula::implies(Formula::always(Formula::eventually(q)), again),
        _ => Formula::until(Formula::not(p.clone()), q),
    };
    let kind = match dice.once_in(3) {
        true => {
            let automaton = Automaton::of(&Formula::not(formula), 2).expect("small");
            PropertyKind::Never(Box::new(Never { automaton, atoms }))
        }
        false => PropertyKind::Ltl(Box::new(Ltl { formula, atoms, finite_runs: true })),
    };
    program.properties.push(Property { name: "run".into(), kind, span: Span::NONE });
    PropId::from(program.properties.len() - 1)
}

fn atom(dice: &mut Dice, program: &Program, number: usize) -> Atom {
    let process = ProcId(dice.below(program.processes.len() as u64) as u32);
    let var = VarId(dice.below(2) as u32);
    let expr = match dice.below(6) {
        0 => Expr::Drained(process),
        1 => is(Expr::In(process, Box::new(var.into())), 1),
        2 | 3 => Expr::At(process, vec![PointId(dice.below(RING.into()) as u32)]),
        4 => Expr::Enabled(process),
        _ => is(var, 1),
    };
    Atom { expr, text: format!("a{number}") }
}
