//! The texts that a program was read from.

use std::collections::HashSet;

use super::Loaded;
use crate::extra::ExtraProperty;
use crate::provenance::{Provenance, Source};

impl Loaded {
    /// The bytes of the file as they were given, if they are known; else those that were read.
    pub(crate) fn text(&self) -> Vec<u8> {
        match &self.given {
            Some(given) => given.to_vec(),
            None => self.sources.file(self.file).text().as_bytes().to_vec(),
        }
    }

    /// What answers about the program depend on, given the arguments of the command.
    pub fn provenance(&self, arguments: Vec<String>) -> Provenance {
        Provenance::of_sources(self.texts(), arguments)
    }

    /// The texts that the program was read from, each once.
    fn texts(&self) -> Vec<Source> {
        let mut all = vec![self.source.clone()];
        let files = self.model.included().into_iter().map(|id| self.sources.file(id));
        all.extend(files.map(|file| Source::new(file.name(), file.text().as_bytes())));
        let given = self.options.values.files();
        all.extend(given.map(|file| Source::new(&file.name, file.text.as_bytes())));
        for question in &self.questions {
            if let ExtraProperty::LtlFile { name, text } | ExtraProperty::Hoa { name, text } =
                question
            {
                all.push(Source::new(name, text.as_bytes()));
            }
        }
        let mut seen = HashSet::new();
        all.retain(|source| seen.insert(source.clone()));
        all
    }
}
