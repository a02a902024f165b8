//! Computing constants: lengths, initial values, arguments, bounds of loops.
//!
//! As in DiVinE, with 32 bits. What would be a run-time error (a division by zero, an index outside of the
//! array) is an error of the model here.

use std::collections::HashMap;

use taut_source::{Diagnostic, Span, shown};

use super::{Expand, Expander, Params};
use crate::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp, VarDecl};
use crate::codes;
use crate::surface;

/// Initial values of variables and constants, by name.
#[derive(Default)]
pub(super) struct Values(HashMap<String, Known>);

struct Known {
    constant: bool,
    array: bool,
    values: Vec<i64>,
}

impl Values {
    pub(super) fn of(variables: &[VarDecl]) -> Values {
        let mut all = Values::default();
        variables.iter().for_each(|v| all.add(v));
        all
    }

    pub(super) fn add(&mut self, variable: &VarDecl) {
        let VarDecl { name, constant, length, initial, .. } = variable;
        let known = Known { constant: *constant, array: length.is_some(), values: initial.clone() };
        // A second declaration of one name is reported by the check.
        self.0.entry(name.text.clone()).or_insert(known);
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether a name is an array; `None` if it is not known.
    pub(super) fn is_array(&self, name: &str) -> Option<bool> {
        self.0.get(name).map(|known| known.array)
    }
}

/// Which names a constant may use.
#[derive(Clone, Copy, PartialEq)]
enum Allowed {
    Constants,
    /// Also variables declared before, for their initial values.
    Variables,
}

impl Expander<'_, '_> {
    /// A number that is part of the model's structure.
    pub(super) fn constant(&mut self, expr: &surface::Expr, params: &Params) -> Expand<i64> {
        let expr = self.expr(expr, params)?;
        self.finish(&expr, Allowed::Constants)
    }

    /// An initial value.
    pub(super) fn initial_value(&mut self, expr: &surface::Expr, params: &Params) -> Expand<i64> {
        let expr = self.expr(expr, params)?;
        self.finish(&expr, Allowed::Variables)
    }

    fn finish(&mut self, expr: &Expr, allowed: Allowed) -> Expand<i64> {
        match self.evaluate(expr, allowed) {
            Ok(value) => Ok(value),
            Err(found) => self.refuse(*found),
        }
    }

    fn evaluate(&self, expr: &Expr, allowed: Allowed) -> Result<i64, Box<Diagnostic>> {
        match &expr.kind {
            ExprKind::Num(value) => Ok(*value),
            ExprKind::Bool(value) => Ok((*value).into()),
            ExprKind::Name(name) => Ok(self.known(name, allowed)?.values[0]),
            ExprKind::Index(name, index) => {
                let known = self.known(name, allowed)?;
                let index = self.evaluate(index, allowed)?;
                let value = usize::try_from(index).ok().and_then(|i| known.values.get(i));
                value.copied().ok_or_else(|| fault(expr.span, "an index outside of its array"))
            }
            ExprKind::State(..) | ExprKind::Remote(..) => {
                Err(not_constant(expr.span, "this is only known when the model runs"))
            }
            ExprKind::Unary(op, operand) => {
                let value = self.evaluate(operand, allowed)?;
                Ok(apply_unary(*op, value))
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.evaluate(left, allowed)?;
                match (op, left != 0) {
                    (BinaryOp::And, false) => return Ok(0),
                    (BinaryOp::Or, true) | (BinaryOp::Imply, false) => return Ok(1),
                    _ => {}
                }
                let right = self.evaluate(right, allowed)?;
                apply_binary(*op, left, right).ok_or_else(|| fault(expr.span, "a division by zero"))
            }
        }
    }

    fn known(&self, name: &Name, allowed: Allowed) -> Result<&Known, Box<Diagnostic>> {
        let tables = [&self.locals.0, &self.globals.0];
        let Some(known) = tables.iter().find_map(|t| t.get(&name.text)) else {
            let names = tables.iter().flat_map(|t| t.keys()).map(String::as_str);
            return Err(Box::new(unknown(name, names)));
        };
        if known.constant || allowed == Allowed::Variables {
            return Ok(known);
        }
        Err(not_constant(name.span, "this is a variable"))
    }
}

fn apply_unary(op: UnaryOp, value: i64) -> i64 {
    let value = value as i32;
    i64::from(match op {
        UnaryOp::Neg => value.wrapping_neg(),
        UnaryOp::BitNot => !value,
        UnaryOp::Not => i32::from(value == 0),
    })
}

/// `None` for a division by zero.
fn apply_binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let (a, b) = (a as i32, b as i32);
    Some(i64::from(match op {
        BinaryOp::Imply | BinaryOp::And | BinaryOp::Or => i32::from(b != 0),
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::Eq => i32::from(a == b),
        BinaryOp::Ne => i32::from(a != b),
        BinaryOp::Lt => i32::from(a < b),
        BinaryOp::Le => i32::from(a <= b),
        BinaryOp::Gt => i32::from(a > b),
        BinaryOp::Ge => i32::from(a >= b),
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => return None,
        BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
    }))
}

fn fault(span: Span, what: &str) -> Box<Diagnostic> {
    let message = "this constant cannot be computed";
    Box::new(Diagnostic::error(codes::CONSTANT_FAULT, message, span).label(what))
}

fn not_constant(span: Span, why: &str) -> Box<Diagnostic> {
    let message = "a constant is needed here";
    Box::new(Diagnostic::error(codes::NOT_CONSTANT, message, span).label(why))
}

/// A name that is no variable.
pub(crate) fn unknown<'n>(name: &Name, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let message = format!("there is no variable or constant {}", shown(&name.text));
    let found = Diagnostic::error(codes::UNKNOWN_VARIABLE, message, name.span).label("unknown");
    match taut_source::nearest(&name.text, known) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found,
    }
}
