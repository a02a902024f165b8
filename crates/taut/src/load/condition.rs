//! Conditions about the states of a program that was read, in the words of its language.

use taut_ir::frontend::slots;
use taut_ir::{Claim, ClaimText, Ltl, Program, Property, PropertyKind};
use taut_source::{Diagnostic, Diagnostics, Span};

use super::{LoadOptions, Loaded};
use crate::extra::ExtraProperty;

impl Loaded {
    /// A condition about the states of one of the model's programs, in the words of its language. It may say everything
    /// that a formula of `--ltl` may.
    pub fn condition(&self, program: &Program, text: &str) -> Result<Ltl, Diagnostics> {
        let found = match self.further_claims(program, text)? {
            Some(properties) => properties,
            None => self.reread_with(program, text)?,
        };
        match found.into_iter().next_back().map(|property| property.kind) {
            Some(PropertyKind::Ltl(ltl)) => Ok(*ltl),
            _ => Err(Diagnostic::error("E0007", "this is no condition", Span::NONE).into()),
        }
    }

    /// The property of a formula, without reading the program again; none if that cannot be done.
    fn further_claims(
        &self,
        program: &Program,
        text: &str,
    ) -> Result<Option<Vec<Property>>, Diagnostics> {
        // Where statements were split after the front end made the program, its numbers of program points are others.
        if self.granularity() != self.language.granularity() {
            return Ok(None);
        }
        let mut sources = self.sources.clone();
        let file = sources.add_bytes("--ltl", text.as_bytes().to_vec()).map_err(|d| *d)?;
        // A name that no property has.
        let name = ClaimText::Formula { name: "the condition".into() };
        let claims = [Claim { files: vec![file], text: name }];
        match self.model.claims(program, &sources, &claims) {
            Some(read) => read.map(Some),
            None if !self.language.reads_claims() => {
                taut_lang::claims(program, &sources, &claims).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The property of a formula, read together with the program, of the size of another program.
    fn reread_with(&self, program: &Program, text: &str) -> Result<Vec<Property>, Diagnostics> {
        let asked = vec![ExtraProperty::Ltl(text.into())];
        let options = LoadOptions { asked, ..self.options.clone() };
        let source = self.sources.file(self.file).text();
        let again = self.reread(source, options).map_err(|error| error.diagnostics)?;
        let same_size = match again.grows() {
            true => again.with_slots(&slots(program)),
            false => Some(again.program.clone()),
        };
        let too_large = || Diagnostic::error("E0007", "the model is too large", Span::NONE);
        let mut properties = same_size.ok_or_else(too_large)?.properties;
        properties.retain(|property| again.asked.contains(&property.name));
        Ok(properties)
    }
}
