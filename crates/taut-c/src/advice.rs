//! Advice on the commonest things that programs call or include and that are not part of the C that is read.

/// Functions that are not known, and what to write instead.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (
        &["atoi", "atol", "strtol", "strtoul", "getenv", "getopt"],
        "there are no arguments of the command line: use a constant, or `rand()` with `--nondet 0..3` for any of some values",
    ),
    (
        &[
            "scanf", "fscanf", "sscanf", "getchar", "fgetc", "fgets", "gets", "read", "fread",
            "getline",
        ],
        "there is no input: use a constant, or `rand()` with `--nondet 0..3` for any of some values",
    ),
    (
        &["time", "clock", "clock_gettime", "gettimeofday", "rdtsc", "__rdtsc", "_rdtsc"],
        "there is no time, as every order of steps is looked at: remove the call",
    ),
    (
        &["realloc", "reallocarray"],
        "allocate a new object with `malloc`, copy the old one and `free` it",
    ),
    (&["alloca", "__builtin_alloca"], "use an array with a constant length, or `malloc`"),
    (&["static_assert"], "it is a macro: `#include <assert.h>`, or write `_Static_assert`"),
    (
        &["fork", "vfork", "clone", "waitpid", "wait", "execve", "mmap", "shm_open"],
        "processes do not share memory here: use threads, `pthread_create`",
    ),
    (
        &["signal", "sigaction", "kill", "raise", "setjmp", "longjmp"],
        "signals and jumps between functions are not modelled: let a thread do what the handler does",
    ),
    (
        &["fopen", "fclose", "fwrite", "open", "close", "write", "socket", "send", "recv"],
        "there are no files: replace the call by what it does to shared memory, or remove it",
    ),
    (
        &["sqrt", "pow", "sin", "cos", "exp", "log", "floor", "ceil"],
        "floating point is not supported: use integers",
    ),
    (
        &[
            "READ_ONCE",
            "WRITE_ONCE",
            "smp_mb",
            "smp_rmb",
            "smp_wmb",
            "smp_store_release",
            "smp_load_acquire",
            "atomic_inc",
            "atomic_dec",
            "cmpxchg",
            "xchg",
        ],
        "this is of the Linux kernel: define it, as in `#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)`",
    ),
];

/// Headers of C++.
const CPP: &[&str] = &[
    "atomic",
    "thread",
    "mutex",
    "condition_variable",
    "shared_mutex",
    "semaphore",
    "barrier",
    "latch",
    "future",
    "iostream",
    "vector",
    "string",
    "memory",
    "functional",
    "chrono",
    "array",
    "map",
    "queue",
    "utility",
    "algorithm",
    "cassert",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "type_traits",
    "new",
    "optional",
];

/// What to write instead of a call of an unknown function.
pub(crate) fn on_function(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(names, _)| names.contains(&name)).map(|(_, advice)| *advice)
}

/// What to do about a header that is not there.
pub(crate) fn on_header(path: &str) -> Option<&'static str> {
    if CPP.contains(&path) || path.ends_with(".hpp") || path.ends_with(".hh") {
        return Some(
            "this is C++, and Taut reads C11: `std::atomic<int>` is `_Atomic int` with `<stdatomic.h>`, `std::thread` is \
             `pthread_create` or `thrd_create`",
        );
    }
    if path.starts_with("linux/") || path.starts_with("asm/") {
        return Some(
            "headers of the kernel are not read: take out what is checked, and define `READ_ONCE`, `smp_mb` and the like \
             by `__atomic_load_n`, `__atomic_thread_fence`, …",
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_common_has_advice_and_what_is_not_has_none() {
        for name in ["scanf", "clock_gettime", "realloc", "fork", "READ_ONCE", "static_assert"] {
            assert!(on_function(name).is_some(), "{name}");
        }
        assert_eq!(on_function("my_function"), None);
        assert!(on_header("atomic").is_some_and(|advice| advice.contains("C++")));
        assert!(on_header("linux/atomic.h").is_some() && on_header("my.hpp").is_some());
        assert_eq!(on_header("stdatomic.h"), None);
        let mut all: Vec<_> = FUNCTIONS.iter().flat_map(|(names, _)| *names).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "one advice per function");
    }
}
