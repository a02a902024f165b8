//! The kind of an access, as the standard's *happens before* has it (C11 5.1.2.4).
//!
//! The program model does not tell plain accesses from relaxed ones. The search for data races does ([`super::races`]),
//! so each place of the flat program says how it is accessed.

/// The kind of an access to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// What the text calls it.
    pub class: AccessClass,
    /// A load learns what the thread that stored the value knew.
    pub acquire: bool,
    /// A store tells what its thread knows.
    pub release: bool,
    /// Never a part of a race: bookkeeping, and the code of library functions.
    pub silent: bool,
}

/// What the text calls an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessClass {
    /// Compilers may move, merge and drop it.
    Plain,
    /// Compilers leave it where it is, but it is not atomic.
    Volatile,
    Atomic,
}

impl Access {
    pub(crate) const PLAIN: Access = Access::new(AccessClass::Plain, false, false);
    pub(crate) const VOLATILE: Access = Access::new(AccessClass::Volatile, false, false);
    pub(crate) const SEQ_CST: Access = Access::new(AccessClass::Atomic, true, true);
    /// An access that neither races nor orders anything.
    pub(crate) const SILENT: Access = Access { silent: true, ..Access::PLAIN };

    const fn new(class: AccessClass, acquire: bool, release: bool) -> Access {
        Access { class, acquire, release, silent: false }
    }

    /// An atomic access with a memory order of C, as its number.
    pub(crate) fn ordered(order: i64) -> Access {
        let (acquire, release) = match order {
            0 => (false, false),
            1 | 2 => (true, false),
            3 => (false, true),
            _ => (true, true),
        };
        Access::new(AccessClass::Atomic, acquire, release)
    }

    pub(crate) fn is_plain(self) -> bool {
        self.class == AccessClass::Plain
    }

    /// The same in the code of a library function, if it is one.
    pub(crate) fn silent_if(self, silent: bool) -> Access {
        Access { silent: self.silent || silent, ..self }
    }
}
