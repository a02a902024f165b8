//! From a program and a memory model to a machine.

mod channel;
mod expr;
mod flat;
mod process;
mod step;

use std::collections::BTreeSet;
use std::sync::Arc;

use taut_ir::ranges::Ranges;
use taut_ir::{
    EventTrace, Expr, FullBuffer, Lifecycle, Memory, MemoryModel, ProcId, Program, PropertyKind,
    Start,
};
use taut_memory::{BufferSets, Cells, Delayed, Field, LayoutBuilder, MemorySystem, Pso, Sc, Tso};

use super::channel::{ChannelLayout, lay_out};
use super::code::Code;
use super::constants::Constants;
use super::layout::{ProcessLayout, living};
use super::{CompiledProcess, CompiledProperty, Machine};

/// A machine of one of the memory systems. Engines are generic; this is where the choice is made.
pub enum AnyMachine {
    /// Sequential consistency.
    Sc(Machine<Sc>),
    /// Total store order.
    Tso(Machine<Tso>),
    /// Partial store order.
    Pso(Machine<Pso>),
    /// Delayed writes.
    Delayed(Machine<Delayed>),
}

/// Compiles a valid program. `memory.bound` must be a number here: callers that want buffers without a
/// bound choose a size and look whether it was met. `watched` are expressions over the whole state, as in
/// properties, whose values [`Machine::watched`] gives. States have a field for one of `observer_states`
/// values (the observer's), which belongs to the caller: steps carry it along.
pub fn compile(
    program: &Program,
    memory: Memory,
    watched: &[Expr],
    observer_states: u64,
) -> AnyMachine {
    let _phase = taut_budget::phase("the machine is compiled");
    let ranges = Ranges::of(program);
    let places = Cells::new(program, &ranges);
    let mut layout = LayoutBuilder::new();
    let bound = memory.bound.expect("a capacity for buffers");
    let observer = observer(watched, observer_states, &mut layout);
    let parts = Parts::new(program, memory, ranges, observer, &mut layout);
    match memory.model {
        MemoryModel::Sc => {
            let system = Sc::new(&places, &mut layout);
            AnyMachine::Sc(Compiler::new(parts, places, system).run(layout, watched))
        }
        MemoryModel::Tso => {
            let system = Tso::new(program, &places, bound, &mut layout);
            AnyMachine::Tso(Compiler::new(parts, places, system).run(layout, watched))
        }
        MemoryModel::Pso => {
            let system = Pso::new(program, &places, bound, &mut layout);
            AnyMachine::Pso(Compiler::new(parts, places, system).run(layout, watched))
        }
        MemoryModel::Delayed => {
            let system = Delayed::new(program, &places, &mut layout);
            AnyMachine::Delayed(Compiler::new(parts, places, system).run(layout, watched))
        }
    }
}

/// Compiles a valid program for states that stand for sets of buffer contents. The model is TSO or PSO;
/// buffers have no bound. `watched` as with [`compile`].
pub fn compile_sets(program: &Program, memory: Memory, watched: &[Expr]) -> Machine<BufferSets> {
    let _phase = taut_budget::phase("the machine is compiled");
    let ranges = Ranges::of(program);
    let places = Cells::new(program, &ranges);
    let mut layout = LayoutBuilder::new();
    let observer = observer(watched, 1, &mut layout);
    let parts = Parts::new(program, memory, ranges, observer, &mut layout);
    let system = BufferSets::new(program, &places, memory.model, &mut layout);
    Compiler::new(parts, places, system).run(layout, watched)
}

/// What an observer adds to a state.
struct Observer {
    /// Its own state.
    state: Field,
    /// Whether a process is enabled, for those that somebody asks about.
    enabled: Vec<(ProcId, Field)>,
}

fn observer(watched: &[Expr], states: u64, layout: &mut LayoutBuilder) -> Observer {
    let mut asked = BTreeSet::new();
    for expr in watched {
        expr.visit(&mut |e| {
            if let Expr::Enabled(process) = e {
                asked.insert(*process);
            }
        });
    }
    let last = states.saturating_sub(1);
    let state = layout.add_bits(u64::BITS - last.leading_zeros());
    Observer { state, enabled: asked.into_iter().map(|p| (p, layout.add_bits(1))).collect() }
}

/// What does not depend on the memory system.
struct Parts<'p> {
    program: &'p Program,
    memory: Memory,
    ranges: Ranges,
    constants: Constants,
    processes: Vec<ProcessLayout>,
    channels: Arc<[ChannelLayout]>,
    living: Field,
    observer: Observer,
}

impl<'p> Parts<'p> {
    fn new(
        program: &'p Program,
        memory: Memory,
        ranges: Ranges,
        observer: Observer,
        layout: &mut LayoutBuilder,
    ) -> Parts<'p> {
        let constants = Constants::of(program);
        let process = |p| ProcessLayout::new(program, &ranges, &constants, p, layout);
        let processes = program.process_ids().map(process).collect();
        let channels = lay_out(program, &ranges, layout).into();
        let living = living(program, layout);
        Parts { program, memory, ranges, constants, processes, channels, living, observer }
    }
}

/// Whose registers an expression names, and whether buffers stand between it and memory.
#[derive(Clone, Copy)]
struct Scope {
    process: ProcId,
    /// Reads go to memory: the buffer is known to be empty, or it is a property's own read.
    direct: bool,
}

struct Compiler<'p, M> {
    parts: Parts<'p>,
    program: &'p Program,
    places: Cells,
    system: M,
    may_fault: bool,
    /// What [`Expr::Timeout`] is.
    timeout: bool,
    has_timeout: bool,
}

impl<'p, M: MemorySystem> Compiler<'p, M> {
    fn new(parts: Parts<'p>, places: Cells, system: M) -> Compiler<'p, M> {
        let program = parts.program;
        Compiler {
            parts,
            program,
            places,
            system,
            may_fault: false,
            timeout: false,
            has_timeout: false,
        }
    }

    fn run(mut self, layout: LayoutBuilder, watched: &[Expr]) -> Machine<M> {
        let layout = layout.finish();
        let program = self.program;
        let processes: Vec<_> = program.process_ids().map(|p| self.process(p)).collect();
        let properties = self.properties();
        let watched = watched.iter().map(|e| self.observed(e)).collect();
        let trace_may_end = program.event_trace.as_ref().and_then(EventTrace::may_end);
        let trace_may_end = trace_may_end.map(|e| self.observed(&e));
        let initial = self.initial(layout.words, &processes);
        let priorities = self.priorities();
        let atomic = |p: &CompiledProcess| p.is_atomic.iter().any(|&a| a);
        let spawned = program.processes.iter().any(|p| p.start == Start::Spawned);
        Machine {
            has_atomic: processes.iter().any(atomic),
            has_timeout: self.has_timeout,
            retires: spawned && program.lifecycle == Lifecycle::Slots,
            full_buffer_is_error: self.parts.memory.full_buffer == FullBuffer::Error,
            may_fault: self.may_fault,
            receivers: channel::receivers(program.channels.len(), &processes),
            step_counts: program.defs.iter().map(|d| d.steps.len()).collect(),
            memory: self.system,
            places: self.places,
            channels: self.parts.channels,
            living: self.parts.living,
            observer: self.parts.observer.state,
            enabled: self.parts.observer.enabled,
            processes,
            priorities,
            properties,
            trace_may_end,
            watched,
            layout,
            initial,
        }
    }

    fn initial(&self, words: usize, processes: &[CompiledProcess]) -> Vec<u64> {
        let mut state = vec![0; words];
        for place in self.places.ids() {
            self.system.write(&mut state, place, self.places.init(place));
        }
        let starts = |p: &&CompiledProcess| self.program.process(p.id).start == Start::Initially;
        let mut living = 0;
        for p in processes.iter().filter(starts) {
            p.pc.set_bits(&mut state, self.layout(p.id).at(self.program.def_of(p.id).entry));
            for (field, bits) in &p.fields {
                field.set_bits(&mut state, *bits);
            }
            living += 1;
        }
        self.parts.living.set(&mut state, living);
        state
    }

    fn layout(&self, process: ProcId) -> &ProcessLayout {
        &self.parts.processes[process.index()]
    }

    fn properties(&mut self) -> Vec<CompiledProperty> {
        let program = self.program;
        let mut all = Vec::new();
        for id in program.property_ids() {
            let (expr, violated_if) = match &program.property(id).kind {
                PropertyKind::Assert | PropertyKind::Ltl(_) | PropertyKind::Never(_) => continue,
                PropertyKind::Forbid(bad) => (bad, true),
                PropertyKind::Invariant(good) => (good, false),
            };
            all.push(CompiledProperty { id, code: self.observed(expr), violated_if });
        }
        all
    }

    /// The priority of each process: the element at its pid.
    fn priorities(&mut self) -> Option<Box<[Code]>> {
        let var = self.program.priorities?;
        let own = |p| Expr::In(p, Box::new(Expr::VarElem(var, Box::new(Expr::Pid))));
        Some(self.program.process_ids().map(|p| self.observed(&own(p))).collect())
    }

    /// A property's expression. Its faults are nobody's.
    fn observed(&mut self, expr: &Expr) -> Code {
        let before = self.may_fault;
        let code = self.expr(Scope { process: ProcId(0), direct: true }, expr);
        self.may_fault = before;
        code
    }
}
