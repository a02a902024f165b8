//! `taut header`: the header with which SPIN reads models that use Taut's operations.

use super::args::HeaderArgs;
use super::exit::Exit;
use super::files::deliver_text;

/// Runs the command.
pub fn run(args: &HeaderArgs) -> Exit {
    deliver_text(taut::promela::HEADER, args.output.as_deref())
}
