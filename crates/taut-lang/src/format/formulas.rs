//! Formulas as text.
//!
//! Operators are written as SPIN writes them, whatever the source said. A condition that begins with a name
//! such as `X` or `U` has it in backticks: there the parser could take it for an operator, and so could a
//! reader.

use taut_ltl::Prefix;

use super::exprs::expression;
use crate::ast::{Expr, Formula, FormulaKind};
use crate::parser::formula::is_operator_word;

/// A formula as text.
pub(super) fn formula(formula: &Formula) -> String {
    let mut out = String::new();
    write(&mut out, formula);
    out
}

fn write(out: &mut String, formula: &Formula) {
    match &formula.kind {
        FormulaKind::Plain(e) => out.push_str(&condition(e)),
        FormulaKind::Whole(e) => out.push_str(&format!("{{{}}}", expression(e))),
        FormulaKind::Paren(inner) => {
            out.push('(');
            write(out, inner);
            out.push(')');
        }
        FormulaKind::Prefix(prefix, f) => {
            out.push_str(prefix.symbol());
            if *prefix != Prefix::Not {
                out.push(' ');
            }
            write(out, f);
        }
        FormulaKind::Infix(infix, f, g) => {
            write(out, f);
            out.push_str(&format!(" {} ", infix.symbol()));
            write(out, g);
        }
    }
}

fn condition(expr: &Expr) -> String {
    let text = expression(expr);
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if is_operator_word(word) { format!("`{word}`{rest}") } else { text }
}
