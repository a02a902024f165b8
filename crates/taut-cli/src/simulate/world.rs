//! What the simulator asks of the rest of Taut: conditions in the program's language, larger models, trace files.

use std::path::Path;

use taut::diag::{Diagnostics, FileId, SourceMap};
use taut::ir::{DefId, Finding};
use taut::witness::Run;
use taut::{Loaded, Program};
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

    fn condition(&self, program: &Program, text: &str) -> Result<Condition, String> {
        let ltl = self.loaded.condition(program, text).map_err(|all| first_message(&all))?;
        Condition::new(ltl.formula, ltl.atoms).ok_or_else(|| {
            "a condition is about one state: it has no temporal operators such as [] and <>".into()
        })
    }

    fn grown(&self, program: &Program, def: DefId) -> Option<Program> {
        self.loaded.with_more(program, def)
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
