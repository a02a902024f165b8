//! The syntax tree: what a litmus file says, before names mean anything.

use std::fmt;

use taut_source::Span;

use crate::{condition::Condition, flags::Test as FlagTest};

/// The dialect of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arch {
    /// AT&T operand order: source, destination; registers are `rax` and so on.
    X86_64,
    /// Intel operand order: destination, source; registers are `EAX` and so on.
    X86,
    /// Threads are functions of C; registers are their locals.
    C,
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Arch::X86_64 => "X86_64",
            Arch::X86 => "X86",
            Arch::C => "C",
        })
    }
}

/// What is asked about the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Some final state satisfies it.
    Exists,
    /// No final state satisfies it.
    NotExists,
    /// Every final state satisfies it.
    Forall,
}

impl Quantifier {
    /// How it is written in a test.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::Forall => "forall",
        }
    }

    /// What herd7 calls it in the first line of its output.
    pub fn kind(self) -> &'static str {
        match self {
            Quantifier::Exists => "Allowed",
            Quantifier::NotExists => "Forbidden",
            Quantifier::Forall => "Required",
        }
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A whole file.
pub(crate) struct Tree<'s> {
    pub(crate) arch: Arch,
    pub(crate) name: &'s str,
    pub(crate) init: Vec<Init<'s>>,
    pub(crate) threads: Vec<Thread<'s>>,
    /// The rows of the table, each with its `;`; the first one names the threads.
    pub(crate) rows: Vec<Span>,
    pub(crate) question: Question<'s>,
}

/// Something with a value: a register of a thread or a memory location.
#[derive(Clone, Copy)]
pub(crate) struct Item<'s> {
    pub(crate) what: What<'s>,
    pub(crate) span: Span,
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What<'s> {
    Register { thread: u32, name: &'s str },
    Location(&'s str),
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Register { thread, name } => write!(f, "{thread}:{name}"),
            What::Location(name) => write!(f, "[{name}]"),
        }
    }
}

/// An entry of the initial block; without a value it only declares.
pub(crate) struct Init<'s> {
    pub(crate) item: Item<'s>,
    pub(crate) value: Option<i64>,
}

/// A column of the table.
pub(crate) struct Thread<'s> {
    pub(crate) number: u32,
    pub(crate) span: Span,
    pub(crate) lines: Vec<Line<'s>>,
}

/// What a cell holds, one after the other.
pub(crate) enum Line<'s> {
    Label(&'s str, Span),
    Instruction(Instruction<'s>),
}

/// An instruction and its place.
pub(crate) struct Instruction<'s> {
    pub(crate) operation: Operation<'s>,
    /// Reads and writes memory at once, with the store buffer empty.
    pub(crate) locked: bool,
    pub(crate) span: Span,
}

/// What an instruction does, whatever the dialect it was written in. The parser has checked that
/// destinations are no immediates and that at most one operand is in memory.
pub(crate) enum Operation<'s> {
    Move { to: Operand<'s>, from: Operand<'s> },
    Binary { op: Binary, to: Operand<'s>, from: Operand<'s> },
    Unary { op: Unary, to: Operand<'s> },
    Compare { left: Operand<'s>, right: Operand<'s> },
    Test { left: Operand<'s>, right: Operand<'s> },
    Exchange { to: Operand<'s>, with: Operand<'s> },
    ExchangeAdd { to: Operand<'s>, with: Operand<'s> },
    CompareExchange { to: Operand<'s>, from: Operand<'s> },
    Jump { when: Option<FlagTest>, label: &'s str, label_span: Span },
    Fence,
    StoreFence,
    Nothing,
}

/// An operand.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'s> {
    pub(crate) value: Value<'s>,
    pub(crate) span: Span,
}

/// What an operand is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'s> {
    Register(&'s str),
    Memory(&'s str),
    Immediate(i64),
}

/// An operator on a destination and a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    And,
    Or,
    Xor,
}

/// An operator on a destination alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Inc,
    Dec,
    Neg,
    Not,
}

/// What follows the table. Variables in the conditions are numbered by their position in `mentioned`.
pub(crate) struct Question<'s> {
    pub(crate) locations: Vec<Item<'s>>,
    pub(crate) filter: Option<Condition>,
    pub(crate) quantifier: Quantifier,
    pub(crate) condition: Condition,
    pub(crate) mentioned: Vec<Item<'s>>,
    pub(crate) span: Span,
}
