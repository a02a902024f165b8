//! What a search is given besides the machine.

use taut_ir::Finding;

use crate::checkpoint::Keeper;
use crate::exploration::Lossy;
use crate::limits::LimitMonitor;
use crate::settings::SearchOptions;
use crate::sizes::Sizes;

/// A level with at least this number of states per thread is shared. Starting a thread takes as long as
/// expanding some ten states.
pub(crate) const PARALLEL_FROM_STATES: usize = 1 << 10;

/// What a search is given besides the machine.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub(crate) options: &'a SearchOptions,
    pub(crate) watch: &'a LimitMonitor,
    /// Entries of each buffer.
    pub(crate) size: u32,
    /// End as soon as a buffer is full.
    pub(crate) must_fit: bool,
    /// Levels with so many states for each thread are shared.
    pub(crate) large: usize,
    /// The kinds of findings that end the search once all are found; if there are none, everything that is asked.
    pub(crate) asked: &'a [Finding],
    /// Whether this search repeats one of several threads.
    pub(crate) is_again: bool,
    /// Where the search is kept, if it is.
    pub(crate) keeper: Option<&'a Keeper>,
    /// Sizes of tables and buffers of a search with files, if not those that fit the limit on memory.
    pub(crate) sizes: Option<Sizes>,
}

impl<'a> SearchContext<'a> {
    /// What every search is given.
    pub(crate) fn new(options: &'a SearchOptions, watch: &'a LimitMonitor) -> SearchContext<'a> {
        let (size, must_fit, large, asked, sizes) = (0, false, PARALLEL_FROM_STATES, &[][..], None);
        let (is_again, keeper) = (false, None);
        SearchContext { options, watch, size, must_fit, large, asked, is_again, keeper, sizes }
    }
}

/// What a search has stored of states.
#[derive(Default)]
pub(crate) struct Stored {
    pub(crate) states: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) disk_bytes: u64,
    pub(crate) slots: (u64, u64),
    pub(crate) lossy: Option<Lossy>,
}
