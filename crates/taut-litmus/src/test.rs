//! A litmus test, ready to be run.

use taut_ir::{Expr, ProcId, Program, RegId, VarId};
use taut_source::EditSites;

use crate::{Arch, Condition, Quantifier};

/// A litmus test: a program and a question about its final states.
///
/// A *final state* is one where every process is at its end and every store buffer is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name, from the header.
    pub name: String,
    /// Its dialect.
    pub arch: Arch,
    /// What is asked about the condition.
    pub quantifier: Quantifier,
    /// The condition; it reads observed variables only.
    pub condition: Condition,
    /// If there is one, final states that fail it do not count.
    pub filter: Option<Condition>,
    /// The program. It has one property, named like the quantifier: that no final state which passes the
    /// filter satisfies the condition, or for `forall`, falsifies it.
    pub program: Program,
    pub(crate) watched: Vec<Watched>,
    /// The names of what is watched.
    pub(crate) names: Vec<String>,
    pub(crate) observed: usize,
    /// Where fences can be put into a C test; others are asked for when they are needed.
    pub(crate) sites: Option<EditSites>,
}

/// Something whose value in a final state matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Watched {
    /// A register of a process.
    Register(ProcId, RegId),
    /// A memory location.
    Location(VarId),
    /// An element of an array of memory locations.
    Element(VarId, u32),
}

impl Watched {
    /// Its value, as an expression over the whole state.
    pub fn expression(self) -> Expr {
        match self {
            Watched::Register(process, register) => {
                Expr::In(process, Box::new(Expr::Reg(register)))
            }
            Watched::Location(var) => Expr::Var(var),
            Watched::Element(var, index) => {
                Expr::VarElem(var, Box::new(Expr::Const(i64::from(index))))
            }
        }
    }
}

impl Test {
    /// What an engine must report of each final state, in this order: first what is observed, then what
    /// only the filter reads.
    pub fn watched(&self) -> &[Watched] {
        &self.watched
    }

    /// What is shown of a final state: the variables of the condition and of `locations`; registers by
    /// thread and name, then memory by name.
    pub fn observed(&self) -> &[Watched] {
        &self.watched[..self.observed]
    }

    /// The name of something watched, as in the oracles: `0:rax` or `x`.
    pub fn name_of(&self, watched: Watched) -> String {
        let index = self.watched.iter().position(|&w| w == watched);
        index.map_or_else(String::new, |index| self.names[index].clone())
    }
}
