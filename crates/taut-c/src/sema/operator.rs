//! Operators: arithmetic, comparison, logic, assignment, casts.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CastExpression, ConditionalExpression, Expression,
    UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span};

use crate::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use crate::types::{IntTy, Ty};

use super::constant::{fold_binary, fold_unary};
use super::convert::{common, number, promoted};
use super::expr::{Operand, after};
use super::float::{self, effects_of, is_float, without_value};
use super::{Reported, Res, Sema, codes};

/// The operator of an arithmetic expression or a compound assignment.
fn arithmetic(op: &BinaryOperator) -> Option<BinaryOp> {
    Some(match op {
        BinaryOperator::Multiply | BinaryOperator::AssignMultiply => BinaryOp::Mul,
        BinaryOperator::Divide | BinaryOperator::AssignDivide => BinaryOp::Div,
        BinaryOperator::Modulo | BinaryOperator::AssignModulo => BinaryOp::Rem,
        BinaryOperator::Plus | BinaryOperator::AssignPlus => BinaryOp::Add,
        BinaryOperator::Minus | BinaryOperator::AssignMinus => BinaryOp::Sub,
        BinaryOperator::ShiftLeft | BinaryOperator::AssignShiftLeft => BinaryOp::Shl,
        BinaryOperator::ShiftRight | BinaryOperator::AssignShiftRight => BinaryOp::Shr,
        BinaryOperator::BitwiseAnd | BinaryOperator::AssignBitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::BitwiseXor | BinaryOperator::AssignBitwiseXor => BinaryOp::BitXor,
        BinaryOperator::BitwiseOr | BinaryOperator::AssignBitwiseOr => BinaryOp::BitOr,
        BinaryOperator::Less => BinaryOp::Lt,
        BinaryOperator::Greater => BinaryOp::Gt,
        BinaryOperator::LessOrEqual => BinaryOp::Le,
        BinaryOperator::GreaterOrEqual => BinaryOp::Ge,
        BinaryOperator::Equals => BinaryOp::Eq,
        BinaryOperator::NotEquals => BinaryOp::Ne,
        _ => return None,
    })
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr)
}

/// True for the constant 0, which is a null pointer where a pointer is needed.
fn is_null(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int(0))
}

impl Sema<'_> {
    pub(super) fn binary(&mut self, node: &BinaryOperatorExpression, span: Span) -> Res<Operand> {
        let op = &node.operator.node;
        match op {
            BinaryOperator::Index => self.index(&node.lhs, &node.rhs, span),
            BinaryOperator::LogicalAnd => self.logical(node, true, span),
            BinaryOperator::LogicalOr => self.logical(node, false, span),
            BinaryOperator::Assign => self.assign(&node.lhs, &node.rhs, span),
            _ => {
                let Some(operator) = arithmetic(op) else { return Err(Reported) };
                if format!("{op:?}").starts_with("Assign") {
                    return self.compound_assign(operator, &node.lhs, &node.rhs, span);
                }
                let (a, b) = (self.value(&node.lhs)?, self.value(&node.rhs)?);
                Ok(Operand::Value(self.binary_value(operator, a, b, span)?))
            }
        }
    }

    /// An arithmetic operator or a comparison on two values.
    pub(super) fn binary_value(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        if (is_float(&a.ty) || is_float(&b.ty)) && !is_comparison(op) {
            return self.float_value(a, b, span);
        }
        self.modelled(&a.ty, a.span)?;
        self.modelled(&b.ty, b.span)?;
        match (&a.ty, &b.ty) {
            (Ty::Int(x), Ty::Int(y)) => {
                let (x, y) = (*x, *y);
                let ty = if is_shift(op) { promoted(x) } else { common(x, y) };
                let a = self.convert(a, &Ty::Int(ty))?;
                let right = if is_shift(op) { promoted(y) } else { ty };
                let b = self.convert(b, &Ty::Int(right))?;
                Ok(integers(op, a, b, ty, span))
            }
            (Ty::Pointer(_), Ty::Pointer(_)) if op == BinaryOp::Sub => {
                let b = self.convert(b, &a.ty.clone())?;
                let kind = ExprKind::PtrSub(Box::new(a), Box::new(b));
                Ok(Expr { kind, ty: Ty::Int(IntTy::LONG), span })
            }
            (Ty::Pointer(_), Ty::Int(_)) if op == BinaryOp::Add => self.move_pointer(a, b, span),
            (Ty::Int(_), Ty::Pointer(_)) if op == BinaryOp::Add => self.move_pointer(b, a, span),
            (Ty::Pointer(_), Ty::Int(_)) if op == BinaryOp::Sub => {
                let by = self.negated(b)?;
                self.move_pointer(a, by, span)
            }
            (Ty::Pointer(_), Ty::Pointer(_) | Ty::Int(_)) | (Ty::Int(_), Ty::Pointer(_))
                if is_comparison(op) =>
            {
                self.compare_pointers(op, a, b, span)
            }
            _ => Err(self.bad_operands(&a.ty, Some(&b.ty), span)),
        }
    }

    /// An operator on floating-point numbers.
    fn float_value(&mut self, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        let ty = if is_float(&a.ty) { a.ty.clone() } else { b.ty.clone() };
        let arithmetic = |ty: &Ty| is_float(ty) || matches!(ty, Ty::Int(_));
        if !arithmetic(&a.ty) || !arithmetic(&b.ty) {
            return Err(self.bad_operands(&a.ty, Some(&b.ty), span));
        }
        let effects = effects_of(a).into_iter().chain(effects_of(b)).collect();
        Ok(without_value(effects, ty, span))
    }

    /// A message about an operator that does not apply.
    fn bad_operands(&mut self, a: &Ty, b: Option<&Ty>, span: Span) -> Reported {
        let a = self.spell(a);
        let shown = match b {
            Some(b) => format!("`{a}` and `{}`", self.spell(b)),
            None => format!("`{a}`"),
        };
        let message = format!("this operator does not apply to {shown}");
        self.mistake(
            Diagnostic::error(codes::OPERANDS, message, span)
                .label("wrong operands")
                .help("operators take integers; `+`, `-` and comparisons take pointers, too"),
        )
    }

    /// A pointer moved by a number of elements.
    fn move_pointer(&mut self, pointer: Expr, by: Expr, span: Span) -> Res<Expr> {
        let by = self.convert(by, &Ty::Int(IntTy::LONG))?;
        if let Some(to) = pointer.ty.pointee()
            && !matches!(to.ty, Ty::Void | Ty::Function(_))
        {
            self.complete(&to.ty.clone(), span)?;
        }
        if is_null(&by) {
            return Ok(Expr { span, ..pointer });
        }
        let ty = pointer.ty.clone();
        // Two constant moves are one.
        if let (ExprKind::PtrAdd(inner, first), ExprKind::Int(second)) = (&pointer.kind, &by.kind)
            && let ExprKind::Int(first) = first.kind
            && let Some(sum) = first.checked_add(*second)
        {
            let by = number(sum, IntTy::LONG, span);
            return Ok(Expr { kind: ExprKind::PtrAdd(inner.clone(), Box::new(by)), ty, span });
        }
        Ok(Expr { kind: ExprKind::PtrAdd(Box::new(pointer), Box::new(by)), ty, span })
    }

    /// The negative of a number of elements.
    fn negated(&mut self, e: Expr) -> Res<Expr> {
        let e = self.convert(e, &Ty::Int(IntTy::LONG))?;
        let span = e.span;
        Ok(unary_value(UnaryOp::Neg, e, IntTy::LONG, span))
    }

    fn compare_pointers(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        let common = match (&a.ty, &b.ty) {
            (Ty::Int(_), other) => other.clone(),
            (ty, _) => ty.clone(),
        };
        let (a, b) = (self.convert(a, &common)?, self.convert(b, &common)?);
        if let (ExprKind::Int(x), ExprKind::Int(y)) = (&a.kind, &b.kind)
            && let Some(value) = fold_binary(op, IntTy::ULONG, *x, *y)
        {
            return Ok(number(value, IntTy::INT, span));
        }
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: Ty::INT, span })
    }

    fn index(
        &mut self,
        base: &Node<Expression>,
        index: &Node<Expression>,
        span: Span,
    ) -> Res<Operand> {
        let base = self.operand(base)?;
        let index = self.operand(index)?;
        // `3[a]` is `a[3]`.
        let (base, index) = match base.ty().ty {
            Ty::Int(_) => (index, base),
            _ => (base, index),
        };
        let index = self.rvalue(index)?;
        if !matches!(index.ty, Ty::Int(_)) {
            return Err(self.bad_operands(&base.ty().ty, Some(&index.ty), span));
        }
        match base {
            Operand::Place(effects, place) if matches!(place.ty.ty, Ty::Array(..)) => {
                let place = self.element(place, index, span)?;
                Ok(Operand::Place(effects, place))
            }
            other => {
                let pointer = self.rvalue(other)?;
                let moved = self.binary_value(BinaryOp::Add, pointer, index, span)?;
                Ok(Operand::Place(Vec::new(), self.deref(moved, span)?))
            }
        }
    }

    /// An element of an array.
    pub(super) fn element(&mut self, array: Place, index: Expr, span: Span) -> Res<Place> {
        let Ty::Array(element, _) = &array.ty.ty else { return Err(Reported) };
        let mut ty = (**element).clone();
        ty.volatile |= array.ty.volatile;
        let index = self.convert(index, &Ty::Int(IntTy::LONG))?;
        Ok(Place { kind: PlaceKind::Index(Box::new(array), Box::new(index)), ty, span })
    }

    fn logical(&mut self, node: &BinaryOperatorExpression, and: bool, span: Span) -> Res<Operand> {
        let a = self.value(&node.lhs)?;
        let a = self.scalar(a)?;
        let b = self.value(&node.rhs)?;
        let b = self.scalar(b)?;
        let decided = match (&a.kind, &b.kind) {
            (ExprKind::Int(a), _) if (*a != 0) != and => Some(!and),
            (ExprKind::Int(_), ExprKind::Int(b)) => Some(*b != 0),
            _ => None,
        };
        if let Some(value) = decided {
            return Ok(Operand::Value(number(i64::from(value), IntTy::INT, span)));
        }
        let (a, b) = (Box::new(a), Box::new(b));
        let kind = if and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
        Ok(Operand::Value(Expr { kind, ty: Ty::INT, span }))
    }

    pub(super) fn unary(&mut self, node: &UnaryOperatorExpression, span: Span) -> Res<Operand> {
        let operand = self.operand(&node.operand)?;
        let (by, old) = match node.operator.node {
            UnaryOperator::Address => return self.address(operand, span),
            UnaryOperator::Indirection => return self.indirection(operand, span),
            UnaryOperator::PostIncrement => (1, true),
            UnaryOperator::PostDecrement => (-1, true),
            UnaryOperator::PreIncrement => (1, false),
            UnaryOperator::PreDecrement => (-1, false),
            UnaryOperator::Plus => return self.sign(operand, None, span),
            UnaryOperator::Minus => return self.sign(operand, Some(UnaryOp::Neg), span),
            UnaryOperator::Complement => return self.sign(operand, Some(UnaryOp::BitNot), span),
            UnaryOperator::Negate => return self.not(operand, span),
        };
        let (effects, place) = self.assigned(operand)?;
        if is_float(&place.ty.ty) {
            let place = Operand::Place(effects, place);
            return Ok(Operand::Value(self.rvalue(place)?));
        }
        if !place.ty.ty.is_scalar() {
            return Err(self.bad_operands(&place.ty.ty, None, span));
        }
        let ty = place.ty.ty.clone();
        let step = Expr { kind: ExprKind::Step(place, by, old), ty, span };
        Ok(Operand::Value(after(effects, step)))
    }

    fn address(&mut self, operand: Operand, span: Span) -> Res<Operand> {
        let (effects, place) = match operand {
            // The address of a function is what its name stands for anyway.
            Operand::Value(e) if matches!(e.kind, ExprKind::Function(_)) => {
                return Ok(Operand::Value(Expr { span, ..e }));
            }
            Operand::Value(e) => return Err(self.no_place(e.span)),
            Operand::Place(effects, place) => (effects, place),
        };
        let ty = Ty::Pointer(std::sync::Arc::new(place.ty.clone()));
        let address = match place.kind {
            // `&*p` is `p`.
            PlaceKind::Deref(pointer) => Expr { span, ty, kind: pointer.kind },
            _ => Expr { kind: ExprKind::AddressOf(place), ty, span },
        };
        Ok(Operand::Value(after(effects, address)))
    }

    fn indirection(&mut self, operand: Operand, span: Span) -> Res<Operand> {
        let pointer = self.rvalue(operand)?;
        if matches!(pointer.ty.pointee(), Some(to) if matches!(to.ty, Ty::Function(_))) {
            return Ok(Operand::Value(pointer));
        }
        Ok(Operand::Place(Vec::new(), self.deref(pointer, span)?))
    }

    /// `+a`, `-a` and `~a`.
    fn sign(&mut self, operand: Operand, op: Option<UnaryOp>, span: Span) -> Res<Operand> {
        let e = self.rvalue(operand)?;
        if is_float(&e.ty) && op != Some(UnaryOp::BitNot) {
            return Ok(Operand::Value(e));
        }
        self.modelled(&e.ty, e.span)?;
        let e = self.promote(e)?;
        let Ty::Int(int) = e.ty else { return Err(self.bad_operands(&e.ty, None, span)) };
        Ok(Operand::Value(match op {
            Some(op) => unary_value(op, e, int, span),
            None => Expr { span, ..e },
        }))
    }

    fn not(&mut self, operand: Operand, span: Span) -> Res<Operand> {
        let e = self.rvalue(operand)?;
        let e = self.scalar(e)?;
        Ok(Operand::Value(unary_value(UnaryOp::Not, e, IntTy::INT, span)))
    }

    /// Something that is assigned to.
    fn assigned(&mut self, operand: Operand) -> Res<(Vec<Expr>, Place)> {
        match operand {
            Operand::Place(effects, place) if !matches!(place.ty.ty, Ty::Array(..)) => {
                if !is_float(&place.ty.ty) {
                    self.modelled(&place.ty.ty, place.span)?;
                }
                if matches!(place.ty.ty, Ty::Void | Ty::Function(_)) {
                    return Err(self.incomplete(&place.ty.ty, place.span));
                }
                Ok((effects, place))
            }
            other => Err(self.no_place(other.span())),
        }
    }

    fn no_place(&mut self, span: Span) -> Reported {
        let message = "this cannot be assigned, and it has no address";
        self.mistake(
            Diagnostic::error(codes::NOT_A_PLACE, message, span)
                .label("a value, not a variable")
                .help("name a variable, a member, an element or what a pointer points to"),
        )
    }

    fn assign(
        &mut self,
        to: &Node<Expression>,
        value: &Node<Expression>,
        span: Span,
    ) -> Res<Operand> {
        let to = self.operand(to)?;
        let (mut effects, place) = self.assigned(to)?;
        let value = self.operand(value)?;
        if let Ty::Struct(_) = place.ty.ty {
            effects.push(self.assign_struct(place.clone(), value, span)?);
            return Ok(Operand::Place(effects, place));
        }
        let value = self.rvalue(value)?;
        let value = self.assignable(value, &place.ty.ty.clone())?;
        if is_float(&place.ty.ty) {
            return self.float_assigned(effects, place, value, span);
        }
        let ty = place.ty.ty.clone();
        let assign = Expr { kind: ExprKind::Assign(place, Box::new(value)), ty, span };
        Ok(Operand::Value(after(effects, assign)))
    }

    /// A floating-point number assigned to a place: only effects are left of it.
    fn float_assigned(
        &mut self,
        effects: Vec<Expr>,
        place: Place,
        value: Expr,
        span: Span,
    ) -> Res<Operand> {
        let to = self.rvalue(Operand::Place(effects, place))?;
        Ok(Operand::Value(self.float_value(to, value, span)?))
    }

    /// A structure assigned to a place.
    pub(super) fn assign_struct(&mut self, to: Place, value: Operand, span: Span) -> Res<Expr> {
        let (effects, from) = match value {
            Operand::Place(effects, place) if place.ty.ty == to.ty.ty => (effects, place),
            other => return Err(self.bad_conversion(&other.ty().ty, &to.ty.ty, other.span())),
        };
        self.not_atomic(&to)?;
        self.not_atomic(&from)?;
        let kind = ExprKind::AssignStruct(to, from);
        Ok(after(effects, Expr { kind, ty: Ty::Void, span }))
    }

    fn compound_assign(
        &mut self,
        op: BinaryOp,
        to: &Node<Expression>,
        value: &Node<Expression>,
        span: Span,
    ) -> Res<Operand> {
        let to = self.operand(to)?;
        let (effects, place) = self.assigned(to)?;
        let value = self.value(value)?;
        if is_float(&place.ty.ty) {
            return self.float_assigned(effects, place, value, span);
        }
        self.modelled(&value.ty, value.span)?;
        let ty = place.ty.ty.clone();
        let kind = match (&ty, &value.ty) {
            (Ty::Int(x), Ty::Int(y)) => {
                let int = if is_shift(op) { promoted(*x) } else { common(*x, *y) };
                let right = if is_shift(op) { promoted(*y) } else { int };
                let value = self.convert(value, &Ty::Int(right))?;
                ExprKind::CompoundAssign(place, op, Box::new(value), Ty::Int(int))
            }
            (Ty::Pointer(_), Ty::Int(_)) if op == BinaryOp::Add => {
                let by = self.convert(value, &Ty::Int(IntTy::LONG))?;
                ExprKind::PointerAssign(place, Box::new(by))
            }
            (Ty::Pointer(_), Ty::Int(_)) if op == BinaryOp::Sub => {
                let by = self.negated(value)?;
                ExprKind::PointerAssign(place, Box::new(by))
            }
            _ => return Err(self.bad_operands(&ty, Some(&value.ty), span)),
        };
        Ok(Operand::Value(after(effects, Expr { kind, ty, span })))
    }

    pub(super) fn cast(&mut self, node: &CastExpression, span: Span) -> Res<Operand> {
        let name = &node.type_name;
        let to = self.type_name(&name.node, self.at(name.span))?.ty;
        let operand = self.operand(&node.expression)?;
        if to == Ty::Void {
            let e = self.discard(operand)?;
            return Ok(Operand::Value(Expr { span, ..self.convert(e, &Ty::Void)? }));
        }
        // A structure may be cast to its own type.
        if matches!(to, Ty::Struct(_)) && operand.ty().ty == to {
            return Ok(operand);
        }
        let e = self.rvalue(operand)?;
        if e.ty == Ty::Void {
            return Err(self.bad_conversion(&e.ty, &to, span));
        }
        Ok(Operand::Value(Expr { span, ..self.convert(e, &to)? }))
    }

    pub(super) fn conditional(&mut self, node: &ConditionalExpression, span: Span) -> Res<Operand> {
        let condition = self.value(&node.condition)?;
        let condition = self.scalar(condition)?;
        if is_same(&node.then_expression.node) {
            return self.same_or(condition, &node.else_expression, span);
        }
        let a = self.operand(&node.then_expression)?;
        let b = self.operand(&node.else_expression)?;
        if matches!(a.ty().ty, Ty::Struct(_)) {
            return self.conditional_struct(condition, a, b, span);
        }
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        if is_float(&a.ty) || is_float(&b.ty) {
            let ty = self.float_value(a.clone(), b.clone(), span)?.ty;
            return Ok(Operand::Value(float::choice(condition, a, b, ty, span)));
        }
        let ty = self.conditional_type(&a, &b, span)?;
        let (a, b) = (self.convert(a, &ty)?, self.convert(b, &ty)?);
        if let ExprKind::Int(value) = condition.kind {
            return Ok(Operand::Value(if value != 0 { a } else { b }));
        }
        let kind = ExprKind::Cond(Box::new(condition), Box::new(a), Box::new(b));
        Ok(Operand::Value(Expr { kind, ty, span }))
    }

    /// GNU's `a ?: b`: the condition is evaluated once.
    fn same_or(&mut self, a: Expr, b: &Node<Expression>, span: Span) -> Res<Operand> {
        let b = self.value(b)?;
        if let ExprKind::Int(value) = a.kind {
            return Ok(Operand::Value(if value != 0 { a } else { b }));
        }
        let place = self.temporary(a.ty.clone().plain(), span)?;
        let of = |kind, ty: &Ty| Expr { kind, ty: ty.clone(), span };
        let same = of(ExprKind::Load(place.clone()), &a.ty);
        let ty = self.conditional_type(&same, &b, span)?;
        let keep = of(ExprKind::Assign(place, Box::new(a.clone())), &a.ty);
        let (yes, no) = (self.convert(same.clone(), &ty)?, self.convert(b, &ty)?);
        let choice = of(ExprKind::Cond(Box::new(same), Box::new(yes), Box::new(no)), &ty);
        Ok(Operand::Value(of(ExprKind::Comma(vec![keep, choice]), &ty)))
    }

    fn conditional_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Res<Ty> {
        Ok(match (&a.ty, &b.ty) {
            (Ty::Int(x), Ty::Int(y)) => Ty::Int(common(*x, *y)),
            (Ty::Void, _) | (_, Ty::Void) => Ty::Void,
            (Ty::Pointer(_), _) if is_null(b) => a.ty.clone(),
            (_, Ty::Pointer(_)) if is_null(a) => b.ty.clone(),
            (Ty::Pointer(x), Ty::Pointer(_)) if x.ty == Ty::Void => a.ty.clone(),
            (Ty::Pointer(_), Ty::Pointer(y)) if y.ty == Ty::Void => b.ty.clone(),
            (Ty::Pointer(_), _) => a.ty.clone(),
            (_, Ty::Pointer(_)) => b.ty.clone(),
            (x, y) => return Err(self.bad_operands(&x.clone(), Some(&y.clone()), span)),
        })
    }

    fn conditional_struct(
        &mut self,
        condition: Expr,
        a: Operand,
        b: Operand,
        span: Span,
    ) -> Res<Operand> {
        let place = self.temporary(a.ty(), span)?;
        let a = self.assign_struct(place.clone(), a, span)?;
        let b = self.assign_struct(place.clone(), b, span)?;
        let kind = ExprKind::Cond(Box::new(condition), Box::new(a), Box::new(b));
        Ok(Operand::Place(vec![Expr { kind, ty: Ty::Void, span }], place))
    }

    /// A local without a name.
    pub(super) fn temporary(&mut self, ty: crate::types::QualTy, span: Span) -> Res<Place> {
        if self.body.is_none() {
            return Err(self.not_constant(span));
        }
        self.check_size(&ty, span)?;
        let ty = crate::types::QualTy { atomic: false, ..ty };
        let id = self.new_local("", ty.clone(), span);
        Ok(Place { kind: PlaceKind::Local(id), ty, span })
    }
}

/// Whether an expression is the name that the preprocessor puts between `?` and `:` where nothing stands.
fn is_same(e: &Expression) -> bool {
    matches!(e, Expression::Identifier(name) if name.node.name == "__taut_same")
}

/// An operator on integers of one type, folded if both are constants.
fn integers(op: BinaryOp, a: Expr, b: Expr, ty: IntTy, span: Span) -> Expr {
    let result = if is_comparison(op) { IntTy::INT } else { ty };
    if let (ExprKind::Int(x), ExprKind::Int(y)) = (&a.kind, &b.kind)
        && let Some(value) = fold_binary(op, ty, *x, *y)
    {
        return number(value, result, span);
    }
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: Ty::Int(result), span }
}

/// An operator on one integer (any scalar, for `!`), folded if it is a constant.
fn unary_value(op: UnaryOp, e: Expr, ty: IntTy, span: Span) -> Expr {
    if let ExprKind::Int(value) = e.kind
        && let Some(value) = fold_unary(op, ty, value)
    {
        return number(value, ty, span);
    }
    Expr { kind: ExprKind::Unary(op, Box::new(e)), ty: Ty::Int(ty), span }
}
