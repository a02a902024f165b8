//! Layout of structures: cells for Taut, bytes of x86-64 for `sizeof` and `offsetof`.

use crate::types::{Field, QualTy, StructDef, StructId, Ty, Unmodelled};

use super::Sema;

/// A member as it is declared.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) ty: QualTy,
    /// Width of a bit-field.
    pub(super) bits: Option<u64>,
}

/// Where the next member goes.
#[derive(Default)]
struct Filled {
    cells: u32,
    bits: u64,
    align: u64,
}

/// Gives the members of a structure their places.
pub(super) fn lay_out(def: &mut StructDef, members: Vec<Member>, structs: &[StructDef]) {
    let mut filled = Filled { align: 1, ..Filled::default() };
    let mut fields = Vec::new();
    let (mut most_cells, mut most_bits) = (0, 0);
    for member in members {
        if def.union {
            (filled.cells, filled.bits) = (0, 0);
        }
        fields.extend(filled.place(member, structs));
        most_cells = filled.cells.max(most_cells);
        most_bits = filled.bits.max(most_bits);
    }
    def.fields = Some(fields);
    def.cells = most_cells;
    def.align = filled.align;
    def.bytes = most_bits.div_ceil(8).next_multiple_of(filled.align);
}

impl Filled {
    /// The place of a member; none for a bit-field without a name.
    fn place(&mut self, member: Member, structs: &[StructDef]) -> Option<Field> {
        let Member { name, ty, bits } = member;
        let (size, align) = (ty.ty.bytes(structs).saturating_mul(8), ty.ty.align(structs).max(1));
        let Some(width) = bits else {
            self.align = self.align.max(align);
            self.bits = self.bits.next_multiple_of(align * 8);
            let (cell, byte) = (self.cells, self.bits / 8);
            self.bits = self.bits.saturating_add(size).min(u64::MAX >> 8);
            self.cells = self.cells.saturating_add(ty.ty.cells(structs));
            return Some(Field { name, ty, cell, byte });
        };
        // A bit-field does not cross a boundary of its type's size; one of width 0 ends the unit.
        if width == 0 || self.bits % size.max(1) + width > size {
            self.bits = self.bits.next_multiple_of(size.max(1));
        }
        let byte = self.bits / 8;
        self.bits += width;
        if name.is_empty() {
            return None;
        }
        self.align = self.align.max(align);
        let bytes = ty.ty.bytes(structs) as u8;
        let ty = Ty::Unmodelled(Unmodelled { what: "a bit-field", bytes }).plain();
        self.cells += 1;
        Some(Field { name, ty, cell: self.cells - 1, byte })
    }
}

impl Sema<'_> {
    /// Number of levels of a type: what walks through types recurses so deep. What a pointer points to is walked through
    /// up to the next structure.
    pub(super) fn height(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Void | Ty::Int(_) | Ty::Unmodelled(_) => 0,
            Ty::Struct(id) => self.heights[id.0 as usize],
            Ty::Array(inner, _) => 1 + self.height(&inner.ty),
            Ty::Pointer(inner) if matches!(inner.ty, Ty::Struct(_)) => 1,
            Ty::Pointer(inner) => 1 + self.height(&inner.ty),
            Ty::Function(f) => {
                let params = f.params.iter().map(|p| self.height(p));
                1 + params.max().unwrap_or(0).max(self.height(&f.result))
            }
        }
    }

    /// The first cell of what stands so many bytes after the beginning of an object, if a scalar begins there.
    pub(super) fn cell_at(&self, ty: &Ty, byte: u64) -> Option<u32> {
        match ty {
            _ if byte == 0 => Some(0),
            Ty::Array(element, len) => {
                let size = element.ty.bytes(self.structs()).max(1);
                let index = u32::try_from(byte / size).ok().filter(|i| i < len)?;
                let inner = self.cell_at(&element.ty, byte % size)?;
                index.checked_mul(element.ty.cells(self.structs()))?.checked_add(inner)
            }
            Ty::Struct(id) => self.cell_in_struct(*id, byte),
            _ => None,
        }
    }

    fn cell_in_struct(&self, id: StructId, byte: u64) -> Option<u32> {
        let fields = self.structs()[id.0 as usize].fields.as_ref()?;
        let inside =
            |f: &&Field| byte >= f.byte && byte - f.byte < f.ty.ty.bytes(self.structs()).max(1);
        let field = fields.iter().find(inside)?;
        Some(field.cell + self.cell_at(&field.ty.ty, byte - field.byte)?)
    }
}
