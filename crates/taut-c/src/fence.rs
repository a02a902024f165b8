//! Fences of C: the calls, instructions and functions that are one.

use crate::hir::{Argument, Asm, Callee, Expr, ExprKind, Function, Stmt, StmtKind, Unit};
use crate::types::Ty;

/// A fence that does something on x86 or under PSO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// Waits for the buffer.
    Full,
    /// Keeps stores in order.
    Store,
}

/// The meaning of an assembly statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// A compiler barrier or an instruction that memory does not see.
    Nothing,
    /// A fence.
    Fence(Fence),
}

/// The meaning of an assembly template; none if it is not known.
pub(crate) fn instruction(template: &str) -> Option<Instruction> {
    let text = template.to_lowercase().replace(['\\', '\n', '\t'], " ");
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ';').filter(|w| !w.is_empty()).collect();
    let first = words.first().copied().unwrap_or_default();
    Some(match first {
        "" | "nop" | "pause" | "rep" | "lfence" | "isync" | "yield" | "isb" | "nopl" => {
            Instruction::Nothing
        }
        "mfence" | "sync" | "hwsync" | "dmb" | "dsb" | "membar" => Instruction::Fence(Fence::Full),
        "sfence" | "lwsync" | "eieio" => Instruction::Fence(Fence::Store),
        "lock" if is_idle_lock(&words) => Instruction::Fence(Fence::Full),
        _ => return None,
    })
}

/// `lock; addl $0, 0(%esp)`: a locked instruction that changes nothing, used as a fence.
fn is_idle_lock(words: &[&str]) -> bool {
    let op = words.get(1).copied().unwrap_or_default();
    let zero = words.iter().any(|w| w.starts_with("$0,") || *w == "$0" || w.starts_with("$0x0"));
    (op.starts_with("add") || op.starts_with("or")) && zero
}

/// The fence that a statement is, if it is one and nothing else.
pub(crate) fn of_statement(stmt: &Stmt) -> Option<Fence> {
    match &stmt.kind {
        StmtKind::Expr(expr) => of_expr(expr),
        StmtKind::Asm(asm) => of_assembly(asm),
        _ => None,
    }
}

/// The same, or a call of a function that is one fence and nothing else: `static inline void smp_mb(void)`.
pub(crate) fn of_statement_or_call(unit: &Unit, stmt: &Stmt) -> Option<Fence> {
    let StmtKind::Expr(expr) = &stmt.kind else { return of_statement(stmt) };
    let (Callee::Function(id), []) = call(expr)? else { return of_expr(expr) };
    of_function(unit.functions.get(id.0 as usize)?)
}

/// The fence that a function is, if its body is one and nothing else.
pub(crate) fn of_function(function: &Function) -> Option<Fence> {
    match function.body.as_deref()? {
        [only] if function.params == 0 => of_statement(only),
        _ => None,
    }
}

fn of_assembly(asm: &Asm) -> Option<Fence> {
    match instruction(&asm.template)? {
        Instruction::Fence(fence) if asm.outputs.is_empty() => Some(fence),
        _ => None,
    }
}

fn of_expr(expr: &Expr) -> Option<Fence> {
    let (Callee::Builtin(name), args) = call(expr)? else { return None };
    match (name.as_str(), constant(args)) {
        ("__atomic_thread_fence", Some(5)) | ("__taut_fence", Some(0)) => Some(Fence::Full),
        ("__atomic_thread_fence", Some(3 | 4)) | ("__taut_fence", Some(1)) => Some(Fence::Store),
        ("__sync_synchronize" | "_mm_mfence" | "__builtin_ia32_mfence", _) => Some(Fence::Full),
        ("_mm_sfence" | "__builtin_ia32_sfence", _) => Some(Fence::Store),
        _ => None,
    }
}

/// The call that an expression is.
fn call(expr: &Expr) -> Option<(&Callee, &[Argument])> {
    match &expr.kind {
        ExprKind::Convert(inner) if expr.ty == Ty::Void => call(inner),
        ExprKind::Call(callee, args, None) => Some((callee, args)),
        _ => None,
    }
}

/// The first argument, if it is a number.
fn constant(args: &[Argument]) -> Option<i64> {
    match args.first()? {
        Argument::Value(Expr { kind: ExprKind::Int(value), .. }) => Some(*value),
        _ => None,
    }
}
