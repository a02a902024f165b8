//! Channels next to store buffers: whether messages can overtake stores.

use taut_ir::frontend::CHANNELS;
use taut_ir::{ChannelOp, Channels, Program, Step};
use taut_source::Diagnostic;

use super::Loaded;

/// Whether the sends of a program wait for store buffers under TSO and PSO; none where that makes no difference,
/// because the program has no sends or no shared variables.
pub(crate) fn channels(program: &Program) -> Option<Channels> {
    Some(if first_send(program)?.drains { Channels::Drain } else { Channels::Free })
}

/// The first send of a program with shared variables.
fn first_send(program: &Program) -> Option<&Step> {
    let shared = program.vars.iter().any(|v| v.kind.is_buffered());
    let mut steps = program.defs.iter().flat_map(|def| &def.steps);
    let is_send = |step: &&Step| matches!(step.channel, Some(ChannelOp::Send { .. }));
    steps.find(is_send).filter(|_| shared)
}

impl Loaded {
    /// Warns where messages can overtake stores because the user asked for it.
    pub(super) fn warn_of_free_channels(&mut self) {
        let asked = Channels::of(&self.options.values);
        let has_option = self.language.options().contains(&CHANNELS);
        let is_mmlib = self.memory_model().is_some();
        let Some(send) = first_send(&self.program) else { return };
        if asked == Channels::Drain || !has_option || is_mmlib {
            return;
        }
        let text =
            "under TSO and PSO a message can overtake the stores before it (`--channels free`)";
        let warning = Diagnostic::warning("E0013", text, send.span)
            .label("this send does not wait for the store buffer")
            .help("with `--channels drain`, the default, sends wait until the buffer is empty");
        self.buffer_warnings.push(warning);
    }
}
