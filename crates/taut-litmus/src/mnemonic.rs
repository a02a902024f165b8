//! Instruction names.

use crate::ast::{Binary, Unary};
use crate::flags::{self, Test};

/// What an instruction name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mnemonic {
    Move,
    Binary(Binary),
    Unary(Unary),
    Compare,
    Test,
    Exchange,
    ExchangeAdd,
    CompareExchange,
    Jump(Option<Test>),
    Fence,
    StoreFence,
    Nothing,
    /// The `lock` prefix.
    Lock,
    /// Known, but not modelled; with what to do instead.
    Unsupported(&'static str),
}

/// Names with operands, which may carry a size suffix.
const SIZED: [(&str, Mnemonic); 15] = [
    ("mov", Mnemonic::Move),
    ("add", Mnemonic::Binary(Binary::Add)),
    ("sub", Mnemonic::Binary(Binary::Sub)),
    ("and", Mnemonic::Binary(Binary::And)),
    ("or", Mnemonic::Binary(Binary::Or)),
    ("xor", Mnemonic::Binary(Binary::Xor)),
    ("inc", Mnemonic::Unary(Unary::Inc)),
    ("dec", Mnemonic::Unary(Unary::Dec)),
    ("neg", Mnemonic::Unary(Unary::Neg)),
    ("not", Mnemonic::Unary(Unary::Not)),
    ("cmp", Mnemonic::Compare),
    ("test", Mnemonic::Test),
    ("xchg", Mnemonic::Exchange),
    ("xadd", Mnemonic::ExchangeAdd),
    ("cmpxchg", Mnemonic::CompareExchange),
];

/// Names that are always written in full.
const PLAIN: [(&str, Mnemonic); 7] = [
    ("mfence", Mnemonic::Fence),
    ("sfence", Mnemonic::StoreFence),
    ("lfence", Mnemonic::Nothing),
    ("nop", Mnemonic::Nothing),
    ("pause", Mnemonic::Nothing),
    ("lock", Mnemonic::Lock),
    ("jmp", Mnemonic::Jump(None)),
];

/// Names that other tools know, and what to do instead.
const UNSUPPORTED: [(&[&str], &str); 5] = [
    (&["movnti", "movntiq", "movntil"], "only ordinary stores are modelled: use `mov`"),
    (
        &["clflush", "clflushopt", "clwb"],
        "caches are not modelled: leave it out, or order accesses with `mfence` or `sfence`",
    ),
    (&["cmovc", "setnb"], "use a conditional jump and `mov`"),
    (&["shl", "shr", "sal", "sar", "mul", "imul", "lea"], "use `add`"),
    (
        &["ret", "call", "movsd", "movt", "uxch"],
        "a thread is straight code with jumps: it ends after its last instruction",
    ),
];

/// The longest name in the tables, with a suffix.
const LONGEST: usize = 10;

/// The instruction with a name, written all in lower or all in upper case.
pub(crate) fn find(name: &str) -> Option<Mnemonic> {
    if name.len() > LONGEST || !name.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    if !name.bytes().all(|b| b.is_ascii_uppercase()) {
        return find_lower(name);
    }
    let mut buffer = [0_u8; LONGEST];
    let lower = &mut buffer[..name.len()];
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    find_lower(std::str::from_utf8(lower).ok()?)
}

fn find_lower(name: &str) -> Option<Mnemonic> {
    let named = |name: &str| SIZED.iter().find(|(n, _)| *n == name).map(|(_, m)| *m);
    let unsuffixed = || named(name.strip_suffix(['b', 'w', 'l', 'q'])?);
    let plain = || PLAIN.iter().find(|(n, _)| *n == name).map(|(_, m)| *m);
    let jump = || flags::test(name.strip_prefix('j')?).map(|test| Mnemonic::Jump(Some(test)));
    let unsupported = || {
        let (_, instead) = UNSUPPORTED.iter().find(|(names, _)| names.contains(&name))?;
        Some(Mnemonic::Unsupported(instead))
    };
    named(name).or_else(unsuffixed).or_else(plain).or_else(jump).or_else(unsupported)
}

/// A known name that a misspelt one is close to.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(&lower);
    let known = SIZED.iter().chain(&PLAIN).map(|(n, _)| *n);
    let distance = |n: &str| edits(&lower, n).min(edits(bare, n));
    known.map(|n| (distance(n), n)).min().filter(|&(d, n)| d * 3 <= n.len()).map(|(_, n)| n)
}

/// How many letters must be inserted, removed or replaced to make one word of another.
fn edits(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > 3 {
        return usize::MAX / 4;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_and_case() {
        assert_eq!(find("movq"), Some(Mnemonic::Move));
        assert_eq!(find("MOV"), Some(Mnemonic::Move));
        assert_eq!(find("Mov"), None);
        assert_eq!(find("sub"), Some(Mnemonic::Binary(Binary::Sub)));
        assert_eq!(find("subl"), find("sub"));
        assert_eq!(find("CMPXCHGQ"), Some(Mnemonic::CompareExchange));
        assert_eq!(find("mfenceq"), None);
        assert_eq!(find("jle"), Some(Mnemonic::Jump(flags::test("le"))));
        assert_eq!(find("x"), None);
    }

    #[test]
    fn near_misses() {
        assert_eq!(nearest("moov"), Some("mov"));
        assert_eq!(nearest("mfense"), Some("mfence"));
        assert_eq!(nearest("elephant"), None);
    }
}
