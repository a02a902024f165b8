//! The syntax tree of a DVE model, plain and checked.
//!
//! What [`crate::parse`] returns has been expanded and checked, so a reader of the tree may rely on this:
//!
//! * Templates are gone: every process stands here on its own, `for` and `if` are unrolled, array lengths
//!   and initial values are numbers. An instance `a(1)` of a template is the process `a_1`.
//! * Every name means something. A [`ExprKind::Name`] or [`ExprKind::Index`] in a process is a variable or
//!   constant of that process or, if it has none of that name, a global one ([`Model::variable`]). Scalars
//!   have no index and arrays always have one (an array without one is its element 0, and says so here).
//! * Locations named by `init`, `accept`, `commit`, `assert` and transitions are in [`Process::states`].
//! * All uses of a channel agree in the number of values, and with its declaration.
//!
//! Names are kept as text. Trees built by hand (an exporter's) should keep the same rules; printing and
//! reading back checks them.

mod expr;

use taut_source::Span;

pub use expr::{BinaryOp, Expr, ExprKind, UnaryOp};

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name itself.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// A name that stands in no file.
    pub fn new(text: impl Into<String>) -> Name {
        Name { text: text.into(), span: Span::NONE }
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// A whole model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Global variables and constants, in the order of their declarations.
    pub globals: Vec<VarDecl>,
    /// Global channels.
    pub channels: Vec<ChanDecl>,
    /// The processes, the property process among them, in order.
    pub processes: Vec<Process>,
    /// Named conditions, `expression name() { e }` (DiVinE 3): the propositions of [`Model::formulas`].
    pub expressions: Vec<Definition>,
    /// Formulas in the model itself, `property ltl name "..."` (DiVinE 3). Their text is not parsed.
    pub formulas: Vec<Formula>,
    /// How the processes are put together.
    pub system: System,
}

/// The types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 0 to 255.
    Byte,
    /// 16 bits with a sign: -32768 to 32767.
    Int,
}

impl Type {
    /// The smallest and the largest value.
    pub fn range(self) -> (i64, i64) {
        match self {
            Type::Byte => (0, 255),
            Type::Int => (-32_768, 32_767),
        }
    }

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Byte => "byte",
            Type::Int => "int",
        }
    }
}

/// A variable or constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    /// Its name.
    pub name: Name,
    /// Whether it is a constant: never assigned and not part of the state. `input` variables of DiVinE 3
    /// are constants too.
    pub constant: bool,
    /// The type of the variable or of each element.
    pub ty: Type,
    /// The number of elements; `None` for a scalar.
    pub length: Option<u32>,
    /// The initial value of each element, one for a scalar. Always within the type.
    pub initial: Vec<i64>,
    /// The declarator: the name with its length and initialiser.
    pub span: Span,
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChanDecl {
    /// Its name.
    pub name: Name,
    /// The types of the values of a message; `None` for an untyped channel, whose messages have as many
    /// values as its uses say (all agree), often none.
    pub types: Option<Vec<Type>>,
    /// How many messages wait in it; 0 for a rendezvous. Untyped channels have 0.
    pub capacity: u32,
    /// The declarator.
    pub span: Span,
}

/// `expression name() { e }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: Name,
    /// What it stands for.
    pub expr: Expr,
    /// The whole definition.
    pub span: Span,
}

/// `property ltl name "formula"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// Its name.
    pub name: Name,
    /// The formula, without the quotes. Its propositions are [`Model::expressions`].
    pub text: String,
    /// Where the text stands, without the quotes.
    pub text_span: Span,
    /// The whole declaration.
    pub span: Span,
}

/// `system async property Q;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// Whether all processes step at once. Such models are refused by the check, so false afterwards.
    pub synchronous: bool,
    /// The property process, a Büchi automaton that observes the others. One of [`Model::processes`].
    pub property: Option<Name>,
    /// The declaration.
    pub span: Span,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// Channels declared in the process (DiVinE 3). Others name them `P->c`.
    pub channels: Vec<ChanDecl>,
    /// Variables and constants of the process.
    pub locals: Vec<VarDecl>,
    /// The locations ("states" in DVE).
    pub states: Vec<Name>,
    /// Where it begins.
    pub init: Name,
    /// The accepting locations of a property process.
    pub accept: Vec<Name>,
    /// Committed locations: while any process is in one, only transitions leaving such locations fire.
    pub commit: Vec<Name>,
    /// Conditions on locations.
    pub asserts: Vec<Assertion>,
    /// The transitions; their positions here, from 0, are what `atomic.txt` and traces call them.
    pub transitions: Vec<Transition>,
    /// The whole process; of an instance of a template, where it was instantiated.
    pub span: Span,
}

/// `assert s: e`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The location.
    pub state: Name,
    /// What must not be 0 whenever the process is there.
    pub condition: Expr,
    /// ProgramPoint and condition.
    pub span: Span,
}

/// `s -> t { guard g; sync c!x; effect v = e, ...; }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where it leaves from. If the source text leaves it out, the name that stands before an earlier
    /// transition.
    pub source: Name,
    /// Where it goes.
    pub target: Name,
    /// When it may fire; always, if there is none. Several guards (DiVinE 3) are joined by `and`.
    pub guard: Option<Expr>,
    /// The channel operation.
    pub sync: Option<Sync>,
    /// The assignments, made one after the other.
    pub effects: Vec<Assign>,
    /// From the source location (or the arrow) to the closing brace.
    pub span: Span,
    /// The closing brace: where more could be written.
    pub close: Span,
}

/// A channel operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sync {
    /// Whose channel: `P->c!x` (DiVinE 3). Otherwise the process's own or a global one.
    pub process: Option<Name>,
    /// The channel.
    pub channel: Name,
    /// What is sent or received.
    pub message: Message,
    /// The whole operation.
    pub span: Span,
}

/// What passes through a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `c!{e, ...}`: the values sent.
    Send(Vec<Expr>),
    /// `c?{v, ...}`: where the values go.
    Receive(Vec<Place>),
}

impl Message {
    /// The number of values.
    pub fn arity(&self) -> usize {
        match self {
            Message::Send(values) => values.len(),
            Message::Receive(places) => places.len(),
        }
    }
}

/// Something that can be assigned: `v` or `a[e]`, a variable of the process or a global one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub name: Name,
    /// Which element of an array.
    pub index: Option<Expr>,
    /// The whole place.
    pub span: Span,
}

/// `place = value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// What is assigned.
    pub place: Place,
    /// Its new value.
    pub value: Expr,
    /// The whole assignment.
    pub span: Span,
}

impl Model {
    /// A process by its name.
    pub fn process(&self, name: &str) -> Option<&Process> {
        self.processes.iter().find(|p| p.name.text == name)
    }

    /// A global variable or constant by its name.
    pub fn global(&self, name: &str) -> Option<&VarDecl> {
        self.globals.iter().find(|v| v.name.text == name)
    }

    /// What a name means in a process, or outside of all processes.
    pub fn variable<'m>(&'m self, process: Option<&'m Process>, name: &str) -> Option<&'m VarDecl> {
        process.and_then(|p| p.local(name)).or_else(|| self.global(name))
    }

    /// The property process.
    pub fn property(&self) -> Option<&Process> {
        self.system.property.as_ref().and_then(|name| self.process(&name.text))
    }
}

impl Process {
    /// A variable or constant of the process by its name.
    pub fn local(&self, name: &str) -> Option<&VarDecl> {
        self.locals.iter().find(|v| v.name.text == name)
    }

    /// The position of a location in [`Process::states`].
    pub fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|s| s.text == name)
    }
}
