//! Questions about runs that are asked from outside the program.
//!
//! Formulas and automata are read by the program's own front end, so that they may say everything the
//! program may, its macros and constants included. Cycles without progress and acceptance cycles need no text:
//! they are formulas about labels.

use serde::{Deserialize, Serialize};
use taut_ir::frontend::Labelled;
use taut_ir::{Claim, ClaimText, Program, Property};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// A question about runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExtraProperty {
    /// Whether every run satisfies a formula.
    Ltl(String),
    /// The formulas of a file.
    LtlFile {
        /// Its name.
        name: String,
        /// What it holds.
        text: String,
    },
    /// Whether no run is accepted by an automaton in the Hanoi omega-automata format.
    Hoa {
        /// The name of its file.
        name: String,
        /// What it holds.
        text: String,
    },
    /// Whether every infinite run comes to a label that begins with `progress` again and again.
    Progress,
    /// Whether no run comes to a label that begins with `accept` again and again.
    Acceptance,
}

/// What the questions about labels are called.
const PROGRESS: &str = "progress";
const ACCEPTANCE: &str = "acceptance";

/// The claims of some questions, their texts added to the sources.
pub(crate) fn claims(
    asked: &[ExtraProperty],
    sources: &mut SourceMap,
) -> Result<Vec<Claim>, Diagnostics> {
    let (mut formulas, mut automata) = (Names::new("ltl"), Names::new("hoa"));
    let mut claims = Vec::new();
    for question in asked {
        match question {
            ExtraProperty::Ltl(text) => {
                let files = vec![add(sources, "--ltl", text)?];
                claims.push(Claim { files, text: ClaimText::Formula { name: formulas.next() } });
            }
            ExtraProperty::LtlFile { name, text } => {
                let files = vec![add(sources, name, text)?];
                claims.push(Claim { files, text: ClaimText::File });
            }
            ExtraProperty::Hoa { name, text } => {
                claims.push(automaton(sources, name, text, automata.next())?);
            }
            ExtraProperty::Progress | ExtraProperty::Acceptance => {}
        }
    }
    Ok(claims)
}

/// Names for questions that have none: `ltl`, `ltl_2`, and so on.
struct Names {
    word: &'static str,
    count: usize,
}

impl Names {
    fn new(word: &'static str) -> Names {
        Names { word, count: 0 }
    }

    fn next(&mut self) -> String {
        self.count += 1;
        if self.count == 1 { self.word.into() } else { format!("{}_{}", self.word, self.count) }
    }
}

fn add(sources: &mut SourceMap, name: &str, text: &str) -> Result<FileId, Diagnostics> {
    let added = sources.add_bytes(name, text.as_bytes().to_vec());
    added.map_err(|diagnostic| Diagnostics::from(*diagnostic))
}

fn automaton(
    sources: &mut SourceMap,
    file: &str,
    text: &str,
    name: String,
) -> Result<Claim, Diagnostics> {
    let id = add(sources, file, text)?;
    let read = match taut_ltl::hoa::read(text) {
        Ok(read) => read,
        Err(error) => {
            let span = line_span(sources, id, error.line);
            return Err(Diagnostic::error("E0007", error.message, span).into());
        }
    };
    let texts = read.atoms.iter().enumerate();
    let files = texts.map(|(i, text)| add(sources, &format!("{file}: proposition {i}"), text));
    let files = files.collect::<Result<_, _>>()?;
    Ok(Claim { files, text: ClaimText::Automaton { name, automaton: read.automaton } })
}

/// A line of a file, counted from one.
fn line_span(sources: &SourceMap, file: FileId, line: usize) -> Span {
    let text = sources.file(file).text();
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            return Span::new(file, start..start + content.trim_end().len());
        }
        start += content.len();
    }
    Span::new(file, start..start)
}

/// The names of the properties that were asked for: they stand in the files of the claims, or have names
/// that were given to them here.
pub(crate) fn names(asked: &[ExtraProperty], claims: &[Claim], program: &Program) -> Vec<String> {
    let files: Vec<FileId> = claims.iter().flat_map(|claim| claim.files.iter().copied()).collect();
    let is_automaton = |name: &str| {
        let named = |claim: &Claim| matches!(&claim.text, ClaimText::Automaton { name: own, .. } if own == name);
        claims.iter().any(named)
    };
    let about_labels = |name: &str| {
        name == PROGRESS && asked.contains(&ExtraProperty::Progress)
            || name == ACCEPTANCE && asked.contains(&ExtraProperty::Acceptance)
    };
    let is_asked = |p: &&Property| {
        let outside = !p.span.is_none() && files.contains(&p.span.file);
        p.kind.is_temporal() && (outside || is_automaton(&p.name) || about_labels(&p.name))
    };
    program.properties.iter().filter(is_asked).map(|p| p.name.clone()).collect()
}

/// Adds the questions about labels to a program.
pub(crate) fn add_labels(asked: &[ExtraProperty], program: &mut Program, labelled: &Labelled) {
    program.properties.extend(asked.iter().filter_map(|question| match question {
        ExtraProperty::Progress => Some(labelled.progress_property()),
        ExtraProperty::Acceptance => Some(labelled.acceptance_property()),
        ExtraProperty::Ltl(_) | ExtraProperty::LtlFile { .. } | ExtraProperty::Hoa { .. } => None,
    }));
}
