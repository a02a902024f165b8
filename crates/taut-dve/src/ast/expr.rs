//! Expressions and operators.

use taut_source::Span;

use super::Name;

/// An expression and where it stands. Parentheses are not kept; the printer writes those that are needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, with the parentheses around it.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number from 0 to 2147483647 ([`Expr::number`] makes negative ones).
    Num(i64),
    /// `true` is 1, `false` is 0.
    Bool(bool),
    /// A scalar variable or constant.
    Name(Name),
    /// An element of an array.
    Index(Name, Box<Expr>),
    /// `P.s`: 1 if process P is in location s, else 0.
    State(Name, Name),
    /// `P->v`, `P->a[e]`: a variable of another process.
    Remote(Name, Name, Option<Box<Expr>>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// An expression that stands in no file.
    pub fn new(kind: ExprKind) -> Expr {
        Expr { kind, span: Span::NONE }
    }

    /// A number that stands in no file; it must fit into 32 bits. A negative one is a number under a
    /// minus sign, as the language has it.
    pub fn number(value: i64) -> Expr {
        let num = |n| Expr::new(ExprKind::Num(n));
        match value {
            0.. => num(value),
            // The magnitude of the smallest 32-bit number is no 32-bit number.
            -2_147_483_648 => Expr::number(value + 1).binary(BinaryOp::Sub, num(1)),
            _ => num(-value).unary(UnaryOp::Neg),
        }
    }

    /// A scalar variable, standing in no file.
    pub fn name(text: impl Into<String>) -> Expr {
        Expr::new(ExprKind::Name(Name::new(text)))
    }

    /// `op self`
    #[must_use]
    pub fn unary(self, op: UnaryOp) -> Expr {
        let span = self.span;
        Expr { kind: ExprKind::Unary(op, Box::new(self)), span }
    }

    /// `self op right`
    #[must_use]
    pub fn binary(self, op: BinaryOp, right: Expr) -> Expr {
        let span =
            if self.span.file == right.span.file { self.span.to(right.span) } else { self.span };
        Expr { kind: ExprKind::Binary(op, Box::new(self), Box::new(right)), span }
    }

    /// The direct operands, indices among them.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Num(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::State(..) => {
                vec![]
            }
            ExprKind::Remote(_, _, index) => index.iter().map(|i| &**i).collect(),
            ExprKind::Index(_, a) | ExprKind::Unary(_, a) => vec![a],
            ExprKind::Binary(_, a, b) => vec![a, b],
        }
    }

    /// Visits this expression and all in it, outermost first.
    pub fn visit<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        f(self);
        for operand in self.operands() {
            operand.visit(f);
        }
    }
}

/// An operator with one operand; all bind tighter than every binary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-a`
    Neg,
    /// `~a`
    BitNot,
    /// `not a`: 1 if a is 0, else 0.
    Not,
}

/// An operator with two operands, loosest first. All are left-associative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `a imply b`; b is not computed if a is 0.
    Imply,
    /// `a or b`; b is not computed if a is not 0.
    Or,
    /// `a and b`; b is not computed if a is 0.
    And,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a & b`
    BitAnd,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a << b`
    Shl,
    /// `a >> b`
    Shr,
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, towards zero.
    Div,
    /// `a % b`, with the sign of a.
    Rem,
}

impl UnaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::BitNot => "~",
            UnaryOp::Not => "not",
        }
    }
}

impl BinaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Imply => "imply",
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::BitAnd => "&",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
        }
    }

    /// Whether DiVinE 2's grammar puts two operators on one level that differ in the C reading.
    pub(crate) fn shares_level_in_divine_2(self, other: BinaryOp) -> bool {
        let level = |op| match op {
            BinaryOp::And | BinaryOp::Or => Some(0),
            BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => Some(1),
            _ => None,
        };
        self != other && level(self).is_some() && level(self) == level(other)
    }

    /// How tightly it binds, from 1; the C reading.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Imply => 1,
            BinaryOp::Or => 2,
            BinaryOp::And => 3,
            BinaryOp::BitOr => 4,
            BinaryOp::BitXor => 5,
            BinaryOp::BitAnd => 6,
            BinaryOp::Eq | BinaryOp::Ne => 7,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 8,
            BinaryOp::Shl | BinaryOp::Shr => 9,
            BinaryOp::Add | BinaryOp::Sub => 10,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 11,
        }
    }
}
