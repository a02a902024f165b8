//! What is about C alone: the command of a compiler, read for its flags.

pub use taut_c::UNDEFINE;
pub use taut_c::compiler::{Invocation, macro_name};
