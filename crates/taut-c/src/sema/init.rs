//! Initialisers: from lists with braces left out and designators to values of cells (C11 6.7.9).

use lang_c::ast::{CompoundLiteral, Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span};

use crate::hir::{Constant, Expr, ExprKind, Global, Place, PlaceKind, Stmt, StmtKind};
use crate::types::{IntTy, QualTy, StructId, Ty};

use super::convert::number;
use super::expr::{Operand, after};
use super::float::settled;
use super::unions::User;
use super::{MOST_CELLS, Res, Sema, codes, literal};

/// Values of cells, in the order of evaluation.
pub(super) type Cells = Vec<(u32, Expr)>;

/// The items of a list in braces that are still to be used.
struct Items<'i> {
    list: &'i [Node<InitializerListItem>],
    /// What the first item is, if it has been looked at.
    ready: Option<Operand>,
    /// True if the designators of the first item have been followed.
    followed: bool,
}

impl<'i> Items<'i> {
    fn new(list: &'i [Node<InitializerListItem>]) -> Items<'i> {
        Items { list, ready: None, followed: false }
    }

    fn first(&self) -> Option<&'i InitializerListItem> {
        self.list.first().map(|item| &item.node)
    }

    /// The designators of the first item that have not been followed.
    fn designators(&self) -> &'i [Node<Designator>] {
        match self.first() {
            Some(item) if !self.followed => &item.designation,
            _ => &[],
        }
    }

    fn advance(&mut self) {
        self.list = &self.list[1..];
        self.ready = None;
        self.followed = false;
    }
}

/// A part of an aggregate: its type, its first cell, and the union that it is a member of.
struct Part {
    ty: QualTy,
    cell: u32,
}

impl Sema<'_> {
    /// The values that an initialiser gives to the cells of an object, and the type of the object, whose length it may
    /// tell.
    pub(super) fn initialiser(
        &mut self,
        ty: &QualTy,
        open: bool,
        node: &Node<Initializer>,
    ) -> Res<(QualTy, Cells)> {
        let mut cells = Vec::new();
        let list = match &node.node {
            Initializer::List(list) => list,
            Initializer::Expression(e) => match &e.node {
                // As GNU C, an object may begin as a compound literal is written.
                Expression::CompoundLiteral(l) if !ty.ty.is_scalar() => &l.node.initializer_list,
                _ => {
                    let len = self.initialise_with(ty, open, e, &mut cells)?;
                    return Ok((with_length(ty, open, len), cells));
                }
            },
        };
        let span = self.at(node.span);
        let len = self.initialise_list(ty, 0, open, list, &mut cells, span)?;
        Ok((with_length(ty, open, len), last_of_each(cells)))
    }

    /// An object that begins with the value of an expression without braces.
    fn initialise_with(
        &mut self,
        ty: &QualTy,
        open: bool,
        e: &Node<Expression>,
        out: &mut Cells,
    ) -> Res<u32> {
        let span = self.at(e.span);
        if self.is_opaque(&ty.ty) {
            return Ok(0);
        }
        if let Some(len) = self.string_cells(&ty.ty, 0, open, e, out)? {
            return Ok(len);
        }
        match &ty.ty {
            Ty::Array(..) => Err(self.bad_initialiser("an array needs a list in braces", span)),
            Ty::Struct(_) => {
                let operand = self.operand(e)?;
                self.copied(&ty.ty, 0, operand, out)?;
                Ok(0)
            }
            _ => {
                let value = self.value(e)?;
                out.push((0, settled(self.assignable(value, &ty.ty)?)));
                Ok(0)
            }
        }
    }

    fn bad_initialiser(&mut self, message: &str, span: Span) -> super::Reported {
        let error = Diagnostic::error(codes::INITIALISER, message, span);
        self.mistake(error.label("does not fit").help("write one value per member or element"))
    }

    /// Structures of ours begin as their zero, whatever a library's macro says.
    pub(super) fn is_opaque(&self, ty: &Ty) -> bool {
        let Ty::Struct(id) = ty else { return false };
        self.structs()[id.0 as usize].name.starts_with("__taut_")
    }

    /// An array of characters that begins with a string; its length, with the 0 at the end.
    fn string_cells(
        &mut self,
        ty: &Ty,
        cell: u32,
        open: bool,
        e: &Node<Expression>,
        out: &mut Cells,
    ) -> Res<Option<u32>> {
        let (Ty::Array(element, len), Expression::StringLiteral(parts)) = (ty, &e.node) else {
            return Ok(None);
        };
        let Ty::Int(int) = element.ty else { return Ok(None) };
        let span = self.at(e.span);
        let Some((units, _)) = literal::string(&parts.node) else {
            let _: Operand = self.string(&parts.node, span)?;
            return Ok(None);
        };
        let room = if open { u32::MAX } else { *len };
        for (i, unit) in (0..room).zip(&units) {
            out.push((cell + i, number(int.wrap(*unit), int, span)));
        }
        Ok(Some(units.len() as u32 + 1))
    }

    /// An object that begins with the values of a list; the number of elements that it names.
    fn initialise_list(
        &mut self,
        ty: &QualTy,
        cell: u32,
        open: bool,
        list: &[Node<InitializerListItem>],
        out: &mut Cells,
        span: Span,
    ) -> Res<u32> {
        if self.is_opaque(&ty.ty) {
            return Ok(0);
        }
        if let [only] = list
            && let Initializer::Expression(e) = &only.node.initializer.node
            && only.node.designation.is_empty()
            && let Some(len) = self.string_cells(&ty.ty, cell, open, e, out)?
        {
            return Ok(len);
        }
        if ty.ty.is_scalar() || matches!(ty.ty, Ty::Unmodelled(_)) {
            return self.braced_scalar(&ty.ty, cell, list, out).map(|()| 0);
        }
        let mut items = Items::new(list);
        let len =
            self.deeper(span, |sema| sema.fill(ty, cell, open, &mut items, &[], true, out))?;
        if let Some(item) = items.list.first() {
            let message = "more values than the object has members or elements";
            let warning = Diagnostic::warning(codes::INITIALISER, message, self.at(item.span));
            self.unit.warnings.push(warning.label("ignored").help("leave it out"));
        }
        Ok(len)
    }

    /// A scalar with braces around its value.
    fn braced_scalar(
        &mut self,
        ty: &Ty,
        cell: u32,
        list: &[Node<InitializerListItem>],
        out: &mut Cells,
    ) -> Res<()> {
        let Some(item) = list.first() else { return Ok(()) };
        match &item.node.initializer.node {
            Initializer::Expression(e) => {
                let value = self.value(e)?;
                out.push((cell, settled(self.assignable(value, ty)?)));
                Ok(())
            }
            Initializer::List(inner) => {
                let span = self.at(item.span);
                self.deeper(span, |sema| sema.braced_scalar(ty, cell, inner, out))
            }
        }
    }

    /// Fills an aggregate from the items of the list around it, up to its end or the next designator that is not its own.
    /// Returns one more than the number of the last part that was filled.
    #[allow(clippy::too_many_arguments)]
    fn fill(
        &mut self,
        ty: &QualTy,
        cell: u32,
        open: bool,
        items: &mut Items,
        designators: &[Node<Designator>],
        braced: bool,
        out: &mut Cells,
    ) -> Res<u32> {
        let mut way = designators;
        let (mut at, mut most) = (0u32, 0);
        while let Some(item) = items.first() {
            taut_budget::tick();
            if way.is_empty() {
                way = items.designators();
                // Designators belong to the list in braces.
                if !way.is_empty() && !braced {
                    break;
                }
            }
            let (mut last, designated) = (at, !way.is_empty());
            let span = self.at(item.initializer.span);
            if let Some((first, rest)) = way.split_first() {
                items.followed = true;
                (at, last) = self.designated(&ty.ty, first, rest)?;
                // A member of an anonymous structure is reached by the same designator again.
                way = if self.is_anonymous(&ty.ty, at, first) { way } else { rest };
            }
            let Some(part) = self.part(&ty.ty, cell, at, open) else {
                if designated {
                    return Err(self.bad_initialiser("no such element", span));
                }
                break;
            };
            if self.is_union(&ty.ty) && !designated && at > 0 {
                break;
            }
            let before = out.len();
            self.fill_part(&part, items, way, out, span)?;
            self.note_union(&ty.ty, at, &out[before..], designated, span);
            self.repeat(&part.ty.ty, last - at, before, out, span)?;
            way = &[];
            at = last + 1;
            most = most.max(at);
        }
        Ok(most)
    }

    fn is_union(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Struct(id) if self.structs()[id.0 as usize].union)
    }

    /// Notes that an initialiser uses a member of a union; a 0 without a designator does not.
    fn note_union(
        &mut self,
        ty: &Ty,
        at: u32,
        cells: &[(u32, Expr)],
        designated: bool,
        span: Span,
    ) {
        let Ty::Struct(id) = ty else { return };
        let zero = cells.iter().all(|(_, e)| matches!(e.kind, ExprKind::Int(0)));
        if designated || !zero {
            self.uses.member(&self.unit.structs, *id, at as usize, span);
        }
    }

    /// Fills one part: by a list in braces, by a value of its own type, or from the items one by one.
    fn fill_part(
        &mut self,
        part: &Part,
        items: &mut Items,
        way: &[Node<Designator>],
        out: &mut Cells,
        span: Span,
    ) -> Res<()> {
        let (ty, cell) = (&part.ty, part.cell);
        if !way.is_empty() {
            return self
                .deeper(span, |sema| sema.fill(ty, cell, false, items, way, false, out))
                .map(|_| ());
        }
        let Some(item) = items.first() else { return Ok(()) };
        let e = match &item.initializer.node {
            _ if self.is_opaque(&ty.ty) => {
                items.advance();
                return Ok(());
            }
            Initializer::List(list) => {
                items.advance();
                return self.initialise_list(ty, cell, false, list, out, span).map(|_| ());
            }
            Initializer::Expression(e) => e,
        };
        if self.string_cells(&ty.ty, cell, false, e, out)?.is_some() {
            items.advance();
            return Ok(());
        }
        let operand = match items.ready.take() {
            Some(operand) => operand,
            None => self.operand(e)?,
        };
        match &ty.ty {
            Ty::Struct(_) if operand.ty().ty == ty.ty => {
                items.advance();
                self.copied(&ty.ty, cell, operand, out)
            }
            Ty::Struct(_) | Ty::Array(..) => {
                items.ready = Some(operand);
                items.followed = true;
                let filled =
                    self.deeper(span, |sema| sema.fill(ty, cell, false, items, &[], false, out))?;
                // An empty structure takes no item: the caller must not wait for it.
                if filled == 0 && items.ready.is_some() {
                    items.advance();
                }
                Ok(())
            }
            _ => {
                items.advance();
                let value = self.rvalue(operand)?;
                // All members of a structure may begin as 0, also bit-fields.
                if matches!((&ty.ty, &value.kind), (Ty::Unmodelled(_), ExprKind::Int(0))) {
                    return Ok(());
                }
                out.push((cell, settled(self.assignable(value, &ty.ty)?)));
                Ok(())
            }
        }
    }

    /// A structure that begins with the cells of another.
    fn copied(&mut self, ty: &Ty, cell: u32, operand: Operand, out: &mut Cells) -> Res<()> {
        let Operand::Place(effects, place) = operand else {
            return Err(self.bad_conversion(&operand.ty().ty, ty, operand.span()));
        };
        if place.ty.ty != *ty {
            return Err(self.bad_conversion(&place.ty.ty, ty, place.span));
        }
        self.not_atomic(&place)?;
        let before = out.len();
        self.leaves(place, cell, out);
        if let Some((_, first)) = out.get_mut(before) {
            let load = std::mem::replace(first, number(0, IntTy::INT, first.span));
            *first = after(effects, load);
        }
        Ok(())
    }

    /// Reads all cells of a place.
    fn leaves(&self, place: Place, cell: u32, out: &mut Cells) {
        let span = place.span;
        match place.ty.ty.clone() {
            Ty::Struct(id) => {
                let def = &self.structs()[id.0 as usize];
                let most = if def.union { 1 } else { usize::MAX };
                for field in def.fields.iter().flatten().take(most) {
                    let kind = PlaceKind::Field(Box::new(place.clone()), field.cell);
                    let member = Place { kind, ty: field.ty.clone(), span };
                    self.leaves(member, cell + field.cell, out);
                }
            }
            Ty::Array(element, len) => {
                let cells = element.ty.cells(self.structs());
                for i in 0..len {
                    taut_budget::tick();
                    let index = Box::new(number(i64::from(i), IntTy::LONG, span));
                    let kind = PlaceKind::Index(Box::new(place.clone()), index);
                    let item = Place { kind, ty: (*element).clone(), span };
                    self.leaves(item, cell + i * cells, out);
                }
            }
            Ty::Unmodelled(_) => {}
            ty => out.push((cell, Expr { kind: ExprKind::Load(place), ty, span })),
        }
    }

    /// The first and the last part that a designator names.
    fn designated(
        &mut self,
        ty: &Ty,
        designator: &Node<Designator>,
        rest: &[Node<Designator>],
    ) -> Res<(u32, u32)> {
        let span = self.at(designator.span);
        let element = |sema: &mut Self, e: &Node<Expression>| {
            let index = sema.constant_integer(e)?;
            u32::try_from(index).map_err(|_| sema.bad_initialiser("no such element", span))
        };
        match (&designator.node, ty) {
            (Designator::Index(e), Ty::Array(..)) => {
                let at = element(self, e)?;
                Ok((at, at))
            }
            (Designator::Range(range), Ty::Array(..)) if rest.is_empty() => {
                let (from, to) = (element(self, &range.node.from)?, element(self, &range.node.to)?);
                if from > to || to >= MOST_CELLS {
                    return Err(self.bad_initialiser("no such elements", span));
                }
                Ok((from, to))
            }
            (Designator::Member(name), Ty::Struct(id)) => {
                let way = self.member_way(*id, name)?;
                let at = way.first().map_or(0, |step| step.index as u32);
                Ok((at, at))
            }
            _ => {
                let message = format!("`{}` has no such part", self.spell(ty));
                Err(self.bad_initialiser(&message, span))
            }
        }
    }

    /// True if the designator leads into an anonymous structure.
    fn is_anonymous(&self, ty: &Ty, at: u32, designator: &Node<Designator>) -> bool {
        let (Ty::Struct(id), Designator::Member(_)) = (ty, &designator.node) else { return false };
        let fields = self.structs()[id.0 as usize].fields.as_ref();
        fields.and_then(|f| f.get(at as usize)).is_some_and(|f| f.name.is_empty())
    }

    /// A part of an aggregate by its number; none if there is no such part.
    fn part(&self, ty: &Ty, cell: u32, at: u32, open: bool) -> Option<Part> {
        match ty {
            Ty::Array(element, len) => {
                let offset = element.ty.cells(self.structs()).checked_mul(at)?;
                let cell = cell.checked_add(offset)?;
                let inside = (open || at < *len) && cell < MOST_CELLS;
                inside.then(|| Part { ty: (**element).clone(), cell })
            }
            Ty::Struct(StructId(id)) => {
                let fields = self.structs()[*id as usize].fields.as_ref()?;
                let field = fields.get(at as usize)?;
                Some(Part { ty: field.ty.clone(), cell: cell + field.cell })
            }
            _ => None,
        }
    }

    /// Gives the elements after the first of a range the values of the first.
    fn repeat(&mut self, ty: &Ty, more: u32, from: usize, out: &mut Cells, span: Span) -> Res<()> {
        let cells = ty.cells(self.structs());
        let first: Vec<_> = out[from..].to_vec();
        if u64::from(more) * first.len().max(1) as u64 > u64::from(MOST_CELLS) {
            return Err(self.too_large(span));
        }
        for i in 1..=more {
            taut_budget::tick();
            out.extend(first.iter().map(|(cell, e)| (cell + i * cells, e.clone())));
        }
        Ok(())
    }

    /// A compound literal: a local that begins anew, or a global outside of functions.
    pub(super) fn compound_literal(&mut self, node: &CompoundLiteral, span: Span) -> Res<Operand> {
        let name = &node.type_name;
        let (ty, open) = self.open_type_name(&name.node, self.at(name.span))?;
        self.complete(&ty.ty, span)?;
        self.check_size(&ty, span)?;
        let mut cells = Vec::new();
        let list = &node.initializer_list;
        let len = self.initialise_list(&ty, 0, open, list, &mut cells, span)?;
        let (ty, cells) = (with_length(&ty, open, len), last_of_each(cells));
        if self.scopes.at_file() {
            let init = self.constants_of(&cells)?;
            let id = self.new_global(Global {
                name: String::new(),
                ty: ty.clone(),
                init,
                thread_local: false,
                refused: None,
                span,
            });
            self.uses.mention(User::Global(id));
            return Ok(Operand::place(PlaceKind::Global(id), ty, span));
        }
        let id = self.new_local("", ty.clone(), span);
        let init = Stmt { kind: StmtKind::Init(id, cells), span };
        let kind = ExprKind::Statements(vec![init], None);
        let effect = Expr { kind, ty: Ty::Void, span };
        let place = Place { kind: PlaceKind::Local(id), ty, span };
        Ok(Operand::Place(vec![effect], place))
    }

    /// The constants that a global's cells begin with, those that are 0 left out.
    pub(super) fn constants_of(&mut self, cells: &Cells) -> Res<Vec<(u32, Constant)>> {
        let mut constants = Vec::new();
        for (cell, e) in cells {
            let constant = self.initial(e)?;
            if constant != Constant::Int(0) {
                constants.push((*cell, constant));
            }
        }
        Ok(constants)
    }
}

/// The type of an object, with the length that its initialiser tells.
fn with_length(ty: &QualTy, open: bool, len: u32) -> QualTy {
    match &ty.ty {
        Ty::Array(element, _) if open => {
            QualTy { ty: Ty::Array(element.clone(), len), ..ty.clone() }
        }
        _ => ty.clone(),
    }
}

/// The last value of each cell: a later one takes the place of an earlier one.
fn last_of_each(cells: Cells) -> Cells {
    let mut seen = std::collections::HashSet::new();
    let mut kept: Cells = cells.into_iter().rev().filter(|(cell, _)| seen.insert(*cell)).collect();
    kept.reverse();
    kept
}
