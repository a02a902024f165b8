//! Channels: queues of messages between processes, sequentially consistent under every memory model.
//!
//! The meaning is SPIN's. A channel with capacity `n > 0` holds up to `n` messages in order; one with
//! capacity 0 holds none, and a send on it happens together with a receive of another process: a
//! *rendezvous* ([`crate::Action::Handshake`]). A channel as a value is its number: 0 is no channel, and
//! [`ChanId`] `i` is `i + 1`.

use crate::{ChanId, Expr, Lvalue, Span, Type};

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u32,
    /// The types of the fields of a message; at least one. Sent values are made to fit.
    pub fields: Vec<Type>,
    /// Whose part of a rendezvous comes first; means nothing where messages are held.
    pub order: EffectOrder,
    /// Where it is declared.
    pub span: Span,
}

/// In which order the two parts of a rendezvous happen. The guards of both and the message are computed in
/// the state before in either case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EffectOrder {
    /// The sender's effects; then the receiver's part, its matches included, which sees them. SPIN's order.
    #[default]
    SenderFirst,
    /// The receiver's matches, decided in the state before, the fields it assigns and its effects; then the
    /// sender's effects, which see them. DiVinE's order.
    ReceiverFirst,
}

/// Whether a send waits for the store buffer of its process, in programs made from models that have channels.
/// It makes a difference under TSO and PSO only; front ends mark their sends with [`crate::Step::drains`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Channels {
    /// It waits until the buffer is empty, so that a process that received a message sees what the sender
    /// stored before.
    #[default]
    Drain,
    /// It does not wait: a message may overtake the stores before it.
    Free,
}

/// What a step does with a channel. It is part of whether the step can be taken: a send waits for room, a
/// receive for a message that matches, and both, on a channel of capacity 0, for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ChannelOp {
    /// Puts a message into the channel.
    Send {
        /// Which channel. A value that is no channel is a [`crate::Fault::Channel`].
        channel: Expr,
        /// The message. Fields that are not given are 0, and values beyond the fields are dropped.
        message: Vec<Expr>,
        /// Not at the end, but before the first message that is greater, field by field. As in SPIN, the
        /// values as they are given are compared, before they are made to fit.
        sorted: bool,
    },
    /// Takes a message out of the channel: the first, if it matches.
    Receive {
        /// Which channel. A value that is no channel is a [`crate::Fault::Channel`].
        channel: Expr,
        /// What becomes of each field. Fields that are not given are ignored; fields that the messages of the
        /// channel do not have are 0. All matches are decided before the first field is assigned; then
        /// fields are assigned in order.
        pattern: Vec<Pattern>,
        /// The first message that matches, wherever it is.
        anywhere: bool,
        /// The message stays in the channel. Never on a channel of capacity 0, where such a receive
        /// cannot be taken.
        keep: bool,
    },
}

/// What a receive does with a field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pattern {
    /// The field is assigned, like any store of a plain step.
    Bind(Lvalue),
    /// The field must have this value.
    Match(Expr),
    /// The field is ignored.
    Any,
}

impl ChanId {
    /// The channel as a value.
    pub fn value(self) -> i64 {
        i64::from(self.0) + 1
    }

    /// The channel that a value names, if there are so many.
    pub fn of_value(value: i64, channels: usize) -> Option<ChanId> {
        let index = usize::try_from(value.checked_sub(1)?).ok()?;
        (index < channels).then(|| ChanId::from(index))
    }
}

impl ChannelOp {
    /// Which channel it is about.
    pub fn channel(&self) -> &Expr {
        match self {
            ChannelOp::Send { channel, .. } | ChannelOp::Receive { channel, .. } => channel,
        }
    }

    /// The outermost expressions in it.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut all = vec![self.channel()];
        match self {
            ChannelOp::Send { message, .. } => all.extend(message),
            ChannelOp::Receive { pattern, .. } => {
                all.extend(pattern.iter().filter_map(|p| match p {
                    Pattern::Bind(place) => place.index(),
                    Pattern::Match(expr) => Some(expr),
                    Pattern::Any => None,
                }));
            }
        }
        all
    }

    /// The places that a receive assigns.
    pub fn places(&self) -> impl Iterator<Item = &Lvalue> {
        let pattern = match self {
            ChannelOp::Send { .. } => &[][..],
            ChannelOp::Receive { pattern, .. } => pattern,
        };
        pattern.iter().filter_map(|p| match p {
            Pattern::Bind(place) => Some(place),
            Pattern::Match(_) | Pattern::Any => None,
        })
    }
}
