//! The published JSON Schemas (draft 2020-12) of everything that Taut writes as JSON.
//!
//! They are written by hand, in `schemas/`, because the words of an enumeration and the sentence that explains a
//! field are what a reader wants from them. That they say neither more nor less than what is written is not
//! left to care: tests hold real outputs of every kind against them, and find each field of each schema in one.
//!
//! A schema that is a part of another is put into it whole when that one is printed, as the draft describes
//! for bundling, so that each can be used alone and offline. The names of memory models are put in then, too: there
//! is one list of them ([`MemoryModel::EVERY`]).

use taut_ir::MemoryModel;

use crate::engines;

/// A published schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// What it describes.
    pub about: &'static str,
    /// The text without the schemas that are parts of it.
    text: &'static str,
    /// The schemas that are parts of it.
    parts: &'static [Schema],
}

/// Traces.
const TRACE: Schema = Schema {
    name: "trace",
    about: "a run: `taut check --trace`, `witness`, the simulator's",
    text: include_str!("../schemas/trace.json"),
    parts: &[],
};

/// Reports, one for each model.
const CHECK: Schema = Schema {
    name: "check",
    about: "a line of `taut check FILE` and `taut compare`",
    text: include_str!("../schemas/check.json"),
    parts: &[TRACE],
};

/// All schemas, the one that is mostly meant first.
pub const ALL: [Schema; 9] = [
    CHECK,
    TRACE,
    Schema {
        name: "suite",
        about: "a line of `taut check DIR`",
        text: include_str!("../schemas/suite.json"),
        parts: &[],
    },
    Schema {
        name: "explain",
        about: "a line of `taut explain`",
        text: include_str!("../schemas/explain.json"),
        parts: &[],
    },
    Schema {
        name: "litmus",
        about: "a line of `taut litmus`",
        text: include_str!("../schemas/litmus.json"),
        parts: &[],
    },
    Schema {
        name: "repair",
        about: "`taut repair`",
        text: include_str!("../schemas/repair.json"),
        parts: &[CHECK],
    },
    Schema {
        name: "graph",
        about: "`taut graph --to json`",
        text: include_str!("../schemas/graph.json"),
        parts: &[],
    },
    Schema {
        name: "run",
        about: "`taut run`",
        text: include_str!("../schemas/run.json"),
        parts: &[],
    },
    Schema {
        name: "baseline",
        about: "`taut check --write-baseline`",
        text: include_str!("../schemas/baseline.json"),
        parts: &[],
    },
];

impl Schema {
    /// The schema with everything that it refers to.
    pub fn text(&self) -> String {
        let text = with_engines(&with_models(self.text));
        self.parts.iter().fold(text, |text, part| {
            // The place of a part in the text that it is put into.
            let place = format!("\"{}\": \"bundled\"", part.name);
            let whole = part.text().trim_end().replace('\n', "\n    ");
            text.replace(&place, &format!("\"{}\": {whole}", part.name))
        })
    }
}

/// The text with the names of the memory models where a word stands for them.
fn with_models(text: &str) -> String {
    let list = |relaxed: bool| {
        let models = MemoryModel::EVERY.into_iter().filter(|m| m.is_relaxed() || !relaxed);
        let names: Vec<_> = models.map(|model| format!("\"{model}\"")).collect();
        format!("[{}]", names.join(", "))
    };
    let text = text.replace("[\"memory models\"]", &list(false));
    text.replace("[\"relaxed memory models\"]", &list(true))
}

/// The text with the names of the engines where a word stands for them.
fn with_engines(text: &str) -> String {
    let names: Vec<_> =
        engines::all().iter().map(|engine| format!("\"{}\"", engine.id())).collect();
    text.replace("[\"engines\"]", &format!("[{}]", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_whole() {
        for schema in ALL {
            let text = schema.text();
            assert!(!text.contains("\"bundled\""), "{}", schema.name);
            assert!(!text.contains("memory models\"]"), "{}", schema.name);
            assert!(!text.contains("[\"engines\"]"), "{}", schema.name);
            let models = MemoryModel::EVERY.iter().filter(|m| m.is_relaxed());
            // A schema that names fewer models has its own list.
            let names_all = schema.text.contains("memory models\"]");
            let has_parts = !schema.parts.is_empty();
            for model in models.filter(|_| names_all || has_parts) {
                assert!(text.contains(&format!("\"{model}\"")), "{}: {model}", schema.name);
            }
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(value["$id"], format!("urn:taut:schema:{}:1", schema.name));
        }
    }
}
