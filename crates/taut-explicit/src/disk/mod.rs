//! Breadth-first search with the states in sorted files: for models whose states do not fit the memory.
//!
//! Looking a single state up in a file takes a random access to the disk, which is thousands of times slower than to
//! memory. So duplicates are not detected at once but many together, by sorting and merging (*delayed duplicate
//! detection*; Stern and Dill, "Using magnetic disk instead of main memory in the Murφ verifier", CAV 1998; Korf, "Delayed
//! duplicate detection", IJCAI 2003; Edelkamp and Schrödl, *Heuristic Search*, 2012, chapter 8). All access to files is
//! sequential: whole blocks, from the start to the end of a file, with blocks left out that cannot matter.
//!
//! | file | idea |
//! | --- | --- |
//! | `search.rs` | the search, level by level |
//! | `store.rs` | the states: in memory, pending, in files |
//! | `table.rs` | the states in memory |
//! | `run.rs`, `code.rs` | a sorted file of states, and the bytes of a state in it |
//! | `runs.rs`, `filter.rs` | all sorted files, merged now and then; states that are in none of them |
//! | `spool.rs` | a queue: the states of a level |
//! | `log.rs` | how each state was found, in about a byte |
//! | `halves.rs` | states that were expanded in part |
//! | `blocks.rs`, `files.rs` | blocks with checksums, in files without names |
//! | `../sizes.rs`, `../limits/trouble.rs` | the memory that is used; what can go wrong |
//!
//! DIVERGENCE from the papers: they keep the successors of a level in the order of their words, and look nothing up
//! in memory. Here
//!
//! - **recent states stay in memory** as a cache (`store.rs`). Most successors that are not new were found not long ago;
//! - **a filter in memory** knows that most of the others are new (`filter.rs`). What is left is looked up in files: of
//!   Peterson's lock for four processes, one state in six that are not in memory;
//! - **small levels are cheap.** Files have an index, by which blocks are left out that have none of the states which are
//!   looked up. Until the memory is full for the first time there is no file at all;
//! - **the order is that of a search in memory.** States are numbered as they are found, and what is new is put into the
//!   queue in this order.
//!
//! # Why the result is that of a search in memory
//!
//! Claim: after each level the states that were found, and the order of the queue, are those of `bfs/` with one
//! thread and the exact store, where nothing is reduced.
//!
//! - *A state is settled as new at most once.* After it was settled as new it is in memory, or in a file from the
//!   moment on at which it leaves the memory. If it comes again, it is found there: at once in memory, or when it is
//!   settled, as every file is searched. A read that fails, or a block that is damaged, ends the search.
//! - *A state that is new is settled as new.* What is in memory before it is settled, or in a file, was found before.
//! - *The order.* A state gets its number in memory when it comes for the first time since the memory was emptied.
//!   If it is new, that is its first time of all: had it come before, it would have been settled when the memory was
//!   emptied, and be in a file. So numbers are the order of discovery, and states are settled in the order of numbers.
//! - *Findings.* Whether a property holds is asked of pending states, too. One that turns out to be old was asked when it
//!   was found first, and a finding of this kind is known since then; so nothing is reported of it. The run to
//!   a finding is the way to its source, which is settled, and one step.
//!
//! So verdicts, runs and counts are the same, also if the search ends in the middle of a level. Only limits of memory,
//! time and states may be met at another place: whether a state is new is known later.
//!
//! **With reductions** a state is expanded in full if none of the successors of its reduced expansion is of the next
//! level. That depends on the set of states found before the level and not on an order, so the same states are expanded in
//! full, and every level has the same states. Here they are expanded at the end of the level (`halves.rs`), so the order
//! within a level may differ, and with it the choice among shortest runs. **Symmetry** needs nothing: states are
//! canonical before they come here.
//!
//! One thread searches. Temporal properties are not searched with files.

mod blocks;
mod code;
mod files;
mod filter;
mod halves;
mod log;
mod run;
mod runs;
mod search;
mod spool;
mod store;
mod table;
#[cfg(test)]
mod tests;

pub use files::scratch_file;
pub(crate) use search::DiskSearch;
