//! What actions can touch, numbered so that a set of it is one word.
//!
//! Objects are places of memory and everything else that two processes can have in common: each channel, each
//! process that steps of others look at, and three that stand for something larger. Where there would be too many,
//! several things share an object:
//!
//! 1. the places of an array;
//! 2. all channels;
//! 3. all places that one process alone touches and no question looks at: other processes have nothing to do with any
//!    of them. A program whose processes have thousands of such variables loses nothing by it;
//! 4. of the other places, neighbours, as many as it takes.
//!
//! An action that touches one of the places then depends on all that touch another. This leaves more to be followed, and
//! is right for any division into objects.

use taut_ir::{ChannelRef, Expr, Footprint, Locations, ProcId, Program};
use taut_memory::{CellId, Cells};

/// A set of objects, one bit each.
pub(super) type Objects = u64;

/// What a question can see: an action that may change it writes this.
pub(super) const VISIBLE: Objects = 1;
/// Which processes live: spawns and exits write it.
pub(super) const PROCESS_TABLE: Objects = 1 << 1;
/// Whether all buffers are empty. Stores do not get into each other's way over it, but into that of who waits for
/// all buffers: they are said to read it, and who waits to write it.
pub(super) const ALL_DRAINED: Objects = 1 << 2;
/// So many objects come first.
const SPECIAL: usize = 3;
const MOST: usize = Objects::BITS as usize;

/// Number of objects that there may be.
#[cfg(not(test))]
fn most_objects() -> usize {
    MOST
}

#[cfg(test)]
pub(crate) use limited::{most_objects, with_objects};

/// Which object everything is.
pub(super) struct Numbering {
    places: Vec<Objects>,
    channels: Vec<Objects>,
    /// For each process that steps look at, the object that it is; nothing for the others.
    processes: Vec<Objects>,
    /// The objects that are exactly one place.
    pub(super) exact: Objects,
    /// The objects that stand for several places.
    pub(super) several: Objects,
}

impl Numbering {
    /// Numbers what a program has, of which questions look at some expressions; `None` if that is too much.
    pub(super) fn new(
        program: &Program,
        footprints: &[Vec<Footprint>],
        places: &Cells,
        looks: &[&Expr],
    ) -> Option<Numbering> {
        let observed = observed(program, footprints);
        let most = most_objects();
        let fixed = SPECIAL + observed.iter().filter(|&&o| o).count();
        let channels = program.channels.len();
        let owners = || owners(program, footprints, looks);
        let room = most.checked_sub(fixed)?;
        let (of_places, of_channels) = divided(program, places, owners, room)?;
        let mut next = SPECIAL;
        let mut objects = |count: usize| {
            let first = next;
            next += count;
            move |i: usize| 1 << (first + i.min(count - 1))
        };
        let process = objects(fixed - SPECIAL);
        let channel = objects(of_channels);
        let place = objects(of_places.count);
        let mut rank = 0..;
        let mut of_process = |&o: &bool| if o { process(rank.next().expect("a rank")) } else { 0 };
        let (exact, several) = of_places.sorts();
        let joined = |list: Vec<usize>| list.into_iter().fold(0, |all, i| all | place(i));
        let numbering = Numbering {
            exact: joined(exact),
            several: joined(several),
            places: of_places.of.iter().map(|&i| place(i)).collect(),
            channels: (0..channels).map(channel).collect(),
            processes: observed.iter().map(&mut of_process).collect(),
        };
        debug_assert!(next <= most, "{next} objects");
        debug_assert!(numbering.exact & numbering.several == 0);
        Some(numbering)
    }

    #[inline]
    pub(super) fn place(&self, place: CellId) -> Objects {
        self.places[place.index()]
    }

    pub(super) fn places(&self, places: impl IntoIterator<Item = CellId>) -> Objects {
        places.into_iter().fold(0, |all, place| all | self.place(place))
    }

    /// A process, if others look at it.
    pub(super) fn process(&self, process: usize) -> Objects {
        self.processes[process]
    }

    pub(super) fn channel(&self, channel: usize) -> Objects {
        self.channels[channel]
    }

    /// The locations that accesses may mean.
    pub(super) fn locations(
        &self,
        places: &Cells,
        all: impl IntoIterator<Item = Locations>,
    ) -> Objects {
        self.places(all.into_iter().flat_map(|locations| places.meant(locations)))
    }

    /// The channels that expressions may mean.
    pub(super) fn channels(&self, all: &[ChannelRef]) -> Objects {
        all.iter().fold(0, |objects, channel| match channel {
            ChannelRef::One(channel) => objects | self.channel(channel.index()),
            ChannelRef::Any => self.channels.iter().fold(objects, |all, channel| all | channel),
        })
    }
}

/// Which processes steps of the program look at.
fn observed(program: &Program, footprints: &[Vec<Footprint>]) -> Vec<bool> {
    let mut observed = vec![false; program.processes.len()];
    for process in footprints.iter().flatten().flat_map(|footprint| &footprint.processes) {
        observed[process.index()] = true;
    }
    observed
}

/// A division of places into objects.
struct Division {
    /// By place.
    of: Vec<usize>,
    count: usize,
    /// No object counts as exactly one place, although some may be.
    by_variable: bool,
}

impl Division {
    /// The objects of exactly one place, and those of several.
    fn sorts(&self) -> (Vec<usize>, Vec<usize>) {
        let mut places = vec![0; self.count];
        self.of.iter().for_each(|&object| places[object] += 1);
        let those = |wanted: fn(usize) -> bool| {
            (0..self.count).filter(|&object| wanted(places[object])).collect::<Vec<_>>()
        };
        let exact = if self.by_variable { Vec::new() } else { those(|places| places == 1) };
        (exact, those(|places| places > 1))
    }
}

/// The finest division of places for which there is room, and the number of objects for channels.
fn divided(
    program: &Program,
    places: &Cells,
    owners: impl FnOnce() -> Vec<Option<ProcId>>,
    room: usize,
) -> Option<(Division, usize)> {
    let (channels, vars) = (program.channels.len(), program.vars.len());
    let one_channel = channels.min(1);
    if places.len() + channels <= room {
        let of = (0..places.len()).collect();
        return Some((Division { of, count: places.len(), by_variable: false }, channels));
    }
    for channels in [channels, one_channel] {
        if vars + channels <= room {
            let of = places.ids().map(|id| places.variable(id).0.index()).collect();
            return Some((Division { of, count: vars, by_variable: true }, channels));
        }
    }
    let merged = merged(places, &owners(), room.checked_sub(one_channel)?)?;
    Some((merged, one_channel))
}

/// One object for all that one process alone touches, and the other places as evenly as there is room. Neighbours
/// share objects where there is not enough of it.
fn merged(places: &Cells, owners: &[Option<ProcId>], room: usize) -> Option<Division> {
    if room == 0 {
        return None;
    }
    let owner = |id: CellId| owners[places.variable(id).0.index()];
    let mut known: Vec<ProcId> = places.ids().filter_map(owner).collect();
    known.sort();
    known.dedup();
    let shared = places.ids().filter(|&id| owner(id).is_none()).count();
    // What the other places leave, and half of it all at least. In a room for one object, everything is that one.
    let owned = known.len().min(room.saturating_sub(shared).max(room / 2));
    let left = shared.min(room - owned);
    let mut rank = 0..shared;
    let object = |id: CellId| match owner(id) {
        Some(owner) => known.partition_point(|&other| other < owner) * owned / known.len(),
        None => owned + rank.next().expect("a rank") * left / shared,
    };
    let of: Vec<usize> = places.ids().map(object).collect();
    let count = owned + left;
    debug_assert!(count <= room && of.iter().all(|&object| object < count), "{count} objects");
    Some(Division { of, count, by_variable: false })
}

/// For each variable the process that alone has to do with it; `None` if several have, or a question looks at it.
fn owners(
    program: &Program,
    footprints: &[Vec<Footprint>],
    looks: &[&Expr],
) -> Vec<Option<ProcId>> {
    // A variable that no step touches may count as that of any process.
    let mut owners: Vec<Option<ProcId>> = vec![None; program.vars.len()];
    let mut is_shared = vec![false; program.vars.len()];
    for process in program.process_ids() {
        for step in &footprints[program.process(process).def.index()] {
            let touched = step.reads.iter().chain(&step.stores).chain(&step.writes);
            for var in touched.map(|locations| locations.var.index()) {
                let owner = *owners[var].get_or_insert(process);
                is_shared[var] |= owner != process;
            }
        }
    }
    for var in looks.iter().flat_map(|expr| expr.variables()) {
        is_shared[var.index()] = true;
    }
    let all = owners.into_iter().zip(is_shared);
    all.map(|(owner, is_shared)| if is_shared { None } else { owner.or(Some(ProcId(0))) }).collect()
}

/// Fewer objects than a word has bits, so that small programs show what several places per object do.
#[cfg(test)]
mod limited {
    use std::cell::Cell;

    thread_local! {
        static LIMIT: Cell<usize> = const { Cell::new(super::MOST) };
    }

    pub(crate) fn most_objects() -> usize {
        LIMIT.get()
    }

    /// Does some work with so many objects for what is not special.
    pub(crate) fn with_objects<T>(count: usize, work: impl FnOnce() -> T) -> T {
        let before = LIMIT.replace(super::SPECIAL + count);
        let done = work();
        LIMIT.set(before);
        done
    }
}
