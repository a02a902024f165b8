//! Questions about runs, as they are typed.

use taut::{Check, Emptiness, ExtraProperty, Loaded};

use super::args::{CyclesArg, InputArgs, QuestionArgs, RunArgs};
use super::exit::Exit;
use super::input::{fixed, load_asking, shown, text_of};
use super::refused::Refused;

/// Reads the program together with the questions about its runs, and shows nothing.
pub fn load(input: &InputArgs, runs: &RunArgs) -> Result<Loaded, Refused> {
    let loaded = load_asking(input, asked(&runs.questions)?)?;
    for name in &runs.property {
        let known = loaded.program.properties.iter().any(|p| p.name == *name);
        let asked = name == "race" && loaded.asks_races();
        if !known && !asked && !ALWAYS.contains(&name.as_str()) {
            return Err(unknown_property(&loaded, name));
        }
    }
    Ok(loaded)
}

/// Reads the program together with questions alone; bad input has been shown when this fails.
pub fn read_questions(input: &InputArgs, questions: &QuestionArgs) -> Result<Loaded, Exit> {
    shown(asked(questions).and_then(|asked| load_asking(input, asked)).and_then(fixed))
}

/// The questions that are asked of every program.
const ALWAYS: [&str; 4] = ["deadlock", "fault", "full-buffer", "robust"];

fn unknown_property(loaded: &Loaded, name: &str) -> Refused {
    let names = loaded.program.properties.iter().map(|p| p.name.as_str()).chain(ALWAYS);
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    Refused::Message(format!("no property is called `{name}`; there are {}", names.join(", ")))
}

/// A check as the arguments say.
pub fn configure<'l>(check: Check<'l>, runs: &RunArgs) -> Check<'l> {
    let emptiness = match runs.cycles {
        CyclesArg::Scc => Emptiness::Components,
        CyclesArg::Nested => Emptiness::Nested,
    };
    let check = check.fairness(runs.questions.fairness).emptiness(emptiness);
    let by_name = !runs.property.is_empty();
    let check = check.temporal(!runs.no_ltl || by_name || is_asked(&runs.questions));
    if runs.property.is_empty() { check } else { check.only(runs.property.clone()) }
}

fn is_asked(runs: &QuestionArgs) -> bool {
    let texts = runs.ltl.len() + runs.ltl_file.len() + runs.hoa.len();
    texts > 0 || runs.progress || runs.acceptance
}

fn asked(runs: &QuestionArgs) -> Result<Vec<ExtraProperty>, Refused> {
    let mut all: Vec<ExtraProperty> = runs.ltl.iter().cloned().map(ExtraProperty::Ltl).collect();
    for path in &runs.ltl_file {
        let (name, text) = text_of(path)?;
        all.push(ExtraProperty::LtlFile { name, text });
    }
    for path in &runs.hoa {
        let (name, text) = text_of(path)?;
        all.push(ExtraProperty::Hoa { name, text });
    }
    all.extend(runs.progress.then_some(ExtraProperty::Progress));
    all.extend(runs.acceptance.then_some(ExtraProperty::Acceptance));
    Ok(all)
}
