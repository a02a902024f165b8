//! DVE models: read, with the list of atomic writes that belongs to them, and made into programs.

use taut_dve::ast::Model;
use taut_dve::{AtomicList, LowerOptions, Parsed, lower, macros, parse, parse_atomic};
pub use taut_dve::{RangeErrors, print};
use taut_ir::{Channels, Claim, Program};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// What is not in the text of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DveOptions {
    /// What becomes of values outside of their types.
    pub range_errors: RangeErrors,
    /// Which writes are atomic, and where fences are.
    pub atomic: Option<AtomicFile>,
    /// Whether sends wait for the store buffer.
    pub channels: Channels,
}

/// A file of atomic writes and fences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtomicFile {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// A model that was read.
#[derive(Clone, Debug)]
pub struct DveModel {
    /// The model.
    pub model: Model,
    /// Its atomic writes and fences.
    pub atomic: AtomicList,
}

impl DveModel {
    /// The model with one-place buffers written out, as in Havel's thesis: what it does under sequential consistency
    /// is what this one does with delayed writes.
    pub fn with_buffers(&self) -> Result<Model, Diagnostics> {
        taut_dve::with_buffers(&self.model, &self.atomic)
    }

    /// A file of formulas about this model as one about [`DveModel::with_buffers`], under the condition that no
    /// write waits for ever.
    pub fn fair_ltl(&self, text: &str) -> String {
        taut_dve::fair_ltl(text, &self.model)
    }
}

/// A model with the program made from it.
pub(crate) struct Read {
    pub(crate) model: DveModel,
    pub(crate) program: Program,
    pub(crate) warnings: Diagnostics,
}

/// Reads a model and what is asked of it from outside.
pub(crate) fn read(
    sources: &mut SourceMap,
    file: FileId,
    options: &DveOptions,
    claims: &[Claim],
) -> Result<Read, Diagnostics> {
    let Parsed { model, mut warnings } = parse(sources, file)?;
    let atomic = match &options.atomic {
        Some(AtomicFile { name, text }) => {
            let list = sources.add_bytes(name, text.clone().into_bytes()).map_err(|d| *d)?;
            parse_atomic(sources, list, &model)?
        }
        None => AtomicList::default(),
    };
    let lowering = LowerOptions {
        name: sources.file(file).name().to_owned(),
        range_errors: options.range_errors,
        channels: options.channels,
        atomic: Some(atomic.clone()),
    };
    let lowered = lower(&model, &lowering)?;
    warnings.extend(lowered.warnings);
    let mut program = lowered.program;
    let own = taut_dve::formulas(&model, &program, sources)?;
    program.properties.extend(own);
    let asked = taut_dve::claims(&model, &program, sources, claims)?;
    program.properties.extend(asked);
    Ok(Read { model: DveModel { model, atomic }, program, warnings })
}

/// The text of a model with parameters (`.mdve`), with its macros expanded. A mistake is shown at its line of the
/// text as it was given, which is left in the sources.
pub(crate) fn expanded(
    name: &str,
    bytes: Vec<u8>,
    defines: &[String],
    sources: &mut SourceMap,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let file = sources.add_bytes(name, bytes)?;
    let text = sources.file(file).text();
    macros::expand(text, defines).map(String::into_bytes).map_err(|error| {
        let span = error.line.map_or(Span::NONE, |line| line_span(text, file, line));
        Box::new(Diagnostic::error("E0010", format!("cannot expand `{name}`: {error}"), span))
    })
}

/// A line of a text, counted from one.
fn line_span(text: &str, file: FileId, line: usize) -> Span {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    Span::new(file, start..start + length)
}
