//! Declarations of objects and type names, in files and in blocks.

use lang_c::ast::{Declaration, InitDeclarator, Initializer, StorageClassSpecifier};
use lang_c::span::Node;
use taut_source::Span;

use crate::hir::{Block, Constant, ExprKind, Global, GlobalId, Place, PlaceKind, Stmt, StmtKind};
use crate::types::{QualTy, Ty};

use super::declarator::{Declared, declared_name};
use super::init::Cells;
use super::scope::Symbol;
use super::spec::Specs;
use super::unions::User;
use super::{MOST_CELLS, Object, Reported, Res, Sema};

impl Sema<'_> {
    /// A declaration outside of functions.
    pub(super) fn file_declaration(&mut self, node: &Node<Declaration>) -> Res<()> {
        let specs = Specs::of(&node.node.specifiers);
        let (base, open) = self.shared_base(&specs, node)?;
        for item in &node.node.declarators {
            self.refused = None;
            // A failure has left its message, and the next name is looked at in any case.
            let result = self.file_declarator(&specs, base.clone(), open, item);
            self.note_failure(result, item);
        }
        Ok(())
    }

    fn file_declarator(
        &mut self,
        specs: &Specs,
        base: QualTy,
        open: bool,
        item: &Node<InitDeclarator>,
    ) -> Res<()> {
        let declared = self.declare_one(base, open, item)?;
        if specs.storage == Some(StorageClassSpecifier::Typedef) {
            self.declare_typedef(declared);
            return Ok(());
        }
        if let Ty::Function(ty) = declared.ty.ty.clone() {
            self.declare_function(&declared.name, &ty, &declared.params, declared.span)?;
            return Ok(());
        }
        let name = declared.name.clone();
        self.declare_global(specs, &name, &declared, item.node.initializer.as_ref())
    }

    /// The type in front of all names of a declaration.
    fn shared_base(&mut self, specs: &Specs, node: &Node<Declaration>) -> Res<(QualTy, bool)> {
        let base = self.base(specs, self.at(node.span));
        if base.is_err() {
            node.node.declarators.iter().for_each(|d| self.note_failure(Err(Reported), d));
        }
        base
    }

    /// A name whose declaration has failed is known, so that its uses are no further mistakes.
    fn note_failure(&mut self, result: Res<()>, item: &Node<InitDeclarator>) {
        let declarator = &item.node.declarator;
        if let (Err(_), Some(name)) = (result, declared_name(&declarator.node))
            && self.scopes.here(name).is_none()
        {
            let span = self.at(declarator.span);
            self.scopes.declare(name, Symbol::Failed, span);
        }
    }

    /// What one declarator of a declaration declares.
    fn declare_one(
        &mut self,
        base: QualTy,
        open: bool,
        item: &Node<InitDeclarator>,
    ) -> Res<Declared> {
        let plain = item.node.declarator.node.derived.is_empty();
        let mut declared = self.declarator(base, &item.node.declarator, false)?;
        declared.open |= open && plain;
        Ok(declared)
    }

    /// Gives a type a name.
    fn declare_typedef(&mut self, declared: Declared) {
        if let Ty::Struct(id) = declared.ty.ty {
            let def = &mut self.unit.structs[id.0 as usize];
            if def.name.is_empty() {
                def.name.clone_from(&declared.name);
            }
        }
        if let Ty::Int(int) = declared.ty.ty
            && let Some(id) = int.enumeration
        {
            let def = &mut self.unit.enums[id.0 as usize];
            if def.name.is_empty() {
                def.name.clone_from(&declared.name);
            }
        }
        let symbol = Symbol::Typedef(declared.ty, declared.open);
        self.scopes.declare(&declared.name, symbol, declared.span);
    }

    /// An object with static storage and a name in the file's scope, or a further declaration of it.
    fn declare_global(
        &mut self,
        specs: &Specs,
        name: &str,
        declared: &Declared,
        initializer: Option<&Node<Initializer>>,
    ) -> Res<()> {
        let id = match self.scopes.in_file(name) {
            Some(&(Symbol::Global(id), first)) => self.declare_again(id, declared, first)?,
            Some(&(_, first)) => return Err(self.twice(name, declared.span, first)),
            None => self.new_global(Global {
                name: name.to_string(),
                ty: declared.ty.clone(),
                init: Vec::new(),
                thread_local: specs.thread_local,
                refused: None,
                span: declared.span,
            }),
        };
        self.scopes.declare_in_file(name, Symbol::Global(id), declared.span);
        if specs.storage != Some(StorageClassSpecifier::Extern) || initializer.is_some() {
            self.complete(&declared.ty.ty, declared.span)?;
        }
        self.initialise_global(id, declared, initializer, constant(specs, declared))
    }

    /// A further declaration of a global: the types must agree, and one may know the length of an array.
    fn declare_again(&mut self, id: GlobalId, declared: &Declared, first: Span) -> Res<GlobalId> {
        let known = &mut self.unit.globals[id.0 as usize].ty;
        match (&known.ty, &declared.ty.ty) {
            (a, b) if a == b => {}
            (Ty::Array(a, 0), Ty::Array(b, _)) if a == b => known.ty = declared.ty.ty.clone(),
            (Ty::Array(a, _), Ty::Array(b, 0)) if a == b => {}
            _ => return Err(self.twice(&declared.name, declared.span, first)),
        }
        Ok(id)
    }

    /// Gives a global its first values. Refusals in them stay with it.
    fn initialise_global(
        &mut self,
        id: GlobalId,
        declared: &Declared,
        initializer: Option<&Node<Initializer>>,
        constant: bool,
    ) -> Res<()> {
        let before = std::mem::replace(&mut self.uses.user, User::Global(id));
        let outer = self.refused.take();
        let result = self.global_values(id, declared, initializer);
        self.uses.user = before;
        let refused = std::mem::replace(&mut self.refused, outer);
        let global = &mut self.unit.globals[id.0 as usize];
        if global.refused.is_none() {
            global.refused = refused;
        }
        let first = global.init.first().map_or(Constant::Int(0), |(_, c)| *c);
        if constant
            && initializer.is_some()
            && result.is_ok()
            && let (Ty::Int(_), Constant::Int(value)) = (&global.ty.ty, first)
        {
            self.constants.insert(Object::Global(id), value);
        }
        result
    }

    fn global_values(
        &mut self,
        id: GlobalId,
        declared: &Declared,
        initializer: Option<&Node<Initializer>>,
    ) -> Res<()> {
        self.check_size(&declared.ty, declared.span)?;
        let Some(initializer) = initializer else { return Ok(()) };
        if !self.initialised.insert(id) {
            let first = self.unit.globals[id.0 as usize].span;
            return Err(self.twice(&declared.name, declared.span, first));
        }
        // Nothing in it is evaluated when the program runs, so temporaries have no place.
        let body = self.body.take();
        let values = self.initialiser(&declared.ty, declared.open, initializer);
        let constants = values.and_then(|(ty, cells)| Ok((ty, self.constants_of(&cells)?)));
        self.body = body;
        let (ty, constants) = constants?;
        self.mention_constants(&constants);
        let global = &mut self.unit.globals[id.0 as usize];
        global.ty = ty;
        global.init = constants;
        Ok(())
    }

    /// The object is not too large.
    pub(super) fn check_size(&mut self, ty: &QualTy, span: Span) -> Res<()> {
        match ty.ty.cells(self.structs()) > MOST_CELLS {
            true => Err(self.too_large(span)),
            false => Ok(()),
        }
    }

    /// A declaration in a block.
    pub(super) fn local_declaration(
        &mut self,
        node: &Node<Declaration>,
        out: &mut Block,
    ) -> Res<()> {
        let specs = Specs::of(&node.node.specifiers);
        let whole = self.at(node.span);
        let (base, open) = self.shared_base(&specs, node)?;
        let single = node.node.declarators.len() == 1;
        for item in &node.node.declarators {
            let span = if single { whole } else { self.at(item.span) };
            // A failure has left its message, and the next name is looked at in any case.
            let result = self.local_declarator(&specs, base.clone(), open, item, span, out);
            self.note_failure(result, item);
        }
        Ok(())
    }

    fn local_declarator(
        &mut self,
        specs: &Specs,
        base: QualTy,
        open: bool,
        item: &Node<InitDeclarator>,
        span: Span,
        out: &mut Block,
    ) -> Res<()> {
        let declared = self.declare_one(base, open, item)?;
        let initializer = item.node.initializer.as_ref();
        if let Ty::Function(ty) = declared.ty.ty.clone()
            && specs.storage != Some(StorageClassSpecifier::Typedef)
        {
            self.declare_function(&declared.name, &ty, &declared.params, declared.span)?;
            return Ok(());
        }
        match specs.storage {
            Some(StorageClassSpecifier::Typedef) => {
                self.declare_typedef(declared);
                Ok(())
            }
            Some(StorageClassSpecifier::Extern) => self.local_extern(specs, &declared),
            Some(StorageClassSpecifier::Static) => self.local_static(specs, &declared, initializer),
            _ if specs.thread_local => self.local_static(specs, &declared, initializer),
            _ => self.local(specs, declared, initializer, span, out),
        }
    }

    fn local_extern(&mut self, specs: &Specs, declared: &Declared) -> Res<()> {
        let name = &declared.name;
        self.declare_global(specs, name, declared, None)?;
        if let Some((symbol, _)) = self.scopes.in_file(name).cloned() {
            self.scopes.declare(name, symbol, declared.span);
        }
        Ok(())
    }

    /// A local with static storage: a global with the function's name in front.
    fn local_static(
        &mut self,
        specs: &Specs,
        declared: &Declared,
        initializer: Option<&Node<Initializer>>,
    ) -> Res<()> {
        self.fresh(&declared.name, declared.span)?;
        self.complete(&declared.ty.ty, declared.span)?;
        let function = self.body.as_ref().map_or("", |b| &b.name);
        let id = self.new_global(Global {
            name: format!("{function}.{}", declared.name),
            ty: declared.ty.clone(),
            init: Vec::new(),
            thread_local: specs.thread_local,
            refused: None,
            span: declared.span,
        });
        self.scopes.declare(&declared.name, Symbol::Global(id), declared.span);
        self.initialise_global(id, declared, initializer, constant(specs, declared))
    }

    fn local(
        &mut self,
        specs: &Specs,
        declared: Declared,
        initializer: Option<&Node<Initializer>>,
        span: Span,
        out: &mut Block,
    ) -> Res<()> {
        self.fresh(&declared.name, declared.span)?;
        self.complete(&declared.ty.ty, declared.span)?;
        if declared.open && initializer.is_none() {
            return Err(self.incomplete(&declared.ty.ty, declared.span));
        }
        let id = self.new_local(&declared.name, declared.ty.clone(), declared.span);
        self.scopes.declare(&declared.name, Symbol::Local(id), declared.span);
        self.check_size(&declared.ty, declared.span)?;
        let Some(initializer) = initializer else {
            out.push(Stmt { kind: StmtKind::Declare(id), span });
            return Ok(());
        };
        if let (Ty::Struct(_), Initializer::Expression(e)) = (&declared.ty.ty, &initializer.node)
            && !self.is_opaque(&declared.ty.ty)
        {
            let value = self.operand(e)?;
            let place = Place { kind: PlaceKind::Local(id), ty: declared.ty, span: declared.span };
            let assign = self.assign_struct(place, value, span)?;
            out.push(Stmt { kind: StmtKind::Declare(id), span });
            out.push(Stmt { kind: StmtKind::Expr(assign), span });
            return Ok(());
        }
        let (ty, cells) = self.initialiser(&declared.ty, declared.open, initializer)?;
        self.note_constant(Object::Local(id), constant(specs, &declared), &cells);
        if let Some(body) = &mut self.body {
            body.locals[id.0 as usize].ty = ty;
        }
        out.push(Stmt { kind: StmtKind::Init(id, cells), span });
        Ok(())
    }

    /// Notes the value of a `const` integer.
    fn note_constant(&mut self, object: Object, constant: bool, cells: &Cells) {
        if let [(0, e)] = cells.as_slice()
            && let ExprKind::Int(value) = e.kind
            && constant
        {
            self.constants.insert(object, value);
        }
    }
}

/// True if the object never changes.
fn constant(specs: &Specs, declared: &Declared) -> bool {
    let plain = matches!(declared.ty.ty, Ty::Int(_)) && !declared.ty.volatile;
    plain && (specs.constant || declared.constant)
}
