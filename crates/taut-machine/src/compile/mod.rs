//! From a program and a memory model to a machine.

mod channel;
mod expr;
mod flat;
mod process;
mod step;

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;

use taut_ir::ranges::Ranges;
use taut_ir::{
    EventTrace, Expr, FullBuffer, Lifecycle, Memory, MemoryModel, ProcId, Program, PropertyKind,
    Start,
};
use taut_memory::{
    Cells, Field, LayoutBuilder, MemorySystem, ModelSystem, SystemVisitor, visit_system,
};

use super::channel::{ChannelLayout, lay_out};
use super::code::Code;
use super::constants::Constants;
use super::layout::{ProcessLayout, living};
use super::{CompiledProcess, CompiledProperty, Machine};

/// Code for a machine of any memory system. Engines are generic; [`AnyMachine::visit`] calls them with the machine of
/// one memory model.
pub trait MachineVisitor {
    /// The result.
    type Out;

    /// Called with the machine.
    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Self::Out;
}

/// The machine of a program under some memory model.
pub struct AnyMachine {
    model: MemoryModel,
    /// A [`Machine`] of the memory system of the model.
    machine: Box<dyn Any>,
}

impl AnyMachine {
    /// Calls a visitor with the machine.
    pub fn visit<V: MachineVisitor>(&self, visitor: V) -> V::Out {
        visit_system(self.model, Visit { machine: &*self.machine, visitor })
    }
}

/// A visit to a machine, once its memory system is known.
struct Visit<'m, V> {
    machine: &'m dyn Any,
    visitor: V,
}

impl<V: MachineVisitor> SystemVisitor for Visit<'_, V> {
    type Out = V::Out;

    fn visit<M: ModelSystem>(self) -> V::Out {
        let machine = self.machine.downcast_ref::<Machine<M>>();
        self.visitor.visit(machine.expect("a machine of the system of its model"))
    }
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
    visit_system(memory.model, Compile { program, memory, watched, observer_states })
}

/// A machine to compile, once its memory system is known.
struct Compile<'p> {
    program: &'p Program,
    memory: Memory,
    watched: &'p [Expr],
    observer_states: u64,
}

impl SystemVisitor for Compile<'_> {
    type Out = AnyMachine;

    fn visit<M: ModelSystem>(self) -> AnyMachine {
        let Compile { program, memory, watched, observer_states } = self;
        let machine = compile_for::<M>(program, memory, watched, observer_states);
        AnyMachine { model: memory.model, machine: Box::new(machine) }
    }
}

/// Compiles a valid program for a memory system that belongs to a memory model; the rest as with [`compile`].
pub fn compile_for<M: ModelSystem>(
    program: &Program,
    memory: Memory,
    watched: &[Expr],
    observer_states: u64,
) -> Machine<M> {
    let bound = memory.bound.expect("a capacity for buffers");
    compile_on(program, memory, watched, observer_states, |places, layout| {
        M::lay_out(program, places, bound, layout)
    })
}

/// Compiles a valid program for a memory system, which `system` lays out. The capabilities of `memory.model` are those
/// of the system. `watched` and `observer_states` as with [`compile`].
pub fn compile_on<M: MemorySystem>(
    program: &Program,
    memory: Memory,
    watched: &[Expr],
    observer_states: u64,
    system: impl FnOnce(&Cells, &mut LayoutBuilder) -> M,
) -> Machine<M> {
    let _phase = taut_budget::phase("the machine is compiled");
    let ranges = Ranges::of(program);
    let places = Cells::new(program, &ranges);
    let mut layout = LayoutBuilder::new();
    let observer = observer(watched, observer_states, &mut layout);
    let parts = Parts::new(program, memory, ranges, observer, &mut layout);
    let system = system(&places, &mut layout);
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
                PropertyKind::Forbid(bad) | PropertyKind::Cover(bad) => (bad, true),
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
