//! The language server of Taut: what an editor shows beside a program.
//!
//! [`serve`] speaks the [Language Server Protocol](https://microsoft.github.io/language-server-protocol/), version 3.17, over
//! two streams. It works on the text that the editor has, saved or not. Nothing in a document makes it open a file or start
//! a program: programs are read without [access to files](taut::load::FileAccess::Denied).
//!
//! What an editor sends is data from outside. A message that is none is answered with an error or passed over; a document
//! that is too large is not read; reading has a limit of time; checks and repairs run one at a time on a thread of their own,
//! with limits, and are interrupted when their document changes; a panic ends the request, not the server.
//!
//! | file | idea |
//! | --- | --- |
//! | `transport.rs` | messages in a stream of bytes |
//! | `text.rs` | positions: lines and UTF-16 units |
//! | `document.rs` | an open document and what is known of it |
//! | `messages.rs` | messages of front ends and violations as diagnostics |
//! | `names.rs` | the word at a position, and where it is declared |
//! | `hover.rs` | types, ranges, readers and writers |
//! | `completion.rs` | names that may stand at a position |
//! | `edits.rs` | formatting and fixes |
//! | `lens.rs` | checks and repairs above the text |
//! | `jobs.rs` | checks and repairs |
//! | `server.rs` | the loop |

mod completion;
mod document;
mod edits;
mod hover;
mod jobs;
mod lens;
mod messages;
mod names;
mod server;
mod text;
mod transport;

use std::time::Duration;

pub use server::serve;

/// The limits of the server.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The time of a check or a repair.
    pub time: Duration,
    /// The memory of the process; none for three quarters of what is free.
    pub memory: Option<u64>,
}
