//! Procedures: the stack of a process is part of its control points.
//!
//! The private state of a process is a row of numbers (`locals.rs`). Behind the values of registers and own ghosts stand the
//! open calls, the latest last, each as the values that the procedure's registers had before the call, the number of the procedure, and
//! the place to come back to. A value that nothing reads behind the call is 0, so that it makes no difference between control points.
//!
//! The depth of the stack has a bound (`Program::call_depth`), so there are finitely many control points. A call at the
//! bound is *blocked*: it leads to a control point of its own ([`Bound::Calls`]), and the search is asked whether that one is reached.

use taut_ir::{Expr, PointId, ProcedureId, ProcessDef};

use crate::edge::Bound;
use crate::locals::{Locals, initial_value};
use crate::step::{Execution, Halt};

/// Numbers of a call that are no values of registers.
const HEAD: usize = 2;

/// The number of values that a call keeps.
fn saved(def: &ProcessDef, procedure: usize) -> usize {
    let registers = &def.procedures[procedure].registers;
    registers.iter().map(|r| def.registers[r.index()].size() as usize).sum()
}

/// The number of open calls in a private state.
fn depth(names: &Locals, def: &ProcessDef, state: &[i64]) -> usize {
    let mut rest = &state[names.initial.len()..];
    let mut calls = 0;
    while let [.., procedure, _] = rest {
        rest = &rest[..rest.len() - HEAD - saved(def, *procedure as usize)];
        calls += 1;
    }
    calls
}

impl Execution<'_> {
    /// Enters a procedure. Whether there is room comes before the values of its parameters.
    pub(crate) fn call(
        &mut self,
        id: ProcedureId,
        args: &[Expr],
        return_to: PointId,
    ) -> Result<PointId, Halt> {
        let def = self.def();
        if depth(self.names, def, &self.locals) >= self.program.call_depth as usize {
            return Err(Halt::Bound(Bound::Calls));
        }
        let values = self.values(args)?;
        let procedure = &def.procedures[id.index()];
        for &register in &procedure.registers {
            let elements = self.names.elements(def, register);
            for (element, position) in elements.enumerate() {
                let is_live = self.names.is_live(return_to, position);
                self.locals.push(if is_live { self.locals[position] } else { 0 });
                let init = initial_value(&def.registers[register.index()], element as u32);
                self.locals[position] = init;
            }
        }
        self.locals.extend([i64::from(id.0), i64::from(return_to.0)]);
        for (&register, value) in procedure.registers.iter().zip(values) {
            let position = self.names.register(def, register, 0)?;
            self.locals[position] = self.fitting(register, value)?;
        }
        Ok(procedure.entry)
    }

    /// Goes back to the caller; none if no call is open.
    pub(crate) fn come_back(&mut self) -> Option<PointId> {
        let def = self.def();
        let [.., id, return_to] = self.locals[self.names.initial.len()..] else { return None };
        let procedure = id as usize;
        let first = self.locals.len() - HEAD - saved(def, procedure);
        let before = self.locals.split_off(first);
        let registers = def.procedures[procedure].registers.iter();
        let positions = registers.flat_map(|&r| self.names.elements(def, r));
        for (position, value) in positions.zip(before) {
            self.locals[position] = value;
        }
        Some(PointId(return_to as u32))
    }
}
