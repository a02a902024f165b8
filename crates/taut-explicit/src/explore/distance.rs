//! A lower bound for the length of a run to a finding, by a look at the code.
//!
//! Every step moves one process along one edge of its code, and a rendezvous moves two. So a state in which processes
//! are at certain program points takes at least as many actions as the sum of their shortest paths there. Of an
//! expression only its conjunctions, disjunctions, negations and program points are looked at; everything else may
//! have any value from the start.
//!
//! Example: `forbid p@cs && q@cs`, where `cs` is three steps from the entry of each process, takes six actions.

use std::collections::VecDeque;

use taut_ir::{
    BinaryOp, Cfg, Control, Effect, Expr, Finding, PointId, ProcId, Program, PropId, PropertyKind,
    UnaryOp,
};

/// The length of no path.
const NEVER: usize = usize::MAX;

/// A number of actions that every run to a finding has.
pub(super) fn least_actions(program: &Program, finding: Finding) -> usize {
    let steps = match finding {
        Finding::Property(id) => least_steps(program, id),
        Finding::Deadlock => 0,
        // The last action is the one that goes wrong.
        Finding::Fault(_) | Finding::FullBuffer => 1,
    };
    // In a rendezvous one action is a step of each side.
    if program.channels.is_empty() { steps } else { steps.div_ceil(2) }
}

fn least_steps(program: &Program, id: PropId) -> usize {
    let distances = Distances { program };
    match &program.property(id).kind {
        PropertyKind::Assert => distances.to_assertion(id),
        PropertyKind::Forbid(expr) => total(&distances.until(expr, true)),
        // An expression that faults counts as false, wherever the processes are.
        PropertyKind::Invariant(expr) if is_about_points(expr) => {
            total(&distances.until(expr, false))
        }
        PropertyKind::Invariant(_) | PropertyKind::Ltl(_) | PropertyKind::Never(_) => 0,
    }
}

/// Whether an expression is made of program points alone, so that it cannot fault.
fn is_about_points(expr: &Expr) -> bool {
    let mut all = true;
    expr.visit(&mut |e| {
        let is_logic = match e {
            Expr::Const(_) | Expr::At(..) | Expr::Unary(UnaryOp::Not, _) => true,
            Expr::Binary(op, ..) => matches!(op, BinaryOp::And | BinaryOp::Or),
            _ => false,
        };
        all &= is_logic;
    });
    all
}

fn total(steps: &[usize]) -> usize {
    steps.iter().fold(0, |sum: usize, &steps| sum.saturating_add(steps))
}

/// Shortest paths in the code of processes.
struct Distances<'p> {
    program: &'p Program,
}

impl Distances<'_> {
    /// For each process, a number of steps that it takes until an expression is true, or false.
    fn until(&self, expr: &Expr, truth: bool) -> Vec<usize> {
        let join = |a: &Expr, b: &Expr, most: fn(usize, usize) -> usize| -> Vec<usize> {
            let (a, b) = (self.until(a, truth), self.until(b, truth));
            a.into_iter().zip(b).map(|(a, b)| most(a, b)).collect()
        };
        match expr {
            Expr::Unary(UnaryOp::Not, inner) => self.until(inner, !truth),
            // Both must be as they must be, or one of them.
            Expr::Binary(BinaryOp::And, a, b) if truth => join(a, b, usize::max),
            Expr::Binary(BinaryOp::Or, a, b) if !truth => join(a, b, usize::max),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => join(a, b, usize::min),
            Expr::At(process, points) if truth => {
                let mut steps = vec![0; self.program.processes.len()];
                steps[process.index()] = self.to(*process, points);
                steps
            }
            _ => vec![0; self.program.processes.len()],
        }
    }

    /// Steps to the first of some program points.
    fn to(&self, process: ProcId, points: &[PointId]) -> usize {
        let distances = self.of(process);
        points.iter().map(|point| distances[point.index()]).min().unwrap_or(NEVER)
    }

    /// Steps to the first assertion of a property, that step included.
    fn to_assertion(&self, id: PropId) -> usize {
        let asserts = |e: &Effect| matches!(e, Effect::Assert { property, .. } if *property == id);
        let to_first = |process: ProcId| {
            let steps = self.program.def_of(process).steps.iter();
            let sources: Vec<PointId> =
                steps.filter(|s| s.effects.iter().any(asserts)).map(|s| s.source).collect();
            self.to(process, &sources).saturating_add(1)
        };
        let processes = (0..self.program.processes.len()).map(ProcId::from);
        processes.map(to_first).min().unwrap_or(NEVER)
    }

    /// Steps from the entry to each program point; 0 everywhere if there are calls, whose paths are not followed.
    fn of(&self, process: ProcId) -> Vec<usize> {
        let def = self.program.def_of(process);
        if !def.procedures.is_empty() {
            return vec![0; def.points.len()];
        }
        let cfg = Cfg::of(def);
        let mut distances = vec![NEVER; def.points.len()];
        distances[def.entry.index()] = 0;
        let mut queue = VecDeque::from([def.entry]);
        while let Some(point) = queue.pop_front() {
            taut_budget::tick();
            let targets = cfg.steps_from(def, point).filter_map(|(_, step)| match step.target {
                Control::Goto(to) => Some(to),
                _ => None,
            });
            for to in targets {
                if distances[to.index()] == NEVER {
                    distances[to.index()] = distances[point.index()] + 1;
                    queue.push_back(to);
                }
            }
        }
        distances
    }
}
