//! The syntax tree of a model.
//!
//! Two trees are equal if they say the same: places ([`At`]) and references ([`RefId`]) are left out of the
//! comparison, so that what is printed can be compared with what was read.

use taut_source::Span;

/// A place in a source file; all places are equal.
#[derive(Clone, Copy, Debug)]
pub struct At(pub Span);

impl At {
    /// No place: for trees that are built, not read.
    pub const NONE: At = At(Span::NONE);
}

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl Eq for At {}

/// The number of a reference to a name, by which [`crate::Symbols::binding`] tells what it refers to; all are
/// equal.
#[derive(Clone, Copy, Debug)]
pub struct RefId(pub u32);

impl PartialEq for RefId {
    fn eq(&self, _: &RefId) -> bool {
        true
    }
}

impl Eq for RefId {}

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub at: At,
}

impl Name {
    /// A name that stands nowhere.
    pub fn new(text: impl Into<String>) -> Name {
        Name { text: text.into(), at: At::NONE }
    }
}

/// A whole model, its parts in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The parts.
    pub items: Vec<Item>,
}

/// A part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `proctype`.
    Proctype(Proctype),
    /// `init`.
    Init(Init),
    /// A `never` claim.
    Never(Never),
    /// An `ltl` formula.
    Ltl(Ltl),
    /// A `trace` or `notrace` assertion.
    Trace(Trace),
    /// A user-defined type.
    Typedef(Typedef),
    /// Global variables.
    Variables(Variables),
    /// Symbolic names.
    Mtype(Mtype),
    /// An inline definition; its calls hold what it expands to.
    Inline(Inline),
}

/// The number of processes that start by themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Active {
    /// `active`
    One,
    /// `active [n]`
    Number(Expr),
    /// `active [*]`: any number. Taut's own; SPIN has no such thing.
    Any,
}

/// `proctype P(byte a; chan b) priority 2 provided (e) { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proctype {
    /// Its name.
    pub name: Name,
    /// Number of those that start by themselves.
    pub active: Option<Active>,
    /// Whether it is a `D_proctype`.
    pub deterministic: bool,
    /// The parameters.
    pub parameters: Vec<Variables>,
    /// The priority.
    pub priority: Option<i32>,
    /// The condition under which it may move.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Sequence,
}

/// `init priority 2 { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// Where the word `init` stands.
    pub at: At,
    /// The priority.
    pub priority: Option<i32>,
    /// What it does.
    pub body: Sequence,
}

/// `never name { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Never {
    /// Where the word `never` stands.
    pub at: At,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The claim.
    pub body: Sequence,
}

/// `trace { … }` or `notrace { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Where the word stands.
    pub at: At,
    /// Whether it is `notrace`.
    pub negated: bool,
    /// The events.
    pub body: Sequence,
}

impl Trace {
    /// The word that begins it.
    pub fn word(&self) -> &'static str {
        if self.negated { "notrace" } else { "trace" }
    }
}

/// `ltl name { formula }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ltl {
    /// Where the word `ltl` stands.
    pub at: At,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula, which must hold.
    pub formula: Formula,
}

/// `typedef T { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// The fields.
    pub fields: Vec<Variables>,
}

/// `mtype:set = { a, b }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mtype {
    /// The name of the set, if it has one.
    pub set: Option<Name>,
    /// The symbolic names; their values are described at [`crate::Symbols`].
    pub names: Vec<Name>,
}

/// `inline f(a, b) { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Its name.
    pub name: Name,
    /// The names that a call replaces.
    pub parameters: Vec<Name>,
    /// The words of its body, from brace to brace, macros expanded; ends of lines are kept, they may end
    /// statements.
    pub body: String,
}

/// A declaration: one type, some variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// Whether it is an observer's variable (Taut's `ghost`).
    pub ghost: bool,
    /// The type.
    pub ty: Type,
    /// The variables.
    pub list: Vec<Declarator>,
}

/// The word before a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Shown in message sequence charts.
    Show,
    /// Used by one process only.
    Local,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; the width is in the declarator.
    Unsigned,
    /// `mtype` or `mtype:set`
    Mtype(Option<Name>),
    /// `chan`
    Chan,
    /// A type of a `typedef`.
    User(Name),
}

/// One variable of a declaration: `x : 3`, `a[4] = e`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarator {
    /// Its name.
    pub name: Name,
    /// The width of an `unsigned`, in bits.
    pub width: Option<i32>,
    /// The number of elements of an array.
    pub size: Option<Expr>,
    /// The initial value.
    pub initial: Option<Initial>,
}

/// An initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// One value, for every element of an array.
    Value(Expr),
    /// A value for each element.
    List(Vec<Expr>),
    /// A new channel for each element: `[capacity] of { types }`.
    Channel {
        /// How many messages it holds.
        capacity: Expr,
        /// The fields of a message.
        fields: Vec<Type>,
        /// Where it stands.
        at: At,
    },
}

/// Statements in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The statements.
    pub steps: Vec<Statement>,
    /// Where the text between them is.
    pub layout: Layout,
}

impl Sequence {
    /// Statements that stand nowhere.
    pub fn new(steps: Vec<Statement>) -> Sequence {
        Sequence { steps, layout: Layout::default() }
    }
}

/// Where the text between the statements of a sequence is, for those who edit it; all are equal.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// One before the first statement and one after each; none for trees that are built, not read.
    pub(crate) gaps: Vec<Gap>,
}

impl PartialEq for Layout {
    fn eq(&self, _: &Layout) -> bool {
        true
    }
}

impl Eq for Layout {}

/// What stands between two statements. EditSites are of text that cannot be taken apart: a word, the whole use of a
/// macro, a parameter of an inline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// The last word before it.
    pub last: Span,
    /// Whether the end of a line after that word ends a statement.
    pub can_end: bool,
    /// The first `;` or `->` in it, if one is written.
    pub separator: Option<Separator>,
    /// The first word after it.
    pub next: Span,
}

/// A `;` or `->` between two statements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separator {
    /// Where it stands.
    pub site: Span,
    /// Whether it is `->`.
    pub arrow: bool,
}

/// A statement where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its place.
    pub at: At,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// A declaration of local variables.
    Declare(Variables),
    /// `xr c, d` or `xs c, d`.
    Exclusive {
        /// Whether it is `xr`.
        receive: bool,
        /// The channels.
        channels: Vec<Reference>,
    },
    /// `label: statement`; a label alone stands before a `skip`.
    Label(Name, Option<Box<Statement>>),
    /// `main unless escape`
    Unless(Box<Statement>, Box<Statement>),
    /// An expression: waits until it is true. `skip` and `timeout` are such.
    Condition(Expr),
    /// `x = e`
    Assign(Reference, Expr),
    /// `x++`
    Increment(Reference),
    /// `x--`
    Decrement(Reference),
    /// `q!a,b` and `q!!a,b`
    Send {
        /// The channel.
        channel: Reference,
        /// Whether it is `!!`.
        sorted: bool,
        /// The fields of the message.
        values: Vec<Expr>,
    },
    /// `q?a,b`, `q??a,b`, `q?<a,b>` and `q??<a,b>`
    Receive {
        /// The channel.
        channel: Reference,
        /// Whether it is `??`.
        random: bool,
        /// Whether the message stays in the channel (`<…>`).
        copy: bool,
        /// What each field is matched with or stored in.
        patterns: Vec<Pattern>,
    },
    /// `if … fi`
    If(Vec<Sequence>),
    /// `do … od`
    Do(Vec<Sequence>),
    /// `for (x : a .. b) { … }`
    ForRange(Reference, Expr, Expr, Sequence),
    /// `for (x in a) { … }`: over the indices of an array or the messages of a channel.
    ForIn(Reference, Reference, Sequence),
    /// `select (x : a .. b)`
    Select(Reference, Expr, Expr),
    /// `break`
    Break,
    /// `goto label`
    Goto(Name),
    /// `else`
    Else,
    /// `atomic { … }`
    Atomic(Sequence),
    /// `d_step { … }`
    DStep(Sequence),
    /// `{ … }`
    Block(Sequence),
    /// Taut's `LOCKED { … }`
    Locked(Sequence),
    /// `assert(e)`
    Assert(Expr),
    /// `printf("…", e, …)`; the text has its quotes and escapes as written.
    Printf(String, Vec<Expr>),
    /// `printm(e)`
    Printm(Expr),
    /// `set_priority(p, e)`
    SetPriority(Expr, Expr),
    /// `return e`, in an inline.
    Return(Expr),
    /// A call of an inline, with what it expands to.
    Call(Call),
}

/// `f(a, b)` or `x = f(a, b)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The inline.
    pub name: Name,
    /// The words of each argument.
    pub arguments: Vec<String>,
    /// Where the result goes.
    pub result: Option<Reference>,
    /// The body with its parameters replaced.
    pub body: Sequence,
}

/// A field of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A variable to store in, or a symbolic name to match, or `_`.
    Reference(Reference),
    /// A constant to match.
    Constant(Expr),
    /// `eval(e)`: a value to match.
    Eval(Expr),
}

/// A variable, an element of an array, a field: `a[i].b.c[j]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name and the fields, the name first.
    pub parts: Vec<Part>,
    /// The number by which its meaning is found.
    pub id: RefId,
    /// Its place.
    pub at: At,
}

/// A name with an index, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name.
    pub name: Name,
    /// The index.
    pub index: Option<Box<Expr>>,
}

/// An expression where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub at: At,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number.
    Number(i32),
    /// A character in quotes, by its code.
    Char(u8),
    /// `true` or `false`
    Bool(bool),
    /// `skip`, which is 1.
    Skip,
    /// A variable, a symbolic name, `_pid` and its like.
    Reference(Reference),
    /// `-e`, `!e`, `~e`
    Unary(Unary, Box<Expr>),
    /// `a + b` and its like
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(a, b) priority n`
    Run {
        /// The proctype.
        name: Name,
        /// The arguments.
        arguments: Vec<Expr>,
        /// The priority.
        priority: Option<i32>,
    },
    /// `len(q)` and its like
    Channel(ChannelQuery, Reference),
    /// `q?[a,b]` and `q??[a,b]`
    Poll {
        /// The channel.
        channel: Reference,
        /// Whether it is `??`.
        random: bool,
        /// What each field is matched with.
        patterns: Vec<Pattern>,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(p)`, `pc_value(p)`, `get_priority(p)`
    Process(ProcessQuery, Box<Expr>),
    /// `P[i]@label`
    RemoteLabel {
        /// The proctype.
        proctype: Name,
        /// Which process, if it is said.
        process: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `P[i]:x`
    RemoteVariable {
        /// The proctype.
        proctype: Name,
        /// Which process, if it is said.
        process: Option<Box<Expr>>,
        /// The variable, with its index if it is an array.
        variable: Part,
    },
    /// A memory operation of a dialect: `READ(x)`, `store(x, v)`, `CAS(x, a, b)`.
    Memory(MemoryOp, Vec<Expr>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$vdoc])* #[doc = concat!("`", $text, "`")] $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The one that is written like this.
            pub fn from_text(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// An operator with two operands.
    Binary {
        Or = "||", And = "&&", BitOr = "|", BitXor = "^", BitAnd = "&", Equal = "==", NotEqual = "!=",
        Less = "<", LessEqual = "<=", Greater = ">", GreaterEqual = ">=", ShiftLeft = "<<",
        ShiftRight = ">>", Add = "+", Subtract = "-", Multiply = "*", Divide = "/", Remainder = "%",
    }
}

words! {
    /// A question about a channel.
    ChannelQuery { Len = "len", Full = "full", Empty = "empty", Nfull = "nfull", Nempty = "nempty", }
}

words! {
    /// A question about a process.
    ProcessQuery { Enabled = "enabled", PcValue = "pc_value", GetPriority = "get_priority", }
}

words! {
    /// A memory operation of one of the dialects made for relaxed memory.
    MemoryOp {
        /// Linden and Wolper:
        Store = "store",
        /// Linden and Wolper, waits until the value is there:
        Load = "load",
        /// Linden and Wolper, without parentheses:
        SyncWord = "sync",
        /// mmlib:
        Read = "READ",
        /// mmlib:
        Write = "WRITE",
        /// mmlib and `taut.h`:
        Fence = "FENCE",
        /// mmlib:
        Init = "INIT",
        /// mmlib, a process's view of a variable:
        Svar = "SVAR",
        /// mmlib, memory's value of a variable:
        Gsvar = "GSVAR",
        /// `taut.h`:
        Sfence = "SFENCE",
        /// `taut.h`:
        Sync = "SYNC",
        /// `taut.h`:
        Cas = "CAS",
        /// `taut.h`:
        Xchg = "XCHG",
        /// `taut.h`:
        FetchAdd = "FETCH_ADD",
        /// `taut.h`:
        AtomicWrite = "ATOMIC_WRITE",
        /// Taut, in claims: what a process sees in a variable:
        View = "view",
        /// Taut, in claims: whether a process's buffer is empty:
        Drained = "drained",
    }
}

impl MemoryOp {
    /// How many arguments it takes.
    pub fn arguments(self) -> usize {
        match self {
            MemoryOp::SyncWord | MemoryOp::Fence | MemoryOp::Sfence | MemoryOp::Sync => 0,
            MemoryOp::Read | MemoryOp::Gsvar | MemoryOp::Drained => 1,
            MemoryOp::Cas => 3,
            _ => 2,
        }
    }

    /// Whether it has a value that an expression can use.
    pub fn has_value(self) -> bool {
        use MemoryOp::*;
        matches!(self, Read | Svar | Gsvar | Cas | Xchg | FetchAdd | View | Drained)
    }

    /// Whether it is asked from outside of all processes, in claims only.
    pub fn observes(self) -> bool {
        matches!(self, MemoryOp::Svar | MemoryOp::Gsvar | MemoryOp::View | MemoryOp::Drained)
    }
}

impl Binary {
    /// How tightly it binds, as in SPIN's grammar; all operators are left-associative.
    pub fn level(self) -> u8 {
        use Binary::*;
        match self {
            Or => 2,
            And => 3,
            BitOr => 7,
            BitXor => 8,
            BitAnd => 9,
            Equal | NotEqual => 10,
            Less | LessEqual | Greater | GreaterEqual => 11,
            ShiftLeft | ShiftRight => 12,
            Add | Subtract => 13,
            Multiply | Divide | Remainder => 14,
        }
    }
}

/// A formula of linear temporal logic over conditions.
///
/// What has no temporal operator, `->` or `<->` in it is one condition, boolean operators included.
pub type Formula = taut_ltl::Formula<Expr>;

/// The variables whose names are built in.
pub const PREDEFINED: &[&str] = &["_", "_pid", "_nr_pr", "_last", "_priority"];
