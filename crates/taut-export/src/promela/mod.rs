//! Promela with the memory system written out.
//!
//! What becomes of what:
//!
//! | Taut | Promela |
//! | --- | --- |
//! | places | one array `mem`; comments say which variable is where |
//! | registers | globals, so that properties can look at them |
//! | a process | an `active proctype`, a label for each program point |
//! | a step | an `atomic` block: what it waits for, then its effects, then a `goto` |
//! | a step that holds the others | a `goto` into an `atomic` block, where SPIN holds them, too |
//! | what a step yields to | a condition that it cannot be taken |
//! | a channel that holds messages | a `chan`; as a value its number |
//! | a store buffer | arrays of its entries and a length; behind the last entry all is 0 |
//! | a commit | an option of the process `memory`, or of the process of its buffer |
//! | an assertion, a fault | `assert` |
//! | a forbidden or invariant expression | an option of the process `monitor` that asserts false |
//! | a temporal property | a claim: [`claims`] |
//! | a deadlock | SPIN's invalid end state; program points where a process may end are labelled `end_…` |
//! | the end of a run, and a bound that stops everything | what the process `ending` does: [`ending`] |
//! | a process that waits to be spawned | a process that waits for its flag |
//!
//! Every move of the SPIN model is an action of the program, or all of a hold, and the states between moves
//! are the states of the program; so SPIN's runs, its fairness included, are Taut's. The only moves that
//! are none come where nothing can happen any more, and they change nothing that a claim could see.
//!
//! Where one process moves another (a rendezvous) or must know what the others can do (a timeout) this does
//! not do, and the export has another form: [`machine`].
//!
//! | Taut | Promela |
//! | --- | --- |
//! | a process | a number that says where it is, and whether it lives |
//! | a step, a rendezvous, a commit | an option of the one process `machine` |
//! | a process that holds others | a variable `holder`, and an `atomic` block with what it can do |
//! | a timeout | options behind the `else` of all others |
//! | priorities | a condition of each option: [`priority`] |
//! | a deadlock | a condition that is false, behind those |
//!
//! Verdicts are the same; numbers of states need not be, for registers that carry no meaning. A process that
//! holds the others for ever keeps SPIN from ending, which does not notice.

mod channel;
mod claims;
mod conditions;
mod control;
mod declare;
mod effects;
mod enabled;
mod ending;
mod expr;
mod fairness;
mod features;
mod handshake;
mod labels;
mod lifetime;
mod machine;
mod memory;
mod monitor;
mod names;
mod options;
mod priority;
mod refuse;

use taut_ir::ranges::Ranges;
use taut_ir::{Buffers, Effect, Lifecycle, Memory, ProcId, Program, Start};
use taut_memory::{CellId, Cells};

use crate::text::Text;
use crate::{Export, ExportError, ExportOptions};
use claims::Around;
use names::Names;

/// Writes a valid program as Promela.
pub fn promela(program: &Program, memory: Memory) -> Result<String, ExportError> {
    promela_with(program, memory, ExportOptions::default()).map(|export| export.text)
}

/// Writes a valid program as Promela, and says how SPIN is to be asked about it.
pub fn promela_with(
    program: &Program,
    memory: Memory,
    options: ExportOptions,
) -> Result<Export, ExportError> {
    let bound = match (memory.model.buffers(), memory.bound) {
        // A slot is a queue that holds one entry.
        (Buffers::None | Buffers::Slot, _) => 1,
        (_, Some(bound)) => bound,
        (_, None) => return Err(ExportError::new("Promela needs a bound for the store buffers")),
    };
    let ranges = Ranges::of(program);
    let places = Cells::new(program, &ranges);
    let one_machine = features::needs_machine(program);
    let mut exporter = Exporter {
        program,
        memory,
        options,
        bound,
        temporal: program.properties.iter().any(|p| p.kind.is_temporal()),
        infinite_runs: program.properties.iter().any(claims::infinite_runs),
        observed: features::observed(program, one_machine),
        one_machine,
        has_atomic_points: features::has_atomic_points(program),
        has_holder: match one_machine {
            true => features::has_holds(program),
            false => features::has_atomic_points(program),
        },
        ranges,
        places,
        names: Names::new(program),
    };
    exporter.observe_large_steps();
    exporter.run()
}

/// Everything an export looks at; it never changes while text is written.
struct Exporter<'p> {
    program: &'p Program,
    memory: Memory,
    options: ExportOptions,
    bound: u32,
    ranges: Ranges,
    places: Cells,
    names: Names,
    observed: Vec<bool>,
    one_machine: bool,
    /// Whether some property is about runs.
    temporal: bool,
    /// Whether some property is only about runs that do not end.
    infinite_runs: bool,
    has_atomic_points: bool,
    /// Whether there is a variable `holder`.
    has_holder: bool,
}

impl Exporter<'_> {
    fn run(&self) -> Result<Export, ExportError> {
        let _phase = taut_budget::phase("the program is written");
        self.check()?;
        let mut body = Text::default();
        if self.one_machine {
            self.machine(&mut body)?;
        } else {
            self.program.process_ids().for_each(|p| self.process(&mut body, p));
            self.memory_processes(&mut body);
            self.ending_process(&mut body);
        }
        self.monitor(&mut body);
        let around = Around { over: body.mentions(OVER), asserts: body.mentions("assert(") };
        let mut text = Text::default();
        self.declarations(&mut text, around)?;
        text.append(body);
        let claims = self.claims(&mut text, around)?;
        Ok(Export {
            text: text.finish(),
            claims,
            compile: self.compile_flags(),
            run: self.run_flags(around.asserts),
            exact: self.is_exact(),
        })
    }

    /// Keeps the program points of processes that the size of a buffer may hold back for ever.
    fn observe_large_steps(&mut self) {
        for process in self.program.process_ids() {
            let steps = &self.program.def_of(process).steps;
            let is_held_back = steps.iter().any(|step| self.exceeds_buffer(step));
            self.observed[process.index()] |= is_held_back;
        }
    }

    /// The places a process may have in its buffer.
    fn buffered(&self, process: ProcId) -> Vec<CellId> {
        if !self.memory.model.is_relaxed() {
            return Vec::new();
        }
        let steps = &self.program.def_of(process).steps;
        let stores = steps.iter().flat_map(|s| self.buffered_stores(s));
        let mut all: Vec<_> = stores.flat_map(|p| self.possible(p)).collect();
        all.sort();
        all.dedup();
        all
    }

    fn has_fences(&self, process: ProcId) -> bool {
        let steps = &self.program.def_of(process).steps;
        self.memory.model.has_store_fences()
            && steps.iter().any(|s| s.effects.contains(&Effect::StoreFence))
    }

    fn is_spawned(&self, process: ProcId) -> bool {
        self.program.process(process).start == Start::Spawned
    }

    /// Whether a process may not live at some time.
    fn has_flag(&self, process: ProcId) -> bool {
        self.is_spawned(process) || self.program.lifecycle == Lifecycle::Stack
    }
}

/// What ends a run.
const OVER: &str = "over = 1";

/// A name that can stand in a comment.
fn comment(name: &str) -> String {
    name.replace("*/", "* /").replace('\n', " ")
}
