//! The engines that answer what is asked about states: the list of them, and the choice.
//!
//! [`ENGINES`] is the one list. It feeds the values of `--engine`, the options of suites, the choices of the page
//! and the published schemas. To add an engine, write a crate that implements [`Engine`] and add a line to the list;
//! or, from outside of this library, [`register`] it.
//!
//! ```
//! use taut::engines::{self, EngineChoice, Symbolic};
//! use taut::{Check, MemoryModel, load};
//!
//! let names: Vec<_> = engines::all().iter().map(|engine| engine.id().name()).collect();
//! assert!(names.starts_with(&["explicit", "symbolic", "rounds", "dual"]));
//! assert!(matches!("auto".parse(), Ok(EngineChoice::Auto)));
//!
//! let loaded = load::from_text("p.taut", "shared int x; process p begin x := 1; end").expect("a program");
//! let check = Check::of(&loaded).model(MemoryModel::Tso).engine(Symbolic);
//! assert_eq!(check.run().expect("a report").engine, Symbolic::ID);
//! ```

use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};

pub use taut_dual::Dual;
pub use taut_engine::{
    Bounds, Capabilities, Completion, Count, Engine, EngineError, EngineId, EngineResult, Explicit,
    Job, Scoped, SearchOptions, Share, Unsupported, Within, WithinKind,
};
pub use taut_rounds::Rounds;
pub use taut_symbolic::Symbolic;

/// The engines of Taut, in the order in which they are offered.
pub const ENGINES: &[&dyn Engine] = &[&Explicit, &Symbolic, &Rounds::USUAL, &Dual];

/// Engines from outside of this library.
static REGISTERED: RwLock<Vec<&'static dyn Engine>> = RwLock::new(Vec::new());

/// Adds an engine to those of Taut, for the whole program. An engine whose name is taken is not added.
///
/// The command line, suites, the page and schemas then know it. Call this before any of them is used.
pub fn register(engine: &'static dyn Engine) {
    if engine.id() == EngineId::AUTO || named(engine.id().name()).is_some() {
        return;
    }
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(engine);
}

/// All engines: those of Taut, then those that were registered.
pub fn all() -> Vec<&'static dyn Engine> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    ENGINES.iter().chain(registered.iter()).copied().collect()
}

/// The engine with a name.
pub fn named(name: &str) -> Option<&'static dyn Engine> {
    all().into_iter().find(|engine| engine.id().name() == name)
}

/// Everything that can be chosen, each by its name and with a title: the automatic choice first.
pub fn choices() -> Vec<(&'static str, &'static str)> {
    let engines = all().into_iter().map(|engine| (engine.id().name(), engine.title()));
    std::iter::once((EngineId::AUTO.name(), "automatic")).chain(engines).collect()
}

/// The choice of an engine.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum EngineChoice {
    /// The explicit search as long as buffers stay within the bound. As soon as one would not, the engines that have no
    /// bound and, in turns with them, the explicit one up to the bound. If a bound is given, the explicit search up to
    /// that bound.
    #[default]
    Auto,
    /// One engine.
    One(Arc<dyn Engine>),
}

impl EngineChoice {
    /// The name of the choice.
    pub fn id(&self) -> EngineId {
        self.engine().map_or(EngineId::AUTO, Engine::id)
    }

    /// The engine, if one is chosen.
    pub fn engine(&self) -> Option<&dyn Engine> {
        match self {
            EngineChoice::Auto => None,
            EngineChoice::One(engine) => Some(&**engine),
        }
    }
}

impl<E: Engine + 'static> From<E> for EngineChoice {
    fn from(engine: E) -> EngineChoice {
        EngineChoice::One(Arc::new(engine))
    }
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<EngineChoice, String> {
        if name == EngineId::AUTO.name() {
            return Ok(EngineChoice::Auto);
        }
        named(name).map(EngineChoice::from).ok_or_else(|| {
            let names: Vec<_> = choices().into_iter().map(|(name, _)| name).collect();
            format!("an engine is one of {}", names.join(", "))
        })
    }
}

/// The engines that take part in the automatic choice for a job: those whose answers have no bound.
pub(crate) fn sharing(job: &Job<'_>) -> Vec<&'static dyn Engine> {
    let takes_part = |engine: &&'static dyn Engine| {
        engine.capabilities().share.is_some() && engine.supports(job).is_ok()
    };
    all().into_iter().filter(takes_part).collect()
}
