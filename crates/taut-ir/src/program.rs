//! The structure of a program.

use crate::references::References;
use crate::shown::Shown;
use crate::{
    ChanId, Channel, DefId, Effect, EventTrace, PointId, ProcId, PropId, Property, RegId, Span,
    Step, StepId, Type, VarId,
};

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// What to call it; usually the name of its file.
    pub name: String,
    /// Shared and ghost variables, by [`VarId`].
    pub vars: Vec<Variable>,
    /// Process definitions, by [`DefId`].
    pub defs: Vec<ProcessDef>,
    /// Processes, by [`ProcId`]: first the ones that run from the start, then those that wait to be
    /// spawned.
    pub processes: Vec<Process>,
    /// Properties, by [`PropId`].
    pub properties: Vec<Property>,
    /// How many calls may be open at once in one process.
    pub call_depth: u32,
    /// Channels, by [`ChanId`].
    pub channels: Vec<Channel>,
    /// How processes come and go.
    pub lifecycle: Lifecycle,
    /// What is done in one step, where that is not what the program's language says. For verdicts: it changes
    /// nothing in how the program runs.
    pub granularity: Option<Granularity>,
    /// Where the priorities of processes are kept, if the program has any: see [`crate::priority`].
    pub priorities: Option<VarId>,
    /// The trace assertion whose automaton the steps move.
    pub event_trace: Option<EventTrace>,
    /// Words of the source for cells and values.
    pub shown: Shown,
    /// The bound on allocated objects, if the program allocates any.
    pub heap: Option<Heap>,
    /// The pair of accesses of a data race, if the program is one that looks for races.
    pub races: Option<RaceWatch>,
    /// Choices of which the program has only some values. For verdicts: it changes nothing in how the program runs.
    pub chances: Vec<Chance>,
    /// Slots that are interchangeable, and what refers to them.
    pub references: References,
    /// Definitions of which there is any number of processes. The list of processes has those that properties name, and
    /// at least one: see [`crate::replicated`].
    pub replicated: Vec<DefId>,
}

/// The pair of accesses of a data race, in a program that looks for races: ghost variables with the words for both
/// in [`Program::shown`]. The first access is marked somewhere in a run; the second one violates the only property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RaceWatch {
    /// Assigned by the step with the first access.
    pub first: VarId,
    /// Assigned by the step with the second one.
    pub second: VarId,
}

/// A choice between many values of which the program has only some.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chance {
    /// Where the value comes from, as in `rand()`.
    pub name: String,
    /// The line of the source.
    pub line: u32,
    /// The values that are tried, in order.
    pub values: Vec<i64>,
}

/// The bound on allocated objects. An allocation that finds no free object "spawns" a definition that has no processes: it
/// is blocked, and the bound is recorded as met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Heap {
    /// The definition without processes.
    pub def: DefId,
    /// Number of objects of each allocation site.
    pub objects: u32,
    /// True if no spawn of the program can find its definition without a process.
    pub fixed_threads: bool,
}

/// How processes come and go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Lifecycle {
    /// A spawned process that has finished, with an empty buffer, is gone at once and can be spawned
    /// again. Processes have no numbers.
    #[default]
    Slots,
    /// As in SPIN: processes live on a stack. Each has a number, its *pid*: how many processes lived when
    /// it started (those that run from the start are numbered in order). It is gone only by a
    /// [`crate::Control::Exit`], which only the youngest process can take.
    Stack,
}

/// What is done in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Granularity {
    /// One access to shared memory.
    Access,
    /// One statement, with all its accesses.
    Statement,
}

impl Granularity {
    /// Both.
    pub const ALL: [Granularity; 2] = [Granularity::Access, Granularity::Statement];

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Granularity::Access => "access",
            Granularity::Statement => "statement",
        }
    }

    /// The words of a verdict.
    pub fn describe(self) -> &'static str {
        match self {
            Granularity::Access => "one access per step",
            Granularity::Statement => "one statement per step",
        }
    }
}

/// Whether stores to a variable are buffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum VarKind {
    /// Shared memory, behind store buffers.
    Shared,
    /// Observer state: always sequentially consistent, not part of the program under test.
    Ghost,
}

/// A shared or ghost variable, scalar or array.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Shared or ghost.
    pub kind: VarKind,
    /// The type of it or of its elements.
    pub ty: Type,
    /// Number of elements if it is an array.
    pub len: Option<u32>,
    /// Initial values: one, or one for each element.
    pub init: Vec<i64>,
    /// Where it is declared.
    pub span: Span,
}

impl Variable {
    /// How many values it holds: 1, or the length of the array.
    pub fn size(&self) -> u32 {
        self.len.unwrap_or(1)
    }
}

/// A variable of a process's own, scalar or array.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Register {
    /// Its name; unique in its definition, except that procedures have name spaces of their own.
    pub name: String,
    /// The type of it or of its elements.
    pub ty: Type,
    /// Number of elements if it is an array.
    pub len: Option<u32>,
    /// Initial values: one, or one for each element.
    pub init: Vec<i64>,
    /// Where it is declared.
    pub span: Span,
}

impl Register {
    /// How many values it holds: 1, or the length of the array.
    pub fn size(&self) -> u32 {
        self.len.unwrap_or(1)
    }
}

/// The code of a process: a control-flow graph of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProcessDef {
    /// Its name.
    pub name: String,
    /// Its registers, by [`RegId`]; the first [`ProcessDef::params`] are its parameters.
    pub registers: Vec<Register>,
    /// How many of the registers are parameters.
    pub params: u32,
    /// Its control program points, by [`PointId`].
    pub points: Vec<ProgramPoint>,
    /// Where it starts.
    pub entry: PointId,
    /// Its steps, by [`StepId`].
    pub steps: Vec<Step>,
    /// Its procedures, by [`crate::ProcedureId`]. Their program points and steps are among the definition's own.
    pub procedures: Vec<Procedure>,
    /// The registers, or elements of register arrays, that hold the process's own channels when it
    /// starts, in the order of [`Process::channels`].
    pub channel_registers: Vec<(RegId, u32)>,
    /// Where it stands in the source.
    pub span: Span,
}

/// A procedure of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Its first program point.
    pub entry: PointId,
    /// The registers that each call has anew; the first [`Procedure::params`] are its parameters.
    pub registers: Vec<RegId>,
    /// How many of the registers are parameters.
    pub params: u32,
}

/// A control program point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProgramPoint {
    /// The labels that name it in the source.
    pub labels: Vec<String>,
    /// A process may stop here for ever without that being a deadlock. A process at such a program point
    /// that no step leaves has *finished*.
    pub end: bool,
    /// While a process is here, no other process moves and nothing commits.
    pub atomic: bool,
    /// In the middle of what the source makes one step (a `d_step`): a process that is here goes on whatever its
    /// priority.
    pub inner: bool,
}

/// When a process starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Start {
    /// With the program.
    Initially,
    /// When an [`Effect::Spawn`] of its definition takes it. What becomes of it when it has finished is up
    /// to the [`Lifecycle`].
    Spawned,
}

/// A process: an instance of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Process {
    /// Its name; unique in the program, for example `p` or `p[1]`.
    pub name: String,
    /// Its code.
    pub def: DefId,
    /// The values of its parameters; empty for spawned processes, which get them when spawned.
    pub args: Vec<i64>,
    /// When it starts.
    pub start: Start,
    /// Its own channels. They are empty when it starts and emptied when it exits.
    pub channels: Vec<ChanId>,
}

impl ProcessDef {
    /// The steps that leave a program point.
    pub fn steps_from(&self, source: PointId) -> impl Iterator<Item = (StepId, &Step)> {
        let numbered = self.steps.iter().enumerate().map(|(i, s)| (StepId::from(i), s));
        numbered.filter(move |(_, s)| s.source == source)
    }

    /// Whether a process at this program point has finished: it may end there and no step leaves.
    pub fn is_final(&self, point: PointId) -> bool {
        self.points[point.index()].end && self.steps_from(point).next().is_none()
    }

    /// The program points with a label.
    pub fn labelled(&self, label: &str) -> Vec<PointId> {
        let has = |l: &ProgramPoint| l.labels.iter().any(|name| name == label);
        (0..self.points.len()).filter(|&i| has(&self.points[i])).map(PointId::from).collect()
    }
}

impl Program {
    /// A variable.
    pub fn var(&self, id: VarId) -> &Variable {
        &self.vars[id.index()]
    }

    /// A process.
    pub fn process(&self, id: ProcId) -> &Process {
        &self.processes[id.index()]
    }

    /// The code of a process.
    pub fn def_of(&self, id: ProcId) -> &ProcessDef {
        &self.defs[self.process(id).def.index()]
    }

    /// A register of a process.
    pub fn register(&self, process: ProcId, register: RegId) -> &Register {
        &self.def_of(process).registers[register.index()]
    }

    /// A property.
    pub fn property(&self, id: PropId) -> &Property {
        &self.properties[id.index()]
    }

    /// All processes.
    pub fn process_ids(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.processes.len()).map(ProcId::from)
    }

    /// All variables.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.vars.len()).map(VarId::from)
    }

    /// All properties.
    pub fn property_ids(&self) -> impl Iterator<Item = PropId> + use<> {
        (0..self.properties.len()).map(PropId::from)
    }

    /// The process with a name.
    pub fn find_process(&self, name: &str) -> Option<ProcId> {
        self.processes.iter().position(|p| p.name == name).map(ProcId::from)
    }

    /// The variable with a name.
    pub fn find_var(&self, name: &str) -> Option<VarId> {
        self.vars.iter().position(|v| v.name == name).map(VarId::from)
    }

    /// The processes of a definition that a spawn can take, in the order in which it tries them. With
    /// [`Lifecycle::Stack`] that is all of them, as those that run from the start can exit; the living
    /// ones then are always the first, oldest first, because the youngest goes first.
    pub fn spawn_slots(&self, def: DefId) -> impl Iterator<Item = ProcId> {
        self.process_ids().filter(move |&p| {
            let process = self.process(p);
            let vacant = process.start == Start::Spawned || self.lifecycle == Lifecycle::Stack;
            process.def == def && vacant
        })
    }

    /// A channel.
    pub fn channel(&self, id: ChanId) -> &Channel {
        &self.channels[id.index()]
    }

    /// Whether any step of the program spawns a process.
    pub fn spawns(&self) -> bool {
        let steps = self.defs.iter().flat_map(|d| &d.steps);
        steps.flat_map(|s| &s.effects).any(|e| matches!(e, Effect::Spawn { .. }))
    }
}
