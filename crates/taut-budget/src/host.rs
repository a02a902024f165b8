//! The memory that the machine, the control group and the limits of the process leave.
//!
//! A process that takes more than its control group allows is killed, and one that takes more than `ulimit -v` or
//! `ulimit -d` allows is refused memory. Neither leaves time for a verdict. So both are limits for us, with a margin.

use std::path::{Path, PathBuf};

use crate::limits::{DATA, SPACE, soft_limit};
use crate::memory::{MemoryUse, Meter};

/// Address space that is kept free for stacks of threads and the allocator, if there is a limit on it.
const MARGIN: u64 = 16 << 20;

/// The memory for a command: what was asked for, or three quarters of what is free now. It is never more than the control
/// group and the limits of the process leave. None where the system does not tell.
pub fn memory_limit(asked: Option<u64>) -> Option<u64> {
    Host::default().memory_limit(asked)
}

/// Where the system tells.
struct Host {
    proc: PathBuf,
    cgroups: PathBuf,
    held: Option<MemoryUse>,
}

impl Default for Host {
    fn default() -> Host {
        let held = Meter::new().and_then(|meter| meter.read());
        Host { proc: "/proc".into(), cgroups: "/sys/fs/cgroup".into(), held }
    }
}

impl Host {
    fn memory_limit(&self, asked: Option<u64>) -> Option<u64> {
        let usual = || self.available().map(three_quarters);
        let group = self.group_room();
        let process = self.process_room();
        let asked = match asked {
            // An explicit limit may use the whole room, but for the margin of the process.
            Some(asked) => Some(asked.min(group.map_or(u64::MAX, nine_tenths))),
            None => least([usual(), group.map(three_quarters)]),
        };
        least([asked, process])
    }

    /// Memory that is free on the machine.
    fn available(&self) -> Option<u64> {
        let text = read(&self.proc.join("meminfo"))?;
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
    }

    /// Memory that the control groups of this process leave: the least of its own group and those around it.
    fn group_room(&self) -> Option<u64> {
        let text = read(&self.proc.join("self/cgroup"))?;
        text.lines().filter_map(|line| self.room_by(line)).min()
    }

    /// The room by a line of `/proc/self/cgroup`: `0::/path` for version 2, `4:memory:/path` for version 1.
    fn room_by(&self, line: &str) -> Option<u64> {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let is_memory = controllers.split(',').any(|name| name == "memory");
        let (root, files) = match controllers {
            "" => (self.cgroups.clone(), &VERSION_2),
            _ if is_memory => (self.cgroups.join("memory"), &VERSION_1),
            _ => return None,
        };
        let group = root.join(path.trim_start_matches('/'));
        // In a container the path may be that of the host, which is not there; the root always is.
        let groups = group.ancestors().take_while(|group| group.starts_with(&root));
        groups.filter_map(|group| files.room(group)).min()
    }

    /// Memory that the limits of the process leave.
    fn process_room(&self) -> Option<u64> {
        let text = read(&self.proc.join("self/limits"))?;
        let held = self.held.unwrap_or_default();
        let room = |name: &str, held: u64| {
            let most = soft_limit(&text, name)?.saturating_sub(held);
            Some(three_quarters(most.saturating_sub(MARGIN)))
        };
        least([room(SPACE, held.space), room(DATA, held.data)])
    }
}

/// The names of the files in which a version of control groups tells.
struct GroupFiles {
    most: &'static str,
    used: &'static str,
    /// The line of `memory.stat` with memory that is given back on demand.
    reclaimable: &'static str,
}

const VERSION_2: GroupFiles =
    GroupFiles { most: "memory.max", used: "memory.current", reclaimable: "inactive_file" };
const VERSION_1: GroupFiles = GroupFiles {
    most: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    reclaimable: "total_inactive_file",
};

impl GroupFiles {
    fn room(&self, group: &Path) -> Option<u64> {
        let number = |name: &str| read(&group.join(name))?.trim().parse::<u64>().ok();
        // Version 2 writes `max` if there is no limit, version 1 a number near 2^63.
        let most = number(self.most).filter(|&most| most < 1 << 60)?;
        let used = number(self.used).unwrap_or(0);
        Some(most.saturating_sub(used.saturating_sub(self.reclaimable(group))))
    }

    fn reclaimable(&self, group: &Path) -> u64 {
        let Some(text) = read(&group.join("memory.stat")) else { return 0 };
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let line = lines.find(|(name, _)| *name == self.reclaimable);
        line.and_then(|(_, number)| number.trim().parse().ok()).unwrap_or(0)
    }
}

fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn least<const N: usize>(limits: [Option<u64>; N]) -> Option<u64> {
    limits.into_iter().flatten().min()
}

fn three_quarters(bytes: u64) -> u64 {
    bytes / 4 * 3
}

fn nine_tenths(bytes: u64) -> u64 {
    bytes / 10 * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    const UNLIMITED: &str = "Limit                     Soft Limit           Hard Limit           Units     \n\
                             Max data size             unlimited            unlimited            bytes     \n\
                             Max address space         unlimited            unlimited            bytes     \n";

    /// A machine with 8 GiB free, no limits, and these files.
    fn host(files: &[(&str, &str)]) -> (tempfile::TempDir, Host) {
        let root = tempfile::tempdir().expect("a directory");
        let usual = [
            ("proc/meminfo", "MemTotal:  16777216 kB\nMemAvailable:    8388608 kB\n"),
            ("proc/self/limits", UNLIMITED),
        ];
        for (name, text) in usual.iter().chain(files) {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        let at = |name: &str| root.path().join(name);
        let host =
            Host { proc: at("proc"), cgroups: at("cgroup"), held: Some(MemoryUse::default()) };
        (root, host)
    }

    #[test]
    fn without_other_limits_it_is_what_is_free() {
        let (_root, host) = host(&[]);
        assert_eq!(host.memory_limit(None), Some(6 * GIB));
        assert_eq!(host.memory_limit(Some(9 * GIB)), Some(9 * GIB));
    }

    #[test]
    fn the_group_of_a_container_counts() {
        let (_root, host) = host(&[
            ("proc/self/cgroup", "0::/\n"),
            ("cgroup/memory.max", "536870912\n"),
            ("cgroup/memory.current", "167772160\n"),
            ("cgroup/memory.stat", "anon 33554432\ninactive_file 134217728\n"),
        ]);
        assert_eq!(host.memory_limit(None), Some(480 * MIB / 4 * 3));
        assert!(host.memory_limit(Some(4 * GIB)) < Some(480 * MIB));
        assert_eq!(host.memory_limit(Some(32 * MIB)), Some(32 * MIB));
    }

    #[test]
    fn groups_around_the_own_one_count() {
        let (_root, host) = host(&[
            ("proc/self/cgroup", "0::/user/job\n"),
            ("cgroup/user/job/memory.max", "max\n"),
            ("cgroup/user/memory.max", "1073741824\n"),
        ]);
        assert_eq!(host.memory_limit(None), Some(GIB / 4 * 3));
    }

    #[test]
    fn groups_of_version_1_count_also_where_the_path_is_the_hosts() {
        let (_root, host) = host(&[
            ("proc/self/cgroup", "5:cpu:/docker/abc\n4:memory:/docker/abc\n0::/docker/abc\n"),
            ("cgroup/memory/memory.limit_in_bytes", "268435456\n"),
            ("cgroup/memory/memory.usage_in_bytes", "0\n"),
        ]);
        assert_eq!(host.memory_limit(None), Some(192 * MIB));
    }

    #[test]
    fn no_limit_of_version_1_is_no_limit() {
        let (_root, host) = host(&[
            ("proc/self/cgroup", "4:memory:/\n"),
            ("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        assert_eq!(host.memory_limit(None), Some(6 * GIB));
    }

    #[test]
    fn limits_of_the_process_count_with_a_margin() {
        let limits =
            "Max address space         536870912            unlimited            bytes     \n";
        let (_root, mut host) = host(&[("proc/self/limits", limits)]);
        host.held = Some(MemoryUse { space: 112 * MIB, ..MemoryUse::default() });
        assert_eq!(host.memory_limit(None), Some((400 - 16) * MIB / 4 * 3));
        assert_eq!(host.memory_limit(Some(4 * GIB)), host.memory_limit(None));
        let data =
            "Max data size             67108864             unlimited            bytes     \n";
        std::fs::write(host.proc.join("self/limits"), data).expect("a file");
        assert_eq!(host.memory_limit(None), Some(36 * MIB));
    }

    #[test]
    fn broken_files_are_no_limits() {
        let (_root, host) = host(&[
            ("proc/self/cgroup", "garbage\n0::\n::::\n"),
            ("proc/self/limits", "Max address space"),
        ]);
        assert_eq!(host.memory_limit(None), Some(6 * GIB));
    }
}
