//! Declarations.

use taut_source::{Diagnostic, Span};

use super::{Checker, MtypeSet, TypedefInfo, Variable, VariableId};
use crate::ast::*;
use crate::codes;

/// The most elements of an array.
const LARGEST_ARRAY: i32 = 1 << 20;
/// The most messages of a channel: SPIN keeps the number in a byte.
const LARGEST_CHANNEL: i32 = 255;

impl Checker<'_> {
    /// Where a name that can be seen here is declared.
    fn seen(&self, name: &str) -> Option<Span> {
        let variable = self.scopes.iter().rev().find_map(|s| s.get(name));
        if let Some(id) = variable {
            return Some(self.symbols.variable(*id).span);
        }
        self.inlines.get(name).copied()
    }

    /// Reports a name that is taken; whether it is free.
    pub(super) fn free(&mut self, name: &Name) -> bool {
        let taken = self.seen(&name.text);
        let symbolic = self.symbols.mtype(&name.text).is_some();
        let builtin = PREDEFINED.contains(&name.text.as_str());
        let typedef = self.symbols.typedef(&name.text).is_some();
        let proctype = self.symbols.proctype(&name.text);
        let proctype = proctype.map(|p| &self.symbols.proctypes[p as usize]);
        let before = proctype.filter(|p| p.span < name.at.0).map(|p| p.span);
        if taken.is_none() && !symbolic && !builtin && !typedef && before.is_none() {
            return true;
        }
        let message = match () {
            () if symbolic => format!("`{}` is a symbolic name of an mtype", name.text),
            () if builtin => format!("`{}` is built in", name.text),
            () if typedef => format!("`{}` is the name of a type", name.text),
            () => format!("`{}` is declared twice", name.text),
        };
        let mut d = Diagnostic::error(codes::DECLARED_TWICE, message, name.at.0)
            .label("declared again here");
        if let Some(first) = taken.or(before) {
            d = d.related(first, "first declared here");
        }
        if taken.is_some() {
            d = d.help("a name that can be seen cannot be declared again, even in an inner block");
        }
        self.report(d);
        false
    }

    /// Reports a proctype with the name of a variable before it.
    pub(super) fn free_of_variables(&mut self, name: &Name) {
        if let Some(first) = self.seen(&name.text) {
            self.report(
                Diagnostic::error(
                    codes::DECLARED_TWICE,
                    format!("`{}` is declared twice", name.text),
                    name.at.0,
                )
                .label("declared again here")
                .related(first, "first declared here"),
            );
        }
    }

    /// A declaration of variables or parameters.
    pub(super) fn variables(&mut self, variables: &Variables, parameter: bool) {
        self.mtype_set(&variables.ty);
        if !parameter {
            self.channel_at_start(variables);
        }
        for declarator in &variables.list {
            let mut variable = self.variable(variables, declarator);
            variable.parameter = parameter;
            if parameter
                && let Some(Initial::Value(value) | Initial::Channel { capacity: value, .. }) =
                    &declarator.initial
            {
                self.report(
                    Diagnostic::error(
                        codes::INITIALISER,
                        "a parameter has no initial value",
                        value.at.0,
                    )
                    .label("remove this"),
                );
            }
            self.initial(declarator, &mut variable);
            self.declare(&declarator.name, variable, declarator);
        }
    }

    /// Puts a variable into the innermost scope.
    fn declare(&mut self, name: &Name, variable: Variable, declarator: &Declarator) {
        if !self.free(name) {
            return;
        }
        let id = VariableId(self.symbols.variables.len() as u32);
        if let (Some(owner), true) = (self.process, variable.parameter) {
            self.symbols.proctypes[owner as usize].parameters.push(id);
        }
        if variable.size.is_none() {
            let value = match &declarator.initial {
                Some(Initial::Value(value)) => self.constant(value),
                _ => None,
            };
            if let Some(value) = value {
                self.constants.insert(id, value);
            }
        }
        self.symbols.variables.push(variable);
        self.scopes.last_mut().expect("the global scope").insert(name.text.clone(), id);
    }

    /// What a declarator declares, its initial value apart.
    fn variable(&mut self, variables: &Variables, declarator: &Declarator) -> Variable {
        let size = declarator.size.as_ref();
        let size =
            size.map(|size| self.size_of(size, LARGEST_ARRAY, "the size of an array") as u32);
        self.check_width(&variables.ty, declarator);
        self.hidden(variables, declarator);
        Variable {
            name: declarator.name.text.clone(),
            ty: variables.ty.clone(),
            size,
            width: declarator.width.and_then(|w| u32::try_from(w).ok()),
            owner: self.process,
            parameter: false,
            ghost: variables.ghost,
            visibility: variables.visibility,
            fields: None,
            message: None,
            span: declarator.name.at.0,
        }
    }

    /// The width of an `unsigned`, which nothing else has.
    fn check_width(&mut self, ty: &Type, declarator: &Declarator) {
        let unsigned = *ty == Type::Unsigned;
        let message = match declarator.width {
            None if unsigned => "an `unsigned` needs a width in bits",
            Some(_) if !unsigned => "only an `unsigned` has a width",
            Some(width) if !(1..=31).contains(&width) => "the width is from 1 to 31 bits",
            _ => return,
        };
        self.report(
            Diagnostic::error(codes::WIDTH, message, declarator.name.at.0)
                .label("this variable")
                .help(format!("write `unsigned {} : 3`", declarator.name.text)),
        );
    }

    /// The initial value of a declarator.
    fn initial(&mut self, declarator: &Declarator, variable: &mut Variable) {
        match &declarator.initial {
            None => {}
            Some(Initial::Value(value)) => {
                self.expr(value, false);
                if let ExprKind::Run { .. } = value.kind {
                    self.misplaced_run(value.at.0);
                }
                self.same_mtype(&variable.ty.clone(), value);
            }
            Some(Initial::List(values)) => self.initial_list(declarator, variable, values),
            Some(Initial::Channel { capacity, fields, at }) => {
                self.channel(capacity, fields);
                let widths = fields.iter().map(|f| self.symbols.width(f));
                variable.fields = Some(widths.fold(0, usize::saturating_add));
                variable.message = (self.constant(capacity) != Some(0)).then(|| fields.clone());
                if variable.ty != Type::Chan {
                    let message = format!("`{}` is no channel", declarator.name.text);
                    self.report(
                        Diagnostic::error(codes::INITIALISER, message, at.0)
                            .label("this makes a channel")
                            .help(format!("declare `chan {}`", declarator.name.text)),
                    );
                }
            }
        }
    }

    /// `{ 1, 2, 3 }` after an array.
    fn initial_list(&mut self, declarator: &Declarator, variable: &Variable, values: &[Expr]) {
        values.iter().for_each(|v| self.expr(v, false));
        let size = variable.size.unwrap_or(0) as usize;
        let span = values[0].at.0;
        let message = match () {
            () if variable.size.is_none() => format!("`{}` is no array", declarator.name.text),
            () if values.len() > size => format!("{} values for {size} elements", values.len()),
            () => return,
        };
        self.report(Diagnostic::error(codes::INITIALISER, message, span).label("too many values"));
    }

    /// The size and the types of a new channel.
    fn channel(&mut self, capacity: &Expr, fields: &[Type]) {
        self.expr(capacity, false);
        match self.constant(capacity) {
            Some(0..=LARGEST_CHANNEL) => {}
            Some(other) => self.report(
                Diagnostic::error(
                    codes::BAD_SIZE,
                    format!("a channel cannot hold {other} messages"),
                    capacity.at.0,
                )
                .label(format!("from 0 to {LARGEST_CHANNEL}")),
            ),
            None => self.report(
                Diagnostic::error(
                    codes::NOT_CONSTANT,
                    "the size of a channel must be a constant",
                    capacity.at.0,
                )
                .label("not a constant"),
            ),
        }
        for field in fields {
            self.mtype_set(field);
            if *field == Type::Unsigned {
                self.report(
                    Diagnostic::error(
                        codes::WIDTH,
                        "a message cannot have an `unsigned` field",
                        capacity.at.0,
                    )
                    .label("the messages of this channel")
                    .help("use `byte`, `short` or `int`"),
                );
            }
        }
    }

    /// Reports `mtype:set` of a set that nobody declared.
    fn mtype_set(&mut self, ty: &Type) {
        let Type::Mtype(Some(set)) = ty else { return };
        if self.symbols.mtypes.iter().any(|m| m.name.as_ref() == Some(&set.text)) {
            return;
        }
        // SPIN says nothing: the set may be declared later, or never be used.
        let message = format!("there is no mtype called `{}` yet", set.text);
        self.report(
            Diagnostic::warning(codes::MTYPE, message, set.at.0).label("not declared before this"),
        );
    }

    /// A user-defined type.
    pub(super) fn typedef(&mut self, typedef: &Typedef) {
        self.free(&typedef.name);
        if typedef.fields.is_empty() {
            let message = format!("the type `{}` has no fields", typedef.name.text);
            let d = Diagnostic::error(codes::EXPECTED, message, typedef.name.at.0);
            self.report(d.label("a structure needs a field"));
        }
        let mut fields: Vec<Variable> = Vec::new();
        for variables in &typedef.fields {
            for declarator in &variables.list {
                let mut field = self.variable(variables, declarator);
                self.initial(declarator, &mut field);
                if let Some(first) = fields.iter().find(|f| f.name == field.name).map(|f| f.span) {
                    let message = format!("the field `{}` is declared twice", field.name);
                    self.report(
                        Diagnostic::error(codes::DECLARED_TWICE, message, field.span)
                            .label("declared again here")
                            .related(first, "first declared here"),
                    );
                }
                fields.push(field);
            }
        }
        self.symbols.typedefs.push(TypedefInfo { name: typedef.name.text.clone(), fields });
    }

    /// Symbolic names: numbered backwards, after those the set has already.
    pub(super) fn mtype(&mut self, mtype: &Mtype) {
        for (index, name) in mtype.names.iter().enumerate() {
            if let Some(first) = mtype.names[..index].iter().find(|n| n.text == name.text) {
                let first = first.at.0;
                self.report(
                    Diagnostic::error(
                        codes::DECLARED_TWICE,
                        format!("`{}` stands twice in this mtype", name.text),
                        name.at.0,
                    )
                    .label("declared again here")
                    .related(first, "first declared here"),
                );
            } else {
                self.free(name);
            }
        }
        let set = mtype.set.as_ref().map(|s| s.text.clone());
        let at = self.symbols.mtypes.iter().position(|m| m.name == set);
        let at = at.unwrap_or_else(|| {
            self.symbols.mtypes.push(MtypeSet { name: set, names: Vec::new() });
            self.symbols.mtypes.len() - 1
        });
        let known = &mut self.symbols.mtypes[at].names;
        let base = known.len();
        let count = mtype.names.len();
        known.extend(
            mtype
                .names
                .iter()
                .enumerate()
                .map(|(i, n)| (n.text.clone(), (base + count - i) as i32)),
        );
        if base + count > 255 {
            let message = format!("an mtype has at most 255 names, not {}", base + count);
            let span = mtype.names[0].at.0;
            self.report(Diagnostic::error(codes::MTYPE, message, span).label("the first of them"));
        }
    }
}
