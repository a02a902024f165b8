//! Questions about runs, as they are typed.

use taut::{Check, Emptiness, ExtraProperty, Loaded};

use super::args::{CyclesArg, InputArgs, QuestionArgs, RunArgs};
use super::exit::Exit;
use super::input::{fixed, load_asking, shown, text_of};
use super::refused::Refused;

/// Reads the program together with the questions about its runs, and shows nothing.
pub fn load(input: &InputArgs, runs: &RunArgs) -> Result<Loaded, Refused> {
    let loaded = load_asking(input, asked(&runs.questions)?)?;
    match runs.property.iter().find_map(|name| loaded.unknown_question(name)) {
        Some(words) => Err(Refused::Message(words)),
        None => Ok(loaded),
    }
}

/// Reads the program together with questions alone; bad input has been shown when this fails.
pub fn read_questions(input: &InputArgs, questions: &QuestionArgs) -> Result<Loaded, Exit> {
    shown(asked(questions).and_then(|asked| load_asking(input, asked)).and_then(fixed))
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
