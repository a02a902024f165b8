//! The graph of symbolic states, in words.
//!
//! The engine says of each state where processes are, what memory holds and what its languages are. Registers,
//! lengths of channels and what is violated are asked of it as *watched expressions*, in one list that
//! [`Watched`] puts together and takes apart again.

use taut_explicit::{Completion, Limit};
use taut_ir::{ChanId, ChannelQuery, Expr, FullBuffer, Memory, ProcId, PropertyKind, RegId};
use taut_symbolic::{
    Graph, GraphBuffer, GraphEdge, GraphEdgeKind, GraphState, SymbolicOptions, explore_watching,
};

use super::words::Words;
use super::{Buffer, Cut, Edge, EdgeKind, GraphOptions, State, StateGraph, Value};
use crate::load::Loaded;
use crate::pool::ProcessPool;

pub(super) fn graph(loaded: &Loaded, options: &GraphOptions) -> StateGraph {
    let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..options.memory };
    let search = SymbolicOptions {
        all: true,
        graph: true,
        limits: options.all_limits(),
        ..SymbolicOptions::default()
    };
    let counting = SymbolicOptions { graph: false, ..search.clone() };
    let (program, _) =
        ProcessPool::of(loaded).whole(|pool| pool.explore_symbolically(memory, &counting, true));
    let words = Words::new(&program, loaded);
    let watched = Watched::new(words);
    let search = explore_watching(&program, memory, &watched.expressions(), &search);
    let cut = match search.exploration.completion {
        Completion::Limit(Limit::States(n)) => Some(Cut::States(n)),
        Completion::Limit(limit) => Some(Cut::Limit(limit)),
        _ => None,
    };
    let graph = search.graph.unwrap_or(Graph { states: Vec::new(), edges: Vec::new() });
    let state = |s: GraphState| watched.state(s);
    let edge = |e: &GraphEdge| edge(words, &graph, e);
    let edges = graph.edges.iter().map(edge).collect();
    StateGraph {
        program: loaded.name.clone(),
        memory,
        engine: "symbolic",
        processes: words.processes(),
        edges,
        states: graph.states.into_iter().map(state).collect(),
        cut,
    }
}

fn edge(words: Words<'_>, graph: &Graph, edge: &GraphEdge) -> Edge {
    let mut actions = words.actions(&edge.actions, edge.value);
    let kind = match edge.kind {
        GraphEdgeKind::Taken => EdgeKind::Taken,
        GraphEdgeKind::Included => EdgeKind::Included,
        GraphEdgeKind::Accelerated => EdgeKind::Accelerated,
    };
    if kind != EdgeKind::Included {
        let repeated = &graph.states[edge.to].accelerated;
        let name = |p: &ProcId| format!("repeat {}", words.program.process(*p).name);
        actions.extend(repeated.iter().map(name));
    }
    Edge { from: edge.from, to: edge.to, actions, kind }
}

/// What is asked of every state, in this order: registers, channels, properties.
struct Watched<'a> {
    words: Words<'a>,
    registers: Vec<(ProcId, Vec<RegId>)>,
    /// What is asked of states, its name, and the truth that violates it.
    properties: Vec<(String, Expr, bool)>,
}

impl<'a> Watched<'a> {
    fn new(words: Words<'a>) -> Watched<'a> {
        let of = |p| (p, words.registers(p));
        let registers = words.program.process_ids().map(of).collect();
        let over_states = words.program.properties.iter().filter_map(|p| match &p.kind {
            PropertyKind::Forbid(bad) => Some((p.name.clone(), bad.clone(), true)),
            PropertyKind::Invariant(good) => Some((p.name.clone(), good.clone(), false)),
            PropertyKind::Assert
            | PropertyKind::Cover(_)
            | PropertyKind::Ltl(_)
            | PropertyKind::Never(_) => None,
        });
        let properties = over_states.filter(|(_, expr, _)| !looks_into_buffers(expr)).collect();
        Watched { words, registers, properties }
    }

    fn expressions(&self) -> Vec<Expr> {
        let mut all = Vec::new();
        for (process, registers) in &self.registers {
            let of = |&r: &RegId| self.elements(*process, r);
            let own = registers.iter().flat_map(of);
            all.extend(own.map(|expr| Expr::In(*process, Box::new(expr))));
        }
        let number = |c: ChanId| Box::new(Expr::Const(c.value()));
        let channels = self.words.channels().into_iter();
        all.extend(channels.map(|c| Expr::Channel(ChannelQuery::Length, number(c))));
        all.extend(self.properties.iter().map(|(_, expr, _)| expr.clone()));
        all
    }

    /// A register, or the elements of an array of them.
    fn elements(&self, process: ProcId, register: RegId) -> Vec<Expr> {
        match self.words.program.register(process, register).len {
            None => vec![Expr::Reg(register)],
            Some(n) => {
                let index = |i: u32| Box::new(Expr::Const(i.into()));
                (0..n).map(|i| Expr::RegElem(register, index(i))).collect()
            }
        }
    }

    fn state(&self, state: GraphState) -> State {
        let mut values = state.watched.into_iter();
        let mut registers: Vec<Vec<Value>> = Vec::new();
        for (process, own) in &self.registers {
            let value = |&r: &RegId| {
                let size = self.words.program.register(*process, r).size() as usize;
                let taken = values.by_ref().take(size).collect();
                self.words.register(*process, r, taken)
            };
            registers.push(own.iter().map(value).collect());
        }
        let channels = self.words.channels().into_iter();
        let channels = channels.zip(values.by_ref()).map(|(c, n)| self.words.channel(c, n));
        let channels = channels.collect();
        let violated = |((name, _, bad), value): (&(String, Expr, bool), i64)| {
            ((value != 0) == *bad).then(|| name.clone())
        };
        let place = |(p, at): (usize, Option<_>)| at.map(|at| self.words.place(p.into(), at));
        State {
            at: state.points.into_iter().enumerate().map(place).collect(),
            registers,
            memory: self.words.memory(&state.memory),
            channels,
            buffers: state.buffers.into_iter().map(buffer).collect(),
            accelerated: state.accelerated.into_iter().map(ProcId::index).collect(),
            violates: self.properties.iter().zip(values).filter_map(violated).collect(),
        }
    }
}

/// Whether what an expression says may differ between the contents that a buffer may have.
fn looks_into_buffers(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |part| {
        found |= match part {
            Expr::In(_, inside) => !inside.variables().is_empty(),
            Expr::Drained(_) | Expr::Enabled(_) | Expr::Timeout => true,
            _ => false,
        }
    });
    found
}

fn buffer(buffer: GraphBuffer) -> Buffer {
    Buffer { regex: buffer.regex, accepting: buffer.accepting, edges: buffer.edges }
}
