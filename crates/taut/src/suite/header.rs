//! Headers: what a file expects, and how it is to be checked.
//!
//! ```text
//! expect: MODEL VERDICT [PROPERTY]     MODEL: sc tso pso delayed all; VERDICT: holds violated covered never unknown
//! options: OPTION…                     as on the command line; see `FileOptions`
//! ```

use std::ops::Range;

use taut_ir::MemoryModel;
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};

use super::BAD_HEADER;
use super::options::FileOptions;
use crate::load::Language;
use crate::shell::words;
use crate::verdict::VerdictKind;

/// The word of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// It holds; without a property, everything asked does.
    Holds,
    /// It is violated; without a property, something is.
    Violated,
    /// A run reaches it, as a cover asks for; without a property, nothing but covers is asked, and all are reached.
    Covered,
    /// No run reaches a cover; without a property, some cover is not reached, and nothing is violated.
    Never,
    /// A limit leaves it open.
    Unknown,
}

impl Word {
    /// All of them.
    pub const ALL: [Word; 5] =
        [Word::Holds, Word::Violated, Word::Covered, Word::Never, Word::Unknown];

    /// The word itself.
    pub fn name(self) -> &'static str {
        match self {
            Word::Holds => "holds",
            Word::Violated => "violated",
            Word::Covered => "covered",
            Word::Never => "never",
            Word::Unknown => "unknown",
        }
    }
}

/// What was not asked has no verdict, so nothing is known.
impl From<VerdictKind> for Word {
    fn from(verdict: VerdictKind) -> Word {
        match verdict {
            VerdictKind::Holds => Word::Holds,
            VerdictKind::Violated => Word::Violated,
            VerdictKind::Covered => Word::Covered,
            VerdictKind::Never => Word::Never,
            VerdictKind::Unknown | VerdictKind::NotAsked => Word::Unknown,
        }
    }
}

/// One thing that a file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Under which memory model.
    pub model: MemoryModel,
    /// The verdict.
    pub verdict: Word,
    /// On which property; none for everything that is asked.
    pub property: Option<String>,
    /// Where it stands; of a named property, its name.
    pub span: Span,
}

impl Expectation {
    /// The expected verdict with the property.
    pub fn text(&self) -> String {
        match &self.property {
            Some(property) => format!("{} {property}", self.verdict.name()),
            None => self.verdict.name().into(),
        }
    }
}

/// All that a header says.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// What is expected, `all` as one expectation per model, in the order of the lines.
    pub expectations: Vec<Expectation>,
    /// How to check.
    pub options: FileOptions,
}

/// Reads the header of a file. Options of a file that expects nothing are not looked at: the word may stand in any
/// comment.
pub fn header(
    sources: &SourceMap,
    file: FileId,
    language: Language,
) -> Result<Header, Diagnostics> {
    let text = sources.file(file).text();
    let lines = language.comments().head_lines(text);
    let of = |word: &str| -> Vec<Range<usize>> {
        let body = |l: &Range<usize>| text[l.clone()].strip_prefix(word).map(str::len);
        lines.iter().filter_map(|l| body(l).map(|length| l.end - length..l.end)).collect()
    };
    let (mut header, mut errors) = (Header::default(), Diagnostics::new());
    for line in of("expect:") {
        if let Err(error) = expect(text, file, line, &mut header.expectations) {
            errors.extend(error);
        }
    }
    if header.expectations.is_empty() {
        return if errors.is_empty() { Ok(header) } else { Err(errors) };
    }
    for line in of("options:") {
        if let Err(error) = header.options.read(text, file, line) {
            errors.extend(error);
        }
    }
    if let Some(error) = refuse_models(&header) {
        errors.push(error);
    }
    if errors.is_empty() { Ok(header) } else { Err(errors) }
}

/// The models that a word means.
fn models(word: &str) -> Option<Vec<MemoryModel>> {
    if word == "all" {
        return Some(MemoryModel::ALL.to_vec());
    }
    word.parse().ok().map(|model| vec![model])
}

/// Reads one expectation.
fn expect(
    text: &str,
    file: FileId,
    line: Range<usize>,
    all: &mut Vec<Expectation>,
) -> Result<(), Diagnostics> {
    let mut rest = Blanks { text, line: line.clone() };
    let model = rest.word();
    let span = |range: Range<usize>| Span::new(file, range);
    let Some(models) = models(&text[model.clone()]) else {
        let names: Vec<_> =
            MemoryModel::EVERY.map(MemoryModel::name).into_iter().chain(["all"]).collect();
        return Err(not_one_of("a memory model", &text[model.clone()], &names, span(model)).into());
    };
    let verdict = rest.word();
    let Some(word) = Word::ALL.into_iter().find(|w| w.name() == &text[verdict.clone()]) else {
        let names = Word::ALL.map(Word::name);
        return Err(not_one_of("a verdict", &text[verdict.clone()], &names, span(verdict)).into());
    };
    let property = rest.rest();
    let name = (!property.is_empty()).then(|| text[property.clone()].to_string());
    let place = if property.is_empty() { model.start..verdict.end } else { property };
    for model in models {
        let new =
            Expectation { model, verdict: word, property: name.clone(), span: span(place.clone()) };
        refuse_twice(&new, all)?;
        all.push(new);
    }
    Ok(())
}

/// Shows that a word is none of those that may stand there.
fn not_one_of(what: &str, word: &str, names: &[&'static str], span: Span) -> Diagnostic {
    let message = match word {
        "" => format!("{what} is missing: one of {}", names.join(", ")),
        _ => format!("`{word}` is not {what}: one of {}", names.join(", ")),
    };
    let error = Diagnostic::error(BAD_HEADER, message, span).label("in this expectation");
    match nearest(word, names.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("write `expect: MODEL VERDICT [PROPERTY]`, as in `expect: tso holds`"),
    }
}

/// One thing has one verdict: a second line about it is a slip, whether it agrees or not.
fn refuse_twice(new: &Expectation, all: &[Expectation]) -> Result<(), Diagnostics> {
    let same = |e: &&Expectation| e.model == new.model && e.property == new.property;
    let Some(old) = all.iter().find(same) else { return Ok(()) };
    let model = new.model.name();
    let message = match &new.property {
        Some(property) => format!("there are two expectations of `{property}` under {model}"),
        None => format!("there are two expectations of everything under {model}"),
    };
    Err(Diagnostic::error(BAD_HEADER, message, new.span)
        .label("the second")
        .related(old.span, "the first")
        .into())
}

/// Refuses other memory models than the one that an engine is for.
fn refuse_models(header: &Header) -> Option<Diagnostic> {
    let engine = header.options.engine.engine()?;
    let able = engine.capabilities();
    let (only, _) = able.only_model?;
    let other = header.expectations.iter().find(|e| !(able.models)(e.model))?;
    let (id, only) = (engine.id(), only.name().to_uppercase());
    let message = format!("`--engine {id}` is for {only} alone, not for {}", other.model.name());
    Some(Diagnostic::error(BAD_HEADER, message, other.span).label("this expectation"))
}

/// What is left of a line.
struct Blanks<'t> {
    text: &'t str,
    line: Range<usize>,
}

impl Blanks<'_> {
    /// The next word; an empty one at the end.
    fn word(&mut self) -> Range<usize> {
        let rest = self.rest();
        let part = &self.text[rest.clone()];
        let end = rest.start + part.find(char::is_whitespace).unwrap_or(part.len());
        self.line.start = end;
        rest.start..end
    }

    /// Everything that is left, without blanks around it.
    fn rest(&self) -> Range<usize> {
        let part = &self.text[self.line.clone()];
        let start = self.line.end - part.trim_start().len();
        start..start.max(self.line.start + part.trim_end().len())
    }
}

impl FileOptions {
    /// Reads a line of options.
    fn read(&mut self, text: &str, file: FileId, line: Range<usize>) -> Result<(), Diagnostics> {
        let all = words(text, line).map_err(|quote| {
            let message = "this quote is never closed";
            Diagnostics::from(Diagnostic::error(BAD_HEADER, message, Span::new(file, quote)))
        })?;
        self.take(&all).map_err(|(range, message)| {
            Diagnostic::error(BAD_HEADER, message, Span::new(file, range))
                .label("in these options")
                .help(format!("a header may have {}", FileOptions::known().join(", ")))
                .into()
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use taut_source::render_all;

    use super::*;

    /// Pieces of headers, in and out of place.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("// ".to_string()),
            Just("/*".to_string()),
            Just("*/".to_string()),
            Just("(*".to_string()),
            Just("*)".to_string()),
            Just("expect: ".to_string()),
            Just("options: ".to_string()),
            Just("tso holds ".to_string()),
            Just("--bound ".to_string()),
            Just("--engine=rounds ".to_string()),
            Just("'".to_string()),
            Just("{\"".to_string()),
            Just("\r\n".to_string()),
            "\\PC{0,3}",
            "[ \u{3000}\t\n]",
        ];
        proptest::collection::vec(piece, 0..24).prop_map(|all| all.concat())
    }

    proptest! {
        /// Whatever stands at the head of a file, it is read or refused with a place that can be shown.
        #[test]
        fn any_head_is_read_or_refused(text in pieces()) {
            for language in Language::all() {
                let mut sources = SourceMap::new();
                let file = sources.add("a", text.clone());
                match header(&sources, file, language) {
                    Ok(header) => {
                        for expectation in header.expectations {
                            prop_assert!(!sources.text(expectation.span).is_empty());
                        }
                    }
                    Err(errors) => {
                        let shown = render_all(&sources, &errors, false);
                        prop_assert!(shown.contains("E0011"), "{}", shown);
                    }
                }
            }
        }
    }
}
