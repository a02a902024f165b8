//! Places that can be assigned: registers, variables, and elements of arrays.

use crate::{Expr, RegId, VarId};

/// Something that can be assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Lvalue {
    /// A register.
    Reg(RegId),
    /// An element of a register array.
    RegElem(RegId, Expr),
    /// A variable.
    Var(VarId),
    /// An element of an array variable.
    VarElem(VarId, Expr),
}

impl Lvalue {
    /// The variable, if this is shared memory.
    pub fn variable(&self) -> Option<VarId> {
        match self {
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => Some(*v),
            Lvalue::Reg(_) | Lvalue::RegElem(..) => None,
        }
    }

    /// The index, if this is an array element.
    pub fn index(&self) -> Option<&Expr> {
        match self {
            Lvalue::RegElem(_, i) | Lvalue::VarElem(_, i) => Some(i),
            Lvalue::Reg(_) | Lvalue::Var(_) => None,
        }
    }
}
