//! What a view says about a run, compared with the states that the replayer keeps.

use proptest::prelude::*;
use taut_ir::{Finding, ProcId};
use taut_render::RunView;
use taut_render::view::{Held, ShownRow};
use taut_witness::State;
use taut_witness::buffer::{Entry, Item};

/// Every row is shown once, what is folded changes nothing that others see, and buffers are those of the states, in the
/// order of the stores.
pub fn check_view(view: RunView<'_>, finding: Finding) -> Result<(), TestCaseError> {
    check_folds(view, finding)?;
    check_buffers(view)
}

fn check_folds(view: RunView<'_>, finding: Finding) -> Result<(), TestCaseError> {
    let mut rows = Vec::new();
    for shown in view.folded(&view.matters(Some(finding))) {
        let fold = match shown {
            ShownRow::Fold(fold) => fold,
            ShownRow::Row(row) => {
                rows.push(row);
                continue;
            }
        };
        prop_assert!(fold.rows.len() >= 2 && fold.rows.end < view.len(), "{:?}", fold);
        let steps: usize = fold.steps.iter().map(|(_, steps)| steps).sum();
        prop_assert_eq!(steps, fold.rows.len());
        for row in fold.rows.clone() {
            let (before, after) = (view.row(row).before().state(), view.row(row).after().state());
            prop_assert_eq!(seen(before), seen(after), "row {}", row + 1);
        }
        rows.extend(fold.rows);
    }
    prop_assert_eq!(rows, (0..view.len()).collect::<Vec<_>>());
    Ok(())
}

/// What other processes can see of a state, or will.
fn seen(state: &State) -> impl PartialEq + std::fmt::Debug + '_ {
    let buffers: Vec<_> = state.processes.iter().map(|p| (&p.buffer, p.started)).collect();
    (&state.memory, &state.channels, buffers)
}

fn check_buffers(view: RunView<'_>) -> Result<(), TestCaseError> {
    for (row, changes) in view.buffer_changes().into_iter().enumerate() {
        let (before, after) = (view.row(row).before().state(), view.row(row).after().state());
        for process in view.program().process_ids() {
            let changed = changes.iter().find(|(p, _)| *p == process);
            let differs = before.process(process).buffer != after.process(process).buffer;
            prop_assert_eq!(changed.is_some(), differs, "row {}", row + 1);
            if let Some((_, held)) = changed {
                let shown = canonical(view, held);
                prop_assert_eq!(shown, after.process(process).buffer.items().to_vec());
                check_order(view, row, process, held)?;
            }
        }
    }
    Ok(())
}

/// A buffer as the replayer keeps it: sorted by location between barriers, where each location has a queue.
fn canonical(view: RunView<'_>, held: &[Held]) -> Vec<Item> {
    let mut items = Vec::new();
    for held in held {
        match held {
            Held::Stores { location, values, .. } => {
                let store = |&value| Item::Store(Entry { address: *location, value });
                items.extend(values.iter().map(store));
            }
            Held::Barrier => items.push(Item::Barrier),
        }
    }
    if view.memory().model.buffers().are_per_cell() {
        for segment in items.split_mut(|item| *item == Item::Barrier) {
            segment.sort_by_key(|item| match item {
                Item::Store(entry) => Some(entry.address),
                Item::Barrier => None,
            });
        }
    }
    items
}

/// The newest store of a buffer stands last, where the row made one.
fn check_order(
    view: RunView<'_>,
    row: usize,
    process: ProcId,
    held: &[Held],
) -> Result<(), TestCaseError> {
    let row = view.row(row);
    let part = row.part(process).filter(|_| !row.fails());
    let newest = part.and_then(|part| part.writes().filter(|write| write.in_buffer).last());
    if let (Some(newest), Some(Held::Stores { location, values, .. })) = (newest, held.last()) {
        prop_assert_eq!((newest.location, newest.value), (*location, values[values.len() - 1]));
    }
    Ok(())
}
