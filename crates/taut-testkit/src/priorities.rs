//! Priorities for random programs.

use proptest::prelude::*;
use taut_ir::{
    Control, Effect, Expr, Lvalue, Program, Span, Start, Step, Type, VarId, VarKind, Variable,
};

/// Priorities before they are put into a program.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// Those of the processes that run from the start, over and over.
    pub first: Vec<i64>,
    /// What becomes of each step, over and over: most leave the priorities alone.
    pub choices: Vec<u8>,
}

/// Random priorities.
pub fn ranks() -> BoxedStrategy<Ranks> {
    let first = prop::collection::vec(0_i64..4, 1..4);
    let choices = prop::collection::vec(any::<u8>(), 1..40);
    (first, choices).prop_map(|(first, choices)| Ranks { first, choices }).boxed()
}

impl Ranks {
    /// The program with priorities and changes to them, without rendezvous, which are refused together with priorities.
    /// Its processes must have pids. Every fifth program point is in the middle of a step.
    pub fn put_into(&self, mut program: Program) -> Program {
        let var = VarId::from(program.vars.len());
        program.vars.push(self.variable(&program));
        program.priorities = Some(var);
        program.channels.iter_mut().for_each(|c| c.capacity = c.capacity.max(1));
        let mut choices = self.choices.iter().copied().cycle();
        let mut next = || choices.next().unwrap_or(0);
        for def in &mut program.defs {
            for (i, point) in def.points.iter_mut().enumerate() {
                point.inner = i % 5 == 4;
            }
            def.steps.iter_mut().for_each(|step| change(step, var, &mut next));
        }
        program
    }

    fn variable(&self, program: &Program) -> Variable {
        let size = program.processes.len() + 1;
        let running = program.processes.iter().filter(|p| p.start == Start::Initially).count();
        let mut init: Vec<i64> = self.first.iter().copied().cycle().take(running).collect();
        init.resize(size, 0);
        Variable {
            name: "priority".into(),
            kind: VarKind::Ghost,
            ty: Type::range(0, 255),
            len: Some(size as u32),
            init,
            span: Span::NONE,
        }
    }
}

/// Lets a step set a priority: of a process that it starts, of its own process, or none.
fn change(step: &mut Step, var: VarId, next: &mut impl FnMut() -> u8) {
    let set =
        |index: Expr, value: u8| Effect::assign(Lvalue::VarElem(var, index), i64::from(value));
    let spawn = step.effects.iter().position(|e| matches!(e, Effect::Spawn { .. }));
    if let Some(at) = spawn {
        step.effects.insert(at, set(Expr::Processes, next() % 3 + 1));
    } else if step.target == Control::Exit {
        step.effects.push(set(Expr::Pid, 0));
    } else if next() < 80 {
        step.effects.push(set(Expr::Pid, next() % 4));
    }
}
