//! The engine of rounds: a program under TSO is translated to one that does the same under SC, within a scope,
//! and that one is explored.
//!
//! *The paper* is Atig, Bouajjani and Parlato, "Getting Rid of Store-Buffers in TSO Analysis" (CAV 2011);
//! the crate `taut_rounds` has its translation. What is found is mapped back to a run of the program itself,
//! with real buffers, and the replayer judges it like any other.
//!
//! What a scope says is about the runs within it, and the coverage names it. With [`Scopes::Rounds`] and
//! [`Scopes::Ages`] the scopes are tried from the smallest on, and each is also asked whether a run could leave
//! it ([`taut_rounds::Translation::may_leave_scope`]). Once none can, all runs are within it, and what holds
//! there holds for all executions.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use taut_explicit::{Completion, Exploration, Limits, SearchOptions, explore};
use taut_ir::{
    Effect, Expr, Finding, FullBuffer, Memory, MemoryModel, Program, PropId, Property,
    PropertyKind, Span,
};

pub use taut_rounds::{MOST_ROUNDS, Scope, TranslateError, Translation, supports};

use crate::check::{Check, EngineFault, Refusal, Report};
use crate::engines::{is_complete, limit};
use crate::plan::Turn;
use crate::plan::question::Question;
use crate::pool::without_assertions;
use crate::safety;
use crate::verdict::{PropertyResult, Unknown, Verdict};

/// Which scopes the engine of rounds looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scopes {
    /// One.
    One(Scope),
    /// One round a process, then two, and so on: until something is violated, a limit is met, or all runs are
    /// within the scope.
    Rounds,
    /// Stores of age 0, then up to 1, and so on, likewise.
    Ages,
}

/// The largest `k` that is tried when scopes grow. Few programs cover all their runs with more and not with
/// less, and the work grows with each.
pub const MOST_AUTOMATIC: u32 = 8;

impl Scopes {
    fn bounds(self) -> RangeInclusive<u32> {
        match self {
            Scopes::One(scope) => scope.k()..=scope.k(),
            Scopes::Rounds | Scopes::Ages => 0..=MOST_AUTOMATIC,
        }
    }

    fn scope(self, k: u32) -> Scope {
        match self {
            Scopes::One(scope) => scope,
            Scopes::Rounds => Scope::Rounds(k),
            Scopes::Ages => Scope::Age(k),
        }
    }

    /// The smallest scope.
    fn first(self) -> Scope {
        self.scope(*self.bounds().start())
    }

    fn grow(self) -> bool {
        !matches!(self, Scopes::One(_))
    }
}

/// Translates what is asked about the states of a program; properties of runs are left out.
pub fn translate(program: &Program, scope: Scope) -> Result<Translation, TranslateError> {
    taut_rounds::translate(&without_runs(program), scope)
}

/// The same program without its properties of runs.
pub fn states_only(program: &Program) -> Program {
    let mut program = program.clone();
    let kept = program.properties.iter().map(|p| !p.kind.is_temporal());
    let number = |before: &mut usize, kept: bool| {
        let number = *before;
        *before += usize::from(kept);
        Some(PropId::from(number))
    };
    let numbers: Vec<PropId> = kept.scan(0, number).collect();
    program.properties.retain(|p| !p.kind.is_temporal());
    let steps = program.defs.iter_mut().flat_map(|d| &mut d.steps);
    for effect in steps.flat_map(|s| &mut s.effects) {
        if let Effect::Assert { property, .. } = effect {
            *property = numbers[property.index()];
        }
    }
    program
}

/// The same program with nothing asked about runs. Properties keep their numbers.
fn without_runs(program: &Program) -> Program {
    let mut program = program.clone();
    for property in program.properties.iter_mut().filter(|p| p.kind.is_temporal()) {
        property.kind = PropertyKind::Forbid(Expr::Const(0));
    }
    program
}

/// What is known within one scope.
struct Within {
    report: Report,
    /// Whether some run may leave the scope; true if nobody asked.
    leaves: bool,
}

/// The scopes that are left to look at, and what is known so far.
pub(crate) struct Widening {
    scopes: Scopes,
    /// The next `k`.
    next: u32,
    known: Option<Report>,
}

impl Widening {
    /// All scopes are left.
    pub(crate) fn new(scopes: Scopes) -> Widening {
        Widening { scopes, next: *scopes.bounds().start(), known: None }
    }

    /// Looks at scopes for one turn, with a check that is limited to it. A scope that was not finished is looked at again
    /// in the next turn; one that was is not.
    pub(crate) fn go_on(&mut self, check: &Check<'_>, turn: &Turn) -> Result<Report, EngineFault> {
        if !supports(check.memory.model) {
            return Ok(check.nothing_known("rounds are for TSO only"));
        }
        let started = Instant::now();
        while self.scopes.bounds().contains(&self.next) {
            let limits = check.left(started.elapsed());
            let scope = self.scopes.scope(self.next);
            let within = match check.within(scope, self.scopes.grow(), limits) {
                Ok(within) => within?,
                Err(error) => return Ok(check.nothing_known(&error.to_string())),
            };
            let report = match &self.known {
                None => within.report,
                Some(before) => after(before, within.report),
            };
            if turn.is_cut(report.limit) {
                return Ok(report);
            }
            let ended = !within.leaves || check.is_enough(&report);
            self.known = Some(report);
            self.next += 1;
            if ended {
                break;
            }
        }
        let known = self.known.clone();
        Ok(known.unwrap_or_else(|| check.nothing_known("no scope was looked at")))
    }
}

impl Check<'_> {
    /// The limits that are left after some time.
    fn left(&self, elapsed: Duration) -> Limits {
        let time = self.options.limits.time.map(|time| time.saturating_sub(elapsed));
        Limits { time, ..self.options.limits.clone() }
    }

    /// Why the engine of rounds has nothing to say about the program, if that is so.
    pub fn rounds_unsupported(&self, scopes: Scopes) -> Option<TranslateError> {
        translate(self.growing.program, scopes.first()).err()
    }

    /// Whether no larger scope could tell more, or none is to be looked at.
    fn is_enough(&self, report: &Report) -> bool {
        let mut verdicts = report.results.iter().map(|r| &r.verdict);
        let violated = report.is_violated() && !self.options.all;
        violated || !report.complete || !verdicts.any(|v| matches!(v, Verdict::Holds(_)))
    }

    /// A report of one scope.
    fn within(
        &self,
        scope: Scope,
        ask_scope: bool,
        limits: Limits,
    ) -> Result<Result<Within, EngineFault>, TranslateError> {
        let mut latest = None;
        let time = limits.time;
        let options = SearchOptions { deadlock: false, limits, ..self.search_options() };
        let (program, exploration) = self.growing.grow(time, |program, terms| {
            let mut options = SearchOptions { spawn_all: terms.spawn_all, ..options.clone() };
            options.limits.time = terms.time;
            let translation = translate(program, scope)?;
            let (exploration, leaves) = self.search(&translation, ask_scope, &options);
            latest = Some((translation, leaves));
            Ok(exploration)
        })?;
        let (translation, leaves) = latest.expect("one search at least was made");
        let report = self.report(program, &translation, exploration, leaves);
        Ok(report.map(|report| Within { report, leaves }))
    }

    /// Explores a translation; and whether a run may leave the scope.
    ///
    /// The scope is one more question, so that a search which ends without a finding has answered it. If
    /// the first finding is that a run may leave, what is asked of the program is searched for again.
    fn search(
        &self,
        translation: &Translation,
        ask_scope: bool,
        options: &SearchOptions,
    ) -> (Exploration, bool) {
        let program = match self.asserts {
            true => translation.program.clone(),
            false => without_assertions(&translation.program),
        };
        if !ask_scope {
            return (explore(&program, sc(), options), true);
        }
        let started = Instant::now();
        let asked = PropId::from(program.properties.len());
        let mut exploration = explore(&asking(&program, translation), sc(), options);
        let about_scope = |finding: Finding| finding == Finding::Property(asked);
        let leaves = exploration.found.iter().any(|f| about_scope(f.finding));
        exploration.found.retain(|f| !about_scope(f.finding));
        if leaves && exploration.completion == Completion::FirstFinding {
            let mut options = options.clone();
            options.limits.time = remaining(options.limits.time, started);
            exploration = explore(&program, sc(), &options);
        }
        let unsure = exploration.completion != Completion::Complete;
        (exploration, leaves || unsure)
    }

    /// What a search of a translation says about the program.
    fn report(
        &self,
        program: Program,
        translation: &Translation,
        mut exploration: Exploration,
        leaves: bool,
    ) -> Result<Report, EngineFault> {
        for found in &mut exploration.found {
            found.actions = taut_rounds::map_back(translation, &found.actions).map_err(|why| {
                let property = found.finding.name(&program);
                EngineFault { property, refusal: Refusal::MapBack(why) }
            })?;
        }
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, ..self.memory };
        // The arithmetic of rounds cannot fault.
        exploration.may_fault = taut_ir::may_fault(&program);
        let program = Arc::new(program);
        let carried =
            |question: &Question| !matches!(question, Question::Deadlock | Question::FullBuffer);
        let mut questions = self.questions(&program, exploration.may_fault);
        questions.retain(carried);
        let mut results = safety::answers(&questions, memory, &program, &exploration)?;
        if self.asks_deadlock() {
            results.push(not_carried());
        }
        let scope = translation.scope;
        for result in &mut results {
            match &mut result.verdict {
                Verdict::Holds(coverage) => coverage.scope = leaves.then_some(scope),
                Verdict::Violated(_) => result.note = Some(format!("found within {scope}")),
                Verdict::Unknown(_) | Verdict::NotAsked => {}
            }
        }
        Ok(Report {
            engine: ENGINE,
            scope: Some(scope),
            results,
            stats: exploration.stats,
            complete: is_complete(&exploration),
            limit: limit(&exploration),
            reached: reached(&program, translation, &exploration.reached),
            ..self.nothing(memory, program)
        })
    }

    /// A report that says why nothing is known.
    fn nothing_known(&self, why: &str) -> Report {
        let program = Arc::new(self.growing.program.clone());
        let may_fault = taut_ir::may_fault(&program);
        let questions = self.questions(&program, may_fault).into_iter();
        let asked =
            questions.map(|q| q.name_and_kind(&program)).map(|(name, kind)| PropertyResult {
                name,
                kind,
                verdict: Verdict::Unknown(Unknown::NotTranslated(why.into())),
                stats: None,
                note: None,
            });
        let results = asked.collect();
        Report { engine: ENGINE, results, ..self.nothing(self.memory, program) }
    }
}

/// The name of the engine in reports.
pub(crate) const ENGINE: &str = "rounds";

/// What translations run under.
fn sc() -> Memory {
    Memory::new(MemoryModel::Sc)
}

fn remaining(time: Option<Duration>, started: Instant) -> Option<Duration> {
    time.map(|time| time.saturating_sub(started.elapsed()))
}

/// A translation with one more question: may a run leave the scope?
fn asking(program: &Program, translation: &Translation) -> Program {
    let mut program = program.clone();
    let kind = PropertyKind::Forbid(translation.may_leave_scope());
    program.properties.push(Property { name: "scope".into(), kind, span: Span::NONE });
    program
}

/// Deadlocks are not those of the translation, which stops where its rounds are used up.
fn not_carried() -> PropertyResult {
    PropertyResult {
        name: "deadlock".into(),
        kind: "deadlock",
        verdict: Verdict::Unknown(Unknown::NotCarried),
        stats: None,
        note: Some(Unknown::NotCarried.to_string()),
    }
}

/// For each step of the program, whether a process took it.
fn reached(program: &Program, translation: &Translation, reached: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut all: Vec<Vec<bool>> = program.defs.iter().map(|d| vec![false; d.steps.len()]).collect();
    for (def, steps) in reached.iter().enumerate() {
        for (step, _) in steps.iter().enumerate().filter(|(_, reached)| **reached) {
            if let Some(taut_rounds::Role::Take(original)) =
                translation.map.role(def.into(), step.into())
            {
                all[def][original.index()] = true;
            }
        }
    }
    all
}

/// What is known after a larger scope: its answers, the violations of the smaller one, and where it has none
/// but the smaller one has, those.
fn after(before: &Report, report: Report) -> Report {
    let smaller = |name: &str| before.results.iter().find(|r| r.name == name).cloned();
    let better = |result: PropertyResult| match smaller(&result.name) {
        Some(before) if matches!(before.verdict, Verdict::Violated(_)) => before,
        Some(before) if result.verdict.is_open() => {
            let scope = report.scope.map_or_else(String::new, |scope| scope.to_string());
            let note = format!("{scope}: {}", result.verdict.coverage());
            PropertyResult { note: Some(note), ..before }
        }
        _ => result,
    };
    let results = report.results.iter().cloned().map(better).collect();
    Report { results, ..report }
}
