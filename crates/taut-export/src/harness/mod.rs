//! Programs as C that runs on the real processor: a *harness*.
//!
//! Each process becomes a thread. The threads run the program in rounds, one round after the other, each on fresh
//! memory; after each round the values of what is watched are counted. One load or store of the program is one load or
//! store of the processor, in the order of the model: operands from left to right, an index before its element.
//!
//! # What is seen is allowed
//!
//! On a processor with TSO every round is a run of the model under TSO with one access per step:
//!
//! - A plain step is a sequence of loads and stores. Volatile accesses stay in order, so they are the accesses that
//!   [`taut_ir::granularity`] makes of the step.
//! - A locked step has one location. It is a loop around compare-and-exchange: guard and effects are computed from the
//!   value that the exchange then finds in memory. If it does not find it, all is undone.
//! - A condition that is waited for is a loop of loads. Rounds of the loop that fail change nothing.
//! - Observers (ghosts, program points that properties ask about) are accessed under a lock of the round. The section
//!   has at most one moment that other threads can see, which is its access to shared memory. Both ends are full fences,
//!   and fences only take runs away.
//! - A process is marked as being at a program point after it came there and until before it leaves. So marks that are
//!   set at the same time mean processes that are there at the same time, and only conditions without a negated mark are
//!   looked at during a round ([`look`]).
//! - A round that takes too long is ended and has no final state.
//!
//! The other way round nothing is promised: a run that is allowed may never be seen.
//!
//! | file | idea |
//! | --- | --- |
//! | `refuse.rs` | programs that a processor cannot run |
//! | `values.rs` | expressions, load by load |
//! | `code.rs` | program points |
//! | `steps.rs` | steps: guards, effects, jumps |
//! | `locked.rs` | locked steps |
//! | `look.rs` | properties of states, and what is watched |
//! | `declare.rs` | variables, registers, initial values |
//! | `head.c`, `tail.c` | threads, rounds, counting |

mod code;
mod declare;
mod locked;
mod look;
mod refuse;
mod steps;
mod values;

use taut_ir::{DefId, Expr, ProcId, Program, PropId, PropertyKind, Span, VarId, VarKind};

use crate::c::ARITHMETIC;
use crate::c::names::Names;
use crate::c::text::comment;
use crate::text::Text;
use code::Code;

/// What the threads are written with.
const HEAD: &str = include_str!("head.c");
/// Rounds, and the function `main`.
const TAIL: &str = include_str!("tail.c");

/// Most properties that are looked at: violations of a round are bits, and one is for faults.
const MOST_PROPERTIES: usize = 63;

/// The bit of a fault, as in `head.c`.
const FAULT_BIT: u32 = 63;

/// The number of loads of a location that stands several times in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loads {
    /// One for each place where it stands, as in the statements of a programming language.
    Each,
    /// One, as in the instructions of a processor.
    Once,
}

/// A harness. Its arguments are a number of milliseconds and a seed; it prints what it has seen, a line per fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The C file.
    pub text: String,
    /// What the bits of violations mean, those of faults left out.
    pub properties: Vec<PropId>,
    /// Properties of states that are looked at in final states only.
    pub only_final: Vec<PropId>,
    /// Properties that are not looked at: those of runs.
    pub unseen: Vec<PropId>,
}

/// What a bit of violations means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HarnessEvent {
    /// A property was violated.
    Property(PropId),
    /// A step went wrong.
    Fault,
}

impl Harness {
    /// The meaning of a bit.
    pub fn event(&self, bit: u32) -> Option<HarnessEvent> {
        match bit {
            FAULT_BIT => Some(HarnessEvent::Fault),
            bit => self.properties.get(bit as usize).copied().map(HarnessEvent::Property),
        }
    }
}

/// Why a program has no harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarnessRefusal {
    /// What a processor cannot run.
    pub what: String,
    /// Where it stands.
    pub span: Span,
}

/// A valid program as C that runs on the real processor, and that counts the values of some expressions over final states.
/// Steps may have several accesses: what is not whole is run access by access.
pub fn harness(
    program: &Program,
    watched: &[Expr],
    loads: Loads,
) -> Result<Harness, HarnessRefusal> {
    let _phase = taut_budget::phase("the harness is written");
    refuse::check(program)?;
    let names = Names::new(program);
    // A cover asks for some run; the processor shows a few of all.
    let counted = |p: &PropId| {
        let kind = &program.property(*p).kind;
        !kind.is_temporal() && !kind.is_cover()
    };
    let (properties, unseen) = program.property_ids().partition::<Vec<_>, _>(counted);
    let of_states = |p: &PropId| program.property(*p).kind != PropertyKind::Assert;
    let is_positive = |p: &PropId| look::can_be_seen_in_flight(program, *p);
    let flight: Vec<PropId> =
        properties.iter().copied().filter(of_states).filter(is_positive).collect();
    let only_final =
        properties.iter().copied().filter(of_states).filter(|p| !flight.contains(p)).collect();
    let writer = Writer { program, names: &names, loads, properties: &properties, flight: &flight };
    let text = writer.file(watched);
    Ok(Harness { text, properties, only_final, unseen })
}

/// Writes a harness.
struct Writer<'w> {
    program: &'w Program,
    names: &'w Names,
    loads: Loads,
    /// The properties with a bit.
    properties: &'w [PropId],
    /// The properties of states that are looked at during rounds.
    flight: &'w [PropId],
}

impl Writer<'_> {
    fn file(&self, watched: &[Expr]) -> String {
        let mut text = Text::default();
        text.line(&format!("/* {} */", comment(&self.program.name)));
        for (name, value) in self.constants(watched.len()) {
            text.line(&format!("#define {name} {value}"));
        }
        text.blank();
        let mut file = text.finish();
        [HEAD, ARITHMETIC].iter().for_each(|part| file.push_str(part));
        let mut text = Text::default();
        text.blank();
        text.line("/* ---- the program ---- */");
        text.blank();
        self.declarations(&mut text);
        self.flight(&mut text);
        for def in (0..self.program.defs.len()).map(DefId::from) {
            Code::new(self, def).write(&mut text);
        }
        self.process(&mut text);
        self.finals(&mut text, watched);
        file.push_str(&text.finish());
        file.push_str(TAIL);
        file
    }

    fn constants(&self, watched: usize) -> [(&'static str, usize); 5] {
        let ghosts = self.program.vars.iter().filter(|v| v.kind == VarKind::Ghost);
        let ghosts: usize = ghosts.map(|v| v.size() as usize).sum();
        [
            ("TAUT_PROCESSES", self.program.processes.len()),
            ("TAUT_GHOSTS", ghosts.max(1)),
            ("TAUT_VARIABLES", self.shared().count().max(1)),
            ("TAUT_WATCHED", watched.max(1)),
            ("TAUT_WATCHED_VALUES", watched),
        ]
    }

    /// The shared variables.
    fn shared(&self) -> impl Iterator<Item = VarId> {
        self.program.var_ids().filter(|v| self.program.var(*v).kind == VarKind::Shared)
    }

    /// The place of a variable among those of its kind: for a ghost, that of its first value.
    fn slot(&self, var: VarId) -> usize {
        let kind = self.program.var(var).kind;
        let before = self.program.vars[..var.index()].iter().filter(|v| v.kind == kind);
        match kind {
            VarKind::Shared => before.count(),
            VarKind::Ghost => before.map(|v| v.size() as usize).sum(),
        }
    }

    /// The bit of a property.
    fn bit(&self, property: PropId) -> Option<usize> {
        self.properties.iter().position(|p| *p == property)
    }

    /// The structure of the registers of a definition.
    fn structure(&self, def: DefId) -> String {
        format!("registers_of_{}", self.names.def(def))
    }

    /// The array with the registers of a process at the end of each round.
    fn out(&self, process: ProcId) -> String {
        format!("taut_out_{}", process.0)
    }
}
