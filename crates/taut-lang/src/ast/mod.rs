//! What was written: the syntax tree, close to the source, before any name is resolved.
//!
//! The formatter prints this tree and the printer of programs builds one, so it keeps everything a reader
//! would miss: parentheses, whether a block was written with words or braces, the order of items.

mod formula;

pub(crate) use formula::{Formula, FormulaKind};

use taut_ir::{BinaryOp, Mode, UnaryOp};
use taut_source::Span;

/// A name with its place. Backticks and escapes are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// A whole file.
#[derive(Debug)]
pub(crate) struct File {
    pub items: Vec<Item>,
    /// The end of the file.
    pub end: Span,
}

/// A declaration at the top level.
#[derive(Debug)]
pub(crate) struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

/// What is declared.
#[derive(Debug)]
pub(crate) enum ItemKind {
    /// `program "name";`
    Program(Name),
    /// `call_depth 8;`
    CallDepth(Expr),
    /// `const N = 2;`
    Const(Vec<(Name, Expr)>),
    /// Variables of any kind.
    Vars(VarDecl),
    /// `main p …`, `process p …`
    Process(ProcessItem),
    /// `procedure f …`
    Procedure(ProcedureItem),
    /// `process p graph …`
    Graph(GraphItem),
    /// `instance q = p(1);`, `slot q = p;`
    Instance(InstanceItem),
    /// `any p;`: there is any number of processes of a definition.
    Any(Which),
    /// `forbid`, `invariant`, `ltl`, `assertion`
    Property(PropertyItem),
}

/// How variables are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VarWord {
    Svar,
    Gvar,
    Shared,
    Ghost,
    Local,
}

/// Variables of one kind and type.
#[derive(Debug)]
pub(crate) struct VarDecl {
    pub word: VarWord,
    /// Absent after `Svar` and `Gvar`, which declare `int`s.
    pub ty: Option<TypeExpr>,
    pub list: Vec<Declarator>,
}

/// One variable of a declaration.
#[derive(Debug)]
pub(crate) struct Declarator {
    pub name: Name,
    pub len: Option<Expr>,
    pub init: Option<Init>,
}

/// Initial values.
#[derive(Debug)]
pub(crate) enum Init {
    /// One for everything.
    All(Expr),
    /// One for each element.
    List(Vec<Expr>, Span),
}

/// A type.
#[derive(Debug)]
pub(crate) enum TypeExpr {
    Int,
    Bool,
    Byte,
    Short,
    Long,
    /// `lo..hi`, or `wrap lo..hi`.
    Range {
        wrap: bool,
        bounds: Box<(Expr, Expr)>,
    },
}

/// A parameter; without a type it is an `int`.
#[derive(Debug)]
pub(crate) struct Param {
    pub ty: Option<TypeExpr>,
    pub name: Name,
    pub init: Option<Expr>,
}

/// `main p begin … end`, `process p[2](i) begin … end`
#[derive(Debug)]
pub(crate) struct ProcessItem {
    pub main: bool,
    pub name: Name,
    pub count: Option<Count>,
    pub params: Vec<Param>,
    pub body: Block,
}

/// The number of instances of a process.
#[derive(Debug)]
pub(crate) enum Count {
    /// `[2]`
    Number(Expr),
    /// `[*]`, with the place of the star.
    Any(Span),
}

/// `procedure f(n) begin … end`
#[derive(Debug)]
pub(crate) struct ProcedureItem {
    pub name: Name,
    pub params: Vec<Param>,
    pub body: Block,
}

/// A process by its graph.
#[derive(Debug)]
pub(crate) struct GraphItem {
    pub name: Name,
    pub params: Vec<Param>,
    pub locals: Vec<(VarDecl, Span)>,
    pub procedures: Vec<GraphProcedure>,
    pub entry: Option<Number>,
    pub sections: Vec<Section>,
    /// The word `graph`.
    pub word: Span,
    /// The closing `end`.
    pub end: Span,
}

/// A number after `#`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub value: u32,
    pub span: Span,
}

/// `procedure f(n; k) at #7;`
#[derive(Debug)]
pub(crate) struct GraphProcedure {
    pub name: Name,
    pub params: Vec<Base>,
    pub registers: Vec<Base>,
    pub entry: Number,
    pub span: Span,
}

/// A program point and steps that leave it: `#3 end atomic [cs]: …`
#[derive(Debug)]
pub(crate) struct Section {
    pub point: Number,
    pub end: bool,
    pub atomic: bool,
    pub labels: Vec<Name>,
    pub steps: Vec<GraphStep>,
    /// The line up to the colon.
    pub head: Span,
}

/// `when e locked do x := 1; goto #4;`
#[derive(Debug)]
pub(crate) struct GraphStep {
    pub guard: Option<Expr>,
    pub mode: Mode,
    pub effects: Vec<GraphEffect>,
    pub target: Target,
    pub span: Span,
}

/// An effect of a step.
#[derive(Debug)]
pub(crate) enum GraphEffect {
    /// The flag says whether the write is atomic.
    Assign(Vec<(bool, Reference)>, Vec<Expr>),
    Assert(Expr, Name),
    Sfence,
    Spawn(Which, Vec<Expr>),
}

/// A definition or procedure, by its name or, where that is not unique, by its number.
#[derive(Debug)]
pub(crate) enum Which {
    Name(Name),
    Number(Number),
}

/// Where a step of a graph goes.
#[derive(Debug)]
pub(crate) enum Target {
    Goto(Number),
    Call(Which, Vec<Expr>, Number),
    Return,
}

/// `instance q = p(1);`, `slot q = p;`
#[derive(Debug)]
pub(crate) struct InstanceItem {
    pub slot: bool,
    pub name: ProcessName,
    pub def: Which,
    pub args: Vec<Expr>,
}

/// `forbid NAME: e;`, `ltl NAME: f;`, `assertion NAME;`
#[derive(Debug)]
pub(crate) struct PropertyItem {
    pub name: Name,
    pub asked: Asked,
}

/// What a property asks.
#[derive(Debug)]
pub(crate) enum Asked {
    Forbid(Expr),
    Invariant(Expr),
    Ltl(Formula),
    /// What the `assert`s of that name ask.
    Assertion,
}

/// A process in a property: `p`, `p[1]`, `p#1`.
#[derive(Debug)]
pub(crate) struct ProcessName {
    pub base: Name,
    pub index: Option<ProcessIndex>,
    pub span: Span,
}

/// Which one of several.
#[derive(Debug)]
pub(crate) enum ProcessIndex {
    /// `p[1]`
    Instance(Box<Expr>),
    /// `p#1`
    Slot(u32),
}

/// Statements between two words or braces.
#[derive(Debug)]
pub(crate) struct Block {
    pub stmts: Vec<Stmt>,
    /// Written with braces instead of words.
    pub braces: bool,
    /// The word or brace that begins it.
    pub open: Span,
    /// The word or brace that ends it.
    pub end: Span,
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Stmt {
    pub labels: Vec<Name>,
    /// Marked with `end:`: a process may wait here for ever.
    pub may_end: bool,
    pub kind: StmtKind,
    pub span: Span,
}

/// What a statement does.
#[derive(Debug)]
pub(crate) enum StmtKind {
    /// Nothing, not even a step: a label at the end of a block.
    Nothing,
    Skip,
    /// `assume(e)`; the flag is set if it was written `await(e)`.
    Assume(Expr, bool),
    Assert(Expr, Option<Name>),
    Assign(Assign),
    Rmw(Rmw),
    /// `r := choose(lo..hi)`
    ChooseValue(Reference, Box<(Expr, Expr)>),
    Call(Name, Vec<Expr>),
    Return,
    Spawn(Name, Vec<Expr>),
    Fence,
    Sfence,
    Sync,
    AtomicBegin,
    AtomicEnd,
    Atomic(Block),
    Locked(Block),
    If(If),
    While(Expr, Block, Span),
    Loop(Block),
    Choose(Vec<Block>),
    Goto(Name),
    Break,
    Continue,
    Local(VarDecl),
}

/// `x, y := 1, 2`
#[derive(Debug)]
pub(crate) struct Assign {
    pub atomic: bool,
    pub places: Vec<Reference>,
    pub values: Vec<Expr>,
}

/// `r := cas(x, old, new)`
#[derive(Debug)]
pub(crate) struct Rmw {
    pub result: Option<Reference>,
    pub op: RmwOp,
    pub location: Reference,
    pub args: Vec<Expr>,
}

/// A read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RmwOp {
    Xchg,
    Cas,
    FetchAdd,
}

/// `if (a) then … elif (b) then … else … fi`
#[derive(Debug)]
pub(crate) struct If {
    /// Each condition with the span of its head, and what then happens.
    pub branches: Vec<(Expr, Span, Block)>,
    pub otherwise: Option<Block>,
}

/// A variable, perhaps an element of it.
#[derive(Debug)]
pub(crate) struct Reference {
    pub base: Base,
    pub index: Option<Box<Expr>>,
    pub span: Span,
}

/// What a reference starts with.
#[derive(Debug)]
pub(crate) enum Base {
    Name(Name),
    /// `f.n`: register n of procedure f.
    Member(Name, Name),
    /// `reg(3)`: a register by its number.
    Register(Number),
    /// `var(x)`: a variable although a register of the same name hides it.
    Variable(Name),
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// The height of the tree, bounded by the parser.
    pub height: u32,
}

/// What an expression computes.
#[derive(Debug)]
pub(crate) enum ExprKind {
    Int(i64),
    Bool(bool),
    Ref(Reference),
    Paren(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `view(P, x)`
    View(ProcessName, Reference),
    /// `P:r`
    LocalOf(ProcessName, Reference),
    /// `P@label`
    At(ProcessName, Name),
    /// `P@{#1, #2}`
    AtSet(ProcessName, Vec<Number>),
    /// `drained(P)`
    Drained(ProcessName),
    /// `enabled(P)`
    Enabled(ProcessName),
}

impl Expr {
    /// An expression as high as its highest operand and one more.
    pub(crate) fn new(kind: ExprKind, span: Span) -> Expr {
        let height = 1 + match &kind {
            ExprKind::Paren(a) | ExprKind::Unary(_, a) => a.height,
            ExprKind::Binary(_, a, b) => a.height.max(b.height),
            ExprKind::Cond(a, b, c) => a.height.max(b.height).max(c.height),
            ExprKind::Ref(r) | ExprKind::View(_, r) | ExprKind::LocalOf(_, r) => r.height(),
            _ => 0,
        };
        Expr { kind, span, height }
    }
}

impl Reference {
    fn height(&self) -> u32 {
        self.index.as_ref().map_or(0, |i| i.height)
    }
}

impl Base {
    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        match self {
            Base::Name(n) | Base::Variable(n) => n.span,
            Base::Member(f, n) => f.span.to(n.span),
            Base::Register(n) => n.span,
        }
    }
}

impl RmwOp {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            RmwOp::Xchg => "xchg",
            RmwOp::Cas => "cas",
            RmwOp::FetchAdd => "fetch_add",
        }
    }

    /// How many values it takes besides the location.
    pub(crate) fn arguments(self) -> usize {
        if self == RmwOp::Cas { 2 } else { 1 }
    }
}

impl StmtKind {
    /// Whether what follows in the same block can only be reached through a label. (A `loop` is decided
    /// by the lowering, which knows about `break`.)
    pub(crate) fn leaves(&self) -> bool {
        matches!(self, StmtKind::Goto(_) | StmtKind::Return | StmtKind::Break | StmtKind::Continue)
    }
}
