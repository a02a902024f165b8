//! Statements.

use lang_c::ast::{
    AsmStatement, BlockItem, Expression, ForInitializer, ForStatement, GnuExtendedAsmStatement,
    Label, LabeledStatement, Statement, SwitchStatement,
};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span};

use crate::hir::{Asm, Block, Expr, ExprKind, Stmt, StmtKind};
use crate::types::{IntTy, Ty};

use super::convert::promoted;
use super::expr::{Operand, after};
use super::float::{is_float, settled, without_value};
use super::{Body, Reported, Res, Sema, codes, literal};

/// The labels of a `switch`.
pub(super) struct Cases {
    ty: IntTy,
    seen: Vec<(i64, i64, Span)>,
    default: Option<Span>,
}

impl Sema<'_> {
    fn body(&mut self) -> Res<&mut Body> {
        self.body.as_mut().ok_or(Reported)
    }

    /// The statements of a block, in a scope of their own.
    pub(super) fn block(&mut self, items: &[Node<BlockItem>]) -> Block {
        self.scopes.enter();
        let mut out = Vec::new();
        self.block_items(items, &mut out);
        self.scopes.leave();
        out
    }

    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>], out: &mut Block) {
        for item in items {
            if self.messages.is_full() {
                return;
            }
            // A failure has left its message, and the next statement is looked at in any case.
            let _ = self.block_item(item, out);
        }
    }

    fn block_item(&mut self, item: &Node<BlockItem>, out: &mut Block) -> Res<()> {
        match &item.node {
            BlockItem::Declaration(d) => self.local_declaration(d, out),
            BlockItem::StaticAssert(a) => self.static_assert(a),
            BlockItem::Statement(s) => self.statement(s, out),
        }
    }

    /// A statement that is the body of another.
    fn inner(&mut self, node: &Node<Statement>) -> Res<Block> {
        self.scopes.enter();
        let mut out = Vec::new();
        let result = match &node.node {
            Statement::Compound(items) => {
                self.block_items(items, &mut out);
                Ok(())
            }
            _ => self.statement(node, &mut out),
        };
        self.scopes.leave();
        result.map(|()| out)
    }

    /// The head of a statement: up to the beginning of its body.
    fn head(&self, node: &Node<Statement>, body: &Node<Statement>) -> Span {
        self.at(lang_c::span::Span::span(node.span.start, body.span.start))
    }

    fn statement(&mut self, node: &Node<Statement>, out: &mut Block) -> Res<()> {
        taut_budget::tick();
        let span = self.at(node.span);
        self.deeper(span, |sema| sema.statement_inside(node, span, out))
    }

    fn statement_inside(&mut self, node: &Node<Statement>, span: Span, out: &mut Block) -> Res<()> {
        let (kind, span) = match &node.node {
            Statement::Labeled(labeled) => return self.labeled(labeled, out),
            Statement::Compound(items) => (StmtKind::Block(self.block(items)), span),
            Statement::Expression(None) => return Ok(()),
            Statement::Expression(Some(e)) => match basic_asm(&e.node) {
                Some(template) => (StmtKind::Asm(only_template(literal::text(template))), span),
                None => {
                    let operand = self.operand(e)?;
                    (StmtKind::Expr(self.discard(operand)?), span)
                }
            },
            Statement::If(s) => {
                let condition = self.condition(&s.node.condition)?;
                let then = self.inner(&s.node.then_statement)?;
                let otherwise = match &s.node.else_statement {
                    Some(e) => self.inner(e)?,
                    None => Vec::new(),
                };
                (StmtKind::If(condition, then, otherwise), self.head(node, &s.node.then_statement))
            }
            Statement::Switch(s) => (self.switch(&s.node)?, self.head(node, &s.node.statement)),
            Statement::While(s) => {
                let condition = self.condition(&s.node.expression)?;
                let body = self.loop_body(&s.node.statement)?;
                (StmtKind::While(condition, body), self.head(node, &s.node.statement))
            }
            Statement::DoWhile(s) => {
                let body = self.loop_body(&s.node.statement)?;
                let condition = self.condition(&s.node.expression)?;
                let head = lang_c::span::Span::span(s.node.statement.span.end, node.span.end);
                (StmtKind::DoWhile(body, condition), self.at(head))
            }
            Statement::For(s) => {
                self.scopes.enter();
                let kind = self.for_loop(&s.node);
                self.scopes.leave();
                (kind?, self.head(node, &s.node.statement))
            }
            Statement::Goto(name) => {
                (StmtKind::Goto(self.jump(&name.node.name, self.at(name.span))?), span)
            }
            Statement::Continue => (self.leave(StmtKind::Continue, span)?, span),
            Statement::Break => (self.leave(StmtKind::Break, span)?, span),
            Statement::Return(value) => return self.return_statement(value.as_deref(), span, out),
            Statement::Asm(asm) => (StmtKind::Asm(self.asm(&asm.node)?), span),
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    fn condition(&mut self, node: &Node<Expression>) -> Res<Expr> {
        let value = self.value(node)?;
        self.scalar(value)
    }

    fn loop_body(&mut self, node: &Node<Statement>) -> Res<Block> {
        self.body()?.loops += 1;
        let result = self.inner(node);
        self.body()?.loops -= 1;
        result
    }

    fn for_loop(&mut self, node: &ForStatement) -> Res<StmtKind> {
        let mut start = Vec::new();
        match &node.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(e) => {
                let operand = self.operand(e)?;
                let kind = StmtKind::Expr(self.discard(operand)?);
                start.push(Stmt { kind, span: self.at(e.span) });
            }
            ForInitializer::Declaration(d) => self.local_declaration(d, &mut start)?,
            ForInitializer::StaticAssert(a) => self.static_assert(a)?,
        }
        let condition = match &node.condition {
            Some(c) => Some(self.condition(c)?),
            None => None,
        };
        let step = match &node.step {
            Some(s) => {
                let operand = self.operand(s)?;
                Some(self.discard(operand)?)
            }
            None => None,
        };
        let body = self.loop_body(&node.statement)?;
        Ok(StmtKind::For(start, condition, step, body))
    }

    /// `break` or `continue`, if there is something to leave.
    fn leave(&mut self, kind: StmtKind, span: Span) -> Res<StmtKind> {
        let body = self.body()?;
        let inside =
            body.loops > 0 || (matches!(kind, StmtKind::Break) && !body.switches.is_empty());
        if inside {
            return Ok(kind);
        }
        let word = if matches!(kind, StmtKind::Break) { "break" } else { "continue" };
        Err(self.misplaced(&format!("`{word}` outside of a loop"), span))
    }

    fn misplaced(&mut self, message: &str, span: Span) -> Reported {
        let error = Diagnostic::error(codes::MISPLACED, message, span);
        self.mistake(
            error.label("cannot stand here").help("move it into the statement that it belongs to"),
        )
    }

    fn switch(&mut self, node: &SwitchStatement) -> Res<StmtKind> {
        let value = self.value(&node.expression)?;
        let value = self.scalar(value)?;
        let Ty::Int(int) = value.ty else {
            return Err(self.bad_conversion(&value.ty, &Ty::INT, value.span));
        };
        let value = self.promote(value)?;
        let cases = Cases { ty: promoted(int), seen: Vec::new(), default: None };
        self.body()?.switches.push(cases);
        let result = self.inner(&node.statement);
        self.body()?.switches.pop();
        Ok(StmtKind::Switch(value, result?))
    }

    fn labeled(&mut self, node: &Node<LabeledStatement>, out: &mut Block) -> Res<()> {
        let label = &node.node.label;
        let span = self.at(label.span);
        let kind = match &label.node {
            Label::Identifier(name) => self.label(&name.node.name, span).map(StmtKind::Label),
            Label::Case(e) => self.case(e, e, span),
            Label::CaseRange(range) => self.case(&range.node.low, &range.node.high, span),
            Label::Default => self.default(span),
        };
        // The statement behind a bad label is looked at all the same.
        if let Ok(kind) = kind {
            out.push(Stmt { kind, span });
        }
        self.statement(&node.node.statement, out)
    }

    fn case(
        &mut self,
        low: &Node<Expression>,
        high: &Node<Expression>,
        span: Span,
    ) -> Res<StmtKind> {
        let (low, high) = (self.constant_integer(low)?, self.constant_integer(high)?);
        let Some(cases) = self.body()?.switches.last_mut() else {
            return Err(self.misplaced("`case` outside of a `switch`", span));
        };
        let (low, high) = (cases.ty.wrap(low), cases.ty.wrap(high));
        let same = cases.seen.iter().find(|(l, h, _)| low <= *h && *l <= high);
        if let Some(&(_, _, first)) = same {
            return Err(self.twice(&format!("case {low}"), span, first));
        }
        cases.seen.push((low, high, span));
        Ok(StmtKind::Case(low, high))
    }

    fn default(&mut self, span: Span) -> Res<StmtKind> {
        let Some(cases) = self.body()?.switches.last_mut() else {
            return Err(self.misplaced("`default` outside of a `switch`", span));
        };
        match cases.default.replace(span) {
            None => Ok(StmtKind::Default),
            Some(first) => Err(self.twice("default", span, first)),
        }
    }

    fn return_statement(
        &mut self,
        value: Option<&Node<Expression>>,
        span: Span,
        out: &mut Block,
    ) -> Res<()> {
        let result = self.body()?.result.clone().unwrap_or(Ty::Void);
        let Some(node) = value else {
            out.push(Stmt { kind: StmtKind::Return(None), span });
            return Ok(());
        };
        let operand = self.operand(node)?;
        match (&result, operand) {
            (Ty::Struct(_), Operand::Place(effects, place)) if place.ty.ty == result => {
                self.not_atomic(&place)?;
                let effects = effects.into_iter();
                out.extend(effects.map(|e| Stmt { kind: StmtKind::Expr(e), span }));
                out.push(Stmt { kind: StmtKind::ReturnStruct(place), span });
            }
            (Ty::Void, operand) => {
                let e = self.discard(operand)?;
                out.push(Stmt { kind: StmtKind::Expr(e), span });
                out.push(Stmt { kind: StmtKind::Return(None), span });
            }
            (_, operand) => {
                let value = self.rvalue(operand)?;
                let value = settled(self.assignable(value, &result)?);
                out.push(Stmt { kind: StmtKind::Return(Some(value)), span });
            }
        }
        Ok(())
    }

    fn asm(&mut self, node: &AsmStatement) -> Res<Asm> {
        match node {
            AsmStatement::GnuBasic(template) => Ok(only_template(literal::text(&template.node))),
            AsmStatement::GnuExtended(asm) => self.extended_asm(asm),
        }
    }

    fn extended_asm(&mut self, asm: &GnuExtendedAsmStatement) -> Res<Asm> {
        let mut outputs = Vec::new();
        for output in &asm.outputs {
            let constraint = literal::text(&output.node.constraints.node);
            match self.operand(&output.node.variable_name)? {
                Operand::Place(_, place) => outputs.push((constraint, place)),
                Operand::Value(e) => {
                    return Err(
                        self.misplaced("an output of assembly that cannot be assigned", e.span)
                    );
                }
            }
        }
        let mut inputs = Vec::new();
        for input in &asm.inputs {
            let constraint = literal::text(&input.node.constraints.node);
            inputs.push((constraint, self.value(&input.node.variable_name)?));
        }
        let clobbers = asm.clobbers.iter().map(|c| literal::text(&c.node)).collect();
        Ok(Asm { template: literal::text(&asm.template.node), clobbers, outputs, inputs })
    }

    /// The statements and the value of a statement expression.
    pub(super) fn block_value(&mut self, items: &[Node<BlockItem>], span: Span) -> Res<Operand> {
        debug_assert!(self.body.is_some(), "statements stand in functions");
        let mut block = Vec::new();
        let last = match items.split_last() {
            Some((last, first)) => {
                self.block_items(first, &mut block);
                last
            }
            None => return Ok(statements(block, None, Ty::Void, span)),
        };
        let value = match &last.node {
            BlockItem::Statement(s) => match &s.node {
                Statement::Expression(Some(e)) => Some(self.operand(e)?),
                _ => None,
            },
            _ => None,
        };
        match value {
            None => {
                self.block_item(last, &mut block)?;
                Ok(statements(block, None, Ty::Void, span))
            }
            Some(Operand::Place(effects, place)) if matches!(place.ty.ty, Ty::Struct(_)) => {
                let to = self.temporary(place.ty.clone(), span)?;
                let copy = ExprKind::AssignStruct(to.clone(), place);
                let copy = after(effects, Expr { kind: copy, ty: Ty::Void, span });
                block.push(Stmt { kind: StmtKind::Expr(copy), span });
                let kind = ExprKind::Statements(block, None);
                Ok(Operand::Place(vec![Expr { kind, ty: Ty::Void, span }], to))
            }
            Some(operand) if is_float(&operand.ty().ty) => {
                let ty = operand.ty().ty;
                let value = self.discard(operand)?;
                block.push(Stmt { kind: StmtKind::Expr(value), span });
                let kind = ExprKind::Statements(block, None);
                let effect = Expr { kind, ty: Ty::Void, span };
                Ok(Operand::Value(without_value(vec![effect], ty, span)))
            }
            Some(operand) => {
                let value = self.rvalue(operand)?;
                let ty = value.ty.clone();
                Ok(statements(block, Some(value), ty, span))
            }
        }
    }
}

/// Assembly without operands.
fn only_template(template: String) -> Asm {
    Asm { template, clobbers: Vec::new(), outputs: Vec::new(), inputs: Vec::new() }
}

/// The template of `asm("…")`, which the parser takes for a call.
fn basic_asm(e: &Expression) -> Option<&[String]> {
    let Expression::Call(call) = e else { return None };
    let Expression::Identifier(name) = &call.node.callee.node else { return None };
    let [argument] = call.node.arguments.as_slice() else { return None };
    match &argument.node {
        Expression::StringLiteral(parts)
            if matches!(name.node.name.as_str(), "asm" | "__asm" | "__asm__") =>
        {
            Some(&parts.node)
        }
        _ => None,
    }
}

/// Statements with a value, as an operand.
fn statements(mut block: Block, value: Option<Expr>, ty: Ty, span: Span) -> Operand {
    // A value of type `void` is one statement more.
    let value = match value {
        Some(e) if ty == Ty::Void => {
            block.push(Stmt { span: e.span, kind: StmtKind::Expr(e) });
            None
        }
        other => other.map(Box::new),
    };
    Operand::Value(Expr { kind: ExprKind::Statements(block, value), ty, span })
}
