//! Memory and channels as bytes.
//!
//! Each cell of memory has a fixed place and as many bytes as its type needs, so that the cells of a variable can be read
//! and written where they are. Channels follow, each with the number of its messages in front.

use std::ops::Range;

use taut_ir::{Program, Type, VarId};

/// Where the cells of memory are, and how wide they are.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    variables: Vec<Place>,
    /// For each channel the types of its fields.
    fields: Vec<Vec<Width>>,
    /// The number of bytes of memory.
    pub(super) memory: usize,
}

/// The cells of one variable.
#[derive(Clone, Debug)]
struct Place {
    start: usize,
    size: usize,
    width: Width,
}

/// How a value is written: its distance from the least one, in so many bytes.
#[derive(Clone, Copy, Debug)]
struct Width {
    least: i64,
    bytes: usize,
}

impl Width {
    fn of(ty: Type) -> Width {
        let most = ty.hi.wrapping_sub(ty.lo) as u64;
        Width { least: ty.lo, bytes: (8 - most.leading_zeros() as usize / 8).max(1) }
    }

    fn write(self, value: i64, out: &mut Vec<u8>) {
        let distance = value.wrapping_sub(self.least) as u64;
        debug_assert!(
            self.bytes == 8 || distance >> (8 * self.bytes) == 0,
            "{value} fits its type"
        );
        out.extend_from_slice(&distance.to_le_bytes()[..self.bytes]);
    }

    fn read(self, bytes: &[u8]) -> i64 {
        let mut all = [0; 8];
        all[..self.bytes].copy_from_slice(&bytes[..self.bytes]);
        (u64::from_le_bytes(all) as i64).wrapping_add(self.least)
    }
}

impl Cells {
    pub(super) fn new(program: &Program) -> Cells {
        let mut memory = 0;
        let mut variables = Vec::new();
        for variable in &program.vars {
            let (start, size, width) = (memory, variable.size() as usize, Width::of(variable.ty));
            memory += size * width.bytes;
            variables.push(Place { start, size, width });
        }
        let widths = |fields: &Vec<Type>| fields.iter().map(|&ty| Width::of(ty)).collect();
        let fields = program.channels.iter().map(|channel| widths(&channel.fields)).collect();
        Cells { variables, fields, memory }
    }

    /// The bytes of a variable.
    pub(super) fn range(&self, var: VarId) -> Range<usize> {
        let Place { start, size, width } = self.variables[var.index()];
        start..start + size * width.bytes
    }

    pub(super) fn encode(
        &self,
        memory: &[Vec<i64>],
        channels: &[Vec<Vec<i64>>],
        out: &mut Vec<u8>,
    ) {
        out.clear();
        for (values, place) in memory.iter().zip(&self.variables) {
            values.iter().for_each(|&value| place.width.write(value, out));
        }
        debug_assert_eq!(out.len(), self.memory, "every cell has its bytes");
        for (messages, fields) in channels.iter().zip(&self.fields) {
            out.extend_from_slice(&(messages.len() as u32).to_le_bytes());
            for message in messages {
                message.iter().zip(fields).for_each(|(&value, width)| width.write(value, out));
            }
        }
    }

    pub(super) fn decode(&self, bytes: &[u8]) -> (Vec<Vec<i64>>, Vec<Vec<Vec<i64>>>) {
        let mut rest = bytes;
        let mut value = |width: Width| {
            let (own, after) = rest.split_at(width.bytes);
            rest = after;
            width.read(own)
        };
        let memory = self.variables.iter();
        let memory = memory.map(|place| (0..place.size).map(|_| value(place.width)).collect());
        let memory = memory.collect();
        let mut channels = Vec::new();
        for fields in &self.fields {
            let count = value(Width { least: 0, bytes: 4 });
            let message = |_| fields.iter().map(|&width| value(width)).collect();
            channels.push((0..count).map(message).collect());
        }
        (memory, channels)
    }
}
