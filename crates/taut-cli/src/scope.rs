//! The engine as it is asked for, with the options `--rounds K`, `--age K`, or `auto` for either; and what cannot be
//! asked of it.

use taut::engines::{EngineId, Rounds, Unsupported};
use taut::rounds::{Scope, Scopes};
use taut::{Check, EngineChoice, LoadError, Loaded, MemoryModel};

use super::args::{BufferArgs, Depth, FullBufferArg, SearchArgs};
use super::refused::Refused;

/// The scopes that the arguments name, if they name some.
fn scopes(search: &SearchArgs) -> Option<Scopes> {
    match (search.rounds, search.age) {
        (Some(Depth::Given(k)), _) => Some(Scopes::One(Scope::Rounds(k))),
        (Some(Depth::Auto), _) => Some(Scopes::Rounds),
        (_, Some(Depth::Given(k))) => Some(Scopes::One(Scope::Age(k))),
        (_, Some(Depth::Auto)) => Some(Scopes::Ages),
        (None, None) => None,
    }
}

/// The engine that the arguments mean: scopes are those of the engine of rounds.
pub fn engine(search: &SearchArgs) -> EngineChoice {
    scopes(search).map_or_else(|| search.engine.clone(), |scopes| Rounds(scopes).into())
}

/// The one memory model that the engine is for, if there is one.
pub fn only_model(search: &SearchArgs) -> Option<MemoryModel> {
    let able = engine(search).engine()?.capabilities();
    able.only_model.map(|(model, _)| model)
}

/// Refuses what cannot be asked of the engine: other memory models, bounds of buffers, and programs that it does not
/// know.
pub fn refuse(
    loaded: &Loaded,
    models: &[MemoryModel],
    buffers: &BufferArgs,
    search: &SearchArgs,
) -> Result<(), Refused> {
    let refuse = |trouble: &str| Err(Refused::Message(trouble.into()));
    let named = search.engine.id();
    if scopes(search).is_some() && ![EngineId::AUTO, Rounds::ID].contains(&named) {
        return refuse("--rounds and --age are for `--engine rounds`");
    }
    refuse_robust(loaded, models, search)?;
    let choice = engine(search);
    let bound = buffers.bound.map(|bound| bound.0);
    if let Some(why) = taut::refused(loaded, models, bound, &choice) {
        return Err(refused(loaded, &why));
    }
    let usual = || taut::engines::usual(&loaded.program);
    let able = choice.engine().or_else(usual).map(|engine| engine.capabilities());
    match able.and_then(|able| able.never_full) {
        Some(refusal) if buffers.full_buffer == FullBufferArg::Error => refuse(refusal),
        _ => Ok(()),
    }
}

/// Refuses the question of robustness where it cannot be asked.
fn refuse_robust(
    loaded: &Loaded,
    models: &[MemoryModel],
    search: &SearchArgs,
) -> Result<(), Refused> {
    let check = Check::of(loaded).robust(search.robust);
    let unsupported = |&model: &MemoryModel| check.clone().model(model).robust_unsupported();
    match models.iter().find_map(unsupported) {
        Some(why) => Err(refused(loaded, &why)),
        None => Ok(()),
    }
}

/// The reason why an engine does not answer, as it is shown.
pub fn refused(loaded: &Loaded, why: &Unsupported) -> Refused {
    match LoadError::unsupported(&loaded.sources, why) {
        Some(error) => Refused::Text(error),
        None => Refused::Message(why.message.clone()),
    }
}
