//! Remarks about what never happens.

use super::{Annotations, Level, Remark, SourceLine, VACUITY};
use crate::load::Loaded;
use crate::outcome::Report;
use crate::outcome::Vacuous;
use crate::vacuity::{self, by_models};

impl Annotations {
    /// With a remark about each thing that never happens.
    #[must_use]
    pub fn with_vacuity(
        mut self,
        loaded: &Loaded,
        reports: &[Report],
        level: vacuity::VacuityLevel,
    ) -> Annotations {
        let level = match level {
            vacuity::VacuityLevel::Error => Level::Error,
            vacuity::VacuityLevel::Note => Level::Note,
            vacuity::VacuityLevel::Off => return self,
        };
        for (models, coverage, vacuous) in by_models(reports) {
            let under = models.to_uppercase();
            self.remarks.push(Remark {
                level,
                rule: VACUITY,
                title: vacuous.message.clone(),
                message: format!("{} under {under} ({coverage}).", vacuous.message),
                place: Some(vacuous.place(loaded)),
                related: Vec::new(),
                run: Vec::new(),
                subject: format!("{}/{VACUITY}/{}", loaded.name, vacuous.message),
                fix: None,
            });
        }
        self
    }
}

impl Vacuous {
    /// Its place as other tools understand it; the first line of the program if it stands in no file.
    pub fn place(&self, loaded: &Loaded) -> SourceLine {
        SourceLine::of(&loaded.sources, self.span).unwrap_or_else(|| SourceLine::top(&loaded.name))
    }
}
