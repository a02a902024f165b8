//! Covers that a repair makes unreachable.
//!
//! A fence takes runs away. Those of a violation are meant; those that a cover asks for are what the program is there
//! for, and a repair without them has to be told.

use taut_ir::MemoryModel;

use crate::check::Check;
use crate::load::Loaded;
use crate::outcome::EngineFault;
use crate::verdict::VerdictKind;

/// The covers of a check that the program as it was reaches under a memory model, and the fixed one does not.
pub(super) fn lost(
    check: &Check<'_>,
    models: &[MemoryModel],
    before: &Loaded,
    after: &Loaded,
) -> Result<Vec<(MemoryModel, String)>, EngineFault> {
    let mut all = Vec::new();
    for &model in models {
        let missing = names(&check.on(after).model(model), VerdictKind::Never)?;
        if missing.is_empty() {
            continue;
        }
        let there = names(&check.on(before).model(model), VerdictKind::Covered)?;
        let lost = missing.into_iter().filter(|name| there.contains(name));
        all.extend(lost.map(|name| (model, name)));
    }
    Ok(all)
}

/// The covers with an answer.
fn names(check: &Check<'_>, kind: VerdictKind) -> Result<Vec<String>, EngineFault> {
    let answers = check.covers_alone()?.into_iter();
    Ok(answers.filter(|r| r.verdict.kind() == kind).map(|r| r.name).collect())
}
