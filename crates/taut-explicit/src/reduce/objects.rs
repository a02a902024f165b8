//! What actions can touch, numbered so that a set of it is one word.
//!
//! Objects are places of memory and everything else that two processes can have in common: each channel, each
//! process that steps of others look at, and three that stand for something larger. Several places of an array,
//! or all channels, share an object where there would be too many.

use taut_ir::{ChannelRef, Footprint, Locations, Program};
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

/// Which object everything is.
pub(super) struct Numbering {
    places: Vec<Objects>,
    channels: Vec<Objects>,
    /// For each process that steps look at, the object that it is; nothing for the others.
    processes: Vec<Objects>,
    /// The objects that are exactly one place.
    pub(super) exact: Objects,
}

impl Numbering {
    /// Numbers what a program has; `None` if that is too much.
    pub(super) fn new(
        program: &Program,
        footprints: &[Vec<Footprint>],
        places: &Cells,
    ) -> Option<Numbering> {
        let observed = observed(program, footprints);
        let fixed = SPECIAL + observed.iter().filter(|&&o| o).count();
        let (channels, vars) = (program.channels.len(), program.vars.len());
        let whole = |count: usize| count.min(1);
        let splits = [(places.len(), channels), (vars, channels), (vars, whole(channels))];
        let (of_places, of_channels) = splits.into_iter().find(|(p, c)| fixed + p + c <= MOST)?;
        let mut next = SPECIAL;
        let mut objects = |count: usize| {
            let first = next;
            next += count;
            move |i: usize| 1 << (first + i.min(count - 1))
        };
        let process = objects(fixed - SPECIAL);
        let channel = objects(of_channels);
        let place = objects(of_places);
        let mut rank = 0..;
        let mut of_process = |&o: &bool| if o { process(rank.next().expect("a rank")) } else { 0 };
        let by_variable = of_places < places.len();
        let of_place = |id: CellId| match by_variable {
            true => place(places.variable(id).0.index()),
            false => place(id.index()),
        };
        let places: Vec<_> = places.ids().map(of_place).collect();
        Some(Numbering {
            exact: if by_variable { 0 } else { places.iter().fold(0, |all, place| all | place) },
            places,
            channels: (0..channels).map(channel).collect(),
            processes: observed.iter().map(&mut of_process).collect(),
        })
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
