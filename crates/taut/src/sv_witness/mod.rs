//! Witnesses for the validators of SV-COMP: YAML files of the format 2.0.
//!
//! A *correctness witness* has invariants of program points, a *violation witness* the statements of a violating run.
//! Both are about assertions, under SC, of programs in C or Promela. The format: Ayaziová, Beyer, Lingsch-Rosenfeld,
//! Spiessl and Strejček, *Software Verification Witnesses 2.0* (SPIN 2024).
//!
//! An invariant is made of what was seen: all states are visited by the replayer's steps, and for each statement the
//! values of each global variable are collected over all states in which some process is there. So it holds at the statement in
//! every execution, whichever process executes it. Only statements at which every execution stops by a step are used
//! (`text.rs` says which), because others have no program point of their own.
//!
//! Version 2.0 of the format has no names for threads. A violation witness has the statements in their order, with the values of global
//! variables before each, and leaves it to the validator to find out which thread executes which statement.
//!
//! | file | idea |
//! | --- | --- |
//! | `text.rs` | statements, loops and global variables of a C text |
//! | `globals.rs` | the global variables of a program as C expressions |
//! | `invariants.rs` | the content of a correctness witness |
//! | `violation.rs` | the content of a violation witness |
//! | `yaml.rs` | the file |

mod globals;
mod invariants;
mod text;
mod violation;
mod yaml;

use std::time::SystemTime;

use taut_budget::Budget;
use taut_budget::Level::Work;
use taut_ir::MemoryModel;
use taut_source::Span;

use crate::load::Loaded;
use crate::outcome::Report;
use crate::verdict::{QuestionKind, Verdict};
use text::CText;
use yaml::Place;

/// The reason why there can be no witness of a program under some memory models, with a fix.
pub fn refusal(loaded: &Loaded, models: &[MemoryModel]) -> Option<String> {
    let language = loaded.language.name();
    if !["c", "promela"].contains(&language) {
        let why =
            "a witness is about a program in C or Promela, and this one is in another language";
        return Some(format!("{why}\nhelp: `--proof FILE` writes evidence for every language"));
    }
    if models != [MemoryModel::Sc] {
        let why =
            "a witness is about sequential consistency: the format knows no other memory model";
        return Some(format!("{why}\nhelp: add `--model sc`"));
    }
    None
}

/// The witness of a report, as a text; or the reason why there is none.
pub fn witness(
    loaded: &Loaded,
    report: &Report,
    budget: &Budget,
    now: SystemTime,
) -> Result<String, String> {
    let subject = Subject::new(loaded);
    let asserts = || report.results.iter().filter(|r| r.kind == QuestionKind::Assert);
    let violated = asserts().find_map(|result| result.verdict.witness());
    if let Some(found) = violated {
        let segments = violation::segments(&subject, found)
            .ok_or("the violation is in no statement of the program")?;
        return Ok(subject.file(yaml::Content::Violation(segments), now));
    }
    for result in asserts() {
        match &result.verdict {
            Verdict::Holds(coverage) if coverage.is_everything() => {}
            Verdict::Holds(coverage) => {
                return Err(format!("`{}` holds of some executions only: {coverage}", result.name));
            }
            other => return Err(format!("`{}` is {}", result.name, other.word())),
        }
    }
    let other = |r: &&crate::PropertyResult| matches!(r.verdict, Verdict::Violated(_));
    if let Some(result) = report.results.iter().find(other) {
        let name = &result.name;
        return Err(format!("`{name}` is violated, and the format is about assertions"));
    }
    let collected = budget.within(None).run(Work, || invariants::invariants(&subject, report));
    let invariants = collected.map_err(|met| met.to_string())?;
    Ok(subject.file(yaml::Content::Correctness(invariants), now))
}

/// The program that a witness is about.
struct Subject<'l> {
    loaded: &'l Loaded,
    /// The statements of a C program.
    text: Option<CText>,
}

impl<'l> Subject<'l> {
    fn new(loaded: &'l Loaded) -> Subject<'l> {
        let source = loaded.sources.file(loaded.file).text();
        let text = (loaded.language.name() == "c").then(|| CText::of(source));
        Subject { loaded, text }
    }

    /// The place of the statement in which a span begins; none if it is in another file, or in none.
    fn place(&self, span: Span) -> Option<Place> {
        if span.file != self.loaded.file {
            return None;
        }
        match &self.text {
            Some(text) => {
                let statement = text.statement_at(span.start as usize)?;
                Some(self.place_of(statement.start as u32, Some(statement.function.clone())))
            }
            None => Some(self.place_of(span.start, None)),
        }
    }

    fn place_of(&self, offset: u32, function: Option<String>) -> Place {
        let position = self.loaded.sources.file(self.loaded.file).position(offset);
        Place { line: position.line, column: position.column, function }
    }

    /// The whole file.
    fn file(&self, content: yaml::Content, now: SystemTime) -> String {
        let language = if self.text.is_some() { "C" } else { "Promela" };
        let specification = match self.text {
            Some(_) => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            None => "CHECK( init(), LTL(G ! assertion-violation) )",
        };
        let sources = self.loaded.provenance(Vec::new()).sources;
        let source =
            sources.first().map(|s| (s.file.clone(), s.sha256.clone())).unwrap_or_default();
        yaml::Witness { source, specification, language, content }.text(now)
    }
}
