//! Declarators: the type of a name from the type in front of it.

use std::sync::Arc;

use lang_c::ast::{
    ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis, FunctionDeclarator,
    ParameterDeclaration, PointerQualifier, TypeName, TypeQualifier,
};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span};

use crate::types::{FunctionTy, QualTy, Ty, Unmodelled};

use super::spec::Specs;
use super::{MOST_CELLS, Res, Sema, codes};

/// What a declarator declares.
pub(super) struct Declared {
    /// The name; empty in a type name.
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) ty: QualTy,
    /// True for an array without a length.
    pub(super) open: bool,
    /// The parameters, if it declares a function.
    pub(super) params: Vec<Param>,
    /// Names of the parameters of a function in the old style.
    pub(super) old_style: Option<Vec<(String, Span)>>,
    /// True for a pointer that is itself `const`.
    pub(super) constant: bool,
}

/// A parameter of a function.
#[derive(Clone)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) ty: QualTy,
    pub(super) span: Span,
}

impl Sema<'_> {
    /// What a declarator declares, for a type in front of it. The first length of a parameter that is an array does not matter.
    pub(super) fn declarator(
        &mut self,
        base: QualTy,
        node: &Node<Declarator>,
        param: bool,
    ) -> Res<Declared> {
        let span = self.at(node.span);
        let start = Declared {
            name: String::new(),
            span,
            ty: base,
            open: false,
            params: Vec::new(),
            old_style: None,
            constant: false,
        };
        let declared = self.deeper(span, |sema| sema.derive(start, node, param))?;
        match self.height(&declared.ty.ty) > taut_source::DEEPEST {
            true => Err(self.too_deep(span)),
            false => Ok(declared),
        }
    }

    fn derive(&mut self, mut of: Declared, node: &Node<Declarator>, param: bool) -> Res<Declared> {
        if node.node.derived.len() > taut_source::DEEPEST as usize {
            return Err(self.too_deep(of.span));
        }
        let is_pointer = |d: &&Node<DerivedDeclarator>| {
            matches!(d.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_))
        };
        let derived = &node.node.derived;
        let pointers = derived.iter().filter(is_pointer);
        let suffixes = derived.iter().filter(|d| !is_pointer(d)).rev();
        let innermost = !matches!(node.node.kind.node, DeclaratorKind::Declarator(_));
        let mut left = derived.len();
        for step in pointers.chain(suffixes) {
            left -= 1;
            of.params.clear();
            of.old_style = None;
            self.derive_step(&mut of, step, param && innermost && left == 0)?;
        }
        match &node.node.kind.node {
            DeclaratorKind::Abstract => Ok(of),
            DeclaratorKind::Identifier(name) => {
                Ok(Declared { name: name.node.name.clone(), span: self.at(name.span), ..of })
            }
            DeclaratorKind::Declarator(inner) => {
                self.deeper(of.span, |sema| sema.derive(of, inner, param))
            }
        }
    }

    fn derive_step(
        &mut self,
        of: &mut Declared,
        step: &Node<DerivedDeclarator>,
        param: bool,
    ) -> Res<()> {
        let span = self.at(step.span);
        let base = std::mem::replace(&mut of.ty, Ty::Void.plain());
        of.constant = false;
        match &step.node {
            DerivedDeclarator::Pointer(qualifiers) => {
                of.ty = Ty::Pointer(Arc::new(base)).plain();
                self.qualify_pointer(of, qualifiers);
            }
            DerivedDeclarator::Block(_) => {
                of.ty = Ty::Unmodelled(Unmodelled { what: "a block", bytes: 8 }).plain();
            }
            DerivedDeclarator::Array(_) if param => of.ty = Ty::Pointer(Arc::new(base)).plain(),
            DerivedDeclarator::Array(array) => {
                (of.ty, of.open) = self.array_type(base, &array.node.size, span)?;
            }
            DerivedDeclarator::Function(f) => {
                of.params = self.parameters(&f.node)?;
                let params: Vec<_> = of.params.iter().map(|p| p.ty.ty.clone()).collect();
                let variadic = f.node.ellipsis == Ellipsis::Some || f.node.parameters.is_empty();
                let function = FunctionTy { result: base.ty, params, variadic };
                of.ty = Ty::Function(Arc::new(function)).plain();
            }
            DerivedDeclarator::KRFunction(names) => {
                let function = FunctionTy { result: base.ty, params: Vec::new(), variadic: true };
                of.ty = Ty::Function(Arc::new(function)).plain();
                let names = names.iter().map(|n| (n.node.name.clone(), self.at(n.span)));
                of.old_style = Some(names.collect());
            }
        }
        Ok(())
    }

    fn qualify_pointer(&mut self, of: &mut Declared, qualifiers: &[Node<PointerQualifier>]) {
        for qualifier in qualifiers {
            let PointerQualifier::TypeQualifier(q) = &qualifier.node else { continue };
            match q.node {
                TypeQualifier::Atomic => of.ty.atomic = true,
                TypeQualifier::Volatile => of.ty.volatile = true,
                TypeQualifier::Const => of.constant = true,
                _ => {}
            }
        }
    }

    /// An array of a type; true if it has no length.
    fn array_type(&mut self, element: QualTy, size: &ArraySize, span: Span) -> Res<(QualTy, bool)> {
        self.complete(&element.ty, span)?;
        let size = match size {
            ArraySize::Unknown | ArraySize::VariableUnknown => None,
            ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => {
                Some(self.array_length(e)?)
            }
        };
        let len = size.unwrap_or(0);
        Ok((Ty::Array(Arc::new(element), len).plain(), size.is_none()))
    }

    /// A refusal of an object that is too large.
    pub(super) fn too_large(&mut self, span: Span) -> super::Reported {
        let message = format!("an object of more than {MOST_CELLS} values");
        self.refuse(
            Diagnostic::error(codes::TOO_LARGE, message, span)
                .label("too large to be explored")
                .help("make the array smaller for the check, for example by a macro"),
        )
    }

    fn parameters(&mut self, function: &FunctionDeclarator) -> Res<Vec<Param>> {
        let mut params = Vec::new();
        for node in &function.parameters {
            let param = self.parameter(node)?;
            // `(void)` is no parameter.
            let void = param.ty.ty == Ty::Void && param.name.is_empty();
            if !(void && function.parameters.len() == 1) {
                params.push(param);
            }
        }
        Ok(params)
    }

    fn parameter(&mut self, node: &Node<ParameterDeclaration>) -> Res<Param> {
        let span = self.at(node.span);
        let specs = Specs::of(&node.node.specifiers);
        let (base, _) = self.base(&specs, span)?;
        let Some(declarator) = &node.node.declarator else {
            return Ok(Param { name: String::new(), ty: adjust(base), span });
        };
        let declared = self.declarator(base, declarator, true)?;
        Ok(Param { name: declared.name, ty: adjust(declared.ty), span: declared.span })
    }

    /// The type that a type name stands for.
    pub(super) fn type_name(&mut self, name: &TypeName, span: Span) -> Res<QualTy> {
        let specs = Specs::of_type(&name.specifiers);
        let (base, _) = self.base(&specs, span)?;
        match &name.declarator {
            None => Ok(base),
            Some(declarator) => Ok(self.declarator(base, declarator, false)?.ty),
        }
    }

    /// Like [`Sema::type_name`]; true if it is an array without a length.
    pub(super) fn open_type_name(&mut self, name: &TypeName, span: Span) -> Res<(QualTy, bool)> {
        let specs = Specs::of_type(&name.specifiers);
        let (base, open) = self.base(&specs, span)?;
        let Some(declarator) = &name.declarator else { return Ok((base, open)) };
        let declared = self.declarator(base, declarator, false)?;
        Ok((declared.ty, declared.open))
    }

    /// Objects of the type can be made: its size is known.
    pub(super) fn complete(&mut self, ty: &Ty, span: Span) -> Res<()> {
        let complete = match ty {
            Ty::Void | Ty::Function(_) => false,
            Ty::Struct(id) => self.structs()[id.0 as usize].fields.is_some(),
            Ty::Array(element, _) => return self.complete(&element.ty.clone(), span),
            Ty::Int(_) | Ty::Pointer(_) | Ty::Unmodelled(_) => true,
        };
        if complete { Ok(()) } else { Err(self.incomplete(ty, span)) }
    }

    /// A message about a type without a size.
    pub(super) fn incomplete(&mut self, ty: &Ty, span: Span) -> super::Reported {
        let message = format!("the size of `{}` is not known", self.spell(ty));
        self.mistake(
            Diagnostic::error(codes::INCOMPLETE, message, span)
                .label("incomplete type")
                .help("define the type before this place, or use a pointer to it"),
        )
    }
}

/// A parameter's type: arrays and functions are pointers.
pub(super) fn adjust(ty: QualTy) -> QualTy {
    match &ty.ty {
        Ty::Array(element, _) => Ty::Pointer(element.clone()).plain(),
        Ty::Function(_) => ty.ty.pointer().plain(),
        _ => ty,
    }
}

/// The name that a declarator declares.
pub(super) fn declared_name(node: &Declarator) -> Option<&str> {
    match &node.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
    }
}
