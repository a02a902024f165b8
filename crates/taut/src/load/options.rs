//! Options of reading a program.

use taut_ir::Granularity;
use taut_ir::frontend::{FileAccess, OptionSpec, OptionValues};

use crate::extra::ExtraProperty;
use crate::frontends::Language;

/// How to read a program.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The language; by default what the extension says.
    pub language: Option<Language>,
    /// Permission to read other files.
    pub access: FileAccess,
    /// The granularity of steps; by default what the language says.
    pub granularity: Option<Granularity>,
    /// The values of the languages' own options.
    pub values: OptionValues,
    /// Questions about runs that are not in the text. If there are any, a check answers them alone.
    pub asked: Vec<ExtraProperty>,
}

impl LoadOptions {
    /// Defines macros, each `NAME` or `NAME=VALUE`, for languages that have them.
    #[must_use]
    pub fn define<M: Into<String>>(mut self, macros: impl IntoIterator<Item = M>) -> Self {
        self.values.define(macros);
        self
    }

    /// Gives a value to an option of a language, such as [`taut_ir::frontend::DEFINE`]; what the option cannot have is
    /// refused.
    pub fn with(mut self, option: &OptionSpec, value: impl Into<String>) -> Result<Self, String> {
        self.values.set(option, value)?;
        Ok(self)
    }
}
