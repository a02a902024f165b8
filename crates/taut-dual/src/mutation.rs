//! Mistakes that can be switched on in tests, to see that the tests find them.
//!
//! The switch is per thread and off unless a test turns it on; outside of tests of this crate it does not exist.

/// A mistake in the rules of `pre.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// A store is undone though messages about its cell were to be loaded later.
    StoreUnderMessages,
    /// A store is undone though memory must have another value.
    StoreOfAnyValue,
    /// What memory must have is not forgotten before the store.
    StoreKeepsMemory,
    /// No load is of an own store that the word does not speak of.
    NoOwnLoads,
    /// An own entry is always the oldest one.
    OwnIsOldest,
    /// A message is put at the newest end.
    MessageIsNewest,
    /// A fence is undone whatever is in the buffer.
    FenceOfAnyBuffer,
    /// With any number of processes: one that is no member of a crowd never stores what memory must have.
    NoNewProcess,
}

#[cfg(test)]
impl Mutation {
    /// All of them that a fixed number of processes has.
    pub(crate) const ALL: [Mutation; 7] = [
        Mutation::StoreUnderMessages,
        Mutation::StoreOfAnyValue,
        Mutation::StoreKeepsMemory,
        Mutation::NoOwnLoads,
        Mutation::OwnIsOldest,
        Mutation::MessageIsNewest,
        Mutation::FenceOfAnyBuffer,
    ];
}

#[cfg(test)]
pub(crate) use switch::is_on;
#[cfg(test)]
pub(crate) use switch::with;

#[cfg(not(test))]
pub(crate) const fn is_on(_: Mutation) -> bool {
    false
}

#[cfg(test)]
mod switch {
    use super::Mutation;
    use std::cell::Cell;

    thread_local! {
        static ON: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    pub(crate) fn is_on(mutation: Mutation) -> bool {
        ON.get() == Some(mutation)
    }

    /// Makes a mistake while a function runs.
    pub(crate) fn with<T>(mutation: Mutation, f: impl FnOnce() -> T) -> T {
        ON.set(Some(mutation));
        let result = f();
        ON.set(None);
        result
    }
}
