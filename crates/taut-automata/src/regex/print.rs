//! Writing an expression with parentheses only where they are needed.

use super::expression::Expression;
use crate::automaton::Letter;

/// How tightly the surroundings of an expression bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    Union,
    Concat,
    Repetition,
}

pub(super) fn print(expression: &Expression, name: &dyn Fn(Letter) -> String) -> String {
    let mut text = String::new();
    write(expression, Around::Union, name, &mut text);
    text
}

/// As deep as the expression, which `eliminate` bounds.
fn write(
    expression: &Expression,
    around: Around,
    name: &dyn Fn(Letter) -> String,
    text: &mut String,
) {
    let binds = match expression {
        Expression::Union(_) => Around::Union,
        Expression::Concat(_) => Around::Concat,
        _ => Around::Repetition,
    };
    if binds < around {
        text.push('(');
    }
    match expression {
        Expression::Empty => text.push('∅'),
        Expression::Epsilon => text.push('ε'),
        Expression::Letter(letter) => text.push_str(&name(*letter)),
        Expression::Concat(parts) => {
            parts.iter().for_each(|part| write(part, Around::Concat, name, text));
        }
        Expression::Union(parts) => {
            for (at, part) in parts.iter().enumerate() {
                text.push_str(if at > 0 { "|" } else { "" });
                write(part, Around::Union, name, text);
            }
        }
        Expression::Star(body) => write_repeated(body, '*', name, text),
        Expression::Plus(body) => write_repeated(body, '+', name, text),
        Expression::Optional(body) => write_repeated(body, '?', name, text),
    }
    if binds < around {
        text.push(')');
    }
}

fn write_repeated(
    body: &Expression,
    sign: char,
    name: &dyn Fn(Letter) -> String,
    text: &mut String,
) {
    write(body, Around::Repetition, name, text);
    text.push(sign);
}
