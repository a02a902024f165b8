//! How the program was read, for the checker to read it in the same way; and the head of a claim.

use std::collections::BTreeMap;

use taut_ir::{FullBuffer, Granularity, Memory};
use taut_proof::{Claim, Cut, Evidence, Header, Include, Outside, Proven, Text, VERSION};

use crate::extra::ExtraProperty;
use crate::load::Loaded;
use crate::provenance;

/// The header of a certificate about a program, without claims.
pub(crate) fn of(loaded: &Loaded) -> Header {
    let (mut options, mut files) = (BTreeMap::new(), BTreeMap::new());
    for option in loaded.language.options() {
        let words = loaded.options.values.words(option);
        if !words.is_empty() {
            options.insert(option.name.to_string(), words.to_vec());
        }
        if let Some(file) = loaded.options.values.file(option) {
            let file = Include { name: file.name.clone(), text: file.text.clone() };
            files.insert(option.name.to_string(), file);
        }
    }
    let sources = loaded.provenance(Vec::new()).sources.into_iter();
    let granularity = loaded.options.granularity.filter(|&g| g != loaded.language.granularity());
    Header {
        version: VERSION,
        taut: provenance::VERSION.into(),
        sources: sources.map(|s| Text { file: s.file, sha256: s.sha256 }).collect(),
        language: loaded.language.name().into(),
        granularity: granularity.map(Granularity::name).map(String::from),
        options,
        files,
        asked: loaded.questions.iter().map(outside).collect(),
        repair: None,
        claims: Vec::new(),
    }
}

fn outside(question: &ExtraProperty) -> Outside {
    let include = |name: &String, text: &String| Include { name: name.clone(), text: text.clone() };
    match question {
        ExtraProperty::Ltl(text) => Outside::Ltl(text.clone()),
        ExtraProperty::LtlFile { name, text } => Outside::LtlFile(include(name, text)),
        ExtraProperty::Hoa { name, text } => Outside::Hoa(include(name, text)),
        ExtraProperty::Progress => Outside::Progress,
        ExtraProperty::Acceptance => Outside::Acceptance,
    }
}

/// A claim about the program as it was read, with its evidence.
pub(super) fn written(
    memory: Memory,
    holds: Vec<Proven>,
    cut: Cut,
    evidence: Evidence,
    body: Vec<u8>,
) -> (Claim, Vec<u8>) {
    let Memory { model, bound, full_buffer } = memory;
    let claim = Claim {
        model: model.name().into(),
        bound: bound.filter(|_| model.has_bound()),
        full_is_error: full_buffer == FullBuffer::Error && model.has_bound(),
        slots: None,
        races: false,
        holds,
        cut,
        evidence,
        bytes: body.len() as u64,
    };
    (claim, body)
}
