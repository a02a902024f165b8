//! Constants: what the sizes of arrays and channels are computed from.

use taut_source::Diagnostic;

use super::{Binding, Checker};
use crate::ast::*;
use crate::codes;

impl Checker<'_> {
    /// The value of a constant expression; none if it is not constant.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(value) => Some(*value),
            ExprKind::Char(code) => Some(i32::from(*code)),
            ExprKind::Bool(value) => Some(i32::from(*value)),
            ExprKind::Skip => Some(1),
            ExprKind::Reference(reference) => match self.symbols.binding(reference) {
                Binding::Mtype { value, .. } => Some(value),
                _ => None,
            },
            ExprKind::Unary(Unary::Negate, inner) => Some(self.constant(inner)?.wrapping_neg()),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                match operator {
                    Binary::Add => Some(left.wrapping_add(right)),
                    Binary::Subtract => Some(left.wrapping_sub(right)),
                    Binary::Multiply => Some(left.wrapping_mul(right)),
                    Binary::Divide => left.checked_div(right),
                    Binary::Remainder => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a size: a constant, or a variable with a constant initial value, as SPIN allows.
    fn size_value(&self, expr: &Expr) -> Option<i32> {
        if let ExprKind::Reference(reference) = &expr.kind
            && let Binding::Variable(id) = self.symbols.binding(reference)
            && let [Part { index: None, .. }] = &reference.parts[..]
        {
            return self.constants.get(&id).copied();
        }
        self.constant(expr)
    }

    /// A size between 1 and `most`, reported if it is none.
    pub(super) fn size_of(&mut self, expr: &Expr, most: i32, what: &str) -> i32 {
        self.expr(expr, false);
        let Some(value) = self.size_value(expr) else {
            if !self.diagnostics.has_errors() || !self.is_broken(expr) {
                self.report(
                    Diagnostic::error(
                        codes::NOT_CONSTANT,
                        format!("{what} must be a constant"),
                        expr.at.0,
                    )
                    .label("not a constant")
                    .help("use numbers, macros, and `+ - * / %`"),
                );
            }
            return 1;
        };
        if (1..=most).contains(&value) {
            return value;
        }
        self.report(
            Diagnostic::error(codes::BAD_SIZE, format!("{what} cannot be {value}"), expr.at.0)
                .label(format!("from 1 to {most}")),
        );
        1
    }

    /// Whether an expression names something unknown, which has been reported.
    fn is_broken(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Reference(reference) => self.symbols.binding(reference) == Binding::Unknown,
            ExprKind::Binary(_, left, right) => self.is_broken(left) || self.is_broken(right),
            ExprKind::Unary(_, inner) => self.is_broken(inner),
            _ => false,
        }
    }
}
