//! The syntax tree, after macros were expanded.
//!
//! The place of a token that a macro made is its place in the body of the macro; of a token that came as an argument, the
//! place of the parameter. So the place of a statement is where an edit of the text changes it.

use taut_source::Span;

/// A program.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) forbidden: Vec<Combination>,
    /// The word `forbidden`.
    pub(crate) forbidden_at: Option<Span>,
    pub(crate) data: Vec<Declaration>,
    pub(crate) processes: Vec<Process>,
}

/// Labels that must not be occupied at the same time, one entry per process.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    pub(crate) entries: Vec<Entry>,
    pub(crate) span: Span,
}

/// The label of one process; none for `*`.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
}

/// A name and its place. The name of a register is without its `$`.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A variable or a register.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    /// None for `*`.
    pub(crate) init: Option<(i64, Span)>,
    pub(crate) domain: Domain,
    pub(crate) span: Span,
}

/// The values that a variable or register can have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Domain {
    /// From the first to the second.
    Range(i64, i64),
    /// All integers.
    Integers(Span),
}

/// `process` with its declarations and its text.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// Number of copies.
    pub(crate) count: u32,
    pub(crate) data: Vec<Declaration>,
    pub(crate) registers: Vec<Declaration>,
    pub(crate) body: Vec<Stmt>,
    /// The word `process`, with the number.
    pub(crate) span: Span,
}

/// A statement with its label.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) label: Option<Name>,
    pub(crate) kind: StmtKind,
    /// Without the label.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Nop,
    /// `$r := e`
    Set(Name, Expr),
    Assume(Expr),
    /// `read: $r := loc`
    Load(Name, Loc),
    /// `read: loc = e`
    Await(Loc, Expr),
    Store(Store),
    /// `cas(loc, expected, new)`
    Cas(Loc, Expr, Expr),
    Fence(Fence),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    Goto(Name),
    Either(Vec<Vec<Stmt>>),
    Locked(Vec<Vec<Stmt>>),
    /// `{ … }`
    Block(Vec<Stmt>),
}

/// `write: loc := e`
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) place: Loc,
    pub(crate) value: Expr,
    /// `locked` or `slocked`
    pub(crate) is_locked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// `fence`
    Full,
    /// `ssfence`: stores before it reach memory before those after it.
    Store,
    /// `llfence`: loads are in order anyway.
    Load,
}

/// A place in memory.
#[derive(Clone, Debug)]
pub(crate) struct Loc {
    pub(crate) kind: LocKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum LocKind {
    /// `x`
    Global(String),
    /// `x[my]`
    Own(String),
    /// `x[k]`, of the k-th other process
    Other(String, u32),
    /// `[e]`, the e-th global variable
    Pointer(Expr),
}

/// A number or a condition: the grammar keeps them apart.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(i64),
    Register(String),
    Negated(Box<Expr>),
    Not(Box<Expr>),
    Binary(taut_ir::BinaryOp, Box<Expr>, Box<Expr>),
}

impl Stmt {
    /// Whether control never goes on to the next statement.
    pub(crate) fn leaves(&self) -> bool {
        match &self.kind {
            StmtKind::Goto(_) => true,
            StmtKind::Block(list) => list.last().is_some_and(Stmt::leaves),
            StmtKind::If(_, then, Some(otherwise)) => then.leaves() && otherwise.leaves(),
            StmtKind::Either(all) => all.iter().all(|list| list.last().is_some_and(Stmt::leaves)),
            _ => false,
        }
    }

    /// The statements directly in this one.
    pub(crate) fn children(&self) -> Vec<&Stmt> {
        match &self.kind {
            StmtKind::If(_, then, otherwise) => {
                std::iter::once(&**then).chain(otherwise.as_deref()).collect()
            }
            StmtKind::While(_, body) => vec![body],
            StmtKind::Either(all) | StmtKind::Locked(all) => all.iter().flatten().collect(),
            StmtKind::Block(list) => list.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Visits this statement and all in it.
    pub(crate) fn visit<'s>(&'s self, f: &mut impl FnMut(&'s Stmt)) {
        f(self);
        self.children().into_iter().for_each(|child| child.visit(f));
    }
}
