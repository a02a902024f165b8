//! Conversions: promotions, the usual arithmetic conversions, assignment, casts.

use taut_source::{Diagnostic, Span};

use crate::hir::{Argument, Callee, Expr, ExprKind, Place};
use crate::types::{IntTy, Ty};

use super::float::{effects_of, is_float, settled, without_value};
use super::spec::FLOATING_POINT;
use super::{Reported, Res, Sema, codes};

/// The type of a promoted integer.
pub(super) fn promoted(ty: IntTy) -> IntTy {
    match ty.bits {
        0..32 => IntTy::INT,
        _ => IntTy { enumeration: None, ..ty },
    }
}

/// The common type of two integers.
pub(super) fn common(a: IntTy, b: IntTy) -> IntTy {
    let (a, b) = (promoted(a), promoted(b));
    let bits = a.bits.max(b.bits);
    let wide_unsigned = |ty: IntTy| ty.bits == bits && !ty.signed;
    IntTy { bits, signed: !wide_unsigned(a) && !wide_unsigned(b), enumeration: None }
}

/// True for the types that byte pointers point to.
pub(super) fn is_byte(ty: &Ty) -> bool {
    matches!(ty, Ty::Void) || matches!(ty, Ty::Int(int) if int.bits == 8)
}

/// A number.
pub(super) fn number(value: i64, ty: IntTy, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(value), ty: Ty::Int(ty), span }
}

impl Sema<'_> {
    /// A value as an integer after promotion, or a message.
    pub(super) fn promote(&mut self, e: Expr) -> Res<Expr> {
        match e.ty {
            Ty::Int(int) => self.convert(e, &Ty::Int(promoted(int))),
            _ => Ok(e),
        }
    }

    /// A conversion that the program writes or the language does, between scalars or to `void`.
    pub(super) fn convert(&mut self, e: Expr, to: &Ty) -> Res<Expr> {
        if e.ty == *to {
            return Ok(e);
        }
        if is_float(to) && (e.ty.is_scalar() || is_float(&e.ty)) {
            let span = e.span;
            return Ok(without_value(effects_of(e), to.clone(), span));
        }
        let e = if *to == Ty::Void { settled(e) } else { e };
        self.modelled(&e.ty, e.span)?;
        self.modelled(to, e.span)?;
        if !(*to == Ty::Void || (to.is_scalar() && e.ty.is_scalar())) {
            return Err(self.bad_conversion(&e.ty, to, e.span));
        }
        Ok(match (&e.kind, to) {
            (ExprKind::Int(value), Ty::Int(int)) => {
                Expr { kind: ExprKind::Int(int.wrap(*value)), ty: to.clone(), span: e.span }
            }
            // A function stays the function that it is: calls through casts find it.
            (ExprKind::Int(_) | ExprKind::Function(_), Ty::Pointer(_)) => {
                Expr { ty: to.clone(), ..e }
            }
            (_, Ty::Pointer(_)) => self.pointer_from(e, to),
            (ExprKind::AddressOf(place), Ty::Int(int)) if int.bits == 64 => {
                match self.null_offset(place) {
                    Some(offset) => number(offset as i64, *int, e.span),
                    None => wrap(e, to),
                }
            }
            _ => wrap(e, to),
        })
    }

    /// A value as a pointer: the special forms are `malloc` and `container_of`.
    fn pointer_from(&self, mut e: Expr, to: &Ty) -> Expr {
        let Some(target) = to.pointee().map(|t| t.ty.clone()) else { return wrap(e, to) };
        if let ExprKind::Call(Callee::Builtin(name), arguments, _) = &mut e.kind {
            allocate(name, arguments, &target);
        }
        if !is_byte(&target)
            && let Some(moved) = self.cell_offset(&e, &target, to)
        {
            return moved;
        }
        wrap(e, to)
    }

    /// `(T *)((char *)p + k)`: a pointer moved by the bytes between a structure and a member of it.
    fn cell_offset(&self, e: &Expr, target: &Ty, to: &Ty) -> Option<Expr> {
        let (base, bytes) = byte_offset(e)?;
        let from = &base.ty.pointee()?.ty;
        if is_byte(from) {
            return None;
        }
        let cells = match bytes {
            0 => 0,
            1.. => i64::from(self.cell_at(from, bytes as u64)?),
            _ => -i64::from(self.cell_at(target, bytes.unsigned_abs())?),
        };
        let kind = ExprKind::CellOffset(Box::new(base.clone()), cells);
        Some(Expr { kind, ty: to.clone(), span: e.span })
    }

    /// The conversion of a value that is assigned, passed or returned.
    pub(super) fn assignable(&mut self, e: Expr, to: &Ty) -> Res<Expr> {
        if *to == Ty::Void || e.ty == Ty::Void {
            return Err(self.bad_conversion(&e.ty, to, e.span));
        }
        self.convert(e, to)
    }

    /// A message about a value of the wrong type.
    pub(super) fn bad_conversion(&mut self, from: &Ty, to: &Ty, span: Span) -> Reported {
        let (from, to) = (self.spell(from), self.spell(to));
        let message = format!("a value of type `{from}` where `{to}` is needed");
        self.mistake(
            Diagnostic::error(codes::CONVERSION, message, span)
                .label(format!("this is `{from}`"))
                .help("change the type of one of them"),
        )
    }

    /// Taut has values of the type.
    pub(super) fn modelled(&mut self, ty: &Ty, span: Span) -> Res<()> {
        let Ty::Unmodelled(what) = ty else { return Ok(()) };
        let message = format!("{} is not supported", what.what);
        let help = match what.what {
            "a bit-field" => "make it a member of its own type: Taut has whole values only",
            FLOATING_POINT => {
                "use integers; floating point that is only computed and printed is no problem"
            }
            _ => "leave it out of the program for the check",
        };
        Err(self.refuse(
            Diagnostic::error(codes::UNMODELLED, message, span)
                .label(match what.what {
                    FLOATING_POINT => "its value is needed here".to_string(),
                    what => format!("uses {what}"),
                })
                .help(help),
        ))
    }

    /// A whole structure is not read or written at once.
    pub(super) fn not_atomic(&mut self, place: &Place) -> Res<()> {
        let one = place.ty.ty.cells(self.structs()) <= 1;
        if one || !place.ty.atomic || !matches!(place.ty.ty, Ty::Struct(_)) {
            return Ok(());
        }
        Err(self.unsupported(
            "an atomic operation on a whole structure",
            "more than one value at once",
            "use an integer or a pointer, for example with a tag in its low bits",
            place.span,
        ))
    }

    /// The value is a scalar (for a condition).
    pub(super) fn scalar(&mut self, e: Expr) -> Res<Expr> {
        self.modelled(&e.ty, e.span)?;
        if e.ty.is_scalar() { Ok(e) } else { Err(self.bad_conversion(&e.ty, &Ty::INT, e.span)) }
    }
}

/// A conversion as an expression of its own.
fn wrap(e: Expr, to: &Ty) -> Expr {
    let span = e.span;
    Expr { kind: ExprKind::Convert(Box::new(e)), ty: to.clone(), span }
}

/// The pointer that a byte pointer was made from, and the constant number of bytes that it was moved by.
fn byte_offset(e: &Expr) -> Option<(&Expr, i64)> {
    match &e.kind {
        ExprKind::PtrAdd(pointer, by) if is_byte(&e.ty.pointee()?.ty) => {
            let ExprKind::Int(by) = by.kind else { return None };
            let (base, before) = byte_offset(pointer)?;
            Some((base, before.checked_add(by)?))
        }
        ExprKind::Convert(inner) if is_byte(&e.ty.pointee()?.ty) => match inner.ty.pointee() {
            Some(to) if is_byte(&to.ty) => byte_offset(inner),
            Some(_) => Some((inner.as_ref(), 0)),
            None => None,
        },
        _ => None,
    }
    .filter(|(base, _)| base.ty.pointee().is_some())
}

/// Tells an allocation the type of its elements; a type that was found in its size stays if this one says nothing.
fn allocate(name: &str, arguments: &mut Vec<Argument>, target: &Ty) {
    let allocates = matches!(name, "malloc" | "calloc" | "realloc" | "aligned_alloc" | "alloca");
    if !allocates || matches!(target, Ty::Void | Ty::Function(_)) {
        return;
    }
    match arguments.last_mut() {
        Some(Argument::Type(known)) if is_byte(target) && !is_byte(known) => {}
        Some(Argument::Type(known)) => *known = target.clone(),
        _ => arguments.push(Argument::Type(target.clone())),
    }
}
