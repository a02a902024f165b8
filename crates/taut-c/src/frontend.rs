//! C as a front end.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use taut_ir::Granularity;
use taut_ir::frontend::{
    DEFINE, FenceWords, Frontend, Growth, LoadContext, Lowered, Model, OptionKind, OptionSpec,
    OptionValues, RACES, RaceProgram, ReadModel, THREADS, Threads, Update,
};
use taut_source::{Diagnostic, Diagnostics, EditSites, FileId, SourceMap, Weakenings};

use crate::edits::{Edits, FENCE, STORE_FENCE};
use crate::hir::Unit;
use crate::lower::{self, LoweredUnit, MOST_THREADS};
use crate::preprocess::{self, preprocess};
use crate::{codes, parse, sema};

/// The codes of all passes.
static CODES: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| [codes::CODES, sema::CODES, lower::CODES].concat());

/// Directories with headers.
pub const INCLUDE_DIR: OptionSpec = OptionSpec::new(
    "include-dir",
    "a directory with headers, as -I of a compiler. Can be given several times",
    OptionKind::Words { value: "DIR", delimiter: None },
)
.short('I');

/// Directories with headers that are included in quotes.
pub const QUOTE_DIR: OptionSpec = OptionSpec::new(
    "iquote",
    "a directory with headers that are included in quotes, as -iquote of a compiler",
    OptionKind::Words { value: "DIR", delimiter: None },
);

/// Directories with headers of other libraries.
pub const SYSTEM_DIR: OptionSpec = OptionSpec::new(
    "isystem",
    "a directory with headers that is looked into last, after the headers of Taut, as -isystem of a compiler",
    OptionKind::Words { value: "DIR", delimiter: None },
);

/// Macros to forget.
pub const UNDEFINE: OptionSpec = OptionSpec::new(
    "undefine",
    "forgets a macro, as -U of a compiler. Can be given several times",
    OptionKind::Words { value: "NAME", delimiter: None },
)
.short('U')
.in_headers();

/// Files that are included before the first line.
pub const INCLUDE: OptionSpec = OptionSpec::new(
    "include",
    "a file that is included before the first line, as -include of a compiler",
    OptionKind::Words { value: "FILE", delimiter: None },
);

/// Number of objects per allocation site.
pub const HEAP: OptionSpec = OptionSpec::new(
    "heap",
    "number of objects that each call of malloc in the text can have allocated at once",
    OptionKind::Number { least: 1, most: 64, default: 3 },
)
.in_headers();

/// The meaning of signed arithmetic that does not fit.
pub const OVERFLOW: OptionSpec = OptionSpec::new(
    "overflow",
    "the meaning of signed arithmetic whose result does not fit its type",
    OptionKind::Choice(&[
        ("fault", "It is an error of the program, as in the standard"),
        ("wrap", "It wraps around, as with -fwrapv"),
    ]),
)
.in_headers();

/// The values of what comes from outside.
pub const NONDET: OptionSpec = OptionSpec::new(
    "nondet",
    "the values that are tried of rand() and __VERIFIER_nondet_int() where they are kept, such as --nondet=-1..3,10. If not given: a few that the program compares with",
    OptionKind::Words { value: "VALUES", delimiter: Some(',') },
)
.in_headers();

/// The meaning of memory that is never freed.
pub const LEAKS: OptionSpec = OptionSpec::new(
    "leaks",
    "the meaning of allocated memory that is not freed when main returns",
    OptionKind::Choice(&[
        ("ignore", "It is no error"),
        ("error", "Each call of malloc in the text has an assertion that its memory is freed"),
    ]),
)
.in_headers();

/// Number of calls of functions that call themselves that can be open at once. (The Taut language has the same option.)
pub const MAX_CALLS: OptionSpec = OptionSpec::new(
    "max-calls",
    "depth to which calls may nest in one thread",
    OptionKind::Number { least: 1, most: 1024, default: taut_ir::build::DEFAULT_CALL_DEPTH },
);

/// C, `.c` and preprocessed `.i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct C;

impl Frontend for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn title(&self) -> &'static str {
        "C"
    }

    fn noun(&self) -> &'static str {
        "C program"
    }

    fn about(&self) -> &'static str {
        "C11 with atomics and threads"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["c", "i"]
    }

    fn keywords(&self) -> &'static [&'static str] {
        KEYWORDS
    }

    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        &CODES
    }

    fn granularity(&self) -> Granularity {
        Granularity::Access
    }

    fn options(&self) -> &'static [OptionSpec] {
        const ALL: &[OptionSpec] = &[
            DEFINE,
            INCLUDE_DIR,
            QUOTE_DIR,
            SYSTEM_DIR,
            UNDEFINE,
            INCLUDE,
            HEAP,
            OVERFLOW,
            NONDET,
            LEAKS,
            MAX_CALLS,
            RACES,
            THREADS,
        ];
        ALL
    }

    fn fences(&self) -> Option<FenceWords<'static>> {
        Some(FenceWords::new(FENCE, STORE_FENCE))
    }

    fn locked(&self, update: &Update, location: &str) -> String {
        match update {
            Update::Add(by) => format!("`atomic_fetch_add(&{location}, {by})`"),
            Update::Swap(..) => format!("`atomic_compare_exchange_strong(&{location}, …)`"),
            Update::Other => format!("a loop with `atomic_compare_exchange_weak` on {location}"),
        }
    }

    fn no_atomic_writes(&self) -> &'static str {
        "no store of the program has an order that could be stronger; use `--with fences`"
    }

    fn weakening_note(&self) -> Option<&'static str> {
        Some(
            "loads, read-modify-writes and orders down to release stay as they are: TSO and PSO do not show what ARM or a \
             compiler makes of weaker ones, nor the loads that a removed fence kept in order there",
        )
    }

    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics> {
        if cx.granularity == Granularity::Statement {
            return Err(single(lower::no_statements(taut_source::Span::new(cx.file, 0..0))));
        }
        let threads = Threads::of(cx.options);
        let mut options = preprocessing(cx.options);
        options.alike = threads.is_some();
        let text = preprocess(cx.sources, cx.file, &options, cx.access)?;
        let tree = parse::parse(&text)?;
        let place = |span: lang_c::span::Span| {
            text.places.span(sema::tidy(&text.text, span.start..span.end))
        };
        let unit = sema::analyse(&tree, &place)?;
        let name = cx.sources.file(cx.file).name().to_owned();
        let header = |&file: &FileId| cx.sources.file(file).name().contains("stdatomic.h");
        let has_atomics = text.built_in.iter().any(header);
        let mut options = lowering(cx.options).map_err(|word| {
            let start = taut_source::Span::new(cx.file, 0..0);
            single(lower::bad_nondet(&word, start))
        })?;
        options.built_in = text.built_in;
        let lowered =
            lower::lower(&unit, cx.sources, &name, &options).map_err(|refusal| single(*refusal))?;
        let start = taut_source::Span::new(cx.file, 0..0);
        let program = match threads {
            Some(threads) => lowered.with_threads(threads, start).map_err(|why| single(*why))?,
            None => lowered.program(),
        };
        debug_assert!(taut_ir::validate::validate(&program).is_ok(), "the program is well formed");
        let mut warnings = text.warnings;
        if threads.is_some() && text.text.contains("__taut_unlock") {
            warnings.push(lower::owner_is_not_known(start));
        }
        unit.warnings.iter().for_each(|warning| warnings.push(warning.clone()));
        let edits = Edits::of(&unit, cx.sources, cx.file, has_atomics);
        let included = text.included;
        let grows = threads.is_none() && lowered.grows();
        let model = CModel { lowered, grows, unit, options, name, edits, included };
        Ok(ReadModel::new(model, program).warn(warnings, Diagnostics::new()))
    }
}

/// One message.
fn single(diagnostic: Diagnostic) -> Diagnostics {
    let mut all = Diagnostics::new();
    all.push(diagnostic);
    all
}

/// The options of the preprocessor.
fn preprocessing(values: &OptionValues) -> preprocess::Options {
    preprocess::Options {
        defines: values.words(&DEFINE).to_vec(),
        undefines: values.words(&UNDEFINE).to_vec(),
        quote_directories: values.words(&QUOTE_DIR).to_vec(),
        directories: values.words(&INCLUDE_DIR).to_vec(),
        system_directories: values.words(&SYSTEM_DIR).to_vec(),
        includes: values.words(&INCLUDE).to_vec(),
        alike: false,
    }
}

/// The options of the lowering, or a word of `--nondet` that is no value.
fn lowering(values: &OptionValues) -> Result<lower::Options, String> {
    Ok(lower::Options {
        heap: values.number(&HEAP),
        wraps: values.choice(&OVERFLOW) == "wrap",
        nondet: lower::nondet_values(values.words(&NONDET))?,
        leaks: values.choice(&LEAKS) == "error",
        max_calls: values.number(&MAX_CALLS),
        ..lower::Options::default()
    })
}

/// A C program that was read.
#[derive(Debug)]
struct CModel {
    lowered: LoweredUnit,
    /// True if threads are added as long as that is possible.
    grows: bool,
    /// What it was lowered from, for the program that looks for races.
    unit: Unit,
    options: lower::Options,
    name: String,
    edits: Edits,
    included: Vec<FileId>,
}

impl Model for CModel {
    fn growth(&self) -> Option<&dyn Growth> {
        self.grows.then_some(&self.lowered)
    }

    fn included(&self) -> Vec<FileId> {
        self.included.clone()
    }

    fn fences(&self) -> Option<FenceWords<'_>> {
        let words = &self.edits.words;
        let (fence, store_fence) = (words.fence.as_str(), words.store_fence.as_str());
        Some(FenceWords { fence, store_fence, mark: words.mark })
    }

    fn races(&self, sources: &SourceMap) -> RaceProgram {
        match lower::lower_races(&self.unit, sources, &self.name, &self.options) {
            Ok(Some(lowered)) => RaceProgram::Search(Box::new(race_model(lowered))),
            Ok(None) => RaceProgram::None,
            // A program that is too large to be watched; the ordinary one was accepted.
            Err(_) => RaceProgram::TooLarge,
        }
    }

    fn edit_sites(&self, _: &SourceMap, _: FileId) -> Result<EditSites, Diagnostics> {
        Ok(self.edits.sites.clone())
    }

    fn weakenings(&self, _: &SourceMap, _: FileId) -> Option<Result<Weakenings, Diagnostics>> {
        Some(Ok(self.edits.weakenings.clone()))
    }
}

/// The program that looks for races, as a model of its own.
fn race_model(lowered: LoweredUnit) -> ReadModel {
    let program = lowered.program();
    debug_assert!(taut_ir::validate::validate(&program).is_ok(), "the program is well formed");
    ReadModel::new(RaceModel(lowered), program)
}

/// A C program that looks for races.
#[derive(Debug)]
struct RaceModel(LoweredUnit);

impl Model for RaceModel {
    fn growth(&self) -> Option<&dyn Growth> {
        self.0.grows().then_some(&self.0)
    }
}

impl Growth for LoweredUnit {
    fn most_processes(&self) -> usize {
        MOST_THREADS as usize
    }

    fn with_slots(&self, slots: &BTreeMap<String, u32>) -> Option<Lowered> {
        LoweredUnit::with_slots(self, slots).map(Lowered::from)
    }
}

/// The words that an editor colours.
const KEYWORDS: &[&str] = &[
    "_Atomic",
    "_Bool",
    "_Thread_local",
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extern",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];
