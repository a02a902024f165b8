//! Cells of objects, locals, and places.

use taut_ir::{BinaryOp, Fault, Overflow, Type};

use super::{Builder, Built, Located, Slot, may_point};
use crate::hir::{FunctionId, LocalId, Place, PlaceKind};
use crate::lower::access::Access;
use crate::lower::mir::{self, Base, Cell, Check, Mode, Op, Storage, Value};
use crate::types::{QualTy, StructDef, Ty};

/// The cells of an object of a type, each with its name below the object's.
pub(super) fn cells(ty: &Ty, structs: &[StructDef], prefix: String, all: &mut Vec<Cell>) {
    match ty {
        Ty::Array(element, len) => {
            for i in 0..*len {
                cells(&element.ty, structs, format!("{prefix}[{i}]"), all);
            }
        }
        Ty::Struct(id) => {
            let def = &structs[id.0 as usize];
            let start = all.len();
            for field in def.fields.iter().flatten() {
                let dot = if field.name.is_empty() { "" } else { "." };
                let mut inner = Vec::new();
                cells(&field.ty.ty, structs, format!("{prefix}{dot}{}", field.name), &mut inner);
                let covered = all.len() - start - field.cell as usize;
                // Members of a union share cells.
                let shared = all.iter_mut().skip(start + field.cell as usize).zip(&inner);
                for (cell, _) in shared.filter(|(cell, other)| cell.bytes != other.bytes) {
                    cell.bytes = None;
                }
                all.extend(inner.into_iter().skip(covered));
            }
        }
        scalar => all.push(Cell {
            suffix: prefix,
            init: Value::Int(0),
            pointer: may_point(scalar),
            lo: match scalar {
                Ty::Int(int) => int.lo(),
                _ => 0,
            },
            hi: match scalar {
                Ty::Int(int) if int.bits < 64 => int.hi(),
                _ => i64::MAX,
            },
            bytes: Some(scalar.bytes(structs)),
        }),
    }
}

impl Builder<'_> {
    /// Where a local of the innermost function is.
    pub(super) fn slot(&mut self, local: LocalId) -> Built<Slot> {
        let function = self.frame().function;
        let key = (function, local);
        if let Some(slot) = self.t.locals.get(&key) {
            return Ok(slot.clone());
        }
        let declared = &self.function(function).locals[local.0 as usize];
        let slot = if self.found.in_memory.contains(&key) {
            Slot::Object(self.local_object(key, &declared.ty)?)
        } else {
            let count = declared.ty.ty.cells(&self.unit.structs);
            let scalar = declared.ty.ty.is_scalar();
            let pointer = may_point(&declared.ty.ty) || !scalar;
            let library = self.is_library(self.function(function).span);
            let name = if library { "t" } else { declared.name.as_str() };
            let ty = match self.counter_values(key) {
                Some((lo, hi)) => Type { lo, hi, overflow: Overflow::Wrap },
                None => holding(&declared.ty.ty),
            };
            let pointer = pointer && self.counter_values(key).is_none();
            let reg = self.register(name, ty, pointer);
            let register = &mut self.t.regs[reg.0 as usize];
            register.origin = Some(key);
            register.span = declared.span;
            register.len = if scalar { None } else { Some(count.max(1)) };
            Slot::Register(reg)
        };
        self.t.locals.insert(key, slot.clone());
        Ok(slot)
    }

    /// The values of a local that only counts the rounds of a loop.
    pub(super) fn counter_values(
        &self,
        (function, local): (FunctionId, LocalId),
    ) -> Option<(i64, i64)> {
        self.counters.get(&function)?.get(&local).copied()
    }

    pub(super) fn local_object(
        &mut self,
        key: (FunctionId, LocalId),
        ty: &QualTy,
    ) -> Built<mir::ObjectId> {
        if let Some(&object) = self.t.objects.get(&key) {
            return Ok(object);
        }
        if self.frame().procedure.is_some() {
            let local = &self.function(key.0).locals[key.1.0 as usize];
            return self.refuse(
                &format!(
                    "the address of `{}` is taken in a function that calls itself",
                    local.name
                ),
                "make the variable `static`, or take it from `malloc`",
            );
        }
        let function = self.function(key.0);
        let local = &function.locals[key.1.0 as usize];
        let name = format!("{}.{}", function.name, local.name);
        let storage = Storage::Frame(self.thread_id());
        let object = self.object(name, ty, storage, local.span)?;
        self.t.objects.insert(key, object);
        Ok(object)
    }

    /// The place that an expression names, with a cell added.
    pub(super) fn locate(&mut self, place: &Place) -> Built<Located> {
        let (root, offset) = self.path(place)?;
        let pointer = may_point(&place.ty.ty);
        Ok(match root {
            Root::Value(value) => Located::Value(value),
            Root::Register(reg) if self.t.regs[reg.0 as usize].len.is_none() => {
                Located::Register(reg)
            }
            Root::Register(reg) => Located::Element(reg, offset),
            Root::Base(base) => {
                let access = self.access(&place.ty);
                Located::Memory(mir::Place { base, offset, pointer, access })
            }
        })
    }

    /// How an object of a type is accessed here. What is inside of an indivisible section is as good as atomic.
    pub(super) fn access(&self, ty: &QualTy) -> Access {
        let access = match ty {
            _ if self.t.atomic => Access::SEQ_CST,
            ty if ty.atomic => Access::SEQ_CST,
            ty if ty.volatile => Access::VOLATILE,
            _ => Access::PLAIN,
        };
        match self.in_library() {
            true if !ty.atomic => Access::SILENT,
            library => access.silent_if(library),
        }
    }

    /// True in the code of a library function.
    pub(super) fn in_library(&self) -> bool {
        let innermost = self.t.frames.last().map(|frame| frame.function);
        innermost.is_some_and(|function| self.is_library(self.function(function).span))
    }

    /// A place that is accessed in another way than its type says.
    pub(super) fn accessed(&self, at: Located, access: Access) -> Located {
        match at {
            Located::Memory(place) => {
                let access = access.silent_if(self.in_library());
                Located::Memory(mir::Place { access, ..place })
            }
            other => other,
        }
    }

    /// The address of a place.
    pub(super) fn address(&mut self, place: &Place) -> Built<Value> {
        let (root, offset) = self.path(place)?;
        Ok(match root {
            Root::Register(reg) => Value::RegAddress(reg, Box::new(offset)),
            Root::Base(Base::Object(object)) => Value::Address(object, Box::new(offset)),
            // An address is not an access: a null pointer with an offset is computed, not followed.
            Root::Base(Base::Pointer(pointer)) => {
                self.t.checks.retain(|c| !matches!(c, Check::Deref(p) if *p == pointer));
                self.cell_offset(pointer, offset)?
            }
            Root::Value(_) => {
                debug_assert!(false, "the address of a bound parameter");
                return self.refuse("the address of this parameter", "copy it to a local first");
            }
        })
    }

    /// A pointer moved by some cells.
    pub(super) fn cell_offset(&mut self, pointer: Value, offset: Value) -> Built<Value> {
        if offset == Value::Int(0) {
            return Ok(pointer);
        }
        Ok(match pointer {
            Value::Address(object, at) => Value::Address(object, Box::new(at.plus(offset))),
            Value::RegAddress(reg, at) => Value::RegAddress(reg, Box::new(at.plus(offset))),
            pointer => Value::binary(
                BinaryOp::Add,
                pointer,
                Value::binary(BinaryOp::Mul, offset, Value::Int(self.scale)),
            ),
        })
    }

    fn path(&mut self, place: &Place) -> Built<(Root, Value)> {
        Ok(match &place.kind {
            PlaceKind::Local(local) => match self.slot(*local)? {
                Slot::Register(reg) => (Root::Register(reg), Value::Int(0)),
                Slot::Object(object) => (Root::Base(Base::Object(object)), Value::Int(0)),
                Slot::Bound(value) => (Root::Value(value), Value::Int(0)),
            },
            PlaceKind::Global(global) => {
                (Root::Base(Base::Object(self.global(*global)?)), Value::Int(0))
            }
            PlaceKind::Field(inner, cell) => {
                let (root, offset) = self.path(inner)?;
                (root, offset.plus(Value::Int(i64::from(*cell))))
            }
            PlaceKind::Index(inner, index) => {
                let (root, offset) = self.path(inner)?;
                let index = self.value(index)?;
                let Ty::Array(element, len) = &inner.ty.ty else {
                    debug_assert!(false, "an element of no array");
                    return Ok((root, offset));
                };
                let size = i64::from(element.ty.cells(&self.unit.structs));
                self.in_range(&index, *len);
                let moved = Value::binary(BinaryOp::Mul, index, Value::Int(size));
                (root, moved.plus(offset))
            }
            PlaceKind::Deref(pointer) => {
                let pointer = self.value(pointer)?;
                match pointer {
                    Value::Address(object, offset) => (Root::Base(Base::Object(object)), *offset),
                    Value::RegAddress(reg, offset) => (Root::Register(reg), *offset),
                    pointer => {
                        let pointer = self.settled(pointer, &Ty::Void.pointer())?;
                        self.t.checks.push(Check::Deref(pointer.clone()));
                        (Root::Base(Base::Pointer(pointer)), Value::Int(0))
                    }
                }
            }
        })
    }

    /// An index must be below a length.
    fn in_range(&mut self, index: &Value, len: u32) {
        if let Value::Int(i) = index
            && (0..i64::from(len)).contains(i)
        {
            return;
        }
        let low = Value::binary(BinaryOp::Ge, index.clone(), Value::Int(0));
        let high = Value::binary(BinaryOp::Lt, index.clone(), Value::Int(i64::from(len)));
        self.check(low.and(high), Fault::Index);
    }

    /// A value that a later step may use: one that does not depend on memory.
    pub(super) fn settled(&mut self, value: Value, ty: &Ty) -> Built<Value> {
        if value.loads() == 0 {
            return Ok(value);
        }
        let reg = self.temporary(ty);
        self.step(Mode::Plain, vec![Op::Set(reg, value)])?;
        Ok(Value::Reg(reg))
    }

    /// Loads a scalar from a place.
    pub(super) fn load(&mut self, at: Located, ty: &Ty) -> Built<Value> {
        let value = match at {
            Located::Register(reg) => self.read(reg),
            Located::Value(value) => return Ok(value),
            Located::Element(reg, offset) => {
                let known = match offset {
                    Value::Int(at) => self.constant_of(reg, at),
                    _ => None,
                };
                known.unwrap_or_else(|| Value::Elem(reg, Box::new(offset)))
            }
            Located::Memory(place) => {
                if let Base::Pointer(_) = place.base {
                    self.t.checks.push(Check::Filled(place.clone()));
                }
                let reg = self.temporary(ty);
                let value = Value::Load(Box::new(place));
                self.step(Mode::Plain, vec![Op::Set(reg, value)])?;
                Value::Reg(reg)
            }
        };
        self.in_type(value, ty)
    }

    /// What was read as a value of the type by which it is read. A cell may hold the value of the type with or without a sign
    /// instead, if the program has pointers of both types.
    pub(super) fn in_type(&mut self, value: Value, ty: &Ty) -> Built<Value> {
        match ty {
            Ty::Int(int) if self.mixed_signs && int.bits > 1 => self.fit(value, ty, true),
            _ => Ok(value),
        }
    }

    /// Stores a scalar to a place.
    pub(super) fn store(&mut self, at: Located, value: Value, atomic: bool) -> Built<()> {
        let op = match at {
            Located::Register(reg) => Op::Set(reg, value),
            Located::Element(reg, offset) => Op::SetElem(reg, offset, value),
            Located::Memory(place) => Op::Store(place, value, atomic),
            Located::Value(_) => {
                debug_assert!(false, "a store to a bound parameter");
                return Ok(());
            }
        };
        self.step(Mode::Plain, vec![op])
    }

    /// A place some cells further.
    pub(super) fn shifted(at: &Located, cell: u32, pointer: bool) -> Located {
        let by = Value::Int(i64::from(cell));
        match at {
            Located::Element(reg, offset) => Located::Element(*reg, offset.clone().plus(by)),
            Located::Memory(place) => Located::Memory(mir::Place {
                base: place.base.clone(),
                offset: place.offset.clone().plus(by),
                pointer,
                access: place.access,
            }),
            other => other.clone(),
        }
    }

    /// Copies an object cell by cell. It is not one step.
    pub(super) fn copy(&mut self, to: &Located, from: &Located, ty: &Ty) -> Built<()> {
        let mut all = Vec::new();
        cells(ty, &self.unit.structs, String::new(), &mut all);
        for (i, cell) in all.iter().enumerate() {
            let value_ty = if cell.pointer { Ty::Void.pointer() } else { Ty::INT };
            let value = self.load(Self::shifted(from, i as u32, cell.pointer), &value_ty)?;
            self.store(Self::shifted(to, i as u32, cell.pointer), value, false)?;
        }
        Ok(())
    }
}

/// The type of a register that holds values of a type. They were converted before: nothing wraps around here, but the
/// analysis of ranges learns how large they can be.
fn holding(ty: &Ty) -> Type {
    match ty {
        Ty::Int(int) if int.bits < 64 => {
            Type { lo: int.lo(), hi: int.hi(), overflow: Overflow::Wrap }
        }
        _ => Type::INT64,
    }
}

/// What a place begins with.
enum Root {
    Register(mir::Reg),
    Base(Base),
    Value(Value),
}
