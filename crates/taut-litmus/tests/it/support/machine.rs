//! A plain machine that runs lowered tests under SC, TSO and PSO, to see what the lowering means.
//!
//! It knows just enough of the program model for litmus tests and makes no attempt at speed: a state is
//! a handful of vectors, and every state ever seen is kept. The engines are checked against the same
//! expectations elsewhere; this keeps the front end honest without them.

use std::collections::{HashSet, VecDeque};

use taut_ir::{
    BinaryOp, Control, Effect, Expr, Lvalue, MemoryModel, Mode, PointId, ProcId, ProcessDef,
    Program, PropertyKind, Step, VarId,
};
use taut_litmus::{Outcome, Test, Watched};

/// Buffered things: a store, or under PSO a store fence.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Entry {
    Store(VarId, i64),
    Fence,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    memory: Vec<i64>,
    at: Vec<PointId>,
    registers: Vec<Vec<i64>>,
    /// In program order; under PSO stores to different variables overtake each other, but no fence.
    buffers: Vec<VecDeque<Entry>>,
}

/// What running a test shows.
pub struct Run {
    pub outcome: Outcome,
    /// Whether some state has what the program's property forbids.
    pub violated: bool,
}

/// Runs a test: visits every state.
pub fn run(test: &Test, model: MemoryModel) -> Run {
    let machine = Machine { program: &test.program, model };
    let PropertyKind::Forbid(forbidden) = &test.program.properties[0].kind else { panic!() };
    let mut seen = HashSet::new();
    let mut todo = vec![machine.initial()];
    let mut finals = Vec::new();
    let mut violated = false;
    while let Some(state) = todo.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        violated |= eval(&state, None, forbidden) != 0;
        if machine.is_final(&state) {
            let value = |w: &Watched| match *w {
                Watched::Register(p, r) => state.registers[p.index()][r.index()],
                Watched::Location(v) | Watched::Element(v, _) => state.memory[v.index()],
            };
            finals.push(test.watched().iter().map(value).collect::<Vec<_>>());
        }
        machine.successors(&state, &mut todo);
    }
    Run { outcome: test.outcome(finals), violated }
}

struct Machine<'p> {
    program: &'p Program,
    model: MemoryModel,
}

impl Machine<'_> {
    fn def(&self, p: usize) -> &ProcessDef {
        self.program.def_of(ProcId::from(p))
    }

    fn initial(&self) -> State {
        let processes = 0..self.program.processes.len();
        let registers = |p| self.def(p).registers.iter().map(|r| r.init[0]).collect();
        State {
            memory: self.program.vars.iter().map(|v| v.init[0]).collect(),
            at: processes.clone().map(|p| self.def(p).entry).collect(),
            registers: processes.clone().map(registers).collect(),
            buffers: processes.map(|_| VecDeque::new()).collect(),
        }
    }

    fn is_final(&self, state: &State) -> bool {
        let ended = |p: usize| self.def(p).is_final(state.at[p]) && state.buffers[p].is_empty();
        (0..state.at.len()).all(ended)
    }

    fn successors(&self, state: &State, out: &mut Vec<State>) {
        for p in 0..state.at.len() {
            for (_, step) in self.def(p).steps_from(state.at[p]) {
                out.extend(self.take(state, p, step));
            }
            self.commits(state, p, out);
        }
    }

    fn commits(&self, state: &State, p: usize, out: &mut Vec<State>) {
        let mut overtaken = Vec::new();
        for (i, entry) in state.buffers[p].iter().enumerate() {
            let Entry::Store(var, value) = *entry else {
                if i == 0 {
                    let mut next = state.clone();
                    next.buffers[p].pop_front();
                    out.push(next);
                }
                return;
            };
            if !overtaken.contains(&var) {
                let mut next = state.clone();
                next.buffers[p].remove(i);
                next.memory[var.index()] = value;
                out.push(next);
            }
            if self.model == MemoryModel::Tso {
                return;
            }
            overtaken.push(var);
        }
    }

    fn take(&self, state: &State, p: usize, step: &Step) -> Option<State> {
        if step.mode != Mode::Plain && !state.buffers[p].is_empty() {
            return None;
        }
        if eval(state, Some(p), &step.guard) == 0 {
            return None;
        }
        let mut next = state.clone();
        for effect in &step.effects {
            match effect {
                Effect::Assign(list) => {
                    let values: Vec<_> =
                        list.iter().map(|a| eval(&next, Some(p), &a.value)).collect();
                    for (assignment, value) in list.iter().zip(values) {
                        self.store(&mut next, p, step.mode, &assignment.place, value);
                    }
                }
                Effect::StoreFence if self.model == MemoryModel::Pso => {
                    next.buffers[p].push_back(Entry::Fence);
                }
                Effect::StoreFence => {}
                Effect::Assert { .. } | Effect::Spawn { .. } | Effect::Fail(_) => {
                    panic!("not in a litmus test")
                }
            }
        }
        let Control::Goto(target) = step.target else { panic!("not in a litmus test") };
        next.at[p] = target;
        Some(next)
    }

    fn store(&self, state: &mut State, p: usize, mode: Mode, place: &Lvalue, value: i64) {
        match place {
            Lvalue::Reg(r) => state.registers[p][r.index()] = value,
            Lvalue::Var(v) if mode == Mode::Locked || self.model == MemoryModel::Sc => {
                state.memory[v.index()] = value;
            }
            Lvalue::Var(v) => state.buffers[p].push_back(Entry::Store(*v, value)),
            Lvalue::RegElem(..) | Lvalue::VarElem(..) => panic!("not in a litmus test"),
        }
    }
}

/// The value of an expression of a process, or of a property if there is none.
fn eval(state: &State, process: Option<usize>, expr: &Expr) -> i64 {
    let value = |e| eval(state, process, e);
    match expr {
        Expr::Const(value) => *value,
        Expr::Reg(r) => state.registers[process.unwrap()][r.index()],
        Expr::Var(v) => {
            let own = process.and_then(|p| {
                state.buffers[p].iter().rev().find_map(|entry| match entry {
                    Entry::Store(var, value) if var == v => Some(*value),
                    _ => None,
                })
            });
            own.unwrap_or(state.memory[v.index()])
        }
        Expr::Unary(op, a) => op.apply(value(a)),
        Expr::Binary(BinaryOp::And, a, b) => i64::from(value(a) != 0 && value(b) != 0),
        Expr::Binary(op, a, b) => op.apply(value(a), value(b)).unwrap(),
        Expr::Cond(c, a, b) => value(if value(c) != 0 { a } else { b }),
        Expr::In(p, e) => eval(state, Some(p.index()), e),
        Expr::At(p, locations) => i64::from(locations.contains(&state.at[p.index()])),
        Expr::Drained(p) => i64::from(state.buffers[p.index()].is_empty()),
        _ => panic!("not in a litmus test"),
    }
}
