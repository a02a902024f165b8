//! The conditions of `#if` and `#elif`: integer expressions with `defined`.

use taut_source::{Diagnostic, Span};

use super::Preprocessor;
use crate::codes;
use crate::token::{Kind, Token};

/// How deep a condition may be nested.
const DEEPEST: usize = 100;

impl Preprocessor<'_> {
    /// Whether a condition is true; one that cannot be computed is reported and false.
    pub(super) fn condition(&mut self, span: Span, tokens: &[Token]) -> bool {
        let tokens = self.replace_defined(tokens);
        let tokens = self.expand(tokens, 0);
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
        let problem = match reader.ternary() {
            Ok(value) if reader.at == tokens.len() => return value != 0,
            Ok(_) => "something is left over after it".to_string(),
            Err(problem) => problem,
        };
        let place = tokens.get(reader.at).map_or(span, |t| t.span);
        self.report(
            Diagnostic::error(codes::BAD_CONDITION, "this condition cannot be computed", place)
                .label(problem)
                .help("a condition is made of integers, `defined(NAME)` and operators"),
        );
        false
    }

    /// Replaces `defined NAME` and `defined(NAME)` by 1 or 0.
    fn replace_defined(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let [first, after @ ..] = rest {
            let is_defined = first.kind == Kind::Ident && &*first.text == "defined";
            let (name, used) = match after {
                [open, name, close, ..]
                    if open.kind == Kind::LeftParen && close.kind == Kind::RightParen =>
                {
                    (Some(name), 4)
                }
                [name, ..] => (Some(name), 2),
                [] => (None, 1),
            };
            let Some(name) = name.filter(|n| is_defined && n.kind == Kind::Ident) else {
                out.push(first.clone());
                rest = after;
                continue;
            };
            let text = if self.macros.contains_key(&name.text) { "1" } else { "0" };
            let text = self.interner.get(text);
            out.push(Token { kind: Kind::Number, text, ..first.clone() });
            rest = &rest[used..];
        }
        out
    }
}

/// Reads a condition.
struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

/// A value, or what is wrong.
type Value = Result<i64, String>;

impl Reader<'_> {
    fn kind(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|t| t.kind)
    }

    fn ternary(&mut self) -> Value {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("nested too deeply".into());
        }
        let condition = self.binary(0)?;
        let mut result = condition;
        if self.kind() == Some(Kind::Question) {
            self.at += 1;
            let yes = self.ternary()?;
            if self.kind() != Some(Kind::Colon) {
                return Err("`:` expected here".into());
            }
            self.at += 1;
            let no = self.ternary()?;
            result = if condition != 0 { yes } else { no };
        }
        self.depth -= 1;
        Ok(result)
    }

    fn binary(&mut self, lowest: u8) -> Value {
        let mut left = self.unary()?;
        while let Some((kind, level)) = self.kind().and_then(|k| level(k).map(|l| (k, l))) {
            if level < lowest {
                break;
            }
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = apply(kind, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Value {
        let mut signs = Vec::new();
        while let Some(
            kind @ (Kind::Bang
            | Kind::BangBang
            | Kind::Minus
            | Kind::Plus
            | Kind::Tilde
            | Kind::Decrement),
        ) = self.kind()
        {
            signs.push(kind);
            self.at += 1;
        }
        let mut value = self.primary()?;
        for sign in signs.into_iter().rev() {
            value = match sign {
                Kind::Bang => i64::from(value == 0),
                Kind::BangBang => i64::from(value != 0),
                Kind::Minus => value.wrapping_neg(),
                Kind::Tilde => !value,
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Value {
        let Some(token) = self.tokens.get(self.at) else {
            return Err("a value is missing here".into());
        };
        match token.kind {
            Kind::Number => {
                let value = number(&token.text).ok_or("this is no integer")?;
                self.at += 1;
                Ok(value)
            }
            Kind::Char => {
                self.at += 1;
                Ok(token.text.chars().nth(1).map_or(0, |c| c as i64))
            }
            // A name that is no macro is 0, as in C; a call of one is not.
            Kind::Ident => {
                self.at += 1;
                Ok(0)
            }
            Kind::LeftParen => {
                self.at += 1;
                let value = self.ternary()?;
                if self.kind() != Some(Kind::RightParen) {
                    return Err("`)` expected here".into());
                }
                self.at += 1;
                Ok(value)
            }
            _ => Err("a value is expected here".into()),
        }
    }
}

/// An integer of C: decimal or hexadecimal, with the usual suffixes.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// How tightly an operator binds.
fn level(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::OrOr => 1,
        Kind::AndAnd => 2,
        Kind::Bar => 3,
        Kind::Caret => 4,
        Kind::Amp => 5,
        Kind::Equal | Kind::NotEqual => 6,
        Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual => 7,
        Kind::ShiftLeft | Kind::ShiftRight => 8,
        Kind::Plus | Kind::Minus => 9,
        Kind::Star | Kind::Slash | Kind::Percent => 10,
        _ => return None,
    })
}

/// The value of `left kind right`.
fn apply(kind: Kind, left: i64, right: i64) -> Value {
    let shift = u32::try_from(right).unwrap_or(64);
    Ok(match kind {
        Kind::OrOr => i64::from(left != 0 || right != 0),
        Kind::AndAnd => i64::from(left != 0 && right != 0),
        Kind::Bar => left | right,
        Kind::Caret => left ^ right,
        Kind::Amp => left & right,
        Kind::Equal => i64::from(left == right),
        Kind::NotEqual => i64::from(left != right),
        Kind::Less => i64::from(left < right),
        Kind::LessEqual => i64::from(left <= right),
        Kind::Greater => i64::from(left > right),
        Kind::GreaterEqual => i64::from(left >= right),
        Kind::ShiftLeft => left.checked_shl(shift).unwrap_or(0),
        Kind::ShiftRight => left.checked_shr(shift).unwrap_or(0),
        Kind::Plus => left.wrapping_add(right),
        Kind::Minus => left.wrapping_sub(right),
        Kind::Star => left.wrapping_mul(right),
        Kind::Slash => left.checked_div(right).ok_or("division by zero")?,
        _ => left.checked_rem(right).ok_or("division by zero")?,
    })
}
