//! Calls: the function, its arguments, its result.

use lang_c::ast::{BinaryOperator, CallExpression, Expression};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span, nearest};

use crate::hir::{Argument, Callee, Expr, ExprKind, FunctionId};
use crate::types::{FunctionTy, IntTy, QualTy, Ty};

use super::convert::number;
use super::expr::{Operand, after};
use super::float::{effects_of, is_float, settled, without_value};
use super::scope::Symbol;
use super::spec::VARIABLE_ARGUMENTS;
use super::{Res, Sema, builtin, codes};

impl Sema<'_> {
    pub(super) fn call(&mut self, node: &CallExpression, span: Span) -> Res<Operand> {
        let Expression::Identifier(name) = &node.callee.node else {
            return self.call_pointer(node, span);
        };
        let name = &name.node.name;
        match self.scopes.get(name).cloned() {
            Some(Symbol::Function(id)) => self.call_function(id, node, span),
            Some(_) => self.call_pointer(node, span),
            None => self.call_builtin(name, node, span),
        }
    }

    /// A call of a function with a declaration.
    fn call_function(&mut self, id: FunctionId, node: &CallExpression, span: Span) -> Res<Operand> {
        self.uses.mention(super::unions::User::Function(id));
        let name = self.unit.functions[id.0 as usize].name.clone();
        // A declaration cannot say what a builtin for any type takes.
        let generic = builtin::is_generic(&name) && !self.defined.contains(&name);
        if generic && let Some(result) = self.known_builtin(&name, node, span) {
            return result;
        }
        let Ty::Function(ty) = self.function_type(id) else { return Err(super::Reported) };
        let callee = match self.defined.contains(&name) {
            true => Callee::Function(id),
            false => Callee::Builtin(name),
        };
        self.call_with(callee, &ty, node, span)
    }

    fn call_pointer(&mut self, node: &CallExpression, span: Span) -> Res<Operand> {
        let pointer = self.value(&node.callee)?;
        let ty = pointer.ty.pointee().map(|to| to.ty.clone());
        let Some(Ty::Function(ty)) = ty else {
            let message = format!("`{}` is no function", self.spell(&pointer.ty));
            let error = Diagnostic::error(codes::NOT_A_FUNCTION, message, pointer.span);
            let error = error.label("cannot be called");
            return Err(self.mistake(error.help("call a function or a pointer to one")));
        };
        let callee = match pointer.kind {
            ExprKind::Function(id) => return self.call_function(id, node, span),
            _ => Callee::Pointer(Box::new(pointer)),
        };
        self.call_with(callee, &ty, node, span)
    }

    /// A call of something without a declaration.
    fn call_builtin(&mut self, name: &str, node: &CallExpression, span: Span) -> Res<Operand> {
        if let Some(result) = self.known_builtin(name, node, span) {
            return result;
        }
        let (name, known) = builtin::library(name);
        if let Some(Symbol::Function(id)) = self.scopes.get(name).cloned() {
            return self.call_function(id, node, span);
        }
        let at = self.at(node.callee.span);
        let ours = name.starts_with("__");
        if !ours {
            self.implicit(name, at);
        }
        if !ours || self.defined.contains(name) {
            let id = self.declare_implicitly(name, known, at)?;
            return self.call_function(id, node, span);
        }
        let ty = FunctionTy { result: known, params: Vec::new(), variadic: true };
        self.call_with(Callee::Builtin(name.to_string()), &ty, node, span)
    }

    /// Warns about a function without a declaration.
    fn implicit(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is called without a declaration");
        let near = nearest(name, self.scopes.names()).map(|n| format!("did you mean `{n}`?"));
        let help = near.unwrap_or_else(|| "declare it before, or include its header".to_string());
        let warning = Diagnostic::warning(codes::IMPLICIT, message, span);
        self.unit.warnings.push(warning.label("taken to give an `int`").help(help));
    }

    /// A call with arguments converted to the types of the parameters.
    fn call_with(
        &mut self,
        callee: Callee,
        ty: &FunctionTy,
        node: &CallExpression,
        span: Span,
    ) -> Res<Operand> {
        // `__assert_fail` of a library says the file and the line, which are known anyway.
        let ours = matches!(&callee, Callee::Builtin(name) if name.starts_with("__taut_"));
        let most = if ours { ty.params.len() } else { usize::MAX };
        let given = &node.arguments[..node.arguments.len().min(most)];
        self.count_arguments(ty, given.len(), span)?;
        let mut effects = Vec::new();
        let mut arguments = Vec::new();
        for (i, argument) in given.iter().enumerate() {
            arguments.push(self.argument(argument, ty.params.get(i), &mut effects)?);
        }
        if let Callee::Builtin(name) = &callee
            && matches!(name.as_str(), "malloc" | "calloc" | "aligned_alloc" | "alloca")
        {
            self.known_sizes(&mut arguments);
            arguments.extend(self.size_type(&node.arguments).map(Argument::Type));
        }
        if is_float(&ty.result) {
            return Ok(self.float_call(callee, arguments, effects, ty.result.clone(), span));
        }
        self.modelled(&ty.result, span)?;
        self.finish_call(callee, arguments, effects, ty.result.clone(), span)
    }

    /// Replaces the sizes of an allocation that are known: `N * sizeof(int)` with a `const int N = 16`.
    fn known_sizes(&self, arguments: &mut [Argument]) {
        for argument in arguments {
            if let Argument::Value(size) = argument
                && let Some(known) = self.known(size)
            {
                size.kind = ExprKind::Int(known);
            }
        }
    }

    /// A call with a floating-point result. A function of the library, such as `sqrt`, is not called at all.
    fn float_call(
        &mut self,
        callee: Callee,
        arguments: Vec<Argument>,
        mut effects: Vec<Expr>,
        result: Ty,
        span: Span,
    ) -> Operand {
        if let Callee::Builtin(_) = callee {
            let values = arguments.into_iter().filter_map(|a| match a {
                Argument::Value(e) => Some(e),
                _ => None,
            });
            effects.extend(values.flat_map(effects_of));
        } else {
            let kind = ExprKind::Call(callee, arguments, None);
            effects.push(Expr { kind, ty: Ty::INT, span });
        }
        Operand::Value(without_value(effects, result, span))
    }

    /// A call as an operand: a structure goes to a temporary.
    pub(super) fn finish_call(
        &mut self,
        callee: Callee,
        arguments: Vec<Argument>,
        mut effects: Vec<Expr>,
        result: Ty,
        span: Span,
    ) -> Res<Operand> {
        if !matches!(result, Ty::Struct(_)) {
            let kind = ExprKind::Call(callee, arguments, None);
            return Ok(Operand::Value(after(effects, Expr { kind, ty: result, span })));
        }
        let place = self.temporary(result.plain(), span)?;
        let kind = ExprKind::Call(callee, arguments, Some(Box::new(place.clone())));
        effects.push(Expr { kind, ty: Ty::Void, span });
        Ok(Operand::Place(effects, place))
    }

    fn count_arguments(&mut self, ty: &FunctionTy, given: usize, span: Span) -> Res<()> {
        let wanted = ty.params.len();
        if given == wanted || (given > wanted && ty.variadic) {
            return Ok(());
        }
        let least = if ty.variadic { "at least " } else { "" };
        let message = format!("{given} arguments, but the function has {least}{wanted} parameters");
        let error = Diagnostic::error(codes::ARGUMENTS, message, span).label("in this call");
        Err(self.mistake(error.help("pass one argument per parameter")))
    }

    fn argument(
        &mut self,
        node: &Node<Expression>,
        param: Option<&Ty>,
        effects: &mut Vec<Expr>,
    ) -> Res<Argument> {
        let operand = self.operand(node)?;
        if let Ty::Unmodelled(what) = operand.ty().ty
            && what.what == VARIABLE_ARGUMENTS
        {
            return Ok(Argument::Value(number(0, IntTy::INT, operand.span())));
        }
        if let Operand::Place(before, place) = &operand
            && matches!(place.ty.ty, Ty::Struct(_))
            && param.is_none_or(|p| *p == place.ty.ty)
        {
            self.not_atomic(place)?;
            effects.extend(before.iter().cloned());
            return Ok(Argument::Struct(place.clone()));
        }
        let value = self.rvalue(operand)?;
        Ok(Argument::Value(match param {
            Some(ty) => settled(self.assignable(value, ty)?),
            None if is_float(&value.ty) => settled(value),
            None => {
                let value = self.scalar(value)?;
                self.promote(value)?
            }
        }))
    }

    /// The type whose size an allocation mentions: `n * sizeof(T)`, `sizeof *p + m`.
    fn size_type(&mut self, arguments: &[Node<Expression>]) -> Option<Ty> {
        arguments.iter().find_map(|a| self.size_type_in(a))
    }

    fn size_type_in(&mut self, node: &Node<Expression>) -> Option<Ty> {
        let ty: Res<QualTy> = match &node.node {
            Expression::SizeOfTy(name) => self.type_name(&name.node.0.node, self.at(node.span)),
            Expression::SizeOfVal(e) => self.type_of_expression(&e.node.0),
            Expression::Cast(cast) => return self.size_type_in(&cast.node.expression),
            Expression::BinaryOperator(b) => {
                let sums = [BinaryOperator::Multiply, BinaryOperator::Plus];
                let usable = sums.contains(&b.node.operator.node);
                let sides = usable.then_some([&b.node.lhs, &b.node.rhs]);
                return sides.into_iter().flatten().find_map(|side| self.size_type_in(side));
            }
            _ => return None,
        };
        Some(ty.ok()?.ty)
    }

    /// Handles the builtins whose types depend on their arguments.
    fn known_builtin(
        &mut self,
        name: &str,
        node: &CallExpression,
        span: Span,
    ) -> Option<Res<Operand>> {
        if let Some(result) = self.folded_builtin(name, &node.arguments, span) {
            return Some(result);
        }
        let shape = builtin::shape(name)?;
        Some(self.shaped_call(name, shape, &node.arguments, span))
    }
}
