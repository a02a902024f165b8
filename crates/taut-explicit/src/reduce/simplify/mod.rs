//! Simpler programs that cannot be told from the given one: fewer bits, fewer values, fewer stored states.
//!
//! Each rule goes from program to program before anything is compiled, and keeps every process and, in its code,
//! every program point and step and their numbers. Each promises that a run of the simpler program is, action by action, a run of the
//! given one that shows the asked properties the same; and that what the given program can do wrong, the
//! simpler one can. So the trace that a search finds needs no translation: the replayer, which always runs the
//! given program, accepts it as it is.
//!
//! | rule | what it does | where it comes from |
//! | --- | --- | --- |
//! | `specialise` | each process has code of its own, with its parameters in it | partial evaluation |
//! | `unreachable` | steps that no process can ever take are emptied | constant propagation |
//! | `unread` | what is stored where nobody looks is not stored | faint variables (Giegerich, Möncke, Wilhelm 1981) |
//! | `dead` | a register that is not read again gets its first value back | live variables; Bozga, Fernandez, Ghirvu, *State space reduction based on live variables analysis* (1999) |
//! | `fuse` | steps that concern nobody else are taken together with the one before | leaps over local steps; path reduction, Yorav and Grumberg (2004) |
//!
//! The order matters: code that is gone reads nothing, and where less is stored more is local. A rule can be
//! switched off ([`Rules`]), so that a test can tell which of them is wrong.

mod dead;
mod fuse;
mod question;
mod specialise;
mod unasked;
mod unreachable;
mod unread;

use taut_ir::{DefId, MemoryModel, ProcessDef, Program};

pub use question::Question;

/// Which rules are in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Each process gets code of its own, with its parameters in it.
    pub specialise: bool,
    /// Steps that nobody can take are emptied.
    pub unreachable: bool,
    /// What nobody reads is not stored, and what is not asked not computed.
    pub unread: bool,
    /// Registers that are not read again are reset.
    pub dead: bool,
    /// Steps that concern nobody else are passed through.
    pub fuse: bool,
}

impl Rules {
    /// All of them.
    pub const ALL: Rules =
        Rules { specialise: true, unreachable: true, unread: true, dead: true, fuse: true };
    /// None of them.
    pub const NONE: Rules =
        Rules { specialise: false, unreachable: false, unread: false, dead: false, fuse: false };
}

/// A simplified program.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The program.
    pub program: Program,
    /// For each definition behind the given ones, of which of those it is a copy.
    copies: Vec<DefId>,
}

impl Simplified {
    /// Whether definitions, program points, steps, variables, processes and properties have the numbers that they have in
    /// the given program, and every other definition is a copy.
    fn keeps_numbers_of(&self, given: &Program) -> bool {
        let simple = &self.program;
        let is_as_long = |(simple, given): (&ProcessDef, &ProcessDef)| {
            simple.points.len() == given.points.len() && simple.steps.len() == given.steps.len()
        };
        simple.defs.len() == given.defs.len() + self.copies.len()
            && simple.defs.iter().zip(&given.defs).all(is_as_long)
            && simple.vars.len() == given.vars.len()
            && simple.processes.len() == given.processes.len()
            && simple.properties.len() == given.properties.len()
    }

    /// For each given definition and step whether any process took it, if that is known for the program's own
    /// definitions.
    pub fn reached(&self, mut reached: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
        let copied = reached.split_off(reached.len() - self.copies.len());
        for (def, copy) in self.copies.iter().zip(copied) {
            let given = reached[def.index()].iter_mut();
            given.zip(copy).for_each(|(given, copy)| *given |= copy);
        }
        reached
    }
}

/// A program that cannot be told from a valid one by who asks a question under a memory model.
pub fn simplify(
    program: &Program,
    model: MemoryModel,
    question: &Question,
    rules: Rules,
) -> Simplified {
    let _phase = taut_budget::phase("the program is simplified");
    let mut simple = program.clone();
    // With priorities, a local step of a process still stops others, and what a step stores matters through
    // the time at which its process is enabled. The rules were not made for that.
    let rules = if program.priorities.is_some() { Rules::NONE } else { rules };
    let copies = if rules.specialise { specialise::copy(&mut simple) } else { Vec::new() };
    if rules.unreachable {
        unreachable::empty(&mut simple);
    }
    if rules.unread {
        unasked::drop(&mut simple, question);
        unread::drop(&mut simple, model, question);
    }
    if rules.dead {
        dead::reset(&mut simple, question);
    }
    if rules.fuse && question.may_pass() {
        fuse::hold(&mut simple, model, question);
    }
    let simple = Simplified { program: simple, copies };
    debug_assert!(
        simple.keeps_numbers_of(program),
        "runs are told in the numbers of the given program"
    );
    simple
}
