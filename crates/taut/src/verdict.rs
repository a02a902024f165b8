//! Verdicts, none of which can be read without what it covers.

use std::fmt;
use std::sync::Arc;

use taut_budget::Met;
use taut_engine::Within;
use taut_explicit::{BoundsMet, Limit, Lossy, Stats};
use taut_ir::{Chance, Channels, Fairness, Granularity, Memory, Program, PropertyKind};
use taut_ltl::TooLarge;
use taut_render::RunView;
use taut_witness::{Run, Trace};

use crate::load::Loaded;

/// The answer to one question about a program under one memory model.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds, as far as the coverage says.
    Holds(Coverage),
    /// It does not, and here is a run that the replayer has accepted.
    Violated(Box<Witness>),
    /// The search ended before it could tell.
    Unknown(Unknown),
    /// Of a cover: here is a run that reaches it, which the replayer has accepted.
    Covered(Box<Witness>),
    /// Of a cover: no run reaches it, as far as the coverage says.
    Never(Coverage),
    /// Something else was violated first, and one violation was enough.
    NotAsked,
}

/// A verdict without what it covers: for comparisons, never for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerdictKind {
    /// It holds, as far as a coverage says.
    Holds,
    /// It is violated.
    Violated,
    /// It is not known.
    Unknown,
    /// A run reaches it, as a cover asks for.
    Covered,
    /// No run reaches it, though a cover asks for one.
    Never,
    /// It was not asked.
    NotAsked,
}

impl VerdictKind {
    /// The word for it in reports.
    pub fn word(self) -> &'static str {
        match self {
            VerdictKind::Holds => "holds",
            VerdictKind::Violated => "violated",
            VerdictKind::Unknown => "unknown",
            VerdictKind::Covered => "covered",
            VerdictKind::Never => "never",
            VerdictKind::NotAsked => "not asked",
        }
    }
}

impl Verdict {
    /// The verdict without what it covers.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Holds(_) => VerdictKind::Holds,
            Verdict::Violated(_) => VerdictKind::Violated,
            Verdict::Unknown(_) => VerdictKind::Unknown,
            Verdict::Covered(_) => VerdictKind::Covered,
            Verdict::Never(_) => VerdictKind::Never,
            Verdict::NotAsked => VerdictKind::NotAsked,
        }
    }

    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }

    /// The run that shows a violation.
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Verdict::Violated(witness) => Some(witness),
            _ => None,
        }
    }

    /// The run that shows what was asked: a violation, or what a cover asks for.
    pub fn run(&self) -> Option<&Witness> {
        match self {
            Verdict::Violated(witness) | Verdict::Covered(witness) => Some(witness),
            _ => None,
        }
    }

    /// The coverage of an answer about all runs: what holds, and what never happens.
    pub fn of_all_runs(&self) -> Option<&Coverage> {
        match self {
            Verdict::Holds(coverage) | Verdict::Never(coverage) => Some(coverage),
            _ => None,
        }
    }

    /// Whether it is what the user does not want: a violation, or a cover that no run reaches.
    pub fn is_bad(&self) -> bool {
        matches!(self, Verdict::Violated(_) | Verdict::Never(_))
    }

    /// Whether a limit left it open.
    pub fn is_open(&self) -> bool {
        let Verdict::Unknown(why) = self else { return false };
        !matches!(why, Unknown::NotCarried(_))
    }

    /// What it covers, in words.
    pub fn coverage(&self) -> String {
        match self {
            Verdict::Holds(coverage) | Verdict::Never(coverage) => coverage.to_string(),
            Verdict::Violated(witness) | Verdict::Covered(witness) => witness.extent(),
            Verdict::Unknown(unknown) => unknown.to_string(),
            Verdict::NotAsked => "ended at the first violation".into(),
        }
    }
}

/// A number of steps in words.
pub fn steps(count: usize) -> String {
    if count == 1 { "1 step".into() } else { format!("{count} steps") }
}

/// What a `holds` covers.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Coverage {
    /// Buffers were full at this size somewhere; runs that need larger ones were not looked at.
    pub buffer: Option<u32>,
    /// So many processes of a definition ran at once somewhere, and another was to be spawned.
    pub threads: Option<u32>,
    /// Number of objects of each allocation, if an allocation found none that was free.
    pub objects: Option<u32>,
    /// Calls were nested so deep somewhere, and another was to be made.
    pub calls: Option<u32>,
    /// Only runs within this scope were looked at: so many rounds per process, or stores up to some age.
    pub scope: Option<Within>,
    /// For what is asked of runs: only fair ones count.
    pub fairness: Option<Fairness>,
    /// Runs end where a step faults. Some do, or it is not known that none does: what such a run would have
    /// done afterwards was not looked at.
    pub without_fault: bool,
    /// States may have been missed, because the store takes some for others: the answer is no proof.
    pub lossy: Option<Lossy>,
    /// What is done in one step, where that is not what the program's language says.
    pub granularity: Option<Granularity>,
    /// Sends did not wait for store buffers, which there are under this memory model.
    pub free_channels: bool,
    /// Only sequentially consistent executions were looked at, whatever the memory model of the check is.
    pub only_sc: bool,
    /// The values that were tried where any could come, in words.
    pub values: Option<Arc<str>>,
    /// Every number of processes was looked at, where the program leaves it open.
    pub every_number: bool,
}

impl Coverage {
    /// Coverage from the bounds in force and those that were met.
    pub(crate) fn new(met: BoundsMet, memory: Memory, threads: u32, calls: u32) -> Coverage {
        Coverage {
            buffer: memory.bound.filter(|_| met.buffer),
            threads: met.threads.then_some(threads),
            calls: met.calls.then_some(calls),
            objects: None,
            scope: None,
            fairness: None,
            without_fault: false,
            lossy: None,
            granularity: None,
            free_channels: false,
            only_sc: false,
            values: None,
            every_number: false,
        }
    }

    /// The coverage of a program: with the meanings of its steps that are not the usual ones.
    pub(crate) fn of(self, program: &Program, memory: Memory) -> Coverage {
        let is_free = crate::load::channels(program) == Some(Channels::Free);
        let free_channels = is_free && memory.model.has_bound();
        let heap = program.heap.filter(|_| self.threads.is_some());
        let threads = self.threads.filter(|_| heap.is_none_or(|heap| !heap.fixed_threads));
        let objects = heap.map(|heap| heap.objects);
        let values = tried(&program.chances);
        let granularity = program.granularity;
        Coverage { granularity, free_channels, threads, objects, values, ..self }
    }

    /// Whether all runs that this covers are covered by an answer about faults, too.
    ///
    /// Searches of one check have the same bounds on buffers, threads and calls, so a bound that only one of them
    /// met makes no difference: the other one was never held back by it. A scope and a store that misses states
    /// are different. They leave out runs that the other search may have looked at.
    pub(crate) fn is_within(&self, of_faults: &Coverage) -> bool {
        let scope = of_faults.scope.is_none() || of_faults.scope == self.scope;
        scope && (of_faults.lossy.is_none() || self.lossy.is_some())
    }

    /// Whether every execution is covered, with buffers, threads and calls without bounds; of
    /// runs, every fair one.
    pub fn is_everything(&self) -> bool {
        self.has_no_bound() && !self.without_fault && self.lossy.is_none()
    }

    fn has_no_bound(&self) -> bool {
        let Coverage { buffer, threads, calls, objects, scope, values, .. } = self;
        let threads = threads.is_none() && calls.is_none() && objects.is_none();
        buffer.is_none() && scope.is_none() && threads && values.is_none()
    }

    /// The bounds that were met, in words.
    fn bounds(&self) -> String {
        let parts = [
            self.scope.map(Within::long),
            self.buffer.map(|k| format!("bound {k}")),
            self.threads.map(|n| {
                if n == 1 { "1 spawned thread".into() } else { format!("{n} spawned threads") }
            }),
            self.calls.map(|n| format!("call depth {n}")),
            self.objects.map(|n| format!("{n} objects per allocation (--heap)")),
            self.values.as_ref().map(ToString::to_string),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The values that are tried where any could come, in words: `values -1..2, 10 of rand() (lines 3, 8)`.
fn tried(chances: &[Chance]) -> Option<Arc<str>> {
    let mut groups: Vec<(&Chance, Vec<u32>)> = Vec::new();
    for chance in chances {
        let same = |(other, _): &&mut (&Chance, Vec<u32>)| {
            (&other.name, &other.values) == (&chance.name, &chance.values)
        };
        match groups.iter_mut().find(same) {
            Some((_, lines)) if lines.contains(&chance.line) => {}
            Some((_, lines)) => lines.push(chance.line),
            None => groups.push((chance, vec![chance.line])),
        }
    }
    let words = |(chance, lines): &(&Chance, Vec<u32>)| {
        format!("values {} of {} ({})", ranges(&chance.values), chance.name, places(lines))
    };
    let all: Vec<String> = groups.iter().map(words).collect();
    (!all.is_empty()).then(|| all.join(", ").into())
}

/// Some numbers in order, neighbours as a range.
fn ranges(values: &[i64]) -> String {
    let mut parts: Vec<(i64, i64)> = Vec::new();
    for &value in values {
        match parts.last_mut() {
            Some((_, high)) if high.checked_add(1) == Some(value) => *high = value,
            _ => parts.push((value, value)),
        }
    }
    let part = |&(low, high): &(i64, i64)| match high.wrapping_sub(low) {
        0 => low.to_string(),
        1 => format!("{low}, {high}"),
        _ => format!("{low}..{high}"),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// Some lines, the first of them by their numbers.
fn places(lines: &[u32]) -> String {
    const SHOWN: usize = 4;
    let numbers: Vec<String> = lines.iter().take(SHOWN).map(u32::to_string).collect();
    match lines.len() {
        1 => format!("line {}", numbers[0]),
        n if n <= SHOWN => format!("lines {}", numbers.join(", ")),
        n => format!("lines {} and {} more", numbers.join(", "), n - SHOWN),
    }
}

/// The words for a coverage that leaves out what comes after a fault.
const WITHOUT_FAULT: &str = "runs without a fault";

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.has_no_bound(), self.without_fault) {
            (true, false) if self.only_sc => {
                f.write_str("all sequentially consistent executions")?;
            }
            (true, false) => f.write_str("all executions")?,
            (true, true) => f.write_str(WITHOUT_FAULT)?,
            (false, false) => write!(f, "up to {}", self.bounds())?,
            (false, true) => write!(f, "up to {}, {WITHOUT_FAULT}", self.bounds())?,
        }
        if self.every_number {
            f.write_str(", every number of threads")?;
        }
        if let Some(fairness) = self.fairness {
            write!(f, "{}", Under(fairness))?;
        }
        if let Some(granularity) = self.granularity {
            write!(f, ", {}", granularity.describe())?;
        }
        if self.free_channels {
            f.write_str(", channels free")?;
        }
        if self.only_sc && (self.without_fault || !self.has_no_bound()) {
            f.write_str(", sequentially consistent executions only")?;
        }
        match self.lossy {
            Some(lossy) => write!(f, ", but for states that may be missed ({})", trust(lossy)),
            None => Ok(()),
        }
    }
}

/// How far a store that can miss states is to be trusted, in words. Neither number is rounded to its good side.
pub fn trust(lossy: Lossy) -> String {
    match lossy {
        // One part in twenty is the most that one decimal place takes away.
        Lossy::Omission(most) => format!("probability at most {:.1e}", most * 1.05),
        Lossy::Coverage(share) => {
            format!("about {:.2} % visited", (share * 10_000.0).floor() / 100.0)
        }
    }
}

/// Fairness as it stands at the end of a verdict.
struct Under(Fairness);

impl fmt::Display for Under {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Fairness::NONE => f.write_str(", no fairness"),
            fairness => write!(f, ", fairness {fairness}"),
        }
    }
}

/// Why the search could not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// A search met a limit.
    Limit(Limit),
    /// The budget of the command was spent before or between searches.
    Spent(Met),
    /// The automaton of the property is too large.
    TooLarge(TooLarge),
    /// The engine that was chosen does not know the program or the memory model.
    Unsupported(String),
    /// The engine that was chosen does not answer such questions, for this reason.
    NotCarried(&'static str),
    /// It holds by the search, and a certificate was demanded that there is not, for this reason.
    Uncertified(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Limit(limit) => limit.fmt(f),
            Unknown::Spent(met) => met.fmt(f),
            Unknown::TooLarge(error) => error.fmt(f),
            Unknown::Unsupported(why) => f.write_str(why),
            Unknown::NotCarried(why) => write!(f, "not asked: {why}"),
            Unknown::Uncertified(why) => f.write_str(why),
        }
    }
}

/// A violation, replayed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Witness {
    /// The program that it is a run of. A Promela model may have been given more processes for one question
    /// than for another.
    pub program: Arc<Program>,
    /// What happens.
    pub trace: Trace,
    /// What is read and written on the way, as the replayer saw it.
    pub run: Run,
}

impl Witness {
    /// A run of a program that the replayer has accepted.
    pub fn new(program: Arc<Program>, trace: Trace, run: Run) -> Witness {
        Witness { program, trace, run }
    }

    /// The run, as outputs draw it.
    pub fn view<'a>(&'a self, loaded: &'a Loaded) -> RunView<'a> {
        RunView::new(&self.program, &loaded.sources, &self.run)
    }

    /// How long the run is, in words.
    fn extent(&self) -> String {
        let length = self.trace.actions.len();
        match self.trace.lasso {
            None => format!("a run of {}", steps(length)),
            Some(lasso) if lasso.cycle == length => {
                format!("a run of {} that ends", steps(length)) + &Under(lasso.fairness).to_string()
            }
            Some(lasso) => {
                let cycle = length - lasso.cycle;
                let under = Under(lasso.fairness);
                format!("{}, then a cycle of {cycle}{under}", steps(lasso.cycle))
            }
        }
    }
}

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuestionKind {
    /// An assertion in a step.
    Assert,
    /// A condition that no state may have.
    Forbid,
    /// A condition that some state is to have.
    Cover,
    /// A condition that every state must have.
    Invariant,
    /// Whether everything can get stuck.
    Deadlock,
    /// Whether a step can fault.
    Fault,
    /// Whether a store can meet a full buffer, where that is an error.
    FullBuffer,
    /// A formula about runs.
    Ltl,
    /// A never claim.
    Never,
    /// Whether two accesses race.
    Race,
    /// Whether every run is like a sequentially consistent one.
    Robust,
}

impl QuestionKind {
    /// The word for it in reports.
    pub fn word(self) -> &'static str {
        match self {
            QuestionKind::Assert => "assert",
            QuestionKind::Forbid => "forbid",
            QuestionKind::Cover => "cover",
            QuestionKind::Invariant => "invariant",
            QuestionKind::Deadlock => "deadlock",
            QuestionKind::Fault => "fault",
            QuestionKind::FullBuffer => "full-buffer",
            QuestionKind::Ltl => "ltl",
            QuestionKind::Never => "never",
            QuestionKind::Race => "race",
            QuestionKind::Robust => "robust",
        }
    }
}

impl From<&PropertyKind> for QuestionKind {
    fn from(kind: &PropertyKind) -> QuestionKind {
        match kind {
            PropertyKind::Assert => QuestionKind::Assert,
            PropertyKind::Forbid(_) => QuestionKind::Forbid,
            PropertyKind::Cover(_) => QuestionKind::Cover,
            PropertyKind::Invariant(_) => QuestionKind::Invariant,
            PropertyKind::Ltl(_) => QuestionKind::Ltl,
            PropertyKind::Never(_) => QuestionKind::Never,
        }
    }
}

impl fmt::Display for QuestionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The answer to one question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PropertyResult {
    /// The name of the property.
    pub name: String,
    /// The kind of question it is.
    pub kind: QuestionKind,
    /// The answer.
    pub verdict: Verdict,
    /// For what is asked of runs, the counts of the search for one.
    pub stats: Option<Stats>,
    /// What else is to be said about the search.
    pub note: Option<String>,
}

/// What some answers cover, without repetition.
pub fn coverages<'r>(results: impl Iterator<Item = &'r PropertyResult>) -> String {
    let mut all: Vec<String> = Vec::new();
    for coverage in results.map(|r| r.verdict.coverage()) {
        if !all.contains(&coverage) {
            all.push(coverage);
        }
    }
    if all.is_empty() { "nothing was asked".into() } else { all.join("; ") }
}

#[cfg(test)]
mod tests {
    use taut_rounds::Scope;

    use super::*;

    #[test]
    fn what_may_be_missed_is_part_of_the_coverage() {
        let compact = Coverage { lossy: Some(Lossy::Omission(1.2e-9)), ..Coverage::default() };
        assert!(!compact.is_everything());
        assert_eq!(
            compact.to_string(),
            "all executions, but for states that may be missed (probability at most 1.3e-9)"
        );
        let bitstate =
            Coverage { lossy: Some(Lossy::Coverage(0.99999)), buffer: Some(2), ..compact };
        assert_eq!(
            bitstate.to_string(),
            "up to bound 2, but for states that may be missed (about 99.99 % visited)"
        );
    }

    #[test]
    fn runs_that_fault_are_not_all_executions() {
        let cut = Coverage { without_fault: true, ..Coverage::default() };
        assert!(!cut.is_everything());
        assert_eq!(cut.to_string(), "runs without a fault");
        let fair = Coverage { fairness: Some(Fairness::ALL), ..cut.clone() };
        assert_eq!(fair.to_string(), "runs without a fault, fairness all");
        let bounded = Coverage { buffer: Some(2), ..cut };
        assert_eq!(bounded.to_string(), "up to bound 2, runs without a fault");
    }

    #[test]
    fn faults_within_a_scope_say_nothing_beyond_it() {
        let everything = Coverage::default();
        let scope = Coverage { scope: Some(Scope::Rounds(2).into()), ..Coverage::default() };
        assert!(scope.is_within(&scope) && scope.is_within(&everything));
        assert!(!everything.is_within(&scope));
        let bounded = Coverage { buffer: Some(2), ..Coverage::default() };
        assert!(everything.is_within(&bounded));
    }

    #[test]
    fn values_that_were_tried_are_part_of_the_coverage() {
        let chance = |name: &str, line: u32, values: &[i64]| Chance {
            name: name.into(),
            line,
            values: values.to_vec(),
        };
        let chances = [
            chance("rand()", 12, &[-1, 0, 1, 2, 10]),
            chance("rand()", 14, &[-1, 0, 1, 2, 10]),
            chance("random()", 20, &[0, 1]),
        ];
        let values = Coverage { values: tried(&chances), ..Coverage::default() };
        assert!(!values.is_everything());
        assert_eq!(
            values.to_string(),
            "up to values -1..2, 10 of rand() (lines 12, 14), values 0, 1 of random() (line 20)"
        );
        assert_eq!(tried(&[]), None);
    }
}
