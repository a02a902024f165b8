//! Which registers an expression can name, and how.

use std::collections::HashMap;

use taut_ir::{ProcessDef, RegId, Register, Type};

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where a value must be known when the program is read.
    Constant,
    /// In a statement of a process.
    Statement,
    /// In a step of a graph: nothing is folded, nothing is checked beyond what the model checks.
    Graph,
    /// In a property that asks about states.
    Property,
    /// In a property that asks about runs.
    Temporal,
    /// In a property, but inside of `view(P, …)` or `P:…`.
    Inside,
}

/// A register that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub id: RegId,
    pub len: Option<u32>,
    /// Where it is declared.
    pub at: u32,
}

impl Named {
    fn new(id: RegId, register: &Register) -> Named {
        Named { id, len: register.len, at: register.span.start }
    }
}

/// The registers an expression can name.
pub(crate) struct Scope {
    pub place: Place,
    /// By name; `None` for names that several registers have.
    names: HashMap<String, Option<Named>>,
    /// By procedure and name.
    members: HashMap<(String, String), Option<Named>>,
    /// The type of each register that has a name.
    types: HashMap<RegId, Type>,
    /// By number: the length of each if it is an array.
    numbers: Vec<Option<u32>>,
}

impl Place {
    /// Whether this is a property, which can look into processes.
    pub(crate) fn asks(self) -> bool {
        matches!(self, Place::Property | Place::Temporal)
    }
}

impl Scope {
    fn empty(place: Place) -> Scope {
        let (names, members, types) = (HashMap::new(), HashMap::new(), HashMap::new());
        Scope { place, names, members, types, numbers: Vec::new() }
    }

    /// No registers and no variables.
    pub(crate) fn constant() -> Scope {
        Scope::empty(Place::Constant)
    }

    /// No registers.
    pub(crate) fn property() -> Scope {
        Scope::empty(Place::Property)
    }

    /// No registers, in a property about runs.
    pub(crate) fn temporal() -> Scope {
        Scope::empty(Place::Temporal)
    }

    /// Some registers of a process that is still being built.
    pub(crate) fn statements<'r>(registers: impl Iterator<Item = (RegId, &'r Register)>) -> Scope {
        let mut scope = Scope::empty(Place::Statement);
        for (id, register) in registers {
            let named = Named::new(id, register);
            scope.types.insert(id, register.ty);
            scope.names.insert(register.name.clone(), Some(named));
        }
        scope
    }

    /// All registers of a process definition. A name stands for a register of the process itself before
    /// it stands for one of a procedure.
    pub(crate) fn whole(place: Place, def: &ProcessDef) -> Scope {
        let mut scope = Scope::empty(place);
        scope.numbers = def.registers.iter().map(|r| r.len).collect();
        let mut owned = vec![false; def.registers.len()];
        for procedure in &def.procedures {
            procedure.registers.iter().for_each(|r| owned[r.index()] = true);
            scope.add_members(&procedure.name, def, &procedure.registers);
        }
        let own = (0..owned.len()).filter(|&i| !owned[i]).map(RegId::from);
        scope.add_names(def, own.collect());
        let of_procedures = (0..owned.len()).filter(|&i| owned[i]).map(RegId::from);
        let taken = |id: &RegId| scope.names.contains_key(&def.registers[id.index()].name);
        let free = of_procedures.filter(|id| !taken(id)).collect();
        scope.add_names(def, free);
        scope
    }

    fn add_names(&mut self, def: &ProcessDef, ids: Vec<RegId>) {
        for id in ids {
            let register = &def.registers[id.index()];
            let named = Named::new(id, register);
            self.types.insert(id, register.ty);
            let known = self.names.entry(register.name.clone());
            known.and_modify(|n| *n = None).or_insert(Some(named));
        }
    }

    fn add_members(&mut self, procedure: &str, def: &ProcessDef, registers: &[RegId]) {
        for &id in registers {
            let register = &def.registers[id.index()];
            let named = Named::new(id, register);
            let key = (procedure.to_string(), register.name.clone());
            self.members.entry(key).and_modify(|n| *n = None).or_insert(Some(named));
        }
    }

    /// The register with a name: `None` if there is none, `Some(None)` if there are several.
    pub(crate) fn name(&self, name: &str) -> Option<Option<Named>> {
        self.names.get(name).copied()
    }

    /// The register with a name in a procedure.
    pub(crate) fn member(&self, procedure: &str, name: &str) -> Option<Option<Named>> {
        self.members.get(&(procedure.to_string(), name.to_string())).copied()
    }

    /// The register with a number.
    pub(crate) fn number(&self, number: u32) -> Option<Named> {
        let len = *self.numbers.get(number as usize)?;
        // A register by its number is as flat as the model has it.
        Some(Named { id: RegId(number), len, at: u32::MAX })
    }

    /// The type of a register that has a name.
    pub(crate) fn register_type(&self, id: RegId) -> Option<Type> {
        self.types.get(&id).copied()
    }

    /// All names, for hints.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Whether operators on constants are computed at once. Not where text must be read back exactly.
    pub(crate) fn folds(&self) -> bool {
        matches!(self.place, Place::Constant | Place::Statement)
    }

    /// Whether a constant index is checked against its array.
    pub(crate) fn checks(&self) -> bool {
        self.place != Place::Graph
    }
}
