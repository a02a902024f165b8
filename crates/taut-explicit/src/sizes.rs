//! The sizes of everything that a search with files holds in memory, from the memory that it may use.

/// Sizes of tables and buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// States in memory, at most.
    pub(crate) table: usize,
    /// Words of the filter of states in files.
    pub(crate) filter: usize,
    /// Bytes that are written or read at once.
    pub(crate) buffer: usize,
    /// Bytes of a block of a sorted file, at least.
    pub(crate) block: usize,
    /// Bytes of the indices of all sorted files above which blocks become larger.
    pub(crate) index: u64,
    /// Sorted files of one size that are merged into one.
    pub(crate) fan: usize,
}

/// Memory that is used if there is no limit, and at most. More does not make a search faster: the system keeps the
/// files in memory that is free.
const MOST: u64 = 1 << 30;
/// States in memory, at most: they can be sorted in about a second.
const MOST_STATES: u64 = 1 << 23;
/// Bytes per state beside its words: 16 for sorting, 8 for the way it was found, 1 for its flags, 6 for its slots.
const BESIDE: u64 = 31;
/// Bytes of an entry of the index of a sorted file beside the first state of the block.
const ENTRY: usize = 8;

impl Sizes {
    /// Sizes for states of this number of words within a number of bytes: three eighths for states, three sixteenths each
    /// for the filter and for buffers, and the rest for what grows with the number of states in files.
    pub(crate) fn within(bytes: Option<u64>, words: usize) -> Sizes {
        let bytes = bytes.unwrap_or(MOST).min(MOST);
        let per_state = words as u64 * 8 + BESIDE;
        Sizes {
            table: (bytes / 8 * 3 / per_state).clamp(1 << 6, MOST_STATES) as usize,
            filter: (bytes / 16 * 3 / 8) as usize,
            buffer: (bytes / 64).clamp(1 << 12, 1 << 18) as usize,
            // The index of a file has one entry per block. It takes at most a sixteenth of the bytes of the file.
            block: (16 * (8 * words + ENTRY)).max(1 << 10),
            index: bytes / 16,
            fan: 4,
        }
    }
}
