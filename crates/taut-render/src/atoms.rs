//! The parts of an expression that an explanation tells the values of.

use taut_ir::{ChannelQuery, Expr};

/// The line-up of what an expression reads: its outermost variables, registers and questions about
/// processes, left to right and without repetition.
pub(crate) fn atoms(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    collect_atoms(expr, &mut found);
    found
}

fn collect_atoms<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    let is_atom =
        !matches!(expr, Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..));
    if is_atom && !found.contains(&expr) {
        found.push(expr);
    }
    if !matches!(expr, Expr::In(..)) {
        expr.operands().into_iter().for_each(|operand| collect_atoms(operand, found));
    }
}

/// Whether an atom asks something that is true or false.
pub(crate) fn is_question(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::At(..)
            | Expr::Drained(_)
            | Expr::Enabled(_)
            | Expr::Alive(_)
            | Expr::Timeout
            | Expr::Poll(_)
            | Expr::Channel(ChannelQuery::Full | ChannelQuery::Empty, _)
    )
}
