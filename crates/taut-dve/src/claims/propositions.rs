//! What names and conditions in formulas mean.
//!
//! A proposition is a name for a DVE expression: from `#define` of a file, or from `expression` of the model
//! (DiVinE 3). Expressions, of propositions or in formulas themselves, are read by the parser of models.
//! For it propositions are variables of one model more; then their expressions are put in their places. A
//! proposition may so use those defined before it, and be a part of a sum: `cs0 + cs1 > 1`.

use std::collections::HashMap;
use std::ops::Range;

use taut_ir::Atom;
use taut_ltl::{AtomId, Formula, MOST_BITS};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};

use super::codes;
use super::formula::Conditions;
use super::words::{Kind, Known, Word};
use crate::ast::{Expr, ExprKind, Model, Name, Type, UnaryOp, VarDecl};
use crate::lower::expr::{Scope, expr};
use crate::lower::names::Names;
use crate::print::print_expr;

/// The most nodes that a condition may have, with all propositions in their places.
const MOST_NODES: usize = 50_000;

/// The propositions of a file, or of none.
pub(super) struct Propositions<'m> {
    sources: &'m SourceMap,
    model: &'m Model,
    names: &'m Names<'m>,
    /// The model with the propositions as variables.
    extended: Model,
    defined: HashMap<String, (Expr, Span)>,
}

impl<'m> Propositions<'m> {
    /// Those of the model itself.
    pub(super) fn new(
        sources: &'m SourceMap,
        model: &'m Model,
        names: &'m Names<'m>,
    ) -> Propositions<'m> {
        let extended = model.clone();
        let mut all = Propositions { sources, model, names, extended, defined: HashMap::new() };
        for definition in &model.expressions {
            all.insert(&definition.name.text, definition.expr.clone(), definition.span);
        }
        all
    }

    /// From here on a name is this proposition. One that is a variable of the model was that so far, and in
    /// the condition itself, as with macros: `#define go (go == 1)`.
    fn insert(&mut self, name: &str, expr: Expr, span: Span) {
        let variable = VarDecl {
            name: Name { text: name.into(), span },
            constant: false,
            ty: Type::Int,
            length: None,
            initial: vec![0],
            span,
        };
        match self.extended.globals.iter_mut().find(|v| v.name.text == name) {
            Some(known) => *known = variable,
            None => self.extended.globals.push(variable),
        }
        self.defined.insert(name.into(), (expr, span));
    }

    /// `#define NAME e`
    pub(super) fn define(
        &mut self,
        file: FileId,
        name: Range<usize>,
        body: Range<usize>,
    ) -> Result<(), Diagnostics> {
        let text = &self.sources.file(file).text()[name.clone()];
        let span = Span::new(file, name);
        let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_name || !text.chars().all(super::lines::is_word) {
            let message = "a proposition needs a name of letters, digits and `_`";
            let found = Diagnostic::error(codes::BAD_DEFINITION, message, span);
            return Err(found.label("expected `#define NAME condition`").into());
        }
        if body.is_empty() {
            let message = format!("the proposition `{text}` has no condition");
            let found = Diagnostic::error(codes::BAD_DEFINITION, message, span.after());
            return Err(found.label("expected a condition, such as `P.critical`").into());
        }
        let first = self.defined.get(text).map(|(_, first)| *first);
        let first = first.or_else(|| self.model.process(text).map(|p| p.name.span));
        if let Some(first) = first {
            let message = format!("`{text}` means something already");
            let found = Diagnostic::error(codes::DEFINED_TWICE, message, span);
            return Err(found.label("defined again here").related(first, "first here").into());
        }
        let expr = self.expression(file, body);
        // One that is wrong is known all the same: that it is unknown would be an echo.
        let meant = expr.as_ref().cloned().unwrap_or_else(|_| Expr::number(0));
        self.insert(text, meant, span);
        expr.map(|_| ())
    }

    /// The expression that is a part of a file, with all propositions in their places.
    pub(super) fn expression(
        &self,
        file: FileId,
        range: Range<usize>,
    ) -> Result<Expr, Diagnostics> {
        let expr = crate::read::expression(self.sources, file, range.clone(), &self.extended)?;
        let mut left = MOST_NODES;
        self.substituted(&expr, &mut left).ok_or_else(|| {
            let message = "with all propositions in their places this becomes too long";
            let span = Span::new(file, range);
            Diagnostic::error(codes::BAD_DEFINITION, message, span).label("too long").into()
        })
    }

    /// An expression with all propositions in their places; `None` if it becomes too large.
    fn substituted(&self, e: &Expr, left: &mut usize) -> Option<Expr> {
        *left = left.checked_sub(1)?;
        if let ExprKind::Name(name) = &e.kind
            && let Some((meant, _)) = self.defined.get(&name.text)
        {
            let mut size = 0;
            meant.visit(&mut |_| size += 1);
            *left = left.checked_sub(size)?;
            return Some(Expr { span: e.span, ..meant.clone() });
        }
        let mut boxed = |e: &Expr| self.substituted(e, left).map(Box::new);
        let kind = match &e.kind {
            ExprKind::Index(name, index) => ExprKind::Index(name.clone(), boxed(index)?),
            ExprKind::Remote(process, name, Some(index)) => {
                ExprKind::Remote(process.clone(), name.clone(), Some(boxed(index)?))
            }
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, boxed(a)?),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a)?, boxed(b)?),
            other => other.clone(),
        };
        Some(Expr { kind, span: e.span })
    }

    /// What an expression is in the program, as somebody sees it who looks at memory.
    pub(super) fn lowered(&self, e: &Expr) -> Result<taut_ir::Expr, Box<Diagnostic>> {
        expr(self.names, Scope::Memory { process: None }, e)
    }

    pub(super) fn text(&self, file: FileId, range: Range<usize>) -> &'m str {
        self.sources.text(Span::new(file, range))
    }
}

impl Known for Propositions<'_> {
    fn is_known(&self, name: &str) -> bool {
        self.extended.global(name).is_some() || self.is_process(name)
    }

    fn is_process(&self, name: &str) -> bool {
        self.model.process(name).is_some()
    }

    fn names(&self) -> Vec<&str> {
        let variables = self.extended.globals.iter().map(|v| v.name.text.as_str());
        variables.chain(self.model.processes.iter().map(|p| p.name.text.as_str())).collect()
    }
}

/// The conditions of one formula, numbered.
pub(super) struct Atoms<'p, 'm> {
    pub propositions: &'p Propositions<'m>,
    pub file: FileId,
    pub list: Vec<Atom>,
    /// What the expressions' own messages said.
    pub told: Diagnostics,
}

impl Atoms<'_, '_> {
    fn expression(&mut self, words: &[Word]) -> Result<Expr, Box<Diagnostic>> {
        let at = words[0].at.start..words[words.len() - 1].at.end;
        if let [process, sign, state] = words
            && (process.kind, state.kind) == (Kind::Word, Kind::Quoted)
        {
            let is_there = self.location(process, state, at.clone());
            match self.propositions.text(self.file, sign.at.clone()) {
                "==" => return is_there,
                "!=" => return is_there.map(|e| e.unary(UnaryOp::Not)),
                _ => {}
            }
        }
        let inside = match words {
            [quoted] if quoted.kind == Kind::Quoted => at.start + 1..at.end - 1,
            _ => at,
        };
        self.propositions.expression(self.file, inside).map_err(|told| self.passed_on(told))
    }

    /// The first of several messages; the others are kept.
    fn passed_on(&mut self, told: Diagnostics) -> Box<Diagnostic> {
        let first = told.iter().next().cloned();
        self.told.extend(told);
        let none = || Diagnostic::error(codes::BAD_FORMULA, "not a condition", Span::NONE);
        Box::new(first.unwrap_or_else(none))
    }

    /// `P == "s"`, as LTSmin writes `P.s`.
    fn location(
        &self,
        process: &Word,
        state: &Word,
        at: Range<usize>,
    ) -> Result<Expr, Box<Diagnostic>> {
        let name = |at: Range<usize>| {
            let text = self.propositions.text(self.file, at.clone()).into();
            Name { text, span: Span::new(self.file, at) }
        };
        let (process, state) =
            (name(process.at.clone()), name(state.at.start + 1..state.at.end - 1));
        let Some(owner) = self.propositions.model.process(&process.text) else {
            let message = "only a process can be compared with the name of a location";
            let found = Diagnostic::error(codes::BAD_FORMULA, message, process.span);
            return Err(Box::new(found.label("no process")));
        };
        if owner.state(&state.text).is_none() {
            let message = format!("the process `{process}` has no location `{state}`");
            let found = Diagnostic::error(crate::codes::UNKNOWN_LOCATION, message, state.span);
            let found = found.label("unknown");
            let meant = nearest(&state.text, owner.states.iter().map(|s| s.text.as_str()));
            return Err(Box::new(match meant {
                Some(meant) => found.help(format!("did you mean `{meant}`?")),
                None => found,
            }));
        }
        Ok(Expr { kind: ExprKind::State(process, state), span: Span::new(self.file, at) })
    }

    fn numbered(
        &mut self,
        expr: taut_ir::Expr,
        text: String,
        span: Span,
    ) -> Result<Formula, Box<Diagnostic>> {
        match expr {
            taut_ir::Expr::Const(0) => return Ok(Formula::False),
            taut_ir::Expr::Const(_) => return Ok(Formula::True),
            _ => {}
        }
        if let Some(known) = self.list.iter().position(|a| a.expr == expr) {
            return Ok(Formula::Atom(AtomId(known as u32)));
        }
        if self.list.len() == MOST_BITS {
            let message = format!("this formula has more than {MOST_BITS} different conditions");
            let found = Diagnostic::error(codes::TOO_LARGE, message, span).label("one too many");
            return Err(Box::new(found.help("make several properties of it")));
        }
        self.list.push(Atom { expr, text });
        Ok(Formula::Atom(AtomId(self.list.len() as u32 - 1)))
    }
}

impl Conditions for Atoms<'_, '_> {
    fn condition(&mut self, words: &[Word]) -> Result<Formula, Box<Diagnostic>> {
        let expr = self.expression(words)?;
        let at = words[0].at.start..words[words.len() - 1].at.end;
        let lowered = self.propositions.lowered(&expr)?;
        let text = match words.iter().any(|w| w.kind == Kind::Quoted) {
            true => print_expr(&expr),
            false => super::one_line(self.propositions.text(self.file, at.clone())),
        };
        self.numbered(lowered, text, Span::new(self.file, at))
    }
}
