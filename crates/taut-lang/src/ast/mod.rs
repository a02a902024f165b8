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
    /// `include "locks.taut";`
    Include(Name),
    /// `call_depth 8;`
    CallDepth(Expr),
    /// `const N = 2;`, `const int squares[3] = {0, 1, 4};`
    Const(Option<TypeExpr>, Vec<Declarator>),
    /// `enum color { RED, GREEN = 4 };`
    Enum(EnumItem),
    /// `struct node { bool locked; 0..3 next; };`
    Struct(StructItem),
    /// `pool node[4];`
    Pool(Declarator),
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
    /// `forbid`, `cover`, `invariant`, `ltl`, `assertion`
    Property(PropertyItem),
}

/// `enum color { RED, GREEN = 4 };`
#[derive(Debug)]
pub(crate) struct EnumItem {
    /// Its name, which is a type.
    pub name: Option<Name>,
    pub members: Vec<(Name, Option<Expr>)>,
}

/// `struct node { bool locked; 0..3 next; };`
#[derive(Debug)]
pub(crate) struct StructItem {
    pub name: Name,
    /// The fields, each with its place.
    pub fields: Vec<(VarDecl, Span)>,
    /// The brace that begins them.
    pub open: Span,
    /// The brace that ends them.
    pub end: Span,
}

/// How variables are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VarWord {
    Svar,
    Gvar,
    Shared,
    Ghost,
    Local,
    /// No word: a local as C declares it, a field, or a constant.
    Bare,
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
    /// The length of each dimension.
    pub dims: Vec<Expr>,
    pub init: Option<Init>,
}

/// Initial values.
#[derive(Debug)]
pub(crate) enum Init {
    /// One for everything.
    All(Expr),
    /// One for each element or field.
    List(Vec<Init>, Span),
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
    /// The name of an `enum` or a `struct`.
    Named(Name),
    /// `ref node`: a record of a pool, or none.
    Ref(Name),
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
    Number(Box<Expr>),
    /// `[*]`, with the place of the star.
    Any(Span),
}

/// `procedure f(n) begin … end`, `int f(int n) { … }`
#[derive(Debug)]
pub(crate) struct ProcedureItem {
    pub head: ProcedureHead,
    pub name: Name,
    pub params: Vec<Param>,
    pub body: Block,
}

/// What stands before the name of a procedure.
#[derive(Debug)]
pub(crate) enum ProcedureHead {
    /// `procedure`
    Word,
    /// `void`
    Void,
    /// The type of its value.
    Type(TypeExpr),
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

/// `forbid NAME: e;`, `cover NAME: e;`, `ltl NAME: f;`, `assertion NAME;`
#[derive(Debug)]
pub(crate) struct PropertyItem {
    pub name: Name,
    pub asked: Asked,
}

/// What a property asks.
#[derive(Debug)]
pub(crate) enum Asked {
    Forbid(Expr),
    Cover(Expr),
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
    /// `free r`
    Free(Expr),
    /// `r := choose(lo..hi)`
    ChooseValue(Reference, Box<(Expr, Expr)>),
    /// The flag is set if it was written with the word `call`.
    Call(Name, Vec<Expr>, bool),
    Return(Option<Expr>),
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
    /// `do { … } while (e)`, with the place of the condition.
    DoWhile(Block, Expr, Span),
    For(Box<For>),
    Switch(Switch),
    Loop(Block),
    Choose(Vec<Block>),
    Goto(Name),
    /// Out of the innermost loop or `switch`, or out of the one with a label.
    Break(Option<Name>),
    Continue(Option<Name>),
    Local(VarDecl),
}

/// `for (i := 0; i < 3; i++) { … }`
#[derive(Debug)]
pub(crate) struct For {
    pub init: Option<Stmt>,
    pub condition: Option<Expr>,
    pub step: Option<Stmt>,
    pub body: Block,
    /// All before the body.
    pub head: Span,
}

/// `switch (e) { case 0: … default: … }`
#[derive(Debug)]
pub(crate) struct Switch {
    pub value: Expr,
    /// All before the brace.
    pub head: Span,
    pub open: Span,
    pub cases: Vec<Case>,
    /// The brace that ends it.
    pub end: Span,
}

/// What some values lead to.
#[derive(Debug)]
pub(crate) struct Case {
    pub labels: Vec<CaseLabel>,
    /// The statements up to the next case, into which control goes on.
    pub block: Block,
}

/// `case 1:`, `case 1..3:`, `default:`
#[derive(Debug)]
pub(crate) struct CaseLabel {
    /// The values; none for `default`.
    pub values: Option<(Expr, Option<Expr>)>,
    pub span: Span,
}

/// `x, y := 1, 2`, `x += 1`, `x++`
#[derive(Debug)]
pub(crate) struct Assign {
    pub atomic: bool,
    pub sign: AssignSign,
    pub places: Vec<Reference>,
    pub values: Vec<Expr>,
}

/// The sign of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssignSign {
    /// `:=`
    Set,
    /// `+=` and the like.
    With(BinaryOp),
    /// `++` and `--`, as `+=` and `-=` with the value 1.
    Step(BinaryOp),
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
    /// As `Cas`, with the old value as its result.
    CasOld,
    /// `fetch_add` and the like.
    Fetch(BinaryOp),
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
    /// Further indices and fields: `[2].next`.
    pub more: Vec<Selector>,
    pub span: Span,
}

/// A part of something.
#[derive(Debug)]
pub(crate) enum Selector {
    /// `[i]`
    Index(Expr),
    /// `.next`
    Field(Name),
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
    /// `cas(x, 0, 1)`
    Rmw(Box<Rmw>),
    /// `f(x, 1)`
    Call(Name, Vec<Expr>),
    /// `new node`
    New(Name),
}

impl Expr {
    /// An expression as high as its highest operand and one more.
    pub(crate) fn new(kind: ExprKind, span: Span) -> Expr {
        let height = 1 + match &kind {
            ExprKind::Paren(a) | ExprKind::Unary(_, a) => a.height,
            ExprKind::Binary(_, a, b) => a.height.max(b.height),
            ExprKind::Cond(a, b, c) => a.height.max(b.height).max(c.height),
            ExprKind::Ref(r) | ExprKind::View(_, r) | ExprKind::LocalOf(_, r) => r.height(),
            ExprKind::Rmw(rmw) => highest(&rmw.args).max(rmw.location.height()),
            ExprKind::Call(_, args) => highest(args),
            _ => 0,
        };
        Expr { kind, span, height }
    }
}

impl Expr {
    /// Calls a function with the expression and all in it.
    pub(crate) fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        match &self.kind {
            ExprKind::Paren(a) | ExprKind::Unary(_, a) => a.visit(f),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| e.visit(f)),
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| e.visit(f)),
            ExprKind::Ref(r) | ExprKind::View(_, r) | ExprKind::LocalOf(_, r) => {
                r.indices().for_each(|e| e.visit(f));
            }
            ExprKind::Rmw(rmw) => rmw.operands().for_each(|e| e.visit(f)),
            ExprKind::Call(_, args) => args.iter().for_each(|e| e.visit(f)),
            _ => {}
        }
    }

    /// Whether something happens in it besides loads: a read-modify-write, a call or `new`.
    pub(crate) fn acts(&self) -> bool {
        let mut acts = false;
        self.visit(&mut |e| {
            acts |= matches!(e.kind, ExprKind::Rmw(_) | ExprKind::Call(..) | ExprKind::New(_));
        });
        acts
    }
}

impl Rmw {
    /// The expressions in it, in order.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Expr> {
        let result = self.result.iter().flat_map(Reference::indices);
        self.location.indices().chain(&self.args).chain(result)
    }
}

impl Init {
    /// Calls a function with every value.
    pub(crate) fn visit<'i>(&'i self, f: &mut dyn FnMut(&'i Expr)) {
        match self {
            Init::All(value) => f(value),
            Init::List(values, _) => values.iter().for_each(|v| v.visit(f)),
        }
    }
}

impl Stmt {
    /// Whether it declares and does nothing.
    pub(crate) fn is_declaration(&self) -> bool {
        match &self.kind {
            StmtKind::Local(declared) => !declared.assigns(),
            _ => false,
        }
    }

    /// The blocks in it, in order.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::Atomic(block)
            | StmtKind::Locked(block)
            | StmtKind::While(_, block, _)
            | StmtKind::DoWhile(block, ..)
            | StmtKind::Loop(block) => vec![block],
            StmtKind::For(all) => vec![&all.body],
            StmtKind::Choose(blocks) => blocks.iter().collect(),
            StmtKind::Switch(all) => all.cases.iter().map(|case| &case.block).collect(),
            StmtKind::If(all) => {
                let yes = all.branches.iter().map(|(_, _, block)| block);
                yes.chain(&all.otherwise).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether something happens in an expression of it besides loads.
    pub(crate) fn acts(&self) -> bool {
        match &self.kind {
            StmtKind::Assume(e, _) | StmtKind::Assert(e, _) | StmtKind::Free(e) => e.acts(),
            StmtKind::Assign(assign) => {
                let places = assign.places.iter().flat_map(Reference::indices);
                places.chain(&assign.values).any(Expr::acts)
            }
            StmtKind::Rmw(rmw) => rmw.operands().any(Expr::acts),
            StmtKind::ChooseValue(place, _) => place.indices().any(Expr::acts),
            StmtKind::Call(_, args, _) | StmtKind::Spawn(_, args) => args.iter().any(Expr::acts),
            StmtKind::Return(value) => value.as_ref().is_some_and(Expr::acts),
            StmtKind::Local(declared) => {
                let mut acts = false;
                let inits = declared.list.iter().filter_map(|one| one.init.as_ref());
                inits.for_each(|init| init.visit(&mut |e| acts |= e.acts()));
                acts
            }
            _ => false,
        }
    }
}

impl VarDecl {
    /// Whether variables get their values when control comes to the declaration: C's `int r = x;`.
    pub(crate) fn assigns(&self) -> bool {
        self.word == VarWord::Bare && self.list.iter().any(|one| one.init.is_some())
    }
}

fn highest(exprs: &[Expr]) -> u32 {
    exprs.iter().map(|e| e.height).max().unwrap_or(0)
}

impl Reference {
    fn height(&self) -> u32 {
        self.indices().map(|i| i.height).max().unwrap_or(0)
    }

    /// All its indices, in order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = &Expr> {
        let more = self.more.iter().filter_map(|selector| match selector {
            Selector::Index(index) => Some(index),
            Selector::Field(_) => None,
        });
        self.index.as_deref().into_iter().chain(more)
    }
}

impl Switch {
    /// Whether every value leads to some case.
    pub(crate) fn has_default(&self) -> bool {
        self.cases.iter().flat_map(|case| &case.labels).any(|label| label.values.is_none())
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
            RmwOp::CasOld => "cas_old",
            RmwOp::Fetch(BinaryOp::Sub) => "fetch_sub",
            RmwOp::Fetch(BinaryOp::BitAnd) => "fetch_and",
            RmwOp::Fetch(BinaryOp::BitOr) => "fetch_or",
            RmwOp::Fetch(BinaryOp::BitXor) => "fetch_xor",
            RmwOp::Fetch(_) => "fetch_add",
        }
    }

    /// How many values it takes besides the location.
    pub(crate) fn arguments(self) -> usize {
        if self.compares() { 2 } else { 1 }
    }

    /// Whether it stores only if the old value is the expected one.
    pub(crate) fn compares(self) -> bool {
        matches!(self, RmwOp::Cas | RmwOp::CasOld)
    }
}

impl StmtKind {
    /// Whether it does nothing but go elsewhere.
    pub(crate) fn is_jump(&self) -> bool {
        self.leaves() && !matches!(self, StmtKind::Return(Some(_)))
    }

    /// Whether what follows in the same block can only be reached through a label. (A `loop` is decided
    /// by the lowering, which knows about `break`.)
    pub(crate) fn leaves(&self) -> bool {
        use StmtKind::{Break, Continue, Goto, Return};
        matches!(self, Goto(_) | Return(_) | Break(_) | Continue(_))
    }
}
