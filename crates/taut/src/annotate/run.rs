//! A violating run, action by action, each with a place to look at.
//!
//! All processes are in one list, in the order in which things happen: that order *is* the violation. A store that
//! reaches memory is shown at the statement that made it.

use taut_ir::{Action, MemoryModel, ProcId, Program, Span, StepId};
use taut_render::told;
use taut_source::SourceMap;
use taut_witness::{Address, Row, Run, Target, text};

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
    let teller = Teller { program: &witness.program, sources: &loaded.sources };
    let mut waiting = Waiting { stores: Vec::new(), model: witness.run.memory.model };
    let rows = &witness.run.rows;
    let mut all = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let span = waiting.place_of(row, &teller);
        let is_told = index < MOST / 2 || index + MOST / 2 >= rows.len();
        if is_told {
            let place = SourceLine::of(teller.sources, span);
            all.push(TraceEvent { number: index + 1, place, text: teller.text(row) });
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

struct Teller<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
}

impl Teller<'_> {
    fn span(&self, process: ProcId, step: StepId) -> Span {
        text::find_step(self.program, process, step).map_or(Span::NONE, |step| step.span)
    }

    /// `p: x := 1`, `p: r := y → 0`, or `p: x = 1 reaches memory`.
    fn text(&self, row: &Row) -> String {
        let process = row.action.process();
        let mut text = self.part(row, process);
        if let Action::Handshake { receiver, .. } = row.action {
            text.push_str(&format!("; {}", self.part(row, receiver)));
        }
        text
    }

    fn part(&self, row: &Row, process: ProcId) -> String {
        let name = &self.program.process(process).name;
        let Some(told) = told(self.program, row, process) else {
            let stores = row.record.writes.iter();
            let stores: Vec<_> = stores
                .map(|w| format!("{} = {}", text::address(self.program, w.address), w.value))
                .collect();
            return format!("{name}: {} reaches memory", stores.join(", "));
        };
        let mut text = format!("{name}: {}", told.text);
        if !told.results.is_empty() {
            text.push_str(&format!(" → {}", told.results.join(" ")));
        }
        if !told.remark.is_empty() {
            text.push_str(&format!(" {}", told.remark));
        }
        if row.record.writes.iter().any(|w| w.to == Target::Buffer) {
            text.push_str(" (into the buffer)");
        }
        if let Some(failure) = told.failure {
            text.push_str(&format!(" ✗ {failure}"));
        }
        text
    }
}

/// The stores that wait in buffers, in the order in which they were made.
struct Waiting {
    stores: Vec<(ProcId, Address, Span)>,
    model: MemoryModel,
}

impl Waiting {
    /// The place of an action, which may make a store wait or end its waiting.
    fn place_of(&mut self, row: &Row, teller: &Teller<'_>) -> Span {
        let (process, step) = match row.action {
            Action::Commit { process, var, index } => {
                return self.committed(process, Address { var, index });
            }
            Action::Step { process, step } | Action::Handshake { process, step, .. } => {
                (process, step)
            }
        };
        let span = teller.span(process, step);
        self.add(process, row.record.writes.iter(), span);
        if let (Action::Handshake { receiver, receive, .. }, Some(record)) =
            (row.action, &row.record.partner)
        {
            self.add(receiver, record.writes.iter(), teller.span(receiver, receive));
        }
        span
    }

    fn add<'w>(
        &mut self,
        process: ProcId,
        writes: impl Iterator<Item = &'w taut_witness::Write>,
        span: Span,
    ) {
        for write in writes.filter(|w| w.to == Target::Buffer) {
            // Where a newer store overwrites an older one, only the newest to a place waits.
            if self.model.overwrites() {
                self.stores.retain(|(p, a, _)| (*p, *a) != (process, write.address));
            }
            self.stores.push((process, write.address, span));
        }
    }

    fn committed(&mut self, process: ProcId, address: Address) -> Span {
        let oldest = self.stores.iter().position(|(p, a, _)| (*p, *a) == (process, address));
        oldest.map_or(Span::NONE, |at| self.stores.remove(at).2)
    }
}
