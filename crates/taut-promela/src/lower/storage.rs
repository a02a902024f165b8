//! Where variables live: each variable of a model becomes one or more variables or registers of the program.
//!
//! A structure becomes one variable for each of its plain fields, and arrays of structures become arrays of
//! those: `T a[3]` with a field `byte b[2]` is `a.b`, an array of 6. Globals are shared memory, unless they
//! are observers' (`ghost`) or channels, which are sequentially consistent; parameters and locals are
//! registers.

use taut_ir::{Overflow, RegId, Type as IrType, VarId};
use taut_source::Span;

use crate::ast::Type;
use crate::{Symbols, Variable, VariableId};

/// Where the values of a plain field or variable are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// A variable of the program.
    Var(VarId),
    /// A register of the process.
    Reg(RegId),
    /// A channel that is never another one, by its value, or the first of an array of them.
    Channel(i64),
}

/// A plain field of a variable, or the variable itself.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The names of the fields that lead to it; empty if the variable is plain itself.
    pub(super) path: Vec<String>,
    /// The sizes of the arrays on the way, outermost first.
    pub(super) sizes: Vec<u32>,
    /// Its type.
    pub(super) ty: IrType,
    /// Whether it is a channel.
    pub(super) channel: bool,
    /// Where it is declared: the variable, or the field of the structure.
    pub(super) declared: Span,
    pub(super) home: Home,
}

impl Leaf {
    /// Number of its values: the product of the sizes, or the largest number where that does not fit.
    pub(super) fn count(&self) -> u64 {
        self.sizes.iter().fold(1, |count: u64, &size| count.saturating_mul(size.into()))
    }

    /// The length of its array, if it is one.
    pub(super) fn len(&self) -> Option<u32> {
        (!self.sizes.is_empty()).then(|| u32::try_from(self.count()).unwrap_or(u32::MAX))
    }

    /// Its name in the program.
    pub(super) fn name(&self, variable: &str) -> String {
        std::iter::once(variable)
            .chain(self.path.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(".")
    }
}

/// The type of a plain variable. SPIN keeps the elements of bit arrays in bytes.
pub(super) fn plain_type(ty: &Type, width: Option<u32>, array: bool) -> IrType {
    let unsigned = |bits: u32| IrType { lo: 0, hi: (1 << bits) - 1, overflow: Overflow::Wrap };
    match ty {
        Type::Bit | Type::Bool if !array => unsigned(1),
        Type::Bit
        | Type::Bool
        | Type::Byte
        | Type::Pid
        | Type::Mtype(_)
        | Type::Chan
        | Type::User(_) => unsigned(8),
        Type::Short => {
            IrType { lo: i64::from(i16::MIN), hi: i64::from(i16::MAX), overflow: Overflow::Wrap }
        }
        Type::Int => IrType::INT,
        Type::Unsigned => unsigned(width.unwrap_or(8).clamp(1, 31)),
    }
}

/// The leaves of a variable, in the order of declaration, without homes yet.
pub(super) fn leaves(symbols: &Symbols, variable: &Variable) -> Vec<Leaf> {
    let mut all = Vec::new();
    collect(symbols, variable, &mut Vec::new(), &mut Vec::new(), &mut all);
    all
}

fn collect(
    symbols: &Symbols,
    variable: &Variable,
    path: &mut Vec<String>,
    sizes: &mut Vec<u32>,
    all: &mut Vec<Leaf>,
) {
    sizes.extend(variable.size);
    match &variable.ty {
        Type::User(name) => {
            let fields = symbols.typedef(&name.text).map_or(&[][..], |t| &t.fields);
            for field in fields {
                path.push(field.name.clone());
                collect(symbols, field, path, sizes, all);
                path.pop();
            }
        }
        plain => all.push(Leaf {
            path: path.clone(),
            sizes: sizes.clone(),
            ty: plain_type(plain, variable.width, variable.size.is_some()),
            channel: *plain == Type::Chan,
            declared: variable.span,
            home: Home::Reg(RegId(u32::MAX)),
        }),
    }
    sizes.truncate(sizes.len() - usize::from(variable.size.is_some()));
}

/// The types of the plain fields of a message.
pub(super) fn message_types(symbols: &Symbols, fields: &[Type]) -> Vec<IrType> {
    let mut all = Vec::new();
    for field in fields {
        match field {
            Type::User(name) => {
                let inner = symbols.typedef(&name.text).map_or(&[][..], |t| &t.fields);
                for variable in inner {
                    for leaf in leaves(symbols, variable) {
                        let count =
                            usize::try_from(leaf.count()).unwrap_or(usize::MAX).min(1 << 16);
                        all.extend(std::iter::repeat_n(leaf.ty, count));
                    }
                }
            }
            plain => all.push(plain_type(plain, None, false)),
        }
    }
    // SPIN keeps a message that is one bit in a byte.
    if let [only] = &mut all[..] {
        only.hi = only.hi.max(255);
    }
    all
}

/// The leaves of all variables of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    leaves: Vec<Vec<Leaf>>,
}

impl Storage {
    /// All variables, without homes yet.
    pub(super) fn new(symbols: &Symbols) -> Storage {
        Storage { leaves: symbols.variables.iter().map(|v| leaves(symbols, v)).collect() }
    }

    /// The leaves of a variable.
    pub(super) fn of(&self, id: VariableId) -> &[Leaf] {
        &self.leaves[id.0 as usize]
    }

    /// The same, to be given homes.
    pub(super) fn of_mut(&mut self, id: VariableId) -> &mut [Leaf] {
        &mut self.leaves[id.0 as usize]
    }
}
