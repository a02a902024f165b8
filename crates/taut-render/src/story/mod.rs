//! The story of a violation: why it can happen, in sentences.
//!
//! A run of a relaxed memory model is told by what sequential consistency would not allow: the stores that
//! waited in a buffer while somebody could tell (`stores`, `delays`,
//! found by `search`). Which of them matter is not guessed. A
//! delay whose store may as well reach memory at once, so that [`taut_witness::replay()`] still accepts the run, is
//! left out, and if that is so of all of them the same happens under SC, and the story says so (`matter`).
//! What was late is told by `telling`, what happened one after the other by `steps`, and how it ended by
//! `ending`.
//!
//! Invariant: every row, line and value in a story is true of the run that it tells; rows count from 0 here and
//! from 1 in the text and in [`Sentence::rows`], as [`crate::lanes()`] numbers them.

mod delays;
mod ending;
mod matter;
mod search;
mod steps;
mod stores;
mod telling;

use std::collections::BTreeSet;

use taut_ir::{Finding, ProcId, Program, StepId};
use taut_witness::{Address, Run};

use crate::view::RunView;

pub use delays::{Delay, Overtaking, Overwriting, Seen};
pub use stores::Store;

/// What a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SentenceKind {
    /// A store that was late.
    Delay,
    /// What happened, one thing after the other.
    Step,
    /// What is to be known beside: that this happens under SC, too, or what is left out.
    Remark,
    /// How the run goes on for ever.
    Cycle,
    /// What is violated.
    End,
}

impl SentenceKind {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            SentenceKind::Delay => "delay",
            SentenceKind::Step => "step",
            SentenceKind::Remark => "remark",
            SentenceKind::Cycle => "cycle",
            SentenceKind::End => "end",
        }
    }
}

/// One sentence of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What it is about.
    pub kind: SentenceKind,
    /// The sentence.
    pub text: String,
    /// The rows of the run that it tells of, ascending, the first row being 1.
    pub rows: Vec<usize>,
    /// The lines of the source that it names or that its rows stand for, ascending.
    pub lines: Vec<u32>,
}

/// Why a violation can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Whether the replayer accepts the same steps under SC.
    pub under_sc: bool,
    /// The stores whose being late matters, in the order in which it showed.
    pub delays: Vec<Delay>,
    /// All of it in sentences.
    pub sentences: Vec<Sentence>,
}

impl Story {
    /// The sentences, one after the other.
    pub fn text(&self) -> String {
        let texts: Vec<_> = self.sentences.iter().map(|s| s.text.as_str()).collect();
        texts.join(" ")
    }
}

/// Tells why a finding can happen at the end of a run that [`taut_witness::replay()`] has accepted.
pub fn story(view: RunView<'_>, finding: Finding) -> Story {
    let _phase = taut_budget::phase("a run is explained");
    let (program, run) = (view.program(), view.run());
    let stores = stores::buffered(run);
    let under_sc = matter::is_possible_under_sc(program, run, finding);
    let mut delays = Vec::new();
    if !under_sc {
        let all = search::find(program, run, finding, &stores);
        delays = matter::keep_needed(program, run, finding, &stores, all);
    }
    let teller = Teller { view, program, run, finding };
    let mut sentences = match delays.is_empty() {
        // Races are looked for under SC only: that needs no words.
        true => teller.interleaving(under_sc && program.races.is_none()),
        false => teller.delays(&delays),
    };
    sentences.extend(teller.ending());
    Story { under_sc, delays, sentences }
}

/// All stores that were late in a run, whether or not the finding hangs on it, in the order in which it shows.
pub fn late_stores(program: &Program, run: &Run, finding: Finding) -> Vec<Delay> {
    search::find(program, run, finding, &stores::buffered(run))
}

/// A run, and the names of what is in it.
struct Teller<'a> {
    view: RunView<'a>,
    program: &'a Program,
    run: &'a Run,
    finding: Finding,
}

impl Teller<'_> {
    fn name(&self, process: ProcId) -> &str {
        self.view.names().process(process)
    }

    fn place(&self, address: Address) -> String {
        self.view.names().location(address)
    }

    fn value(&self, address: Address, value: i64) -> String {
        self.view.names().value(address, value)
    }

    /// The step that a process takes in a row.
    fn step_of(&self, row: usize, process: ProcId) -> Option<StepId> {
        self.view.step_of(row, process)
    }

    fn line(&self, row: usize, process: ProcId) -> Option<u32> {
        self.view.line_of(row, process)
    }

    /// " (line 7)", or " (row 3)" where no line is known.
    fn at(&self, row: usize, process: ProcId) -> String {
        match self.line(row, process) {
            Some(line) => format!(" (line {line})"),
            None => format!(" (row {})", row + 1),
        }
    }

    /// A sentence about some rows, with the lines of all who move in them.
    fn sentence(
        &self,
        kind: SentenceKind,
        text: String,
        rows: impl IntoIterator<Item = usize>,
    ) -> Sentence {
        let rows: BTreeSet<usize> = rows.into_iter().collect();
        let moved = rows.iter().filter(|&&row| row < self.view.len());
        let parts = moved.flat_map(|&row| self.view.row(row).parts());
        let lines: BTreeSet<u32> = parts.filter_map(|part| part.line()).collect();
        let rows = rows.into_iter().map(|row| row + 1).collect();
        Sentence { kind, text, rows, lines: lines.into_iter().collect() }
    }
}

/// "a", "a and b", "a, b and c".
fn enumeration(parts: &[String]) -> String {
    match parts {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}
