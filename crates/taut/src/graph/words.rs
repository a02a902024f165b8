//! The names of what a state shows: processes, places in the source, registers, actions.

use taut_ir::{Action, ChanId, Lvalue, PointId, ProcId, Program, RegId, Start, Step};
use taut_render::Names;
use taut_source::{SourceMap, Span};
use taut_witness::Address;

use super::Value;
use crate::load::Loaded;

/// A program and its sources.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) program: &'a Program,
    sources: &'a SourceMap,
    main: taut_source::FileId,
}

impl<'a> Words<'a> {
    /// The words of a program, which was made from what was loaded.
    pub(super) fn new(program: &'a Program, loaded: &'a Loaded) -> Words<'a> {
        Words { program, sources: &loaded.sources, main: loaded.file }
    }

    /// The names of what is in the program.
    pub(super) fn names(self) -> Names<'a> {
        Names::new(self.program, self.sources)
    }

    pub(super) fn processes(self) -> Vec<String> {
        self.program.processes.iter().map(|p| p.name.clone()).collect()
    }

    /// Where a process is: the label, else the line of what comes next, else the number of the program point.
    pub(super) fn place(self, process: ProcId, at: PointId) -> String {
        let point = self.names().point(process, at);
        if let Some(label) = point.labels.first() {
            return label.clone();
        }
        let next = point.leaving.into_iter().find_map(|span| self.line(span));
        match next {
            Some(line) => line,
            None if point.is_end => "end".into(),
            None => format!("program point {}", point.number),
        }
    }

    /// `line 7`, or `common.h:7` if it is not in the main file.
    fn line(self, span: Span) -> Option<String> {
        let line = self.sources.position(span)?.line;
        match self.sources.get(span.file) {
            Some(file) if span.file != self.main => Some(format!("{}:{line}", file.name())),
            _ => Some(format!("line {line}")),
        }
    }

    /// An action: `p: x := 1`, or `p: commit x=1` where the value is known.
    pub(super) fn action(self, action: Action, value: Option<i64>) -> String {
        match (action, value) {
            (Action::Commit { process, var, index }, Some(value)) => {
                let names = self.names();
                let store = names.store(Address { var, index }, value);
                format!("{}: commit {store}", names.process(process))
            }
            _ => self.names().action(action),
        }
    }

    /// The registers of a process that are worth showing: all but those that always have the value that the
    /// source shows, such as the parameters of processes that run from the start.
    pub(super) fn registers(self, process: ProcId) -> Vec<RegId> {
        let def = self.program.def_of(process);
        let is_param = |r: RegId| r.index() < def.params as usize;
        let spawned = self.program.process(process).start == Start::Spawned;
        let in_procedure = |r: RegId| def.procedures.iter().any(|p| p.registers.contains(&r));
        let all = (0..def.registers.len()).map(RegId::from);
        all.filter(|&r| {
            in_procedure(r) || (spawned && is_param(r)) || def.steps.iter().any(|s| assigns(s, r))
        })
        .collect()
    }

    /// The values of a register.
    pub(super) fn register(self, process: ProcId, register: RegId, values: Vec<i64>) -> Value {
        let register = self.program.register(process, register);
        Value { name: register.name.clone(), values, array: register.len.is_some() }
    }

    /// The values of memory, given one after the other.
    pub(super) fn memory(self, values: &[i64]) -> Vec<Value> {
        let mut rest = values;
        let take = |variable: &taut_ir::Variable| {
            let (own, others) = rest.split_at(rest.len().min(variable.size() as usize));
            rest = others;
            let (name, array) = (variable.name.clone(), variable.len.is_some());
            Value { name, values: own.to_vec(), array }
        };
        self.program.vars.iter().map(take).collect()
    }

    /// The channels that can hold messages.
    pub(super) fn channels(self) -> Vec<ChanId> {
        taut_witness::text::buffered_channels(self.program).collect()
    }

    /// How many messages a channel holds.
    pub(super) fn channel(self, channel: ChanId, messages: i64) -> Value {
        let name = self.program.channel(channel).name.clone();
        Value { name, values: vec![messages], array: false }
    }

    /// The actions of an edge.
    pub(super) fn actions(self, actions: &[Action], value: Option<i64>) -> Vec<String> {
        actions.iter().map(|&action| self.action(action, value)).collect()
    }
}

fn assigns(step: &Step, register: RegId) -> bool {
    let is_it = |place: &Lvalue| match place {
        Lvalue::Reg(r) | Lvalue::RegElem(r, _) => *r == register,
        Lvalue::Var(_) | Lvalue::VarElem(..) => false,
    };
    step.stores().any(is_it)
}
