//! Promela as a front end: models are read once, and made into programs with as many processes as a search turns out
//! to need.
//!
//! A model may `run` any number of processes, a program has a fixed number of them. So the syntax tree is kept, and
//! [`Growth::with_slots`] makes another program with other numbers. All programs of one model differ in nothing else:
//! definitions, steps and properties keep their numbers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use taut_ir::frontend::{
    CHANNELS, DEFINE, FenceWords, FileAccess, Frontend, Growth, Labelled, LoadContext, Lowered,
    Model, OptionKind, OptionSpec, ReadModel, THREADS, Threads, Update,
};
use taut_ir::{Channels, MemoryModel};
use taut_source::{Diagnostic, Diagnostics, EditSites, FileId, SourceMap, Span};

use crate::codes;
use crate::{FENCE, Headers, KEYWORDS, LowerOptions, Options, Parsed, STORE_FENCE};

/// The header for SPIN, with which models that use Taut's operations run there under sequential consistency.
pub const HEADER: &str = include_str!("../include/taut.h");

/// The header for Taut itself: the operations are part of the language it reads.
const OWN_HEADER: &str = "/* Taut knows these operations without a header. */\n";

/// The most processes there may be, as in SPIN.
const MOST_PROCESSES: usize = 255;

/// Global variables that are observers.
pub const GHOST: OptionSpec = OptionSpec::new(
    "ghost",
    "global variables that are observers', besides those declared `ghost`",
    OptionKind::Words { value: "NAMES", delimiter: Some(',') },
);

/// The reading of mmlib's headers.
pub const MMLIB: OptionSpec = OptionSpec::new(
    "mmlib",
    "what to make of mmlib's headers sc.h, tso.h and pso.h",
    OptionKind::Choice(&[
        ("native", "The header chooses the memory model, and its macros are Taut's own operations"),
        ("as-written", "They are included from disk as the plain Promela that they are"),
    ]),
);

/// Promela, the language of SPIN, `.pml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promela;

impl Frontend for Promela {
    fn name(&self) -> &'static str {
        "promela"
    }

    fn title(&self) -> &'static str {
        "Promela"
    }

    fn noun(&self) -> &'static str {
        "Promela model"
    }

    fn about(&self) -> &'static str {
        "Promela, the language of SPIN"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pml", "prom", "promela", "spin"]
    }

    fn keywords(&self) -> &'static [&'static str] {
        &COLOURED
    }

    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        crate::codes::CODES
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[DEFINE, GHOST, MMLIB, CHANNELS, THREADS]
    }

    fn reads_claims(&self) -> bool {
        true
    }

    fn shows_search_facts(&self) -> bool {
        true
    }

    fn ghost_advice(&self, name: &str) -> Option<(String, String)> {
        Some((
            format!("`{name}` looks like an observer: `--ghost {name}`"),
            format!("with `--ghost {name}`, or declared `ghost`, it is never buffered"),
        ))
    }

    fn fences(&self) -> Option<FenceWords<'static>> {
        Some(FenceWords::new(FENCE, STORE_FENCE))
    }

    fn locked(&self, update: &Update, location: &str) -> String {
        match update {
            Update::Add(by) => format!("`FETCH_ADD({location}, {by})`"),
            Update::Swap(old, new) => format!("`CAS({location}, {old}, {new})`"),
            Update::Other => "`LOCKED { … }` around both, or a loop with `CAS`".into(),
        }
    }

    fn repair_note(&self, text: &str) -> Option<&'static str> {
        let note = "SPIN knows these words by `#include \"taut.h\"`, which `taut header` writes";
        (!text.contains("taut.h")).then_some(note)
    }

    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics> {
        let defines = Options { defines: cx.options.words(&DEFINE).to_vec() };
        let is_native = cx.options.choice(&MMLIB) == "native";
        let mut headers = headers(is_native, cx.access);
        let parsed =
            crate::parse_with_claims(cx.sources, cx.file, &defines, cx.claims, &mut headers)?;
        if Threads::of(cx.options).is_some() && !parsed.symbols.proctypes.iter().any(|p| p.any) {
            return Err(no_star(cx.file));
        }
        let options = LowerOptions {
            name: cx.sources.file(cx.file).name().to_owned(),
            ghosts: cx.options.words(&GHOST).to_vec(),
            slots: BTreeMap::new(),
            channels: Channels::of(cx.options),
            threads: Threads::of(cx.options).and_then(Threads::number),
        };
        let lowered = crate::lower(&parsed, &options)?;
        let mut always = lowered.warnings.clone();
        always.extend(parsed.warnings.clone());
        let relaxed = lowered.relaxed_warnings.clone();
        let (memory_model, bound) = match is_native {
            true => (lowered.model, lowered.bound),
            // The buffers are written out in the model; another pair of them would be one too many.
            false => (includes_mmlib(&parsed).then_some(MemoryModel::Sc), None),
        };
        let model = PromelaModel { parsed, options, memory_model, bound };
        Ok(ReadModel::new(model, lowered).warn(always, relaxed))
    }
}

/// The refusal of `--threads` for a model that has no proctype with any number of processes.
fn no_star(file: FileId) -> Diagnostics {
    let message = "`--threads`, but this model has no proctype with any number of processes";
    let found = Diagnostic::error(codes::BAD_SIZE, message, Span::new(file, 0..0));
    found.help("write `active [*] proctype p() …`, or leave `--threads` out").into()
}

impl From<crate::Lowered> for Lowered {
    fn from(lowered: crate::Lowered) -> Lowered {
        // SPIN hands some labels on to the choice they stand in, so that those of program points are not enough.
        let labelled = Labelled { progress: lowered.progress, accept: lowered.accept };
        Lowered::labelled(lowered.program, labelled)
    }
}

/// The headers that a model may include.
fn headers(is_native: bool, access: FileAccess) -> Headers {
    let headers = match access {
        FileAccess::Allowed => Headers::on_disk(),
        FileAccess::Denied => Headers::none(),
    };
    let headers = headers.with("taut.h", OWN_HEADER);
    let models = MemoryModel::ALL.into_iter().filter(|_| is_native);
    models.fold(headers, |all, model| all.with(header_of(model), ""))
}

/// The name of mmlib's header for a memory model.
fn header_of(model: MemoryModel) -> String {
    format!("{model}.h")
}

fn includes_mmlib(parsed: &Parsed) -> bool {
    let bare = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let is_header = |path: &str| MemoryModel::ALL.iter().any(|&m| header_of(m) == bare(path));
    parsed.includes.iter().any(|include| is_header(&include.path))
}

/// A model that was read.
#[derive(Clone, Debug)]
struct PromelaModel {
    parsed: Parsed,
    /// How the first program was made.
    options: LowerOptions,
    /// The memory model that the model's mmlib header chooses.
    memory_model: Option<MemoryModel>,
    /// The bound on buffers that the model chooses.
    bound: Option<u32>,
}

impl Model for PromelaModel {
    fn memory_model(&self) -> Option<MemoryModel> {
        self.memory_model
    }

    fn bound(&self) -> Option<u32> {
        self.bound
    }

    fn growth(&self) -> Option<&dyn Growth> {
        Some(self)
    }

    fn included(&self) -> Vec<FileId> {
        let includes = self.parsed.includes.iter().filter(|include| !include.built_in);
        includes.map(|include| include.file).collect()
    }

    fn edit_sites(&self, sources: &SourceMap, _: FileId) -> Result<EditSites, Diagnostics> {
        Ok(crate::places(sources, &self.parsed))
    }

    fn dropped_statements(&self, _: &SourceMap, _: FileId) -> Diagnostics {
        crate::after_endless_loops(&self.parsed)
    }

    fn atomic_spans(&self) -> Vec<Span> {
        crate::atomic_places(&self.parsed)
    }

    fn printed(&self, sources: &SourceMap, file: FileId) -> String {
        printed(&without_comments(sources.file(file).text()))
    }
}

impl Growth for PromelaModel {
    fn most_processes(&self) -> usize {
        MOST_PROCESSES
    }

    fn with_slots(&self, slots: &BTreeMap<String, u32>) -> Option<Lowered> {
        // Before anything is made: the numbers may come from a file.
        if slots.values().any(|&count| count as usize > MOST_PROCESSES) {
            return None;
        }
        let options = LowerOptions { slots: slots.clone(), ..self.options.clone() };
        let lowered = Lowered::from(crate::lower(&self.parsed, &options).ok()?);
        (lowered.program.processes.len() <= MOST_PROCESSES).then_some(lowered)
    }
}

/// A text without `// …` and `/* … */`. Strings that hold such marks are cut, which only makes warnings fewer.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    // From one slash to the next: a search for each of the two marks would go through the whole rest each time.
    while let Some(start) = rest.find('/') {
        taut_budget::tick();
        let comment = &rest[start..];
        let end = match comment.as_bytes().get(1) {
            Some(b'/') => comment.find('\n'),
            Some(b'*') => comment.find("*/").map(|end| end + 2),
            _ => {
                out.push_str(&rest[..=start]);
                rest = &rest[start + 1..];
                continue;
            }
        };
        out.push_str(&rest[..start]);
        out.push(' ');
        match end {
            Some(end) => rest = &comment[end..],
            None => return out,
        }
    }
    out + rest
}

/// What stands between the parentheses of `printf`, or up to the end of the line.
fn printed(text: &str) -> String {
    let calls = text.match_indices("printf").map(|(at, _)| &text[at..]);
    let arguments = calls.map(|call| call.split(['\n', ';']).next().unwrap_or(call));
    arguments.collect::<Vec<_>>().join("\n")
}

/// The words of Taut that stand in Promela models.
const OPERATIONS: [&str; 9] =
    ["ghost", "FENCE", "SFENCE", "SYNC", "ATOMIC_WRITE", "LOCKED", "FETCH_ADD", "CAS", "XCHG"];

/// The words that an editor colours: the reserved words, and Taut's operations.
static COLOURED: LazyLock<Vec<&str>> =
    LazyLock::new(|| KEYWORDS.iter().copied().chain(OPERATIONS).collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_stands_outside_of_comments() {
        assert_eq!(without_comments("int x; // x\n/* x */ xx = x;"), "int x;  \n  xx = x;");
        assert_eq!(without_comments("a /* open"), "a  ");
        assert_eq!(without_comments("a / b // c\n/"), "a / b  \n/");
        assert!(!printed("x = 1; printf(\"%d\", y); y = 2").contains('x'));
    }

    #[test]
    fn operations_are_coloured_and_are_no_reserved_words() {
        assert!(OPERATIONS.iter().all(|word| Promela.keywords().contains(word)));
        assert!(!OPERATIONS.iter().any(|word| KEYWORDS.contains(word)));
    }
}
