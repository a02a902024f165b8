//! GitHub Actions: commands that annotate lines, and the summary of a job.

use crate::annotate::{Annotations, github};
use crate::formats::{Format, Shown};
use crate::sarif::Ending;

/// The format `github`.
#[derive(Clone, Copy, Debug)]
pub struct Github;

impl Format for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    fn title(&self) -> &'static str {
        "For GitHub Actions: annotations beside the lines of a pull request"
    }

    fn shows(&self, command: Shown) -> bool {
        matches!(command, Shown::Check | Shown::Suite | Shown::Compare)
    }

    fn takes_messages(&self) -> bool {
        true
    }

    fn is_annotations(&self) -> bool {
        true
    }

    fn annotations(&self, annotations: &Annotations, _: Ending) -> String {
        github::commands(annotations)
    }

    fn job_summary(&self, annotations: &Annotations) -> Option<String> {
        Some(github::summary(annotations))
    }
}
