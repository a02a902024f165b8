//! Lowering: from the typed program to the program model.
//!
//! | pass | module | result |
//! | --- | --- | --- |
//! | calls are inlined, accesses become steps | `build` | the flat program (`mir`) |
//! | local steps are joined with accesses | `graph` | fewer steps |
//! | objects are sorted into classes | `points_to` | what a pointer can point to |
//! | classes become variables | `layout` | where each cell is |
//! | steps | `emit` | the program |
//! | threads wait for a token, for any number of them | `any` | the program with `--threads` |
//! | addresses are looked at | `references` | which objects are interchangeable |
//!
//! `races` makes a second program, which looks for data races.

mod access;
mod any;
pub(crate) mod build;
mod codes;
mod emit;
mod graph;
mod layout;
mod liveness;
mod main_thread;
mod mir;
mod names;
mod numbers;
mod options;
mod own;
mod points_to;
mod races;
mod references;
mod sizes;
mod undefined;
mod uses;

use std::collections::BTreeMap;

use taut_ir::{Expr, Program};
use taut_source::{Diagnostic, SourceMap};

use crate::hir::Unit;
pub(crate) use any::owner_is_not_known;
pub(crate) use codes::CODES;
use layout::Counts;
use mir::{Mir, Op, Target};
pub use options::{Options, Root};
pub(crate) use options::{bad_nondet, no_statements, nondet_values};
use points_to::Classes;

/// The distance of addresses of neighbouring cells in programs that put marks into low bits.
pub(crate) const TAGGED: i64 = 16;
/// Number of threads that are created in a loop, at first.
const FIRST_GUESS: u32 = 2;
/// The most threads of a program.
pub(crate) const MOST_THREADS: u32 = 64;

/// A lowered program, from which programs with other numbers of threads can be made.
#[derive(Debug)]
pub struct LoweredUnit {
    mir: Mir,
    classes: Classes,
    counts: Counts,
    /// True if threads are created in a loop: their number is not known.
    recycles: bool,
    name: String,
    call_depth: u32,
}

/// Lowers a unit.
pub fn lower(
    unit: &Unit,
    sources: &SourceMap,
    name: &str,
    options: &Options,
) -> Result<LoweredUnit, Box<Diagnostic>> {
    let mir = flat(unit, sources, options)?;
    let classes = Classes::of(&mir);
    let (slots, recycles) = thread_counts(&mir);
    let (counts, name) = (Counts::new(slots), name.to_owned());
    let call_depth = options.max_calls;
    Ok(LoweredUnit { mir, classes, counts, recycles, name, call_depth })
}

/// The program of a unit that looks for data races; none if there can be none, by a look at the code.
pub fn lower_races(
    unit: &Unit,
    sources: &SourceMap,
    name: &str,
    options: &Options,
) -> Result<Option<LoweredUnit>, Box<Diagnostic>> {
    let options = Options { races: true, ..options.clone() };
    let mut lowered = lower(unit, sources, name, &options)?;
    let LoweredUnit { mir, classes, counts, .. } = &mut lowered;
    Ok(races::keep_candidates(mir, classes, counts).then_some(lowered))
}

/// The flat program, with few steps.
fn flat(unit: &Unit, sources: &SourceMap, options: &Options) -> Result<Mir, Box<Diagnostic>> {
    let mut mir = build::build(unit, sources, options)?;
    sizes::check(&mir)?;
    if options.races {
        races::instrument(&mut mir);
    }
    for thread in &mut mir.threads {
        undefined::check_reads(thread);
        graph::simplify(thread);
    }
    Ok(mir)
}

impl LoweredUnit {
    /// The program.
    pub fn program(&self) -> Program {
        self.with_counts(&self.counts)
    }

    /// True if threads are created in a loop, so that a larger program may do more.
    pub fn grows(&self) -> bool {
        self.recycles
    }

    /// The program with numbers of threads by the names of their functions; none if there are too many.
    pub fn with_slots(&self, slots: &BTreeMap<String, u32>) -> Option<Program> {
        let wanted = |(index, thread): (usize, &mir::Thread)| {
            let usual = self.counts.slots[index];
            slots.get(&thread.name).copied().unwrap_or(usual).max(usual.min(1))
        };
        let counts: Vec<u32> = self.mir.threads.iter().enumerate().map(wanted).collect();
        // What is asked for is not threads but objects of the heap: their number is fixed.
        let known = |name: &String| self.mir.threads.iter().any(|t| t.name == *name);
        if !slots.keys().all(known) {
            return None;
        }
        if counts.iter().sum::<u32>() > MOST_THREADS {
            return None;
        }
        Some(self.with_counts(&Counts::new(counts)))
    }

    /// The value of a cell of a global.
    pub(crate) fn global_cell(&self, name: &str, cell: u32) -> Option<Expr> {
        self.cell(cell, |object| object.storage == mir::Storage::Static && object.name == name)
    }

    /// The value of a local of a thread that is in memory.
    pub(crate) fn frame_cell(&self, thread: usize, name: &str) -> Option<Expr> {
        let owner = mir::Storage::Frame(mir::ThreadId(thread as u32));
        self.cell(0, |object| {
            let local = object.name.rsplit_once('.').map_or(object.name.as_str(), |(_, l)| l);
            object.storage == owner && local == name
        })
    }

    fn cell(&self, cell: u32, is_it: impl Fn(&mir::Object) -> bool) -> Option<Expr> {
        let index = self.mir.objects.iter().position(is_it)?;
        let layout =
            layout::Layout::of(&self.mir, &self.classes, &self.counts, &layout::Marks::NONE);
        let position = layout.positions[index];
        let class = &layout.classes[position.class];
        if i64::from(cell) >= position.cells {
            return None;
        }
        Some(match class.total {
            1 => Expr::Var(class.var),
            _ => {
                let at = position.first - 1 + i64::from(cell);
                Expr::VarElem(class.var, Box::new(Expr::Const(at)))
            }
        })
    }

    fn with_counts(&self, counts: &Counts) -> Program {
        let mut program = emit::emit(&self.mir, &self.classes, counts, self.recycles);
        program.name = self.name.clone();
        program.call_depth = self.call_depth;
        program
    }
}

/// Number of threads of each function, and true if some are created in a loop.
fn thread_counts(mir: &Mir) -> (Vec<u32>, bool) {
    if mir.rooted {
        return (vec![1; mir.threads.len()], false);
    }
    let mut slots = vec![0_u32; mir.threads.len()];
    slots[0] = 1;
    let mut looped = false;
    // Thread functions that start others come first in nearly all programs; rounds settle the rest.
    for _ in 0..mir.threads.len() {
        let mut next = vec![0_u32; mir.threads.len()];
        next[0] = 1;
        for (index, thread) in mir.threads.iter().enumerate() {
            for edge in &thread.edges {
                for op in &edge.ops {
                    let Op::Spawn(started, ..) = op else { continue };
                    let repeated = is_on_cycle(thread, edge.from);
                    looped |= repeated;
                    let each = if repeated { FIRST_GUESS } else { 1 };
                    let count = &mut next[started.0 as usize];
                    *count = count.saturating_add(slots[index].saturating_mul(each));
                }
            }
        }
        if next == slots {
            return (slots, looped);
        }
        slots = next.into_iter().map(|count| count.min(MOST_THREADS / 2)).collect();
    }
    // Threads that start threads of their own kind never settle.
    let settled = slots.iter().map(|&count| count.min(FIRST_GUESS)).collect();
    (settled, true)
}

/// True if a point can be reached from itself.
fn is_on_cycle(thread: &mir::Thread, start: mir::Point) -> bool {
    let mut seen = vec![false; thread.points.len()];
    let mut todo = vec![start];
    while let Some(point) = todo.pop() {
        for edge in thread.edges.iter().filter(|e| e.from == point) {
            let next = match &edge.to {
                Target::Point(to) => vec![*to],
                Target::Call { procedure, back, .. } => {
                    vec![*back, thread.procedures[*procedure].entry]
                }
                Target::Return => Vec::new(),
            };
            for to in next {
                if to == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[to.0 as usize], true) {
                    todo.push(to);
                }
            }
        }
    }
    false
}
