//! Granularity: one step per statement, or one step per access to shared memory.
//!
//! TODO
mod code;
mod decisions;
mod heads;
mod labels;
mod lines;
mod texts;
mod values;
mod waits;

use std::collections::HashSet;

use crate::{Expr, LocId, ProcessDef, Program, RegId, Step, StepId, Variable};

use code::{Code, Pending};
use heads::Alternative;
use lines::Rest;
use waits::Done;

/// What is done in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// Sizes that a definition may have after it is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Most locations.
    pub locations: usize,
    /// Most steps.
    pub steps: usize,
    /// Most operators and operands in all expressions of split steps together.
    pub nodes: usize,
}

impl Default for Most {
    fn default() -> Most {
        Most { locations: 1 << 16, steps: 1 << 18, nodes: 1 << 22 }
    }
}

/// What a definition has too many of after it is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// Locations.
    Locations,
    /// Steps, or expressions in them.
    Steps,
}

impl TooLarge {
    /// The word for it in messages.
    pub fn word(self) -> &'static str {
        match self {
            TooLarge::Locations => "locations",
            TooLarge::Steps => "steps",
        }
    }
}

/// A definition with one access per step. Its locations keep their numbers; those in the middle of a statement
/// come after them, with the labels of the location that the statement starts at. `hidden` are registers that
/// the front end made for values inside of statements: texts do not say that they are reset.
pub fn split_def(
    vars: &[Variable],
    def: ProcessDef,
    hidden: &[RegId],
    most: Most,
) -> Result<ProcessDef, TooLarge> {
    Ok(split(vars, def, hidden, most)?.def)
}

/// A program with one access per step, the locations that properties and steps ask about included.
pub fn split_program(mut program: Program, most: Most) -> Result<Program, TooLarge> {
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
    /// Each new location with the one that its statement starts at.
    heads: Vec<(LocId, LocId)>,
}

fn split(
    vars: &[Variable],
    mut def: ProcessDef,
    hidden: &[RegId],
    most: Most,
) -> Result<Split, TooLarge> {
    let kept = heads::kept_whole(&def.locations, &def.steps);
    let old = std::mem::take(&mut def.steps);
    let mut leaving: Vec<Vec<(StepId, Step)>> = vec![Vec::new(); def.locations.len()];
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
    /// Locations whose steps stay whole.
    kept: Vec<bool>,
    /// The steps that leave each location; empty once they are done.
    leaving: Vec<Vec<(StepId, Step)>>,
    /// The new number of each step that stays.
    new: Vec<Option<StepId>>,
    heads: Vec<(LocId, LocId)>,
}

impl Pass {
    /// Copies a step, or splits all steps of its location if it is the first of them.
    fn step(&mut self, code: &mut Code<'_>, id: StepId, step: &Step) -> Result<(), TooLarge> {
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
        let first = code.def.locations.len();
        code.head = step.source;
        let mut done = Vec::new();
        for alternative in code.group(&candidates) {
            done.push(one(code, &candidates, &alternative)?);
        }
        code.ways_out(&done)?;
        let inner = first..code.def.locations.len();
        self.heads.extend(inner.map(|l| (LocId::from(l), step.source)));
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
