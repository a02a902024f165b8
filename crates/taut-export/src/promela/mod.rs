//! Promela with the memory system written out.
//!
//! What becomes of what:
//!
//! | Taut | Promela |
//! | --- | --- |
//! | places | one array `mem`; comments say which variable is where |
//! | registers | globals, so that properties can look at them |
//! | a process | an `active proctype`, a label for each location |
//! | a step | an `atomic` block: what it waits for, then its effects, then a `goto` |
//! | a store buffer | arrays of its entries and a length; behind the last entry all is 0 |
//! | a commit | an option of the process `memory` |
//! | an assertion, a fault | `assert` |
//! | a forbidden or invariant expression | an option of the process `monitor` that asserts false |
//! | a deadlock | SPIN's invalid end state; locations where a process may end are labelled `end_…` |
//! | a step held back by a bound | a step that changes nothing: such a state is no deadlock |
//! | a process that waits to be spawned | a process that waits for its flag |
//!
//! The reachable states are those of Taut, but for the time between the end of a spawned process and its
//! reset, and for registers that carry no meaning. Verdicts are the same; numbers of states need not be.

mod declare;
mod expr;
mod memory;
mod names;
mod process;
mod text;

use taut_ir::ranges::Ranges;
use taut_ir::{
    Assignment, Effect, Expr, Memory, MemoryModel, ProcId, Program, PropertyKind, Start,
};
use taut_memory::{PlaceId, Places};

use crate::ExportError;
use names::Names;
use text::Text;

/// Writes a valid program as Promela.
pub fn promela(program: &Program, memory: Memory) -> Result<String, ExportError> {
    let bound = match (memory.model, memory.bound) {
        (MemoryModel::Sc, _) => 1,
        (_, Some(bound)) => bound,
        (_, None) => return Err(ExportError::new("Promela needs a bound for the store buffers")),
    };
    let ranges = Ranges::of(program);
    let places = Places::new(program, &ranges);
    let names = Names::new(program);
    let exporter = Exporter {
        program,
        memory,
        bound,
        observed: observed(program),
        has_atomic: program.defs.iter().any(|d| d.locations.iter().any(|l| l.atomic)),
        ranges,
        places,
        names,
    };
    exporter.run()
}

/// The processes whose location some property looks at.
fn observed(program: &Program) -> Vec<bool> {
    let mut observed = vec![false; program.processes.len()];
    for property in &program.properties {
        if let PropertyKind::Forbid(e) | PropertyKind::Invariant(e) = &property.kind {
            e.visit(&mut |e| {
                if let Expr::At(p, _) = e {
                    observed[p.index()] = true;
                }
            });
        }
    }
    observed
}

/// Everything an export looks at; it never changes while text is written.
struct Exporter<'p> {
    program: &'p Program,
    memory: Memory,
    bound: u32,
    ranges: Ranges,
    places: Places,
    names: Names,
    observed: Vec<bool>,
    has_atomic: bool,
}

impl Exporter<'_> {
    fn run(&self) -> Result<String, ExportError> {
        self.check_steps()?;
        let mut text = Text::default();
        self.declarations(&mut text)?;
        for process in self.program.process_ids() {
            self.process(&mut text, process);
        }
        if self.memory.model != MemoryModel::Sc {
            self.memory_process(&mut text);
        }
        self.monitor(&mut text);
        Ok(text.finish())
    }

    /// Refuses the few steps whose room in the buffers cannot be told before they are taken.
    fn check_steps(&self) -> Result<(), ExportError> {
        for (def, step) in
            self.program.defs.iter().flat_map(|d| d.steps.iter().map(move |s| (d, s)))
        {
            let spawns = step.effects.iter().filter(|e| matches!(e, Effect::Spawn { .. })).count();
            if spawns > 1 {
                return Err(ExportError::new(format!("a step of `{}` spawns twice", def.name)));
            }
            let is_stored = |a: &&Assignment| self.places.is_buffered(self.program, step, a);
            let stores: Vec<_> = step.assignments().filter(is_stored).collect();
            let is_computed = |i: &Expr| !matches!(i, Expr::Const(_));
            let computed = stores.iter().any(|a| a.place.index().is_some_and(is_computed));
            if self.memory.model == MemoryModel::Pso && computed && stores.len() > 1 {
                let message = "stores more than once in a step, through a computed index";
                return Err(ExportError::new(format!("`{}` {message}", def.name)));
            }
        }
        Ok(())
    }

    /// The places a process may have in its buffer.
    fn buffered(&self, process: ProcId) -> Vec<PlaceId> {
        if self.memory.model == MemoryModel::Sc {
            return Vec::new();
        }
        self.places.buffered_by(self.program, process)
    }

    fn has_fences(&self, process: ProcId) -> bool {
        let steps = &self.program.def_of(process).steps;
        self.memory.model == MemoryModel::Pso
            && steps.iter().any(|s| s.effects.contains(&Effect::StoreFence))
    }

    fn is_spawned(&self, process: ProcId) -> bool {
        self.program.process(process).start == Start::Spawned
    }

    /// The process that watches what is forbidden and what is invariant.
    fn monitor(&self, text: &mut Text) {
        let mut options = Vec::new();
        for property in &self.program.properties {
            let (expr, violated_if) = match &property.kind {
                PropertyKind::Assert => continue,
                PropertyKind::Forbid(bad) => (bad, true),
                PropertyKind::Invariant(good) => (good, false),
            };
            let value = self.observed_expr(expr);
            let fault = self.observed_fault(expr);
            // An expression that faults counts as false.
            let violated = match (violated_if, fault) {
                (true, None) => value,
                (true, Some(fault)) => format!("!({fault}) && {value}"),
                (false, None) => format!("!({value})"),
                (false, Some(fault)) => format!("({fault}) || !({value})"),
            };
            options.push((violated, format!("{} {}", property.kind.word(), property.name)));
        }
        if options.is_empty() {
            return;
        }
        text.open("active proctype monitor() {");
        text.label("end_monitor");
        text.open("do");
        for (violated, name) in options {
            text.line(&format!(":: ({violated}) -> assert(false) /* {} */", comment(&name)));
        }
        text.close("od");
        text.close("}");
    }
}

/// A name that can stand in a comment.
fn comment(name: &str) -> String {
    name.replace("*/", "* /").replace('\n', " ")
}
