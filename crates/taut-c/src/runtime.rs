//! Functions of the C library and of verifiers, in C over the builtins that the lowering knows.
//!
//! Only functions that a program uses and does not define are added to its text. The types that they work on stand
//! in front of it (`PRELUDE`); programs that were preprocessed elsewhere bring other types of the same names,
//! which are replaced ([`opaque_types`]).

/// Types and builtins, in front of every program.
pub(crate) const PRELUDE: &str = include_str!("../runtime/prelude.h");

/// The functions: name of the file and text.
pub(crate) const LIBRARY: &[(&str, &str)] = &[
    ("threads", include_str!("../runtime/threads.c")),
    ("locks", include_str!("../runtime/locks.c")),
    ("library", include_str!("../runtime/library.c")),
];

/// Macros that are defined for [`PRELUDE`] and [`LIBRARY`] if a program uses one of some names.
pub(crate) const FEATURES: &[(&str, &[&str])] = &[
    (
        "KINDS",
        &["pthread_mutexattr_settype", "mtx_recursive", "__TAUT_RECURSIVE", "__TAUT_ERRORCHECK"],
    ),
    ("ERRNO", &["__errno_location"]),
];

/// The macro that is defined for [`LIBRARY`] if locks must not tell threads apart.
pub(crate) const ALIKE: &str = "ALIKE";

/// Names of verifiers' and compilers' functions that are builtins under another name.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("__VERIFIER_assume", "__taut_assume"),
    ("__VERIFIER_atomic_begin", "__taut_atomic_begin"),
    ("__VERIFIER_atomic_end", "__taut_atomic_end"),
    ("__CPROVER_assume", "__taut_assume"),
    ("__CPROVER_assert", "__taut_assert"),
    ("__CPROVER_atomic_begin", "__taut_atomic_begin"),
    ("__CPROVER_atomic_end", "__taut_atomic_end"),
    ("__assert_fail", "__taut_fail"),
];

/// Names of types, each with the structure of `PRELUDE` that it stands for whatever a program says.
pub fn opaque_types() -> &'static [(&'static str, &'static str)] {
    &[
        ("pthread_mutex_t", "__taut_mutex"),
        ("pthread_mutexattr_t", "__taut_mutexattr"),
        ("pthread_cond_t", "__taut_cond"),
        ("pthread_condattr_t", "__taut_attr"),
        ("pthread_rwlock_t", "__taut_rwlock"),
        ("pthread_rwlockattr_t", "__taut_attr"),
        ("pthread_barrier_t", "__taut_barrier"),
        ("pthread_barrierattr_t", "__taut_attr"),
        ("pthread_attr_t", "__taut_attr"),
        ("mtx_t", "__taut_mutex"),
        ("cnd_t", "__taut_cond"),
        ("sem_t", "__taut_sem"),
    ]
}
