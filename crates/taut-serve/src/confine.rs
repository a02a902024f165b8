//! What a job's process does to itself before it looks at a program.

/// Address space that a process needs for itself, in MiB: its code, the stacks of its threads, what it keeps of the
/// text.
pub const MARGIN: u64 = 128;

/// Gives up, for good, what a job does not need: more than so many MiB of memory and [`MARGIN`], and the right to
/// open or write a file or to leave a core dump behind. Whatever a program makes Taut do, it cannot do that.
///
/// Memory beyond the limit is refused to the process, which ends it.
#[cfg(unix)]
pub fn confine(memory_mib: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bytes = memory_mib.saturating_add(MARGIN).saturating_mul(1 << 20);
    // Standard input, output and error are open already, and nothing else will be.
    let open_files = 3;
    for (resource, most) in [
        (Resource::As, bytes),
        (Resource::Nofile, open_files),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
    ] {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Where there are no such limits, those of the searches and the server's are all there are.
#[cfg(not(unix))]
pub fn confine(_: u64) -> std::io::Result<()> {
    Ok(())
}
