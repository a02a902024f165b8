//! Types as a person writes them, for messages.

use crate::types::{IntTy, QualTy, Ty};

use super::Sema;

impl Sema<'_> {
    /// A type as it is written in C.
    pub(super) fn spell(&self, ty: &Ty) -> String {
        self.spell_around(ty, String::new())
    }

    /// A type with qualifiers.
    fn spell_qualified(&self, ty: &QualTy, inner: String) -> String {
        let atomic = if ty.atomic { "_Atomic " } else { "" };
        let volatile = if ty.volatile { "volatile " } else { "" };
        format!("{atomic}{volatile}{}", self.spell_around(&ty.ty, inner))
    }

    /// A type around the declarator of a name.
    fn spell_around(&self, ty: &Ty, inner: String) -> String {
        let blank = if inner.is_empty() { "" } else { " " };
        match ty {
            Ty::Void => format!("void{blank}{inner}"),
            Ty::Int(int) => format!("{}{blank}{inner}", self.spell_int(*int)),
            Ty::Unmodelled(what) => format!("{}{blank}{inner}", what.what),
            Ty::Struct(id) => {
                let def = &self.unit.structs[id.0 as usize];
                let kind = if def.union { "union" } else { "struct" };
                let name = if def.name.is_empty() { "(without a name)" } else { &def.name };
                format!("{kind} {name}{blank}{inner}")
            }
            Ty::Array(element, 0) => self.spell_qualified(element, format!("{inner}[]")),
            Ty::Array(element, len) => self.spell_qualified(element, format!("{inner}[{len}]")),
            Ty::Pointer(to) => match &to.ty {
                Ty::Array(..) | Ty::Function(_) => self.spell_qualified(to, format!("(*{inner})")),
                _ => self.spell_qualified(to, format!("*{inner}")),
            },
            Ty::Function(f) => {
                let mut params: Vec<_> = f.params.iter().map(|p| self.spell(p)).collect();
                if f.variadic {
                    params.push("...".to_string());
                }
                self.spell_around(&f.result, format!("{inner}({})", params.join(", ")))
            }
        }
    }

    fn spell_int(&self, int: IntTy) -> String {
        if let Some(id) = int.enumeration {
            let name = &self.unit.enums[id.0 as usize].name;
            return format!("enum {}", if name.is_empty() { "(without a name)" } else { name });
        }
        match (int.bits, int.signed) {
            (1, _) => "_Bool",
            (8, true) => "char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (_, true) => "long",
            (_, false) => "unsigned long",
        }
        .to_string()
    }
}
