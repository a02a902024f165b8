//! The expressions of `eval`: whole numbers of 64 bits with m4's operators and precedences.

/// What is wrong with an expression.
pub(super) type Why = &'static str;

/// The value of an expression.
pub(super) fn evaluate(text: &str) -> Result<i64, Why> {
    let mut reader = Reader { rest: text, depth: 0 };
    let value = reader.binary(0)?;
    reader.skip_space();
    if reader.rest.is_empty() { Ok(value) } else { Err("is no expression") }
}

/// Levels of parentheses and signs.
const DEEPEST: usize = 100;

const OVERFLOW: Why = "overflows 64 bits";

/// Operators by their precedence, the loosest first. An operator that begins another one comes after it.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["**", "*", "/", "%"],
];

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes one of some operators off the input.
    fn operator(&mut self, level: usize) -> Option<&'static str> {
        self.skip_space();
        let found = LEVELS[level].iter().copied().find(|op| self.rest.starts_with(op))?;
        // `|` is not the first half of `||`, `<` not that of `<<`.
        let longer = LEVELS.iter().flat_map(|all| all.iter());
        let mut longer = longer.filter(|op| op.len() > found.len() && op.starts_with(found));
        if longer.any(|op| self.rest.starts_with(op)) {
            return None;
        }
        self.rest = &self.rest[found.len()..];
        Some(found)
    }

    /// Operators of one level and tighter ones, from left to right.
    fn binary(&mut self, level: usize) -> Result<i64, Why> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(level) {
            // Exponentiation groups from right to left.
            let right =
                if operator == "**" { self.binary(level)? } else { self.binary(level + 1)? };
            left = apply(operator, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Why> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("is nested too deep");
        }
        self.skip_space();
        let first = self.rest.chars().next().ok_or("is no expression")?;
        let value = match first {
            '-' | '+' | '!' | '~' => {
                self.rest = &self.rest[1..];
                let operand = self.unary()?;
                match first {
                    '-' => operand.checked_neg().ok_or(OVERFLOW)?,
                    '!' => i64::from(operand == 0),
                    '~' => !operand,
                    _ => operand,
                }
            }
            '(' => {
                self.rest = &self.rest[1..];
                let value = self.binary(0)?;
                self.skip_space();
                self.rest = self.rest.strip_prefix(')').ok_or("has no closing parenthesis")?;
                value
            }
            _ => self.number()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    /// A number, decimal or with the prefix 0x, 0b or 0.
    fn number(&mut self) -> Result<i64, Why> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        let (digits, base) = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
            [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
            [b'0', _, ..] => (&digits[1..], 8),
            _ => (digits, 10),
        };
        i64::from_str_radix(digits, base).map_err(|_| "is no expression of numbers")
    }
}

fn apply(operator: &str, a: i64, b: i64) -> Result<i64, Why> {
    let truth = |value: bool| Ok(i64::from(value));
    let shift = || u32::try_from(b).map_err(|_| "shifts by a negative number");
    match operator {
        "||" => truth(a != 0 || b != 0),
        "&&" => truth(a != 0 && b != 0),
        "|" => Ok(a | b),
        "^" => Ok(a ^ b),
        "&" => Ok(a & b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<=" => truth(a <= b),
        ">=" => truth(a >= b),
        "<" => truth(a < b),
        ">" => truth(a > b),
        "<<" => a.checked_shl(shift()?).ok_or(OVERFLOW),
        ">>" => a.checked_shr(shift()?).ok_or(OVERFLOW),
        "+" => a.checked_add(b).ok_or(OVERFLOW),
        "-" => a.checked_sub(b).ok_or(OVERFLOW),
        "*" => a.checked_mul(b).ok_or(OVERFLOW),
        "**" => a.checked_pow(u32::try_from(b).map_err(|_| OVERFLOW)?).ok_or(OVERFLOW),
        "/" if b == 0 => Err("divides by zero"),
        "/" => a.checked_div(b).ok_or(OVERFLOW),
        _ if b == 0 => Err("divides by zero"),
        _ => a.checked_rem(b).ok_or(OVERFLOW),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precedences_are_those_of_m4() {
        let cases = [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("7 % 4 - 5", -2),
            ("1 << 3 | 1", 9),
            ("2 ** 3 ** 2", 512),
            ("1 < 2 == 1", 1),
            ("!0 && -1", 1),
            ("0x10 + 010 + 0b11", 27),
            ("((4+9)*(4+7)+42)%27", 23),
        ];
        for (text, value) in cases {
            assert_eq!(evaluate(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        for text in ["", "1 +", "a", "(1", "1)", "1/0", "1%0", "9223372036854775807+1", "1<<-1"] {
            assert!(evaluate(text).is_err(), "{text}");
        }
        assert!(evaluate(&"(".repeat(100_000)).is_err());
        assert!(evaluate(&"-".repeat(100_000)).is_err());
    }
}
