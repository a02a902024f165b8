//! What never happens.

use serde::Serialize;

use crate::load::Loaded;
use crate::outcome::Report;
use crate::vacuity::Vacuous;

/// One thing that never happens.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct VacuousDocument {
    /// The kind of thing.
    pub kind: &'static str,
    /// What never happens, in words.
    pub message: String,
    /// The process or the property that it belongs to.
    pub owner: String,
    /// Its text in the program.
    pub text: String,
    /// Its file.
    pub file: String,
    /// Its line; 0 if it has none.
    pub line: u32,
}

impl VacuousDocument {
    /// The document of something that never happens in a program.
    pub fn new(loaded: &Loaded, vacuous: &Vacuous) -> VacuousDocument {
        let (file, line) = vacuous.position(&loaded.sources).unwrap_or((loaded.name.clone(), 0));
        VacuousDocument {
            kind: vacuous.kind.name(),
            message: vacuous.message.clone(),
            owner: vacuous.owner.clone(),
            text: vacuous.text.clone(),
            file,
            line,
        }
    }
}

/// The list of a report; none if it was not looked for, or is not known.
pub(super) fn of_report(loaded: &Loaded, report: &Report) -> Option<Vec<VacuousDocument>> {
    let list = &report.vacuity.as_ref()?.list;
    Some(list.iter().map(|vacuous| VacuousDocument::new(loaded, vacuous)).collect())
}
