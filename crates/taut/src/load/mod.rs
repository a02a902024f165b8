//! From files to programs: the language of a file, and reading it.
//!
//! | file | idea |
//! | --- | --- |
//! | `options.rs` | the options of reading |
//! | `read.rs` | bytes, the language, its front end, the program |
//! | `finish.rs` | what is done to a program after its front end made it |
//! | `grow.rs` | programs with more processes |
//! | `condition.rs` | conditions about states, read later |
//! | `channels.rs` | whether messages can overtake stores |
//! | `texts.rs` | the texts that a program was read from |
//! | `error.rs` | refusals |

mod channels;
mod condition;
mod error;
mod finish;
mod grow;
mod options;
mod read;
mod texts;

use std::any::Any;
use std::mem::discriminant;
use std::sync::Arc;

pub use taut_ir::frontend::FileAccess;
use taut_ir::frontend::{Model, ReadModel};
use taut_ir::{Channels, Claim, Granularity, Memory, MemoryModel, Program};
use taut_source::{Diagnostics, FileId, SourceMap};

use crate::extra::ExtraProperty;
pub use crate::frontends::Language;
use crate::provenance::Source;

pub(crate) use channels::channels;
pub use error::LoadError;
pub use options::LoadOptions;
use read::read_text;
pub use read::{from_bytes, from_path, from_text};

/// A program with its sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file's name as it was given.
    pub name: String,
    /// The file as it was read, by its hash.
    pub source: Source,
    /// The program, with the questions from outside among its properties.
    pub program: Program,
    /// The names of the properties that were asked for from outside.
    pub asked: Vec<String>,
    /// The questions from outside.
    pub questions: Vec<ExtraProperty>,
    /// The language it was written in.
    pub language: Language,
    /// Its sources, for everything that points into them.
    pub sources: SourceMap,
    /// Its main file.
    pub file: FileId,
    /// The model that the program was made from.
    pub model: Arc<dyn Model>,
    /// How it was read.
    pub options: LoadOptions,
    /// What is worth a look though the program is accepted.
    pub warnings: Diagnostics,
    /// What is worth a look on relaxed memory only.
    pub relaxed_warnings: Diagnostics,
    /// What is worth a look under TSO and PSO only: under memory models with store buffers.
    pub buffer_warnings: Diagnostics,
    /// The texts of the questions from outside.
    claims: Vec<Claim>,
    /// The bytes of the file, where they are not the text of the main file: a mark stands before it, or macros were
    /// expanded.
    given: Option<Arc<[u8]>>,
}

impl Loaded {
    /// The model, if it is of a language's own type.
    pub fn model_as<T: Model>(&self) -> Option<&T> {
        (&*self.model as &dyn Any).downcast_ref()
    }

    /// The same file with another program, made from another model of it, and without questions from outside.
    pub(crate) fn with_model(&self, read: ReadModel) -> Loaded {
        Loaded {
            program: read.lowered.program,
            model: Arc::from(read.model),
            asked: Vec::new(),
            questions: Vec::new(),
            claims: Vec::new(),
            options: LoadOptions { asked: Vec::new(), ..self.options.clone() },
            ..self.clone()
        }
    }

    /// The question of a litmus test.
    pub fn litmus(&self) -> Option<&taut_litmus::Test> {
        self.model_as()
    }

    /// The memory model that the program itself asks for, as models of mmlib do.
    pub fn memory_model(&self) -> Option<MemoryModel> {
        self.model.memory_model()
    }

    /// The bound on buffers unless something else is asked for: the program's own, or the usual one.
    pub fn bound(&self) -> u32 {
        self.model.bound().unwrap_or(Memory::DEFAULT_BOUND)
    }

    /// Whether the program itself says how large buffers are.
    pub fn has_bound(&self) -> bool {
        self.model.bound().is_some()
    }

    /// Whether the sends of the program wait for store buffers under TSO and PSO; none where that makes no
    /// difference, because the program has no sends or no shared variables.
    pub fn channels(&self) -> Option<Channels> {
        channels(&self.program)
    }

    /// The warnings under some memory models, besides those under every model.
    pub fn warnings_under(&self, models: &[MemoryModel]) -> Diagnostics {
        let mut all = Diagnostics::new();
        if models.iter().any(|model| model.is_relaxed()) {
            all.extend(self.relaxed_warnings.clone());
        }
        if models.iter().any(|model| model.has_bound()) {
            all.extend(self.buffer_warnings.clone());
        }
        all
    }

    /// Reads another text as this one was read.
    pub fn reread(&self, text: &str, options: LoadOptions) -> Result<Loaded, Box<LoadError>> {
        let options = LoadOptions { language: Some(self.language), ..options };
        read_text(&self.name, text.as_bytes().to_vec(), options)
    }

    /// Reads a text of this program with edits that its user never sees, with the same questions. An assertion without a name
    /// is called after its line; it keeps the name that it has here, although edits move its line.
    pub fn reread_edited(&self, text: &str) -> Result<Loaded, Box<LoadError>> {
        let mut edited = self.reread(text, self.options.clone())?;
        let (before, after) = (&self.program.properties, &mut edited.program.properties);
        let is_same = before.len() == after.len()
            && before
                .iter()
                .zip(after.iter())
                .all(|(a, b)| discriminant(&a.kind) == discriminant(&b.kind));
        if is_same {
            before.iter().zip(after).for_each(|(a, b)| b.name.clone_from(&a.name));
        }
        Ok(edited)
    }

    /// The granularity of the program's steps.
    pub fn granularity(&self) -> Granularity {
        self.program.granularity.unwrap_or(self.language.granularity())
    }
}
