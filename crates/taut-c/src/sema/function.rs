//! Functions: their declarations and definitions.

use std::sync::Arc;

use lang_c::ast::{
    Declaration, ExternalDeclaration, FunctionDefinition, Statement, TranslationUnit,
};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span};

use crate::hir::{Block, Function, FunctionId, Local};
use crate::types::{FunctionTy, Ty};

use super::declarator::{Declared, Param, adjust, declared_name};
use super::scope::Symbol;
use super::spec::Specs;
use super::unions::User;
use super::{Body, Object, Res, Sema, codes};

impl Sema<'_> {
    /// Notes the names of all functions with a body: calls before the definition need them.
    pub(super) fn note_definitions(&mut self, unit: &TranslationUnit) {
        for item in &unit.0 {
            let ExternalDeclaration::FunctionDefinition(f) = &item.node else { continue };
            let name = declared_name(&f.node.declarator.node);
            self.defined.extend(name.map(str::to_string));
        }
    }

    /// The type of a function as far as it is declared.
    pub(super) fn function_type(&self, id: FunctionId) -> Ty {
        let function = &self.unit.functions[id.0 as usize];
        let params = &function.locals[..function.params as usize];
        Ty::Function(Arc::new(FunctionTy {
            result: function.result.clone(),
            params: params.iter().map(|p| p.ty.ty.clone()).collect(),
            variadic: function.variadic,
        }))
    }

    /// Declares a function. The last declaration that says something about parameters counts, and a
    /// definition more than all.
    pub(super) fn declare_function(
        &mut self,
        name: &str,
        ty: &FunctionTy,
        params: &[Param],
        span: Span,
    ) -> Res<FunctionId> {
        let locals =
            params.iter().map(|p| Local { name: p.name.clone(), ty: p.ty.clone(), span: p.span });
        let function = Function {
            name: name.to_string(),
            result: ty.result.clone(),
            params: params.len() as u32,
            variadic: ty.variadic,
            locals: locals.collect(),
            body: None,
            refused: None,
            span,
        };
        let id = match self.scopes.in_file(name) {
            None => {
                self.unit.functions.push(function);
                FunctionId(self.unit.functions.len() as u32 - 1)
            }
            Some(&(Symbol::Function(id), _)) => {
                let known = &mut self.unit.functions[id.0 as usize];
                let says_nothing = params.is_empty() && ty.variadic;
                if known.body.is_none() && !says_nothing {
                    *known = function;
                }
                id
            }
            Some(&(_, first)) => return Err(self.twice(name, span, first)),
        };
        self.scopes.declare_in_file(name, Symbol::Function(id), span);
        if !self.scopes.at_file() {
            self.scopes.declare(name, Symbol::Function(id), span);
        }
        Ok(id)
    }

    /// Declares a function that is called without a declaration.
    pub(super) fn declare_implicitly(
        &mut self,
        name: &str,
        result: Ty,
        span: Span,
    ) -> Res<FunctionId> {
        let ty = FunctionTy { result, params: Vec::new(), variadic: true };
        self.declare_function(name, &ty, &[], span)
    }

    pub(super) fn function_definition(&mut self, node: &Node<FunctionDefinition>) -> Res<()> {
        let definition = &node.node;
        let specs = Specs::of(&definition.specifiers);
        let (base, _) = self.base(&specs, self.at(node.span))?;
        let declared = self.declarator(base, &definition.declarator, false)?;
        let Ty::Function(ty) = declared.ty.ty.clone() else {
            let message = format!("`{}` has a body but is no function", declared.name);
            let error = Diagnostic::error(codes::SPECIFIERS, message, declared.span);
            return Err(self
                .mistake(error.label("not a function").help("add its parameters in parentheses")));
        };
        let (ty, params) = self.defined_params(&ty, &declared, &definition.declarations)?;
        let id = self.declare_definition(&declared, &ty, &params)?;
        self.uses.user = User::Function(id);
        let (block, body) = self.function_body(&declared, &ty, &params, &definition.statement);
        self.uses.user = User::File;
        self.constants.retain(|object, _| matches!(object, Object::Global(_)));
        let function = &mut self.unit.functions[id.0 as usize];
        function.locals = body.locals;
        function.body = Some(block);
        function.refused = self.refused.take();
        Ok(())
    }

    /// Declares a function that has a body; there must be no other.
    fn declare_definition(
        &mut self,
        declared: &Declared,
        ty: &FunctionTy,
        params: &[Param],
    ) -> Res<FunctionId> {
        let id = self.declare_function(&declared.name, ty, params, declared.span)?;
        let function = &mut self.unit.functions[id.0 as usize];
        if function.body.is_some() {
            let first = function.span;
            return Err(self.twice(&declared.name, declared.span, first));
        }
        function.result = ty.result.clone();
        function.span = declared.span;
        Ok(id)
    }

    /// The type and parameters of a definition; those of the old style have their types in declarations of their own.
    fn defined_params(
        &mut self,
        ty: &FunctionTy,
        declared: &Declared,
        declarations: &[Node<Declaration>],
    ) -> Res<(FunctionTy, Vec<Param>)> {
        let Some(names) = &declared.old_style else {
            return Ok((ty.clone(), declared.params.clone()));
        };
        let mut params: Vec<Param> = Vec::new();
        for (name, span) in names {
            params.push(Param { name: name.clone(), ty: Ty::INT.plain(), span: *span });
        }
        for declaration in declarations {
            self.old_style(declaration, &mut params)?;
        }
        let types = params.iter().map(|p| p.ty.ty.clone()).collect();
        Ok((FunctionTy { result: ty.result.clone(), params: types, variadic: false }, params))
    }

    fn old_style(&mut self, node: &Node<Declaration>, params: &mut [Param]) -> Res<()> {
        let specs = Specs::of(&node.node.specifiers);
        let (base, _) = self.base(&specs, self.at(node.span))?;
        for declarator in &node.node.declarators {
            let declared = self.declarator(base.clone(), &declarator.node.declarator, true)?;
            match params.iter_mut().find(|p| p.name == declared.name) {
                Some(param) => param.ty = adjust(declared.ty),
                None => return Err(self.unknown_name(&declared.name, declared.span)),
            }
        }
        Ok(())
    }

    fn function_body(
        &mut self,
        declared: &Declared,
        ty: &FunctionTy,
        params: &[Param],
        statement: &Node<Statement>,
    ) -> (Block, Body) {
        let name = declared.name.clone();
        self.body = Some(Body { name, result: Some(ty.result.clone()), ..Body::default() });
        self.scopes.enter();
        for param in params {
            let id = self.new_local(&param.name, param.ty.clone(), param.span);
            if !param.name.is_empty() {
                self.scopes.declare(&param.name, Symbol::Local(id), param.span);
            }
        }
        let mut block = Vec::new();
        if let Statement::Compound(items) = &statement.node {
            self.block_items(items, &mut block);
        }
        self.scopes.leave();
        let body = self.body.take().unwrap_or_default();
        self.check_gotos(&body);
        (block, body)
    }
}
