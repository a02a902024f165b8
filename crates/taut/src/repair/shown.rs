//! Sets of places as they are shown.

use taut_repair::minimal::Repair;
use taut_repair::{Set, SiteId};

use super::need::Justification;
use super::places::Source;
use super::report::{ShownPlace, ShownSet};

/// A set as it is shown.
pub(super) fn shown(source: &dyn Source, repair: &Repair, set: &Set) -> ShownSet {
    let subject = source.subject();
    let place = |id: SiteId| {
        let lesson = repair.need(set, id);
        let need = lesson.map(|lesson| Justification::of(subject, lesson, id));
        ShownPlace { need, ..source.show(id) }
    };
    let places = in_order(source, set).into_iter().map(place).collect();
    ShownSet { places, cost: subject.cost(set) }
}

/// Places that are named one by one.
const NAMED: usize = 6;

/// The places of a set, in words.
pub(super) fn listed(source: &dyn Source, set: &Set) -> String {
    let all = in_order(source, set);
    if all.len() == source.subject().places().len() && all.len() > NAMED {
        return format!("all {} places", all.len());
    }
    let words = all.iter().take(NAMED).map(|&id| {
        let ShownPlace { kind, line, words, .. } = source.show(id);
        format!("{} at line {line} {words}", kind.word())
    });
    let words = words.collect::<Vec<_>>().join(", ");
    match all.len().checked_sub(NAMED).filter(|&more| more > 0) {
        Some(more) => format!("{words} and {more} more"),
        None => words,
    }
}

/// The places of a set in the order of the source.
pub(super) fn in_order(source: &dyn Source, set: &Set) -> Vec<SiteId> {
    let mut ids: Vec<_> = set.iter().copied().collect();
    ids.sort_by_key(|&id| {
        let place = source.show(id);
        (place.file, place.line)
    });
    ids
}
