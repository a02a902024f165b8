//! Guards as text, for the formats.

use crate::guard::{Cube, Guard, bits};

/// The signs of a format, and how it writes an atom.
pub(crate) struct Signs<'a> {
    pub yes: &'a str,
    pub not: &'a str,
    pub and: &'a str,
    pub or: &'a str,
    pub atom: &'a dyn Fn(u32) -> String,
}

impl Signs<'_> {
    /// A guard; of several cubes each is in parentheses.
    pub fn guard(&self, guard: &Guard) -> String {
        match &guard.cubes[..] {
            [] => format!("{}{}", self.not, self.yes),
            [cube] => self.cube(*cube),
            cubes => {
                let cube = |cube: &Cube| match cube.literals() {
                    0 | 1 => self.cube(*cube),
                    _ => format!("({})", self.cube(*cube)),
                };
                cubes.iter().map(cube).collect::<Vec<_>>().join(self.or)
            }
        }
    }

    fn cube(&self, cube: Cube) -> String {
        if cube.literals() == 0 {
            return self.yes.to_string();
        }
        let literal = |atom: u32| {
            let not = if cube.no >> atom & 1 == 1 { self.not } else { "" };
            format!("{not}{}", (self.atom)(atom))
        };
        bits(cube.yes | cube.no).map(literal).collect::<Vec<_>>().join(self.and)
    }
}

/// The text of an atom, or `a` and its number.
pub(crate) fn name(names: &[String], atom: u32) -> String {
    names.get(atom as usize).cloned().unwrap_or_else(|| format!("a{atom}"))
}
