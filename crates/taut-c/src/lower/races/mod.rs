//! Data races: a second program that looks for them.
//!
//! Two accesses to a cell are a *race* if one of them is a store, one of them is plain, and neither happens before the other
//! (C11 5.1.2.4). The second program is the first one and a monitor. It is searched under sequential consistency.
//!
//! One access of a run is chosen and *marked*. From then on one bit per thread says whether the thread comes after
//! the marked access (it *knows*), and one bit per cell whether its value *carries* that knowledge. An access to the
//! marked cell by a thread that does not know is a race. The choice is nondeterministic, so every pair of accesses is looked at;
//! no clocks are needed, and loops need no bound.
//!
//! | operation | knowledge |
//! | --- | --- |
//! | marked access | the thread knows |
//! | release store | the cell carries what the thread knows |
//! | relaxed store | the cell carries what the thread knew at its last release fence, and what its own release sequence there carries |
//! | read-modify-write | the same, and what the cell carried before: release sequences go on |
//! | plain store | the cell carries nothing |
//! | acquire load | the thread learns what the cell carries |
//! | relaxed load | the thread learns it at its next acquire fence |
//! | create, end and join of a thread | the creator tells the thread, the thread tells the joiner |
//! | locks and the like | `__taut_release` and `__taut_acquire` in the runtime |
//!
//! `free` is a plain store to all cells of its object. An object with a marked cell is not freed by a thread that knows: what comes
//! after the next `malloc` is another object.
//!
//! | file | idea |
//! | --- | --- |
//! | `instrument.rs` | knowledge in registers and cells, on the flat program |
//! | `candidates.rs` | accesses that no other thread can race with are not watched |
//! | `emit.rs` | steps that mark, and steps that find a race |

mod candidates;
mod emit;
mod instrument;

pub(crate) use candidates::keep_candidates;
pub(crate) use emit::Watched;
pub(crate) use instrument::{KNOWS, instrument};

use super::access::AccessClass;
use super::mir::Place;

/// What an access is, as it is marked and as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    class: AccessClass,
    write: bool,
}

impl Kind {
    /// All kinds, in the order of their numbers. A `free` is told in words of its own: [`Kind::FREE`].
    const ALL: [Kind; 6] = [
        Kind { class: AccessClass::Plain, write: false },
        Kind { class: AccessClass::Plain, write: true },
        Kind { class: AccessClass::Volatile, write: false },
        Kind { class: AccessClass::Volatile, write: true },
        Kind { class: AccessClass::Atomic, write: false },
        Kind { class: AccessClass::Atomic, write: true },
    ];
    /// The number of a `free`.
    const FREE: i64 = 6;
    /// Numbers per cell.
    const COUNT: i64 = 7;

    fn of(place: &Place, write: bool) -> Kind {
        Kind { class: place.access.class, write }
    }

    fn number(self) -> i64 {
        Kind::ALL.iter().position(|kind| *kind == self).map_or(0, |at| at as i64)
    }

    /// True if two accesses of these kinds to one cell must be ordered.
    fn conflicts(self, other: Kind) -> bool {
        let plain = |kind: Kind| kind.class == AccessClass::Plain;
        (self.write || other.write) && (plain(self) || plain(other))
    }

    /// The words for an access of this kind to a cell.
    fn words(self, cell: &str) -> String {
        let class = match self.class {
            AccessClass::Plain => "plain",
            AccessClass::Volatile => "volatile",
            AccessClass::Atomic => "atomic",
        };
        match self.write {
            true => format!("{class} store to {cell}"),
            false => format!("{class} load of {cell}"),
        }
    }
}
