//! Faults of Taut itself, which end a command without a verdict.

use taut::EngineFault;

use super::exit::Exit;
use super::output::eprint;

/// Shows a fault of Taut's own.
pub fn internal(fault: &EngineFault) -> Exit {
    eprint(&format!(
        "internal error: {fault}\nThis is a bug in Taut: the verdict is withheld. Please report it with the program.\n"
    ));
    Exit::Internal
}
