//! The machine with a memory: what a process does is found out once, and looked up after that.
//!
//! A state is a row of numbers ([`Columns`]). What one process can do depends on its own part and on little else: on the
//! variables that its steps and its waiting stores name, and on what its steps ask about other processes (`sight.rs`). A
//! [`Memo`] keeps, for each part of a process and each *view* of the rest, the *answer* of the [`Machine`]: which parts
//! change and how, what is found on the way, and which bounds are met. The next state in which the process has the same
//! part and the same view gets the same answer without a step.
//!
//! **Why the answer is the same.** The machine gets a state in which the process and what it sees are as they are, and
//! every other process is at rest. So an answer is a function of what is looked up by, plus the cells that are not seen; and
//! these are neither read nor written, by the rules of `sight.rs`. What is written is kept as a patch of bytes.
//! What others can do to the process is not part of its answer:
//!
//! - A process at an atomic program point keeps all others from moving. That is decided before answers are asked for.
//! - Where nothing can happen at all, a timeout may be due: the machine is asked about the whole state.
//! - A rendezvous has an answer of its own, for the parts of both.
//! - A process that holds the others is followed to where it holds nobody, if its program points allow it.
//! - Priorities, and steps that yield to a send in a rendezvous, depend on everything: the machine is asked about the whole
//!   state.
//!
//! The machine settles every state: spawned processes that have finished wait again, and buffers are sorted. In a state that
//! is settled already, that concerns the process alone. Where an answer changes a part that it must not change, because a
//! listed state is not settled, the answer is about that state only and is not kept.

mod ask;
mod cells;
mod columns;
mod pool;
mod sight;
mod watch;

use std::collections::HashMap;
use std::ops::Range;

use taut_fault::{Fault, is_on};
use taut_ir::{Action, Finding, ProcId};

pub use columns::{Columns, Numbers, UNKNOWN};
pub use watch::Watch;

use self::ask::patched;
use self::columns::number;
use self::pool::Pool;
use self::sight::{How, Sight, sights};
use crate::machine::Machine;
use crate::outcome::{BoundsMet, Successors};
use crate::state::{ProcessState, State};

/// What a process, or a rendezvous, can do.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    moves: Vec<Change>,
    /// What goes wrong in its steps.
    pub findings: Vec<Finding>,
    /// The bounds that keep steps from being taken.
    pub bounds: BoundsMet,
}

/// An action and the parts that it changes.
#[derive(Clone, Debug)]
struct Change {
    action: Action,
    /// Columns of processes with their new parts.
    parts: Box<[(u32, u32)]>,
    /// What becomes of memory and channels.
    patch: u32,
}

/// The patch that changes nothing.
const NOTHING: u32 = 0;

/// A change of memory and channels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Patch {
    bytes: Vec<(u32, u8)>,
    /// All channels.
    channels: Option<Vec<u8>>,
}

/// What a part of a process says about its steps, in short.
#[derive(Clone, Copy, Debug)]
struct Brief {
    /// The number of its view, or [`UNKNOWN`] if it is not known yet.
    view: u32,
    point: u32,
    started: bool,
    drained: bool,
    atomic: bool,
}

/// What a process sees of the rest of a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct View {
    /// Bytes of memory.
    ranges: Vec<Range<usize>>,
    channels: bool,
    others: Vec<(u32, How)>,
    sends: bool,
    receives: bool,
    unknown: bool,
}

/// Where the answer for a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// It is kept under this number.
    Kept(u32),
    /// The whole state must be looked at.
    Whole,
}

/// What is told about everything that can happen in a state.
pub trait Visitor {
    /// What ends the visit.
    type Stop;
    /// What goes wrong in the steps of a process, and which bounds are met.
    fn saw(&mut self, findings: &[Finding], bounds: BoundsMet) -> Result<(), Self::Stop>;
    /// An action that leads to a state in which nobody holds the others.
    fn reached(&mut self, action: Action, row: &[u32]) -> Result<(), Self::Stop>;
    /// Nothing can happen, and no bound is to blame.
    fn stuck(&mut self, state: &State, next: &Successors) -> Result<(), Self::Stop>;
}

/// A program on a memory system, with the answers that were found out.
#[derive(Debug)]
pub struct Memo<'p> {
    machine: Machine<'p>,
    sights: Vec<Vec<Sight>>,
    views: Vec<View>,
    view_numbers: HashMap<View, u32>,
    /// For each definition and part of a process.
    briefs: Vec<Vec<Option<Brief>>>,
    /// What answers are looked up by; their numbers are those of the answers.
    keys: Pool,
    answers: Vec<Option<Answer>>,
    patches: Vec<Patch>,
    patch_numbers: HashMap<Patch, u32>,
    /// For some pairs of a number of memory and a patch, the number of memory after it.
    patched: Vec<(u32, u32, u32)>,
    /// Scratch.
    key: Vec<u8>,
    bytes: Vec<u8>,
    row: Vec<u32>,
    now: Vec<Brief>,
}

/// Pairs of memory and patch that are remembered: a power of two.
const PATCHED: usize = 1 << 16;

impl<'p> Memo<'p> {
    /// Nothing is known yet.
    pub fn new(machine: Machine<'p>) -> Memo<'p> {
        let program = machine.program();
        Memo {
            machine,
            sights: sights(program),
            views: Vec::new(),
            view_numbers: HashMap::new(),
            briefs: vec![Vec::new(); program.defs.len()],
            keys: Pool::new(),
            answers: Vec::new(),
            patches: vec![Patch::default()],
            patch_numbers: HashMap::from([(Patch::default(), NOTHING)]),
            patched: vec![(UNKNOWN, 0, 0); PATCHED],
            key: Vec::new(),
            bytes: Vec::new(),
            row: Vec::new(),
            now: Vec::new(),
        }
    }

    /// The machine.
    pub fn machine(&self) -> Machine<'p> {
        self.machine
    }

    /// The number of answers that are kept.
    pub fn answers(&self) -> usize {
        self.answers.len()
    }

    /// Tells about everything that can happen in a state, through states in which a process holds the others.
    pub fn visit<V: Visitor>(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        visitor: &mut V,
    ) -> Result<(), V::Stop> {
        self.read_row(numbers.columns(), row);
        let atomic = self.now.iter().filter(|brief| brief.atomic).count();
        let mut is_stuck = true;
        for id in self.machine.program().process_ids() {
            let own = self.now[id.index()];
            // A process at an atomic program point lets nobody else move.
            let is_kept = atomic > usize::from(own.atomic) && !is_on(Fault::AtomicLetsMove);
            if !own.started || is_kept {
                continue;
            }
            is_stuck &= self.visit_process(numbers, row, id, visitor)?;
        }
        if is_stuck {
            let state = numbers.columns().state(row);
            let next = self.machine.successors(&state);
            visitor.stuck(&state, &next)?;
            self.tell(numbers, &state, next, visitor)?;
        }
        Ok(())
    }

    /// Tells what one process can do; whether that is nothing.
    fn visit_process<V: Visitor>(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        id: ProcId,
        visitor: &mut V,
    ) -> Result<bool, V::Stop> {
        let view = &self.views[self.now[id.index()].view as usize];
        let (sends, mut whole) = (view.sends, view.unknown);
        let receivers: Vec<ProcId> = match sends {
            true => {
                self.machine.program().process_ids().filter(|&q| self.receives(id, q)).collect()
            }
            false => Vec::new(),
        };
        let is_unknown = |q: &ProcId| self.views[self.now[q.index()].view as usize].unknown;
        whole |= receivers.iter().any(is_unknown);
        if whole {
            let state = numbers.columns().state(row);
            let next = self.machine.successors_by(&state, id, |_| true);
            let is_nothing = next.is_nothing();
            self.tell(numbers, &state, next, visitor)?;
            return Ok(is_nothing);
        }
        let mut is_nothing = true;
        for partner in std::iter::once(None).chain(receivers.into_iter().map(Some)) {
            let number = self.find(numbers, row, id, partner);
            is_nothing &= match number {
                Asked::Kept(number) => self.visit_answer(numbers, row, number, false, visitor)?,
                Asked::Whole => {
                    let (state, next) = self.moves(numbers.columns(), row, id, partner, false);
                    let is_nothing = next.is_nothing();
                    self.tell(numbers, &state, next, visitor)?;
                    is_nothing
                }
            };
        }
        Ok(is_nothing)
    }

    /// The number of the answer for a process, if others let it move and it does not depend on the whole state.
    pub fn answer(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        id: ProcId,
    ) -> Option<u32> {
        self.read_row(numbers.columns(), row);
        let is_free = !self.now.iter().any(|brief| brief.atomic);
        let view = &self.views[self.now[id.index()].view as usize];
        if !is_free || view.unknown {
            return None;
        }
        match self.find(numbers, row, id, None) {
            Asked::Kept(number) => Some(number),
            Asked::Whole => None,
        }
    }

    /// Tells about the steps of a process, without commits, by the number of its answer.
    pub fn visit_steps<V: Visitor>(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        answer: u32,
        visitor: &mut V,
    ) -> Result<(), V::Stop> {
        self.visit_answer(numbers, row, answer, true, visitor).map(drop)
    }

    fn visit_answer<V: Visitor>(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        number: u32,
        only_steps: bool,
        visitor: &mut V,
    ) -> Result<bool, V::Stop> {
        let Some(answer) = &self.answers[number as usize] else { return Ok(true) };
        visitor.saw(&answer.findings, answer.bounds)?;
        let shared = row.len() - 1;
        for change in &answer.moves {
            if only_steps && matches!(change.action, Action::Commit { .. }) {
                continue;
            }
            self.row.clear();
            self.row.extend_from_slice(row);
            change.parts.iter().for_each(|&(column, part)| self.row[column as usize] = part);
            if change.patch != NOTHING {
                let (patches, cache) = (&self.patches, &mut self.patched);
                self.row[shared] =
                    patched(patches, cache, &mut self.bytes, numbers, (row[shared], change.patch));
            }
            visitor.reached(change.action, &self.row)?;
        }
        Ok(answer.moves.is_empty() && answer.findings.is_empty() && !answer.bounds.any())
    }

    /// Whether a process may be at a receive that another one could meet.
    fn receives(&self, sender: ProcId, id: ProcId) -> bool {
        let brief = self.now[id.index()];
        sender != id && brief.started && self.views[brief.view as usize].receives
    }

    /// Looks up what is known of the parts of a row.
    fn read_row(&mut self, columns: &Columns<'p>, row: &[u32]) {
        self.now.clear();
        for (column, &part) in row[..row.len() - 1].iter().enumerate() {
            let id = ProcId::from(column);
            let def = columns.program().process(id).def.index();
            let known = self.briefs[def].get(part as usize).copied().flatten();
            let brief = known.unwrap_or_else(|| self.brief(columns, id, part));
            self.now.push(brief);
        }
    }

    #[cold]
    fn brief(&mut self, columns: &Columns<'p>, id: ProcId, part: u32) -> Brief {
        let program = self.machine.program();
        let (def, at) = (program.process(id).def.index(), columns.process(id, part));
        let view = self.view(columns, def, at);
        let brief = Brief {
            view,
            point: at.point.0,
            started: at.started,
            drained: at.buffer.is_empty(),
            atomic: at.started && program.defs[def].points[at.point.index()].atomic,
        };
        let known = &mut self.briefs[def];
        if known.len() <= part as usize {
            known.resize(part as usize + 1, None);
        }
        known[part as usize] = Some(brief);
        brief
    }

    /// The number of what a process with this part sees.
    fn view(&mut self, columns: &Columns<'p>, def: usize, at: &ProcessState) -> u32 {
        let sight = &self.sights[def][at.point.index()];
        let waiting = at.buffer.entries().map(|entry| entry.address.var);
        let variables = sight.variables.iter().copied().chain(waiting);
        let mut ranges: Vec<_> = variables.map(|var| columns.cells.range(var)).collect();
        ranges.sort_by_key(|range| range.start);
        ranges.dedup();
        let view = View {
            ranges,
            channels: sight.channels,
            others: sight.others.iter().map(|(id, &how)| (id.0, how)).collect(),
            sends: sight.sends,
            receives: sight.receives,
            unknown: sight.unknown,
        };
        if let Some(&number) = self.view_numbers.get(&view) {
            return number;
        }
        let number = self.views.len() as u32;
        self.views.push(view.clone());
        self.view_numbers.insert(view, number);
        number
    }

    /// Tells about moves in a whole state.
    fn tell<V: Visitor>(
        &mut self,
        numbers: &mut impl Numbers<'p>,
        state: &State,
        next: Successors,
        visitor: &mut V,
    ) -> Result<(), V::Stop> {
        let (mut answer, mut reached) = (Answer::default(), Vec::new());
        self.collect(state.clone(), next, &mut answer, &mut reached);
        visitor.saw(&answer.findings, answer.bounds)?;
        for (action, after) in reached {
            let row = number(numbers, &after, &mut self.bytes);
            visitor.reached(action, &row)?;
        }
        Ok(())
    }
}
