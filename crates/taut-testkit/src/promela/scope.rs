//! What a place in a model can name.

use super::rng::Random;

/// A type of Promela.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned` of so many bits
    Unsigned(u8),
    /// `mtype`
    Mtype,
}

impl Kind {
    /// The declaration of a name with this type.
    pub(super) fn declare(self, name: &str) -> String {
        match self {
            Kind::Unsigned(bits) => format!("unsigned {name} : {bits}"),
            other => format!("{} {name}", other.word()),
        }
    }

    /// The keyword.
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Bit => "bit",
            Kind::Bool => "bool",
            Kind::Byte => "byte",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Unsigned(_) => "unsigned",
            Kind::Mtype => "mtype",
        }
    }

    /// Whether every value of another type fits. SPIN takes back a receive by putting the value of the
    /// variable into the channel again, so a variable that cut off a part of it corrupts its search.
    pub(super) fn holds(self, other: Kind) -> bool {
        let bits = |kind| match kind {
            Kind::Bit | Kind::Bool => 1,
            Kind::Unsigned(bits) => bits,
            Kind::Byte | Kind::Mtype => 8,
            Kind::Short => 16,
            Kind::Int => 32,
        };
        (self == Kind::Mtype) == (other == Kind::Mtype) && bits(self) >= bits(other)
    }

    /// A type that is no `mtype`.
    pub(super) fn draw(random: &mut Random, wide: bool) -> Kind {
        let wide = if wide { 2 } else { 0 };
        random.weighted(&[
            (2, Kind::Bit),
            (2, Kind::Bool),
            (5, Kind::Byte),
            (wide, Kind::Short),
            (wide, Kind::Int),
            (wide, Kind::Unsigned(2)),
            (wide, Kind::Unsigned(3)),
        ])
    }
}

/// A variable, or an element or field of one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// How it is written.
    pub(super) text: String,
    /// Its type.
    pub(super) kind: Kind,
}

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// How it is written.
    pub(super) text: String,
    /// How many messages it holds.
    pub(super) capacity: usize,
    /// The types of its fields; none for one that carries channels.
    pub(super) fields: Vec<Kind>,
}

/// The message of the channels that are passed around.
pub(super) const CARRIED: &[Kind] = &[Kind::Byte];

/// A process that can be looked into: with a lower pid than who looks, so that it lives.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    /// How it is written, as `P[0]`.
    pub(super) text: String,
    /// Its labels.
    pub(super) labels: Vec<String>,
    /// Its local variables.
    pub(super) locals: Vec<Place>,
}

/// What a place in a model can name.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Variables, also elements and fields.
    pub(super) places: Vec<Place>,
    /// Channels.
    pub(super) channels: Vec<Channel>,
    /// Variables that hold channels of [`Scope::carried_capacity`] and with messages like [`CARRIED`].
    pub(super) holders: Vec<String>,
    /// The capacity of the channels that are passed around.
    pub(super) carried_capacity: usize,
    /// Processes that can be looked into.
    pub(super) watched: Vec<Watched>,
    /// The capacity of the channel `cm` of structures like `m`, if there is one.
    pub(super) messages: Option<usize>,
    /// Whether there is a variable `shape` of an `mtype` of its own.
    pub(super) shapes: bool,
    /// Inline procedures, each with the number of its parameters.
    pub(super) inlines: Vec<(String, usize)>,
}

/// The names of the `mtype`.
pub(super) const MTYPES: &[&str] = &["red", "green", "blue"];

impl Scope {
    /// The variables of type `mtype`, or those of any other.
    pub(super) fn of_mtype(&self, mtype: bool) -> Vec<&Place> {
        self.places.iter().filter(|p| (p.kind == Kind::Mtype) == mtype).collect()
    }

    /// Channels that fit in a variable that holds channels.
    pub(super) fn carried(&self) -> Vec<String> {
        let shaped =
            |c: &&Channel| c.capacity == self.carried_capacity && c.fields.as_slice() == CARRIED;
        let own = self.channels.iter().filter(shaped).map(|c| c.text.clone());
        own.chain(self.holders.iter().cloned()).collect()
    }
}
