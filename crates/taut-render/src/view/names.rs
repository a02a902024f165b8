//! What everything in a program is called.

use std::collections::BTreeSet;

use taut_ir::{Action, Lvalue, ProcId, Program, RegId, Span, Step, StepId, VarId, VarKind};
use taut_source::{FileId, SourceMap};
use taut_witness::{Address, Row, State, text};

use super::part::PartView;
use super::state::StateView;

/// True for the name of a variable or register that is bookkeeping of a front end: it begins with a quote, which no name of
/// a source does.
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('\'')
}

/// The arrays of constants: ghosts that no step writes.
pub fn constants(program: &Program) -> BTreeSet<VarId> {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let places = steps.flat_map(|step| step.stores().filter_map(Lvalue::variable));
    let written: BTreeSet<VarId> = places.collect();
    let is_constant = |id: &VarId| {
        let variable = program.var(*id);
        let array = variable.kind == VarKind::Ghost && variable.len.is_some();
        array && !written.contains(id)
    };
    program.var_ids().filter(is_constant).collect()
}

/// The name of a file without its folder and its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

/// The names of a program: of processes, locations, registers and steps, with the lines on which they stand.
///
/// The words themselves are those of [`taut_witness::text`], which the messages of the replayer use, too.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
}

impl<'a> Names<'a> {
    /// The names of a program that was read from some sources.
    pub fn new(program: &'a Program, sources: &'a SourceMap) -> Names<'a> {
        Names { program, sources }
    }

    /// The program.
    pub fn program(self) -> &'a Program {
        self.program
    }

    /// The texts that it was read from.
    pub fn sources(self) -> &'a SourceMap {
        self.sources
    }

    /// The name of a process.
    pub fn process(self, process: ProcId) -> &'a str {
        &self.program.process(process).name
    }

    /// `x`, or `a[2]` for an element of an array.
    pub fn location(self, address: Address) -> String {
        text::address(self.program, address)
    }

    /// `x=1`.
    pub fn store(self, address: Address, value: i64) -> String {
        format!("{}={}", self.location(address), self.value(address, value))
    }

    /// A value of a location: a number, or what the source calls it.
    pub fn value(self, address: Address, value: i64) -> String {
        text::value(self.program, address, value)
    }

    /// `r`, or `r[2]` for an element of an array.
    pub fn register(self, process: ProcId, id: RegId, index: u32) -> String {
        text::register(self.program, process, id, index)
    }

    /// A value of a register: a number, or what the source calls it.
    pub fn register_value(self, process: ProcId, id: RegId, value: i64) -> String {
        text::register_value(self.program, process, id, value)
    }

    /// A step of a process, if there is one.
    pub fn find_step(self, process: ProcId, step: StepId) -> Option<&'a Step> {
        text::find_step(self.program, process, step)
    }

    /// The text of a step.
    pub fn step(self, process: ProcId, step: StepId) -> String {
        text::step(self.program, process, step)
    }

    /// The line on which a step stands.
    pub fn step_line(self, process: ProcId, step: StepId) -> Option<u32> {
        self.line(self.find_step(process, step)?.span)
    }

    /// The line on which a span starts.
    pub fn line(self, span: Span) -> Option<u32> {
        text::line(self.sources, span)
    }

    /// The line on which a span starts, with the name of its file if that is not the program's own: `6`, `locks:6`.
    pub fn line_word(self, span: Span) -> Option<String> {
        let line = self.line(span)?;
        let file = self.sources.get(span.file).filter(|_| span.file != FileId(0));
        Some(match file {
            Some(file) => format!("{}:{line}", stem(file.name())),
            None => line.to_string(),
        })
    }

    /// An action in one line, without what it did: `p[0]: x := 1`, `p: c!1, q: c?x`, or `p[0]: x commits`.
    pub fn action(self, action: Action) -> String {
        text::describe_action(self.program, action)
    }

    /// A state with these names.
    pub fn state<'s>(self, state: &'s State) -> StateView<'s>
    where
        'a: 's,
    {
        StateView::new(self, state)
    }

    /// The part of a process in a row; none if it has none.
    pub fn part(self, row: &'a Row, process: ProcId) -> Option<PartView<'a>> {
        self.parts(row).find(|part| part.process() == process)
    }

    /// What happens in a row: the part of the process that moves, sends or whose store commits, and in a rendezvous that
    /// of the receiver after it.
    pub fn parts(self, row: &'a Row) -> impl Iterator<Item = PartView<'a>> {
        let (step, partner) = match (row.action, &row.record.partner) {
            (Action::Handshake { step, receiver, receive, .. }, Some(record)) => {
                (Some(step), Some((receiver, receive, &**record)))
            }
            (Action::Step { step, .. } | Action::Handshake { step, .. }, _) => (Some(step), None),
            (Action::Commit { .. }, _) => (None, None),
        };
        let failure = row.failure.as_ref();
        let after = &row.after;
        let part = PartView::new(self, (row.action.process(), step), &row.record, after, failure);
        let partner = partner.map(|(process, step, record)| {
            PartView::new(self, (process, Some(step)), record, after, failure)
        });
        std::iter::once(part).chain(partner)
    }
}
