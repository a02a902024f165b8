//! Where the messages of a channel lie, and moving them.
//!
//! The fields of a message are packed side by side into *lanes* of at most 64 bits; most messages have one
//! lane. A lane is a queue of one entry a message, the oldest in the lowest bits, so that taking the oldest
//! message is a shift. Behind the last message all bits are zero, which makes states canonical.

use std::cmp::Ordering;

use taut_ir::ranges::Ranges;
use taut_ir::{ChanId, Channel, EffectOrder, Interval, Program, Type};
use taut_memory::{Field, LayoutBuilder};

/// A channel with everything resolved.
#[derive(Debug)]
pub(crate) struct ChannelLayout {
    /// How many messages it holds; 0 for a rendezvous.
    pub(crate) capacity: u64,
    /// Whose part of a rendezvous comes first.
    pub(crate) order: EffectOrder,
    /// How many messages it holds now.
    pub(crate) len: Field,
    pub(crate) fields: Box<[MessageField]>,
    lanes: Box<[Lane]>,
}

/// A field of a message: some bits of a lane's entries.
#[derive(Debug)]
pub(crate) struct MessageField {
    pub(crate) ty: Type,
    lane: u32,
    shift: u32,
    mask: u64,
    lo: i64,
}

/// A queue of small numbers.
#[derive(Debug)]
struct Lane {
    width: u32,
    mask: u64,
    /// Entries a chunk; the last chunk may hold fewer.
    per_chunk: u32,
    /// Each chunk is one field, so that within a chunk the queue moves by a single shift.
    chunks: Box<[Field]>,
}

fn ones(width: u32) -> u64 {
    if width == 0 { 0 } else { u64::MAX >> (64 - width) }
}

/// The channels of a program.
pub(crate) fn lay_out(
    program: &Program,
    ranges: &Ranges,
    layout: &mut LayoutBuilder,
) -> Vec<ChannelLayout> {
    let channels = program.channels.iter().enumerate();
    channels.map(|(i, c)| ChannelLayout::new(c, ChanId::from(i), ranges, layout)).collect()
}

impl ChannelLayout {
    fn new(
        channel: &Channel,
        id: ChanId,
        ranges: &Ranges,
        layout: &mut LayoutBuilder,
    ) -> ChannelLayout {
        let len = layout.add(Interval { lo: 0, hi: i64::from(channel.capacity) });
        let mut widths: Vec<u32> = Vec::new();
        let mut fields = Vec::new();
        for (i, &ty) in channel.fields.iter().enumerate() {
            let interval = ranges.field(id, i);
            let bits = interval.bits();
            if widths.last().is_none_or(|w| w + bits > 64) {
                widths.push(0);
            }
            let lane = widths.len() as u32 - 1;
            let width = widths.last_mut().expect("a lane");
            fields.push(MessageField {
                ty,
                lane,
                shift: *width,
                mask: ones(bits),
                lo: interval.lo,
            });
            *width += bits;
        }
        let lanes = widths.iter().map(|&w| Lane::new(layout, w, channel.capacity)).collect();
        let (capacity, order) = (u64::from(channel.capacity), channel.order);
        ChannelLayout { capacity, order, len, fields: fields.into(), lanes }
    }

    /// All fields of the state that belong to it.
    pub(crate) fn state_fields(&self) -> impl Iterator<Item = Field> {
        self.lanes.iter().flat_map(|l| l.chunks.iter().copied()).chain([self.len])
    }

    /// A field of the message at a position; 0 for a field that messages do not have.
    #[inline]
    pub(crate) fn value(&self, state: &[u64], at: u64, field: u32) -> i64 {
        let Some(f) = self.fields.get(field as usize) else { return 0 };
        let entry = self.lanes[f.lane as usize].get(state, at as u32);
        f.lo.wrapping_add(((entry >> f.shift) & f.mask) as i64)
    }

    /// A field of the first message, if there is a message: the part of a state that holds it, or the value that it
    /// always has. That is 0 for a field that messages do not have.
    pub(crate) fn first(&self, field: u32) -> Result<Field, i64> {
        let f = self.fields.get(field as usize).ok_or(0)?;
        match f.mask {
            0 => Err(f.lo),
            mask => {
                let chunk = self.lanes[f.lane as usize].chunks[0];
                Ok(chunk.part(f.shift, mask.count_ones(), f.lo))
            }
        }
    }

    /// Puts a message behind the last one, field by field. A value is asked for with the state before.
    #[inline]
    pub(crate) fn append(
        &self,
        state: &mut [u64],
        mut value: impl FnMut(&[u64], usize, Type) -> i64,
    ) {
        let len = self.len.bits(state);
        let (mut lane, mut entry) = (0, 0);
        for (i, f) in self.fields.iter().enumerate() {
            if f.lane != lane {
                self.lanes[lane as usize].set(state, len as u32, entry);
                (lane, entry) = (f.lane, 0);
            }
            // After a fault the value may be anything; the mask keeps it inside.
            entry |= ((value(state, i, f.ty).wrapping_sub(f.lo) as u64) & f.mask) << f.shift;
        }
        self.lanes[lane as usize].set(state, len as u32, entry);
        self.len.set_bits(state, len + 1);
    }

    /// Moves the last message before the first one that is greater than it was when it was given.
    pub(crate) fn sort_last(&self, state: &mut [u64], given: &[i64]) {
        let last = self.len.bits(state) - 1;
        let greater = |at: &u64| self.compare(state, *at, given) == Ordering::Greater;
        let Some(place) = (0..last).find(greater) else { return };
        for lane in &self.lanes {
            let new = lane.get(state, last as u32);
            for at in (place..last).rev() {
                lane.set(state, at as u32 + 1, lane.get(state, at as u32));
            }
            lane.set(state, place as u32, new);
        }
    }

    fn compare(&self, state: &[u64], at: u64, given: &[i64]) -> Ordering {
        let held = (0..self.fields.len() as u32).map(|f| self.value(state, at, f));
        held.cmp(given.iter().copied())
    }

    /// Takes out the message at a position.
    #[inline]
    pub(crate) fn remove(&self, state: &mut [u64], at: u64) {
        let last = self.len.bits(state) - 1;
        for lane in &self.lanes {
            if at == 0 {
                lane.pop(state);
            } else {
                lane.remove(state, at as u32, last as u32);
            }
        }
        self.len.set_bits(state, last);
    }
}

impl Lane {
    fn new(layout: &mut LayoutBuilder, width: u32, capacity: u32) -> Lane {
        let per_chunk = 64_u32.checked_div(width).unwrap_or(u32::MAX);
        let mut left = if width == 0 { 0 } else { capacity };
        let mut chunks = Vec::new();
        while left > 0 {
            let entries = left.min(per_chunk);
            chunks.push(layout.add_bits(entries * width));
            left -= entries;
        }
        Lane { width, mask: ones(width), per_chunk, chunks: chunks.into() }
    }

    /// The chunk of an entry and by how much the entry is shifted in it.
    #[inline]
    fn place(&self, index: u32) -> (Field, u32) {
        if let [only] = &*self.chunks {
            return (*only, index * self.width);
        }
        (self.chunks[(index / self.per_chunk) as usize], index % self.per_chunk * self.width)
    }

    #[inline]
    fn get(&self, state: &[u64], index: u32) -> u64 {
        if self.width == 0 {
            return 0;
        }
        let (chunk, shift) = self.place(index);
        (chunk.bits(state) >> shift) & self.mask
    }

    #[inline]
    fn set(&self, state: &mut [u64], index: u32, entry: u64) {
        if self.width == 0 {
            return;
        }
        let (chunk, shift) = self.place(index);
        let others = chunk.bits(state) & !(self.mask << shift);
        chunk.set_bits(state, others | (entry << shift));
    }

    #[inline]
    fn pop(&self, state: &mut [u64]) {
        for (i, chunk) in self.chunks.iter().enumerate() {
            let rest = chunk.bits(state).checked_shr(self.width).unwrap_or(0);
            let carry = self.chunks.get(i + 1).map_or(0, |next| {
                (next.bits(state) & self.mask) << ((self.per_chunk - 1) * self.width)
            });
            chunk.set_bits(state, rest | carry);
        }
    }

    fn remove(&self, state: &mut [u64], at: u32, last: u32) {
        for index in at..last {
            self.set(state, index, self.get(state, index + 1));
        }
        self.set(state, last, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use taut_ir::{ChannelOp, Expr, PointId, Span, Step};

    /// A program with one channel, whose messages have values of these sizes.
    fn program(capacity: u32, bits: &[u32]) -> Program {
        let ty = |&b: &u32| Type::range(-1, if b >= 63 { i64::MAX } else { (1 << b) - 1 });
        let fields: Vec<Type> = bits.iter().map(ty).collect();
        let send = |value: &dyn Fn(&Type) -> i64| ChannelOp::Send {
            channel: 1.into(),
            message: fields.iter().map(|ty| Expr::Const(value(ty))).collect(),
            sorted: false,
        };
        let at = PointId(0);
        let step = |op| Step { channel: Some(op), ..Step::skip(at, at, Span::NONE) };
        let mut b = taut_ir::build::ProgramBuilder::new("channel");
        let mut p = b.process("p");
        p.edge(step(send(&|ty| ty.lo))).edge(step(send(&|ty| ty.hi)));
        p.finish();
        let mut program = b.build().expect("a program");
        let span = Span::NONE;
        let order = EffectOrder::default();
        program.channels.push(Channel { name: "c".into(), capacity, fields, order, span });
        program
    }

    proptest! {
        #[test]
        fn behaves_like_a_list_of_messages(
            capacity in 1_u32..20,
            bits in prop::collection::vec(0_u32..64, 1..4),
            ops in prop::collection::vec((0_u8..4, any::<u64>()), 0..60),
        ) {
            let program = program(capacity, &bits);
            let mut layout = LayoutBuilder::new();
            layout.add_bits(13);
            let channel = &lay_out(&program, &Ranges::of(&program), &mut layout)[0];
            let mut state = vec![0; layout.finish().words];
            let mut model: Vec<Vec<i64>> = Vec::new();
            for (op, pick) in ops {
                if op == 0 && !model.is_empty() {
                    let at = pick % model.len() as u64;
                    model.remove(at as usize);
                    channel.remove(&mut state, at);
                } else if op == 1 && !model.is_empty() {
                    model.remove(0);
                    channel.remove(&mut state, 0);
                } else if model.len() < capacity as usize {
                    let value = |i: usize, ty: Type| {
                        let size = ty.hi.wrapping_sub(ty.lo) as u64;
                        ty.lo.wrapping_add((pick.rotate_left(i as u32) % size.max(1)) as i64)
                    };
                    let fields = program.channels[0].fields.iter().enumerate();
                    let message: Vec<i64> = fields.map(|(i, &ty)| value(i, ty)).collect();
                    channel.append(&mut state, |_, i, ty| value(i, ty));
                    let place = model.iter().position(|m| op == 3 && *m > message);
                    if op == 3 {
                        channel.sort_last(&mut state, &message);
                    }
                    model.insert(place.unwrap_or(model.len()), message);
                }
                prop_assert_eq!(channel.len.bits(&state), model.len() as u64);
                for (at, message) in model.iter().enumerate() {
                    for (i, &value) in message.iter().enumerate() {
                        prop_assert_eq!(channel.value(&state, at as u64, i as u32), value);
                    }
                }
            }
            for _ in 0..model.len() {
                channel.remove(&mut state, 0);
            }
            prop_assert!(state.iter().all(|&w| w == 0), "an empty channel is zero bits");
        }
    }
}
