//! Numbers, characters and strings as they are written.

use lang_c::ast::{Integer, IntegerBase, IntegerSize};

use crate::types::IntTy;

/// The value and type of an integer constant; none if it does not fit into 64 bits.
pub(super) fn integer(literal: &Integer) -> Option<(i64, IntTy)> {
    let radix = match literal.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    let digits: &str = if literal.number.is_empty() { "0" } else { &literal.number };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let long = literal.suffix.size != IntegerSize::Int;
    let ty = integer_type(value, radix == 10, long, literal.suffix.unsigned)?;
    Some((value as i64, ty))
}

/// The first type of the list in C11 6.4.4.1 that has the value.
fn integer_type(value: u64, decimal: bool, long: bool, unsigned: bool) -> Option<IntTy> {
    let fits = |ty: IntTy| match (ty.bits, ty.signed) {
        (64, true) => i64::try_from(value).is_ok(),
        (64, false) => true,
        _ => value <= ty.hi() as u64,
    };
    let all = [IntTy::INT, IntTy::UINT, IntTy::LONG, IntTy::ULONG];
    // A decimal constant without `u` is never unsigned, except that GNU C takes the last resort.
    let usable = |ty: &IntTy| match ty.signed {
        true => !unsigned,
        false => unsigned || !decimal || (ty.bits == 64 && i64::try_from(value).is_err()),
    };
    all.into_iter().filter(usable).find(|&ty| (!long || ty.bits == 64) && fits(ty))
}

/// The value of a character constant such as `'a'` or `L'\x41'`; none if it is malformed.
pub(super) fn character(text: &str) -> Option<i64> {
    let (wide, inner) = unquote(text, '\'')?;
    let units = units(inner, wide)?;
    match (units.as_slice(), wide) {
        ([one], true) => Some(*one),
        ([one], false) => Some(IntTy::CHAR.wrap(*one)),
        ([], _) | (_, true) => None,
        // Several characters in one constant: as gcc packs them.
        (many, false) => Some(IntTy::INT.wrap(many.iter().fold(0, |v, u| (v << 8) | (u & 0xff)))),
    }
}

/// The characters of adjacent string literals without the 0 at the end, and true if they are wide.
pub(super) fn string(parts: &[String]) -> Option<(Vec<i64>, bool)> {
    let parts: Option<Vec<_>> = parts.iter().map(|p| unquote(p, '"')).collect();
    let parts = parts?;
    let wide = parts.iter().any(|(wide, _)| *wide);
    let mut all = Vec::new();
    for (_, inner) in parts {
        all.extend(units(inner, wide)?);
    }
    Some((all, wide))
}

/// The text of adjacent string literals, for templates of assembly and messages.
pub(super) fn text(parts: &[String]) -> String {
    let Some((units, _)) = string(parts) else { return parts.concat() };
    let bytes: Vec<u8> = units.into_iter().map(|u| u as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What stands between the quotes, and true for `L`, `u` and `U`.
fn unquote(text: &str, quote: char) -> Option<(bool, &str)> {
    let start = text.find(quote)?;
    let inner = text[start + 1..].strip_suffix(quote)?;
    Some((matches!(&text[..start], "L" | "u" | "U"), inner))
}

/// The bytes of a text (characters, if it is wide) with its escapes replaced.
fn units(inner: &str, wide: bool) -> Option<Vec<i64>> {
    let mut units = Vec::new();
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            push(c, wide, &mut units);
            continue;
        }
        let kind = rest.next()?;
        let (value, scalar) = escape(kind, &mut rest)?;
        match char::from_u32(value as u32) {
            Some(c) if scalar => push(c, wide, &mut units),
            _ => units.push(if wide { value } else { IntTy::CHAR.wrap(value) }),
        }
    }
    Some(units)
}

/// Adds a character: its bytes in UTF-8, or its number if the string is wide.
fn push(c: char, wide: bool, units: &mut Vec<i64>) {
    if wide {
        return units.push(i64::from(u32::from(c)));
    }
    let mut buffer = [0; 4];
    units.extend(c.encode_utf8(&mut buffer).bytes().map(|b| IntTy::CHAR.wrap(i64::from(b))));
}

/// The value of an escape sequence, and true if it is the number of a character.
fn escape(kind: char, rest: &mut std::iter::Peekable<std::str::Chars>) -> Option<(i64, bool)> {
    let value = match kind {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        'x' => return Some((number(rest, 16, usize::MAX, 0)?, false)),
        'u' => return Some((number(rest, 16, 4, 0)?, true)),
        'U' => return Some((number(rest, 16, 8, 0)?, true)),
        '0'..='7' => {
            let first = i64::from(kind.to_digit(8)?);
            return Some((number(rest, 8, 2, first)?, false));
        }
        '\\' | '\'' | '"' | '?' => i64::from(u32::from(kind)),
        _ => return None,
    };
    Some((value, false))
}

/// A number of at most so many digits.
fn number(
    rest: &mut std::iter::Peekable<std::str::Chars>,
    radix: u32,
    most: usize,
    mut value: i64,
) -> Option<i64> {
    let mut count = 0;
    while count < most {
        let Some(digit) = rest.peek().and_then(|c| c.to_digit(radix)) else { break };
        value = value.checked_mul(i64::from(radix))?.checked_add(i64::from(digit))?;
        rest.next();
        count += 1;
    }
    (count > 0 || radix == 8).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_replaced() {
        assert_eq!(character("'\\n'"), Some(10));
        assert_eq!(character("'\\377'"), Some(-1));
        assert_eq!(character("L'\\xff'"), Some(255));
        assert_eq!(character("'ab'"), Some(0x6162));
        let parts = ["\"a\\0\"".to_string(), "\"\\\"b\"".to_string()];
        assert_eq!(string(&parts), Some((vec![97, 0, 34, 98], false)));
        assert_eq!((character("'\\q'"), character("''")), (None, None));
    }

    #[test]
    fn constants_take_the_first_type_that_has_them() {
        let ty = |value, decimal, unsigned| integer_type(value, decimal, false, unsigned);
        assert_eq!(ty(1, true, false), Some(IntTy::INT));
        assert_eq!(ty(0xffff_ffff, true, false), Some(IntTy::LONG));
        assert_eq!(ty(0xffff_ffff, false, false), Some(IntTy::UINT));
        assert_eq!(ty(u64::MAX, true, false), Some(IntTy::ULONG));
        assert_eq!(ty(1, true, true), Some(IntTy::UINT));
    }
}
