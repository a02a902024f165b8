//! Constants: folding of operators, integer constants, and the constants that globals begin with.

use lang_c::ast::{Expression, StaticAssert};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span};

use crate::hir::{BinaryOp, Constant, Expr, ExprKind, GlobalId, Place, PlaceKind, UnaryOp};
use crate::types::{IntTy, Ty};

use super::{Object, Reported, Res, Sema, codes, literal};

/// The value of an operator on constants of one type; none on overflow of a signed type and division by 0, which stay
/// for the check of the program.
pub(super) fn fold_binary(op: BinaryOp, ty: IntTy, a: i64, b: i64) -> Option<i64> {
    if let Some(holds) = fold_comparison(op, ty, a, b) {
        return Some(i64::from(holds));
    }
    let wide_unsigned = ty.bits == 64 && !ty.signed;
    let shift = u32::try_from(b).ok().filter(|b| *b < u32::from(ty.bits));
    let value = match op {
        BinaryOp::Add if ty.signed => a.checked_add(b)?,
        BinaryOp::Sub if ty.signed => a.checked_sub(b)?,
        BinaryOp::Mul if ty.signed => a.checked_mul(b)?,
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if wide_unsigned => (a as u64).checked_div(b as u64)? as i64,
        BinaryOp::Rem if wide_unsigned => (a as u64).checked_rem(b as u64)? as i64,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl if ty.signed => {
            let shifted = i64::try_from(i128::from(a) << shift?).ok();
            // Bits may go into the sign, as gcc folds it, but not beyond.
            shifted.filter(|_| a >= 0).or_else(|| (a < 0).then(|| a << shift.unwrap_or(0)))?
        }
        BinaryOp::Shl => a.wrapping_shl(shift?),
        BinaryOp::Shr if wide_unsigned => ((a as u64) >> shift?) as i64,
        BinaryOp::Shr => a >> shift?,
        _ => return None,
    };
    let wrapped = ty.wrap(value);
    let kept = !ty.signed || wrapped == value || op == BinaryOp::Shl;
    kept.then_some(wrapped)
}

/// Whether a comparison of constants holds; none if it is no comparison.
fn fold_comparison(op: BinaryOp, ty: IntTy, a: i64, b: i64) -> Option<bool> {
    // Unsigned integers of 64 bits are kept with their bits: flip the sign to compare them.
    let flip = if ty.bits == 64 && !ty.signed { i64::MIN } else { 0 };
    let (a, b) = (a ^ flip, b ^ flip);
    Some(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        _ => return None,
    })
}

/// The value of an operator on a constant.
pub(super) fn fold_unary(op: UnaryOp, ty: IntTy, a: i64) -> Option<i64> {
    match op {
        UnaryOp::Not => Some(i64::from(a == 0)),
        UnaryOp::BitNot => Some(ty.wrap(!a)),
        UnaryOp::Neg if ty.signed => a.checked_neg().filter(|v| ty.wrap(*v) == *v),
        UnaryOp::Neg => Some(ty.wrap(a.wrapping_neg())),
    }
}

impl Sema<'_> {
    /// The value of an expression that must be an integer constant.
    pub(super) fn constant_integer(&mut self, node: &Node<Expression>) -> Res<i64> {
        let value = self.unevaluated(|sema| sema.value(node))?;
        match (value.kind, value.ty) {
            (ExprKind::Int(value), Ty::Int(_)) => Ok(value),
            _ => Err(self.not_constant(self.at(node.span))),
        }
    }

    /// A message about something that is no constant.
    pub(super) fn not_constant(&mut self, span: Span) -> Reported {
        self.mistake(
            Diagnostic::error(codes::NOT_CONSTANT, "a constant is needed here", span)
                .label("not a constant")
                .help("use a number, an enumeration constant or a macro"),
        )
    }

    /// The length of an array.
    pub(super) fn array_length(&mut self, node: &Node<Expression>) -> Res<u32> {
        let span = self.at(node.span);
        let value = self.unevaluated(|sema| sema.value(node))?;
        if !matches!(value.ty, Ty::Int(_)) {
            return Err(self.not_constant(span));
        }
        let Some(length) = self.known(&value) else {
            return Err(self.variable_length(span));
        };
        match u32::try_from(length) {
            Ok(length) => Ok(length),
            Err(_) if length < 0 => {
                let message = "the length of an array is negative";
                let error = Diagnostic::error(codes::INITIALISER, message, span);
                Err(self.mistake(error.label(format!("{length}")).help("make it 0 or more")))
            }
            Err(_) => Err(self.too_large(span)),
        }
    }

    fn variable_length(&mut self, span: Span) -> Reported {
        if self.scopes.at_file() {
            return self.not_constant(span);
        }
        self.refuse(
            Diagnostic::error(codes::VARIABLE_ARRAY, "an array of variable length", span)
                .label("the length is not a constant")
                .help("give the array a constant length that is large enough"),
        )
    }

    /// The value of an expression over constants and `const` integers with constant initialisers.
    pub(super) fn known(&self, e: &Expr) -> Option<i64> {
        let Ty::Int(ty) = e.ty else { return None };
        match &e.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Load(place) => {
                let object = match place.kind {
                    PlaceKind::Local(id) => Object::Local(id),
                    PlaceKind::Global(id) => Object::Global(id),
                    _ => return None,
                };
                self.constants.get(&object).copied()
            }
            ExprKind::Convert(inner) => Some(ty.wrap(self.known(inner)?)),
            ExprKind::Unary(op, a) => fold_unary(*op, ty, self.known(a)?),
            ExprKind::Binary(op, a, b) => {
                let Ty::Int(operands) = a.ty else { return None };
                fold_binary(*op, operands, self.known(a)?, self.known(b)?)
            }
            _ => None,
        }
    }

    /// Checks a static assertion.
    pub(super) fn static_assert(&mut self, node: &Node<StaticAssert>) -> Res<()> {
        if self.constant_integer(&node.node.expression)? != 0 {
            return Ok(());
        }
        let text = literal::text(&node.node.message.node);
        let message = format!("a static assertion does not hold: {text}");
        let span = self.at(node.node.expression.span);
        let help = "Taut's sizes are those of x86-64 Linux";
        Err(self.mistake(
            Diagnostic::error(codes::STATIC_ASSERT, message, span).label("is 0").help(help),
        ))
    }

    /// The constant that a global's cell begins with.
    pub(super) fn initial(&mut self, e: &Expr) -> Res<Constant> {
        match self.address_constant(e) {
            Some(constant) => Ok(constant),
            None => Err(self.not_constant(e.span)),
        }
    }

    fn address_constant(&self, e: &Expr) -> Option<Constant> {
        match &e.kind {
            ExprKind::Int(value) => Some(Constant::Int(*value)),
            ExprKind::Function(id) => Some(Constant::Function(*id)),
            ExprKind::AddressOf(place) => {
                let (global, cell) = self.constant_place(place)?;
                Some(Constant::Address(global, cell))
            }
            ExprKind::PtrAdd(pointer, count) => {
                let size = e.ty.pointee()?.ty.cells(self.structs());
                let ExprKind::Int(count) = count.kind else { return None };
                self.moved(self.address_constant(pointer)?, count.checked_mul(i64::from(size))?)
            }
            ExprKind::CellOffset(pointer, by) => self.moved(self.address_constant(pointer)?, *by),
            ExprKind::Convert(inner) => {
                let constant = self.address_constant(inner)?;
                let wide = !matches!(e.ty, Ty::Int(int) if int.bits < 64);
                wide.then_some(constant)
            }
            ExprKind::Load(_) => self.known(e).map(Constant::Int),
            _ => self.known(e).map(Constant::Int),
        }
    }

    /// An address moved by a number of cells.
    fn moved(&self, constant: Constant, by: i64) -> Option<Constant> {
        let Constant::Address(global, cell) = constant else { return None };
        let cell = u32::try_from(i64::from(cell).checked_add(by)?).ok()?;
        Some(Constant::Address(global, cell))
    }

    /// The global and the cell that a place is, if they are known before the program runs.
    fn constant_place(&self, place: &Place) -> Option<(GlobalId, u32)> {
        match &place.kind {
            PlaceKind::Global(id) => Some((*id, 0)),
            PlaceKind::Local(_) => None,
            PlaceKind::Field(inner, cell) => {
                let (global, base) = self.constant_place(inner)?;
                Some((global, base.checked_add(*cell)?))
            }
            PlaceKind::Index(inner, index) => {
                let (global, base) = self.constant_place(inner)?;
                let index = u32::try_from(self.known(index)?).ok()?;
                let cells = place.ty.ty.cells(self.structs());
                Some((global, base.checked_add(index.checked_mul(cells)?)?))
            }
            PlaceKind::Deref(pointer) => match self.address_constant(pointer)? {
                Constant::Address(global, cell) => Some((global, cell)),
                _ => None,
            },
        }
    }

    /// The number of bytes between a null pointer and a place behind it: `&((T *)0)->m`.
    pub(super) fn null_offset(&self, place: &Place) -> Option<u64> {
        match &place.kind {
            PlaceKind::Deref(pointer) => match pointer.kind {
                ExprKind::Int(at) => u64::try_from(at).ok(),
                _ => None,
            },
            PlaceKind::Field(inner, cell) => {
                let base = self.null_offset(inner)?;
                let Ty::Struct(id) = inner.ty.ty else { return None };
                let fields = self.structs()[id.0 as usize].fields.as_ref()?;
                let field = fields.iter().find(|f| f.cell == *cell && f.ty.ty == place.ty.ty)?;
                Some(base + field.byte)
            }
            PlaceKind::Index(inner, index) => {
                let index = u64::try_from(self.known(index)?).ok()?;
                let size = place.ty.ty.bytes(self.structs());
                self.null_offset(inner)?.checked_add(index.checked_mul(size)?)
            }
            _ => None,
        }
    }
}
