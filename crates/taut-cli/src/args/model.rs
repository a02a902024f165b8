//! Memory models and their buffers.

use clap::ValueEnum;

use super::super::units;

/// The memory model's buffers.
#[derive(Debug, clap::Args)]
pub struct BufferArgs {
    /// Entries a store buffer holds under TSO and PSO, or `none` for no bound [default: 8, or what an mmlib
    /// model says].
    #[arg(long, value_name = "K", value_parser = units::bound)]
    pub bound: Option<Bound>,
    /// What a store into a full buffer does.
    #[arg(long, value_enum, default_value_t = FullBufferArg::Wait)]
    pub full_buffer: FullBufferArg,
}

impl BufferArgs {
    /// The bound for a program: as given, or what the program says.
    pub fn bound_for(&self, loaded: &taut::Loaded) -> Option<u32> {
        self.bound.map_or(Some(loaded.bound()), |bound| bound.0)
    }
}

/// A bound as clap can hold it, `None` for no bound: an `Option` in an `Option` means something else to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound(pub Option<u32>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FullBufferArg {
    /// It waits until something commits.
    Wait,
    /// It is an error.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelArg {
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
    /// Delayed writes: one slot a variable, which newer stores overwrite.
    Delayed,
    /// SC, TSO and PSO.
    All,
}

impl ModelArg {
    /// The models it means.
    pub fn models(self) -> &'static [taut::MemoryModel] {
        match self {
            ModelArg::Sc => &[taut::MemoryModel::Sc],
            ModelArg::Tso => &[taut::MemoryModel::Tso],
            ModelArg::Pso => &[taut::MemoryModel::Pso],
            ModelArg::Delayed => &[taut::MemoryModel::Delayed],
            ModelArg::All => &taut::MemoryModel::ALL,
        }
    }

    /// The choice that means one model.
    pub fn one(model: taut::MemoryModel) -> ModelArg {
        match model {
            taut::MemoryModel::Sc => ModelArg::Sc,
            taut::MemoryModel::Tso => ModelArg::Tso,
            taut::MemoryModel::Pso => ModelArg::Pso,
            taut::MemoryModel::Delayed => ModelArg::Delayed,
        }
    }
}

/// A single memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OneModelArg {
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
    /// Delayed writes: one slot a variable, which newer stores overwrite.
    Delayed,
}

impl OneModelArg {
    /// The model it means.
    pub fn model(self) -> taut::MemoryModel {
        match self {
            OneModelArg::Sc => taut::MemoryModel::Sc,
            OneModelArg::Tso => taut::MemoryModel::Tso,
            OneModelArg::Pso => taut::MemoryModel::Pso,
            OneModelArg::Delayed => taut::MemoryModel::Delayed,
        }
    }
}
