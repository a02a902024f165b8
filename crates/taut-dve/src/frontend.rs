//! DVE as a front end: a model with the list of atomic writes and fences that belongs to it.

use std::path::Path;

use taut_ir::frontend::{
    CHANNELS, DEFINE, Frontend, LoadContext, Model, NamedText, OptionKind, OptionSpec,
    OptionValues, ReadModel, RepairList, Update,
};
use taut_ir::{Channels, Claim, DefId, Program, Property, StepId, VarId};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::{
    AtomicEntry, AtomicList, LowerOptions, Parsed, RangeErrors, TransitionRef, ast, lexer, macros,
};

/// A list of atomic writes and fences next to the model.
pub const ATOMIC: OptionSpec = OptionSpec::new(
    "atomic",
    "a list of atomic writes and fences, such as `write x P_0 3` and `fence P_0 4`",
    OptionKind::File,
);

/// The meaning of a value outside of the type of its variable.
pub const RANGE_ERRORS: OptionSpec = OptionSpec::new(
    "range-errors",
    "what becomes of a value outside of the type of its variable",
    OptionKind::Choice(&[("error", "It is a fault"), ("wrap", "It wraps around")]),
);

/// The extension of models with parameters, which are expanded first.
const PARAMETERISED: &str = "mdve";

/// The name of a new list of atomic writes.
const LIST: &str = "atomic.txt";

/// DVE, the language of DiVinE, `.dve`; with parameters, `.mdve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dve;

impl Frontend for Dve {
    fn name(&self) -> &'static str {
        "dve"
    }

    fn title(&self) -> &'static str {
        "DVE"
    }

    fn noun(&self) -> &'static str {
        "DVE model"
    }

    fn about(&self) -> &'static str {
        "DVE, the language of DiVinE"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["dve", PARAMETERISED]
    }

    fn keywords(&self) -> &'static [&'static str] {
        lexer::KEYWORDS
    }

    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        crate::CODES
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[DEFINE, CHANNELS, ATOMIC, RANGE_ERRORS]
    }

    fn reads_claims(&self) -> bool {
        true
    }

    fn locked(&self, _: &Update, location: &str) -> String {
        format!("one transition with an atomic write of {location}")
    }

    /// The text of a model with parameters, with its macros expanded. A mistake is shown at its line of the text as it
    /// was given, which is left in the sources.
    fn expand(
        &self,
        name: &str,
        bytes: Vec<u8>,
        options: &OptionValues,
        sources: &mut SourceMap,
    ) -> Result<Vec<u8>, Box<Diagnostic>> {
        if Path::new(name).extension().is_none_or(|extension| extension != PARAMETERISED) {
            return Ok(bytes);
        }
        let file = sources.add_bytes(name, bytes)?;
        let text = sources.file(file).text();
        macros::expand(text, options.words(&DEFINE)).map(String::into_bytes).map_err(|error| {
            let span = error.line.map_or(Span::NONE, |line| line_span(text, file, line));
            Box::new(Diagnostic::error("E0010", format!("cannot expand `{name}`: {error}"), span))
        })
    }

    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics> {
        let Parsed { model, mut warnings } = crate::parse(cx.sources, cx.file)?;
        let list = cx.options.file(&ATOMIC).cloned();
        let atomic = match &list {
            Some(NamedText { name, text }) => {
                let bytes = text.clone().into_bytes();
                let list = cx.sources.add_bytes(name, bytes).map_err(|d| *d)?;
                crate::parse_atomic(cx.sources, list, &model)?
            }
            None => AtomicList::default(),
        };
        let options = LowerOptions {
            name: cx.sources.file(cx.file).name().to_owned(),
            range_errors: range_errors(cx.options),
            channels: Channels::of(cx.options),
            atomic: Some(atomic.clone()),
        };
        let lowered = crate::lower(&model, &options)?;
        warnings.extend(lowered.warnings);
        let mut program = lowered.program;
        let own = crate::formulas(&model, &program, cx.sources)?;
        program.properties.extend(own);
        let asked = crate::claims(&model, &program, cx.sources, cx.claims)?;
        program.properties.extend(asked);
        let model = DveModel { model, atomic, list };
        Ok(ReadModel::new(model, program).warn(warnings, Diagnostics::new()))
    }
}

fn range_errors(options: &OptionValues) -> RangeErrors {
    match options.choice(&RANGE_ERRORS) {
        "wrap" => RangeErrors::Wrap,
        _ => RangeErrors::Error,
    }
}

/// A line of a text, counted from one.
fn line_span(text: &str, file: FileId, line: usize) -> Span {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    Span::new(file, start..start + length)
}

/// A model that was read.
#[derive(Clone, Debug)]
pub struct DveModel {
    /// The model.
    pub model: ast::Model,
    /// Its atomic writes and fences.
    pub atomic: AtomicList,
    /// The list in which they stand.
    list: Option<NamedText>,
}

impl DveModel {
    /// The model with one-place buffers written out, as in Havel's thesis: what it does under sequential consistency
    /// is what this one does with delayed writes.
    pub fn with_buffers(&self) -> Result<ast::Model, Diagnostics> {
        crate::with_buffers(&self.model, &self.atomic)
    }

    /// A file of formulas about this model as one about [`DveModel::with_buffers`], under the condition that no
    /// write waits for ever.
    pub fn fair_ltl(&self, text: &str) -> String {
        crate::fair_ltl(text, &self.model)
    }
}

impl Model for DveModel {
    fn claims(
        &self,
        program: &Program,
        sources: &SourceMap,
        claims: &[Claim],
    ) -> Option<Result<Vec<Property>, Diagnostics>> {
        Some(crate::claims(&self.model, program, sources, claims))
    }

    fn repair_list(&self) -> Option<&dyn RepairList> {
        Some(self)
    }
}

impl RepairList for DveModel {
    fn option(&self) -> &'static OptionSpec {
        &ATOMIC
    }

    fn list(&self) -> Option<&NamedText> {
        self.list.as_ref()
    }

    fn usual_name(&self) -> &'static str {
        LIST
    }

    fn entry(
        &self,
        program: &Program,
        def: DefId,
        step: StepId,
        var: Option<VarId>,
    ) -> Option<String> {
        let process = &program.defs[def.index()].name;
        let at = TransitionRef::new(&self.model, process, step.index())?;
        let entry = match var {
            Some(var) => AtomicEntry::write(Some(&program.var(var).name), at),
            None => AtomicEntry::fence(at),
        };
        Some(entry.to_string())
    }
}
