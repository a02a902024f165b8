//! What a search of all states says about the questions that were asked of states and steps.

use std::sync::Arc;

use taut_dual::DualCounts;
use taut_engine::{Engine, EngineError, EngineResult, Explicit, Job, Unsupported};
use taut_explicit::{Completion, Exploration, Limit, SearchOptions, StoreKind};
use taut_ir::{Memory, Program};
use taut_symbolic::SymbolicCounts;
use taut_witness::Trace;

use crate::check::Check;
use crate::engines;
use crate::outcome::{EngineFault, Refusal, Report, thread_bound, witness};
use crate::question::Question;
use crate::verdict::{Coverage, PropertyResult, QuestionKind, Unknown, Verdict};

impl Check<'_> {
    /// The search that is asked of an engine.
    pub(crate) fn job(&self) -> Job<'_> {
        Job::new(self.growing.program, self.memory, self.search_options())
    }

    /// The reason why the engine that was chosen does not answer, if it does not and none stands in. A reason that is in
    /// the program's text is one in any case.
    pub fn unsupported(&self) -> Option<Unsupported> {
        let usual = || engines::usual(self.growing.program);
        let engine = self.engine.engine().or_else(usual)?;
        let why = engines::supports(engine, &self.job()).err()?;
        Some(why).filter(|why| !why.stand_in || why.code.is_some())
    }

    /// What is asked of states, by one stage of an engine.
    pub(crate) fn by(&self, engine: &dyn Engine, job: &Job<'_>) -> Result<Report, EngineFault> {
        match self.growing.search(engine, job, self.asserts) {
            Ok((program, result)) => self.searched(engine, program, result),
            Err(EngineError::Unsupported(unsupported)) => Ok(self.refused(engine, &unsupported)),
            Err(EngineError::Fault { property, reason }) => {
                Err(EngineFault { property, refusal: Refusal::Engine(reason) })
            }
            // More kinds of errors may come; each is a bug as long as nothing is known of it.
            Err(other) => Err(EngineFault {
                property: engine.id().to_string(),
                refusal: Refusal::Engine(other.to_string()),
            }),
        }
    }

    /// The same, as long as no buffer is full; none as soon as one is.
    pub(crate) fn fitting(&self) -> Result<Option<Report>, EngineFault> {
        let mut job = self.job();
        job.options = SearchOptions { must_fit: true, ..job.options };
        let (program, exploration) = self.growing.explore(self.memory, &job.options, self.asserts);
        match exploration.completion {
            Completion::BufferFull => Ok(None),
            _ => {
                let result = EngineResult::new(exploration, self.memory);
                self.searched(&Explicit, program, result).map(Some)
            }
        }
    }

    /// The report of a search.
    fn searched(
        &self,
        engine: &dyn Engine,
        program: Program,
        result: EngineResult,
    ) -> Result<Report, EngineFault> {
        let EngineResult { exploration, memory, scoped, counts, note, instance, .. } = result;
        let (program, notes) = match instance {
            Some(instance) => (instance.program, instance.notes),
            None => (program, Vec::new()),
        };
        let (program, able) = (Arc::new(program), engine.capabilities());
        let no_deadlock = able.no_deadlock.or(result.no_deadlock);
        let mut questions = self.questions(&program, taut_ir::may_fault(&program));
        questions.retain(|&question| match question {
            Question::FullBuffer => memory.bound.is_some(),
            Question::Deadlock => no_deadlock.is_none(),
            Question::Property(_) | Question::Fault => true,
        });
        let mut results = answers(&questions, memory, &program, &exploration)?;
        if let Some(reason) = no_deadlock.filter(|_| self.asks_deadlock()) {
            results.push(not_carried(reason));
        }
        for result in &mut results {
            match &mut result.verdict {
                Verdict::Holds(coverage) => {
                    coverage.scope = scoped.filter(|scoped| scoped.leaves).map(|s| s.within);
                    coverage.every_number = able.any_number;
                }
                Verdict::Violated(_) => {
                    result.note = scoped.map(|scoped| format!("found within {}", scoped.within));
                }
                verdict if verdict.is_open() => result.note.clone_from(&note),
                _ => {}
            }
        }
        for (found, note) in exploration.found.iter().zip(notes) {
            let name = found.finding.name(&program);
            let violated = results.iter_mut().find(|result| result.name == name);
            violated.into_iter().for_each(|result| result.note = Some(note.clone()));
        }
        let nothing = self.nothing(memory, program);
        Ok(Report {
            engine: engine.id(),
            scope: scoped.map(|scoped| scoped.within),
            leaves: scoped.is_some_and(|scoped| scoped.leaves),
            symbolic: SymbolicCounts::of(&counts),
            dual: DualCounts::of(&counts),
            store: if able.no_store.is_some() { StoreKind::Exact } else { nothing.store },
            threads: if able.threads { nothing.threads } else { 1 },
            is_single: !able.threads,
            results,
            stats: exploration.stats,
            complete: is_complete(&exploration),
            limit: limit(&exploration),
            reached: exploration.reached,
            ..nothing
        })
    }

    /// A report that says why an engine knows nothing.
    pub(crate) fn refused(&self, engine: &dyn Engine, why: &Unsupported) -> Report {
        let program = Arc::new(self.growing.program.clone());
        let questions = self.questions(&program, taut_ir::may_fault(&program)).into_iter();
        let unknown = |(name, kind)| PropertyResult {
            name,
            kind,
            verdict: Verdict::Unknown(Unknown::Unsupported(why.message.clone())),
            stats: None,
            note: None,
        };
        let results = questions.map(|q| q.name_and_kind(&program)).map(unknown).collect();
        Report { engine: engine.id(), results, ..self.nothing(self.memory, program) }
    }
}

/// The answer about deadlocks by an engine that does not tell.
fn not_carried(reason: &'static str) -> PropertyResult {
    let unknown = Unknown::NotCarried(reason);
    PropertyResult {
        name: "deadlock".into(),
        kind: QuestionKind::Deadlock,
        note: Some(unknown.to_string()),
        verdict: Verdict::Unknown(unknown),
        stats: None,
    }
}

/// Whether every reachable state was visited for sure.
fn is_complete(exploration: &Exploration) -> bool {
    exploration.completion == Completion::Complete && exploration.stats.lossy.is_none()
}

/// The limit that ended a search.
fn limit(exploration: &Exploration) -> Option<Limit> {
    match exploration.completion {
        Completion::Limit(limit) => Some(limit),
        _ => None,
    }
}

/// The answers to some questions, in their order.
fn answers(
    questions: &[Question],
    memory: Memory,
    program: &Arc<Program>,
    exploration: &Exploration,
) -> Result<Vec<PropertyResult>, EngineFault> {
    let answers = Answers { memory, program, exploration };
    questions.iter().map(|&question| answers.answer(question)).collect()
}

struct Answers<'a> {
    memory: Memory,
    program: &'a Arc<Program>,
    exploration: &'a Exploration,
}

impl Answers<'_> {
    fn answer(&self, question: Question) -> Result<PropertyResult, EngineFault> {
        let (name, kind) = question.name_and_kind(self.program);
        let found = self.exploration.found.iter().find(|f| question.is_answered_by(f.finding));
        let verdict = match found {
            Some(found) => {
                let actions = found.actions.clone();
                let trace = Trace::new(self.memory, found.finding, actions);
                witness(self.program, trace, &name)?
            }
            None => self.without_witness(),
        };
        Ok(PropertyResult { name, kind, verdict, stats: None, note: None })
    }

    fn without_witness(&self) -> Verdict {
        match self.exploration.completion {
            Completion::Limit(limit) => Verdict::Unknown(Unknown::Limit(limit)),
            Completion::FirstFinding => Verdict::NotAsked,
            Completion::NoProcess(_) | Completion::BufferFull => {
                unreachable!("a search without room for processes or stores was made again")
            }
            // After an answered search only what cannot occur has no witness.
            Completion::Complete | Completion::Answered => Verdict::Holds(self.coverage()),
        }
    }

    fn coverage(&self) -> Coverage {
        let Exploration { bounds_met, stats, .. } = self.exploration;
        let (threads, calls) = (thread_bound(self.program), self.program.call_depth);
        let bounds = Coverage::new(*bounds_met, self.memory, threads, calls);
        Coverage { lossy: stats.lossy, ..bounds.of(self.program, self.memory) }
    }
}
