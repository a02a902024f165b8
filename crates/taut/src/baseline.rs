//! Baselines: the violations that are known, so that only new ones fail.
//!
//! A baseline is a set of [entries](KnownViolation): file, memory model, property, kind. No line is part of an entry, so a program
//! may be edited around a known violation; a property that is renamed is a new one. Of a suite, an entry is an
//! expectation that is not met; one about everything that is asked names the violated properties, too, so that another
//! violated property is new.
//!
//! Files in a baseline are named relative to the folder of the baseline, so the working directory does not matter.
//!
//! What `taut check --format json` printed is read as a baseline, too: every violation in it is known.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::load::Loaded;
use crate::outcome::Report;
use crate::suite::{Answer, FileResult, Status};
use crate::verdict::{PropertyResult, Verdict};

/// The kind of an entry that is an expectation of a suite.
pub const EXPECTATION: &str = crate::annotate::EXPECTATION;

/// The version of the format.
const VERSION: u32 = 1;

/// The largest file that is read. A run that is printed as JSON has all its states in it.
const MOST_BYTES: u64 = 1 << 30;

/// A violation without its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownViolation {
    /// The file, relative to the folder of the baseline.
    pub file: String,
    /// The memory model.
    pub model: String,
    /// The name of the property; of a suite, what was expected.
    pub property: String,
    /// The kind of the property, or [`EXPECTATION`].
    pub kind: String,
}

impl std::fmt::Display for KnownViolation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let KnownViolation { file, model, property, kind } = self;
        write!(f, "{file}: {property} ({kind}) under {}", model.to_uppercase())
    }
}

/// What a check says about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// It is violated, or not as expected.
    Violated,
    /// It is not: an entry about it is stale.
    Fine,
    /// Unknown: a limit was met, or it was not asked.
    Open,
}

/// The known violations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeSet<KnownViolation>,
}

/// A baseline as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    baseline: u32,
    violations: Vec<KnownViolation>,
}

/// A line of `--format json`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Check { file: String, model: String, results: Vec<CheckedLine> },
    Suite { file: String, results: Vec<ExpectedLine> },
}

#[derive(Deserialize)]
struct CheckedLine {
    property: String,
    kind: String,
    verdict: String,
}

#[derive(Deserialize)]
struct ExpectedLine {
    model: String,
    property: Option<String>,
    expected: String,
    got: String,
    status: String,
    properties: Vec<String>,
}

impl Baseline {
    /// A baseline of these violations.
    pub fn of(entries: impl IntoIterator<Item = KnownViolation>) -> Baseline {
        Baseline { entries: entries.into_iter().collect() }
    }

    /// Reads a file: a baseline, or what `--format json` printed, whose names are relative to the working directory.
    pub fn read(path: &Path) -> Result<Baseline, String> {
        let shown = path.display();
        let failed = |error: std::io::Error| format!("cannot read `{shown}`: {error}");
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(failed)?;
        file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
        if text.len() as u64 > MOST_BYTES {
            return Err(format!("`{shown}` is too large for a baseline"));
        }
        let folder = folder_of(path);
        Baseline::parse(&text, &|name| relative(&folder, name))
            .map_err(|why| format!("`{shown}` is no baseline: {why}"))
    }

    /// Reads a text; `rename` makes the names of `--format json` those of a baseline.
    fn parse(text: &str, rename: &dyn Fn(&str) -> String) -> Result<Baseline, String> {
        if let Ok(document) = serde_json::from_str::<Document>(text) {
            return match document.baseline {
                VERSION => Ok(Baseline::of(document.violations)),
                other => Err(format!("version {other}; this Taut reads version {VERSION}")),
            };
        }
        let mut entries = BTreeSet::new();
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            taut_budget::tick();
            let line = serde_json::from_str::<Line>(line).map_err(|_| {
                format!("line {} is neither a baseline nor a line of `--format json`", i + 1)
            })?;
            entries.extend(line.entries(rename));
        }
        match text.trim().is_empty() {
            true => Err("it is empty; `--write-baseline` writes one".into()),
            false => Ok(Baseline { entries }),
        }
    }

    /// The text of the file, an entry per line, in order.
    pub fn text(&self) -> String {
        // Strings only: nothing in an entry cannot be written.
        let lines = self.entries.iter().filter_map(|entry| serde_json::to_string(entry).ok());
        let lines: Vec<String> = lines.map(|line| format!("    {line}")).collect();
        let list = match lines.is_empty() {
            true => "[]".into(),
            false => format!("[\n{}\n  ]", lines.join(",\n")),
        };
        format!("{{\n  \"baseline\": {VERSION},\n  \"violations\": {list}\n}}\n")
    }

    /// Whether a violation is known.
    pub fn contains(&self, entry: &KnownViolation) -> bool {
        self.entries.contains(entry)
    }

    /// The entries, in order.
    pub fn entries(&self) -> impl Iterator<Item = &KnownViolation> {
        self.entries.iter()
    }

    /// The entries that are known to be no longer true, after everything that was found: the property holds now, or the
    /// file was checked under the model and has no such property, or there is no such file. Of files that were not
    /// checked nothing is said.
    pub fn stale<'b>(
        &'b self,
        found: &'b [(KnownViolation, Recheck)],
        folder: &'b Path,
    ) -> impl Iterator<Item = &'b KnownViolation> {
        self.entries.iter().filter(move |entry| {
            let here = |(other, _): &&(KnownViolation, Recheck)| {
                other.file == entry.file && other.model == entry.model
            };
            let mut about = found.iter().filter(here).peekable();
            if about.peek().is_none() {
                return !folder.join(&entry.file).exists() && entry.file != "-";
            }
            about
                .find(|(other, _)| other == *entry)
                .is_none_or(|(_, found)| *found == Recheck::Fine)
        })
    }
}

impl Line {
    fn entries(self, rename: &dyn Fn(&str) -> String) -> Vec<KnownViolation> {
        match self {
            Line::Check { file, model, results } => {
                let violated = results.into_iter().filter(|result| result.verdict == "violated");
                let file = rename(&file);
                let entry = |CheckedLine { property, kind, .. }| KnownViolation {
                    file: file.clone(),
                    model: model.clone(),
                    property,
                    kind,
                };
                violated.map(entry).collect()
            }
            Line::Suite { file, results } => {
                let file = rename(&file);
                // What is as expected and fails is vacuous, which is no violation.
                let differs = |r: &ExpectedLine| r.status == "differs" && r.expected != r.got;
                let entry = |line: ExpectedLine| KnownViolation {
                    file: file.clone(),
                    property: expectation(
                        &line.expected,
                        line.property.as_deref(),
                        &line.properties,
                    ),
                    model: line.model,
                    kind: EXPECTATION.into(),
                };
                results.into_iter().filter(differs).map(entry).collect()
            }
        }
    }
}

/// An expectation in words: with the properties that it is about, if it names none itself.
fn expectation(expected: &str, property: Option<&str>, properties: &[String]) -> String {
    match property {
        Some(property) => format!("{expected} {property}"),
        None if properties.is_empty() => expected.into(),
        None => format!("{expected} ({})", properties.join(", ")),
    }
}

/// What a report says, entry by entry.
pub fn of_report(
    loaded: &Loaded,
    report: &Report,
    folder: &Path,
) -> Vec<(KnownViolation, Recheck)> {
    let file = relative(folder, &loaded.name);
    let entry = |result: &PropertyResult| KnownViolation {
        file: file.clone(),
        model: report.memory.model.name().into(),
        property: result.name.clone(),
        kind: result.kind.word().into(),
    };
    let found = |result: &PropertyResult| match &result.verdict {
        Verdict::Violated(_) | Verdict::Never(_) => Recheck::Violated,
        Verdict::Holds(_) | Verdict::Covered(_) => Recheck::Fine,
        Verdict::Unknown(_) | Verdict::NotAsked => Recheck::Open,
    };
    report.results.iter().map(|result| (entry(result), found(result))).collect()
}

/// What a file of a suite says about one expectation.
pub fn of_answer(file: &FileResult, answer: &Answer, folder: &Path) -> (KnownViolation, Recheck) {
    let wanted = &answer.expectation;
    let entry = KnownViolation {
        file: relative(folder, &file.name()),
        model: wanted.model.name().into(),
        property: expectation(
            wanted.verdict.name(),
            wanted.property.as_deref(),
            &answer.properties,
        ),
        kind: EXPECTATION.into(),
    };
    let found = match answer.status() {
        Status::Differs if !answer.is_vacuous() => Recheck::Violated,
        Status::Met => Recheck::Fine,
        _ => Recheck::Open,
    };
    (entry, found)
}

/// The folder of a file that need not exist.
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
        _ => PathBuf::from("."),
    }
}

/// The name of a file as it is in a baseline in that folder. What is no file, such as standard input, keeps its name.
fn relative(folder: &Path, name: &str) -> String {
    let (Ok(from), Ok(to)) = (folder.canonicalize(), Path::new(name).canonicalize()) else {
        return name.into();
    };
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    let down = to[shared..].iter().copied();
    let names: Vec<_> =
        up.chain(down).map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    names.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(property: &str) -> KnownViolation {
        let [file, model, kind] = ["a.taut", "tso", "forbid"].map(String::from);
        KnownViolation { file, model, property: property.into(), kind }
    }

    fn parse(text: &str) -> Result<Baseline, String> {
        Baseline::parse(text, &|name| name.into())
    }

    #[test]
    fn what_is_written_is_read_back() {
        for count in 0..3 {
            let names = ["a \"quoted\" name\n", "mutex"];
            let baseline = Baseline::of(names.iter().take(count).map(|name| entry(name)));
            assert_eq!(parse(&baseline.text()), Ok(baseline));
        }
    }

    #[test]
    fn broken_files_are_refused_with_a_reason() {
        let newer = "{\"baseline\":2,\"violations\":[]}";
        assert!(parse(newer).is_err_and(|why| why.contains("version 2")));
        assert!(parse("").is_err_and(|why| why.contains("empty")));
        for broken in ["{}", "[]", "nonsense", "{\"baseline\":1}", "{\"file\":\"a\"}"] {
            assert!(parse(broken).is_err_and(|why| why.contains("line 1")), "{broken}");
        }
    }

    #[test]
    fn entries_are_stale_only_where_something_else_is_known() {
        let baseline = Baseline::of(["holds", "open", "gone", "violated"].map(entry));
        let found = [
            (entry("holds"), Recheck::Fine),
            (entry("open"), Recheck::Open),
            (entry("violated"), Recheck::Violated),
        ];
        let stale = |found| -> Vec<String> {
            let folder = Path::new("/");
            baseline.stale(found, folder).map(|entry| entry.property.clone()).collect()
        };
        assert_eq!(stale(&found), ["gone", "holds"]);
        let elsewhere = [(KnownViolation { model: "pso".into(), ..entry("holds") }, Recheck::Fine)];
        assert_eq!(stale(&elsewhere).len(), 4, "there is no file /a.taut");
    }

    #[test]
    fn names_are_relative_to_the_folder_of_the_baseline() {
        let folder = std::env::temp_dir().join(format!("taut-baseline-{}", std::process::id()));
        let at = |name: &str| folder.join(name);
        std::fs::create_dir_all(at("models/locks")).expect("folders");
        std::fs::write(at("models/locks/a.taut"), "").expect("a file");
        let file = at("models/locks/a.taut").display().to_string();
        for (from, name) in
            [("", "models/locks/a.taut"), ("models", "locks/a.taut"), ("models/locks", "a.taut")]
        {
            assert_eq!(relative(&at(from), &file), name);
        }
        std::fs::create_dir_all(at("ci")).expect("a folder");
        assert_eq!(relative(&at("ci"), &file), "../models/locks/a.taut");
        assert_eq!(relative(&at("ci"), "-"), "-", "standard input");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
