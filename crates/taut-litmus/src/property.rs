//! The question as a property of the program, for engines that look for a bad state.

use taut_ir::{BinaryOp, Expr, PointId, ProcId, Program, Property, PropertyKind};
use taut_source::Span;

use crate::condition::{Atom, Condition, Side, Variable};
use crate::{Quantifier, Test};

/// Up to this many operands of a conjunction nest to the left, as people write them; longer ones are
/// balanced, so that no condition becomes an expression thousands of levels deep.
const NESTED: usize = 8;

/// That no final state which passes the filter satisfies the condition; for `forall`, falsifies it.
pub(crate) fn of(test: &Test, span: Span) -> Property {
    let condition = expression(test, &test.condition);
    let bad = match test.quantifier {
        Quantifier::Forall => condition.not(),
        Quantifier::Exists | Quantifier::NotExists => condition,
    };
    let bad = match bad {
        Expr::Const(0) => Expr::Const(0),
        bad => {
            let mut all = finished(test);
            all.extend(test.filter.as_ref().map(|filter| expression(test, filter)));
            all.push(bad);
            join(BinaryOp::And, all)
        }
    };
    Property { name: test.quantifier.word().into(), kind: PropertyKind::Forbid(bad), span }
}

/// Every process is at its end and its buffer is empty.
fn finished(test: &Test) -> Vec<Expr> {
    let program = &test.program;
    let both = |p| [Expr::At(p, ends(program, p)), Expr::Drained(p)];
    program.process_ids().flat_map(both).collect()
}

/// The points of a process from which no step leads.
fn ends(program: &Program, process: ProcId) -> Vec<PointId> {
    let def = program.def_of(process);
    let points = (0..def.points.len()).map(PointId::from);
    points.filter(|point| def.steps.iter().all(|step| step.source != *point)).collect()
}

fn expression(test: &Test, condition: &Condition) -> Expr {
    let inner = |p: &Condition| expression(test, p);
    match condition {
        Condition::True => Expr::TRUE,
        Condition::False => Expr::Const(0),
        Condition::Atom(Atom { left, right }) => {
            let right = match right {
                Side::Number(value) => Expr::Const(*value),
                Side::Variable(right) => variable(test, right),
            };
            variable(test, left).equals(right)
        }
        Condition::Not(p) => inner(p).not(),
        Condition::And(list) => join(BinaryOp::And, list.iter().map(inner).collect()),
        Condition::Or(list) => join(BinaryOp::Or, list.iter().map(inner).collect()),
        Condition::Implies(p, q) => Expr::binary(BinaryOp::Or, inner(p).not(), inner(q)),
    }
}

fn variable(test: &Test, variable: &Variable) -> Expr {
    test.watched()[variable.slot].expression()
}

/// All operands under one operator.
fn join(op: BinaryOp, mut all: Vec<Expr>) -> Expr {
    if all.len() > NESTED {
        let right = all.split_off(all.len() / 2);
        return Expr::binary(op, join(op, all), join(op, right));
    }
    let joined = all.into_iter().reduce(|a, b| match op {
        BinaryOp::And => a.and(b),
        _ => Expr::binary(op, a, b),
    });
    joined.expect("an operand")
}
