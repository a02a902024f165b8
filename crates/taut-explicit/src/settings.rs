//! Options of a search: the order, the states that may be left out, the store, the limits.

use std::path::PathBuf;

use taut_ir::Finding;

use crate::limits::Limits;

/// Which states may be left out because they cannot matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduce {
    /// Every reachable state is visited.
    #[default]
    None,
    /// Orders of independent actions are not told apart ([`crate::reduce`]).
    Por,
    /// That, and everything else that changes no verdict.
    All,
}

impl Reduce {
    /// The word for it in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Reduce::None => "none",
            Reduce::Por => "por",
            Reduce::All => "all",
        }
    }

    /// Whether independent actions are followed in one order only.
    pub fn por(self) -> bool {
        self != Reduce::None
    }

    /// Whether everything that changes no verdict is left out.
    pub fn all(self) -> bool {
        self == Reduce::All
    }
}

/// How states are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// Whole, as packed words.
    #[default]
    Exact,
    /// Whole, as trees whose parts are shared.
    Tree,
    /// As hashes: two states with one hash are taken for one.
    Compact,
    /// As a few bits of one large field: a state whose bits are all set is taken for a known one.
    Bitstate,
    /// Whole, in sorted files ([`crate::disk`]).
    Disk,
}

impl StoreKind {
    /// The word for it in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            StoreKind::Exact => "exact",
            StoreKind::Tree => "tree",
            StoreKind::Compact => "compact",
            StoreKind::Bitstate => "bitstate",
            StoreKind::Disk => "disk",
        }
    }

    /// Whether a state can be taken for another, so that some may be missed.
    pub fn is_lossy(self) -> bool {
        matches!(self, StoreKind::Compact | StoreKind::Bitstate)
    }
}

/// In which order states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Breadth first: the run to each finding is a shortest one, where what a process does while it holds
    /// the others counts once.
    #[default]
    Bfs,
    /// Depth first.
    Dfs,
}

/// Where and how far states may be kept in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskOptions {
    /// The directory; none for the system's directory of temporary files.
    pub directory: Option<PathBuf>,
    /// Bytes in files, at most.
    pub most: Option<u64>,
    /// Bytes for tables and buffers; none for three quarters of what the limit on memory leaves.
    pub memory: Option<u64>,
}

impl DiskOptions {
    /// The directory of the files.
    pub fn directory(&self) -> PathBuf {
        self.directory.clone().unwrap_or_else(std::env::temp_dir)
    }
}

/// What to look for and how far to go.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The order of the search.
    pub order: Order,
    /// Go on after the first finding until the first of every kind that is asked for and can occur is found. If
    /// nothing is asked for, every state is visited.
    pub all: bool,
    /// Visit every state, whatever is found: for who wants the counts.
    pub whole: bool,
    /// Look for deadlocks.
    pub deadlock: bool,
    /// What is not asked: such findings are passed over and end no search. Of faults, one stands for all.
    pub unasked: Vec<Finding>,
    /// End as soon as a spawn finds no process to start ([`crate::Completion::NoProcess`]), instead of taking
    /// that for a bound of the model.
    pub spawn_all: bool,
    /// End as soon as a store meets a full buffer ([`crate::Completion::BufferFull`]), instead of taking that for a
    /// bound of the model.
    pub must_fit: bool,
    /// Which states may be left out.
    pub reduce: Reduce,
    /// Whether states with one action to follow are passed through, not stored; none for [`Reduce::Por`] only. With
    /// [`Reduce::All`] local steps take no states anyway.
    pub passing: Option<bool>,
    /// How states are kept. [`StoreKind::Disk`] searches breadth first, by one thread.
    pub store: StoreKind,
    /// Where and how far states may be kept in files, with [`StoreKind::Disk`].
    pub disk: DiskOptions,
    /// How many threads search breadth first, at least one; depth first there is always one.
    pub threads: usize,
    /// How far to go.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            order: Order::Bfs,
            all: false,
            whole: false,
            deadlock: true,
            unasked: Vec::new(),
            spawn_all: false,
            must_fit: false,
            reduce: Reduce::None,
            passing: None,
            store: StoreKind::Exact,
            disk: DiskOptions::default(),
            threads: 1,
            limits: Limits::default(),
        }
    }
}

impl SearchOptions {
    /// Whether states with one action to follow are passed through.
    pub fn passes(&self) -> bool {
        self.passing.unwrap_or(self.reduce == Reduce::Por)
    }

    /// Whether a finding is passed over.
    pub fn is_unasked(&self, finding: Finding) -> bool {
        self.unasked.iter().any(|unasked| unasked.same_kind(finding))
    }
}
