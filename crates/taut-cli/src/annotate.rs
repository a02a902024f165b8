//! What was found, for other tools: on standard output as `--format` says, and in the file of `--sarif`.

use std::cell::RefCell;
use std::io::Write;
use std::path::Path;

use taut::annotate::Annotations;
use taut::{EngineFault, sarif};

use super::args::{FormatArg, SarifArgs};
use super::exit::Exit;
use super::fault::internal;
use super::files;
use super::output::{eprint, print};
use super::provenance;
use super::refused::Refused;

/// Where annotations go.
#[derive(Clone, Copy)]
pub struct Annotator<'a> {
    format: FormatArg,
    sarif: Option<&'a Path>,
    /// Of several programs: the annotations so far, which are delivered together at the end.
    collected: Option<&'a RefCell<Annotations>>,
}

impl<'a> Annotator<'a> {
    pub fn new(format: FormatArg, sarif: &'a SarifArgs) -> Annotator<'a> {
        Annotator { format, sarif: sarif.sarif_file.as_deref(), collected: None }
    }

    /// The same for one of several programs: what it delivers is only collected.
    pub fn collecting(self, collected: &'a RefCell<Annotations>) -> Annotator<'a> {
        Annotator { collected: Some(collected), ..self }
    }

    /// Whether messages about the program are annotations and not shown beside.
    pub fn takes_messages(self) -> bool {
        self.format.takes_messages()
    }

    /// Says why a command is refused.
    pub fn refuse(self, refused: &Refused) -> Exit {
        match refused {
            // A limit is a verdict, and verdicts for people are on standard output.
            Refused::Spent(met) if self.format.is_for_people() => {
                print(&format!("unknown: {met}\n"));
            }
            _ if self.takes_messages() => {}
            _ => {
                refused.show();
            }
        }
        self.deliver(refused.exit(), || refused.annotations())
    }

    /// Says that Taut itself is at fault.
    pub fn fault(self, fault: &EngineFault) -> Exit {
        self.deliver(internal(fault), || Annotations::of_fault(fault))
    }

    /// Writes the annotations of a run that ends like that; how it ends if they cannot be written.
    pub fn deliver(self, exit: Exit, annotations: impl FnOnce() -> Annotations) -> Exit {
        if !self.format.is_annotations() && self.sarif.is_none() {
            return exit;
        }
        if let Some(collected) = self.collected {
            collected.borrow_mut().add(annotations());
            return exit;
        }
        let mut annotations = annotations();
        annotations.provenance.arguments = provenance::arguments();
        print(&self.format.annotations(&annotations, exit.ending()));
        if let Some(summary) = self.format.job_summary(&annotations) {
            add_to_summary(&summary);
        }
        match self.sarif.map(|path| write_sarif(path, &annotations, exit)) {
            Some(Err(not_written)) => exit.max(not_written),
            _ => exit,
        }
    }
}

/// Writes the file of `--sarif`.
fn write_sarif(path: &Path, annotations: &Annotations, exit: Exit) -> Result<(), Exit> {
    files::deliver(path, sarif::log(annotations, exit.ending()).as_bytes())
}

/// Adds the verdicts to the summary of the job, if there is one. That it cannot be written changes no verdict.
fn add_to_summary(summary: &str) {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return;
    };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(summary.as_bytes()));
    if let Err(error) = written {
        eprint(&format!("warning: cannot write the summary of the job: {error}\n"));
    }
}
