//! Reports to look at: what checks found, as the document that [`taut_html`] draws.
//!
//! Nothing is decided here: verdicts and what they cover are those of the checks, rows and sentences those
//! of the replayer's run. `rows` says what happens in a run, `state` what is where in between, `places`
//! which lines of which texts that is.

mod places;
mod rows;
mod run;
mod state;

use std::time::Duration;

use taut_html::{Answer, Counts, FORMAT, Model, VERSION};
use taut_ir::MemoryModel;

use crate::load::Loaded;
use crate::outcome::Report;
use crate::provenance;
use crate::verdict::{PropertyResult, Verdict, VerdictKind, Witness};
use places::Texts;

pub use taut_html::{Document, html};

/// The longest time for the search of a memory model that is only there to compare with.
pub const COMPARISON: Duration = Duration::from_secs(5);

/// Those of SC, TSO and PSO that some reports are not about.
pub fn others(reports: &[Report]) -> impl Iterator<Item = MemoryModel> {
    let is_known = |model: MemoryModel| reports.iter().any(|r| r.memory.model == model);
    MemoryModel::ALL.into_iter().filter(move |&model| !is_known(model))
}

/// Checks that were not asked for, to compare with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared<'r> {
    /// What they found.
    pub reports: &'r [Report],
    /// How long each was allowed to take.
    pub limit: Duration,
}

/// The document of some checks of one program. The runs are those of the checks that were asked for.
pub fn document(loaded: &Loaded, reports: &[Report], compared: Compared<'_>) -> Document {
    let _phase = taut_budget::phase("the report is made");
    let mut texts = Texts::new(loaded);
    let mut runs = Vec::new();
    let mut models = Vec::new();
    for report in reports {
        let mut model = model(loaded, report);
        for (answer, result) in model.answers.iter_mut().zip(answered(report)) {
            if let Some(witness) = result.verdict.run() {
                answer.run = Some(runs.len());
                runs.push(run::run(witness, &mut texts));
            }
        }
        models.push((report.memory.model, model));
    }
    for report in compared.reports {
        let limit_seconds = Some(compared.limit.as_secs_f64());
        let model = Model { asked: false, limit_seconds, ..model(loaded, report) };
        models.push((report.memory.model, model));
    }
    models.sort_by_key(|(name, _)| *name);
    let models = models.into_iter().map(|(_, model)| model).collect();
    Document { models, runs, sources: texts.sources(), verdict: worst(reports), ..head(loaded) }
}

/// The document of a run that was replayed.
pub fn replayed(loaded: &Loaded, witness: Witness) -> Document {
    let mut texts = Texts::new(loaded);
    let run = run::run(&witness, &mut texts);
    let memory = witness.trace.memory;
    let finding = witness.trace.finding;
    let answer = Answer {
        property: finding.name(&witness.program),
        kind: finding.kind(&witness.program).into(),
        verdict: VerdictKind::Violated.word(),
        note: Some("a trace that was replayed".into()),
        run: Some(0),
        coverage: Verdict::Violated(Box::new(witness)).coverage(),
    };
    let model = Model {
        model: memory.model.name().into(),
        asked: true,
        engine: "replay".into(),
        bound: memory.bound.filter(|_| memory.model.has_bound()),
        answers: vec![answer],
        ..Model::default()
    };
    let (models, runs, sources) = (vec![model], vec![run], texts.sources());
    Document { models, runs, sources, verdict: VerdictKind::Violated.word(), ..head(loaded) }
}

fn head(loaded: &Loaded) -> Document {
    Document {
        format: FORMAT,
        version: VERSION,
        tool: format!("taut {}", provenance::VERSION),
        repeat: loaded.provenance(Vec::new()).line(),
        file: loaded.name.clone(),
        language: loaded.language.title().into(),
        ..Document::default()
    }
}

/// The worst verdict of some checks.
fn worst(reports: &[Report]) -> &'static str {
    let kinds: Vec<VerdictKind> = reports.iter().map(Report::verdict_kind).collect();
    let is_there = |kind: &VerdictKind| kinds.contains(kind);
    let worst = [VerdictKind::Violated, VerdictKind::Never, VerdictKind::Unknown];
    let worst = worst.into_iter().find(is_there);
    worst.unwrap_or(VerdictKind::Holds).word()
}

fn model(loaded: &Loaded, report: &Report) -> Model {
    let memory = report.memory;
    Model {
        model: memory.model.name().into(),
        asked: true,
        limit_seconds: None,
        engine: report.engine.to_string(),
        bound: memory.bound.filter(|_| memory.model.has_bound()),
        counts: Some(Counts {
            states: report.stats.states,
            transitions: report.stats.transitions,
            depth: report.stats.depth,
            seconds: report.stats.time.as_secs_f64(),
        }),
        answers: answered(report).map(answer).collect(),
        vacuity: report.vacuity.iter().flat_map(|v| &v.list).map(|v| vacuous(loaded, v)).collect(),
    }
}

/// All answers of a report, warnings at the end.
fn answered(report: &Report) -> impl Iterator<Item = &PropertyResult> {
    report.results.iter().chain(report.warned())
}

fn vacuous(loaded: &Loaded, vacuous: &crate::vacuity::Vacuous) -> taut_html::Vacuous {
    let (file, line) = vacuous.position(&loaded.sources).unwrap_or((loaded.name.clone(), 0));
    let kind = vacuous.kind.name().into();
    taut_html::Vacuous { kind, message: vacuous.message.clone(), file, line }
}

fn answer(result: &PropertyResult) -> Answer {
    Answer {
        property: result.name.clone(),
        kind: result.kind.to_string(),
        verdict: result.verdict.word(),
        coverage: result.verdict.coverage(),
        note: result.note.clone(),
        run: None,
    }
}
