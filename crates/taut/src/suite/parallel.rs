//! Several files of a suite at the same time.
//!
//! The library needs no more of a thread pool than this: a cursor over the items, and one slot per result, so that
//! results come in the order of the items whatever the order of the work.

use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// Deep nesting is refused at a depth that fits the main thread's stack; so threads have one of that size.
const STACK: usize = 8 << 20;

/// The number of threads for a number of jobs, where 0 means one per core.
pub(super) fn threads(jobs: usize) -> usize {
    match jobs {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        _ => jobs,
    }
}

/// Applies a function to each item, on several threads; the results are in the order of the items. It is an error if no
/// thread can be started; if some cannot, the others do the work.
pub(super) fn map<T: Sync, R: Send + Sync>(
    items: &[T],
    threads: usize,
    f: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, String> {
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let work = || {
        while let Some(i) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < items.len())
        {
            let is_first = results[i].set(f(&items[i])).is_ok();
            debug_assert!(is_first, "the cursor gives each item to one thread");
        }
    };
    let error = thread::scope(|scope| {
        let start = |_| Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let started: Vec<_> = (0..threads.min(items.len())).map(start).collect();
        let none = started.iter().all(Result::is_err);
        started.into_iter().find_map(Result::err).filter(|_| none)
    });
    if let Some(error) = error {
        return Err(format!("cannot start threads: {error}"));
    }
    Ok(results.into_iter().filter_map(OnceLock::into_inner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = items.iter().map(|i| i * i).collect();
        for threads in [1, 2, 7, 2000] {
            assert_eq!(map(&items, threads, |i| i * i), Ok(squares.clone()));
        }
        assert_eq!(map(&[] as &[u64], 3, |i| *i), Ok(Vec::new()));
    }
}
