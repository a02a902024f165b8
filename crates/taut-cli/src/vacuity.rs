//! What to do about what never happens.

use taut::vacuity::VacuityLevel;
use taut::{Check, Loaded, Report};

use super::args::VacuityArg;
use super::exit::Exit;

impl VacuityArg {
    /// What it means.
    pub fn level(self) -> VacuityLevel {
        match self {
            VacuityArg::Error => VacuityLevel::Error,
            VacuityArg::Note => VacuityLevel::Note,
            VacuityArg::Off => VacuityLevel::Off,
        }
    }

    /// A report with what never happens, if that is asked for.
    pub fn look(self, report: Report, check: &Check<'_>, loaded: &Loaded) -> Report {
        match self {
            VacuityArg::Off => report,
            VacuityArg::Note | VacuityArg::Error => report.with_vacuity(check, loaded),
        }
    }

    /// The exit that some reports ask for.
    pub fn exit(self, reports: &[Report]) -> Exit {
        match self == VacuityArg::Error && reports.iter().any(Report::is_vacuous) {
            true => Exit::Violated,
            false => Exit::Holds,
        }
    }
}
