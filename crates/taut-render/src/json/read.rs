//! From JSON text back to a trace.

use std::fmt;

use serde::Deserialize;
use taut_ir::{
    Action, Choice, Fairness, Fault, Finding, FullBuffer, Memory, MemoryModel, ProcId, Program,
    StepId,
};
use taut_witness::{Lasso, Trace, text};

use super::model::{fault_word, full_buffer_word};
use super::recording::Recording;
use super::{FORMAT, RUN, VERSION};
use crate::view::told_text;

/// Why a text is no trace of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError(String);

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TraceError {}

impl TraceError {
    fn new(message: impl Into<String>) -> TraceError {
        TraceError(message.into())
    }

    fn in_action(number: usize, message: impl fmt::Display) -> TraceError {
        TraceError(format!("action {number}: {message}"))
    }
}

impl From<serde_json::Error> for TraceError {
    fn from(error: serde_json::Error) -> TraceError {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message);
        TraceError(format!("line {line}, column {column}: {message}"))
    }
}

/// What says that this is a trace at all, and of which version.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u64>,
}

/// The fields that matter.
#[derive(Deserialize)]
struct Body {
    model: String,
    /// Must be there, even if it is null: leaving it out says nothing about the bound.
    #[serde(deserialize_with = "Option::deserialize")]
    bound: Option<u32>,
    full_buffer: String,
    property: PropertyBody,
    lasso: Option<LassoBody>,
    steps: Vec<StepBody>,
}

#[derive(Deserialize)]
struct LassoBody {
    cycle: u64,
    fairness: String,
}

#[derive(Deserialize)]
struct PropertyBody {
    name: String,
    kind: String,
    fault: Option<String>,
}

#[derive(Deserialize)]
struct StepBody {
    process: String,
    action: String,
    step: Option<u32>,
    choice: Option<u32>,
    text: Option<String>,
    variable: Option<String>,
    index: Option<u32>,
    receiver: Option<ReceiverBody>,
}

#[derive(Deserialize)]
struct ReceiverBody {
    process: String,
    step: Option<u32>,
    text: Option<String>,
}

/// Reads a trace of a program. The trace has yet to be replayed.
pub fn from_json(program: &Program, json: &str) -> Result<Trace, TraceError> {
    let recording = recording_from_json(program, json)?;
    recording.trace().ok_or_else(|| TraceError::new("the run does not claim to violate anything"))
}

/// Reads what a trace file holds: a trace of a program, or a run that claims nothing.
pub fn recording_from_json(program: &Program, json: &str) -> Result<Recording, TraceError> {
    check_head(&serde_json::from_str(json)?)?;
    let body: Body = serde_json::from_str(json)?;
    let memory = Memory {
        model: body.model.parse::<MemoryModel>().map_err(TraceError::new)?,
        bound: body.bound,
        full_buffer: full_buffer(&body.full_buffer)?,
    };
    let finding = match body.property.kind.as_str() {
        RUN => None,
        _ => Some(finding(program, &body.property)?),
    };
    if finding.is_none() && body.lasso.is_some() {
        return Err(TraceError::new("the run has a `lasso` and claims nothing that it could show"));
    }
    let numbered = body.steps.iter().enumerate();
    let actions = numbered.map(|(i, step)| action(program, i + 1, step));
    let actions: Vec<_> = actions.collect::<Result<_, _>>()?;
    let lasso = body.lasso.map(|body| lasso(&body, actions.len())).transpose()?;
    Ok(Recording { memory, finding, actions, lasso })
}

fn lasso(body: &LassoBody, actions: usize) -> Result<Lasso, TraceError> {
    let fairness = body.fairness.parse::<Fairness>().map_err(TraceError::new)?;
    let start = usize::try_from(body.cycle).ok().filter(|&cycle| cycle <= actions);
    let cycle = start.ok_or_else(|| {
        let cycle = body.cycle;
        TraceError::new(format!("the cycle starts at step {cycle}, and there are {actions}"))
    })?;
    Ok(Lasso { cycle, fairness })
}

fn check_head(head: &Head) -> Result<(), TraceError> {
    if head.format.as_deref() != Some(FORMAT) {
        return Err(TraceError::new(format!("this is no trace: `format` is not \"{FORMAT}\"")));
    }
    match head.version {
        Some(version) if version == u64::from(VERSION) => Ok(()),
        Some(version) => Err(TraceError::new(format!(
            "the trace has version {version} of the format; this program reads version {VERSION}"
        ))),
        None => Err(TraceError::new("the trace has no `version`")),
    }
}

fn full_buffer(word: &str) -> Result<FullBuffer, TraceError> {
    [FullBuffer::Wait, FullBuffer::Error]
        .into_iter()
        .find(|&f| full_buffer_word(f) == word)
        .ok_or_else(|| {
            TraceError::new(format!("`full_buffer` is \"{word}\", neither \"wait\" nor \"error\""))
        })
}

fn finding(program: &Program, property: &PropertyBody) -> Result<Finding, TraceError> {
    match property.kind.as_str() {
        "deadlock" => Ok(Finding::Deadlock),
        "full-buffer" => Ok(Finding::FullBuffer),
        "robust" => Ok(Finding::NotRobust),
        "fault" => fault(property.fault.as_deref().unwrap_or_default()).map(Finding::Fault),
        kind => {
            let named = program.property_ids().find(|&id| {
                let p = program.property(id);
                p.name == property.name && p.kind.word() == kind
            });
            named.map(Finding::Property).ok_or_else(|| {
                let name = &property.name;
                TraceError::new(format!("the program has no {kind} property `{name}`"))
            })
        }
    }
}

fn fault(word: &str) -> Result<Fault, TraceError> {
    let named = Fault::ALL.into_iter().find(|&fault| fault_word(fault) == word);
    named.ok_or_else(|| TraceError::new(format!("there is no fault \"{word}\"")))
}

fn action(program: &Program, number: usize, step: &StepBody) -> Result<Action, TraceError> {
    let process = process(program, &step.process).map_err(in_action(number))?;
    let own_step = || step_id(program, process, step.step, step.text.as_deref());
    let choice = Choice(step.choice.unwrap_or_default());
    match step.action.as_str() {
        "step" => {
            let step = own_step().map_err(in_action(number))?;
            Ok(Action::Step { process, step, choice })
        }
        "handshake" => {
            let id = own_step().map_err(in_action(number))?;
            let other = receiver(program, step).map_err(in_action(number))?;
            let (receiver, receive) = other;
            Ok(Action::Handshake { process, step: id, receiver, receive, choice })
        }
        "commit" => commit_action(program, number, process, step),
        word => {
            let message =
                format!("`action` is \"{word}\", not \"step\", \"handshake\" or \"commit\"");
            Err(TraceError::in_action(number, message))
        }
    }
}

fn in_action(number: usize) -> impl Fn(String) -> TraceError {
    move |message| TraceError::in_action(number, message)
}

fn process(program: &Program, name: &str) -> Result<ProcId, String> {
    program.find_process(name).ok_or_else(|| format!("the program has no process `{name}`"))
}

fn receiver(program: &Program, body: &StepBody) -> Result<(ProcId, StepId), String> {
    let receiver = body.receiver.as_ref().ok_or("a handshake needs its `receiver`")?;
    let id = process(program, &receiver.process)?;
    Ok((id, step_id(program, id, receiver.step, receiver.text.as_deref())?))
}

/// The step with a number, if it is there and says what the trace says it does.
fn step_id(
    program: &Program,
    process: ProcId,
    number: Option<u32>,
    claimed: Option<&str>,
) -> Result<StepId, String> {
    let id = number.map(StepId).ok_or("a step needs its number in `step`")?;
    let other = "the trace belongs to another program";
    let name = &program.process(process).name;
    if text::find_step(program, process, id).is_none() {
        return Err(format!("{other}: `{name}` has no step {}", id.0));
    }
    let own = text::step(program, process, id);
    let own = told_text(&own).0;
    match claimed {
        Some(claimed) if claimed != own && claimed != in_model(program, process, id) => {
            Err(format!("{other}: step {} of `{name}` is `{own}` there, `{claimed}` here", id.0))
        }
        _ => Ok(id),
    }
}

/// A step as the model says it: what traces had before texts came from the source.
fn in_model(program: &Program, process: ProcId, id: StepId) -> String {
    let step = text::find_step(program, process, id).cloned();
    let bare = step.map(|step| taut_ir::Step { text: None, ..step });
    let def = program.process(process).def;
    bare.map_or_else(String::new, |step| program.show_step(def, &step).to_string())
}

fn commit_action(
    program: &Program,
    number: usize,
    process: ProcId,
    body: &StepBody,
) -> Result<Action, TraceError> {
    let Some(name) = &body.variable else {
        return Err(TraceError::in_action(number, "a commit needs its `variable`"));
    };
    let var = program.find_var(name).ok_or_else(|| {
        TraceError::in_action(number, format!("the program has no variable `{name}`"))
    })?;
    let index = body.index.unwrap_or(0);
    if index >= program.var(var).size() {
        let message = format!("`{name}` has no element {index}");
        return Err(TraceError::in_action(number, message));
    }
    Ok(Action::Commit { process, var, index })
}
