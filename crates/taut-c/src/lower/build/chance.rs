//! Values that come from outside: `rand()`, `__VERIFIER_nondet_int()`.
//!
//! A value of which nothing is known is [`Value::Any`], a range, as long as it is only decided by: a condition can be true and
//! false, a remainder has few values, and nothing is limited. Where the value is kept, a number of it must be in the
//! state. A range of few values has them all. Of a larger one only some are tried, and which they are is noted for
//! the coverage ([`taut_ir::Chance`]): those of `--nondet`, or a few that the program can tell apart ([`usual`]).
//!
//! *Invariant:* no step has a [`Value::Any`]; [`Builder::value`] never returns one.

use taut_ir::{Chance, Type};
use taut_source::{Diagnostic, FileId};

use super::{Builder, Built};
use crate::hir::{BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind, Unit};
use crate::lower::codes;
use crate::lower::mir::{Mode, Op, Value};
use crate::types::{IntTy, Ty};
use crate::visit::Part;

/// The most values of a range that has all of them tried.
const MOST_CHOICES: i64 = 64;
/// The most values that are tried of a larger range, unless `--nondet` says which.
const USUAL: usize = 8;
/// An address that no object has, as an integer.
const NOWHERE: i64 = 1 << 40;

impl Builder<'_> {
    /// Any value of a range: tried one by one if they are few.
    pub(super) fn choose(&mut self, low: i64, high: i64) -> Built<Value> {
        if high.saturating_sub(low) >= MOST_CHOICES {
            return Ok(Value::Any(low, high));
        }
        self.one_of(&(low..=high).collect::<Vec<_>>())
    }

    /// The value itself, or, of one that can be anything, some that are tried.
    pub(super) fn chosen(&mut self, value: Value, ty: &Ty) -> Built<Value> {
        let Value::Any(low, high) = value else { return Ok(value) };
        if high.saturating_sub(low) < MOST_CHOICES {
            return self.choose(low, high);
        }
        let values = self.tried(low, high, ty)?;
        let all = high.abs_diff(low).checked_add(1) == Some(values.len() as u64);
        if !all {
            let name = self.t.library.clone().unwrap_or_else(|| "__taut_nondet".to_owned());
            let line = self.line(self.t.here);
            let chance = Chance { name: format!("{name}()"), line, values: values.clone() };
            if !self.mir.chances.contains(&chance) {
                self.mir.chances.push(chance);
            }
        }
        self.one_of(&values)
    }

    /// The values of a range that are tried, in order.
    fn tried(&self, low: i64, high: i64, ty: &Ty) -> Built<Vec<i64>> {
        let within = |value: &i64| (low..=high).contains(value);
        let mut values: Vec<i64> = match &self.options.nondet {
            Some(given) => given.iter().copied().filter(within).collect(),
            None => usual(low, high, ty, &self.compared),
        };
        values.sort_unstable();
        values.dedup();
        if !values.is_empty() {
            return Ok(values);
        }
        let message = format!("no value of `--nondet` is between {low} and {high}");
        let found = Diagnostic::error(codes::NONDETERMINISTIC, message, self.t.here);
        Err(found
            .label("a value of this range")
            .help("give `--nondet` values of this range")
            .into())
    }

    /// One of some values, each in a step of its own.
    fn one_of(&mut self, values: &[i64]) -> Built<Value> {
        let result = self.register("t", Type::INT64, false);
        let end = self.point();
        let checks = self.t.checks.clone();
        for &value in values {
            self.t.checks.clone_from(&checks);
            let ops = vec![Op::Set(result, Value::Int(value))];
            self.step_to(Value::TRUE, Mode::Plain, ops, end)?;
        }
        self.resume_reached(end);
        Ok(Value::Reg(result))
    }

    /// An operator with a value that can be anything on its left or right and a known value on the other side, if
    /// its result is known without choosing: a comparison that can be true and false, a remainder.
    pub(super) fn of_anything(
        &mut self,
        op: BinaryOp,
        a: &Value,
        b: &Value,
        int: IntTy,
    ) -> Built<Option<Value>> {
        let (op, (low, high), known) = match (a, b) {
            (Value::Any(low, high), known) => (op, (*low, *high), known),
            (known, Value::Any(low, high)) => match mirrored(op) {
                Some(op) => (op, (*low, *high), known),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let whole = low <= int.lo() && int.hi() <= high;
        let wide = int.bits == 64 && !int.signed;
        match (op, known) {
            (BinaryOp::Eq | BinaryOp::Ne, Value::Any(..)) => Ok(None),
            // Every value of the type is possible: whatever the other side is, it can be hit and missed.
            (BinaryOp::Eq | BinaryOp::Ne, _) if whole => Ok(Some(Value::Any(0, 1))),
            (BinaryOp::Rem, Value::Int(by)) if *by > 0 => {
                let least = if low < 0 && !wide { 1 - by } else { 0 };
                let (least, most) = (least.max(low), (by - 1).min(high));
                let covered = high.saturating_sub(low) >= most.saturating_sub(least);
                if covered { self.choose(least, most).map(Some) } else { Ok(None) }
            }
            (_, Value::Int(with)) if is_comparison(op) => {
                // The ends of unsigned 64-bit integers are 0 and, as they are kept, -1.
                let inside =
                    if wide { ![0, -1].contains(with) } else { low < *with && *with < high };
                Ok(inside.then_some(Value::Any(0, 1)))
            }
            _ => Ok(None),
        }
    }
}

/// The values that are tried of a large range: 0, 1 and -1, the constants that the program compares with, their
/// neighbours, and the ends of the range; the first [`USUAL`] of them. Of a pointer, null and an address of nothing.
fn usual(low: i64, high: i64, ty: &Ty, compared: &[i64]) -> Vec<i64> {
    if let Ty::Pointer(_) = ty {
        return vec![0, NOWHERE];
    }
    // Unsigned integers of 64 bits are kept with their bits: the upper half would be shown with a sign.
    let wide = matches!(ty, Ty::Int(int) if int.bits == 64 && !int.signed);
    let low = if wide { 0 } else { low };
    let near = |by: i64| compared.iter().filter_map(move |c| c.checked_add(by));
    let candidates = [0, 1, -1].into_iter().chain(near(0)).chain(near(1)).chain(near(-1));
    let mut values = Vec::new();
    for value in candidates.chain([high, low]) {
        if (low..=high).contains(&value) && !values.contains(&value) && values.len() < USUAL {
            values.push(value);
        }
    }
    values
}

/// The constants that the user's functions compare with, in the order of the text.
pub(super) fn compared(unit: &Unit, built_in: &[FileId]) -> Vec<i64> {
    let mut found = Vec::new();
    let own = unit.functions.iter().filter(|f| !built_in.contains(&f.span.file));
    for body in own.filter_map(|f| f.body.as_ref()) {
        in_block(body, &mut found);
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|value| seen.insert(*value));
    found
}

fn in_block(block: &Block, found: &mut Vec<i64>) {
    block.iter().for_each(|stmt| in_stmt(stmt, found));
}

fn in_stmt(stmt: &Stmt, found: &mut Vec<i64>) {
    taut_budget::tick();
    if let StmtKind::Case(low, high) = stmt.kind {
        found.extend([low, high]);
    }
    stmt.parts(&mut |part| in_part(part, found));
}

fn in_part(part: Part<'_>, found: &mut Vec<i64>) {
    match part {
        Part::Expr(expr) => {
            if let ExprKind::Binary(op, a, b) = &expr.kind
                && is_comparison(*op)
            {
                found.extend(constant(a).or_else(|| constant(b)));
            }
            expr.parts(&mut |part| in_part(part, found));
        }
        Part::Block(block) => in_block(block, found),
        Part::Place(_) => {}
    }
}

fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Convert(inner) => constant(inner),
        _ => None,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne => op,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    })
}
