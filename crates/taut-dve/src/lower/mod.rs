//! From a checked model to the program model.
//!
//! Each process is one definition and one process of the program, each transition one step of the same
//! number, so that `atomic.txt`, traces and repair can speak of transition *n* of a process. A step is what
//! DiVinE 2 calls a local transition: guard and channel in the state before, then the effects one after the
//! other, each seeing the ones before it. What DiVinE calls the error state is a [`taut_ir::Fault`] here: the
//! transition happens, and leads nowhere.
//!
//! A guard that faults counts as enabled, and its step goes wrong. Of a send in a rendezvous that is so even
//! where nobody would receive.
//!
//! What is not as in DiVinE 2 (DIVERGENCE):
//!
//! - Where both partners of a rendezvous assign the same global variable, DiVinE 2 goes to the error state; here
//!   the sender's assignment is the later one, as in DiVinE 3 and in compiled models.
//! - An effect that asks where its partner in a rendezvous is sees the state before it, or for the sender,
//!   whose effects come last, after the receiver's move.
//! - In a property process a guard that cannot be computed is false.

pub mod atomic;
mod codes;
pub(crate) mod expr;
pub(crate) mod names;
mod process;
mod property;
mod sync;

use taut_ir::{
    ChanId, Channel, Channels, DefId, EffectOrder, Overflow, Process, Program, PropId, Property,
    Start, Type, VarKind, Variable,
};
use taut_source::{Diagnostic, Diagnostics};

use crate::ast::{self, Model};
use atomic::Chosen;
pub use atomic::{AtomicEntry, AtomicList, TransitionRef, parse_atomic};
use names::{Names, is_property};

/// What becomes of a value outside of the type of the variable it is assigned to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RangeErrors {
    /// The transition goes wrong, as in DiVinE's interpreters.
    #[default]
    Error,
    /// It wraps around, as in models compiled to C. An index outside of its array and a division by zero go
    /// wrong all the same.
    Wrap,
}

/// How a model is lowered.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// What to call the program.
    pub name: String,
    /// What becomes of values outside of their types.
    pub range_errors: RangeErrors,
    /// Whether sends wait for the store buffer.
    pub channels: Channels,
    /// Which writes are atomic, and where fences are.
    pub atomic: Option<AtomicList>,
}

/// A model as a program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program. Its properties are the assertions, one for each location that has any (`assert P.s`), and
    /// after them the property process.
    pub program: Program,
    /// The property process, as a property named after it.
    pub property: Option<PropId>,
    /// What is accepted but worth a look.
    pub warnings: Diagnostics,
}

/// Lowers a checked model.
pub fn lower(model: &Model, options: &LowerOptions) -> Result<Lowered, Diagnostics> {
    let names = Names::new(model);
    let none = AtomicList::default();
    let chosen = Chosen::new(model, &names, options.atomic.as_ref().unwrap_or(&none))?;
    let mut lowering = Lowering {
        model,
        names,
        options,
        chosen,
        program: Program { name: options.name.clone(), ..Program::default() },
        diagnostics: Diagnostics::new(),
        warnings: Diagnostics::new(),
    };
    lowering.declare();
    lowering.processes();
    lowering.assertions();
    let property = lowering.property_process();
    let Lowering { program, diagnostics, warnings, .. } = lowering;
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    debug_assert_eq!(taut_ir::validate::validate(&program), Ok(()));
    Ok(Lowered { program, property, warnings })
}

/// A model that becomes a program.
struct Lowering<'m> {
    model: &'m Model,
    names: Names<'m>,
    options: &'m LowerOptions,
    chosen: Chosen,
    program: Program,
    diagnostics: Diagnostics,
    warnings: Diagnostics,
}

impl<'m> Lowering<'m> {
    /// Notes what is wrong, and goes on without it.
    fn noted<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> Option<T> {
        result.map_err(|d| self.diagnostics.push(*d)).ok()
    }

    fn ty(&self, ty: ast::Type) -> Type {
        let overflow = match self.options.range_errors {
            RangeErrors::Error => Overflow::Fault,
            RangeErrors::Wrap => Overflow::Wrap,
        };
        let (lo, hi) = ty.range();
        Type { lo, hi, overflow }
    }

    /// Variables and channels.
    fn declare(&mut self) {
        for (owner, decl) in &self.names.vars {
            let name = match owner {
                None => decl.name.text.clone(),
                Some(process) => format!("{}->{}", process.name, decl.name),
            };
            let kind = if decl.constant { VarKind::Ghost } else { VarKind::Shared };
            let (ty, len, init) = (self.ty(decl.ty), decl.length, decl.initial.clone());
            self.program.vars.push(Variable { name, kind, ty, len, init, span: decl.span });
        }
        let own =
            self.model.processes.iter().flat_map(|p| {
                p.channels.iter().map(move |c| (format!("{}->{}", p.name, c.name), c))
            });
        let global = self.model.channels.iter().map(|c| (c.name.text.clone(), c));
        let values = self.values();
        for (i, (name, decl)) in global.chain(own).enumerate() {
            let fields = self.fields(decl, values.get(&ChanId::from(i)).copied().unwrap_or(0));
            let (capacity, order, span) = (decl.capacity, EffectOrder::ReceiverFirst, decl.span);
            self.program.channels.push(Channel { name, capacity, fields, order, span });
        }
    }

    /// Processes and their code.
    fn processes(&mut self) {
        let committed = self.committed();
        for process in self.model.processes.iter().filter(|p| !is_property(self.model, p)) {
            let def = self.definition(process, &committed);
            self.program.defs.push(def);
            self.program.processes.push(Process {
                name: process.name.text.clone(),
                def: DefId::from(self.program.defs.len() - 1),
                args: Vec::new(),
                start: Start::Initially,
                channels: Vec::new(),
            });
        }
    }

    fn add_property(&mut self, property: Property) -> PropId {
        self.program.properties.push(property);
        PropId::from(self.program.properties.len() - 1)
    }
}
