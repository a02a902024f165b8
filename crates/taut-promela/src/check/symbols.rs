//! What the names of a model mean.

use taut_source::Span;

use crate::ast::{RefId, Reference, Type, Visibility};

/// The number of a variable in [`Symbols::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// A variable, a parameter or a local.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The number of its elements, if it is an array.
    pub size: Option<u32>,
    /// The width of an `unsigned`.
    pub width: Option<u32>,
    /// The proctype it is local to, by its number in [`Symbols::proctypes`]; none if it is global.
    pub owner: Option<u32>,
    /// Whether it is a parameter.
    pub parameter: bool,
    /// Whether it is an observer's variable.
    pub ghost: bool,
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// How many values a message has in the channel it is declared with, structures counted by their fields.
    pub fields: Option<usize>,
    /// The types of the fields of the messages of the channel it is declared with, unless it is a rendezvous.
    pub message: Option<Vec<Type>>,
    /// Where it is declared.
    pub span: Span,
}

/// What a reference refers to, by its first name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Nothing that is known; only in models with errors.
    Unknown,
    /// A variable.
    Variable(VariableId),
    /// A symbolic name, with the number of its set in [`Symbols::mtypes`] and its value.
    Mtype {
        /// The set.
        set: u32,
        /// The value.
        value: i32,
    },
    /// `_`, `_pid` and their like: its number in [`crate::ast::PREDEFINED`].
    Predefined(u32),
    /// The name of a proctype, as mmlib's `SVAR` uses it.
    Proctype(u32),
}

/// A set of symbolic names.
///
/// SPIN numbers the names of one declaration backwards: of `mtype = { a, b, c }` the last, c, is 1. A second
/// declaration of the same set goes on where the first ended.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// Its name; none for plain `mtype`.
    pub name: Option<String>,
    /// The names with their values.
    pub names: Vec<(String, i32)>,
}

/// A proctype, `init` (called `:init:`), a claim (called `:never:`) or a trace (called `:trace:`).
#[derive(Clone, Debug)]
pub struct ProctypeInfo {
    /// Its name.
    pub name: String,
    /// Its place in [`crate::ast::Model::items`].
    pub item: usize,
    /// Its parameters, in order.
    pub parameters: Vec<VariableId>,
    /// All labels in it.
    pub labels: Vec<String>,
    /// Number of those that start by themselves; 1 if that is any number.
    pub active: u32,
    /// Whether any number starts.
    pub any: bool,
    /// Where its name stands.
    pub span: Span,
}

/// A user-defined type.
#[derive(Clone, Debug)]
pub struct TypedefInfo {
    /// Its name.
    pub name: String,
    /// The fields: like variables, but owned by nobody.
    pub fields: Vec<Variable>,
}

/// What all names of a model mean.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Variables, parameters and locals, in the order of declaration.
    pub variables: Vec<Variable>,
    /// Sets of symbolic names.
    pub mtypes: Vec<MtypeSet>,
    /// Proctypes, `init`, claims and the trace, in the order of the text.
    pub proctypes: Vec<ProctypeInfo>,
    /// User-defined types.
    pub typedefs: Vec<TypedefInfo>,
    pub(super) bindings: Vec<Binding>,
}

impl Symbols {
    /// What a reference refers to, by its first name.
    pub fn binding(&self, reference: &Reference) -> Binding {
        let RefId(number) = reference.id;
        self.bindings.get(number as usize).copied().unwrap_or(Binding::Unknown)
    }

    /// A variable by its number.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// A user-defined type by its name.
    pub fn typedef(&self, name: &str) -> Option<&TypedefInfo> {
        self.typedefs.iter().find(|t| t.name == name)
    }

    /// The number of a proctype by its name.
    pub fn proctype(&self, name: &str) -> Option<u32> {
        self.proctypes.iter().position(|p| p.name == name).map(|at| at as u32)
    }

    /// The value of a symbolic name, with the number of its set.
    pub fn mtype(&self, name: &str) -> Option<(u32, i32)> {
        self.mtypes.iter().enumerate().find_map(|(set, known)| {
            let found = known.names.iter().find(|(n, _)| n == name)?;
            Some((set as u32, found.1))
        })
    }

    /// How many values a type has in a message: the fields of a structure count by themselves.
    pub fn width(&self, ty: &Type) -> usize {
        let Type::User(name) = ty else { return 1 };
        let Some(known) = self.typedef(&name.text) else { return 1 };
        let one = |f: &Variable| self.width(&f.ty).saturating_mul(f.size.unwrap_or(1) as usize);
        known.fields.iter().map(one).fold(0, usize::saturating_add)
    }
}
