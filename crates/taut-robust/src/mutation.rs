//! Mistakes that can be switched on in tests, to see that the tests find them.
//!
//! The switch is per thread and off unless a test turns it on; outside of tests of this crate it does not exist.

/// A mistake in the rules of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// An event need not come after the delayed store.
    NothingIsAfter,
    /// Loads leave no mark.
    LoadsLeaveNoMark,
    /// A store comes after other stores only.
    StoresFollowStores,
    /// A load comes after another load.
    LoadsFollowLoads,
    /// The later events of a process do not come after its earlier ones.
    NoProgramOrder,
    /// A cycle closes at loads only.
    ClosesAtLoads,
    /// A cycle closes at stores only.
    ClosesAtStores,
    /// The step of the delayed store itself leaves no mark.
    OwnStepLeavesNoMark,
    /// Either all stores of a step are delayed or none.
    AllOrNone,
    /// A process does not come after the step that started it.
    NoStart,
    /// No store of another process is delayed.
    OneDelays,
    /// Code: a load of the same array cannot be delayed past.
    ArraysAreOne,
    /// Code: loads alone can be delayed past.
    StoresStayInOrder,
}

#[cfg(test)]
impl Mutation {
    /// All of them.
    pub(crate) const ALL: [Mutation; 13] = [
        Mutation::NothingIsAfter,
        Mutation::LoadsLeaveNoMark,
        Mutation::StoresFollowStores,
        Mutation::LoadsFollowLoads,
        Mutation::NoProgramOrder,
        Mutation::ClosesAtLoads,
        Mutation::ClosesAtStores,
        Mutation::OwnStepLeavesNoMark,
        Mutation::AllOrNone,
        Mutation::NoStart,
        Mutation::OneDelays,
        Mutation::ArraysAreOne,
        Mutation::StoresStayInOrder,
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
