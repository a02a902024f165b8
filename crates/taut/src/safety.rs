//! What a search of all states says about the questions that were asked of states and steps.

use std::sync::Arc;

use taut_explicit::{Completion, Exploration};
use taut_ir::{Memory, Program};
use taut_witness::Trace;

use crate::check::{EngineFault, thread_bound, witness};
use crate::plan::question::Question;
use crate::verdict::{Coverage, PropertyResult, Unknown, Verdict};

/// The answers to some questions, in their order.
pub(crate) fn answers(
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
