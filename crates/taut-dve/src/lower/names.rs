//! What the names of a model become in the program.
//!
//! Global variables become shared variables, locals registers, and scalar constants their values. A constant
//! array becomes a ghost: it is never stored to, so that it adds no states, and an index out of its range
//! faults like any other. Processes, locations and transitions keep their positions, with the property
//! process left out: it is an automaton, not a part of the system.

use std::collections::HashMap;

use taut_ir::{ChanId, PointId, ProcId, RegId, VarId};

use crate::ast::{Model, Process, Type, VarDecl};

/// What a variable or constant became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// A constant.
    Constant(i64),
    /// A shared variable.
    Shared(VarId),
    /// An array of constants.
    Constants(VarId),
    /// A register of its process.
    Register(RegId),
}

/// A variable or constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable<'m> {
    pub(crate) decl: &'m VarDecl,
    pub(crate) home: Home,
}

impl Variable<'_> {
    pub(crate) fn ty(&self) -> Type {
        self.decl.ty
    }
}

/// The names of one process.
#[derive(Debug)]
pub(crate) struct ProcessNames<'m> {
    pub(crate) process: &'m Process,
    pub(crate) locals: HashMap<&'m str, Variable<'m>>,
    pub(crate) states: HashMap<&'m str, PointId>,
    pub(crate) channels: HashMap<&'m str, ChanId>,
    /// Which process of the program it is; none for the property process.
    pub(crate) id: Option<ProcId>,
}

/// All names of a model.
#[derive(Debug)]
pub(crate) struct Names<'m> {
    pub(crate) globals: HashMap<&'m str, Variable<'m>>,
    pub(crate) channels: HashMap<&'m str, ChanId>,
    pub(crate) processes: HashMap<&'m str, ProcessNames<'m>>,
    /// The declarations that become variables of the program, by [`VarId`], and whose they are.
    pub(crate) vars: Vec<(Option<&'m Process>, &'m VarDecl)>,
}

impl<'m> Names<'m> {
    pub(crate) fn new(model: &'m Model) -> Names<'m> {
        let mut names = Names {
            globals: HashMap::new(),
            channels: HashMap::new(),
            processes: HashMap::new(),
            vars: Vec::new(),
        };
        for decl in &model.globals {
            let home = names.home(None, decl, None);
            names.globals.insert(&decl.name.text, Variable { decl, home });
        }
        let mut channels = 0..;
        let mut channel = || ChanId(channels.next().unwrap_or(u32::MAX));
        for decl in &model.channels {
            names.channels.insert(&decl.name.text, channel());
        }
        let mut ids = (0..).map(ProcId);
        for process in &model.processes {
            let id = if is_property(model, process) { None } else { ids.next() };
            let own = process.channels.iter().map(|c| (c.name.text.as_str(), channel())).collect();
            let known = ProcessNames { channels: own, id, ..names.process(process) };
            names.processes.insert(&process.name.text, known);
        }
        names
    }

    fn process(&mut self, process: &'m Process) -> ProcessNames<'m> {
        let mut locals = HashMap::new();
        let mut registers = 0..;
        for decl in &process.locals {
            let register = if decl.constant { None } else { registers.next().map(RegId) };
            let home = self.home(Some(process), decl, register);
            locals.insert(decl.name.text.as_str(), Variable { decl, home });
        }
        let states = process.states.iter().enumerate();
        let states = states.map(|(i, s)| (s.text.as_str(), PointId::from(i))).collect();
        ProcessNames { process, locals, states, channels: HashMap::new(), id: None }
    }

    /// Where the value of a declaration is to be found. Locals that change are in registers.
    fn home(
        &mut self,
        owner: Option<&'m Process>,
        decl: &'m VarDecl,
        register: Option<RegId>,
    ) -> Home {
        if let Some(register) = register {
            return Home::Register(register);
        }
        if decl.constant && decl.length.is_none() {
            return Home::Constant(decl.initial.first().copied().unwrap_or(0));
        }
        let id = VarId::from(self.vars.len());
        self.vars.push((owner, decl));
        if decl.constant { Home::Constants(id) } else { Home::Shared(id) }
    }

    /// What a name means in a process, or outside of all.
    pub(crate) fn variable(&self, process: Option<&str>, name: &str) -> Option<Variable<'m>> {
        let own = process.and_then(|p| self.processes.get(p)).and_then(|p| p.locals.get(name));
        own.or_else(|| self.globals.get(name)).copied()
    }

    /// The channel that a process means, of its own, of another process, or global.
    pub(crate) fn channel(&self, process: &str, other: Option<&str>, name: &str) -> Option<ChanId> {
        let of = |p: &str| self.processes.get(p).and_then(|p| p.channels.get(name));
        match other {
            Some(other) => of(other).copied(),
            None => of(process).or_else(|| self.channels.get(name)).copied(),
        }
    }
}

/// Whether a process is the model's property process.
pub(crate) fn is_property(model: &Model, process: &Process) -> bool {
    model.system.property.as_ref().is_some_and(|name| name.text == process.name.text)
}
