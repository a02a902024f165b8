//! Questions that are refused before anything is searched, in the same words wherever they are asked: on the command
//! line and on the page.

use taut_engine::Unsupported;
use taut_ir::MemoryModel;

use crate::check::Check;
use crate::engines::{EngineChoice, usual};
use crate::load::Loaded;

/// The questions that are asked of every program.
const ALWAYS: [&str; 4] = ["deadlock", "fault", "full-buffer", "robust"];

/// Refuses what cannot be asked of an engine: other memory models, bounds of buffers, and programs that it does not
/// know. `bound` is the bound as it was asked for; inside, `None` for buffers without a bound.
pub fn refused(
    loaded: &Loaded,
    models: &[MemoryModel],
    bound: Option<Option<u32>>,
    choice: &EngineChoice,
) -> Option<Unsupported> {
    let engine = choice.engine().or_else(|| usual(&loaded.program))?;
    let able = engine.capabilities();
    let is_one = matches!(models, [model] if (able.models)(*model));
    if let Some((_, refusal)) = able.only_model.filter(|_| !is_one) {
        return Some(Unsupported::new(refusal));
    }
    if let Some(refusal) = able.bounds.refusal(bound) {
        return Some(Unsupported::new(refusal));
    }
    let check = Check::of(loaded).engine(choice.clone());
    models.iter().find_map(|&model| check.clone().model(model).unsupported())
}

impl Loaded {
    /// The models that are meant if none is named: all; of those, the ones for every number of processes if the program
    /// leaves the number open.
    pub fn usual_models(&self) -> &'static [MemoryModel] {
        match self.program.replicated.is_empty() {
            true => &MemoryModel::ALL,
            false => &[MemoryModel::Sc, MemoryModel::Tso],
        }
    }

    /// The sentence that refuses the name of a question, if the program has none of that name.
    pub fn unknown_question(&self, name: &str) -> Option<String> {
        let properties = &self.program.properties;
        let is_known = properties.iter().any(|p| p.name == name) || ALWAYS.contains(&name);
        if is_known || name == "race" && self.asks_races() {
            return None;
        }
        let names = properties.iter().map(|p| p.name.as_str()).chain(ALWAYS);
        let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
        Some(format!("no property is called `{name}`; there are {}", names.join(", ")))
    }
}
