//! What the page offers.

use taut::{Language, MemoryModel};
use taut_serve::{Example, Named, NamedLanguage, Setup};

/// What the page offers.
pub fn setup() -> Setup {
    Setup {
        version: env!("CARGO_PKG_VERSION").into(),
        tasks: vec!["check", "compare", "repair"],
        models: MemoryModel::EVERY.map(named_model).into(),
        engines: named(&taut::engines::choices()),
        languages: Language::all().into_iter().map(language).collect(),
        examples: EXAMPLES.to_vec(),
    }
}

fn named_model(model: MemoryModel) -> Named {
    Named { name: model.name(), title: model.info().title }
}

fn named(names: &[(&'static str, &'static str)]) -> Vec<Named> {
    names.iter().map(|&(name, title)| Named { name, title }).collect()
}

fn language(language: Language) -> NamedLanguage {
    let (line_comment, block_comment) = language.comments().marks();
    NamedLanguage {
        name: language.name(),
        title: language.title(),
        extensions: language.extensions(),
        keywords: language.keywords(),
        ignores_case: language.ignores_case(),
        line_comment,
        block_comment,
    }
}

/// An example from a file of the repository. The files are symbolic links, so that the package holds them.
macro_rules! example {
    ($language:literal, $name:literal, $title:literal, $model:literal) => {
        Example {
            name: $name,
            language: $language,
            title: $title,
            text: include_str!(concat!("examples/", $name)),
            model: Some($model),
        }
    };
}

const EXAMPLES: &[Example] = &[
    example!("taut", "peterson.taut", "Peterson's lock", "tso"),
    example!("taut", "sb.taut", "Store buffering: both miss each other", "tso"),
    example!("taut", "mp.taut", "Message passing: data, then a flag", "pso"),
    example!("taut", "dekker.taut", "Dekker's lock", "tso"),
    example!("taut", "seqlock.taut", "Sequence lock", "pso"),
    example!("taut", "ticket_lock.taut", "Ticket lock", "pso"),
    example!("taut", "insisting_lock.taut", "A lock whose buffers have no bound", "tso"),
    example!("taut", "peterson_live.taut", "Peterson's lock: does everyone get in?", "tso"),
    example!("promela", "dekker.pml", "Dekker's lock in Promela", "tso"),
    example!("promela", "philosophers.pml", "Dining philosophers in Promela", "sc"),
    example!("dve", "peterson2.dve", "Peterson's lock in DVE", "delayed"),
    example!("litmus", "SB.litmus", "Store buffering on x86", "tso"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_offers_every_memory_model() {
        let offered: Vec<_> = setup().models.iter().map(|model| model.name).collect();
        assert_eq!(offered, MemoryModel::EVERY.map(MemoryModel::name));
    }
}
