//! Variables and channels with their lengths and initial values.

use taut_source::{Diagnostic, Span, shown};

use super::{Expand, Expander, MOST_CELLS, Params};
use crate::ast::{ChanDecl, Type, VarDecl};
use crate::codes;
use crate::surface::{Channel, Expr, Initial, Variable};

impl Expander<'_, '_> {
    pub(super) fn variable(&mut self, one: &Variable, params: &Params) -> Expand<VarDecl> {
        self.spend(one.span)?;
        self.not_a_parameter(&one.name, params)?;
        let length = match &one.length {
            Some(length) => {
                Some(self.length(length, 1, "an array has at least 1 element", params)?)
            }
            None => None,
        };
        self.spend_cells(length.unwrap_or(1).into(), one.span)?;
        let mut initial = self.initial(one, length, params)?;
        initial.resize(length.unwrap_or(1) as usize, 0);
        let Variable { name, constant, ty, span, .. } = one;
        let (name, constant, ty, span) = (name.clone(), *constant, *ty, *span);
        Ok(VarDecl { name, constant, ty, length, initial, span })
    }

    fn initial(
        &mut self,
        one: &Variable,
        length: Option<u32>,
        params: &Params,
    ) -> Expand<Vec<i64>> {
        let (values, listed): (&[Expr], _) = match &one.initial {
            None if one.constant => return self.no_value(one),
            None => return Ok(vec![]),
            Some(Initial::One(value)) => (std::slice::from_ref(value), None),
            Some(Initial::Many(values, span)) => (values, Some(*span)),
        };
        match (length, listed) {
            (None, Some(span)) => return self.refuse(list_for_scalar(span)),
            (Some(_), None) => return self.refuse(scalar_for_array(values[0].span)),
            _ => {}
        }
        let most = length.unwrap_or(1) as usize;
        if let Some(surplus) = values.get(most) {
            self.diagnostics.push(too_many(surplus.span, most, values.len()));
        }
        values.iter().take(most).map(|v| self.value(v, one.ty, params)).collect()
    }

    fn value(&mut self, expr: &Expr, ty: Type, params: &Params) -> Expand<i64> {
        let value = self.initial_value(expr, params)?;
        let (low, high) = ty.range();
        if (low..=high).contains(&value) {
            return Ok(value);
        }
        let message = format!("{value} is no value of the type `{}`", ty.keyword());
        let found = Diagnostic::error(codes::OUTSIDE_TYPE, message, expr.span);
        self.refuse(found.label(format!("the values are {low} to {high}")))
    }

    fn no_value<T>(&mut self, one: &Variable) -> Expand<T> {
        let message = format!("the constant {} has no value", shown(&one.name.text));
        let found = Diagnostic::error(codes::NO_VALUE, message, one.span);
        self.refuse(found.label("expected `= value`"))
    }

    /// A length or capacity, which is at least `least`.
    fn length(&mut self, expr: &Expr, least: i64, rule: &str, params: &Params) -> Expand<u32> {
        let value = self.constant(expr, params)?;
        if value >= least && value <= MOST_CELLS as i64 {
            return Ok(value as u32);
        }
        let message = format!("{value} is not a length that is allowed");
        let found = Diagnostic::error(codes::ARRAY_LENGTH, message, expr.span);
        let rule = if value < least { rule.into() } else { format!("at most {MOST_CELLS}") };
        self.refuse(found.label(rule))
    }

    pub(super) fn channel(&mut self, one: &Channel, params: &Params) -> Expand<ChanDecl> {
        self.spend(one.span)?;
        self.not_a_parameter(&one.name, params)?;
        let capacity = match &one.capacity {
            Some(size) => self.length(size, 0, "a capacity is at least 0", params)?,
            None => 0,
        };
        if one.types.is_none() && capacity > 0 {
            return self.refuse(untyped_buffer(one));
        }
        let fields = one.types.as_ref().map_or(0, Vec::len) as u64;
        self.spend_cells(fields * u64::from(capacity), one.span)?;
        let (name, types) = (one.name.clone(), one.types.clone());
        Ok(ChanDecl { name, types, capacity, span: one.span })
    }
}

fn list_for_scalar(span: Span) -> Diagnostic {
    let message = "only arrays have lists of initial values";
    Diagnostic::error(codes::NOT_AN_ARRAY, message, span).label("expected one value")
}

fn scalar_for_array(span: Span) -> Diagnostic {
    let message = "the initial values of an array stand in braces";
    let found = Diagnostic::error(codes::NEEDS_INDEX, message, span);
    found.label("expected a list").help("write `= {1, 2}`; missing elements are 0")
}

fn too_many(span: Span, length: usize, given: usize) -> Diagnostic {
    let message = format!("{given} initial values for {length} elements");
    let found = Diagnostic::warning(codes::SURPLUS, message, span);
    found.label("dropped, with all after it")
}

fn untyped_buffer(one: &Channel) -> Diagnostic {
    let message = "a channel that holds messages needs their types";
    let found = Diagnostic::error(codes::ARRAY_LENGTH, message, one.span).label("untyped");
    found.help(format!("write `channel {{int}} {}[1];`", one.name.text))
}
