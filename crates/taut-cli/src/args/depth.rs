//! Bounds on rounds and on ages, as they are typed.

use taut::rounds::MOST_ROUNDS;

/// A bound on rounds or on ages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// This one.
    Given(u32),
    /// 0, 1, 2, and so on.
    Auto,
}

/// Reads a bound that may be `auto`.
pub fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "auto" => Ok(Depth::Auto),
        _ => number(text).map(Depth::Given),
    }
}

/// Reads a bound.
pub fn number(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(k) if k <= MOST_ROUNDS => Ok(k),
        Ok(_) => Err(format!("{MOST_ROUNDS} is the largest bound")),
        Err(_) => Err("a bound is a number".into()),
    }
}
