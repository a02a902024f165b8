//! What is done to every program of a model after its front end made it: questions from outside, and one access per step.

use taut_ir::frontend::{Labelled, Lowered};
use taut_ir::granularity::{Most, split_program};
use taut_ir::{Claim, Granularity, Program};
use taut_source::{Diagnostic, Diagnostics, SourceMap, Span};

use super::{LoadOptions, Loaded};
use crate::extra;
use crate::frontends::Language;

impl Loaded {
    pub(super) fn finish(&self) -> Finish<'_> {
        Finish {
            language: self.language,
            options: &self.options,
            claims: &self.claims,
            sources: &self.sources,
        }
    }
}

/// What is done to every program of a model after its front end made it.
pub(super) struct Finish<'f> {
    pub(super) language: Language,
    pub(super) options: &'f LoadOptions,
    pub(super) claims: &'f [Claim],
    pub(super) sources: &'f SourceMap,
}

impl Finish<'_> {
    fn granularity(&self) -> Granularity {
        self.options.granularity.unwrap_or(self.language.granularity())
    }

    /// Adds the questions that the front end did not read, and splits statements if it did not do that.
    pub(super) fn program(&self, lowered: Lowered) -> Result<Program, Diagnostics> {
        let Lowered { mut program, labelled, .. } = lowered;
        if !self.language.reads_claims() && !self.claims.is_empty() {
            let properties = taut_lang::claims(&program, self.sources, self.claims)?;
            program.properties.extend(properties);
        }
        let labelled = labelled.unwrap_or_else(|| Labelled::of(&program));
        extra::add_labels(&self.options.asked, &mut program, &labelled);
        let (usual, granularity) = (self.language.granularity(), self.granularity());
        if granularity == Granularity::Access && usual == Granularity::Statement {
            program = split(program)?;
        }
        program.granularity = Some(granularity).filter(|g| *g != usual);
        Ok(program)
    }
}

/// A program with one access per step.
fn split(program: Program) -> Result<Program, Diagnostics> {
    split_program(program, Most::default()).map_err(|what| {
        let message = format!("with one access per step the program has too many {}", what.word());
        let found = Diagnostic::error("E0014", message, Span::NONE);
        found.help("use `--granularity statement`, or split large conditions").into()
    })
}
