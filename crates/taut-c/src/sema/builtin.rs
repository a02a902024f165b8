//! Builtins: operations without a declaration, with the types of their arguments and results.

use lang_c::ast::Expression;
use lang_c::span::Node;
use taut_source::{Diagnostic, Span};

use crate::hir::{Argument, Callee, ExprKind};
use crate::types::{IntTy, Ty};

use super::convert::number;
use super::expr::Operand;
use super::{Res, Sema, codes};

/// A type in the description of a builtin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// What the first argument points to.
    Pointee,
    /// The type itself, or `long` for a pointer: a number that is added to it.
    Addend,
    /// A pointer, as it is.
    Pointer,
    /// `void *`
    VoidPointer,
    Int,
    Bool,
    Long,
    Void,
    /// Any value, promoted.
    Any,
}

/// The result and the arguments of a builtin; fewer and more arguments are allowed for those with `Any` at the end.
pub(super) type Shape = (Slot, &'static [Slot]);

use Slot::{Addend, Any, Bool, Int, Long, Pointee, Pointer, Void, VoidPointer};

/// The names of the operations that read, modify and write.
const OPERATIONS: &[&str] =
    &["add", "sub", "and", "or", "xor", "nand", "max", "min", "umax", "umin"];

/// The function of the C library that a builtin is, and the type of its result; `int` for what is not known.
pub(super) fn library(name: &str) -> (&str, Ty) {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    match plain {
        "memcpy" | "memmove" | "memset" | "malloc" | "calloc" | "realloc" | "alloca" => {
            (plain, Ty::Void.pointer())
        }
        "strlen" => (plain, Ty::Int(IntTy::ULONG)),
        "strcpy" | "strncpy" | "strcat" | "strchr" => (plain, Ty::Int(IntTy::CHAR).pointer()),
        "free" | "abort" | "exit" => (plain, Ty::Void),
        "memcmp" | "strcmp" | "strncmp" | "printf" | "puts" | "putchar" | "abs" => (plain, Ty::INT),
        _ => (name, Ty::INT),
    }
}

/// True for builtins that a declaration cannot describe.
pub(super) fn is_generic(name: &str) -> bool {
    let prefixes =
        ["__atomic_", "__sync_", "__builtin_", "__taut_init", "__taut_acquire", "__taut_release"];
    prefixes.iter().any(|p| name.starts_with(p)) || name.ends_with("setjmp") || name == "longjmp"
}

/// The types of a builtin.
pub(super) fn shape(name: &str) -> Option<Shape> {
    let fixed: Shape = match name {
        "__atomic_load_n" => (Pointee, &[Pointer, Int]),
        "__atomic_store_n" => (Void, &[Pointer, Pointee, Int]),
        "__atomic_exchange_n" => (Pointee, &[Pointer, Pointee, Int]),
        "__atomic_compare_exchange_n" => (Bool, &[Pointer, Pointer, Pointee, Int, Int, Int]),
        "__atomic_load" | "__atomic_store" => (Void, &[Pointer, Pointer, Int]),
        "__atomic_exchange" => (Void, &[Pointer, Pointer, Pointer, Int]),
        "__atomic_compare_exchange" => (Bool, &[Pointer, Pointer, Pointer, Int, Int, Int]),
        "__atomic_test_and_set" => (Bool, &[Pointer, Int]),
        "__atomic_clear" => (Void, &[Pointer, Int]),
        "__atomic_thread_fence" | "__atomic_signal_fence" => (Void, &[Int]),
        "__atomic_is_lock_free" | "__atomic_always_lock_free" => (Bool, &[Any, Any]),
        "__sync_bool_compare_and_swap" => (Bool, &[Pointer, Pointee, Pointee]),
        "__sync_val_compare_and_swap" => (Pointee, &[Pointer, Pointee, Pointee]),
        "__sync_lock_test_and_set" => (Pointee, &[Pointer, Pointee]),
        "__sync_lock_release" => (Void, &[Pointer]),
        "__sync_synchronize" => (Void, &[]),
        "__taut_init" => (Void, &[Pointer, Pointee]),
        "__taut_acquire" | "__taut_release" => (Void, &[Pointer]),
        "__taut_when" | "__taut_assume" => (Void, &[Any]),
        "__taut_atomic_begin" | "__taut_atomic_end" | "__taut_exit" | "__taut_yield" => (Void, &[]),
        "__taut_self" | "__taut_choose" => (Int, &[]),
        "__taut_create" => (Int, &[Any, VoidPointer]),
        "__taut_join" => (VoidPointer, &[Int]),
        "__taut_exit_thread" => (Void, &[VoidPointer]),
        "__taut_assert" => (Void, &[Any, Any]),
        "__taut_fail" => (Void, &[Any]),
        "__taut_destructor" => (Void, &[Any, Any]),
        "__taut_nondet" => (Long, &[Long, Long]),
        "__taut_fence" => (Void, &[Int]),
        "__builtin_unreachable" | "__builtin_trap" => (Void, &[]),
        _ => return operation(name),
    };
    Some(fixed)
}

/// The types of `__atomic_fetch_add` and its like.
fn operation(name: &str) -> Option<Shape> {
    let is = |op: &str| OPERATIONS.contains(&op);
    if let Some(rest) = name.strip_prefix("__atomic_") {
        let fetched = rest.strip_prefix("fetch_").or_else(|| rest.strip_suffix("_fetch"))?;
        return is(fetched).then_some((Pointee, &[Pointer, Addend, Int]));
    }
    let rest = name.strip_prefix("__sync_")?;
    let fetched = rest.strip_prefix("fetch_and_").or_else(|| rest.strip_suffix("_and_fetch"))?;
    is(fetched).then_some((Pointee, &[Pointer, Addend]))
}

impl Sema<'_> {
    /// Builtins that are gone after this pass.
    pub(super) fn folded_builtin(
        &mut self,
        name: &str,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Option<Res<Operand>> {
        match (name, arguments) {
            ("__builtin_expect", [value, _]) => Some(self.expect(value)),
            ("__builtin_expect_with_probability", [value, _, _]) => Some(self.expect(value)),
            ("__builtin_constant_p", [value]) => {
                let constant = self.unevaluated(|sema| sema.value(value));
                let known = constant.map(|e| matches!(e.kind, ExprKind::Int(_)));
                Some(known.map(|k| Operand::Value(number(i64::from(k), IntTy::INT, span))))
            }
            ("__builtin_choose_expr", [condition, a, b]) => {
                let chosen = self.constant_integer(condition);
                Some(chosen.and_then(|c| self.operand(if c != 0 { a } else { b })))
            }
            ("setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp", _) => Some(Err(self
                .unsupported(
                    "jumps out of functions are not supported",
                    "saves or restores a place in the program",
                    "return an error code instead",
                    span,
                ))),
            // A list of arguments that is only passed on, to `vprintf`, has no meaning here.
            ("__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy", _) => {
                let nothing = number(0, IntTy::INT, span);
                Some(self.convert(nothing, &Ty::Void).map(Operand::Value))
            }
            _ => None,
        }
    }

    fn expect(&mut self, value: &Node<Expression>) -> Res<Operand> {
        let value = self.value(value)?;
        Ok(Operand::Value(self.convert(value, &Ty::Int(IntTy::LONG))?))
    }

    /// A call of a builtin with known types.
    pub(super) fn shaped_call(
        &mut self,
        name: &str,
        (result, slots): Shape,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Res<Operand> {
        // `__sync_*` builtins take a list of protected variables after their arguments.
        let enough = arguments.len() >= slots.len();
        if !enough || (arguments.len() > slots.len() && !name.starts_with("__sync_")) {
            let message = format!("`{name}` takes {} arguments", slots.len());
            let error = Diagnostic::error(codes::ARGUMENTS, message, span);
            let label = format!("{} arguments", arguments.len());
            return Err(self.mistake(error.label(label).help("pass one argument per parameter")));
        }
        let mut pointee = Ty::INT;
        let mut values = Vec::new();
        for (i, (node, slot)) in arguments.iter().zip(slots).enumerate() {
            let value = self.value(node)?;
            if i == 0 && *slot == Pointer {
                pointee = self.accessed(&value.ty, value.span)?;
            }
            let value = match self.slot_type(*slot, &pointee) {
                Some(ty) => self.assignable(value, &ty)?,
                None => {
                    let value = self.scalar(value)?;
                    self.promote(value)?
                }
            };
            values.push(Argument::Value(value));
        }
        let ty = self.slot_type(result, &pointee).unwrap_or(Ty::INT);
        let callee = Callee::Builtin(name.to_string());
        self.finish_call(callee, values, Vec::new(), ty, span)
    }

    /// What an atomic operation accesses.
    fn accessed(&mut self, ty: &Ty, span: Span) -> Res<Ty> {
        match ty.pointee().map(|to| to.ty.clone()) {
            Some(Ty::Struct(_)) => Err(self.unsupported(
                "an atomic operation on a whole structure",
                "more than one value at once",
                "use an integer or a pointer, for example with a tag in its low bits",
                span,
            )),
            Some(ty) => self.modelled(&ty, span).map(|()| ty),
            None => Err(self.bad_conversion(ty, &Ty::Void.pointer(), span)),
        }
    }

    /// The type of a slot; none for any.
    fn slot_type(&self, slot: Slot, pointee: &Ty) -> Option<Ty> {
        Some(match slot {
            Addend if matches!(pointee, Ty::Pointer(_)) => Ty::Int(IntTy::LONG),
            Pointee | Addend if *pointee == Ty::Void => return None,
            Pointee | Addend => pointee.clone(),
            Pointer | Any => return None,
            VoidPointer => Ty::Void.pointer(),
            Int => Ty::INT,
            Bool => Ty::Int(IntTy::BOOL),
            Long => Ty::Int(IntTy::LONG),
            Void => Ty::Void,
        })
    }
}
