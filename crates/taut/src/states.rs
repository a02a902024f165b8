//! What a search of all states says about the questions that were asked of states and steps.

use std::sync::Arc;

use taut_ir::{Finding, FullBuffer, Memory, Program, PropId, PropertyKind};
use taut_search::{Completion, Exploration};
use taut_witness::Trace;

use crate::check::{EngineFault, thread_bound, witness};
use crate::verdict::{Coverage, PropertyResult, Unknown, Verdict};

/// What is asked besides the properties of the program.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) memory: Memory,
    pub(crate) asserts: bool,
    pub(crate) deadlock: bool,
}

/// The answers, in the order of the program, deadlock and faults last.
pub(crate) fn answers(
    asked: Asked,
    program: &Arc<Program>,
    exploration: &Exploration,
) -> Result<Vec<PropertyResult>, EngineFault> {
    let answers = Answers { asked, program, exploration };
    answers.questions().into_iter().map(|question| answers.answer(question)).collect()
}

struct Answers<'a> {
    asked: Asked,
    program: &'a Arc<Program>,
    exploration: &'a Exploration,
}

impl Answers<'_> {
    fn questions(&self) -> Vec<Question> {
        let memory = self.asked.memory;
        let is_asked = |&id: &PropId| match self.program.property(id).kind {
            PropertyKind::Assert => self.asked.asserts,
            PropertyKind::Forbid(_) | PropertyKind::Invariant(_) => true,
            PropertyKind::Ltl(_) | PropertyKind::Never(_) => false,
        };
        let properties = self.program.property_ids().filter(is_asked);
        let mut all: Vec<_> = properties.map(Question::Property).collect();
        if self.asked.deadlock {
            all.push(Question::Deadlock);
        }
        if self.exploration.may_fault {
            all.push(Question::Fault);
        }
        if memory.full_buffer == FullBuffer::Error && memory.model.has_bound() {
            all.push(Question::FullBuffer);
        }
        all
    }

    fn answer(&self, question: Question) -> Result<PropertyResult, EngineFault> {
        let (name, kind) = question.name_and_kind(self.program);
        let found = self.exploration.found.iter().find(|f| question.is_answered_by(f.finding));
        let verdict = match found {
            Some(found) => {
                let actions = found.actions.clone();
                let trace = Trace::new(self.asked.memory, found.finding, actions);
                witness(self.program, trace, &name)?
            }
            None => self.without_witness(),
        };
        Ok(PropertyResult { name, kind, verdict, stats: None, note: None })
    }

    fn without_witness(&self) -> Verdict {
        match self.exploration.completion {
            Completion::Limit(limit) => Verdict::Unknown(Unknown::Limit(limit)),
            Completion::FirstFinding => Verdict::Unknown(Unknown::Stopped),
            Completion::NoProcess(_) | Completion::BufferFull => {
                unreachable!("a search without room for processes or stores was made again")
            }
            Completion::Complete => Verdict::Holds(self.coverage()),
        }
    }

    fn coverage(&self) -> Coverage {
        let Exploration { bounds_met, stats, .. } = self.exploration;
        let (threads, calls) = (thread_bound(self.program), self.program.call_depth);
        let bounds = Coverage::new(*bounds_met, self.asked.memory, threads, calls);
        let granularity = self.program.granularity;
        Coverage { lossy: stats.lossy, granularity, ..bounds }
    }
}

/// Something that is asked of a program.
#[derive(Clone, Copy)]
enum Question {
    Property(PropId),
    Deadlock,
    Fault,
    FullBuffer,
}

impl Question {
    fn is_answered_by(self, finding: Finding) -> bool {
        match (self, finding) {
            (Question::Property(asked), Finding::Property(found)) => asked == found,
            (Question::Deadlock, Finding::Deadlock)
            | (Question::Fault, Finding::Fault(_))
            | (Question::FullBuffer, Finding::FullBuffer) => true,
            _ => false,
        }
    }

    fn name_and_kind(self, program: &Program) -> (String, &'static str) {
        match self {
            Question::Property(id) => {
                let property = program.property(id);
                (property.name.clone(), property.kind.word())
            }
            Question::Deadlock => ("deadlock".into(), "deadlock"),
            Question::Fault => ("fault".into(), "fault"),
            Question::FullBuffer => ("full-buffer".into(), "full-buffer"),
        }
    }
}
