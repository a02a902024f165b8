//! `malloc`, `calloc`, `free`.
//!
//! Each allocation site has a number of objects (`--heap`). An allocation takes any free one, so that an address can come
//! back at once (ABA). Cells of objects that are not allocated hold the mark of a cell without a value.
//! `free` waits for the thread's own buffer, so that no store reaches an object in its next life.

use taut_source::Diagnostic;

use super::{Builder, Built, may_point};
use crate::hir::{Argument, Expr, ExprKind};
use crate::lower::access::Access;
use crate::lower::codes;
use crate::lower::mir::{Base, Mode, ObjectId, Op, Place, Storage, Value};
use crate::types::{IntTy, Ty};

/// What characters are compared as.
const UNSIGNED_CHAR: IntTy = IntTy { bits: 8, signed: false, enumeration: None };

impl Builder<'_> {
    pub(super) fn heap_builtin(&mut self, name: &str, args: &[Argument]) -> Built<Option<Value>> {
        match name {
            "malloc" => self.allocate(args, 0, false).map(Some),
            "calloc" => self.allocate(args, 1, true).map(Some),
            "aligned_alloc" => self.allocate(args, 1, false).map(Some),
            "free" => {
                let pointer = self.arg_value(args, 0)?;
                match pointer {
                    Value::Int(0) => {}
                    pointer => self.step(Mode::Fence, vec![Op::Free(pointer)])?,
                }
                Ok(Some(Value::Int(0)))
            }
            "memset" => self.memset(args).map(Some),
            "memcpy" | "memmove" => self.memcpy(args).map(Some),
            "memcmp" => self.memcmp(args).map(Some),
            "sprintf" => self.printed(name, args, 0).map(Some),
            "snprintf" | "vsnprintf" => self.printed(name, args, 1).map(Some),
            _ => Ok(None),
        }
    }

    fn allocate(&mut self, args: &[Argument], size: usize, zero: bool) -> Built<Value> {
        let element = args.iter().find_map(|arg| match arg {
            Argument::Type(ty) => Some(ty.clone()),
            _ => None,
        });
        let Some(element) = element.filter(|ty| *ty != Ty::Void) else {
            let message = "the type of the allocated object is not known";
            let found = Diagnostic::error(codes::ALLOCATION, message, self.t.here);
            let help =
                "convert the result to the type of a pointer to it: `T *p = malloc(sizeof(T))`";
            return Err(found.label("allocated here").help(help).into());
        };
        let count = self.element_count(args, size, zero, &element)?;
        let ty = if count == 1 { element } else { Ty::Array(element.plain().into(), count) };
        let site = self.heap_site(&ty)?;
        let reg = self.register("t", taut_ir::Type::INT64, true);
        self.step(Mode::Plain, vec![Op::Allocate(site, reg)])?;
        if zero {
            self.clear(Value::Reg(reg), &ty)?;
        }
        Ok(Value::Reg(reg))
    }

    /// Number of elements of an allocation.
    fn element_count(
        &mut self,
        args: &[Argument],
        size: usize,
        zero: bool,
        element: &Ty,
    ) -> Built<u32> {
        let bytes = self.arg_value(args, size)?;
        let times = if zero { self.arg_value(args, 0)? } else { Value::Int(1) };
        let (Value::Int(bytes), Value::Int(times)) = (bytes, times) else {
            let message = "the size of the allocation is not a constant";
            let found = Diagnostic::error(codes::ALLOCATION, message, self.t.here);
            return Err(found.label("allocated here").help("use a constant size").into());
        };
        let one = element.bytes(&self.unit.structs).max(1);
        let total = u64::try_from(bytes.saturating_mul(times)).unwrap_or(0);
        Ok(u32::try_from(total.div_ceil(one)).unwrap_or(u32::MAX).max(1))
    }

    /// The object of an allocation site.
    fn heap_site(&mut self, ty: &Ty) -> Built<ObjectId> {
        let key = (self.t.here, format!("{ty:?}"));
        if let Some(&site) = self.heap_sites.get(&key) {
            return Ok(site);
        }
        let slots = self.options.heap;
        let name = match ty {
            Ty::Struct(id) => self.unit.structs[id.0 as usize].name.clone(),
            _ => "heap".to_owned(),
        };
        let name = if name.is_empty() { "heap".to_owned() } else { name };
        let storage = Storage::Heap { slots };
        let site = self.object(name.clone(), &ty.clone().plain(), storage, self.t.here)?;
        let alive = self.ghost(&format!("'{name} alive"), slots);
        self.mir.alive.push((site, alive));
        if self.options.leaks {
            let line = self.line(self.t.here);
            let same =
                self.mir.leaks.iter().filter(|(other, _)| {
                    self.line(self.mir.objects[other.0 as usize].span) == line
                });
            let number = same.count();
            let name = match number {
                0 => format!("memory of line {line} is freed"),
                n => format!("memory of line {line} is freed ({n})"),
            };
            self.mir.leaks.push((site, self.mir.asserts.len()));
            self.mir.asserts.push((name, self.t.here));
        }
        self.heap_sites.insert(key, site);
        Ok(site)
    }

    /// Stores 0 to every cell of an object.
    fn clear(&mut self, pointer: Value, ty: &Ty) -> Built<()> {
        let mut cells = Vec::new();
        super::data::cells(ty, &self.unit.structs, String::new(), &mut cells);
        for (i, cell) in cells.iter().enumerate() {
            let base = match &pointer {
                Value::Address(object, _) => Base::Object(*object),
                pointer => Base::Pointer(pointer.clone()),
            };
            let (offset, pointer) = (Value::Int(i as i64), cell.pointer);
            let place = Place { base, offset, pointer, access: Access::PLAIN };
            self.step(Mode::Plain, vec![Op::Store(place, Value::Int(0), false)])?;
        }
        Ok(())
    }

    /// `memset(p, 0, sizeof *p)`: cell by cell.
    fn memset(&mut self, args: &[Argument]) -> Built<Value> {
        let target = self.arg(args, 0)?.clone();
        let byte = self.arg_value(args, 1)?;
        let size = self.arg_value(args, 2)?;
        let (Some(ty), Value::Int(0), Value::Int(size)) = (pointed(&target), byte, size) else {
            return self.refuse("this `memset`", "only whole objects can be set, to 0");
        };
        let count = u32::try_from(size as u64 / ty.bytes(&self.unit.structs).max(1)).unwrap_or(0);
        let place = super::atomics::dereferenced(stripped(&target));
        let at = self.locate(&place)?;
        let whole = Ty::Array(ty.plain().into(), count);
        let mut cells = Vec::new();
        super::data::cells(&whole, &self.unit.structs, String::new(), &mut cells);
        for (i, cell) in cells.iter().enumerate() {
            let cell_at = Self::shifted(&at, i as u32, cell.pointer);
            self.store(cell_at, Value::Int(0), false)?;
        }
        self.arg_value(args, 0)
    }

    /// `memcmp` of characters: one after the other, up to the first that differs.
    fn memcmp(&mut self, args: &[Argument]) -> Built<Value> {
        let (a, b) = (self.arg(args, 0)?.clone(), self.arg(args, 1)?.clone());
        let size = self.arg_value(args, 2)?;
        let is_char = |e: &Expr| matches!(pointed(e), Some(Ty::Int(int)) if int.bits == 8);
        let (true, true, Value::Int(size)) = (is_char(&a), is_char(&b), size) else {
            let help = "only arrays of characters of a constant size can be compared";
            return self.refuse("this `memcmp`", help);
        };
        let places = [&a, &b].map(|e| super::atomics::dereferenced(stripped(e)));
        let result = self.register("t", taut_ir::Type::INT64, false);
        self.step(Mode::Plain, vec![Op::Set(result, Value::Int(0))])?;
        let end = self.point();
        for i in 0..u32::try_from(size).unwrap_or(0) {
            let mut read = Vec::new();
            for place in &places {
                let at = self.locate(place)?;
                let value = self.load(Self::shifted(&at, i, false), &Ty::INT)?;
                read.push(self.converted(value, &Ty::INT, &Ty::Int(UNSIGNED_CHAR))?);
            }
            let [left, right] = [read[0].clone(), read[1].clone()];
            let (differ, next) = (self.point(), self.point());
            self.decide(left.clone().equals(right.clone()), next, differ)?;
            self.resume(differ);
            let order = Value::binary(taut_ir::BinaryOp::Sub, left, right);
            self.step_to(Value::TRUE, Mode::Plain, vec![Op::Set(result, order)], end)?;
            self.resume(next);
        }
        self.goto(end)?;
        self.resume(end);
        Ok(Value::Reg(result))
    }

    /// `snprintf` and its like: an empty text, and the coverage says so. (What is printed depends on no state that is kept.)
    fn printed(&mut self, name: &str, args: &[Argument], rest: usize) -> Built<Value> {
        let buffer = self.arg(args, 0)?.clone();
        self.arguments(&args[rest.min(args.len())..])?;
        let at = self.locate(&super::atomics::dereferenced(stripped(&buffer)))?;
        self.store(at, Value::Int(0), false)?;
        let name = format!("the length of the text of {name}()");
        let chance = taut_ir::Chance { name, line: self.line(self.t.here), values: vec![0] };
        if !self.mir.chances.contains(&chance) {
            self.mir.chances.push(chance);
        }
        Ok(Value::Int(0))
    }

    /// `memcpy(a, b, sizeof *a)`: cell by cell.
    fn memcpy(&mut self, args: &[Argument]) -> Built<Value> {
        let (to, from) = (self.arg(args, 0)?.clone(), self.arg(args, 1)?.clone());
        let size = self.arg_value(args, 2)?;
        let (Some(ty), Some(other), Value::Int(size)) = (pointed(&to), pointed(&from), size) else {
            return self
                .refuse("this `memcpy`", "only whole objects of a constant size can be copied");
        };
        if ty != other {
            return self.refuse("`memcpy` between objects of different types", "assign the object");
        }
        let count = u32::try_from(size as u64 / ty.bytes(&self.unit.structs).max(1)).unwrap_or(0);
        let from_at = self.locate(&super::atomics::dereferenced(stripped(&from)))?;
        let to_at = self.locate(&super::atomics::dereferenced(stripped(&to)))?;
        self.copy(&to_at, &from_at, &Ty::Array(ty.plain().into(), count))?;
        self.arg_value(args, 0)
    }
}

/// A pointer without its conversion to `void *`.
fn stripped(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Convert(inner) if inner.ty.pointee().is_some() => stripped(inner),
        _ => expr.clone(),
    }
}

/// The type behind a pointer, whatever it was converted to.
fn pointed(expr: &Expr) -> Option<Ty> {
    let ty = stripped(expr).ty.pointee()?.ty.clone();
    debug_assert!(!may_point(&Ty::Void));
    (ty != Ty::Void).then_some(ty)
}
