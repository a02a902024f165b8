//! What the page offers.

use taut::MemoryModel;
use taut_serve::{Example, Named, NamedLanguage, Setup};

/// What the page offers.
pub fn setup() -> Setup {
    Setup {
        version: env!("CARGO_PKG_VERSION").into(),
        tasks: vec!["check", "compare", "repair"],
        models: MemoryModel::EVERY.map(named_model).into(),
        engines: named(&taut::engines::choices()),
        languages: vec![
            language("taut", "Taut", "taut"),
            language("promela", "Promela", "pml"),
            language("dve", "DVE", "dve"),
            language("litmus", "x86 litmus test", "litmus"),
        ],
        examples: EXAMPLES.to_vec(),
    }
}

fn named_model(model: MemoryModel) -> Named {
    Named { name: model.name(), title: model.info().title }
}

fn named(names: &[(&'static str, &'static str)]) -> Vec<Named> {
    names.iter().map(|&(name, title)| Named { name, title }).collect()
}

fn language(name: &'static str, title: &'static str, extension: &'static str) -> NamedLanguage {
    NamedLanguage { name, title, extension }
}

/// An example from a file of the repository.
macro_rules! example {
    ($language:literal, $name:literal, $folder:literal, $title:literal, $model:literal) => {
        Example {
            name: $name,
            language: $language,
            title: $title,
            text: include_str!(concat!("../../../../", $folder, "/", $name)),
            model: Some($model),
        }
    };
}

const EXAMPLES: &[Example] = &[
    example!("taut", "peterson.taut", "examples", "Peterson's lock", "tso"),
    example!("taut", "sb.taut", "examples", "Store buffering: both miss each other", "tso"),
    example!("taut", "mp.taut", "examples", "Message passing: data, then a flag", "pso"),
    example!("taut", "dekker.taut", "examples", "Dekker's lock", "tso"),
    example!("taut", "seqlock.taut", "examples", "Sequence lock", "pso"),
    example!("taut", "ticket_lock.taut", "examples", "Ticket lock", "pso"),
    example!(
        "taut",
        "insisting_lock.taut",
        "examples",
        "A lock whose buffers have no bound",
        "tso"
    ),
    example!(
        "taut",
        "peterson_live.taut",
        "examples",
        "Peterson's lock: does everyone get in?",
        "tso"
    ),
    example!("promela", "dekker.pml", "examples", "Dekker's lock in Promela", "tso"),
    example!("promela", "philosophers.pml", "examples", "Dining philosophers in Promela", "sc"),
    example!("dve", "peterson2.dve", "examples/dve", "Peterson's lock in DVE", "delayed"),
    example!("litmus", "SB.litmus", "testdata/litmus/classic", "Store buffering on x86", "tso"),
];
