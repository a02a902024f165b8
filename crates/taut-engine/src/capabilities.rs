//! What an engine can do, as data: everything outside of an engine that depends on it asks here, not for its name.

use taut_ir::MemoryModel;

/// What an engine can do, whatever the program.
///
/// Where something is not possible, a sentence for the user says so. It names the option to leave out.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// Whether the engine is for a memory model.
    pub models: fn(MemoryModel) -> bool,
    /// For an engine that is asked about one memory model at a time: the usual one, and the sentence that refuses others.
    pub only_model: Option<(MemoryModel, &'static str)>,
    /// Which bounds on buffers can be chosen.
    pub bounds: Bounds,
    /// The sentence that refuses a full buffer as an error ([`taut_ir::FullBuffer::Error`]), if buffers are never full.
    pub never_full: Option<&'static str>,
    /// The sentence that says why deadlocks are not answered, if they are not.
    pub no_deadlock: Option<&'static str>,
    /// The sentence that refuses another store than the usual one, if states are not kept one by one.
    pub no_store: Option<&'static str>,
    /// The sentence that refuses checkpoints, if searches cannot go on later.
    pub no_checkpoints: Option<&'static str>,
    /// Whether the engine answers for every number of processes ([`taut_ir::replicated`]), and for nothing else.
    pub any_number: bool,
    /// Whether several threads can search.
    pub threads: bool,
    /// Whether a search can end as soon as a buffer is full ([`taut_explicit::SearchOptions::must_fit`]).
    pub must_fit: bool,
    /// Whether a search may not get to its first answer without a limit on states, so that it needs turns even if no
    /// other search waits.
    pub needs_turns: bool,
    /// The engine's share in the automatic choice, if it takes part: as an engine whose answers have no bound.
    pub share: Option<Share>,
}

impl Capabilities {
    /// Everything that the explicit search can do. Other engines take away from it.
    pub const ALL: Capabilities = Capabilities {
        models: |_| true,
        only_model: None,
        bounds: Bounds::Any,
        never_full: None,
        no_deadlock: None,
        no_store: None,
        no_checkpoints: None,
        any_number: false,
        threads: true,
        must_fit: true,
        needs_turns: false,
        share: None,
    };

    /// Those of an engine that keeps no states one by one: one thread, no choice of a store, no checkpoints, no search
    /// that ends at a full buffer.
    #[must_use]
    pub const fn without_stores(mut self, stores: &'static str, checkpoints: &'static str) -> Self {
        self.no_store = Some(stores);
        self.no_checkpoints = Some(checkpoints);
        self.threads = false;
        self.must_fit = false;
        self
    }

    /// Those of an engine whose buffers have no bound: the bounds that can be chosen, and the sentence that refuses a full
    /// buffer.
    #[must_use]
    pub const fn without_bound(mut self, bounds: Bounds, never_full: &'static str) -> Self {
        self.bounds = bounds;
        self.never_full = Some(never_full);
        self.must_fit = false;
        self
    }

    /// Those of an engine for some memory models.
    #[must_use]
    pub const fn under(mut self, models: fn(MemoryModel) -> bool) -> Self {
        self.models = models;
        self
    }

    /// Those of an engine that is asked about one memory model at a time: the usual one, and the sentence that refuses others.
    #[must_use]
    pub const fn only(mut self, model: MemoryModel, refusal: &'static str) -> Self {
        self.only_model = Some((model, refusal));
        self
    }

    /// Those of an engine that does not answer about deadlocks, with the reason.
    #[must_use]
    pub const fn without_deadlock(mut self, reason: &'static str) -> Self {
        self.no_deadlock = Some(reason);
        self
    }

    /// Those of an engine that answers for every number of processes.
    #[must_use]
    pub const fn any_number(mut self) -> Self {
        self.any_number = true;
        self
    }

    /// Those of an engine that needs turns.
    #[must_use]
    pub const fn in_turns(mut self) -> Self {
        self.needs_turns = true;
        self
    }

    /// Those of an engine that takes part in the automatic choice.
    #[must_use]
    pub const fn sharing(mut self, share: Share) -> Self {
        self.share = Some(share);
        self
    }
}

/// Which bounds on buffers can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bounds {
    /// Any, and none.
    Any,
    /// None: the sentence refuses a number.
    Unbounded(&'static str),
    /// There is no choice: the sentence refuses a number and `none`.
    Fixed(&'static str),
}

impl Bounds {
    /// The sentence that refuses a bound which was asked for; inside, `None` for buffers without a bound.
    pub fn refusal(self, asked: Option<Option<u32>>) -> Option<&'static str> {
        match (self, asked?) {
            (Bounds::Any, _) | (Bounds::Unbounded(_), None) => None,
            (Bounds::Unbounded(refusal), Some(_)) | (Bounds::Fixed(refusal), _) => Some(refusal),
        }
    }
}

/// The share of an engine in the automatic choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Explicit states that one of the engine's states is worth: budgets are divided by this.
    pub price: u64,
    /// States that are spent before another engine's answer up to a bound has to do.
    pub most: u64,
}
