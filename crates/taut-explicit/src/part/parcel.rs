//! What parts send each other.

use std::io;

use crate::checkpoint::{Reader, Saved, Writer, damaged};

/// Parcels that wait to be sent.
#[derive(Default)]
pub struct Outbox {
    parcels: Vec<(u32, Vec<u8>)>,
}

impl Outbox {
    /// Sends a parcel to a part.
    pub(super) fn send(&mut self, to: u32, parcel: Vec<u8>) {
        self.parcels.push((to, parcel));
    }

    /// Takes all parcels out, each with the number of the part that it goes to.
    pub fn drain(&mut self) -> impl Iterator<Item = (u32, Vec<u8>)> {
        self.parcels.drain(..)
    }
}

/// The kind of a parcel: its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Successors of states of the sender ([`super::blocks`]).
    Block = 1,
    /// Sources of the receiver of which a successor is new.
    Leads = 2,
    /// The sender met a limit.
    Stop = 3,
    /// Counts and findings of a level.
    Sum = 4,
    /// The way to a state is asked for.
    Way = 5,
    /// One step of a way.
    Ordinal = 6,
    /// What only the first part needs to know, at the end.
    Last = 7,
    /// All ways are known.
    Finish = 8,
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::Block,
        Kind::Leads,
        Kind::Stop,
        Kind::Sum,
        Kind::Way,
        Kind::Ordinal,
        Kind::Last,
        Kind::Finish,
    ];

    /// The kind of a parcel and what is in it.
    pub(super) fn of(parcel: &[u8]) -> (Kind, &[u8]) {
        let (&first, rest) = parcel.split_first().expect("a parcel has a kind");
        let kind = Kind::ALL.into_iter().find(|&kind| kind as u8 == first);
        (kind.expect("parts of one version know the same kinds"), rest)
    }
}

/// A parcel with a value.
pub(super) fn pack(kind: Kind, value: &impl Saved) -> Vec<u8> {
    let mut parcel = vec![kind as u8];
    let mut write = || {
        let mut to = Writer::new(&mut parcel)?;
        value.save(&mut to)?;
        to.finish()
    };
    write().expect("memory takes what is written");
    parcel
}

/// The value in a parcel.
pub(super) fn unpack<T: Saved>(bytes: &[u8]) -> T {
    let read = || -> io::Result<T> {
        let mut from = Reader::new(Box::new(bytes), bytes.len() as u64)?;
        let value = T::restore(&mut from)?;
        from.finish()?;
        Ok(value)
    };
    // The bytes come from a part of the same version, over a link with checksums of its own.
    read().expect("a parcel is read as it was written")
}

/// Writes a number: seven bits per byte, the last byte without the highest bit.
pub(super) fn write_number(to: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Reads such a number.
pub(super) fn read_number(from: &mut &[u8]) -> io::Result<u64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let (&byte, rest) = from.split_first().ok_or_else(|| damaged("a number is missing"))?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
        if shift > 63 {
            return Err(damaged("a number is too long"));
        }
    }
}
