//! Granularity: one step per statement, or one step per access to shared memory.
//!
//! A processor loads or stores one program point at once. A step of the model may do more: `c := c + 1` loads and stores
//! `c`. [`split_def`] splits the steps of a definition until each has at most one access. Ghost variables, registers
//! and channels do not count.
//!
//! # What a split step does
//!
//! - Operands are loaded from left to right into *hidden* registers, an index before its element; then comes the
//!   store. The value of `x` is in register `x'`. The last load of a step that stores nothing stays where it is.
//! - `&&`, `||` and `?:` load what they need (`decisions.rs`). Two steps with complementary guards (`if`, `while`) are
//!   one graph of decisions, in which both outcomes always have a step.
//! - Stores of a parallel assignment come one after the other, once all values are there. The places of one *atomic
//!   write* are stored at once.
//! - A hidden register is set to its initial value by the step that uses it last, so that it makes no difference
//!   between states afterwards. (Arguments of a call are the exception, see `lines.rs`.)
//! - A program point in the middle of a statement has the labels and the `end` mark of the program point where the statement
//!   starts: a process in the middle of the statement at `cs` is at `cs`.
//!
//! These steps stay whole: locked ones, those marked as [`Step::whole`] by the front end, those that enter or are in an atomic section, those that hold the other
//! processes or follow one that does (Promela's `atomic` and `d_step`), those with a channel, exits, and all steps of
//! a program point where one yields to a step whose readiness no expression says (an `else` beside a channel, `unless`).
//! Other steps that yield (`else`) get the negated guards of those that they yield to.
//!
//! # Waiting
//!
//! `await(e)` is a loop of loads that ends when `e` was true. A round of the loop in which `e` was false changes
//! nothing but hidden registers. So only the round that succeeds is modelled: where the last load of a leaf would make
//! `e` false there is no step, and the process is *blocked* there. A blocked process can
//!
//! - *go back* to the head, if the condition computed now would not come to this leaf, or would come with other values
//!   in the hidden registers;
//! - take another alternative of the head, if there is one and it can be taken.
//!
//! *Reachable states are those of the real loop.* From a run of the real loop, leave out the rounds of a process that
//! fail, and the last one if it is not finished. Loads change neither memory nor buffers, the own one included, under
//! every memory model; so the rest is a run, and its states differ only in where in the statement the process is, which
//! labels and properties cannot see. All its rounds succeed, so it is a run of the model. The other way round, a run of
//! the model without the rounds that were given up is a run of the real loop.
//!
//! *Deadlocks are found, and only real ones.* If nothing can happen, a blocked process cannot go back. So the
//! condition computed now comes to the same leaf with the same values, and is false there: the real loop never ends.
//! The other way round, if nothing changes any more and the condition is false, each process comes to a program point
//! where it is blocked, and stays.
//!
//! *There are no idle cycles.* A process that went back computes the condition from what is there now. It can go back
//! again only after something has changed. Where several alternatives wait, a process leaves one for another only if
//! its own is false and another is true, and then it may start only those that are true (`waits.rs`).
//!
//! *Fairness means the same.* If the condition is true from some time on, the process is never blocked for good: it
//! goes on, or back and then on. If it is blocked again and again, the condition is false again and again, and all
//! loads of a failing round of the real loop can happen at such a time. If the real loop fails because values change
//! between two loads, the model goes back again and again. `enabled(p)` and the operator `X` can tell the difference:
//! a process in a failing round can move in the real loop and cannot in the model.
//!
//! *Faults* in a condition that is computed again are faults of the real loop, too: it might start a round now.
//!
//! A `timeout` that was passed stays passed in that round.
//!
//! # Size
//!
//! The number of steps and program points is linear in the number of accesses; for a program point with several waiting
//! alternatives, steps times alternatives. The conditions for going back repeat parts of the guard, which is
//! quadratic in the worst case. [`Most`] bounds all three.

mod code;
mod decisions;
mod heads;
mod labels;
mod lines;
mod texts;
mod values;
mod waits;

use std::collections::HashSet;

use crate::{Expr, PointId, ProcessDef, Program, RegId, Step, StepId, Variable};

use code::{Code, Pending};
use heads::Alternative;
use lines::Rest;
use waits::Done;

/// Sizes that a definition may have after it is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Most program points.
    pub points: usize,
    /// Most steps.
    pub steps: usize,
    /// Most operators and operands in all expressions of split steps together.
    pub nodes: usize,
}

impl Default for Most {
    fn default() -> Most {
        Most { points: 1 << 16, steps: 1 << 18, nodes: 1 << 22 }
    }
}

/// What a definition has too many of after it is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// Program points.
    Points,
    /// Steps, or expressions in them.
    Steps,
}

impl TooLarge {
    /// The word for it in messages.
    pub fn word(self) -> &'static str {
        match self {
            TooLarge::Points => "program points",
            TooLarge::Steps => "steps",
        }
    }
}

/// A definition with one access per step. Its program points keep their numbers; those in the middle of a statement
/// come after them, with the labels of the program point that the statement starts at. `hidden` are registers that
/// the front end made for values inside of statements: texts do not say that they are reset.
pub fn split_def(
    vars: &[Variable],
    def: ProcessDef,
    hidden: &[RegId],
    most: Most,
) -> Result<ProcessDef, TooLarge> {
    Ok(split(vars, def, hidden, most)?.def)
}

/// A program with one access per step, the program points that properties and steps ask about included.
pub fn split_program(mut program: Program, most: Most) -> Result<Program, TooLarge> {
    let _phase = taut_budget::phase("steps are split into accesses");
    let mut heads = Vec::new();
    for i in 0..program.defs.len() {
        let split = split(&program.vars, program.defs[i].clone(), &[], most)?;
        program.defs[i] = split.def;
        heads.push(split.heads);
    }
    labels::extend(&mut program, &heads);
    Ok(program)
}

/// A split definition.
struct Split {
    def: ProcessDef,
    /// Each new program point with the one that its statement starts at.
    heads: Vec<(PointId, PointId)>,
}

fn split(
    vars: &[Variable],
    mut def: ProcessDef,
    hidden: &[RegId],
    most: Most,
) -> Result<Split, TooLarge> {
    let kept = heads::kept_whole(&def.points, &def.steps);
    let old = std::mem::take(&mut def.steps);
    let mut leaving: Vec<Vec<(StepId, Step)>> = vec![Vec::new(); def.points.len()];
    for (i, step) in old.iter().enumerate() {
        leaving[step.source.index()].push((StepId::from(i), step.clone()));
    }
    let mut code = Code::new(vars, def, most);
    let mut pass = Pass { kept, leaving, new: vec![None; old.len()], heads: Vec::new() };
    for (i, step) in old.iter().enumerate() {
        pass.step(&mut code, StepId::from(i), step)?;
    }
    let Code { mut def, mut steps, first_hidden, .. } = code;
    for step in &mut steps {
        step.yields_to.iter_mut().for_each(|id| {
            *id = pass.new[id.index()].unwrap_or(*id);
        });
    }
    def.steps = steps;
    let added = (first_hidden..def.registers.len()).map(RegId::from);
    let hidden: HashSet<RegId> = hidden.iter().copied().chain(added).collect();
    texts::describe(vars, &mut def, &hidden);
    Ok(Split { def, heads: pass.heads })
}

/// The walk over the steps of a definition.
struct Pass {
    /// Program points whose steps stay whole.
    kept: Vec<bool>,
    /// The steps that leave each program point; empty once they are done.
    leaving: Vec<Vec<(StepId, Step)>>,
    /// The new number of each step that stays.
    new: Vec<Option<StepId>>,
    heads: Vec<(PointId, PointId)>,
}

impl Pass {
    /// Copies a step, or splits all steps of its program point if it is the first of them.
    fn step(&mut self, code: &mut Code<'_>, id: StepId, step: &Step) -> Result<(), TooLarge> {
        taut_budget::tick();
        let at = step.source.index();
        if self.leaving[at].is_empty() {
            return Ok(());
        }
        let candidates = match self.kept[at] {
            true => None,
            false => code.candidates(&self.leaving[at]),
        };
        let Some(candidates) = candidates else {
            self.kept[at] = true;
            self.new[id.index()] = Some(StepId::from(code.steps.len()));
            return code.push(step.clone());
        };
        self.leaving[at].clear();
        let first = code.def.points.len();
        code.head = step.source;
        let mut done = Vec::new();
        for alternative in code.group(&candidates) {
            done.push(one(code, &candidates, &alternative)?);
        }
        code.ways_out(&done)?;
        let inner = first..code.def.points.len();
        self.heads.extend(inner.map(|l| (PointId::from(l), step.source)));
        Ok(())
    }
}

/// Splits one alternative.
fn one(
    code: &mut Code<'_>,
    all: &[heads::Candidate],
    alternative: &Alternative,
) -> Result<Done, TooLarge> {
    let step = |id: StepId| {
        let found = all.iter().find(|c| c.id == id);
        &found.expect("alternatives are made of candidates").step
    };
    let before = code.steps.len();
    debug_assert!(code.held.is_empty(), "no value is held from one statement to the next");
    let (blocked, guard) = match *alternative {
        Alternative::Whole(id) => {
            code.push(step(id).clone())?;
            (Vec::new(), Expr::TRUE)
        }
        Alternative::Line(id) => {
            let step = step(id);
            code.span = step.span;
            let (guard, mode) = (step.guard.clone(), step.mode);
            code.line(Pending { guard, mode, ..Pending::at(step.source) }, &step.into())?;
            (Vec::new(), Expr::TRUE)
        }
        Alternative::Wait(id) => {
            code.span = step(id).span;
            (code.wait(step(id))?, step(id).guard.clone())
        }
        Alternative::Branch(yes, no) => {
            code.span = step(yes).span;
            branch(code, step(yes), step(no))?;
            (Vec::new(), Expr::TRUE)
        }
    };
    let own = code.steps[before..].iter();
    let starts = own.filter(|s| s.source == code.head).cloned().collect();
    Ok(Done { starts, blocked, guard })
}

/// Two steps with complementary guards: one graph of decisions.
fn branch(code: &mut Code<'_>, yes: &Step, no: &Step) -> Result<(), TooLarge> {
    let rests = [Rest::from(yes), Rest::from(no)];
    let (yes_exit, yes_more) = code.exit(&rests[0])?;
    let (no_exit, no_more) = code.exit(&rests[1])?;
    let start = Pending { mode: yes.mode, ..Pending::at(yes.source) };
    code.branch(&yes.guard, start, Some(yes_exit), Some(no_exit))?;
    for (p, rest) in [(yes_more, &rests[0]), (no_more, &rests[1])] {
        if let Some(p) = p {
            code.line(p, rest)?;
        }
    }
    Ok(())
}
