//! A violation as a story.

use serde::Serialize;
use taut_render::{Sentence, Story};

use crate::load::Loaded;
use crate::outcome::Report;
use crate::verdict::{PropertyResult, VerdictKind, coverages};

/// What is violated first under one memory model and why it can happen, as the schema `explain` describes it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ExplainDocument<'a> {
    /// The file of the program, as it was named.
    pub file: &'a str,
    /// The memory model.
    pub model: &'static str,
    /// The worst verdict.
    pub verdict: &'static str,
    /// What is violated, else none.
    pub property: Option<&'a str>,
    /// The kind of what is violated.
    pub kind: Option<&'static str>,
    /// What the verdict covers.
    pub coverage: String,
    /// Whether the same steps are a violation under SC.
    pub under_sc: Option<bool>,
    /// The story.
    pub sentences: Vec<SentenceDocument<'a>>,
}

/// A sentence of a story.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SentenceDocument<'a> {
    /// Its kind.
    pub kind: &'static str,
    /// The sentence.
    pub text: &'a str,
    /// The rows of the run that it tells, from 1.
    pub rows: &'a [usize],
    /// The lines of the program that it tells, from 1.
    pub lines: &'a [u32],
}

impl<'a> From<&'a Sentence> for SentenceDocument<'a> {
    fn from(sentence: &'a Sentence) -> SentenceDocument<'a> {
        let Sentence { kind, text, rows, lines } = sentence;
        SentenceDocument { kind: kind.word(), text, rows, lines }
    }
}

impl<'a> ExplainDocument<'a> {
    /// The document of a report, with the story of what is violated first.
    pub fn new(
        loaded: &'a Loaded,
        report: &'a Report,
        told: Option<&'a (&'a PropertyResult, Story)>,
    ) -> ExplainDocument<'a> {
        let verdict = match told {
            Some(_) => VerdictKind::Violated,
            None => report.verdict_kind(),
        };
        let coverage = match told {
            Some((result, _)) => result.verdict.coverage(),
            None => coverages(report.answers(verdict)),
        };
        let sentences = told.map_or(&[][..], |(_, story)| &story.sentences);
        ExplainDocument {
            file: &loaded.name,
            model: report.memory.model.name(),
            verdict: verdict.word(),
            property: told.map(|(result, _)| result.name.as_str()),
            kind: told.map(|(result, _)| result.kind.word()),
            coverage,
            under_sc: told.map(|(_, story)| story.under_sc),
            sentences: sentences.iter().map(SentenceDocument::from).collect(),
        }
    }
}
