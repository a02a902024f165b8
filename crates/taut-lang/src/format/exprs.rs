//! Expressions, references and types as text.

use crate::ast::{
    Base, Declarator, Expr, ExprKind, Init, Param, ProcessIndex, ProcessName, Reference, Rmw,
    Selector, TypeExpr, VarDecl, VarWord, Which,
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
            let mut operand = String::new();
            write(&mut operand, a);
            // Two minus signs in a row are another sign.
            let minus = operand.starts_with('-') && out.ends_with('-');
            out.push_str(&if minus { format!("({operand})") } else { operand });
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
        ExprKind::Rmw(rmw) => out.push_str(&read_modify_write(rmw)),
        ExprKind::New(pool) => out.push_str(&format!("new {}", names::quoted(&pool.text))),
        ExprKind::Call(name, args) => {
            out.push_str(&format!("{}({})", names::quoted(&name.text), list(args)));
        }
    }
}

/// Expressions between commas.
pub(super) fn list(exprs: &[Expr]) -> String {
    exprs.iter().map(expression).collect::<Vec<_>>().join(", ")
}

/// A read-modify-write without what takes its result.
pub(super) fn read_modify_write(rmw: &Rmw) -> String {
    format!("{}({}, {})", rmw.op.word(), reference(&rmw.location), list(&rmw.args))
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
    let mut text = base(&reference.base);
    if let Some(index) = &reference.index {
        text.push_str(&format!("[{}]", expression(index)));
    }
    for selector in &reference.more {
        match selector {
            Selector::Index(index) => text.push_str(&format!("[{}]", expression(index))),
            Selector::Field(name) => text.push_str(&format!(".{}", names::field(&name.text))),
        }
    }
    text
}

/// What a reference starts with.
pub(super) fn base(base: &Base) -> String {
    match base {
        Base::Name(name) => names::quoted(&name.text),
        Base::Member(f, n) => format!("{}.{}", names::quoted(&f.text), names::field(&n.text)),
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
        TypeExpr::Named(name) => names::quoted(&name.text),
        TypeExpr::Ref(name) => format!("ref {}", names::quoted(&name.text)),
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
        VarWord::Bare => "",
    };
    let list: Vec<_> = declared.list.iter().map(declarator).collect();
    let parts =
        [Some(word.to_string()), declared.ty.as_ref().map(type_expr), Some(list.join(", "))];
    let parts: Vec<_> = parts.into_iter().flatten().filter(|p| !p.is_empty()).collect();
    parts.join(" ")
}

/// Fields of one type, without the `;`.
pub(super) fn fields(declared: &VarDecl) -> String {
    let one = |one: &Declarator| dimensions(names::field(&one.name.text), one);
    let list: Vec<_> = declared.list.iter().map(one).collect();
    let ty = declared.ty.as_ref().map_or(String::new(), type_expr);
    format!("{ty} {}", list.join(", "))
}

/// One variable of a declaration.
pub(super) fn declarator(one: &Declarator) -> String {
    let text = dimensions(names::quoted(&one.name.text), one);
    match &one.init {
        None => text,
        Some(values) => format!("{text} = {}", init(values)),
    }
}

fn dimensions(name: String, one: &Declarator) -> String {
    let mut text = name;
    for len in &one.dims {
        text.push_str(&format!("[{}]", expression(len)));
    }
    text
}

fn init(values: &Init) -> String {
    match values {
        Init::All(value) => expression(value),
        Init::List(values, _) => {
            format!("{{{}}}", values.iter().map(init).collect::<Vec<_>>().join(", "))
        }
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
