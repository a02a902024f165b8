//! Sets of macros that a token must not be replaced by again.
//!
//! These are the *hide sets* of Prosser's algorithm, which the standard's text was made from: a token that comes out of
//! the replacement of a macro hides it. Sets are kept once each, and unions, intersections and additions are remembered.

use std::collections::HashMap;
use std::sync::Arc;

use super::token::Symbol;

/// The largest number of names in all sets together. Programs have a few dozen; a chain of ten thousand
/// macros, each of which is the next one, would take fifty million.
const MOST_NAMES: usize = 1 << 21;

/// A set, by its number in [`HideSets`]; 0 is the empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Hide(u32);

/// All sets that occur.
#[derive(Debug)]
pub(crate) struct HideSets {
    /// Names in order.
    sets: Vec<Arc<[Symbol]>>,
    numbers: HashMap<Arc<[Symbol]>, Hide>,
    with: HashMap<(Hide, Symbol), Hide>,
    unions: HashMap<(Hide, Hide), Hide>,
    /// Number of names in all sets.
    names: usize,
}

impl HideSets {
    pub(crate) fn new() -> HideSets {
        let empty: Arc<[Symbol]> = Arc::new([]);
        HideSets {
            sets: vec![empty.clone()],
            numbers: HashMap::from([(empty, Hide(0))]),
            with: HashMap::new(),
            unions: HashMap::new(),
            names: 0,
        }
    }

    /// Whether there are too many names.
    pub(crate) fn is_full(&self) -> bool {
        self.names > MOST_NAMES
    }

    /// Whether a set has a name.
    pub(crate) fn contains(&self, set: Hide, name: Symbol) -> bool {
        set.0 != 0 && self.sets[set.0 as usize].binary_search(&name).is_ok()
    }

    /// A set with one name more.
    pub(crate) fn with(&mut self, set: Hide, name: Symbol) -> Hide {
        if let Some(found) = self.with.get(&(set, name)) {
            return *found;
        }
        let mut names = self.sets[set.0 as usize].to_vec();
        if let Err(at) = names.binary_search(&name) {
            names.insert(at, name);
        }
        let found = self.number(names);
        self.with.insert((set, name), found);
        found
    }

    /// The names of either set.
    pub(crate) fn union(&mut self, a: Hide, b: Hide) -> Hide {
        if a == b || b.0 == 0 {
            return a;
        }
        if a.0 == 0 {
            return b;
        }
        if let Some(found) = self.unions.get(&(a, b)) {
            return *found;
        }
        let mut names = self.sets[a.0 as usize].to_vec();
        names.extend_from_slice(&self.sets[b.0 as usize]);
        names.sort_unstable();
        names.dedup();
        let found = self.number(names);
        self.unions.insert((a, b), found);
        found
    }

    /// The names of both sets.
    pub(crate) fn intersection(&mut self, a: Hide, b: Hide) -> Hide {
        if a == b {
            return a;
        }
        if a.0 == 0 || b.0 == 0 {
            return Hide(0);
        }
        let (a, b) = (self.sets[a.0 as usize].clone(), self.sets[b.0 as usize].clone());
        let both = a.iter().copied().filter(|name| b.binary_search(name).is_ok());
        self.number(both.collect())
    }

    fn number(&mut self, names: Vec<Symbol>) -> Hide {
        debug_assert!(names.is_sorted(), "names out of order");
        let names: Arc<[Symbol]> = names.into();
        if let Some(found) = self.numbers.get(&names) {
            return *found;
        }
        self.names += names.len();
        let found = Hide(self.sets.len() as u32);
        self.sets.push(names.clone());
        self.numbers.insert(names, found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_equal_numbers() {
        let (mut sets, [a, b]) = (HideSets::new(), [Symbol(3), Symbol(1)]);
        let (none, just_a) = (Hide::default(), sets.with(Hide::default(), a));
        let just_b = sets.with(none, b);
        let both = sets.with(just_a, b);
        assert_eq!(sets.with(just_b, a), both);
        assert_eq!(sets.union(just_a, just_b), both);
        assert_eq!(sets.intersection(both, just_b), just_b);
        assert_eq!(sets.intersection(just_a, just_b), none);
        assert!(sets.contains(both, a) && !sets.contains(just_b, a));
    }
}
