//! The memory that the process holds.
//!
//! It is read from `/proc/self/statm`: resident pages that no file stands behind, so heap and stacks but not the
//! executable. A counting allocator was the alternative. It would count memory that is reserved and not used, miss
//! stacks and fragmentation, cost an atomic operation per allocation, and need `unsafe`. The price of this one is a
//! system call per look of about a microsecond, so looks are a millisecond apart ([`crate::tick`]).

#[cfg(unix)]
use crate::limits::is_space_limited;

/// Reads how much memory the process holds.
#[derive(Clone, Debug)]
pub struct Meter {
    source: Source,
    /// Whether address space counts, because it is limited: stacks of threads and the allocator take more of it
    /// than of memory.
    counts_space: bool,
    /// Bytes that were held when the meter was made. They are the executable's own.
    base: u64,
}

/// What `/proc/self/statm` says, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Address space.
    pub space: u64,
    /// Resident memory that no file stands behind.
    pub resident: u64,
    /// Memory that can be written and is not shared, resident or not: what `RLIMIT_DATA` limits.
    pub data: u64,
}

impl Meter {
    /// A meter that counts from now on; none where the system does not tell.
    pub fn new() -> Option<Meter> {
        let source = Source::open()?;
        let counts_space = source.counts_space();
        let mut meter = Meter { source, counts_space, base: 0 };
        meter.base = meter.count()?;
        Some(meter)
    }

    /// Bytes that were taken since the meter was made.
    pub fn held(&self) -> u64 {
        self.count().map_or(0, |held| held.saturating_sub(self.base))
    }

    fn count(&self) -> Option<u64> {
        let held = self.read()?;
        Some(if self.counts_space { held.space } else { held.resident })
    }

    /// What the system says now.
    pub fn read(&self) -> Option<MemoryUse> {
        self.source.read()
    }
}

/// The file of the kernel.
#[cfg(unix)]
#[derive(Clone, Debug)]
struct Source {
    statm: std::sync::Arc<std::fs::File>,
    page: u64,
}

#[cfg(unix)]
impl Source {
    fn open() -> Option<Source> {
        let statm = std::fs::File::open("/proc/self/statm").ok()?.into();
        Some(Source { statm, page: rustix::param::page_size() as u64 })
    }

    fn counts_space(&self) -> bool {
        is_space_limited()
    }

    fn read(&self) -> Option<MemoryUse> {
        let mut text = [0; 256];
        let length = std::os::unix::fs::FileExt::read_at(&*self.statm, &mut text, 0).ok()?;
        parse(std::str::from_utf8(&text[..length]).ok()?, self.page)
    }
}

/// The memory of a WebAssembly module. It grows and never shrinks, so this is the most that was held.
#[cfg(not(unix))]
#[derive(Clone, Debug)]
struct Source;

#[cfg(target_arch = "wasm32")]
impl Source {
    fn open() -> Option<Source> {
        Some(Source)
    }

    fn counts_space(&self) -> bool {
        false
    }

    fn read(&self) -> Option<MemoryUse> {
        /// Bytes of a page, by the specification.
        const PAGE: u64 = 1 << 16;
        let held = std::arch::wasm32::memory_size::<0>() as u64 * PAGE;
        Some(MemoryUse { space: held, resident: held, data: held })
    }
}

/// Systems that do not tell.
#[cfg(not(any(unix, target_arch = "wasm32")))]
impl Source {
    fn open() -> Option<Source> {
        None
    }

    fn counts_space(&self) -> bool {
        false
    }

    fn read(&self) -> Option<MemoryUse> {
        None
    }
}

#[cfg(any(unix, test))]
fn parse(text: &str, page: u64) -> Option<MemoryUse> {
    let fields: Vec<u64> = text.split_whitespace().map_while(|field| field.parse().ok()).collect();
    let [size, resident, shared, _, _, data, ..] = fields[..] else { return None };
    Some(MemoryUse {
        space: size * page,
        resident: resident.saturating_sub(shared) * page,
        data: data * page,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernel_is_read() {
        let held = parse("4000 900 300 200 0 1500 0\n", 4096);
        let pages = |n: u64| n * 4096;
        let expected = MemoryUse { space: pages(4000), resident: pages(600), data: pages(1500) };
        assert_eq!(held, Some(expected));
        assert_eq!(parse("4000 900", 4096), None);
        assert_eq!(parse("", 4096), None);
    }
}
