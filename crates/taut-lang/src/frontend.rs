//! The Taut language as a front end.

use taut_ir::frontend::{
    FenceWords, Formatter, Frontend, LoadContext, Model, OptionKind, OptionSpec, OptionValues,
    ReadModel, THREADS, Threads, Update,
};
use taut_ir::{Claim, Granularity, Program, Property};
use taut_source::{Diagnostics, EditSites, FileId, SourceMap, Weakenings};

use crate::include;
use crate::lower::Constants;
use crate::{FENCE, Options, STORE_FENCE, codes, lexer};

/// The number of processes of one definition that can be alive at once through `spawn`.
pub const MAX_THREADS: OptionSpec = OptionSpec::new(
    "max-threads",
    "number of threads of one process definition that may be spawned at once",
    OptionKind::Number { least: 1, most: 64, default: 4 },
);

/// The number of calls that can be open at once in one process.
pub const MAX_CALLS: OptionSpec = OptionSpec::new(
    "max-calls",
    "depth to which calls may nest in one thread",
    OptionKind::Number { least: 1, most: 1024, default: taut_ir::build::DEFAULT_CALL_DEPTH },
);

/// The Taut language, `.taut`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautLanguage;

impl Frontend for TautLanguage {
    fn name(&self) -> &'static str {
        "taut"
    }

    fn title(&self) -> &'static str {
        "Taut"
    }

    fn noun(&self) -> &'static str {
        "program in the Taut language"
    }

    fn about(&self) -> &'static str {
        "The Taut language"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["taut"]
    }

    fn keywords(&self) -> &'static [&'static str] {
        lexer::KEYWORDS
    }

    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        codes::CODES
    }

    fn granularity(&self) -> Granularity {
        Granularity::Access
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[MAX_THREADS, MAX_CALLS, THREADS]
    }

    fn reads_claims(&self) -> bool {
        true
    }

    fn ghost_advice(&self, name: &str) -> Option<(String, String)> {
        let advice = format!("`{name}` looks like an observer: declare it `ghost`");
        Some((advice, "a ghost is never buffered".into()))
    }

    fn fences(&self) -> Option<FenceWords<'static>> {
        Some(FenceWords::new(FENCE, STORE_FENCE))
    }

    fn locked(&self, update: &Update, location: &str) -> String {
        match update {
            Update::Add(by) => format!("`fetch_add({location}, {by})`"),
            Update::Swap(old, new) => format!("`cas({location}, {old}, {new})`"),
            Update::Other => "`atomic { … }` around both, or a loop with `cas`".into(),
        }
    }

    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics> {
        let options = Options::new(cx.options, cx.granularity);
        let read = include::read(cx.sources, cx.file, cx.access, &options, cx.claims)?;
        let (program, constants, includes) = read;
        Ok(ReadModel::new(TautModel { constants, includes }, program))
    }

    fn formatter(&self) -> Option<Formatter> {
        Some(crate::format)
    }
}

impl Options {
    /// The options of a program that is read with some values.
    fn new(values: &OptionValues, granularity: Granularity) -> Options {
        Options {
            thread_bound: values.number(&MAX_THREADS),
            call_depth: values.number(&MAX_CALLS),
            granularity,
            threads: Threads::of(values),
        }
    }
}

/// A program that was read. Its syntax tree is not kept: the text is read again where repairs look for places.
#[derive(Clone, Debug)]
struct TautModel {
    /// The constants, which properties may name.
    constants: Constants,
    /// Whether some of it stands in other files.
    includes: bool,
}

impl Model for TautModel {
    fn claims(
        &self,
        program: &Program,
        sources: &SourceMap,
        claims: &[Claim],
    ) -> Option<Result<Vec<Property>, Diagnostics>> {
        Some(crate::claims_with(program, &self.constants, sources, claims))
    }

    fn edit_sites(&self, sources: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
        if self.includes {
            return Err(include::unchanged(sources, file));
        }
        crate::places(sources, file)
    }

    fn weakenings(
        &self,
        sources: &SourceMap,
        file: FileId,
    ) -> Option<Result<Weakenings, Diagnostics>> {
        if self.includes {
            return Some(Err(include::unchanged(sources, file)));
        }
        Some(crate::weakenings(sources, file))
    }

    fn dropped_statements(&self, sources: &SourceMap, file: FileId) -> Diagnostics {
        crate::after_endless_loops(sources, file)
    }
}
