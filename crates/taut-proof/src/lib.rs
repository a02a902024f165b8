//! Certificates: the evidence for a `holds`, in a file that a second program checks.
//!
//! A certificate ([`Certificate`]) is a line with a magic word, a [`Header`] in JSON, and one body per [`Claim`]. The
//! header says of which text, read how, and what is claimed under which memory model. The body is the evidence. `taut`
//! writes certificates and `taut-certify` checks them; this crate is what both agree on, and nothing else.
//!
//! Reading trusts nothing. Each number is compared with the program before it is used, and no memory is reserved that
//! the file does not pay for with its bytes.
//!
//! | file | idea |
//! | --- | --- |
//! | `header.rs` | what is claimed, in JSON |
//! | `file.rs` | the file as a whole |
//! | `bytes.rs` | numbers of variable length |
//! | `parts.rs` | the parts of a state as bytes: processes one by one, and what they share |
//! | `constraints.rs` | sets of states of the load-buffer semantics |
//! | `repair.rs` | the places of a repair, and runs that show that nothing cheaper is enough |
//! | `rows.rs` | a sorted list of states, as rows of numbers of parts |
//! | `interner.rs` | the same while it grows |
//! | `bodies.rs` | what bodies have beside states: automata, nodes |

mod bodies;
mod bytes;
mod constraints;
mod file;
mod header;
mod interner;
mod parts;
mod proven;
mod repair;
mod rows;

use std::fmt;

pub use bodies::{BufferAutomaton, Letter, Nodes, SymbolicStates};
pub use bytes::{Reader, Writer};
pub use constraints::{Basis, Constraint, Entry};
pub use file::{Certificate, MAGIC};
pub use header::{Claim, Cut, Evidence, Header, Include, Outside, Text, VERSION, sha256};
pub use interner::Interner;
pub use parts::{Part, Parts};
pub use proven::{Kind, Proven};
pub use repair::{BrokenRun, Event, FenceKind, Repair};
pub use rows::{Rows, sort_groups};

/// What is wrong with bytes that should be a certificate, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged(pub String);

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Damaged {}

impl From<&str> for Damaged {
    fn from(why: &str) -> Damaged {
        Damaged(why.into())
    }
}
