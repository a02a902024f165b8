//! Expressions and references.

use taut_source::{Diagnostic, Span};

use super::{Binding, Checker, Remote, Variable};
use crate::ast::*;
use crate::codes;
use taut_source::nearest;

impl Checker<'_> {
    /// An expression; `probes` says whether `full(q)` and its like may stand here: SPIN allows them between
    /// `&&` and `||` of a whole condition only.
    pub(super) fn expr(&mut self, expr: &Expr, probes: bool) {
        taut_budget::tick();
        match &expr.kind {
            ExprKind::Reference(reference) => {
                self.reference(reference, false);
                self.no_value_of_underscore(reference);
            }
            ExprKind::Unary(_, inner) => self.expr(inner, false),
            ExprKind::Binary(operator, left, right) => {
                let probes = probes && matches!(operator, Binary::And | Binary::Or);
                self.expr(left, probes);
                self.expr(right, probes);
                self.compare_mtypes(*operator, left, right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|e| self.expr(e, false));
            }
            ExprKind::Run { name, arguments, .. } => {
                self.misplaced_run(expr.at.0);
                self.run(name, arguments);
            }
            ExprKind::Channel(query, channel) => {
                self.channel_reference(channel);
                if !probes && *query != ChannelQuery::Len {
                    self.misplaced_probe(*query, expr.at.0);
                }
            }
            ExprKind::Poll { channel, patterns, .. } => {
                self.channel_reference(channel);
                self.patterns(patterns, false);
            }
            ExprKind::Process(ProcessQuery::Enabled, process) => self.process(process),
            ExprKind::Process(_, process) => self.expr(process, false),
            ExprKind::RemoteLabel { proctype, process, label } => {
                self.remote(proctype, process.as_deref(), true, label);
            }
            ExprKind::RemoteVariable { proctype, process, variable } => {
                self.remote(proctype, process.as_deref(), false, &variable.name);
                if let Some(index) = &variable.index {
                    self.expr(index, false);
                }
            }
            ExprKind::Memory(op, arguments) => self.memory(*op, arguments, expr.at.0, false),
            _ => {}
        }
    }

    fn remote(&mut self, proctype: &Name, process: Option<&Expr>, label: bool, name: &Name) {
        if let Some(process) = process {
            self.expr(process, false);
        }
        let claims = |p: u32| self.symbols.proctypes[p as usize].name == ":never:";
        let from = self.process.filter(|&p| !claims(p));
        let own = from.is_some() && self.symbols.proctype(&proctype.text) == from;
        if label && own && !self.met.contains(&name.text) {
            return self.label_ahead(name);
        }
        let (proctype, name) = (proctype.clone(), name.clone());
        self.remotes.push(Remote { proctype, label, name, from });
    }

    /// Reports `run` inside of something larger.
    pub(super) fn misplaced_run(&mut self, span: Span) {
        self.report(
            Diagnostic::error(
                codes::RUN_PLACE,
                "`run` must be a statement or a whole right side",
                span,
            )
            .label("inside of something larger here")
            .help("store the process number first: `x = run P()`"),
        );
    }

    /// Reports a question about a channel that stands inside of something larger.
    fn misplaced_probe(&mut self, query: ChannelQuery, span: Span) {
        let opposite = match query {
            ChannelQuery::Full => "nfull",
            ChannelQuery::Empty => "nempty",
            ChannelQuery::Nfull => "full",
            _ => "empty",
        };
        let message = format!("`{}` cannot be part of a larger expression", query.text());
        self.report(
            Diagnostic::error(codes::PROBE, message, span)
                .label("only `&&` and `||` may stand around it")
                .help(format!("its opposite is `{opposite}`; `len(q)` can stand anywhere")),
        );
    }

    /// `run P(a, b)`
    pub(super) fn run(&mut self, name: &Name, arguments: &[Expr]) {
        arguments.iter().for_each(|a| self.argument(a));
        self.no_run_in_step(name.at.0);
        let mtypes = arguments.iter().map(|a| self.mtype_of(a).map(|set| (set, a.at.0)));
        let mtypes = mtypes.collect();
        self.runs.push((name.clone(), mtypes));
    }

    /// A value that may be a whole structure: of a send or a run.
    pub(super) fn argument(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Reference(reference) => {
                self.reference(reference, true);
                self.no_value_of_underscore(reference);
            }
            _ => self.expr(value, false),
        }
    }

    /// A memory operation; `statement` says whether it stands alone.
    pub(super) fn memory(&mut self, op: MemoryOp, arguments: &[Expr], span: Span, statement: bool) {
        if arguments.len() != op.arguments() {
            let (wanted, given) = (op.arguments(), arguments.len());
            let message = format!("`{}` takes {wanted} arguments, not {given}", op.text());
            self.report(Diagnostic::error(codes::ARGUMENTS, message, span).label("called here"));
        }
        if !statement && !op.has_value() {
            let message = format!("`{}` is a statement and has no value", op.text());
            self.report(
                Diagnostic::error(codes::MEMORY_CALL, message, span).label("used as a value here"),
            );
        }
        for (index, argument) in arguments.iter().enumerate() {
            match (op, index) {
                (MemoryOp::Svar | MemoryOp::View | MemoryOp::Drained, 0) => self.process(argument),
                _ => self.expr(argument, false),
            }
        }
    }

    /// The process that is asked about: `P`, `P[i]`, or a number.
    fn process(&mut self, argument: &Expr) {
        let ExprKind::Reference(reference) = &argument.kind else {
            return self.expr(argument, false);
        };
        let part = &reference.parts[0];
        let variable = self.scopes.iter().any(|s| s.contains_key(&part.name.text));
        match self.symbols.proctype(&part.name.text) {
            Some(number) if !variable => self.bind(reference, Binding::Proctype(number)),
            None if !variable && !PREDEFINED.contains(&part.name.text.as_str()) => {
                self.unknown_proctype(&part.name);
            }
            _ => return self.expr(argument, false),
        }
        if let Some(index) = &part.index {
            self.expr(index, false);
        }
    }

    /// The fields of a receive or a poll; those of a receive are stored in.
    pub(super) fn patterns(&mut self, patterns: &[Pattern], stored: bool) {
        for pattern in patterns {
            match pattern {
                Pattern::Reference(reference) => {
                    self.reference(reference, true);
                    if stored {
                        self.not_predefined(reference);
                    }
                }
                Pattern::Constant(value) | Pattern::Eval(value) => self.expr(value, false),
            }
        }
    }

    fn bind(&mut self, reference: &Reference, binding: Binding) {
        if let Some(slot) = self.symbols.bindings.get_mut(reference.id.0 as usize) {
            *slot = binding;
        }
    }

    /// Finds out what the first name of a reference means; reports if nothing.
    fn resolve(&mut self, reference: &Reference) -> Binding {
        let name = &reference.parts[0].name;
        let variable = self.scopes.iter().rev().find_map(|s| s.get(&name.text)).copied();
        let binding = match variable {
            Some(id) => Binding::Variable(id),
            None => match self.symbols.mtype(&name.text) {
                Some((set, value)) => Binding::Mtype { set, value },
                None => match PREDEFINED.iter().position(|p| *p == name.text) {
                    Some(which) => Binding::Predefined(which as u32),
                    None => Binding::Unknown,
                },
            },
        };
        if binding == Binding::Unknown {
            self.unknown(name);
        }
        self.bind(reference, binding);
        binding
    }

    /// Reports a name that means nothing here.
    fn unknown(&mut self, name: &Name) {
        let message = format!("there is no variable called `{}` here", name.text);
        let mut d =
            Diagnostic::error(codes::UNKNOWN_NAME, message, name.at.0).label("unknown name");
        let seen = self.scopes.iter().flat_map(|s| s.keys().map(String::as_str));
        let symbolic =
            self.symbols.mtypes.iter().flat_map(|m| m.names.iter().map(|(n, _)| n.as_str()));
        let near = nearest(&name.text, seen.chain(symbolic).chain(PREDEFINED.iter().copied()));
        let elsewhere = self.symbols.variables.iter().find(|v| v.name == name.text).map(|v| v.span);
        if self.symbols.proctype(&name.text).is_some() {
            d = d.help("this is a proctype: `P@label` and `P:variable` look into it");
        } else if let Some(span) = elsewhere {
            d = d.related(
                span,
                "declared here, in a block or process that does not reach this place",
            );
        } else if let Some(near) = near {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report(d);
    }

    /// A reference to a value; `structures` says whether it may be a whole structure.
    pub(super) fn reference(&mut self, reference: &Reference, structures: bool) {
        self.walk(reference, false);
        if structures {
            return;
        }
        if let Some(Type::User(name)) = self.type_of(reference) {
            let message = format!("a whole structure (`{}`) is no value", name.text);
            self.report(
                Diagnostic::error(codes::STRUCTURE_VALUE, message, reference.at.0)
                    .label("name one of its fields"),
            );
        }
    }

    /// A reference that may name a whole array.
    pub(super) fn reference_of_any_kind(&mut self, reference: &Reference) {
        self.walk(reference, true);
    }

    /// Goes along the parts of a reference and checks each.
    fn walk(&mut self, reference: &Reference, arrays: bool) {
        let binding = self.resolve(reference);
        for part in &reference.parts {
            if let Some(index) = &part.index {
                self.expr(index, false);
            }
        }
        let Binding::Variable(id) = binding else {
            if binding != Binding::Unknown {
                self.no_parts(reference);
            }
            return;
        };
        let mut variable = self.symbols.variable(id).clone();
        for (index, part) in reference.parts.iter().enumerate() {
            let last = index + 1 == reference.parts.len();
            self.indexed(part, &variable, arrays && last);
            if last {
                return;
            }
            match self.field(&variable, &reference.parts[index + 1].name) {
                Some(field) => variable = field,
                None => return,
            }
        }
    }

    /// Reports an index or a field of something that has none.
    fn no_parts(&mut self, reference: &Reference) {
        let first = &reference.parts[0];
        if first.index.is_none() && reference.parts.len() == 1 {
            return;
        }
        let message = format!("`{}` has no elements or fields", first.name.text);
        self.report(
            Diagnostic::error(codes::NOT_AN_ARRAY, message, reference.at.0)
                .label("used as if it had"),
        );
    }

    /// An index where the variable is an array, and only there.
    fn indexed(&mut self, part: &Part, variable: &Variable, arrays: bool) {
        let index = part.index.as_deref();
        let value = index.and_then(|i| self.constant(i));
        match (index, variable.size) {
            (None, Some(size)) if !arrays => self.report(
                Diagnostic::error(
                    codes::NEEDS_INDEX,
                    format!("`{}` is an array and needs an index", part.name.text),
                    part.name.at.0,
                )
                .label(format!("an array of {size}"))
                .related(variable.span, "declared here"),
            ),
            // SPIN reads `x[0]` of a scalar as x.
            (Some(index), None) if value != Some(0) => self.report(
                Diagnostic::error(
                    codes::NOT_AN_ARRAY,
                    format!("`{}` is no array", part.name.text),
                    index.at.0,
                )
                .label("an index of a plain variable")
                .related(variable.span, "declared here"),
            ),
            (Some(index), Some(size)) if value.is_some_and(|v| v < 0 || v as u32 >= size) => self
                .report(
                    // A run of the model ends with an error here; what is never reached does no harm.
                    Diagnostic::warning(
                        codes::INDEX_RANGE,
                        format!("`{}` has {size} elements", part.name.text),
                        index.at.0,
                    )
                    .label(format!("from 0 to {}", size - 1)),
                ),
            _ => {}
        }
    }

    /// A field of a structure; reports if there is none.
    fn field(&mut self, variable: &Variable, name: &Name) -> Option<Variable> {
        let fields = match &variable.ty {
            Type::User(ty) => {
                self.symbols.typedef(&ty.text).map(|t| t.fields.as_slice()).unwrap_or_default()
            }
            _ => &[],
        };
        if let Some(field) = fields.iter().find(|f| f.name == name.text) {
            return Some(field.clone());
        }
        let mut d = Diagnostic::error(
            codes::UNKNOWN_FIELD,
            format!("`{}` has no field `{}`", variable.name, name.text),
            name.at.0,
        )
        .label("unknown field")
        .related(variable.span, "declared here");
        if let Some(near) = nearest(&name.text, fields.iter().map(|f| f.name.as_str())) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report(d);
        None
    }

    /// The variable or field a checked reference ends in.
    fn end_of(&self, reference: &Reference) -> Option<Variable> {
        let Binding::Variable(id) = self.symbols.binding(reference) else { return None };
        let mut variable = self.symbols.variable(id);
        for part in &reference.parts[1..] {
            let Type::User(name) = &variable.ty else { return None };
            let fields = &self.symbols.typedef(&name.text)?.fields;
            variable = fields.iter().find(|f| f.name == part.name.text)?;
        }
        Some(variable.clone())
    }

    /// The type of a checked reference; none if it is no variable.
    pub(super) fn type_of(&self, reference: &Reference) -> Option<Type> {
        self.end_of(reference).map(|v| v.ty)
    }

    /// Whether a checked reference names a whole array.
    pub(super) fn is_array(&self, reference: &Reference) -> bool {
        let whole = reference.parts.last().is_some_and(|p| p.index.is_none());
        whole && self.end_of(reference).is_some_and(|v| v.size.is_some())
    }

    /// How many values an argument of a send is in a message.
    pub(super) fn width_of(&self, value: &Expr) -> usize {
        match &value.kind {
            ExprKind::Reference(r) => self.type_of(r).map_or(1, |t| self.symbols.width(&t)),
            _ => 1,
        }
    }

    /// A channel.
    pub(super) fn channel_reference(&mut self, reference: &Reference) {
        self.reference(reference, true);
        let ty = self.type_of(reference);
        let known = !matches!(self.symbols.binding(reference), Binding::Unknown);
        let unfinished = known && ty.is_none() && reference.parts.len() > 1;
        if !known || unfinished || ty.is_some_and(|t| t == Type::Chan) {
            return;
        }
        self.report(
            Diagnostic::error(codes::NEEDS_CHANNEL, "a channel is needed here", reference.at.0)
                .label("this is no channel"),
        );
    }

    /// Something that is assigned.
    pub(super) fn target(&mut self, reference: &Reference) {
        self.reference(reference, false);
        self.not_predefined(reference);
        if let Binding::Mtype { .. } = self.symbols.binding(reference) {
            let message = format!("`{}` is a symbolic name", reference.parts[0].name.text);
            self.report(
                Diagnostic::error(codes::NOT_ASSIGNABLE, message, reference.at.0)
                    .label("it cannot be assigned"),
            );
        }
    }

    /// Reports an assignment to `_pid` and its like; `_` takes everything and `_priority` may be set.
    fn not_predefined(&mut self, reference: &Reference) {
        let Binding::Predefined(which) = self.symbols.binding(reference) else { return };
        let name = PREDEFINED[which as usize];
        if matches!(name, "_" | "_priority") {
            return;
        }
        self.report(
            Diagnostic::error(
                codes::NOT_ASSIGNABLE,
                format!("`{name}` cannot be assigned"),
                reference.at.0,
            )
            .label("it is built in"),
        );
    }

    /// Something that is counted in: assigned, and no channel.
    pub(super) fn number_target(&mut self, reference: &Reference) {
        self.target(reference);
        if self.type_of(reference) == Some(Type::Chan) {
            self.report(
                Diagnostic::error(codes::CHANNEL_VALUE, "a channel is no number", reference.at.0)
                    .label("it cannot be counted"),
            );
        }
    }

    /// The set of symbolic names that a value is from.
    fn mtype_of(&self, value: &Expr) -> Option<Option<String>> {
        let ExprKind::Reference(reference) = &value.kind else { return None };
        match self.symbols.binding(reference) {
            Binding::Mtype { set, .. } => Some(self.symbols.mtypes[set as usize].name.clone()),
            _ => match self.type_of(reference)? {
                Type::Mtype(set) => Some(set.map(|s| s.text)),
                _ => None,
            },
        }
    }

    /// Reports a value of one named mtype given to a variable of another.
    pub(super) fn same_mtype(&mut self, ty: &Type, value: &Expr) {
        let (Type::Mtype(set), Some(other)) = (ty, self.mtype_of(value)) else { return };
        let set = set.as_ref().map(|s| s.text.clone());
        if set != other {
            self.mixed(set, other, value.at.0);
        }
    }

    /// Reports symbolic names of two sets that are compared.
    fn compare_mtypes(&mut self, operator: Binary, left: &Expr, right: &Expr) {
        if !matches!(operator, Binary::Equal | Binary::NotEqual) {
            return;
        }
        let (Some(one), Some(other)) = (self.mtype_of(left), self.mtype_of(right)) else { return };
        if one != other {
            self.mixed(one, other, right.at.0);
        }
    }

    pub(super) fn mixed(&mut self, one: Option<String>, other: Option<String>, span: Span) {
        let show = |set: Option<String>| set.map_or("mtype".into(), |s| format!("mtype:{s}"));
        let message = format!("`{}` and `{}` do not mix", show(one), show(other.clone()));
        self.report(
            Diagnostic::error(codes::MTYPE, message, span)
                .label(format!("this is of `{}`", show(other))),
        );
    }

    /// A formula. DIVERGENCE: SPIN has `full(q)` and its like beside no temporal operator.
    pub(super) fn formula(&mut self, formula: &Formula) {
        formula.leaves().for_each(|e| self.expr(e, true));
    }
}
