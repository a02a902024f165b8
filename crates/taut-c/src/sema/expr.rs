//! Expressions: names, literals, members, and what the other files have operators for.

use lang_c::ast::{
    Constant, Expression, GenericAssociation, GenericSelection, MemberExpression, MemberOperator,
    OffsetMember, OffsetOfExpression, Statement,
};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span, nearest};

use crate::hir::{Expr, ExprKind, Global, GlobalId, Place, PlaceKind};
use crate::types::{IntTy, QualTy, StructId, Ty};

use super::convert::number;
use super::float::{is_float, place_effects, settled, without_value};
use super::scope::Symbol;
use super::unions::User;
use super::{Body, Res, Sema, codes, literal};

/// What an expression is.
#[derive(Clone)]
pub(super) enum Operand {
    /// A scalar or nothing (`void`).
    Value(Expr),
    /// An object, after some effects that make it: a temporary that a call or a compound literal fills.
    Place(Vec<Expr>, Place),
}

impl Operand {
    /// A place without effects.
    pub(super) fn place(kind: PlaceKind, ty: QualTy, span: Span) -> Operand {
        Operand::Place(Vec::new(), Place { kind, ty, span })
    }

    /// The type before arrays decay.
    pub(super) fn ty(&self) -> QualTy {
        match self {
            Operand::Value(e) => e.ty.clone().plain(),
            Operand::Place(_, place) => place.ty.clone(),
        }
    }

    /// Where it stands.
    pub(super) fn span(&self) -> Span {
        match self {
            Operand::Value(e) => e.span,
            Operand::Place(_, place) => place.span,
        }
    }
}

/// The place of a type that an expression is the address of, if it is one.
fn addressed<'e>(pointer: &'e Expr, ty: &Ty) -> Option<&'e Place> {
    match &pointer.kind {
        ExprKind::AddressOf(place) if place.ty.ty == *ty => Some(place),
        ExprKind::Convert(inner) if inner.ty.pointee().is_some_and(|to| to.ty == *ty) => {
            addressed(inner, ty)
        }
        _ => None,
    }
}

/// Effects, then an expression.
pub(super) fn after(mut effects: Vec<Expr>, last: Expr) -> Expr {
    if effects.is_empty() {
        return last;
    }
    let (ty, span) = (last.ty.clone(), last.span);
    effects.push(last);
    Expr { kind: ExprKind::Comma(effects), ty, span }
}

impl Sema<'_> {
    /// The scalar value of an expression, or nothing (`void`).
    pub(super) fn value(&mut self, node: &Node<Expression>) -> Res<Expr> {
        let operand = self.operand(node)?;
        self.rvalue(operand)
    }

    /// The value of an operand: a place is read, an array decays.
    pub(super) fn rvalue(&mut self, operand: Operand) -> Res<Expr> {
        let (effects, place) = match operand {
            Operand::Value(e) => return Ok(e),
            Operand::Place(effects, place) => (effects, place),
        };
        let span = place.span;
        if is_float(&place.ty.ty) {
            let ty = place.ty.ty.clone();
            let effects = effects.into_iter().chain(place_effects(place)).collect();
            return Ok(without_value(effects, ty, span));
        }
        self.modelled(&place.ty.ty, span)?;
        let (kind, ty) = match place.ty.ty.clone() {
            Ty::Array(element, _) => {
                let first = Box::new(number(0, IntTy::LONG, span));
                let ty = (*element).clone();
                let kind = PlaceKind::Index(Box::new(place), first);
                (ExprKind::AddressOf(Place { kind, ty, span }), Ty::Pointer(element))
            }
            Ty::Struct(_) => return Err(self.struct_value(&place)),
            ty => (ExprKind::Load(place), ty),
        };
        Ok(after(effects, Expr { kind, ty, span }))
    }

    fn struct_value(&mut self, place: &Place) -> super::Reported {
        let shown = self.spell(&place.ty.ty);
        let message = format!("a whole `{shown}` where a number or a pointer is needed");
        self.mistake(
            Diagnostic::error(codes::CONVERSION, message, place.span)
                .label("a structure")
                .help("name a member of it"),
        )
    }

    /// An operand for its effects only.
    pub(super) fn discard(&mut self, operand: Operand) -> Res<Expr> {
        match operand {
            Operand::Place(mut effects, place) if matches!(place.ty.ty, Ty::Struct(_)) => {
                let span = place.span;
                let void = number(0, IntTy::INT, span);
                let last = effects.pop().unwrap_or(void);
                Ok(after(effects, last))
            }
            other => self.rvalue(other).map(settled),
        }
    }

    /// Does something whose value does not matter, only its type or constant: nothing in it counts as a use.
    pub(super) fn unevaluated<T>(&mut self, inner: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let refused = self.refused.take();
        let outside = self.body.is_none();
        self.body.get_or_insert_with(Body::default);
        self.uses.quiet += 1;
        let result = inner(self);
        self.uses.quiet -= 1;
        if outside {
            self.body = None;
        }
        if result.is_ok() || refused.is_some() {
            self.refused = refused;
        }
        result
    }

    /// The type of an expression that is not evaluated.
    pub(super) fn type_of_expression(&mut self, node: &Node<Expression>) -> Res<QualTy> {
        self.unevaluated(|sema| Ok(sema.operand(node)?.ty()))
    }

    /// What an expression is.
    pub(super) fn operand(&mut self, node: &Node<Expression>) -> Res<Operand> {
        taut_budget::tick();
        let span = self.at(node.span);
        self.deeper(span, |sema| sema.operand_inside(node, span))
    }

    fn operand_inside(&mut self, node: &Node<Expression>, span: Span) -> Res<Operand> {
        match &node.node {
            Expression::Identifier(name) => self.name(&name.node.name, span),
            Expression::Constant(constant) => self.literal(&constant.node, span),
            Expression::StringLiteral(parts) => self.string(&parts.node, span),
            Expression::GenericSelection(generic) => self.generic(&generic.node, span),
            Expression::Member(member) => self.member(&member.node, span),
            Expression::Call(call) => self.call(&call.node, span),
            Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node, span),
            Expression::SizeOfTy(name) => {
                let ty = self.type_name(&name.node.0.node, span)?;
                self.size(&ty.ty, span)
            }
            Expression::SizeOfVal(e) => {
                let ty = self.type_of_expression(&e.node.0)?;
                self.size(&ty.ty, span)
            }
            Expression::AlignOf(name) => {
                let ty = self.type_name(&name.node.0.node, span)?;
                let align = ty.ty.align(self.structs());
                Ok(Operand::Value(number(align as i64, IntTy::ULONG, span)))
            }
            Expression::UnaryOperator(unary) => self.unary(&unary.node, span),
            Expression::Cast(cast) => self.cast(&cast.node, span),
            Expression::BinaryOperator(binary) => self.binary(&binary.node, span),
            Expression::Conditional(cond) => self.conditional(&cond.node, span),
            Expression::Comma(list) => self.comma(list),
            Expression::OffsetOf(offset) => self.offset_of(&offset.node, span),
            Expression::VaArg(_) => Err(self.unsupported(
                "arguments beyond the declared ones are not supported",
                "reads a variable argument",
                "give the function a fixed number of parameters",
                span,
            )),
            Expression::Statement(statement) => self.statement_expression(statement, span),
        }
    }

    /// A refusal of an operation.
    pub(super) fn unsupported(
        &mut self,
        message: &str,
        label: &str,
        help: &str,
        span: Span,
    ) -> super::Reported {
        let error = Diagnostic::error(codes::UNSUPPORTED, message, span);
        self.refuse(error.label(label).help(help))
    }

    fn name(&mut self, name: &str, span: Span) -> Res<Operand> {
        match self.scopes.get(name).cloned() {
            Some(Symbol::Local(id)) => {
                Ok(Operand::place(PlaceKind::Local(id), self.local_type(id), span))
            }
            Some(Symbol::Global(id)) => {
                self.uses.mention(User::Global(id));
                let ty = self.unit.globals[id.0 as usize].ty.clone();
                Ok(Operand::place(PlaceKind::Global(id), ty, span))
            }
            Some(Symbol::Function(id)) => {
                self.uses.mention(User::Function(id));
                let ty = self.function_type(id).pointer();
                Ok(Operand::Value(Expr { kind: ExprKind::Function(id), ty, span }))
            }
            Some(Symbol::Constant(value, int)) => Ok(Operand::Value(number(value, int, span))),
            Some(Symbol::Failed) => Err(super::Reported),
            Some(Symbol::Typedef(..)) => Err(self.type_as_value(name, span)),
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let function = self.body.as_ref().map_or(String::new(), |b| b.name.clone());
                self.string(&[format!("\"{function}\"")], span)
            }
            None => Err(self.unknown_name(name, span)),
        }
    }

    fn type_as_value(&mut self, name: &str, span: Span) -> super::Reported {
        let message = format!("`{name}` is a type, not a value");
        let error = Diagnostic::error(codes::UNKNOWN_NAME, message, span);
        self.mistake(error.label("a type").help("name a variable of this type"))
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span) -> super::Reported {
        let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("unknown name `{name}`"), span);
        let near = nearest(name, self.scopes.names()).map(|n| format!("did you mean `{n}`?"));
        let help = near.unwrap_or_else(|| "declare it, or include its header".to_string());
        self.mistake(error.label("not declared").help(help))
    }

    fn literal(&mut self, constant: &Constant, span: Span) -> Res<Operand> {
        let value = match constant {
            Constant::Integer(i) if i.suffix.imaginary => None,
            Constant::Integer(i) => literal::integer(i),
            Constant::Character(text) => literal::character(text).map(|c| (c, IntTy::INT)),
            Constant::Float(_) => {
                return Ok(Operand::Value(without_value(Vec::new(), super::spec::float(8), span)));
            }
        };
        match value {
            Some((value, int)) => Ok(Operand::Value(number(value, int, span))),
            None => Err(self.bad_literal(span)),
        }
    }

    fn bad_literal(&mut self, span: Span) -> super::Reported {
        let message = "a literal that is malformed or does not fit into 64 bits";
        let error = Diagnostic::error(codes::BAD_LITERAL, message, span);
        self.mistake(error.label("has no value").help("correct its escapes or digits"))
    }

    /// A string literal: an array without a name.
    pub(super) fn string(&mut self, parts: &[String], span: Span) -> Res<Operand> {
        let Some((units, wide)) = literal::string(parts) else {
            return Err(self.bad_literal(span));
        };
        let unit = if wide { IntTy::INT } else { IntTy::CHAR };
        let len = units.len() as u32 + 1;
        let ty = Ty::Array(std::sync::Arc::new(Ty::Int(unit).plain()), len).plain();
        let id = self.string_global(units, wide, ty.clone(), span);
        Ok(Operand::place(PlaceKind::Global(id), ty, span))
    }

    fn string_global(&mut self, units: Vec<i64>, wide: bool, ty: QualTy, span: Span) -> GlobalId {
        if let Some(&id) = self.strings.get(&(units.clone(), wide)) {
            return id;
        }
        let cells = units.iter().enumerate().filter(|(_, u)| **u != 0);
        let init = cells.map(|(i, u)| (i as u32, crate::hir::Constant::Int(*u))).collect();
        let id = self.new_global(Global {
            name: String::new(),
            ty,
            init,
            thread_local: false,
            refused: None,
            span,
        });
        self.strings.insert((units, wide), id);
        id
    }

    /// A new global.
    pub(super) fn new_global(&mut self, global: Global) -> GlobalId {
        self.unit.globals.push(global);
        GlobalId(self.unit.globals.len() as u32 - 1)
    }

    fn generic(&mut self, generic: &GenericSelection, span: Span) -> Res<Operand> {
        let of = self.unevaluated(|sema| {
            let operand = sema.operand(&generic.expression)?;
            match operand.ty().ty {
                ty @ (Ty::Struct(_) | Ty::Unmodelled(_)) => Ok(ty),
                _ => Ok(sema.rvalue(operand)?.ty),
            }
        })?;
        let mut default = None;
        for association in &generic.associations {
            match &association.node {
                GenericAssociation::Default(e) => default = Some(e),
                GenericAssociation::Type(t) => {
                    let name = &t.node.type_name;
                    let ty = self.type_name(&name.node, self.at(name.span))?;
                    if ty.ty == of && !ty.atomic {
                        return self.operand(&t.node.expression);
                    }
                }
            }
        }
        match default {
            Some(e) => self.operand(e),
            None => {
                let shown = self.spell(&of);
                let message = format!("`_Generic` has no case for `{shown}`");
                let error = Diagnostic::error(codes::OPERANDS, message, span);
                Err(self.mistake(error.label("no case fits").help("add a `default:`")))
            }
        }
    }

    fn member(&mut self, member: &MemberExpression, span: Span) -> Res<Operand> {
        let (effects, place) = match member.operator.node {
            MemberOperator::Direct => match self.operand(&member.expression)? {
                Operand::Place(effects, place) => (effects, place),
                Operand::Value(e) => return Err(self.no_struct(&e.ty, e.span)),
            },
            MemberOperator::Indirect => {
                let pointer = self.value(&member.expression)?;
                (Vec::new(), self.deref(pointer, span)?)
            }
        };
        let Ty::Struct(id) = place.ty.ty else {
            return Err(self.no_struct(&place.ty.ty, place.span));
        };
        let place = self.member_place(place, id, &member.identifier, span)?;
        Ok(Operand::Place(effects, place))
    }

    fn no_struct(&mut self, ty: &Ty, span: Span) -> super::Reported {
        let message = format!("`{}` has no members", self.spell(ty));
        let error =
            Diagnostic::error(codes::UNKNOWN_MEMBER, message, span).label("not a structure");
        self.mistake(error.help(match ty {
            Ty::Pointer(_) => "use `->` with a pointer to a structure",
            _ => "use `.` with a structure",
        }))
    }

    /// What a pointer points to.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Res<Place> {
        self.modelled(&pointer.ty, span)?;
        let Some(ty) = pointer.ty.pointee().cloned() else {
            let message = format!("`{}` is no pointer", self.spell(&pointer.ty));
            let error = Diagnostic::error(codes::OPERANDS, message, pointer.span);
            return Err(self
                .mistake(error.label("not a pointer").help("only a pointer points to something")));
        };
        // `*&x` is `x`, and `*(volatile T *)&x` is `x` with other qualifiers.
        match addressed(&pointer, &ty.ty).cloned() {
            Some(place) => Ok(Place { ty, span, ..place }),
            None => Ok(Place { kind: PlaceKind::Deref(Box::new(pointer)), ty, span }),
        }
    }

    fn size(&mut self, ty: &Ty, span: Span) -> Res<Operand> {
        if let Ty::Struct(id) = ty
            && self.unit.structs[id.0 as usize].fields.is_none()
        {
            return Err(self.incomplete(ty, span));
        }
        let bytes = ty.bytes(self.structs());
        Ok(Operand::Value(number(bytes as i64, IntTy::ULONG, span)))
    }

    fn comma(&mut self, list: &[Node<Expression>]) -> Res<Operand> {
        let Some((last, first)) = list.split_last() else { return Err(super::Reported) };
        let mut effects = Vec::new();
        for node in first {
            let operand = self.operand(node)?;
            effects.push(self.discard(operand)?);
        }
        match self.operand(last)? {
            Operand::Place(more, place) if matches!(place.ty.ty, Ty::Struct(_)) => {
                effects.extend(more);
                Ok(Operand::Place(effects, place))
            }
            other => Ok(Operand::Value(after(effects, self.rvalue(other)?))),
        }
    }

    fn offset_of(&mut self, offset: &OffsetOfExpression, span: Span) -> Res<Operand> {
        let name = &offset.type_name;
        let mut ty = self.type_name(&name.node, self.at(name.span))?.ty;
        let designator = &offset.designator.node;
        let mut bytes = self.offset_member(&mut ty, &designator.base)?;
        for member in &designator.members {
            bytes += match &member.node {
                OffsetMember::Member(name) | OffsetMember::IndirectMember(name) => {
                    self.offset_member(&mut ty, name)?
                }
                OffsetMember::Index(e) => {
                    let Ty::Array(element, _) = ty.clone() else {
                        return Err(self.no_struct(&ty, span));
                    };
                    ty = element.ty.clone();
                    let index = self.constant_integer(e)?;
                    (index as u64).wrapping_mul(ty.bytes(self.structs()))
                }
            };
        }
        Ok(Operand::Value(number(bytes as i64, IntTy::ULONG, span)))
    }

    /// The offset of a member; the type becomes the member's.
    fn offset_member(&mut self, ty: &mut Ty, name: &Node<lang_c::ast::Identifier>) -> Res<u64> {
        let Ty::Struct(id) = *ty else { return Err(self.no_struct(ty, self.at(name.span))) };
        let way = self.member_way(StructId(id.0), name)?;
        let bytes = way.iter().map(|step| step.byte).sum();
        if let Some(last) = way.last() {
            *ty = last.ty.ty.clone();
        }
        Ok(bytes)
    }

    fn statement_expression(&mut self, node: &Node<Statement>, span: Span) -> Res<Operand> {
        let Statement::Compound(items) = &node.node else { return Err(super::Reported) };
        let Some(body) = &mut self.body else { return Err(self.not_constant(span)) };
        body.scoped.enter(items);
        self.scopes.enter();
        let result = self.block_value(items, span);
        self.scopes.leave();
        if let Some(body) = &mut self.body {
            body.scoped.leave();
        }
        result
    }
}
