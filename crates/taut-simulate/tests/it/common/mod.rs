//! A world without files: conditions in the Taut language, and programs that do not grow.

use std::path::Path;

use taut_ir::{Claim, ClaimText, DefId, Finding, Program, PropertyKind};
use taut_lang::Options;
use taut_simulate::{Condition, Host};
use taut_source::{FileId, SourceMap};
use taut_witness::Run;

pub struct World {
    sources: SourceMap,
    file: FileId,
}

impl World {
    pub fn new(text: &str) -> World {
        let mut sources = SourceMap::new();
        let file = sources.add("test.taut", text);
        World { sources, file }
    }

    /// The program of the text.
    #[allow(dead_code)]
    pub fn program(&self) -> Program {
        taut_lang::parse(&self.sources, self.file, &Options::default()).expect("a program")
    }
}

impl Host for World {
    fn name(&self) -> &str {
        "test"
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn file(&self) -> FileId {
        self.file
    }

    fn condition(&self, program: &Program, text: &str) -> Result<Condition, String> {
        let mut sources = SourceMap::new();
        let files = vec![sources.add("condition", text)];
        let claim = Claim { files, text: ClaimText::Formula { name: "condition".into() } };
        let properties = taut_lang::claims(program, &sources, &[claim]);
        let mut properties = properties.map_err(|errors| format!("{errors:?}"))?;
        match properties.pop().map(|p| p.kind) {
            Some(PropertyKind::Ltl(ltl)) => {
                Condition::new(ltl.formula, ltl.atoms).ok_or_else(|| "not of one state".into())
            }
            other => Err(format!("{other:?}")),
        }
    }

    fn grown(&self, _: &Program, _: DefId) -> Option<Program> {
        None
    }

    fn save(&self, _: &Program, _: &Run, _: Option<Finding>, _: &Path) -> Result<(), String> {
        Err("there are no files here".into())
    }
}
