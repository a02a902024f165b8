//! The syntax tree as the parser leaves it, before templates are expanded.
//!
//! It differs from [`crate::ast`] in what DiVinE 3 adds for convenience: processes with parameters, their
//! instances, `for` and `if` around instances, expressions with parameters, and lengths and initial values
//! that are still to be computed. [`crate::expand`] turns it into the plain tree.

use taut_source::Span;

use crate::ast::{BinaryOp, Formula, Name, System, Type, UnaryOp};

/// A file.
pub(crate) struct File {
    pub items: Vec<Item>,
    pub system: Option<System>,
}

/// What may stand outside of processes.
pub(crate) enum Item {
    Variables(Vec<Variable>),
    Channels(Vec<Channel>),
    Process(Process),
    /// `property process P { .. }`
    PropertyProcess(Process),
    Expression(Macro),
    Formula(Formula),
    Instantiable(Instantiable),
}

/// What brings instances of templates into being.
pub(crate) enum Instantiable {
    /// `process P(1, 2);`
    Instance(Call),
    For(Box<For>),
    If(If),
}

/// `for (x : first .. last) { .. }`
pub(crate) struct For {
    pub variable: Name,
    pub first: Expr,
    pub last: Expr,
    pub body: Vec<Instantiable>,
    pub span: Span,
}

/// `if (c) { .. } else if (d) { .. } else { .. }`
pub(crate) struct If {
    pub branches: Vec<(Expr, Vec<Instantiable>)>,
    pub otherwise: Vec<Instantiable>,
}

/// `expression name(a, b) { e }`
pub(crate) struct Macro {
    pub name: Name,
    pub params: Vec<Param>,
    pub body: Expr,
    pub span: Span,
}

/// A parameter; the `key` ones make up the names of instances.
pub(crate) struct Param {
    pub name: Name,
    pub key: bool,
}

/// A name with arguments.
#[derive(Clone)]
pub(crate) struct Call {
    pub name: Name,
    pub args: Vec<Expr>,
    pub span: Span,
}

pub(crate) struct Variable {
    pub name: Name,
    pub constant: bool,
    pub ty: Type,
    pub length: Option<Expr>,
    pub initial: Option<Initial>,
    pub span: Span,
}

pub(crate) enum Initial {
    One(Expr),
    /// `{ a, b, .. }`
    Many(Vec<Expr>, Span),
}

pub(crate) struct Channel {
    pub name: Name,
    pub types: Option<Vec<Type>>,
    pub capacity: Option<Expr>,
    pub span: Span,
}

pub(crate) struct Process {
    pub name: Name,
    /// `None` for a plain process, which stands for itself.
    pub params: Option<Vec<Param>>,
    pub variables: Vec<Variable>,
    pub channels: Vec<Channel>,
    pub states: Vec<Name>,
    pub init: Option<Name>,
    pub accept: Vec<Name>,
    pub commit: Vec<Name>,
    pub asserts: Vec<Assertion>,
    pub transitions: Vec<Transition>,
    pub span: Span,
}

pub(crate) struct Assertion {
    pub state: Name,
    pub condition: Expr,
}

pub(crate) struct Transition {
    pub source: Name,
    pub target: Name,
    /// Several stand for their conjunction.
    pub guards: Vec<Expr>,
    pub sync: Option<Sync>,
    pub effects: Vec<(Place, Expr)>,
    pub span: Span,
    pub close: Span,
}

pub(crate) struct Sync {
    pub process: Option<ProcessRef>,
    pub channel: Name,
    pub message: Message,
    pub span: Span,
}

pub(crate) enum Message {
    Send(Vec<Expr>),
    Receive(Vec<Place>),
}

pub(crate) struct Place {
    pub name: Name,
    pub index: Option<Expr>,
    pub span: Span,
}

/// A process: `P`, or `P(1)` for an instance of a template.
#[derive(Clone)]
pub(crate) enum ProcessRef {
    Plain(Name),
    Instance(Call),
}

/// An expression; `span` covers the parentheses around it.
#[derive(Clone)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// How many expressions are nested in it.
    pub height: u32,
    pub parenthesised: bool,
}

#[derive(Clone)]
pub(crate) enum ExprKind {
    Num(i64),
    Bool(bool),
    Name(Name),
    Index(Name, Box<Expr>),
    /// An expression with parameters.
    Call(Call),
    State(ProcessRef, Name),
    Remote(ProcessRef, Name, Option<Box<Expr>>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

impl ProcessRef {
    pub(crate) fn span(&self) -> Span {
        match self {
            ProcessRef::Plain(name) => name.span,
            ProcessRef::Instance(call) => call.span,
        }
    }
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, span: Span) -> Expr {
        let tallest = |args: &[Expr]| args.iter().map(|a| a.height).max().unwrap_or(0);
        let of = |process: &ProcessRef| match process {
            ProcessRef::Plain(_) => 0,
            ProcessRef::Instance(call) => tallest(&call.args),
        };
        let below = match &kind {
            ExprKind::Num(_) | ExprKind::Bool(_) | ExprKind::Name(_) => 0,
            ExprKind::State(process, _) => of(process),
            ExprKind::Remote(process, _, index) => {
                of(process).max(index.as_ref().map_or(0, |i| i.height))
            }
            ExprKind::Index(_, a) | ExprKind::Unary(_, a) => a.height,
            ExprKind::Call(call) => tallest(&call.args),
            ExprKind::Binary(_, a, b) => a.height.max(b.height),
        };
        Expr { kind, span, height: below + 1, parenthesised: false }
    }
}
