//! Expressions: parameters are replaced by their values, calls by what they stand for.

use taut_source::{Diagnostic, Span, shown};

use super::{Expand, Expander, Params, instance_name, unknown_template};
use crate::ast::{Expr, ExprKind, Name, Place};
use crate::codes;
use crate::parser::HIGHEST;
use crate::surface::{self, Call, ProcessRef};

impl Expander<'_, '_> {
    /// The plain form of an expression.
    pub(super) fn expr(&mut self, expr: &surface::Expr, params: &Params) -> Expand<Expr> {
        self.spend(expr.span)?;
        if self.depth >= HIGHEST {
            return self.too_deep(expr.span);
        }
        // Calls and their arguments count, too, so that an expression that uses itself comes to an end.
        self.depth += 1;
        let result = self.plain(expr, params);
        self.depth -= 1;
        result
    }

    fn plain(&mut self, expr: &surface::Expr, params: &Params) -> Expand<Expr> {
        use surface::ExprKind as Old;
        let span = expr.span;
        let kind = match &expr.kind {
            Old::Num(value) => ExprKind::Num(*value),
            Old::Bool(value) => ExprKind::Bool(*value),
            Old::Name(name) => match params.get(&name.text) {
                Some(&value) => return Ok(at(Expr::number(value), span)),
                None => match self.missing_index(name) {
                    Some(first) => ExprKind::Index(name.clone(), Box::new(first)),
                    None => ExprKind::Name(name.clone()),
                },
            },
            Old::Index(name, index) => {
                self.not_indexed(name, params)?;
                ExprKind::Index(name.clone(), self.boxed(index, params)?)
            }
            Old::Call(call) => return self.call(call, params),
            Old::State(process, state) => {
                ExprKind::State(self.process_ref(process, params)?, state.clone())
            }
            Old::Remote(process, variable, index) => {
                let process = self.process_ref(process, params)?;
                let index = match index {
                    Some(index) => Some(self.boxed(index, params)?),
                    None => None,
                };
                ExprKind::Remote(process, variable.clone(), index)
            }
            Old::Unary(op, a) => ExprKind::Unary(*op, self.boxed(a, params)?),
            Old::Binary(op, a, b) => {
                let a = self.boxed(a, params)?;
                ExprKind::Binary(*op, a, self.boxed(b, params)?)
            }
        };
        Ok(Expr { kind, span })
    }

    fn boxed(&mut self, expr: &surface::Expr, params: &Params) -> Expand<Box<Expr>> {
        Ok(Box::new(self.expr(expr, params)?))
    }

    fn too_deep<T>(&mut self, span: Span) -> Expand<T> {
        let message = format!("this expression nests more than {HIGHEST} operators");
        let found = Diagnostic::error(codes::TOO_DEEP, message, span).label("too deep here");
        self.refuse(found.help("does an expression with parameters use itself?"))
    }

    /// What a call of an expression stands for.
    fn call(&mut self, call: &Call, params: &Params) -> Expand<Expr> {
        if call.args.is_empty()
            && let Some(expr) = self.definitions.get(&call.name.text)
        {
            return Ok(expr.clone());
        }
        let Some(&found) = self.macros.get(call.name.text.as_str()) else {
            let known = self.macros.keys().copied();
            let unknown = unknown_template(&call.name, "expression with parameters", known);
            return self.refuse(unknown);
        };
        let values = self.arguments(call, found.params.len(), found.name.span, params)?;
        let names = found.params.iter().map(|p| p.name.text.clone());
        let inner = names.zip(values).collect();
        self.expr(&found.body, &inner)
    }

    /// The name of a process or of an instance of a template.
    pub(super) fn process_ref(&mut self, process: &ProcessRef, params: &Params) -> Expand<Name> {
        let call = match process {
            ProcessRef::Plain(name) => return Ok(name.clone()),
            ProcessRef::Instance(call) => call,
        };
        let template = self.templates.get(call.name.text.as_str()).copied();
        let values = match template {
            Some(template) => {
                let names = template.params.as_deref().unwrap_or(&[]);
                let keys = names.iter().filter(|p| p.key).count();
                let wanted = if keys == 0 { names.len() } else { keys };
                self.arguments(call, wanted, template.name.span, params)?
            }
            None => self.arguments(call, call.args.len(), call.span, params)?,
        };
        let text = instance_name(&call.name.text, values.into_iter());
        Ok(Name { text, span: call.span })
    }

    pub(super) fn place(&mut self, place: &surface::Place, params: &Params) -> Expand<Place> {
        let name = &place.name;
        if params.contains_key(&name.text) {
            let message = format!("the parameter {} cannot be assigned", shown(&name.text));
            let found = Diagnostic::error(codes::NOT_ASSIGNABLE, message, name.span);
            return self.refuse(found.label("a parameter is a constant"));
        }
        let index = match &place.index {
            Some(index) => Some(self.expr(index, params)?),
            None => self.missing_index(name),
        };
        Ok(Place { name: name.clone(), index, span: place.span })
    }

    /// The index 0, if this is an array that stands without one. DiVinE 2 takes an array's name for its
    /// first element, and BEEM's train-gate models rely on that.
    fn missing_index(&mut self, name: &Name) -> Option<Expr> {
        let (own, global) = (self.locals.is_array(&name.text), self.globals.is_array(&name.text));
        if own.or(global) != Some(true) {
            return None;
        }
        let message = format!("the array {} stands without an index", shown(&name.text));
        let found = Diagnostic::warning(codes::NEEDS_INDEX, message, name.span);
        let found = found.label("its first element is meant");
        self.diagnostics.push(found.help(format!("write `{}[0]`", name.text)));
        Some(at(Expr::number(0), name.span))
    }

    fn not_indexed(&mut self, name: &Name, params: &Params) -> Expand<()> {
        if !params.contains_key(&name.text) {
            return Ok(());
        }
        let message = format!("the parameter {} is no array", shown(&name.text));
        let found = Diagnostic::error(codes::NOT_AN_ARRAY, message, name.span);
        self.refuse(found.label("a parameter is a number"))
    }

    /// A declaration may not have the name of a parameter: every use of it would be ambiguous.
    pub(super) fn not_a_parameter(&mut self, name: &Name, params: &Params) -> Expand<()> {
        if !params.contains_key(&name.text) {
            return Ok(());
        }
        let message = format!("{} is a parameter already", shown(&name.text));
        let found = Diagnostic::error(codes::DECLARED_TWICE, message, name.span);
        self.refuse(found.label("declared once more"))
    }
}

/// A made-up expression, put where it stands for something.
fn at(expr: Expr, span: Span) -> Expr {
    let kind = match expr.kind {
        ExprKind::Unary(op, a) => ExprKind::Unary(op, Box::new(at(*a, span))),
        ExprKind::Binary(op, a, b) => {
            ExprKind::Binary(op, Box::new(at(*a, span)), Box::new(at(*b, span)))
        }
        kind => kind,
    };
    Expr { kind, span }
}
