//! Whether an expression says the same when two processes change places.
//!
//! It is written down as text in which the order of operands that may change places is fixed (`&&`, `||`, sums,
//! products, bits and equality; chains of one operator as one list), once as it is and once with the two processes
//! exchanged. If the texts are the same, so is the meaning. `a && b` computes b only if a is true, which makes no
//! difference unless b can go wrong: an expression in which something could is invariant only if it names
//! neither process.

use taut_ir::{BinaryOp, Expr, ProcId};

/// Whether an expression over the whole state is the same with two processes exchanged.
pub(super) fn is_invariant(expr: &Expr, p: ProcId, q: ProcId) -> bool {
    let is_either = |other: ProcId| other == p || other == q;
    let mut names = false;
    let mut may_fault = false;
    expr.visit(&mut |e| match e {
        Expr::In(r, _) | Expr::At(r, _) | Expr::Drained(r) | Expr::Enabled(r) | Expr::Alive(r) => {
            names |= is_either(*r);
        }
        Expr::RegElem(..) | Expr::VarElem(..) | Expr::Channel(..) | Expr::Poll(_) => {
            may_fault = true;
        }
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr, ..) => {
            may_fault = true;
        }
        _ => {}
    });
    let exchanged = |r: ProcId| match r {
        _ if r == p => q,
        _ if r == q => p,
        _ => r,
    };
    !names || (!may_fault && text(expr, &|r| r) == text(expr, &exchanged))
}

/// The expression as a text that does not depend on the order of operands, with each process replaced.
fn text(expr: &Expr, replaced: &dyn Fn(ProcId) -> ProcId) -> String {
    match expr {
        Expr::Binary(op, ..) if is_chain(*op) => {
            let mut operands = Vec::new();
            chain(expr, *op, &mut operands);
            let mut texts: Vec<_> = operands.into_iter().map(|e| text(e, replaced)).collect();
            texts.sort();
            format!("{op:?}({})", texts.join(","))
        }
        Expr::Binary(op, a, b) => {
            let mut texts = [text(a, replaced), text(b, replaced)];
            if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                texts.sort();
            }
            format!("{op:?}({})", texts.join(","))
        }
        Expr::Unary(op, a) => format!("{op:?}({})", text(a, replaced)),
        Expr::Cond(c, a, b) => {
            let [c, a, b] = [c, a, b].map(|e| text(e, replaced));
            format!("Cond({c},{a},{b})")
        }
        Expr::In(p, inner) => format!("In({:?},{})", replaced(*p), text(inner, replaced)),
        Expr::At(p, points) => {
            let mut points = points.clone();
            points.sort();
            format!("At({:?},{points:?})", replaced(*p))
        }
        Expr::Drained(p) => format!("Drained({:?})", replaced(*p)),
        Expr::Enabled(p) => format!("Enabled({:?})", replaced(*p)),
        Expr::Alive(p) => format!("Alive({:?})", replaced(*p)),
        // Nothing below names a process where nothing can go wrong.
        Expr::Const(_)
        | Expr::Reg(_)
        | Expr::RegElem(..)
        | Expr::Var(_)
        | Expr::VarElem(..)
        | Expr::Pid
        | Expr::Processes
        | Expr::Timeout
        | Expr::Channel(..)
        | Expr::Poll(_) => format!("{expr:?}"),
    }
}

/// Whether operands of chains of an operator may change places.
fn is_chain(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Add
            | BinaryOp::Mul
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
    )
}

/// The operands of a chain of one operator.
fn chain<'e>(expr: &'e Expr, op: BinaryOp, operands: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(o, a, b) if *o == op => {
            chain(a, op, operands);
            chain(b, op, operands);
        }
        _ => operands.push(expr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_ir::{PointId, VarId};

    fn at(p: u32) -> Expr {
        Expr::At(ProcId(p), vec![PointId(3)])
    }

    fn either(a: Expr, b: Expr) -> Expr {
        Expr::binary(BinaryOp::Or, a, b)
    }

    fn holds(expr: &Expr, p: u32, q: u32) -> bool {
        is_invariant(expr, ProcId(p), ProcId(q))
    }

    #[test]
    fn of_any_two_of_three() {
        let pairs = either(at(0).and(at(1)), either(at(0).and(at(2)), at(2).and(at(1))));
        assert!(holds(&pairs, 0, 1) && holds(&pairs, 1, 2) && holds(&pairs, 0, 2));
        let first = either(at(0).and(at(1)), at(0).and(at(2)));
        assert!(holds(&first, 1, 2));
        assert!(!holds(&first, 0, 1));
    }

    #[test]
    fn an_order_is_none() {
        let before = Expr::binary(BinaryOp::Lt, at(0), at(1));
        assert!(!holds(&before, 0, 1));
        assert!(holds(&at(0).equals(at(1)), 0, 1));
        assert!(holds(&before, 2, 3));
    }

    #[test]
    fn what_can_go_wrong_keeps_its_order() {
        let wrong = Expr::VarElem(VarId(0), Box::new(7.into()));
        assert!(!holds(&at(0).and(at(1)).and(wrong.clone()), 0, 1));
        assert!(holds(&wrong, 0, 1));
    }
}
