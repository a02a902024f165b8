//! Memory models as data: one list, and the capabilities by which everything else asks about them.
//!
//! A store-buffer model is told apart from another by a few facts: the buffers it has ([`Buffers`]), and what an
//! atomic write does about them ([`Atomics`]). All code outside of the memory systems (`taut-memory`) asks
//! for these facts, never for a model by name; so a model that is added to the list below reaches engines,
//! replayer, exports, command line, suites, page and schemas without being named there.
//!
//! To add one: an entry in [`memory_models!`], and in `taut-memory` a file with its `MemorySystem` and the
//! line that builds it.

use std::fmt;
use std::str::FromStr;

use crate::{Control, Mode, Step};

/// The facts about a memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// The name in lower case, as on the command line and in JSON.
    pub name: &'static str,
    /// Other names that are read: processors with this model. Nothing is printed with them.
    pub aliases: &'static [&'static str],
    /// The name inside a sentence.
    pub label: &'static str,
    /// The name with its explanation, for a list of choices.
    pub title: &'static str,
    /// The sentence that `--help` has for it, without a full stop.
    pub help: &'static str,
    /// The buffers between a process and memory.
    pub buffers: Buffers,
    /// The effect of atomic writes and of channels on what waits.
    pub atomics: Atomics,
    /// Whether the model is one of those that "all models" means to a user.
    pub is_classic: bool,
}

/// The store buffers between a process and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffers {
    /// None: a store is in memory at once.
    None,
    /// One FIFO buffer per process.
    PerProcess,
    /// One FIFO buffer per process and variable (array elements are variables).
    PerCell,
    /// One slot per process and variable, where a newer store replaces the one that waits. A slot cannot be full.
    Slot,
}

impl Buffers {
    /// Whether each variable has a buffer of its own, so that stores to different variables overtake each other
    /// unless a store fence separates them.
    pub fn are_per_cell(self) -> bool {
        matches!(self, Buffers::PerCell | Buffers::Slot)
    }

    /// Whether a buffer is a queue, in which several stores to a variable can wait. A queue can be full.
    pub fn are_queues(self) -> bool {
        matches!(self, Buffers::PerProcess | Buffers::PerCell)
    }
}

/// The effect of an atomic write, and of an operation on a channel, on what its process has waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomics {
    /// Both wait until the buffer of the process is empty.
    Drain,
    /// An atomic write passes the buffer and drops the store to its variable that waits there. Channels leave the
    /// buffer alone.
    PassBuffer,
}

/// Makes the enumeration of memory models and the list of their facts from one list of entries.
macro_rules! memory_models {
    ($($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $model:ident = $info:expr;)*) => {
        /// A memory model by name. The meaning of each is in `taut-memory`, and once more in the replayer.
        ///
        /// The enumeration can be matched without a wildcard on purpose: the one place that builds memory systems
        /// must not forget a model. All other code asks for capabilities.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MemoryModel {
            $($(#[doc = $doc])* $(#[cfg($cfg)])? $model,)*
        }

        /// All models with their facts, in the order of the enumeration.
        const MODELS: &[(MemoryModel, ModelInfo)] =
            &[$($(#[cfg($cfg)])? (MemoryModel::$model, $info),)*];
    };
}

memory_models! {
    /// Sequential consistency: no buffers.
    Sc = ModelInfo {
        name: "sc",
        aliases: &[],
        label: "SC",
        title: "SC: sequential consistency",
        help: "Sequential consistency",
        buffers: Buffers::None,
        atomics: Atomics::Drain,
        is_classic: true,
    };
    /// Total store order: one FIFO buffer per process.
    Tso = ModelInfo {
        name: "tso",
        aliases: &["x86", "x86-64", "sparc-tso"],
        label: "TSO",
        title: "TSO: total store order",
        help: "Total store order: x86, x86-64, SPARC",
        buffers: Buffers::PerProcess,
        atomics: Atomics::Drain,
        is_classic: true,
    };
    /// Partial store order: one FIFO buffer per process and variable (array elements are variables).
    Pso = ModelInfo {
        name: "pso",
        aliases: &["sparc-pso"],
        label: "PSO",
        title: "PSO: partial store order",
        help: "Partial store order: SPARC",
        buffers: Buffers::PerCell,
        atomics: Atomics::Drain,
        is_classic: true,
    };
    /// Delayed writes: one slot per process and variable, where a newer store replaces the one that waits
    /// (Havel). Buffers cannot be full, so it needs no bound. It comes last, though it is neither weaker nor
    /// stronger than TSO and PSO: of two stores to one variable that wait, only the later one reaches memory.
    Delayed = ModelInfo {
        name: "delayed",
        aliases: &[],
        label: "delayed writes",
        title: "delayed writes",
        help: "Delayed writes: one slot per variable, which newer stores overwrite",
        buffers: Buffers::Slot,
        atomics: Atomics::PassBuffer,
        is_classic: false,
    };
    /// Write-combining buffers, a toy: slots as with delayed writes, which atomic writes find empty.
    #[cfg(feature = "toy-model")]
    Combining = ModelInfo {
        name: "combining",
        aliases: &[],
        label: "combining",
        title: "write combining",
        help: "Write-combining buffers, a toy",
        buffers: Buffers::Slot,
        atomics: Atomics::Drain,
        is_classic: false,
    };
}

impl MemoryModel {
    /// All models, the classic three first, strongest first.
    pub const EVERY: [MemoryModel; MODELS.len()] = {
        let mut every = [MemoryModel::Sc; MODELS.len()];
        let mut i = 0;
        while i < MODELS.len() {
            // `info` finds a model by its position in the list.
            assert!(MODELS[i].0 as usize == i);
            every[i] = MODELS[i].0;
            i += 1;
        }
        every
    };

    /// The classic models, strongest first: the meaning of "all models" to a user.
    pub const ALL: [MemoryModel; classic()] = {
        let mut all = [MemoryModel::Sc; classic()];
        let (mut i, mut found) = (0, 0);
        while i < MODELS.len() {
            if MODELS[i].1.is_classic {
                all[found] = MODELS[i].0;
                found += 1;
            }
            i += 1;
        }
        all
    };

    /// The model of a command that needs a relaxed one, where none is given.
    pub const USUAL: MemoryModel = MemoryModel::Tso;

    /// The facts about the model.
    pub fn info(self) -> &'static ModelInfo {
        &MODELS[self as usize].1
    }

    /// The name in lower case, as on the command line.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The buffers between a process and memory.
    pub fn buffers(self) -> Buffers {
        self.info().buffers
    }

    /// The effect of atomic writes and of channels on what waits.
    pub fn atomics(self) -> Atomics {
        self.info().atomics
    }

    /// Whether a store may wait before other processes see it.
    pub fn is_relaxed(self) -> bool {
        self.buffers() != Buffers::None
    }

    /// Whether stores to different variables overtake each other, so that a store fence means anything.
    pub fn has_store_fences(self) -> bool {
        self.buffers().are_per_cell()
    }

    /// Whether a store replaces one of the same process that waits for the same variable.
    pub fn overwrites(self) -> bool {
        self.buffers() == Buffers::Slot
    }

    /// Whether a buffer can be full, so that [`crate::Memory::bound`] and [`crate::Memory::full_buffer`] mean
    /// anything.
    pub fn has_bound(self) -> bool {
        self.buffers().are_queues()
    }

    /// Whether a step waits for the process's own buffer to be empty. Fences, locked steps and exits always do;
    /// atomic writes and steps that drain do as [`Atomics`] says.
    pub fn needs_drained(self, step: &Step) -> bool {
        match self.atomics() {
            Atomics::Drain => step.needs_drained(),
            Atomics::PassBuffer => step.mode != Mode::Plain || step.target == Control::Exit,
        }
    }
}

/// Number of classic models.
const fn classic() -> usize {
    let (mut i, mut count) = (0, 0);
    while i < MODELS.len() {
        count += MODELS[i].1.is_classic as usize;
        i += 1;
    }
    count
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for MemoryModel {
    type Err = String;

    fn from_str(s: &str) -> Result<MemoryModel, String> {
        let is_named = |model: &MemoryModel| model.name() == s || model.info().aliases.contains(&s);
        let named = MemoryModel::EVERY.into_iter().find(is_named);
        named.ok_or_else(|| format!("unknown memory model `{s}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_found_by_its_own_name_and_no_other() {
        for (i, model) in MemoryModel::EVERY.into_iter().enumerate() {
            assert_eq!(model.name().parse(), Ok(model));
            assert_eq!(model.name(), model.name().to_lowercase());
            assert!(model.info().aliases.iter().all(|alias| alias.parse() == Ok(model)), "{model}");
            let later = &MemoryModel::EVERY[i + 1..];
            assert!(later.iter().all(|other| other.name() != model.name()), "{model} twice");
        }
        assert!("all".parse::<MemoryModel>().is_err(), "`all` is no model");
    }

    #[test]
    fn the_classic_models_are_sc_tso_and_pso() {
        assert_eq!(MemoryModel::ALL.map(MemoryModel::name), ["sc", "tso", "pso"]);
        assert!(!MemoryModel::Sc.is_relaxed() && MemoryModel::USUAL.is_relaxed());
    }
}
