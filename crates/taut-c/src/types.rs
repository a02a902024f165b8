//! Types of C and their layout.
//!
//! Memory is made of *cells*: a cell holds one scalar, an integer or a pointer, whatever its size in bytes. Objects are
//! sequences of cells; a member of a structure is some cells of it. Sizes in bytes are those of x86-64 and matter for
//! `sizeof`, `offsetof` and allocations only.

use std::sync::Arc;

use taut_source::Span;

/// A type without qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `void`
    Void,
    /// An integer, a truth value or an enumeration.
    Int(IntTy),
    /// A pointer.
    Pointer(Arc<QualTy>),
    /// An array of known length.
    Array(Arc<QualTy>, u32),
    /// A structure.
    Struct(StructId),
    /// A function.
    Function(Arc<FunctionTy>),
    /// A type that Taut has no values of. Declarations may mention it; a function or global that uses a value
    /// of it is refused.
    Unmodelled(Unmodelled),
}

/// A type without values in Taut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unmodelled {
    /// What it is: "floating point", "a bit-field".
    pub what: &'static str,
    /// Size in bytes.
    pub bytes: u8,
}

/// A type with the qualifiers that matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualTy {
    /// The type.
    pub ty: Ty,
    /// `_Atomic`: plain reads and writes are sequentially consistent, and so are `++`, `+=` and the like.
    pub atomic: bool,
    /// `volatile`: accesses are not races by themselves and are never left out.
    pub volatile: bool,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntTy {
    /// Number of bits: 1 for `_Bool`, else 8, 16, 32 or 64.
    pub bits: u8,
    /// True for signed types.
    pub signed: bool,
    /// The enumeration behind it, for values shown to users.
    pub enumeration: Option<EnumId>,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionTy {
    /// The type of the result.
    pub result: Ty,
    /// The types of the parameters.
    pub params: Vec<Ty>,
    /// True if further arguments may follow, or if nothing is said about parameters.
    pub variadic: bool,
}

/// A structure, by its number in [`crate::hir::Unit::structs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(pub u32);

/// An enumeration, by its number in [`crate::hir::Unit::enums`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// A structure. A union is one whose fields all begin at cell 0.
#[derive(Clone, Debug)]
pub struct StructDef {
    /// Its tag, or the name of the type it was first given.
    pub name: String,
    /// Its members; none if it is not defined (yet).
    pub fields: Option<Vec<Field>>,
    /// Number of cells.
    pub cells: u32,
    /// Size in bytes on x86-64.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// True for a union.
    pub union: bool,
    /// Where it is defined.
    pub span: Span,
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for an anonymous structure inside, whose members are found through it.
    pub name: String,
    /// Its type.
    pub ty: QualTy,
    /// Its first cell.
    pub cell: u32,
    /// Its offset in bytes.
    pub byte: u64,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// Its tag; empty if it has none.
    pub name: String,
    /// Names with their values.
    pub constants: Vec<(String, i64)>,
}

impl IntTy {
    /// `_Bool`
    pub const BOOL: IntTy = IntTy { bits: 1, signed: false, enumeration: None };
    /// `char`
    pub const CHAR: IntTy = IntTy { bits: 8, signed: true, enumeration: None };
    /// `int`
    pub const INT: IntTy = IntTy { bits: 32, signed: true, enumeration: None };
    /// `unsigned`
    pub const UINT: IntTy = IntTy { bits: 32, signed: false, enumeration: None };
    /// `long`, `ptrdiff_t`, `intptr_t`
    pub const LONG: IntTy = IntTy { bits: 64, signed: true, enumeration: None };
    /// `unsigned long`, `size_t`, `uintptr_t`
    pub const ULONG: IntTy = IntTy { bits: 64, signed: false, enumeration: None };

    /// The smallest value. Unsigned 64-bit integers are kept as the signed integers with the same bits.
    pub fn lo(self) -> i64 {
        match (self.bits, self.signed) {
            (64, _) => i64::MIN,
            (_, false) => 0,
            (bits, true) => -(1 << (bits - 1)),
        }
    }

    /// The largest value; see [`IntTy::lo`].
    pub fn hi(self) -> i64 {
        match (self.bits, self.signed) {
            (64, _) => i64::MAX,
            (bits, false) => (1 << bits) - 1,
            (bits, true) => (1 << (bits - 1)) - 1,
        }
    }

    /// A value converted to this type. (To `_Bool`: 1 unless it is 0.)
    pub fn wrap(self, value: i64) -> i64 {
        match (self.bits, self.signed) {
            (1, _) => i64::from(value != 0),
            (64, _) => value,
            (bits, false) => value & ((1 << bits) - 1),
            (bits, true) => (value << (64 - bits)) >> (64 - bits),
        }
    }

    /// Size in bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits.div_ceil(8))
    }
}

impl Ty {
    /// `int`
    pub const INT: Ty = Ty::Int(IntTy::INT);

    /// The type without qualifiers that matter.
    pub fn plain(self) -> QualTy {
        QualTy { ty: self, atomic: false, volatile: false }
    }

    /// True for integers and pointers: what one cell holds.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Pointer(_))
    }

    /// A pointer to this type.
    pub fn pointer(self) -> Ty {
        Ty::Pointer(Arc::new(self.plain()))
    }

    /// The type that a pointer points to.
    pub fn pointee(&self) -> Option<&QualTy> {
        match self {
            Ty::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// Number of cells of an object of this type; 1 for what has no size.
    pub fn cells(&self, structs: &[StructDef]) -> u32 {
        match self {
            Ty::Void | Ty::Function(_) | Ty::Int(_) | Ty::Pointer(_) | Ty::Unmodelled(_) => 1,
            Ty::Array(element, len) => element.ty.cells(structs).saturating_mul(*len),
            Ty::Struct(id) => structs[id.0 as usize].cells,
        }
    }

    /// Size in bytes on x86-64; 1 for `void` and functions, as GNU C has it.
    pub fn bytes(&self, structs: &[StructDef]) -> u64 {
        match self {
            Ty::Void | Ty::Function(_) => 1,
            Ty::Int(int) => int.bytes(),
            Ty::Pointer(_) => 8,
            Ty::Unmodelled(ty) => u64::from(ty.bytes),
            Ty::Array(element, len) => element.ty.bytes(structs).saturating_mul(u64::from(*len)),
            Ty::Struct(id) => structs[id.0 as usize].bytes,
        }
    }

    /// Alignment in bytes.
    pub fn align(&self, structs: &[StructDef]) -> u64 {
        match self {
            Ty::Array(element, _) => element.ty.align(structs),
            Ty::Struct(id) => structs[id.0 as usize].align,
            other => other.bytes(structs),
        }
    }

    /// The type of each cell of an object of this type, with its qualifiers. A cell of a union has the type of
    /// the first member that reaches it.
    pub fn cell_types(&self, structs: &[StructDef]) -> Vec<QualTy> {
        let mut cells = Vec::new();
        self.clone().plain().push_cells(structs, &mut cells);
        cells
    }
}

impl QualTy {
    /// Adds the types of the cells of an object of this type.
    fn push_cells(&self, structs: &[StructDef], cells: &mut Vec<QualTy>) {
        match &self.ty {
            Ty::Array(element, len) => {
                for _ in 0..*len {
                    element.push_cells(structs, cells);
                }
            }
            Ty::Struct(id) => {
                let (def, start) = (&structs[id.0 as usize], cells.len());
                for field in def.fields.iter().flatten() {
                    let mut inner = Vec::new();
                    field.ty.push_cells(structs, &mut inner);
                    let covered = cells.len() - start - field.cell as usize;
                    cells.extend(inner.into_iter().skip(covered));
                }
                debug_assert_eq!(cells.len() - start, def.cells as usize, "cells of {}", def.name);
            }
            _ => cells.push(self.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_as_on_the_machine() {
        let byte = IntTy { bits: 8, signed: false, enumeration: None };
        assert_eq!((byte.wrap(256), byte.wrap(-1)), (0, 255));
        assert_eq!((IntTy::CHAR.wrap(128), IntTy::INT.wrap(1 << 31)), (-128, -(1 << 31)));
        assert_eq!((IntTy::BOOL.wrap(4), IntTy::ULONG.wrap(-1)), (1, -1));
        assert_eq!((IntTy::INT.lo(), IntTy::UINT.hi()), (i64::from(i32::MIN), 0xffff_ffff));
    }
}
