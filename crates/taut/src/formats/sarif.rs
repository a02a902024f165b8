//! SARIF 2.1.0: one log of a whole command.

use crate::annotate::Annotations;
use crate::formats::{Format, Shown};
use crate::sarif::{Ending, log};

/// The format `sarif`.
#[derive(Clone, Copy, Debug)]
pub struct Sarif;

impl Format for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn title(&self) -> &'static str {
        "For code hosts and editors: SARIF 2.1.0"
    }

    fn shows(&self, command: Shown) -> bool {
        matches!(command, Shown::Check | Shown::Suite | Shown::Compare)
    }

    fn is_annotations(&self) -> bool {
        true
    }

    fn annotations(&self, annotations: &Annotations, ending: Ending) -> String {
        log(annotations, ending)
    }
}
