//! The part of SARIF that is written, named as the standard names it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::annotate::VerdictLine;

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [RunObject; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunObject {
    pub tool: Tool,
    pub invocations: [Invocation; 1],
    pub column_kind: &'static str,
    pub original_uri_base_ids: BTreeMap<&'static str, Base>,
    pub artifacts: Vec<Artifact>,
    pub results: Vec<SarifResult>,
    pub properties: RunBag,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub name: &'static str,
    pub version: &'static str,
    pub semantic_version: &'static str,
    pub rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub id: &'static str,
    pub short_description: Message,
    pub help: Message,
    pub default_configuration: Configuration,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub exit_code: u8,
    pub exit_code_description: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub descriptor: ReportingReference,
    pub level: &'static str,
    pub message: Message,
}

#[derive(Serialize)]
pub(super) struct ReportingReference {
    pub id: &'static str,
}

/// What relative addresses are relative to. Where that is, only the reader knows.
#[derive(Serialize)]
pub(super) struct Base {
    description: Message,
}

impl Base {
    pub fn new() -> Base {
        Base { description: Message::new("The directory in which taut ran.") }
    }
}

#[derive(Serialize)]
pub(super) struct Artifact {
    pub location: ArtifactLocation,
    /// The hash by the name of its function.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hashes: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub rule_id: &'static str,
    pub rule_index: usize,
    pub level: &'static str,
    pub message: Message,
    pub locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressions: Option<[Suppression; 1]>,
}

/// Why a result is not shown.
#[derive(Serialize)]
pub(super) struct Suppression {
    kind: &'static str,
    justification: &'static str,
}

impl Suppression {
    /// It is a known violation.
    pub const BASELINE: Suppression =
        Suppression { kind: "external", justification: "It is in the baseline." };
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix {
    pub artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange {
    pub artifact_location: ArtifactLocation,
    pub replacements: [SarifReplacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifReplacement {
    pub deleted_region: Region,
    pub inserted_content: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow {
    pub thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
pub(super) struct ThreadFlow {
    pub id: &'static str,
    pub locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadFlowLocation {
    pub location: Location,
    pub execution_order: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    pub physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    pub region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Serialize)]
pub(super) struct Message {
    text: String,
}

impl Message {
    pub fn new(text: &str) -> Message {
        Message { text: text.into() }
    }
}

/// What the standard has no place for: every verdict with what it covers, those that hold included.
#[derive(Serialize)]
pub(super) struct RunBag {
    pub verdicts: Vec<VerdictObject>,
}

#[derive(Serialize)]
pub(super) struct VerdictObject {
    file: String,
    model: Option<&'static str>,
    property: String,
    verdict: String,
    coverage: String,
}

impl VerdictObject {
    pub fn of(line: &VerdictLine) -> VerdictObject {
        let VerdictLine { file, model, property, verdict, coverage } = line.clone();
        VerdictObject { file, model, property, verdict, coverage }
    }
}
