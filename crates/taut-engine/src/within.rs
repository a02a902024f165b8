//! Scopes: the runs that a search looked at, where it looked at some only.

use std::fmt;

/// A set of runs that grows with a number `k`. Each engine has its own kinds.
#[derive(Clone, Copy)]
pub struct Within {
    kind: &'static WithinKind,
    k: u32,
}

/// A kind of scope, with its words.
#[derive(Debug)]
pub struct WithinKind {
    /// A name that no other kind has.
    pub name: &'static str,
    /// The scope in a few words, such as "3 rounds".
    pub short: fn(u32) -> String,
    /// The scope as it stands in a coverage.
    pub long: fn(u32) -> String,
}

impl Within {
    /// The scope of a kind with this `k`.
    pub const fn new(kind: &'static WithinKind, k: u32) -> Within {
        Within { kind, k }
    }

    /// The name of its kind.
    pub fn kind(self) -> &'static str {
        self.kind.name
    }

    /// The number.
    pub fn k(self) -> u32 {
        self.k
    }

    /// The words for a coverage: all that a reader needs to know which runs are meant.
    pub fn long(self) -> String {
        (self.kind.long)(self.k)
    }
}

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.kind.short)(self.k))
    }
}

impl fmt::Debug for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.kind.name, self.k)
    }
}

/// Scopes are equal if their kinds have the same name: addresses of tables say nothing.
impl PartialEq for Within {
    fn eq(&self, other: &Within) -> bool {
        (self.kind.name, self.k) == (other.kind.name, other.k)
    }
}

impl Eq for Within {}
