//! The limits of the process, as `/proc/self/limits` tells them: `ulimit -v` and `ulimit -d`.

/// The line about address space (`ulimit -v`).
pub(crate) const SPACE: &str = "Max address space";
/// The line about memory that can be written (`ulimit -d`).
pub(crate) const DATA: &str = "Max data size";

/// Whether there is a limit on the address space of this process.
#[cfg(unix)]
pub(crate) fn is_space_limited() -> bool {
    let text = std::fs::read_to_string("/proc/self/limits");
    text.is_ok_and(|text| soft_limit(&text, SPACE).is_some())
}

/// The soft limit in a line of the file; none if it is `unlimited`.
pub(crate) fn soft_limit(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
