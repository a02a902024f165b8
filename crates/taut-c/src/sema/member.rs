//! Members of structures by name, also through anonymous structures inside.

use lang_c::ast::Identifier;
use lang_c::span::Node;
use taut_source::{Diagnostic, Span, nearest};

use crate::hir::{Place, PlaceKind};
use crate::types::{QualTy, StructDef, StructId, Ty};

use super::{Res, Sema, codes};

/// One step on the way to a member: the structure, the number of the member in it, its cell, byte and type.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) of: StructId,
    pub(super) index: usize,
    pub(super) cell: u32,
    pub(super) byte: u64,
    pub(super) ty: QualTy,
}

/// The way to a member, through anonymous structures.
pub(super) fn way(structs: &[StructDef], of: StructId, name: &str) -> Option<Vec<Step>> {
    let fields = structs[of.0 as usize].fields.as_ref()?;
    for (index, field) in fields.iter().enumerate() {
        let step = Step { of, index, cell: field.cell, byte: field.byte, ty: field.ty.clone() };
        if field.name == name && !name.is_empty() {
            return Some(vec![step]);
        }
        let Ty::Struct(inner) = field.ty.ty else { continue };
        if field.name.is_empty()
            && let Some(mut rest) = way(structs, inner, name)
        {
            rest.insert(0, step);
            return Some(rest);
        }
    }
    None
}

/// All names of members, also of anonymous structures inside.
fn names(structs: &[StructDef], of: StructId, all: &mut Vec<String>) {
    for field in structs[of.0 as usize].fields.iter().flatten() {
        match field.ty.ty {
            Ty::Struct(inner) if field.name.is_empty() => names(structs, inner, all),
            _ => all.push(field.name.clone()),
        }
    }
}

impl Sema<'_> {
    /// The way to a member of a structure, or a message.
    pub(super) fn member_way(&mut self, of: StructId, name: &Node<Identifier>) -> Res<Vec<Step>> {
        let (text, span) = (&name.node.name, self.at(name.span));
        if let Some(way) = way(&self.unit.structs, of, text) {
            return Ok(way);
        }
        let shown = self.spell(&Ty::Struct(of));
        if self.unit.structs[of.0 as usize].fields.is_none() {
            return Err(self.incomplete(&Ty::Struct(of), span));
        }
        let mut all = Vec::new();
        names(&self.unit.structs, of, &mut all);
        let message = format!("`{shown}` has no member `{text}`");
        let error = Diagnostic::error(codes::UNKNOWN_MEMBER, message, span).label("unknown member");
        let help = match nearest(text, all.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its members are: {}", all.join(", ")),
        };
        Err(self.mistake(error.help(help)))
    }

    /// A member of a place.
    pub(super) fn member_place(
        &mut self,
        place: Place,
        of: StructId,
        name: &Node<Identifier>,
        span: Span,
    ) -> Res<Place> {
        let way = self.member_way(of, name)?;
        let mut place = place;
        for step in way {
            self.uses.member(&self.unit.structs, step.of, step.index, span);
            let mut ty = step.ty;
            ty.volatile |= place.ty.volatile;
            place = Place { kind: PlaceKind::Field(Box::new(place), step.cell), ty, span };
        }
        Ok(place)
    }
}
