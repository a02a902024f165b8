//! A C program after names and types are known.
//!
//! Every conversion is explicit: an operand of an arithmetic operator has the type of the result, an assigned value has the type of the place, an array that decays is
//! an [`ExprKind::AddressOf`]. Locals with static storage are globals. Spans point into the user's files; what a macro
//! made has the span of its use.

use taut_source::{Diagnostic, Diagnostics, Span};

use crate::types::{EnumDef, QualTy, StructDef, Ty};

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Structures, by [`crate::types::StructId`].
    pub structs: Vec<StructDef>,
    /// Enumerations, by [`crate::types::EnumId`].
    pub enums: Vec<EnumDef>,
    /// Objects with static or thread storage, by [`GlobalId`].
    pub globals: Vec<Global>,
    /// Functions, by [`FunctionId`].
    pub functions: Vec<Function>,
    /// Warnings about the text.
    pub warnings: Diagnostics,
}

/// An object with static or thread storage, by its number in [`Unit::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// A function, by its number in [`Unit::functions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A local of a function, by its number in [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// An object with static or thread storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; `f.x` for a static local `x` of `f`. A string literal is a global without a name.
    pub name: String,
    /// Its type.
    pub ty: QualTy,
    /// The cells that do not begin with 0.
    pub init: Vec<(u32, Constant)>,
    /// True for `_Thread_local`.
    pub thread_local: bool,
    /// The reason why a program that uses it is refused, if there is one.
    pub refused: Option<Box<Diagnostic>>,
    /// Where it is declared.
    pub span: Span,
}

/// A constant that a cell begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// A number.
    Int(i64),
    /// The address of a cell of a global.
    Address(GlobalId, u32),
    /// The address of a function.
    Function(FunctionId),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The type of its result.
    pub result: Ty,
    /// Its parameters, which are the first of its locals.
    pub params: u32,
    /// True if further arguments may follow.
    pub variadic: bool,
    /// Its locals, parameters first. A local of an inner block is one of its own even if its name is not.
    pub locals: Vec<Local>,
    /// Its body; none if it is only declared.
    pub body: Option<Block>,
    /// The reason why a program that reaches it is refused, if there is one. Its body is then incomplete.
    pub refused: Option<Box<Diagnostic>>,
    /// Where its name stands in its definition or first declaration.
    pub span: Span,
}

/// A local variable or a parameter.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: QualTy,
    /// Where it is declared.
    pub span: Span,
}

/// Statements, one after the other.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands: the whole statement with its semicolon; for `if`, loops and `switch`, the head.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
// There are few statements beside expressions: a box would only make them harder to match.
#[allow(clippy::large_enum_variant)]
pub enum StmtKind {
    /// An expression for its effects.
    Expr(Expr),
    /// A local comes to life without a value.
    Declare(LocalId),
    /// A local comes to life with values in cells, in the order of evaluation; cells that are not named are 0.
    Init(LocalId, Vec<(u32, Expr)>),
    /// `if`
    If(Expr, Block, Block),
    /// `while`
    While(Expr, Block),
    /// `do … while`
    DoWhile(Block, Expr),
    /// `for`: beginning, condition, step, body.
    For(Block, Option<Expr>, Option<Expr>, Block),
    /// `switch`: the value (promoted), and the body with its labels anywhere inside.
    Switch(Expr, Block),
    /// `case low ... high:`, of the innermost `switch`.
    Case(i64, i64),
    /// `default:`
    Default,
    /// `name:`
    Label(String),
    /// `goto name`
    Goto(String),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`, with a scalar value converted to the type of the result.
    Return(Option<Expr>),
    /// `return` of a structure.
    ReturnStruct(Place),
    /// A block.
    Block(Block),
    /// Assembly, as its template with operands left out: what it means is decided by its text.
    Asm(Asm),
}

/// An assembly statement.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The template.
    pub template: String,
    /// The clobbers.
    pub clobbers: Vec<String>,
    /// Constraints and places of outputs.
    pub outputs: Vec<(String, Place)>,
    /// Constraints and values of inputs.
    pub inputs: Vec<(String, Expr)>,
}

/// An expression with a scalar value, or none (`void`).
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Ty,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number; 0 of a pointer type is the null pointer.
    Int(i64),
    /// The address of a function.
    Function(FunctionId),
    /// The value of a scalar place.
    Load(Place),
    /// The address of a place. An array that decays is the address of its first element.
    AddressOf(Place),
    /// An operator with one operand, of the same type (`!` gives `int` of any scalar).
    Unary(UnaryOp, Box<Expr>),
    /// An arithmetic operator or a comparison. Both operands have the same type (the right one of a shift has its
    /// own); pointers are compared, too. Comparisons give `int`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A pointer moved by a number of elements (a 64-bit integer; negative for `-`).
    PtrAdd(Box<Expr>, Box<Expr>),
    /// A pointer moved by a number of cells and converted to the type of this expression: from a member to its structure
    /// or back, as `container_of` does.
    CellOffset(Box<Expr>, i64),
    /// The number of elements between two pointers, of type `long`.
    PtrSub(Box<Expr>, Box<Expr>),
    /// A conversion to the type of this expression: between integers, between pointers, from one to the other, or to
    /// `void`.
    Convert(Box<Expr>),
    /// `a && b`, of type `int`.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, of type `int`.
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; of type `void` if both are.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`: the value of the last one.
    Comma(Vec<Expr>),
    /// `place = value`, with the value converted. Its value is the one that was assigned.
    Assign(Place, Box<Expr>),
    /// `place op= operand`: the place's value converted to the type named, the operator applied, the result converted back.
    CompoundAssign(Place, BinaryOp, Box<Expr>, Ty),
    /// `pointer += n` (a 64-bit integer; negative for `-=`).
    PointerAssign(Place, Box<Expr>),
    /// `++` and `--`: the number added (elements, for pointers), and true if the value is the one before.
    Step(Place, i64, bool),
    /// A structure assigned cell by cell.
    AssignStruct(Place, Place),
    /// A call. A structure that is returned goes to a place.
    Call(Callee, Vec<Argument>, Option<Box<Place>>),
    /// Statements, then a value (none: `void`).
    Statements(Block, Option<Box<Expr>>),
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function that is defined in the unit.
    Function(FunctionId),
    /// A function that is not defined: an operation with a name that the lowering knows, or refuses.
    Builtin(String),
    /// The function that a pointer points to.
    Pointer(Box<Expr>),
}

/// An argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A scalar.
    Value(Expr),
    /// A structure, passed by value.
    Struct(Place),
    /// A type, for builtins that take one (`malloc` and `calloc` get the type of their elements where it is known).
    Type(Ty),
}

/// Something that can be read, assigned, or have its address taken.
#[derive(Clone, Debug)]
pub struct Place {
    /// Which.
    pub kind: PlaceKind,
    /// Its type.
    pub ty: QualTy,
    /// Where it stands.
    pub span: Span,
}

/// Which place.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A local.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// A member, by its first cell.
    Field(Box<Place>, u32),
    /// An element of an array (a 64-bit index).
    Index(Box<Place>, Box<Expr>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-a`
    Neg,
    /// `~a`
    BitNot,
    /// `!a`
    Not,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}
