//! Programs to begin with: those of `taut examples` and of the page.

use crate::Example;

/// An example from a file of the repository. The files are symbolic links, so that the package holds them.
macro_rules! example {
    ($language:literal, $name:literal, $title:literal, $model:literal) => {
        Example {
            name: $name,
            language: $language,
            title: $title,
            text: include_str!(concat!("examples/", $name)),
            model: Some($model),
        }
    };
}

/// The examples, language by language.
pub const EXAMPLES: &[Example] = &[
    example!("taut", "peterson.taut", "Peterson's lock", "tso"),
    example!("taut", "sb.taut", "Store buffering: both miss each other", "tso"),
    example!("taut", "mp.taut", "Message passing: data, then a flag", "pso"),
    example!("taut", "dekker.taut", "Dekker's lock", "tso"),
    example!("taut", "seqlock.taut", "Sequence lock", "pso"),
    example!("taut", "ticket_lock.taut", "Ticket lock", "pso"),
    example!("taut", "mcs_lock.taut", "MCS queue lock", "pso"),
    example!("taut", "work_stealing_deque.taut", "Work-stealing deque", "tso"),
    example!("taut", "insisting_lock.taut", "A lock whose buffers have no bound", "tso"),
    example!("taut", "ttas_lock_any.taut", "A spin lock for any number of threads", "tso"),
    example!("taut", "peterson_live.taut", "Peterson's lock: does everyone get in?", "tso"),
    example!("c", "dekker.c", "Dekker's lock in C", "tso"),
    example!("c", "seqlock.c", "Sequence lock in C", "pso"),
    example!("c", "chase_lev.c", "Chase and Lev's work-stealing deque in C", "tso"),
    example!("c", "michael_scott.c", "Michael and Scott's queue in C", "pso"),
    example!("promela", "dekker.pml", "Dekker's lock in Promela", "tso"),
    example!("promela", "philosophers.pml", "Dining philosophers in Promela", "sc"),
    example!("dve", "peterson2.dve", "Peterson's lock in DVE", "delayed"),
    example!("rmm", "dekker.rmm", "Dekker's lock in RMM", "tso"),
    example!("litmus", "SB.litmus", "Store buffering on x86", "tso"),
];
