//! The accesses that are watched: those that some access of another thread can race with, by a look at the code.
//!
//! Two accesses are a candidate pair if different threads make them, they can be to one cell, and their kinds conflict. Cells
//! are told apart by their objects and constant offsets; behind pointers, by points-to classes.

use crate::lower::layout::Counts;
use crate::lower::mir::{Base, Mir, ObjectId, Op, Place, Storage, ThreadId, Value, Watch};
use crate::lower::points_to::Classes;

use super::Kind;
use crate::lower::access::AccessClass;

/// Leaves out accesses that no race can be a part of; true if some are left.
pub(crate) fn keep_candidates(mir: &mut Mir, classes: &Classes, counts: &Counts) -> bool {
    let _phase = taut_budget::phase("candidates for races are looked for");
    let sites = sites(mir, classes);
    let races = |site: &Site| {
        taut_budget::tick();
        sites.iter().any(|other| site.may_race_with(other, counts))
    };
    let kept: Vec<bool> = sites.iter().map(races).collect();
    let mut next = kept.iter();
    for thread in &mut mir.threads {
        for edge in &mut thread.edges {
            edge.ops.retain(|op| match op {
                Op::Watch(Watch::Access(_)) => next.next().copied().unwrap_or(true),
                // A `free` is a site, but no operation that could be left out.
                Op::Free(_) => next.next().is_some(),
                _ => true,
            });
        }
    }
    kept.contains(&true)
}

/// An access in the code.
struct Site {
    thread: ThreadId,
    kind: Kind,
    class: Option<usize>,
    /// The object, where it is named, and the cell, where that is constant.
    object: Option<(ObjectId, Option<i64>)>,
    /// True if it is the thread's own copy of an object of which each thread has one.
    own: bool,
}

impl Site {
    fn may_race_with(&self, other: &Site, counts: &Counts) -> bool {
        let other_thread = self.thread != other.thread || counts.slots[self.thread.0 as usize] > 1;
        let same_cell = match (self.object, other.object) {
            (Some((a, x)), Some((b, y))) => {
                a == b && (x.is_none() || y.is_none() || x == y) && !(self.own && other.own)
            }
            _ => self.class.is_some() && self.class == other.class,
        };
        other_thread && same_cell && self.kind.conflicts(other.kind)
    }
}

fn sites(mir: &Mir, classes: &Classes) -> Vec<Site> {
    let mut all = Vec::new();
    for (index, thread) in mir.threads.iter().enumerate() {
        let id = ThreadId(index as u32);
        for op in thread.edges.iter().flat_map(|edge| &edge.ops) {
            match op {
                Op::Watch(Watch::Access(point)) => {
                    let kind = Kind::of(&point.place, point.write);
                    all.push(site(mir, classes, id, &point.place, kind));
                }
                Op::Free(pointer) => {
                    let class = classes.of_pointer(id, pointer);
                    let kind = Kind { class: AccessClass::Plain, write: true };
                    all.push(Site { thread: id, kind, class, object: None, own: false });
                }
                _ => {}
            }
        }
    }
    all
}

fn site(mir: &Mir, classes: &Classes, thread: ThreadId, place: &Place, kind: Kind) -> Site {
    match &place.base {
        Base::Object(object) => {
            let storage = mir.objects[object.0 as usize].storage;
            // The argument of a thread may be the address of a local of another one.
            let own = match storage {
                Storage::Frame(owner) => owner == thread,
                Storage::ThreadLocal => true,
                _ => false,
            };
            let cell = match place.offset {
                Value::Int(cell) => Some(cell),
                _ => None,
            };
            let class = Some(classes.of_object(*object));
            Site { thread, kind, class, object: Some((*object, cell)), own }
        }
        Base::Pointer(pointer) => {
            let class = classes.of_pointer(thread, pointer);
            Site { thread, kind, class, object: None, own: false }
        }
    }
}
