//! The numbers that a document has for processes and cells, and the places at which a process can go on.

use taut_html::Place;
use taut_ir::ProcId;
use taut_render::RunView;
use taut_render::view::StateView;
use taut_witness::Address;

use super::places::Texts;

/// A run and the numbers of what is in it.
pub(super) struct Numbers<'a> {
    pub(super) view: RunView<'a>,
    /// The processes that live at some time.
    lanes: Vec<ProcId>,
    /// For each variable, the number of its first cell.
    first: Vec<usize>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(view: RunView<'a>) -> Numbers<'a> {
        let mut first = Vec::new();
        let mut cells = 0;
        for variable in &view.program().vars {
            first.push(cells);
            cells += variable.size() as usize;
        }
        Numbers { view, lanes: view.living(), first }
    }

    pub(super) fn lanes(&self) -> &[ProcId] {
        &self.lanes
    }

    /// The number of a process that takes part in the run.
    pub(super) fn lane(&self, process: ProcId) -> usize {
        self.lanes.binary_search(&process).expect("who acts lives")
    }

    pub(super) fn cell(&self, address: Address) -> usize {
        self.first[address.var.index()] + address.index as usize
    }

    pub(super) fn addresses(&self) -> impl Iterator<Item = Address> {
        let program = self.view.program();
        let of = move |var| (0..program.var(var).size()).map(move |index| Address { var, index });
        program.var_ids().flat_map(of)
    }

    /// The lines of the steps that a process may take next; none if it does not live or has ended.
    pub(super) fn at(&self, state: StateView<'_>, id: ProcId, texts: &mut Texts<'_>) -> Vec<Place> {
        let Some(point) = state.point(id) else { return Vec::new() };
        let mut places: Vec<_> =
            point.leaving.into_iter().filter_map(|span| texts.place(span)).collect();
        places.sort();
        places.dedup();
        places
    }
}
