//! The global variables of a program, as C expressions.

use std::collections::BTreeSet;

use taut_ir::{Program, VarId, VarKind};
use taut_witness::State;

use super::text::CText;

/// A location of memory that an expression names.
pub(super) struct Global {
    var: VarId,
    index: u32,
    pub(super) name: String,
}

impl Global {
    pub(super) fn value(&self, state: &State) -> i64 {
        state.memory[self.var.index()][self.index as usize]
    }
}

/// The global variables that have a name in the source and hold numbers; arrays element by element.
pub(super) fn globals(program: &Program, text: Option<&CText>) -> Vec<Global> {
    let mut all = Vec::new();
    for var in program.var_ids().filter(|&v| program.var(v).kind == VarKind::Shared) {
        let variable = program.var(var);
        for index in 0..variable.size() {
            let name = match (program.shown.cell(var, index), variable.len) {
                (Some(shown), _) => shown.to_string(),
                (None, Some(_)) => format!("{}[{index}]", variable.name),
                (None, None) => variable.name.clone(),
            };
            if is_usable(&name, text) {
                all.push(Global { var, index, name });
            }
        }
    }
    all
}

/// Whether a name is that of a variable or an element, and for a C program of one that is declared as a number.
fn is_usable(name: &str, text: Option<&CText>) -> bool {
    let (base, rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    let mut chars = base.chars();
    let is_word = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    let index = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_index = rest.is_empty() || index.is_some_and(|i| i.bytes().all(|b| b.is_ascii_digit()));
    let is_declared = |text: &CText| match rest.is_empty() {
        true => text.numbers.contains(base),
        false => text.arrays.contains(base),
    };
    is_word && is_index && text.is_none_or(is_declared)
}

/// The most values of a variable that are listed one by one.
const MOST_VALUES: usize = 4;

/// The condition that a variable has one of some values.
pub(super) fn one_of(name: &str, values: &BTreeSet<i64>) -> Option<String> {
    let (first, last) = (values.first()?, values.last()?);
    let each = || values.iter().map(|value| format!("{name} == {value}")).collect::<Vec<_>>();
    Some(match values.len() {
        1 => format!("{name} == {first}"),
        2..=MOST_VALUES => format!("({})", each().join(" || ")),
        _ => format!("({first} <= {name} && {name} <= {last})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_a_condition() {
        let of = |values: &[i64]| one_of("x", &values.iter().copied().collect());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[3]).as_deref(), Some("x == 3"));
        assert_eq!(of(&[1, 0]).as_deref(), Some("(x == 0 || x == 1)"));
        assert_eq!(of(&[-1, 0, 1, 2, 7]).as_deref(), Some("(-1 <= x && x <= 7)"));
    }

    #[test]
    fn names_of_the_compiler_are_none_of_the_source() {
        assert!(is_usable("x", None) && is_usable("flag[12]", None));
        for name in ["'over", "x.y", "f:x", "", "a[i]", "(no object)", "1x", "a[0].b"] {
            assert!(!is_usable(name, None), "{name}");
        }
    }
}
