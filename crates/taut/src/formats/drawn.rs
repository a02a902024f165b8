//! The runs that are on a page already, so that each is drawn once.

use std::sync::{Arc, Mutex, PoisonError};

use taut_ir::MemoryModel;
use taut_witness::Trace;

/// The runs that are on a page. Copies of a page share them.
#[derive(Clone, Debug, Default)]
pub struct Drawn(Arc<Mutex<Vec<DrawnRun>>>);

/// A run as it was drawn.
#[derive(Clone, Debug)]
pub(super) struct DrawnRun {
    /// What is violated.
    pub property: String,
    /// The run.
    pub trace: Trace,
    /// Its rows as text.
    pub table: String,
    /// The explanation under it.
    pub footer: String,
}

impl DrawnRun {
    fn model(&self) -> MemoryModel {
        self.trace.memory.model
    }

    /// Whether two runs are the same to a reader. Actions decide what happens under one memory model; under different
    /// ones the same actions may leave different buffers, so there all that is drawn has to be the same.
    fn is_like(&self, other: &DrawnRun) -> bool {
        let same =
            self.trace.actions == other.trace.actions && self.trace.lasso == other.trace.lasso;
        same && (self.trace.memory == other.trace.memory || self.table == other.table)
    }

    /// "the same run as under TSO", seen from another run.
    fn called(&self, from: &DrawnRun) -> String {
        let model = self.model().name().to_uppercase();
        match self.property == from.property {
            true => format!("the same run as under {model}"),
            false => format!("the same run as for `{}` under {model}", self.property),
        }
    }
}

impl Drawn {
    /// What is to be written of a run: all of it, or if a run like it is there the name of that one, with the
    /// explanation if that is another.
    pub(super) fn written(&self, run: DrawnRun) -> String {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = match all.iter().find(|known| known.is_like(&run)) {
            None => format!("{}{}", run.table, run.footer),
            Some(known) if known.footer == run.footer => format!("{}\n", known.called(&run)),
            Some(known) => format!("{}\n{}", known.called(&run), run.footer),
        };
        all.push(run);
        text
    }
}
