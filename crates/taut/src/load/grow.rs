//! Programs with more processes, of models that start them without saying how many.

use std::collections::BTreeMap;

use taut_ir::frontend::with_more;
use taut_ir::{DefId, Program};

use super::Loaded;

impl Loaded {
    /// Whether programs with more processes can be made from the model.
    pub fn grows(&self) -> bool {
        self.model.growth().is_some()
    }

    /// The largest number of processes that a program of the model may have.
    pub(crate) fn most_processes(&self) -> usize {
        self.model.growth().map_or(self.program.processes.len(), |growth| growth.most_processes())
    }

    /// The program with so many processes, by the name of their definition, besides those that run from the start; none
    /// if there cannot be so many.
    pub fn with_slots(&self, slots: &BTreeMap<String, u32>) -> Option<Program> {
        let lowered = self.model.growth()?.with_slots(slots)?;
        self.finish().program(lowered).ok()
    }

    /// A program with more processes of one definition; none if there are too many already. Checks use it where a model
    /// starts processes without saying how many.
    ///
    /// ```
    /// use taut::{Check, MemoryModel, load};
    ///
    /// // Each process starts the next one: three of them, though the text does not say so.
    /// let model = "
    ///     byte x;
    ///     proctype p(byte n) {
    ///         x = n;
    ///         if :: n < 3 -> run p(n + 1) :: else fi
    ///     }
    ///     init { run p(1); x == 3; assert(_nr_pr > 1) }
    /// ";
    /// let loaded = load::from_text("chain.pml", model).expect("a model");
    /// let report = Check::of(&loaded).model(MemoryModel::Tso).all(true).run().expect("a report");
    /// assert!(!report.is_unknown());
    /// assert_eq!(taut::ir::frontend::slots(&report.program)["p"], 3);
    /// ```
    pub fn with_more(&self, program: &Program, def: DefId) -> Option<Program> {
        let most = self.model.growth()?.most_processes();
        self.with_slots(&with_more(program, def, most)?)
    }
}
