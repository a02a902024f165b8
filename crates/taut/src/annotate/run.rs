//! A violating run, action by action, each with a place to look at.
//!
//! All processes are in one list, in the order in which things happen: that order *is* the violation. A store that
//! reaches memory is shown at the statement that made it.

use taut_ir::{Action, MemoryModel, ProcId, Span};
use taut_render::view::{PartView, RowView};
use taut_witness::{Address, Run};

use super::SourceLine;
use crate::load::Loaded;
use crate::verdict::Witness;

/// One action of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEvent {
    /// Its number, from 1.
    pub number: usize,
    /// Where it stands.
    pub place: Option<SourceLine>,
    /// Who does what.
    pub text: String,
}

/// How many actions are told. GitHub keeps a thousand; a longer run is for `taut check --trace`.
const MOST: usize = 1000;

/// The actions of a run; of a long one the first and the last.
pub(crate) fn trace_events(loaded: &Loaded, witness: &Witness) -> Vec<TraceEvent> {
    let view = witness.view(loaded);
    let mut waiting = Waiting { stores: Vec::new(), model: view.memory().model };
    let mut all = Vec::new();
    for (index, row) in view.rows().enumerate() {
        let span = waiting.place_of(row);
        let is_told = index < MOST / 2 || index + MOST / 2 >= view.len();
        if is_told {
            let place = SourceLine::of(&loaded.sources, span);
            all.push(TraceEvent { number: index + 1, place, text: text(row) });
        }
    }
    mark_gap(&mut all);
    mark_cycle(&mut all, &witness.run, witness.trace.lasso.map(|lasso| lasso.cycle));
    all
}

/// Says how many actions are left out, where that is.
fn mark_gap(all: &mut [TraceEvent]) {
    for i in 1..all.len() {
        let missing = all[i].number - all[i - 1].number - 1;
        if missing > 0 {
            all[i].text = format!("({missing} actions are left out) {}", all[i].text);
        }
    }
}

/// Says where the cycle begins that is repeated for ever.
fn mark_cycle(all: &mut [TraceEvent], run: &Run, cycle: Option<usize>) {
    let Some(cycle) = cycle.filter(|&cycle| cycle < run.rows.len()) else { return };
    if let Some(first) = all.iter_mut().find(|h| h.number == cycle + 1) {
        first.text = format!("(from here on again and again) {}", first.text);
    }
}

/// `p: x := 1`, `p: r := y → 0`, or `p: x = 1 reaches memory`.
fn text(row: RowView<'_>) -> String {
    row.parts().map(|part| part_text(row, part)).collect::<Vec<_>>().join("; ")
}

fn part_text(row: RowView<'_>, part: PartView<'_>) -> String {
    let name = part.name();
    let Some(step) = part.text() else {
        return format!("{name}: {} reaches memory", part.committed(" = ").join(", "));
    };
    let mut text = format!("{name}: {step}");
    let (results, remark) = (part.results(), part.remark());
    if !results.is_empty() {
        text.push_str(&format!(" → {}", results.join(" ")));
    }
    if !remark.is_empty() {
        text.push_str(&format!(" {remark}"));
    }
    // The stores of a rendezvous are those of its sender.
    if row.first().is_buffered() {
        text.push_str(" (into the buffer)");
    }
    if let Some(failure) = part.failure() {
        text.push_str(&format!(" ✗ {failure}"));
    }
    text
}

/// The stores that wait in buffers, in the order in which they were made.
struct Waiting {
    stores: Vec<(ProcId, Address, Span)>,
    model: MemoryModel,
}

impl Waiting {
    /// The place of an action, which may make a store wait or end its waiting.
    fn place_of(&mut self, row: RowView<'_>) -> Span {
        if let Action::Commit { process, var, index } = row.row().action {
            return self.committed(process, Address { var, index });
        }
        row.parts().for_each(|part| self.add(part));
        row.first().span()
    }

    fn add(&mut self, part: PartView<'_>) {
        let process = part.process();
        for write in part.writes().filter(|write| write.in_buffer) {
            // Of delayed writes only the newest to a location waits.
            if self.model.overwrites() {
                self.stores.retain(|(p, a, _)| (*p, *a) != (process, write.location));
            }
            self.stores.push((process, write.location, part.span()));
        }
    }

    fn committed(&mut self, process: ProcId, address: Address) -> Span {
        let oldest = self.stores.iter().position(|(p, a, _)| (*p, *a) == (process, address));
        oldest.map_or(Span::NONE, |at| self.stores.remove(at).2)
    }
}
