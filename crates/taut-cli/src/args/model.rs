//! Memory models and their buffers.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue};
use taut::MemoryModel;

/// The memory model's buffers.
#[derive(Clone, Debug, clap::Args)]
pub struct BufferArgs {
    /// Entries a store buffer holds under TSO and PSO, or `none` for no bound [default: 8, or what an mmlib
    /// model says].
    #[arg(long, value_name = "K", value_parser = read_bound)]
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

/// Reads a bound: a number of at least 1, or `none`.
pub fn read_bound(text: &str) -> Result<Bound, String> {
    if text == "none" {
        return Ok(Bound(None));
    }
    match text.parse::<u32>() {
        Ok(0) => Err("a buffer needs room for at least one store".into()),
        Ok(k) if k <= MOST => Ok(Bound(Some(k))),
        Ok(_) => Err(format!("at most {MOST} entries; use `none` for buffers without a bound")),
        Err(_) => Err("a bound is a number or `none`".into()),
    }
}

/// The largest bound: larger buffers make states too large to be of use.
const MOST: u32 = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FullBufferArg {
    /// It waits until something commits.
    Wait,
    /// It is an error.
    Error,
}

/// The memory models to look at: one of the list, or the classic ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelArg {
    One(MemoryModel),
    All,
}

impl ModelArg {
    /// The models it means.
    pub fn models(self) -> &'static [MemoryModel] {
        match self {
            ModelArg::One(model) => {
                let every = &MemoryModel::EVERY;
                every.iter().position(|&m| m == model).map_or(&[], |i| &every[i..=i])
            }
            ModelArg::All => &MemoryModel::ALL,
        }
    }
}

impl ValueEnum for ModelArg {
    fn value_variants<'a>() -> &'a [ModelArg] {
        static VARIANTS: LazyLock<Vec<ModelArg>> = LazyLock::new(|| {
            MemoryModel::EVERY.into_iter().map(ModelArg::One).chain([ModelArg::All]).collect()
        });
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            ModelArg::One(model) => OneModelArg(*model).to_possible_value(),
            ModelArg::All => Some(PossibleValue::new("all").help(classic_models())),
        }
    }
}

/// The classic models in a sentence.
fn classic_models() -> String {
    let labels = MemoryModel::ALL.map(|model| model.info().label);
    match labels.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => labels.concat(),
    }
}

/// Words for memory models that many look for and that are not here.
const ABSENT: &[&str] = &[
    "arm", "armv7", "armv8", "aarch64", "arm64", "power", "ppc", "powerpc", "riscv", "risc-v",
    "rvwmo", "c11", "c++11", "c20", "rc11", "imm", "lkmm", "linux", "rmo", "alpha", "gpu", "ptx",
];

/// Adds to a message about `--model arm` and its like what can be said of such a processor.
pub fn tell_of_absent(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let is_model = text(ContextKind::InvalidArg).starts_with("--model");
    let value = text(ContextKind::InvalidValue).to_lowercase();
    if is_model && ABSENT.contains(&&*value) {
        let tip = format!(
            "loads stay in order in every model here, so there is none for `{value}`: what is violated under pso can \
             go wrong there, what holds may still be wrong; GenMC and Dartagnan know more models"
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// A single memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneModelArg(pub MemoryModel);

impl OneModelArg {
    /// The model it means.
    pub fn model(self) -> MemoryModel {
        self.0
    }
}

impl ValueEnum for OneModelArg {
    fn value_variants<'a>() -> &'a [OneModelArg] {
        const VARIANTS: &[OneModelArg] = &{
            let mut variants = [OneModelArg(MemoryModel::USUAL); MemoryModel::EVERY.len()];
            let mut i = 0;
            while i < variants.len() {
                variants[i] = OneModelArg(MemoryModel::EVERY[i]);
                i += 1;
            }
            variants
        };
        VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let info = self.0.info();
        Some(PossibleValue::new(info.name).aliases(info.aliases).help(info.help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds() {
        assert_eq!(read_bound("3"), Ok(Bound(Some(3))));
        assert_eq!(read_bound("none"), Ok(Bound(None)));
        assert!(read_bound("0").is_err());
        assert!(read_bound("-1").is_err());
    }
}
