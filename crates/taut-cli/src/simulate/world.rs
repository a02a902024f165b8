//! What the simulator asks of the rest of Taut: conditions in the program's language, larger models, trace files.

use std::path::Path;

use taut::diag::{Diagnostics, FileId, SourceMap};
use taut::ir::{DefId, Finding, PropertyKind};
use taut::load::LoadOptions;
use taut::promela::slots;
use taut::witness::Run;
use taut::{ExtraProperty, Loaded, Program};
use taut_simulate::{Condition, Host};

use super::super::files;

/// A program that was read, for the simulator.
pub struct World<'l> {
    pub loaded: &'l Loaded,
}

impl Host for World<'_> {
    fn name(&self) -> &str {
        &self.loaded.name
    }

    fn sources(&self) -> &SourceMap {
        &self.loaded.sources
    }

    fn file(&self) -> FileId {
        self.loaded.file
    }

    /// The program is read again together with the condition, so that its front end reads it and it may say
    /// everything that a formula of `--ltl` may.
    fn condition(&self, program: &Program, text: &str) -> Result<Condition, String> {
        let asked = vec![ExtraProperty::Ltl(text.into())];
        let options = LoadOptions { asked, ..self.loaded.options.clone() };
        let source = self.loaded.sources.file(self.loaded.file).text();
        let again = self.loaded.reread(source, options);
        let again = again.map_err(|error| first_message(&error.diagnostics))?;
        let same_size = match &again.promela {
            Some(model) => model.with_slots(slots(program)).ok_or("the model is too large")?,
            None => again.program.clone(),
        };
        let asked = same_size.properties.iter().rev().find(|p| again.asked.contains(&p.name));
        let Some(PropertyKind::Ltl(ltl)) = asked.map(|p| &p.kind) else {
            return Err("this is no condition".into());
        };
        let (formula, atoms) = (ltl.formula.clone(), ltl.atoms.clone());
        Condition::new(formula, atoms).ok_or_else(|| {
            "a condition is about one state: it has no temporal operators such as [] and <>".into()
        })
    }

    fn grown(&self, program: &Program, def: DefId) -> Option<Program> {
        self.loaded.promela.as_ref()?.grown(program, def)
    }

    fn save(
        &self,
        program: &Program,
        run: &Run,
        finding: Option<Finding>,
        path: &Path,
    ) -> Result<(), String> {
        let text = taut::json::recording(self.loaded, program, run, finding)?;
        let written = files::replace(path, text.as_bytes());
        written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }
}

/// The first message, with its hint.
fn first_message(diagnostics: &Diagnostics) -> String {
    let Some(first) = diagnostics.iter().next() else { return "this is no condition".into() };
    match &first.help {
        Some(help) => format!("{} ({help})", first.message),
        None => first.message.clone(),
    }
}
