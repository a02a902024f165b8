//! How states are kept and which of them may be left out.

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
