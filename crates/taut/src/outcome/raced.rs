//! The answer about data races, as a report has it. [`crate::races`] looks for them.

use taut_explicit::Stats;
use taut_ir::frontend::{OptionValues, RACES};
use taut_render::Race;

use crate::verdict::PropertyResult;

/// The name of the question.
pub const RACE: &str = "race";

/// What to do about data races.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RaceLevel {
    /// A race is a warning.
    #[default]
    Warn,
    /// A race is a violation.
    Error,
    /// Races are not looked for.
    Off,
}

impl RaceLevel {
    /// The level that the options of a program say.
    pub fn of(values: &OptionValues) -> RaceLevel {
        match values.choice(&RACES) {
            "error" => RaceLevel::Error,
            "off" => RaceLevel::Off,
            _ => RaceLevel::Warn,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            RaceLevel::Warn => "warn",
            RaceLevel::Error => "error",
            RaceLevel::Off => "off",
        }
    }
}

/// The answer about data races.
#[derive(Clone, Debug)]
pub struct Races {
    /// What a race is. Where it is an error, the answer is among those of the report, too.
    pub level: RaceLevel,
    /// The answer.
    pub result: PropertyResult,
    /// The two accesses, if there is a race.
    pub race: Option<Race>,
    /// Counts of the search; none if a look at the code was enough.
    pub stats: Option<Stats>,
}
