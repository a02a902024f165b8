//! The engine of rounds as it is asked for: `--rounds K`, `--age K`, or `auto` for either; and what cannot be
//! asked of it.

use taut::diag::Diagnostic;
use taut::rounds::{MOST_ROUNDS, Scope, Scopes, TranslateError};
use taut::{Check, Engine, LoadError, Loaded, MemoryModel};

use super::args::{BufferArgs, EngineArg, FullBufferArg, SearchArgs};
use super::refused::Refused;

/// A bound on rounds or on ages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// This one.
    Given(u32),
    /// 0, 1, 2, and so on.
    Auto,
}

/// Reads a bound that may be `auto`.
pub fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "auto" => Ok(Depth::Auto),
        _ => number(text).map(Depth::Given),
    }
}

/// Reads a bound.
pub fn number(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(k) if k <= MOST_ROUNDS => Ok(k),
        Ok(_) => Err(format!("{MOST_ROUNDS} is the largest bound")),
        Err(_) => Err("a bound is a number".into()),
    }
}

/// The scopes that the arguments mean; none if the engine of rounds is not asked.
pub fn scopes(search: &SearchArgs) -> Option<Scopes> {
    let scopes = match (search.rounds, search.age) {
        (Some(Depth::Given(k)), _) => Some(Scopes::One(Scope::Rounds(k))),
        (Some(Depth::Auto), _) => Some(Scopes::Rounds),
        (_, Some(Depth::Given(k))) => Some(Scopes::One(Scope::Age(k))),
        (_, Some(Depth::Auto)) => Some(Scopes::Ages),
        (None, None) => None,
    };
    match search.engine {
        EngineArg::Rounds => Some(scopes.unwrap_or(Scopes::Ages)),
        _ => scopes,
    }
}

/// Refuses what cannot be asked of rounds, if it is: other memory models, bounds of buffers, and programs that
/// have no translation.
pub fn refuse(
    loaded: &Loaded,
    models: &[MemoryModel],
    buffers: &BufferArgs,
    search: &SearchArgs,
) -> Result<(), Refused> {
    let Some(scopes) = scopes(search) else { return Ok(()) };
    let trouble = match search.engine {
        EngineArg::Explicit | EngineArg::Symbolic => {
            Some("--rounds and --age are for `--engine rounds`")
        }
        _ if !matches!(models, [model] if taut::rounds::supports(*model)) => {
            Some("rounds are for TSO alone; ask with `--model tso`")
        }
        _ if buffers.bound.is_some() => Some("buffers have no bound in rounds; leave --bound out"),
        _ if buffers.full_buffer == FullBufferArg::Error => {
            Some("no buffer is ever full in rounds; leave --full-buffer out")
        }
        _ => None,
    };
    if let Some(trouble) = trouble {
        return Err(Refused::Message(trouble.into()));
    }
    let check = Check::of(loaded).engine(Engine::Rounds(scopes));
    match check.rounds_unsupported(scopes) {
        Some(error) => Err(refused(loaded, &error)),
        None => Ok(()),
    }
}

/// Why a program has no translation.
pub fn refused(loaded: &Loaded, error: &TranslateError) -> Refused {
    let diagnostic = Diagnostic::error("E0009", error.to_string(), error.span());
    let sources = loaded.sources.clone();
    Refused::Text(Box::new(LoadError { sources, diagnostics: diagnostic.into() }))
}
