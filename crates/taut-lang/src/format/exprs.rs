//! Expressions, references and types as text.

use crate::ast::{
    Base, Declarator, Expr, ExprKind, Init, Param, ProcessIndex, ProcessName, Reference, TypeExpr,
    VarDecl, VarWord, Which,
};
use crate::names;

/// An expression as text.
pub(crate) fn expression(expr: &Expr) -> String {
    let mut out = String::new();
    write(&mut out, expr);
    out
}

fn write(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Int(value) => out.push_str(&value.to_string()),
        ExprKind::Bool(value) => out.push_str(&value.to_string()),
        ExprKind::Ref(r) => out.push_str(&reference(r)),
        ExprKind::Paren(inner) => {
            out.push('(');
            write(out, inner);
            out.push(')');
        }
        ExprKind::Unary(op, a) => {
            out.push_str(op.symbol());
            write(out, a);
        }
        ExprKind::Binary(op, a, b) => {
            write(out, a);
            out.push_str(&format!(" {} ", op.symbol()));
            write(out, b);
        }
        ExprKind::Cond(c, a, b) => {
            write(out, c);
            out.push_str(" ? ");
            write(out, a);
            out.push_str(" : ");
            write(out, b);
        }
        ExprKind::View(p, r) => out.push_str(&format!("view({}, {})", process(p), reference(r))),
        ExprKind::LocalOf(p, r) => out.push_str(&format!("{}:{}", process(p), reference(r))),
        ExprKind::At(p, label) => {
            out.push_str(&format!("{}@{}", process(p), names::quoted(&label.text)));
        }
        ExprKind::AtSet(p, set) => {
            let numbers: Vec<_> = set.iter().map(|n| format!("#{}", n.value)).collect();
            out.push_str(&format!("{}@{{{}}}", process(p), numbers.join(", ")));
        }
        ExprKind::Drained(p) => out.push_str(&format!("drained({})", process(p))),
        ExprKind::Enabled(p) => out.push_str(&format!("enabled({})", process(p))),
    }
}

/// Expressions between commas.
pub(super) fn list(exprs: &[Expr]) -> String {
    exprs.iter().map(expression).collect::<Vec<_>>().join(", ")
}

/// Arguments in parentheses, or nothing.
pub(super) fn arguments(exprs: &[Expr]) -> String {
    if exprs.is_empty() { String::new() } else { format!("({})", list(exprs)) }
}

/// A process name.
pub(super) fn process(name: &ProcessName) -> String {
    let base = names::quoted(&name.base.text);
    match &name.index {
        // The printer of programs gives whole names such as `p[1]`, which need no quotes.
        None => names::process(&name.base.text),
        Some(ProcessIndex::Instance(index)) => format!("{base}[{}]", expression(index)),
        Some(ProcessIndex::Slot(number)) => format!("{base}#{number}"),
    }
}

/// A variable or an element of one.
pub(super) fn reference(reference: &Reference) -> String {
    match &reference.index {
        None => base(&reference.base),
        Some(index) => format!("{}[{}]", base(&reference.base), expression(index)),
    }
}

/// What a reference starts with.
pub(super) fn base(base: &Base) -> String {
    match base {
        Base::Name(name) => names::quoted(&name.text),
        Base::Member(f, n) => format!("{}.{}", names::quoted(&f.text), names::quoted(&n.text)),
        Base::Register(number) => format!("reg({})", number.value),
        Base::Variable(name) => format!("var({})", names::quoted(&name.text)),
    }
}

/// A name or a number.
pub(super) fn which(which: &Which) -> String {
    match which {
        Which::Name(name) => names::quoted(&name.text),
        Which::Number(number) => format!("#{}", number.value),
    }
}

/// A type.
pub(super) fn type_expr(ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Int => "int".into(),
        TypeExpr::Bool => "bool".into(),
        TypeExpr::Byte => "byte".into(),
        TypeExpr::Short => "short".into(),
        TypeExpr::Long => "long".into(),
        TypeExpr::Range { wrap, bounds } => {
            let wrap = if *wrap { "wrap " } else { "" };
            format!("{wrap}{}..{}", expression(&bounds.0), expression(&bounds.1))
        }
    }
}

/// A declaration of variables, without its `;`.
pub(super) fn variables(declared: &VarDecl) -> String {
    let word = match declared.word {
        VarWord::Svar => "Svar",
        VarWord::Gvar => "Gvar",
        VarWord::Shared => "shared",
        VarWord::Ghost => "ghost",
        VarWord::Local => "local",
    };
    let list: Vec<_> = declared.list.iter().map(declarator).collect();
    let parts =
        [Some(word.to_string()), declared.ty.as_ref().map(type_expr), Some(list.join(", "))];
    let parts: Vec<_> = parts.into_iter().flatten().filter(|p| !p.is_empty()).collect();
    parts.join(" ")
}

fn declarator(one: &Declarator) -> String {
    let mut text = names::quoted(&one.name.text);
    if let Some(len) = &one.len {
        text.push_str(&format!("[{}]", expression(len)));
    }
    match &one.init {
        None => text,
        Some(Init::All(value)) => format!("{text} = {}", expression(value)),
        Some(Init::List(values, _)) => format!("{text} = {{{}}}", list(values)),
    }
}

/// Parameters in parentheses, or nothing.
pub(super) fn params(params: &[Param]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let one = |param: &Param| {
        let ty = param.ty.as_ref().map_or(String::new(), |ty| format!("{} ", type_expr(ty)));
        let init = param.init.as_ref().map_or(String::new(), |i| format!(" = {}", expression(i)));
        format!("{ty}{}{init}", names::quoted(&param.name.text))
    };
    format!("({})", params.iter().map(one).collect::<Vec<_>>().join(", "))
}
