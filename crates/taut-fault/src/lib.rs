//! Faults of engines that tests can switch on, one at a time, to see that they are found.
//!
//! An engine asks [`is_on`] at the place where it would go wrong. Without the feature `switch`, which only tests enable, that
//! is a constant, and the compiler removes the question. With it, the switch belongs to a thread, so that
//! tests that run at the same time in one process do not disturb each other. A search that starts threads hands its
//! own switch to each of them ([`current`]).
//!
//! The list of faults is one list for all engines. What a fault does is written at its place, where it is asked for.

/// Defines the faults, in groups.
macro_rules! faults {
    ($($(#[$about:meta])* $group:ident { $($(#[$doc:meta])* $name:ident,)* })*) => {
        /// What a fault is a fault of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Group {
            $($(#[$about])* $group,)*
        }

        /// A fault of an engine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault {
            $($($(#[$doc])* $name,)*)*
        }

        impl Fault {
            /// All of them.
            pub const ALL: &'static [Fault] = &[$($(Fault::$name,)*)*];

            /// What it is a fault of.
            pub const fn group(self) -> Group {
                match self {
                    $($(Fault::$name)|* => Group::$group,)*
                }
            }
        }
    };
}

faults! {
    /// Stubborn sets, and the rule against putting an action off for ever.
    StubbornSets {
        /// A process that may still read what is written does not come in.
        ReadersStayOut,
        /// A process that may still write at once what is touched does not come in.
        WritersStayOut,
        /// A process that may still store to what is touched does not come in.
        StoringStaysOut,
        /// A store that waits for what is touched is not kept from being committed.
        CommitsStayOut,
        /// Visible actions may change their order.
        VisibleIsInvisible,
        /// A step into an atomic section depends on nothing else.
        AtomicIsOrdinary,
        /// A state that is expanded in part may lead back only.
        NoProviso,
        /// Every program is one without loops.
        LoopsAreNone,
        /// A state is passed through by an action that a question can tell.
        SeenIsPassed,
        /// A state is passed through by an action with several outcomes: only the last one is followed.
        OutcomesArePassed,
        /// A state is passed through whose set has several actions: only the last outcome is followed.
        ChoicesArePassed,
        /// What goes wrong in an action that is passed through is not told.
        PassedIsRight,
        /// A state is passed through in which the action meets a bound.
        BoundsArePassed,
        /// For runs: a step that closes a loop of the code may be left alone in a set.
        LoopsStayInPart,
        /// For runs: a visible action may be alone in a set.
        SeenStaysInPart,
    }
    /// Processes that can change places.
    Symmetry {
        /// Processes that were given different arguments are equal.
        ArgumentsAreAlike,
        /// Processes that the question tells apart are equal.
        QuestionsAreAlike,
        /// Processes that a step names are equal.
        NamesAreAlike,
        /// Of two processes that change places, only the program points do.
        PointsChangeAlone,
    }
    /// The simpler program that is searched instead of the given one.
    Simplification {
        /// What a guard reads is not needed.
        GuardsNeedNothing,
        /// What is read in a later round of a loop is dead.
        LoopsKeepNothing,
        /// A step that reads what others write concerns nobody else.
        ReadsAreLocal,
        /// A step that changes what is asked concerns nobody else.
        ChangesAreLocal,
    }
    /// The set of states.
    Store {
        /// A state whose slot is taken is a known one.
        CollisionsAreKnown,
    }
    /// The memory system and the machine.
    Memory {
        /// Under TSO, stores reach memory at once.
        StoresAreImmediate,
        /// Under TSO, a load sees the oldest of its own stores that wait.
        OldestIsLoaded,
        /// Under TSO, a load does not see its own stores that wait.
        OwnStoresAreUnseen,
    }
    /// Fairness.
    Fairness {
        /// A process that cannot move has to, nevertheless.
        DisabledMustMove,
        /// The step of a process does not count for it.
        MovesDoNotCount,
        /// An empty buffer has to commit, nevertheless.
        EmptyMustCommit,
        /// A commit does not count for its buffer.
        CommitsDoNotCount,
    }
    /// Acceptance: the search for a cycle.
    Acceptance {
        /// The marks of transitions between components that become one are lost.
        BetweenIsLost,
        /// The marks inside of components that become one are lost.
        InsideIsLost,
        /// In the nested search, an accepting node is left like any other one.
        AcceptingIsOrdinary,
    }
    /// Inclusion of languages.
    Inclusion {
        /// Every state of the larger automaton accepts.
        PrefixesAreWords,
        /// An edge that the larger automaton lacks is no reason.
        EdgesDoNotMatter,
    }
    /// Acceleration of loops.
    Acceleration {
        /// At least one round is made.
        AtLeastOneRound,
        /// What was in the buffer before the rounds is lost.
        OnlyRounds,
    }
    /// Splitting, commits and independence of sets of buffers.
    Sets {
        /// A load never sees memory if it may see a store.
        MemoryIsUnseen,
        /// A buffer that may hold something is never empty.
        NeverDrained,
        /// Of the stores that may be the oldest one, only one is committed.
        OneIsOldest,
        /// A step that reads what another one writes is independent of it.
        ReadsAreIndependent,
        /// What is asleep stays asleep in a state that has grown.
        GrownStaysAsleep,
    }
    /// The rules of the backward search (`pre`).
    Pre {
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
        /// No message is undone.
        NoPropagation,
        /// With any number of processes: one that is no member of a crowd never stores what memory must have.
        NoNewProcess,
    }
    /// The order of constraints in the backward search.
    Subsumption {
        /// A constraint includes another one whatever their words are.
        WordsDoNotMatter,
    }
    /// Robustness.
    Robustness {
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
    /// Steps that are looked up, of which the checker of certificates believes that they are right.
    Lookup {
        /// An answer does not depend on memory.
        MemoryIsNotAsked,
        /// An answer does not depend on other processes.
        OthersAreNotAsked,
        /// An answer does not depend on channels.
        ChannelsAreNotAsked,
        /// What one process does, each of its definition does.
        ProcessesAreOne,
        /// A rendezvous is one with any receiver.
        ReceiversAreOne,
        /// Memory stays as it was.
        PatchesAreLost,
        /// A change of memory is kept for all memories.
        PatchesAreOne,
        /// Only the first move of an answer is kept.
        OneMoveIsKept,
        /// What goes wrong in a step that is looked up is not told.
        LookedUpIsRight,
        /// A bound that is met in a step that is looked up is not told.
        LookedUpIsUnbounded,
        /// A process at an atomic program point lets others move.
        AtomicLetsMove,
        /// The truth of an expression does not depend on memory.
        TruthsForgetMemory,
        /// The truth of an expression does not depend on processes.
        TruthsForgetProcesses,
    }
}

#[cfg(not(feature = "switch"))]
mod switch {
    use super::Fault;

    /// Whether a fault is on: never.
    #[inline(always)]
    pub const fn is_on(_: Fault) -> bool {
        false
    }

    /// The switch of a thread, to be handed to another one.
    #[derive(Clone, Copy, Debug)]
    pub struct Current;

    /// The switch of this thread.
    #[inline(always)]
    pub const fn current() -> Current {
        Current
    }

    impl Current {
        /// Runs a function with this switch.
        #[inline(always)]
        pub fn during<T>(self, f: impl FnOnce() -> T) -> T {
            f()
        }
    }
}

#[cfg(feature = "switch")]
mod switch {
    use super::Fault;
    use std::cell::Cell;

    thread_local! {
        static ON: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Whether a fault is on in this thread.
    #[inline]
    pub fn is_on(fault: Fault) -> bool {
        ON.get() == Some(fault)
    }

    /// The switch of a thread, to be handed to another one.
    #[derive(Clone, Copy, Debug)]
    pub struct Current(Option<Fault>);

    /// The switch of this thread.
    pub fn current() -> Current {
        Current(ON.get())
    }

    impl Current {
        /// Runs a function with this switch. The thread has its own one again afterwards, also if the function panics.
        pub fn during<T>(self, f: impl FnOnce() -> T) -> T {
            let _before = Before(ON.replace(self.0));
            f()
        }
    }

    /// The switch as it was.
    struct Before(Option<Fault>);

    impl Drop for Before {
        fn drop(&mut self) {
            ON.set(self.0);
        }
    }

    /// Makes a fault while a function runs.
    pub fn with<T>(fault: Fault, f: impl FnOnce() -> T) -> T {
        Current(Some(fault)).during(f)
    }
}

#[cfg(feature = "switch")]
pub use switch::with;
pub use switch::{Current, current, is_on};

#[cfg(all(test, feature = "switch"))]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_on_in_its_thread_only_and_while_its_function_runs() {
        let fault = Fault::NoProviso;
        with(fault, || {
            assert!(is_on(fault) && !is_on(Fault::NoOwnLoads));
            let own = current();
            let (without, handed) = std::thread::scope(|scope| {
                let without = scope.spawn(|| is_on(fault));
                let handed = scope.spawn(move || own.during(|| is_on(fault)));
                (without.join().expect("a thread"), handed.join().expect("a thread"))
            });
            assert!(!without && handed);
        });
        let panic = std::panic::catch_unwind(|| with(fault, || panic!("on purpose")));
        assert!(panic.is_err() && !is_on(fault));
    }

    #[test]
    fn every_fault_is_listed_once() {
        let mut all = Fault::ALL.to_vec();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), Fault::ALL.len());
        assert_eq!(Fault::NoOwnLoads.group(), Group::Pre);
    }
}
