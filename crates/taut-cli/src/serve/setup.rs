//! What the page offers.

use taut::{Language, MemoryModel};
use taut_serve::{Example, Named, NamedLanguage, Setup};

use super::super::examples::{self, EXAMPLES};

/// What the page offers.
pub fn setup() -> Setup {
    Setup {
        version: env!("CARGO_PKG_VERSION").into(),
        tasks: vec!["check", "compare", "repair"],
        models: MemoryModel::EVERY.map(named_model).into(),
        engines: named(&taut::engines::choices()),
        languages: Language::all().into_iter().map(language).collect(),
        examples: examples(),
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

/// The examples of `taut examples`.
fn examples() -> Vec<Example> {
    let offered = |example: &examples::Example| Example {
        name: example.name,
        language: example.language,
        title: example.title,
        text: example.text,
        model: Some(example.model),
    };
    EXAMPLES.iter().map(offered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_offers_every_memory_model() {
        let offered: Vec<_> = setup().models.iter().map(|model| model.name).collect();
        assert_eq!(offered, MemoryModel::EVERY.map(MemoryModel::name));
    }
}
