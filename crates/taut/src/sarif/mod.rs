//! Annotations as SARIF 2.1.0, the format in which analyses tell code hosts and editors what they found.
//!
//! One run, one result a remark that has a place; what has none is a notification. A violating run is one code flow
//! with one thread flow in which all processes take turns. The standard would have a thread flow for each process,
//! but Visual Studio Code shows the first thread flow only, and others show one after the other: in both the order of
//! things between processes is lost, which is what a violation on relaxed memory is about. So each location says its
//! process in its message, and `executionOrder` is its number in the run.
//!
//! What is open is a result of level `note`: the level `none` that the standard knows for results of kind `open`
//! is not shown by code hosts, and what is left open should be seen.

mod model;
mod rules;
mod uri;

use std::collections::BTreeMap;

use model::{
    Artifact, ArtifactChange, ArtifactLocation, CodeFlow, Driver, Fix, Invocation, Location, Log,
    Message, Notification, PhysicalLocation, Region, ReportingReference, RunBag, RunObject,
    SarifReplacement, SarifResult, Suppression, ThreadFlow, ThreadFlowLocation, Tool,
    VerdictObject,
};
use rules::Rules;

use crate::annotate::{Annotations, Level, Remark, SourceLine, TraceEvent};
use crate::provenance::Provenance;

/// How a run of Taut ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Its exit code.
    pub code: u8,
    /// What that means.
    pub words: &'static str,
    /// Whether it did what it was asked, whatever it found.
    pub successful: bool,
}

/// The schema that a log says it follows.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What relative addresses are relative to. Code hosts know this name.
const ROOT: &str = "%SRCROOT%";

/// The annotations of one run of Taut as a SARIF log.
pub fn log(annotations: &Annotations, ending: Ending) -> String {
    let log = Writer::default().log(annotations, ending);
    // Strings and numbers only: nothing in it cannot be written.
    serde_json::to_string_pretty(&log).map_or_else(|error| error.to_string(), |text| text + "\n")
}

/// What is collected while results are written.
#[derive(Default)]
struct Writer {
    rules: Rules,
    /// The addresses of the files, in the order in which they were met.
    files: Vec<String>,
}

impl Writer {
    fn log(mut self, annotations: &Annotations, ending: Ending) -> Log {
        let (placed, placeless): (Vec<_>, Vec<_>) =
            annotations.remarks.iter().partition(|remark| remark.place.is_some());
        for line in &annotations.verdicts {
            self.file(&line.file);
        }
        let provenance = &annotations.provenance;
        let results = placed.into_iter().filter_map(|remark| self.result(remark)).collect();
        let notifications = placeless.into_iter().map(notification).collect();
        let verdicts = annotations.verdicts.iter().map(VerdictObject::of).collect();
        let run = RunObject {
            tool: Tool { driver: driver(self.rules) },
            invocations: [invocation(ending, provenance, notifications)],
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: BTreeMap::from([(ROOT, model::Base::new())]),
            artifacts: self.files.iter().map(|file| artifact(file, provenance)).collect(),
            results,
            properties: RunBag { verdicts },
        };
        Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }

    fn result(&mut self, remark: &Remark) -> Option<SarifResult> {
        let place = remark.place.as_ref()?;
        let fingerprints = BTreeMap::from([("tautSubject/v1", remark.subject.clone())]);
        let related = remark.related.iter().enumerate();
        Some(SarifResult {
            rule_id: remark.rule,
            rule_index: self.rules.index(remark.rule),
            level: level(remark.level),
            message: Message::new(&remark.message),
            locations: [self.location(place, None)],
            related_locations: related
                .map(|(i, (place, words))| Location {
                    id: Some(i + 1),
                    ..self.location(place, Some(words))
                })
                .collect(),
            code_flows: self.code_flow(&remark.run, place).into_iter().collect(),
            fixes: remark.fix.iter().map(|text| self.fix(place, text)).collect(),
            partial_fingerprints: fingerprints,
            suppressions: (remark.level == Level::Known).then_some([Suppression::BASELINE]),
        })
    }

    /// An edit of the place that a result is about.
    fn fix(&mut self, place: &SourceLine, text: &str) -> Fix {
        let PhysicalLocation { artifact_location, region } =
            self.location(place, None).physical_location;
        let inserted_content = Message::new(text);
        let replacements = [SarifReplacement { deleted_region: region, inserted_content }];
        Fix { artifact_changes: [ArtifactChange { artifact_location, replacements }] }
    }

    /// A run. What stands nowhere is shown at the place of the result: every location of a flow must have one.
    fn code_flow(&mut self, run: &[TraceEvent], otherwise: &SourceLine) -> Option<CodeFlow> {
        let location = |happening: &TraceEvent| {
            let place = happening.place.as_ref().unwrap_or(otherwise);
            ThreadFlowLocation {
                location: self.location(place, Some(&happening.text)),
                execution_order: happening.number,
            }
        };
        let locations: Vec<_> = run.iter().map(location).collect();
        let thread_flows = [ThreadFlow { id: "run", locations }];
        (!run.is_empty()).then_some(CodeFlow { thread_flows })
    }

    fn location(&mut self, place: &SourceLine, message: Option<&str>) -> Location {
        let index = self.file(&place.file);
        let mut artifact_location = artifact_location(&self.files[index]);
        artifact_location.index = Some(index);
        let region = Region {
            start_line: place.line,
            start_column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
        };
        let physical_location = PhysicalLocation { artifact_location, region };
        Location { id: None, physical_location, message: message.map(Message::new) }
    }

    /// The number of a file.
    fn file(&mut self, name: &str) -> usize {
        let address = uri::of(name);
        self.files.iter().position(|file| *file == address).unwrap_or_else(|| {
            self.files.push(address);
            self.files.len() - 1
        })
    }
}

fn driver(rules: Rules) -> Driver {
    Driver {
        name: "Taut",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: rules.all(),
    }
}

fn invocation(
    ending: Ending,
    provenance: &Provenance,
    notifications: Vec<Notification>,
) -> Invocation {
    Invocation {
        execution_successful: ending.successful,
        exit_code: ending.code,
        exit_code_description: ending.words,
        arguments: provenance.arguments.clone(),
        tool_execution_notifications: notifications,
    }
}

fn notification(remark: &Remark) -> Notification {
    Notification {
        descriptor: ReportingReference { id: remark.rule },
        level: level(remark.level),
        message: Message::new(&remark.message),
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Open | Level::Note | Level::Known => "note",
    }
}

fn artifact(address: &str, provenance: &Provenance) -> Artifact {
    let source = provenance.sources.iter().find(|source| uri::of(&source.file) == address);
    let hashes = source.map(|source| ("sha-256", source.sha256.clone())).into_iter().collect();
    Artifact { location: artifact_location(address), hashes }
}

/// A file by its address, relative to the root unless it is absolute.
fn artifact_location(address: &str) -> ArtifactLocation {
    let is_absolute = address.starts_with("file:");
    ArtifactLocation {
        uri: address.into(),
        uri_base_id: (!is_absolute).then_some(ROOT),
        index: None,
    }
}
