//! The headers that Taut ships. They are written for Taut: every operation is a call with a name that the lowering
//! knows, or a function of [`crate::runtime`].

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        /// All headers: name and text.
        const HEADERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../headers/", $name)))),*];
    };
}

headers! {
    "assert.h", "dat3m.h", "emmintrin.h", "errno.h", "genmc.h", "immintrin.h", "inttypes.h", "limits.h", "pthread.h", "sched.h", "semaphore.h",
    "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h",
    "string.h", "sys/time.h", "sys/types.h", "threads.h", "time.h", "unistd.h", "verifier.h", "x86intrin.h",
    "xmmintrin.h",
}

/// The text of a header.
pub fn shipped(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of all headers.
pub fn names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|(name, _)| *name)
}
