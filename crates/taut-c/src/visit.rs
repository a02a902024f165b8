//! Walks over the typed program.

use crate::hir::{Argument, Block, Callee, Expr, ExprKind, Place, Stmt, StmtKind};

/// A direct part of a statement or an expression.
pub(crate) enum Part<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A place.
    Place(&'a Place),
    /// A block.
    Block(&'a Block),
}

impl Stmt {
    /// Visits the direct parts of a statement.
    pub(crate) fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        match &self.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => f(Part::Expr(e)),
            StmtKind::While(e, body) | StmtKind::DoWhile(body, e) | StmtKind::Switch(e, body) => {
                f(Part::Expr(e));
                f(Part::Block(body));
            }
            StmtKind::If(e, a, b) => {
                f(Part::Expr(e));
                f(Part::Block(a));
                f(Part::Block(b));
            }
            StmtKind::Block(body) => f(Part::Block(body)),
            StmtKind::Init(_, cells) => cells.iter().for_each(|(_, e)| f(Part::Expr(e))),
            StmtKind::For(begin, condition, step, body) => {
                f(Part::Block(begin));
                condition.iter().chain(step).for_each(|e| f(Part::Expr(e)));
                f(Part::Block(body));
            }
            StmtKind::ReturnStruct(p) => f(Part::Place(p)),
            StmtKind::Asm(asm) => {
                asm.inputs.iter().for_each(|(_, e)| f(Part::Expr(e)));
                asm.outputs.iter().for_each(|(_, p)| f(Part::Place(p)));
            }
            _ => {}
        }
    }
}

impl Expr {
    /// Visits the direct parts of an expression.
    pub(crate) fn parts<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Function(_) => {}
            ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::Step(p, ..) => f(Part::Place(p)),
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::CellOffset(a, _) => {
                f(Part::Expr(a));
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::PtrAdd(a, b)
            | ExprKind::PtrSub(a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b) => [a, b].into_iter().for_each(|e| f(Part::Expr(e))),
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| f(Part::Expr(e))),
            ExprKind::Comma(list) => list.iter().for_each(|e| f(Part::Expr(e))),
            ExprKind::Assign(p, e)
            | ExprKind::CompoundAssign(p, _, e, _)
            | ExprKind::PointerAssign(p, e) => {
                f(Part::Place(p));
                f(Part::Expr(e));
            }
            ExprKind::AssignStruct(a, b) => [a, b].into_iter().for_each(|p| f(Part::Place(p))),
            ExprKind::Call(callee, args, into) => {
                if let Callee::Pointer(pointer) = callee {
                    f(Part::Expr(pointer));
                }
                args.iter().filter_map(argument_part).for_each(&mut *f);
                into.iter().for_each(|p| f(Part::Place(p)));
            }
            ExprKind::Statements(statements, value) => {
                f(Part::Block(statements));
                value.iter().for_each(|e| f(Part::Expr(e)));
            }
        }
    }
}

fn argument_part(argument: &Argument) -> Option<Part<'_>> {
    match argument {
        Argument::Value(value) => Some(Part::Expr(value)),
        Argument::Struct(place) => Some(Part::Place(place)),
        Argument::Type(_) => None,
    }
}
