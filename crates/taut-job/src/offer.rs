//! What the page offers.

use taut::ir::frontend::OptionSpec;
use taut::{Language, MemoryModel};
use taut_page::{BOOK, Chapter, EXAMPLES, Named, NamedChapter, NamedLanguage, Setup};

/// What the page offers.
pub fn setup() -> Setup {
    Setup {
        version: env!("CARGO_PKG_VERSION").into(),
        tasks: vec!["check", "compare", "repair"],
        models: MemoryModel::EVERY.map(named_model).into(),
        engines: named(&taut::engines::choices()),
        languages: Language::all().into_iter().map(language).collect(),
        examples: EXAMPLES.to_vec(),
        book: BOOK.iter().map(chapter).collect(),
    }
}

fn chapter(chapter: &Chapter) -> NamedChapter {
    NamedChapter { file: chapter.file, title: chapter.title() }
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
        names_ghosts: ghost_option(language).is_some(),
        line_comment,
        block_comment,
    }
}

/// The option by which a language is told the names of observers, if it has no word for them.
pub(crate) fn ghost_option(language: Language) -> Option<OptionSpec> {
    language.options().iter().find(|option| option.name == "ghost").copied()
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
