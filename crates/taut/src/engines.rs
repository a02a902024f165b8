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
//! assert!(names.starts_with(&["explicit", "symbolic", "rounds", "dual", "any"]));
//! assert!(matches!("auto".parse(), Ok(EngineChoice::Auto)));
//!
//! let loaded = load::from_text("p.taut", "shared int x; process p begin x := 1; end").expect("a program");
//! let check = Check::of(&loaded).model(MemoryModel::Tso).engine(Symbolic);
//! assert_eq!(check.run().expect("a report").engine, Symbolic::ID);
//! ```

use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};

pub use taut_dual::Dual;
pub use taut_dual::any::Any;
pub use taut_engine::{
    Bounds, Capabilities, Completion, Count, Engine, EngineError, EngineId, EngineResult, Explicit,
    Instance, Job, Scoped, SearchOptions, Share, Unsupported, Within, WithinKind,
};
use taut_ir::{DefId, Program};
pub use taut_rounds::Rounds;
pub use taut_symbolic::Symbolic;

/// The engines of Taut, in the order in which they are offered.
pub const ENGINES: &[&dyn Engine] = &[&Explicit, &Symbolic, &Rounds::USUAL, &Dual, &Any];

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

/// The code of messages about programs with any number of processes.
pub const ANY_NUMBER: &str = taut_dual::any::CODE;

/// Refuses what an engine does not know. A program with any number of processes is for engines that answer for every number
/// of them.
pub fn supports(engine: &dyn Engine, job: &Job<'_>) -> Result<(), Unsupported> {
    match job.program.replicated.first() {
        Some(&def) if !engine.capabilities().any_number => {
            let message =
                format!("the {} engine needs a fixed number of processes", engine.id().name());
            Err(needs_number(job.program, def, message))
        }
        _ => engine.supports(job),
    }
}

/// The refusal of a program with any number of processes, if it is one: something needs a fixed number.
pub fn fixed_number(program: &Program, what: &str) -> Option<Unsupported> {
    let &def = program.replicated.first()?;
    Some(needs_number(program, def, format!("{what} needs a fixed number of processes")))
}

fn needs_number(program: &Program, def: DefId, message: String) -> Unsupported {
    let span = program.defs[def.index()].span;
    let refusal = Unsupported::new(message).at(ANY_NUMBER, span);
    refusal.label("any number of them").help("give one: `--threads 2`")
}

/// The engine that answers without being named: for a program with any number of processes, the one for every number.
pub fn usual(program: &Program) -> Option<&'static dyn Engine> {
    (!program.replicated.is_empty()).then_some(&Any)
}

/// The engines that take part in the automatic choice for a job: those whose answers have no bound.
pub(crate) fn sharing(job: &Job<'_>) -> Vec<&'static dyn Engine> {
    let takes_part = |engine: &&'static dyn Engine| {
        engine.capabilities().share.is_some() && supports(*engine, job).is_ok()
    };
    all().into_iter().filter(takes_part).collect()
}
