//! Trace files, read together with the program that they are about.

use std::path::Path;

use clap::ValueEnum;
use taut::ir::frontend::{CHANNELS, OptionKind};
use taut::json::{ReadWith, asked, slots};
use taut::render::{Recording, recording_from_json};
use taut::witness::Run;
use taut::{Loaded, Program};

use super::args::{GranularityArg, InputArgs};
use super::exit::Exit;
use super::input::read_asking;
use super::output::eprint;

/// A trace file that the replayer has accepted.
pub struct Opened {
    pub loaded: Loaded,
    /// The program with as many processes as the trace says.
    pub program: Program,
    pub recording: Recording,
    pub run: Run,
}

/// Reads a program and a trace file, and replays it; what is wrong has been shown when this fails.
pub fn open(input: &InputArgs, trace: &Path) -> Result<Opened, Exit> {
    let shown = trace.display();
    let text = std::fs::read_to_string(trace);
    let text = text.map_err(|error| refuse(&format!("cannot read `{shown}`: {error}")))?;
    let text = witness_in(&text);
    let input = input_of(input, &text).map_err(|why| refuse(&format!("`{shown}`: {why}")))?;
    let loaded = read_asking(&input, asked(&text))?;
    let loaded = match ReadWith::of(&text).watches_races() {
        true => loaded.watching_races().ok_or_else(|| {
            refuse(&format!("`{shown}` is about a data race, of which the program can have none"))
        })?,
        false => loaded,
    };
    let program = program_of(&loaded, &text).ok_or_else(|| {
        refuse(&format!("`{shown}`: the model cannot have as many processes as the trace says"))
    })?;
    let recording = recording_from_json(&program, &text);
    let recording = recording.map_err(|error| refuse(&format!("`{shown}`: {error}")))?;
    let run = recording
        .replay(&program)
        .map_err(|error| refuse(&format!("`{shown}`: {}", error.describe(&loaded.sources))))?;
    Ok(Opened { loaded, program, recording, run })
}

/// How to read the program: as the options say, and as the trace says where there is no option.
fn input_of(input: &InputArgs, trace: &str) -> Result<InputArgs, String> {
    let said = ReadWith::of(trace);
    let granularity = named::<GranularityArg>("granularity", said.granularity.as_deref())?;
    check_channels(said.channels.as_deref())?;
    let options = input.options.clone().or(&CHANNELS, said.channels);
    Ok(InputArgs { granularity: input.granularity.or(granularity), options, ..input.clone() })
}

/// Refuses a meaning of channels that does not exist. The option was not given, so the message must not name it.
fn check_channels(name: Option<&str>) -> Result<(), String> {
    let OptionKind::Choice(choices) = CHANNELS.kind else { return Ok(()) };
    match name.filter(|name| !choices.iter().any(|(choice, _)| choice == name)) {
        Some(name) => Err(format!("there is no `{name}` for `channels`")),
        None => Ok(()),
    }
}

/// The value of an option that a trace names.
fn named<T: ValueEnum>(field: &str, name: Option<&str>) -> Result<Option<T>, String> {
    let value = name.map(|name| T::from_str(name, false)).transpose();
    value.map_err(|_| format!("there is no `{}` for `{field}`", name.unwrap_or_default()))
}

/// The program that a trace is about: a model has as many processes as the trace says.
fn program_of(loaded: &Loaded, trace: &str) -> Option<Program> {
    match slots(trace).filter(|_| loaded.grows()) {
        Some(slots) => loaded.with_slots(&slots),
        None => Some(loaded.program.clone()),
    }
}

fn refuse(message: &str) -> Exit {
    eprint(&format!("error: {message}\n"));
    Exit::BadInput
}

/// The trace in a text: the text itself, or the first witness of an object of `check --format json`.
fn witness_in(text: &str) -> String {
    let objects = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    for object in objects.map_while(Result::ok) {
        let results = object.get("results").and_then(|r| r.as_array());
        let all = results.into_iter().flatten().chain(object.get("races"));
        let mut witnesses = all.filter_map(|r| r.get("witness"));
        if let Some(witness) = witnesses.find(|w| w.is_object()) {
            return witness.to_string();
        }
    }
    text.into()
}
