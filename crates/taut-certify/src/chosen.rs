//! States from which the steps of one process are enough.
//!
//! The certificate gives some states a process *p* and a *rank*. From such a state only the steps of *p* are followed.
//! It is checked that they have to do with nothing that others can do before *p* moves, and that they change nothing that
//! is claimed (Valmari 1991; Godefroid 1996; Peled's conditions C0 to C2):
//!
//! - *p* has a step that can be taken, and every step at its program point can be taken and does not go wrong, or has a
//!   false guard, or yields to such a step. None has to do with channels, spawns, exits, holding, or the buffers of others;
//! - no other process can write what these steps and guards read, from its present program point on, and none waits in its
//!   buffer. The same for what they write to memory at once, which no other process may read either. What they put into
//!   the buffer of *p* is seen by *p* alone;
//! - no step of the program names *p*, and no claimed property sees the difference that a step of *p* makes.
//!
//! So each of these steps α can be taken, with the same effect, after any actions *w* of others and commits of *p* in
//! which *p* itself does not move; and α *w* leads where *w* α leads. Ranks fall along followed steps (in place of C3).
//!
//! **Why that is a proof.** Suppose that something claimed goes wrong after actions *w* from a listed state *s*. Then it is
//! seen in a listed state or step, by induction on the length of *w*, and then on the rank of *s*. If all steps of *s*
//! are followed, take the first action of *w*. Otherwise, if *p* moves in *w*, its first step is one of those that are
//! followed: take it first; the rest of *w* is shorter. If the action that goes wrong is itself the first step of *p*, it
//! goes wrong in *s*, too. If *p* does not move, take any α: the rest is *w*, whose end is as wrong as before, since α is
//! not seen; and the rank is smaller. A deadlock at the end of *w* is no state in which α can be taken: either *p* moves in
//! *w*, or a process at an atomic program point holds *p*. That one may not stop there, before α and after it.

use std::collections::{BTreeSet, HashMap};

use taut_ir::{
    Action, Control, DefId, Effect, Expr, FullBuffer, Memory, Mode, ProcId, ProcessDef, Program,
    Start, Step, VarId,
};
use taut_witness::memo::{Memo, Numbers};
use taut_witness::{Machine, Move, Outcome, ProcessState, Read, Refusal, State, Target, Write};

use crate::alike::names;

/// Variables that a process may access, each with whether it may write it.
type Accesses = BTreeSet<(VarId, bool)>;

fn accesses(step: &Step) -> Accesses {
    let read = step.expressions().into_iter().flat_map(Expr::variables).map(|var| (var, false));
    let written = step.stores().filter_map(|place| place.variable()).map(|var| (var, true));
    read.chain(written).collect()
}

/// What is known of a definition by a look at its code.
struct Facts {
    /// For each step whether it has to do with its own process and variables only.
    local: Vec<bool>,
    /// For each program point the accesses from there on, without those after a return.
    from: Vec<Accesses>,
}

impl Facts {
    fn of(def: &ProcessDef) -> Facts {
        let mut from = vec![Accesses::new(); def.points.len()];
        def.steps.iter().for_each(|step| from[step.source.index()].extend(accesses(step)));
        let mut changed = true;
        while changed {
            changed = false;
            for step in def.steps.iter().rev() {
                taut_budget::tick();
                let targets = match step.target {
                    Control::Goto(to) => vec![to],
                    Control::Call { procedure, return_to, .. } => {
                        vec![def.procedures[procedure.index()].entry, return_to]
                    }
                    Control::Return | Control::Exit => Vec::new(),
                };
                for target in targets {
                    let later = from[target.index()].clone();
                    let own = &mut from[step.source.index()];
                    let before = own.len();
                    own.extend(later);
                    changed |= own.len() > before;
                }
            }
        }
        let local = def.steps.iter().map(|step| is_local(def, step)).collect();
        Facts { local, from }
    }
}

/// Whether a step has to do with the registers and the buffer of its own process and with variables only.
fn is_local(def: &ProcessDef, step: &Step) -> bool {
    let is_plain = |effect: &Effect| {
        matches!(effect, Effect::Assign(_) | Effect::Assert { .. } | Effect::StoreFence)
    };
    step.effects.iter().all(is_plain)
        && step.channel.is_none()
        && !step.holds
        && step.mode != Mode::Sync
        && step.target != Control::Exit
        && step.yields_to.iter().all(|other| def.steps[other.index()].source == step.source)
        && step.expressions().into_iter().all(is_own)
}

/// Whether an expression is about registers and variables only.
fn is_own(expr: &Expr) -> bool {
    use Expr::{Binary, Cond, Const, Reg, RegElem, Unary, Var, VarElem};
    let of_data = matches!(expr, Const(_) | Reg(_) | RegElem(..) | Var(_) | VarElem(..));
    (of_data || matches!(expr, Unary(..) | Binary(..) | Cond(..)))
        && expr.operands().into_iter().all(is_own)
}

/// Whether an expression asks whether anything can happen: a step of any process may change the answer.
fn asks_what_is_possible(expr: &Expr) -> bool {
    matches!(expr, Expr::Timeout | Expr::Enabled(_))
        || expr.operands().into_iter().any(asks_what_is_possible)
}

/// What decides whether the steps of one process are enough.
pub struct Chooser<'p> {
    machine: Machine<'p>,
    claimed: Vec<&'p Expr>,
    /// For each process whether it may be chosen at all: no step names it.
    possible: Vec<bool>,
    /// Whether a step waits for the buffers of all processes.
    syncs: bool,
    /// The definitions of which processes are spawned: each of them can begin anew.
    spawned: BTreeSet<DefId>,
    /// For each definition.
    facts: Vec<Facts>,
}

impl<'p> Chooser<'p> {
    /// The facts about a program, for these claimed expressions.
    pub fn new(program: &'p Program, memory: Memory, claimed: Vec<&'p Expr>) -> Chooser<'p> {
        let steps = || program.defs.iter().flat_map(|def| &def.steps);
        let named = |p: ProcId| steps().flat_map(Step::expressions).any(|expr| names(expr, p));
        let spawned = steps().flat_map(|step| &step.effects).filter_map(|effect| match effect {
            Effect::Spawn { def, .. } => Some(*def),
            _ => None,
        });
        let mut points = program.defs.iter().flat_map(|def| &def.points);
        // A store that overwrites a waiting one, and one that may not wait, has to do with commits.
        let waits = memory.full_buffer == FullBuffer::Wait || !memory.model.has_bound();
        let possible = waits
            && !memory.model.overwrites()
            && program.priorities.is_none()
            && !steps().flat_map(Step::expressions).any(asks_what_is_possible)
            && !points.any(|point| point.atomic && point.end);
        Chooser {
            machine: Machine::new(program, memory),
            claimed,
            possible: program.process_ids().map(|p| possible && !named(p)).collect(),
            syncs: steps().any(|step| step.mode == Mode::Sync),
            spawned: spawned.collect(),
            facts: program.defs.iter().map(Facts::of).collect(),
        }
    }

    /// What the steps of a process need of others, if they are enough wherever that is met. Others are not looked at.
    fn needs(&self, state: &State, process: ProcId) -> Option<Needs> {
        let program = self.machine.program();
        let (at, def) = (state.process(process), program.def_of(process));
        let facts = &self.facts[program.process(process).def.index()];
        if !self.possible[process.index()] || !at.started || def.points[at.point.index()].atomic {
            return None;
        }
        let (mut can_move, mut needs) = (false, Needs::default());
        for (id, step) in def.steps_from(at.point) {
            if !facts.local[id.index()] {
                return None;
            }
            needs.read(&self.machine.reads_in(state, process, &step.guard));
            if self.machine.value_in(state, process, &step.guard) == Ok(0) {
                continue;
            }
            let action = Action::step(process, id);
            match self.machine.apply(state, action) {
                Ok(done) if self.is_unseen(state, process, &done, &mut needs) => can_move = true,
                Err(Refusal::Yields { .. }) => {}
                _ => return None,
            }
        }
        can_move.then_some(needs)
    }

    /// What a process may do to variables from its part of a state on.
    fn uses(&self, id: ProcId, at: &ProcessState) -> Uses {
        let program = self.machine.program();
        let def = program.process(id).def;
        let anew = self.spawned.contains(&def).then_some(program.def_of(id).entry);
        let points = at.stack.iter().map(|frame| frame.return_to).chain([at.point]).chain(anew);
        let mut uses = Uses::default();
        for &(var, writes) in points.flat_map(|p| &self.facts[def.index()].from[p.index()]) {
            if writes { &mut uses.written } else { &mut uses.read }.insert(var);
        }
        uses.written.extend(at.buffer.entries().map(|entry| entry.address.var));
        uses
    }

    /// Whether others and what is claimed cannot tell that a step was taken.
    fn is_unseen(&self, state: &State, process: ProcId, done: &Move, needs: &mut Needs) -> bool {
        let Outcome::State(after) = &done.outcome else { return false };
        let program = self.machine.program();
        let (point, def) = (after.process(process).point, program.def_of(process));
        // A spawned process that has finished makes room for another one.
        let ends = program.process(process).start == Start::Spawned && def.is_final(point);
        needs.read(&done.record.reads);
        let (waiting, at_once): (Vec<&Write>, Vec<&Write>) =
            done.record.writes.iter().partition(|write| write.to == Target::Buffer);
        needs.unused.extend(at_once.iter().map(|write| write.address.var));
        let (writes, before) = (done.record.writes.as_slice(), state);
        let change = Change { process, before, after, writes };
        !ends
            && after.process(process).started
            && !def.points[point.index()].atomic
            && (waiting.is_empty() || !self.syncs)
            && !self.claimed.iter().any(|expr| change.is_seen(expr, None))
    }
}

/// What chosen steps need of all other processes.
#[derive(Debug, Default)]
struct Needs {
    /// Variables that no other process may write.
    unwritten: BTreeSet<VarId>,
    /// Variables that no other process may use at all.
    unused: BTreeSet<VarId>,
}

/// What a process may do to variables.
#[derive(Debug, Default)]
struct Uses {
    read: BTreeSet<VarId>,
    written: BTreeSet<VarId>,
}

impl Needs {
    fn read(&mut self, reads: &[Read]) {
        self.unwritten.extend(reads.iter().map(|read| read.address.var));
    }

    fn are_met(&self, uses: &Uses) -> bool {
        uses.written.is_disjoint(&self.unwritten)
            && uses.written.is_disjoint(&self.unused)
            && uses.read.is_disjoint(&self.unused)
    }
}

/// Choices that were made, by what they depend on: the part of the chosen process and what it sees, and the parts of
/// others.
#[derive(Debug, Default)]
pub struct Choices {
    /// For each answer of the memo.
    needs: HashMap<u32, Option<Needs>>,
    /// For each process and part.
    uses: HashMap<(usize, u32), Uses>,
    /// For the needs of an answer and the part of another process whether they are met.
    met: HashMap<(u32, usize, u32), bool>,
}

impl Choices {
    /// The number of the answer for a process, if its steps are enough in a state.
    pub fn find<'p>(
        &mut self,
        chooser: &Chooser<'p>,
        memo: &mut Memo<'p>,
        numbers: &mut impl Numbers<'p>,
        row: &[u32],
        process: ProcId,
    ) -> Option<u32> {
        let answer = memo.answer(numbers, row, process)?;
        let columns = numbers.columns();
        let needs =
            self.needs.entry(answer).or_insert_with(|| chooser.needs(&columns.state(row), process));
        let needs = needs.as_ref()?;
        let others = row[..row.len() - 1].iter().enumerate();
        let mut others = others.filter(|(other, _)| *other != process.index());
        let is_met = |(other, &part): (usize, &u32)| {
            *self.met.entry((answer, other, part)).or_insert_with(|| {
                let id = ProcId::from(other);
                let uses = self.uses.entry((other, part));
                let uses = uses.or_insert_with(|| chooser.uses(id, columns.process(id, part)));
                needs.are_met(uses)
            })
        };
        others.all(is_met).then_some(answer)
    }
}

/// The difference that a step makes, wherever it is taken.
struct Change<'a> {
    process: ProcId,
    before: &'a State,
    after: &'a State,
    writes: &'a [Write],
}

impl Change<'_> {
    /// Whether an expression, as a process sees it or as all do, may see the difference.
    fn is_seen(&self, expr: &Expr, inside: Option<ProcId>) -> bool {
        let (was, is) = (self.before.process(self.process), self.after.process(self.process));
        let own = inside == Some(self.process);
        let seen = match expr {
            Expr::Reg(r) | Expr::RegElem(r, _) => {
                own && was.registers[r.index()] != is.registers[r.index()]
            }
            Expr::Var(var) | Expr::VarElem(var, _) => {
                let meant = |w: &Write| w.address.var == *var && (own || w.to == Target::Memory);
                self.writes.iter().any(meant)
            }
            Expr::At(p, points) if *p == self.process => {
                points.contains(&was.point) != points.contains(&is.point)
            }
            Expr::Drained(p) if *p == self.process => !self.writes.is_empty(),
            Expr::Enabled(_) => true,
            _ => false,
        };
        let inside = if let Expr::In(p, _) = expr { Some(*p) } else { inside };
        seen || expr.operands().into_iter().any(|operand| self.is_seen(operand, inside))
    }
}
