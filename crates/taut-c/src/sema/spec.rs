//! Declaration specifiers: the type, storage class and qualifiers that all declarators of a declaration share.

use lang_c::ast::{
    DeclarationSpecifier, EnumType, SpecifierQualifier, StorageClassSpecifier, StructDeclaration,
    StructField, StructKind, StructType, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;
use taut_source::{Diagnostic, Span, nearest};

use crate::types::{EnumDef, EnumId, IntTy, QualTy, StructDef, StructId, Ty, Unmodelled};

use super::layout::{Member, lay_out};
use super::scope::{Symbol, Tag};
use super::{Res, Sema, codes};

/// What `float`, `double` and their like are.
pub(super) const FLOATING_POINT: &str = "floating point";

/// What `va_list` is.
pub(super) const VARIABLE_ARGUMENTS: &str = "a list of variable arguments";

/// The specifiers of a declaration.
#[derive(Default)]
pub(super) struct Specs<'s> {
    pub(super) storage: Option<StorageClassSpecifier>,
    pub(super) thread_local: bool,
    pub(super) constant: bool,
    types: Vec<&'s Node<TypeSpecifier>>,
    atomic: bool,
    volatile: bool,
}

impl<'s> Specs<'s> {
    /// Those of a declaration.
    pub(super) fn of(list: &'s [Node<DeclarationSpecifier>]) -> Specs<'s> {
        let mut specs = Specs::default();
        for item in list {
            match &item.node {
                DeclarationSpecifier::StorageClass(s) => specs.add_storage(&s.node),
                DeclarationSpecifier::TypeSpecifier(t) => specs.types.push(t),
                DeclarationSpecifier::TypeQualifier(q) => specs.qualify(&q.node),
                _ => {}
            }
        }
        specs
    }

    /// Those of a type name or a member.
    pub(super) fn of_type(list: &'s [Node<SpecifierQualifier>]) -> Specs<'s> {
        let mut specs = Specs::default();
        for item in list {
            match &item.node {
                SpecifierQualifier::TypeSpecifier(t) => specs.types.push(t),
                SpecifierQualifier::TypeQualifier(q) => specs.qualify(&q.node),
                SpecifierQualifier::Extension(_) => {}
            }
        }
        specs
    }

    fn add_storage(&mut self, storage: &StorageClassSpecifier) {
        match storage {
            StorageClassSpecifier::ThreadLocal => self.thread_local = true,
            other => self.storage = Some(other.clone()),
        }
    }

    fn qualify(&mut self, qualifier: &TypeQualifier) {
        match qualifier {
            TypeQualifier::Volatile => self.volatile = true,
            TypeQualifier::Atomic => self.atomic = true,
            TypeQualifier::Const => self.constant = true,
            _ => {}
        }
    }
}

/// Number of times that each word of an arithmetic type stands in a declaration.
#[derive(Default)]
struct Words {
    long: u32,
    short: u32,
    int: u32,
    char: u32,
    signed: u32,
    unsigned: u32,
}

impl Words {
    /// Counts a word; false if it is another kind of type.
    fn count(&mut self, specifier: &TypeSpecifier) -> bool {
        let word = match specifier {
            TypeSpecifier::Long => &mut self.long,
            TypeSpecifier::Short => &mut self.short,
            TypeSpecifier::Int => &mut self.int,
            TypeSpecifier::Char => &mut self.char,
            TypeSpecifier::Signed => &mut self.signed,
            TypeSpecifier::Unsigned => &mut self.unsigned,
            _ => return false,
        };
        *word += 1;
        true
    }

    /// The integer type of these words, if they go together.
    fn integer(&self) -> Option<IntTy> {
        let signed = self.unsigned == 0;
        let bits = match (self.char, self.short, self.long) {
            (1, 0, 0) if self.int == 0 => 8,
            (0, 1, 0) => 16,
            (0, 0, 0) => 32,
            (0, 0, 1 | 2) => 64,
            _ => return None,
        };
        let once = self.int <= 1 && self.signed + self.unsigned <= 1;
        once.then_some(IntTy { bits, signed, enumeration: None })
    }
}

/// A floating-point type of so many bytes.
pub(super) fn float(bytes: u8) -> Ty {
    Ty::Unmodelled(Unmodelled { what: FLOATING_POINT, bytes })
}

impl Sema<'_> {
    /// The type that specifiers name; true if it is an array without a length.
    pub(super) fn base(&mut self, specs: &Specs, span: Span) -> Res<(QualTy, bool)> {
        let (mut ty, open) = self.unqualified_base(specs, span)?;
        ty.atomic |= specs.atomic;
        ty.volatile |= specs.volatile;
        Ok((ty, open))
    }

    fn unqualified_base(&mut self, specs: &Specs, span: Span) -> Res<(QualTy, bool)> {
        let mut words = Words::default();
        let mut other = Vec::new();
        for specifier in &specs.types {
            if !words.count(&specifier.node) {
                other.push(*specifier);
            }
        }
        let has = |s: TypeSpecifier| other.iter().any(|o| o.node == s);
        if has(TypeSpecifier::Complex) {
            let what = "a complex number";
            return Ok((Ty::Unmodelled(Unmodelled { what, bytes: 16 }).plain(), false));
        }
        // clang's headers give `float` the name `_Float32`, which is a word of its own here.
        let is_float = |o: &&Node<TypeSpecifier>| {
            matches!(o.node, TypeSpecifier::Float | TypeSpecifier::TS18661Float(_))
        };
        if other.len() > 1 && other.iter().all(is_float) {
            return Ok((float(4).plain(), false));
        }
        if has(TypeSpecifier::Double) {
            return Ok((float(if words.long > 0 { 16 } else { 8 }).plain(), false));
        }
        match (other.as_slice(), words.integer()) {
            ([], Some(int)) => Ok((Ty::Int(int).plain(), false)),
            ([one], _) if specs.types.len() == 1 => self.one_specifier(one),
            _ => Err(self.bad_specifiers(span)),
        }
    }

    fn bad_specifiers(&mut self, span: Span) -> super::Reported {
        let message = "these words do not make a type together";
        self.mistake(
            Diagnostic::error(codes::SPECIFIERS, message, span)
                .label("in this declaration")
                .help("a type is one name, one structure, or words like `unsigned long`"),
        )
    }

    fn one_specifier(&mut self, specifier: &Node<TypeSpecifier>) -> Res<(QualTy, bool)> {
        let ty = match &specifier.node {
            TypeSpecifier::Void => Ty::Void,
            TypeSpecifier::Bool => Ty::Int(IntTy::BOOL),
            TypeSpecifier::Float => float(4),
            TypeSpecifier::TS18661Float(ty) => float((ty.width / 8).clamp(2, 16) as u8),
            TypeSpecifier::Struct(node) => Ty::Struct(self.struct_type(node)?),
            TypeSpecifier::Enum(node) => Ty::Int(self.enum_type(node)?),
            TypeSpecifier::Atomic(name) => {
                let ty = self.type_name(&name.node, self.at(name.span))?;
                return Ok((QualTy { atomic: true, ..ty }, false));
            }
            TypeSpecifier::TypedefName(name) => {
                return self.typedef(&name.node.name, self.at(name.span));
            }
            TypeSpecifier::TypeOf(node) => {
                return Ok((self.type_of(&node.node, node.span)?, false));
            }
            _ => return Err(self.bad_specifiers(self.at(specifier.span))),
        };
        Ok((ty.plain(), false))
    }

    /// The type that a name stands for.
    fn typedef(&mut self, name: &str, span: Span) -> Res<(QualTy, bool)> {
        if let Some(ty) = self.opaque(name) {
            return Ok((ty.plain(), false));
        }
        match self.scopes.get(name) {
            Some(Symbol::Typedef(ty, open)) => Ok((ty.clone(), *open)),
            Some(Symbol::Failed) => Err(super::Reported),
            _ if name == "__builtin_va_list" => {
                let what = Unmodelled { what: VARIABLE_ARGUMENTS, bytes: 24 };
                Ok((Ty::Unmodelled(what).plain(), false))
            }
            _ => Err(self.unknown_type(name, span)),
        }
    }

    fn unknown_type(&mut self, name: &str, span: Span) -> super::Reported {
        let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("unknown type `{name}`"), span);
        let near = nearest(name, self.scopes.names()).map(|n| format!("did you mean `{n}`?"));
        let help = near.unwrap_or_else(|| "declare it, or include its header".to_string());
        self.mistake(error.label("not declared").help(help))
    }

    /// The structure of ours that a type of the C library is.
    fn opaque(&self, name: &str) -> Option<Ty> {
        let (_, tag) = crate::runtime::opaque_types().iter().find(|(n, _)| *n == name)?;
        match self.scopes.tag(tag, false) {
            Some(Tag::Struct(id)) => Some(Ty::Struct(id)),
            _ => None,
        }
    }

    fn type_of(&mut self, node: &TypeOf, span: lang_c::span::Span) -> Res<QualTy> {
        match node {
            TypeOf::Type(name) => self.type_name(&name.node, self.at(span)),
            TypeOf::Expression(e) => self.type_of_expression(e),
        }
    }

    /// The structure or union that a specifier names or defines.
    fn struct_type(&mut self, node: &Node<StructType>) -> Res<StructId> {
        let union = node.node.kind.node == StructKind::Union;
        let name = node.node.identifier.as_ref().map(|i| i.node.name.clone()).unwrap_or_default();
        let span = self.at(node.node.identifier.as_ref().map_or(node.span, |i| i.span));
        let id = self.struct_tag(&name, union, node.node.declarations.is_some(), span)?;
        let Some(declarations) = &node.node.declarations else { return Ok(id) };
        let members = self.deeper(span, |sema| sema.members(declarations))?;
        let height = 1 + members.iter().map(|m| self.height(&m.ty.ty)).max().unwrap_or(0);
        if height > taut_source::DEEPEST {
            return Err(self.too_deep(span));
        }
        self.heights[id.0 as usize] = height;
        let mut def = self.unit.structs[id.0 as usize].clone();
        lay_out(&mut def, members, &self.unit.structs);
        self.unit.structs[id.0 as usize] = def;
        Ok(id)
    }

    /// The structure of a tag, made if it is new here.
    fn struct_tag(&mut self, name: &str, union: bool, define: bool, span: Span) -> Res<StructId> {
        let known = if name.is_empty() { None } else { self.scopes.tag(name, define) };
        match known {
            None => {}
            Some(Tag::Struct(id)) => {
                let def = &self.unit.structs[id.0 as usize];
                if def.union == union && !(define && def.fields.is_some()) {
                    return Ok(id);
                }
                let first = def.span;
                return Err(self.twice(name, span, first));
            }
            Some(Tag::Enum(..)) => return Err(self.twice(name, span, Span::NONE)),
        }
        let id = StructId(self.unit.structs.len() as u32);
        let name = name.to_string();
        if !name.is_empty() {
            self.scopes.declare_tag(&name, Tag::Struct(id));
        }
        let def = StructDef { name, fields: None, cells: 1, bytes: 1, align: 1, union, span };
        self.unit.structs.push(def);
        self.heights.push(1);
        Ok(id)
    }

    fn members(&mut self, declarations: &[Node<StructDeclaration>]) -> Res<Vec<Member>> {
        let mut members = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::StaticAssert(a) => self.static_assert(a)?,
                StructDeclaration::Field(f) => self.field(f, &mut members)?,
            }
        }
        Ok(members)
    }

    /// The members that one declaration inside of a structure declares.
    fn field(&mut self, node: &Node<StructField>, members: &mut Vec<Member>) -> Res<()> {
        let span = self.at(node.span);
        let specs = Specs::of_type(&node.node.specifiers);
        let (base, _) = self.base(&specs, span)?;
        if node.node.declarators.is_empty() {
            // An anonymous structure; a declaration of a tag alone declares no member.
            if matches!(base.ty, Ty::Struct(_)) {
                members.push(Member { name: String::new(), ty: base, bits: None });
            }
            return Ok(());
        }
        for declarator in &node.node.declarators {
            let bits = match &declarator.node.bit_width {
                Some(width) => Some(self.constant_integer(width)?.clamp(0, 64) as u64),
                None => None,
            };
            let member = match &declarator.node.declarator {
                None => Member { name: String::new(), ty: base.clone(), bits },
                Some(d) => {
                    let declared = self.declarator(base.clone(), d, false)?;
                    self.complete(&declared.ty.ty, self.at(d.span))?;
                    Member { name: declared.name, ty: declared.ty, bits }
                }
            };
            members.push(member);
        }
        Ok(())
    }

    /// The enumeration that a specifier names or defines.
    fn enum_type(&mut self, node: &Node<EnumType>) -> Res<IntTy> {
        let name = node.node.identifier.as_ref().map(|i| i.node.name.clone()).unwrap_or_default();
        let span = self.at(node.node.identifier.as_ref().map_or(node.span, |i| i.span));
        if node.node.enumerators.is_empty() {
            return match self.scopes.tag(&name, false) {
                Some(Tag::Enum(int)) => Ok(int),
                Some(Tag::Struct(_)) => Err(self.twice(&name, span, Span::NONE)),
                None => Ok(IntTy::UINT),
            };
        }
        if !name.is_empty() && self.scopes.tag(&name, true).is_some() {
            return Err(self.twice(&name, span, Span::NONE));
        }
        let id = EnumId(self.unit.enums.len() as u32);
        self.unit.enums.push(EnumDef { name: name.clone(), constants: Vec::new() });
        let constants = self.enumerators(node, id)?;
        let int = enum_int(&constants, id);
        self.unit.enums[id.0 as usize].constants = constants;
        if !name.is_empty() {
            self.scopes.declare_tag(&name, Tag::Enum(int));
        }
        Ok(int)
    }

    fn enumerators(&mut self, node: &Node<EnumType>, id: EnumId) -> Res<Vec<(String, i64)>> {
        let mut constants = Vec::new();
        let mut next = 0i64;
        for enumerator in &node.node.enumerators {
            taut_budget::tick();
            let name = &enumerator.node.identifier;
            if let Some(value) = &enumerator.node.expression {
                next = self.constant_integer(value)?;
            }
            let fits = i32::try_from(next).is_ok();
            let bits = if fits { 32 } else { 64 };
            let int = IntTy { bits, signed: true, enumeration: Some(id) };
            let span = self.at(name.span);
            self.fresh(&name.node.name, span)?;
            self.scopes.declare(&name.node.name, Symbol::Constant(next, int), span);
            constants.push((name.node.name.clone(), next));
            next = next.wrapping_add(1);
        }
        Ok(constants)
    }

    /// A message about a second meaning of a name.
    pub(super) fn twice(&mut self, name: &str, span: Span, first: Span) -> super::Reported {
        let message = format!("`{name}` is declared twice");
        let error = Diagnostic::error(codes::DECLARED_TWICE, message, span)
            .label("declared again")
            .help("give one of them another name, or make the declarations agree");
        self.mistake(if first.is_none() {
            error
        } else {
            error.related(first, "first declared here")
        })
    }

    /// A name must not have a meaning in this block yet.
    pub(super) fn fresh(&mut self, name: &str, span: Span) -> Res<()> {
        match self.scopes.here(name) {
            None => Ok(()),
            Some(&(_, first)) => Err(self.twice(name, span, first)),
        }
    }
}

/// The type of values of an enumeration, as gcc chooses it: unsigned unless a value is negative.
fn enum_int(constants: &[(String, i64)], id: EnumId) -> IntTy {
    let values = || constants.iter().map(|(_, v)| *v);
    let signed = values().any(|v| v < 0);
    let narrow = values().all(|v| match signed {
        true => i32::try_from(v).is_ok(),
        false => u32::try_from(v).is_ok(),
    });
    IntTy { bits: if narrow { 32 } else { 64 }, signed, enumeration: Some(id) }
}
