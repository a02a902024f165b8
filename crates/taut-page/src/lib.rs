//! The page: what a browser gets, what can be asked for, and the words for a job.
//!
//! The page is drawn by one script for two hosts ([`JobHost`]): a server on this machine, or a worker of the browser with
//! the engine in it. A job is the same for both ([`Job`]).
//!
//! | file | idea |
//! | --- | --- |
//! | `page.rs` | document, script and style sheet, each made of small files |
//! | `setup.rs` | what can be asked for |
//! | `job.rs` | a job as whoever runs it reads it |
//! | `book.rs` | chapters of the book that are at hand |
//! | `examples.rs` | programs to begin with |

mod book;
mod examples;
mod job;
mod page;
mod setup;

pub use book::{BOOK, Chapter};
pub use examples::EXAMPLES;
pub use job::Job;
pub use page::{HTML, JobHost, WORKER, script, style};
pub use setup::{Example, Named, NamedChapter, NamedLanguage, Offer, OfferedLimits, Setup};
