//! Floating point: values without a meaning.
//!
//! Taut computes no floating point. What a program computes only to print it, such as a time, must not be a reason to refuse it:
//! an expression of a floating-point type is kept for its effects, and its value is 0. That is right as long as
//! no such value decides anything (and races on floating-point variables are not seen), so a conversion to an integer, a comparison and a condition are refused.
//! In the finished program the type is `int` wherever a value passes ([`Sema::settle_floats`]).

use taut_source::Span;

use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use crate::types::{IntTy, Ty};

use super::Sema;
use super::convert::number;
use super::expr::after;
use super::spec::FLOATING_POINT;

/// True for `float`, `double` and their like.
pub(super) fn is_float(ty: &Ty) -> bool {
    matches!(ty, Ty::Unmodelled(what) if what.what == FLOATING_POINT)
}

/// A floating-point value after some effects.
pub(super) fn without_value(effects: Vec<Expr>, ty: Ty, span: Span) -> Expr {
    debug_assert!(is_float(&ty), "other values have a meaning");
    after(effects, Expr { kind: ExprKind::Int(0), ty, span })
}

/// An expression for its effects only.
pub(super) fn effects_of(e: Expr) -> Vec<Expr> {
    match e.kind {
        ExprKind::Comma(mut all) if matches!(all.last(), Some(last) if is_pure(last)) => {
            all.pop();
            all
        }
        _ if is_pure(&e) => Vec::new(),
        _ => vec![settled(e)],
    }
}

/// A value as it stands in the finished program.
pub(super) fn settled(mut e: Expr) -> Expr {
    if !is_float(&e.ty) {
        return e;
    }
    if let ExprKind::Comma(all) = &mut e.kind
        && let Some(last) = all.pop()
    {
        all.push(settled(last));
    }
    Expr { ty: Ty::INT, ..e }
}

/// The effects of finding a place.
pub(super) fn place_effects(place: Place) -> Vec<Expr> {
    match place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => Vec::new(),
        PlaceKind::Deref(e) => effects_of(*e),
        PlaceKind::Field(inner, _) => place_effects(*inner),
        PlaceKind::Index(inner, index) => {
            let mut effects = place_effects(*inner);
            effects.extend(effects_of(*index));
            effects
        }
    }
}

/// True if an expression has no effect.
fn is_pure(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Function(_) => true,
        ExprKind::Load(place) | ExprKind::AddressOf(place) => is_pure_place(place),
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::CellOffset(a, _) => is_pure(a),
        ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b) | ExprKind::PtrSub(a, b) => {
            is_pure(a) && is_pure(b)
        }
        _ => false,
    }
}

fn is_pure_place(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Deref(e) => is_pure(e),
        PlaceKind::Field(inner, _) => is_pure_place(inner),
        PlaceKind::Index(inner, index) => is_pure_place(inner) && is_pure(index),
    }
}

/// The choice between two values of which one at least is a floating-point number.
pub(super) fn choice(condition: Expr, a: Expr, b: Expr, ty: Ty, span: Span) -> Expr {
    let void = |effects: Vec<Expr>| {
        let nothing = number(0, IntTy::INT, span);
        let kind = ExprKind::Convert(Box::new(nothing));
        after(effects, Expr { kind, ty: Ty::Void, span })
    };
    let (a, b) = (effects_of(a), effects_of(b));
    if a.is_empty() && b.is_empty() {
        return without_value(effects_of(condition), ty, span);
    }
    let kind = ExprKind::Cond(Box::new(condition), Box::new(void(a)), Box::new(void(b)));
    without_value(vec![Expr { kind, ty: Ty::Void, span }], ty, span)
}

impl Sema<'_> {
    /// Gives variables and results of floating-point types the type of the values that they get.
    pub(super) fn settle_floats(&mut self) {
        let settle = |ty: &mut Ty| {
            if is_float(ty) {
                *ty = Ty::INT;
            }
        };
        for function in &mut self.unit.functions {
            settle(&mut function.result);
            function.locals.iter_mut().for_each(|local| settle(&mut local.ty.ty));
        }
        self.unit.globals.iter_mut().for_each(|global| settle(&mut global.ty.ty));
    }
}
