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
//! Where processes have more to do with each other than through memory (channels, pids, timeouts, steps that
//! yield or hold) this does not do, and the export has another form: [`machine`].
//!
//! | Taut | Promela |
//! | --- | --- |
//! | a process | a number that says where it is, and whether it lives |
//! | a step, a rendezvous, a commit | an option of the one process `machine` |
//! | a channel | a `chan`; as a value its number |
//! | what a step yields to | a condition that it cannot be taken |
//! | a process that holds others | a variable `holder` that all options look at |
//! | a timeout | options behind the `else` of all others |
//! | a deadlock | a condition that is false, behind those |
//!
//! The reachable states are those of Taut, but for the time between the end of a spawned process and its
//! reset, and for registers that carry no meaning. Verdicts are the same; numbers of states need not be.

mod channel;
mod conditions;
mod control;
mod declare;
mod effects;
mod expr;
mod features;
mod handshake;
mod labels;
mod machine;
mod memory;
mod names;
mod refuse;
mod text;

use taut_ir::ranges::Ranges;
use taut_ir::{Effect, Expr, Lifecycle, Memory, MemoryModel, ProcId, Program, PropertyKind, Start};
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
    let one_machine = features::needs_machine(program);
    let exporter = Exporter {
        program,
        memory,
        bound,
        observed: observed(program, one_machine),
        one_machine,
        has_holder: has_holder(program),
        ranges,
        places,
        names,
    };
    exporter.run()
}

/// The processes whose location is kept in a variable: all in the form with one machine, else those that
/// some property looks at.
fn observed(program: &Program, one_machine: bool) -> Vec<bool> {
    let mut observed = vec![one_machine; program.processes.len()];
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

/// Whether a process may keep the others from moving.
fn has_holder(program: &Program) -> bool {
    let mut locations = program.defs.iter().flat_map(|d| &d.locations);
    let mut steps = program.defs.iter().flat_map(|d| &d.steps);
    locations.any(|l| l.atomic) || steps.any(|s| s.holds)
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
    one_machine: bool,
    has_holder: bool,
}

impl Exporter<'_> {
    fn run(&self) -> Result<String, ExportError> {
        self.check()?;
        let mut text = Text::default();
        self.declarations(&mut text)?;
        if self.one_machine {
            self.machine(&mut text)?;
        } else {
            self.program.process_ids().for_each(|p| self.process(&mut text, p));
            if self.memory.model != MemoryModel::Sc {
                self.memory_process(&mut text);
            }
        }
        self.monitor(&mut text);
        Ok(text.finish())
    }

    /// The places a process may have in its buffer.
    fn buffered(&self, process: ProcId) -> Vec<PlaceId> {
        if self.memory.model == MemoryModel::Sc {
            return Vec::new();
        }
        let steps = &self.program.def_of(process).steps;
        let stores = steps.iter().flat_map(|s| self.buffered_stores(s, None));
        let mut all: Vec<_> = stores.flat_map(|p| self.possible(p)).collect();
        all.sort();
        all.dedup();
        all
    }

    fn has_fences(&self, process: ProcId) -> bool {
        let steps = &self.program.def_of(process).steps;
        self.memory.model == MemoryModel::Pso
            && steps.iter().any(|s| s.effects.contains(&Effect::StoreFence))
    }

    fn is_spawned(&self, process: ProcId) -> bool {
        self.program.process(process).start == Start::Spawned
    }

    /// Whether a process may not live at some time.
    fn has_flag(&self, process: ProcId) -> bool {
        self.is_spawned(process) || self.program.lifecycle == Lifecycle::Stack
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
        // Nobody looks at states in which a process holds the others.
        let seen = if self.one_machine && self.has_holder { "holder == 0 && " } else { "" };
        text.open("active proctype monitor() {");
        text.label("end_monitor");
        // Once is enough; and what went on for ever would hide a deadlock.
        text.open("if");
        for (violated, name) in options {
            let name = comment(&name);
            text.line(&format!(":: ({seen}({violated})) -> assert(false) /* {name} */"));
        }
        text.close("fi");
        text.close("}");
    }
}

/// A name that can stand in a comment.
fn comment(name: &str) -> String {
    name.replace("*/", "* /").replace('\n', " ")
}
