//! The conditions of `#if` and `#elif`: 64-bit integers, signed or not, with `defined`.

use taut_source::{Diagnostic, Span};

use super::Preprocessor;
use super::token::{Interner, Kind, Token, sym};
use crate::codes;

/// The deepest nesting of a condition.
const DEEPEST: usize = 200;

impl Preprocessor<'_> {
    /// Whether a condition is true; one that cannot be computed is reported and false.
    pub(super) fn condition(&mut self, span: Span, tokens: &[Token]) -> bool {
        self.in_condition = true;
        let tokens = self.expand(tokens.to_vec(), 0);
        self.in_condition = false;
        let mut reader =
            Reader { tokens: &tokens, interner: &self.interner, at: 0, depth: 0, skipped: 0 };
        let problem = match reader.ternary() {
            Ok(value) if reader.at == tokens.len() => return value.bits != 0,
            Ok(_) => "an operator is missing here".to_string(),
            Err(problem) => problem,
        };
        let place = tokens.get(reader.at).map_or(span, |t| t.span);
        let found =
            Diagnostic::error(codes::BAD_CONDITION, "this condition cannot be computed", place);
        self.report(
            found
                .label(problem)
                .help("a condition is made of integers, `defined(NAME)` and operators"),
        );
        false
    }
}

/// A number of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    bits: i64,
    unsigned: bool,
}

impl Number {
    fn truth(value: bool) -> Number {
        Number { bits: i64::from(value), unsigned: false }
    }
}

/// A value, or what is wrong.
type Value = Result<Number, String>;

/// Reads a condition.
struct Reader<'t> {
    tokens: &'t [Token],
    interner: &'t Interner,
    at: usize,
    depth: usize,
    /// Number of operators around this place whose other operand decides: a division by zero is no problem here.
    skipped: usize,
}

impl Reader<'_> {
    fn sign(&self) -> &str {
        match self.tokens.get(self.at) {
            Some(token) if token.kind == Kind::Punct => self.interner.text(token.text),
            _ => "",
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.sign() == sign;
        self.at += usize::from(found);
        found
    }

    /// Reads something whose value does not matter if `skip` is true.
    fn perhaps(&mut self, skip: bool, read: impl FnOnce(&mut Self) -> Value) -> Value {
        self.skipped += usize::from(skip);
        let value = read(self);
        self.skipped -= usize::from(skip);
        value
    }

    fn ternary(&mut self) -> Value {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("nested too deeply".into());
        }
        let condition = self.binary(0)?;
        let mut result = condition;
        if self.eat("?") {
            let yes = self.perhaps(condition.bits == 0, Self::ternary)?;
            if !self.eat(":") {
                return Err("`:` expected here".into());
            }
            let no = self.perhaps(condition.bits != 0, Self::ternary)?;
            let bits = if condition.bits != 0 { yes.bits } else { no.bits };
            result = Number { bits, unsigned: yes.unsigned || no.unsigned };
        }
        self.depth -= 1;
        Ok(result)
    }

    fn binary(&mut self, lowest: u8) -> Value {
        let mut left = self.unary()?;
        while let Some(level) = level(self.sign()).filter(|level| *level >= lowest) {
            let sign = self.sign().to_owned();
            self.at += 1;
            let decided = match &*sign {
                "&&" => left.bits == 0,
                "||" => left.bits != 0,
                _ => false,
            };
            let right = self.perhaps(decided, |reader| reader.binary(level + 1))?;
            left = apply(&sign, left, right, self.skipped > 0)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Value {
        let mut signs = Vec::new();
        while matches!(self.sign(), "!" | "-" | "+" | "~") {
            signs.push(self.sign().as_bytes()[0]);
            self.at += 1;
        }
        let mut value = self.primary()?;
        for sign in signs.into_iter().rev() {
            value = match sign {
                b'!' => Number::truth(value.bits == 0),
                b'-' => Number { bits: value.bits.wrapping_neg(), ..value },
                b'~' => Number { bits: !value.bits, ..value },
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Value {
        if self.eat("(") {
            let value = self.ternary()?;
            return if self.eat(")") { Ok(value) } else { Err("`)` expected here".into()) };
        }
        let Some(token) = self.tokens.get(self.at) else {
            return Err("a value is missing after this".into());
        };
        let text = self.interner.text(token.text);
        let value = match token.kind {
            Kind::Number => number(text).ok_or("this is no integer")?,
            Kind::Char => character(text).ok_or("this is no character")?,
            // A name that is no macro is 0.
            Kind::Ident if !token.is(sym::DEFINED) => Number::truth(false),
            Kind::Ident => return Err("`defined` needs a name".into()),
            _ => return Err("a value is expected here".into()),
        };
        self.at += 1;
        Ok(value)
    }
}

/// An integer constant.
fn number(text: &str) -> Option<Number> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = text[digits.len()..].to_ascii_lowercase();
    if !["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&&*suffix) {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    // As the compiler has it: a constant that no signed type holds is unsigned.
    let unsigned = suffix.contains('u') || i64::try_from(value).is_err();
    Some(Number { bits: value as i64, unsigned })
}

/// A character constant; one of several characters has the value that gcc gives it.
fn character(text: &str) -> Option<Number> {
    let open = text.find('\'')?;
    let inner = text.get(open + 1..text.len() - 1)?;
    let (mut value, mut rest) = (0_i64, inner.as_bytes());
    let mut count = 0;
    while !rest.is_empty() {
        let (byte, used) = one_character(rest)?;
        value = (value << 8) | i64::from(byte);
        count += 1;
        rest = &rest[used..];
    }
    let bits = if count == 1 { i64::from(value as i8) } else { i64::from(value as i32) };
    (count > 0).then_some(Number { bits, unsigned: false })
}

/// The first character of some, and the number of bytes it takes.
fn one_character(bytes: &[u8]) -> Option<(u8, usize)> {
    let [b'\\', letter, ..] = bytes else { return Some((bytes[0], 1)) };
    let digits = |radix: u32, from: usize, most: usize| {
        let rest = &bytes[from..];
        let is_digit = |byte: &&u8| (**byte as char).is_digit(radix);
        let count = rest.iter().take(most).take_while(is_digit).count();
        let text = std::str::from_utf8(&rest[..count]).ok()?;
        let value = u64::from_str_radix(text, radix).ok()?;
        Some((value as u8, from + count))
    };
    Some(match letter {
        b'n' => (b'\n', 2),
        b't' => (b'\t', 2),
        b'r' => (b'\r', 2),
        b'a' => (7, 2),
        b'b' => (8, 2),
        b'f' => (12, 2),
        b'v' => (11, 2),
        b'e' => (27, 2),
        b'x' => return digits(16, 2, 16),
        b'0'..=b'7' => return digits(8, 1, 3),
        other => (*other, 2),
    })
}

/// The level of an operator: higher ones bind tighter.
fn level(sign: &str) -> Option<u8> {
    Some(match sign {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | "<=" | ">" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

/// The value of `left sign right`.
fn apply(sign: &str, left: Number, right: Number, skipped: bool) -> Value {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let less = |a: i64, b: i64| if unsigned { (a as u64) < b as u64 } else { a < b };
    let bits = match sign {
        "||" => return Ok(Number::truth(a != 0 || b != 0)),
        "&&" => return Ok(Number::truth(a != 0 && b != 0)),
        "==" => return Ok(Number::truth(a == b)),
        "!=" => return Ok(Number::truth(a != b)),
        "<" => return Ok(Number::truth(less(a, b))),
        ">" => return Ok(Number::truth(less(b, a))),
        "<=" => return Ok(Number::truth(!less(b, a))),
        ">=" => return Ok(Number::truth(!less(a, b))),
        "<<" | ">>" => return Ok(Number { bits: shift(sign, left, right), ..left }),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 && skipped => 0,
        _ if b == 0 => return Err("division by zero".into()),
        "/" if unsigned => (a as u64 / b as u64) as i64,
        "/" => a.wrapping_div(b),
        _ if unsigned => (a as u64 % b as u64) as i64,
        _ => a.wrapping_rem(b),
    };
    Ok(Number { bits, unsigned })
}

/// The value of `left << right` or `left >> right`; a negative number of places shifts the other way.
fn shift(sign: &str, left: Number, right: Number) -> i64 {
    let negative = right.bits < 0 && !right.unsigned;
    let places = u32::try_from(right.bits.unsigned_abs()).unwrap_or(64).min(64);
    if (sign == "<<") != negative {
        return left.bits.checked_shl(places).unwrap_or(0);
    }
    match left.unsigned {
        true => (left.bits as u64).checked_shr(places).unwrap_or(0) as i64,
        false => left.bits >> places.min(63),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_those_of_c() {
        let value = |text: &str| number(text).map(|n| (n.bits, n.unsigned));
        assert_eq!(value("0x1fUL"), Some((31, true)));
        assert_eq!(
            (value("017"), value("0"), value("0b11")),
            (Some((15, false)), Some((0, false)), Some((3, false)))
        );
        assert_eq!(value("18446744073709551615"), Some((-1, true)));
        assert_eq!(
            (value("1.0"), value("09"), value("1x"), value("1lul")),
            (None, None, None, None)
        );
        let char = |text: &str| character(text).map(|n| n.bits);
        assert_eq!(
            (char("'a'"), char(r"'\n'"), char(r"'\x7f'"), char(r"'\0'")),
            (Some(97), Some(10), Some(127), Some(0))
        );
        assert_eq!(
            (char("L'a'"), char("'ab'"), char(r"'\377'"), char("''")),
            (Some(97), Some(24930), Some(-1), None)
        );
    }

    #[test]
    fn unsigned_numbers_compare_as_such() {
        let (minus, one) =
            (Number { bits: -1, unsigned: false }, Number { bits: 1, unsigned: true });
        assert_eq!(apply("<", minus, one, false), Ok(Number::truth(false)));
        assert_eq!(apply("/", minus, one, false).map(|n| n.bits), Ok(-1));
        assert!(apply("%", one, Number::truth(false), false).is_err());
        assert!(apply("%", one, Number::truth(false), true).is_ok());
    }
}
