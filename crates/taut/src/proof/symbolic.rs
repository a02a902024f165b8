//! The evidence for buffers without a bound, under TSO and PSO: the symbolic states that the symbolic engine keeps.
//!
//! The engine is asked once more, without sleep sets and ample sets, so that every transition of every state that it keeps leads
//! to a state that it keeps or that one of them includes. It says of each where processes are, what memory holds, and
//! what buffers may hold; registers are asked of it as watched expressions.

use std::collections::HashMap;

use taut_budget::{Budget, tick};
use taut_explicit::{Completion, Limits};
use taut_ir::{
    Control, Expr, Finding, FullBuffer, Lifecycle, Memory, ProcId, Program, RegId, Start,
};
use taut_proof::{Cut, Damaged, Interner, Parts, Writer};
use taut_symbolic::{GraphBuffer, GraphState, SymbolicOptions, explore_watching};
use taut_witness::{Machine, ProcessState, State};

/// Symbolic states as the body of a claim.
pub(super) struct Symbolic {
    pub(super) memory: Memory,
    pub(super) body: Vec<u8>,
    pub(super) states: u64,
    pub(super) cut: Cut,
    pub(super) found: Vec<Finding>,
}

/// Whether the states of a program can be put together from what the engine tells.
fn is_told(program: &Program, memory: Memory) -> bool {
    let calls = |def: &taut_ir::ProcessDef| {
        def.steps.iter().any(|step| matches!(step.target, Control::Call { .. }))
    };
    memory.model.buffers().are_queues()
        && program.channels.is_empty()
        && program.lifecycle == Lifecycle::Slots
        && !program.defs.iter().any(calls)
}

/// The symbolic states of a program; none if it is not told, or if the search does not end.
pub(super) fn symbolic(
    program: &Program,
    memory: Memory,
    budget: &Budget,
) -> Result<Option<Symbolic>, Damaged> {
    if !is_told(program, memory) {
        return Ok(None);
    }
    let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..memory };
    let limits = Limits {
        time: budget.left(),
        bytes: budget.most_memory(),
        interrupt: budget.interrupt().clone(),
        budget: budget.clone(),
        ..Limits::default()
    };
    let options = SymbolicOptions {
        all: true,
        graph: true,
        sleep_sets: false,
        ample_sets: false,
        limits,
        ..SymbolicOptions::default()
    };
    let search = explore_watching(program, memory, &registers(program), &options);
    let is_whole = search.exploration.completion == Completion::Complete;
    let Some(graph) = search.graph.filter(|_| is_whole) else { return Ok(None) };
    let found: Vec<Finding> = search.exploration.found.iter().map(|found| found.finding).collect();
    let bounds = search.exploration.bounds_met;
    let cut = Cut {
        buffer: false,
        threads: bounds.threads,
        calls: bounds.calls,
        fault: found.iter().any(|finding| matches!(finding, Finding::Fault(_))),
    };
    let states = graph.states.len() as u64;
    let Some(body) = written(program, memory, &graph.states)? else { return Ok(None) };
    Ok(Some(Symbolic { memory, body, states, cut, found }))
}

/// Every element of every register, process by process.
fn registers(program: &Program) -> Vec<Expr> {
    let mut all = Vec::new();
    for process in program.process_ids() {
        for (number, register) in program.def_of(process).registers.iter().enumerate() {
            let id = RegId::from(number);
            let element = |index: u32| match register.len {
                None => Expr::Reg(id),
                Some(_) => Expr::RegElem(id, Box::new(Expr::Const(index.into()))),
            };
            let elements = (0..register.size()).map(element);
            all.extend(elements.map(|expr| Expr::In(process, Box::new(expr))));
        }
    }
    all
}

/// The body: automata, states without buffers, and for each symbolic state the numbers of these. None if a state cannot be
/// put together.
fn written(
    program: &Program,
    memory: Memory,
    states: &[GraphState],
) -> Result<Option<Vec<u8>>, Damaged> {
    let initial = Machine::new(program, memory).initial();
    let mut automata: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut skeletons = Interner::new(Parts::new(program));
    let mut rows = Vec::new();
    for state in states {
        tick();
        let Some(skeleton) = skeleton(program, &initial, state) else { return Ok(None) };
        let (number, _) = skeletons.insert(&skeleton)?;
        let mut words = Vec::new();
        for buffer in &state.buffers {
            let next = automata.len();
            words.push(*automata.entry(automaton(program, buffer)).or_insert(next));
        }
        rows.push((number, words));
    }
    let mut sorted: Vec<(Vec<u8>, usize)> = automata.into_iter().collect();
    sorted.sort_by_key(|(_, number)| *number);
    let mut out = Writer::default();
    out.number(sorted.len() as u64);
    sorted.iter().for_each(|(bytes, _)| out.raw(bytes));
    let order = skeletons.write(&mut out);
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &number)| places[number as usize] = place);
    out.number(rows.len() as u64);
    for (number, words) in rows {
        out.number(places[number as usize] as u64);
        words.iter().for_each(|&word| out.number(word as u64));
    }
    Ok(Some(out.into_bytes()))
}

fn skeleton(program: &Program, initial: &State, state: &GraphState) -> Option<State> {
    let mut values = state.memory.iter().copied();
    let memory = program.vars.iter().map(|v| values.by_ref().take(v.size() as usize).collect());
    let memory: Vec<Vec<i64>> = memory.collect();
    let mut watched = state.watched.iter().copied();
    let mut processes = Vec::new();
    for process in program.process_ids() {
        let own = program.def_of(process).registers.iter();
        let registers: Vec<Vec<i64>> =
            own.map(|r| watched.by_ref().take(r.size() as usize).collect()).collect();
        processes.push(one_process(program, initial, state, process, registers)?);
    }
    Some(State { memory, processes, channels: Vec::new(), holder: None })
}

fn one_process(
    program: &Program,
    initial: &State,
    state: &GraphState,
    process: ProcId,
    registers: Vec<Vec<i64>>,
) -> Option<ProcessState> {
    let first = initial.process(process).clone();
    match state.points.get(process.index())? {
        Some(point) => Some(ProcessState { started: true, point: *point, registers, ..first }),
        // A process that does not run is as it was before it was spawned.
        None => (program.process(process).start == Start::Spawned).then_some(first),
    }
}

fn automaton(program: &Program, buffer: &GraphBuffer) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(buffer.accepting.len() as u64);
    for (state, &accepts) in buffer.accepting.iter().enumerate() {
        out.number(u64::from(accepts));
        let edges = buffer.edges.iter().zip(&buffer.stores);
        let own: Vec<_> = edges.filter(|((from, _, _), _)| *from == state).collect();
        out.number(own.len() as u64);
        for ((_, _, to), store) in own {
            // A store fence has the number after those of variables.
            let var = store.map_or(program.vars.len(), |(var, _, _)| var.index());
            out.number(var as u64);
            if let Some((_, index, value)) = store {
                out.number(u64::from(*index));
                out.signed(*value);
            }
            out.number(*to as u64);
        }
    }
    out.into_bytes()
}
