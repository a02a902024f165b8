//! Which features of Promela a model uses.

use super::rng::Random;

/// A feature that a model may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    /// Buffered channels.
    Buffered,
    /// Channels without room: rendezvous.
    Rendezvous,
    /// Channels of a process's own, channels as parameters and as messages.
    ChannelValues,
    /// `?<`, `??`, `!!`, `eval`, polls.
    RichReceive,
    /// `len`, `full`, …
    ChannelQueries,
    /// `init`, `run`.
    Run,
    /// `atomic`
    Atomic,
    /// `d_step`
    DStep,
    /// `unless`
    Unless,
    /// `goto`
    Goto,
    /// `do`
    Do,
    /// `for` and `select`
    For,
    /// `timeout`
    Timeout,
    /// `else`
    Else,
    /// Arrays and structures.
    Compound,
    /// Types wider than a byte and values that wrap around.
    Wide,
    /// Local variables.
    Locals,
    /// `P[i]@label`, `P[i]:x`
    Remote,
    /// `provided`
    Provided,
    /// `inline`
    Inline,
    /// `_pid`, `_nr_pr`
    Predefined,
    /// `assert`
    Assert,
    /// `mtype`
    Mtype,
    /// Conditional expressions and deep arithmetic.
    RichExpressions,
    /// `end`, `progress`, `accept`
    Labels,
    /// Messages with structures, loops over the messages of a channel.
    Messages,
    /// Rare words: `_last`, `xr`, `xs`, `printm`, `pid`, named `mtype`s, lists of initial values.
    Rare,
}

/// All features, each with how often a model has it, in a hundred.
const ALL: &[(Feature, usize)] = &[
    (Feature::Buffered, 40),
    (Feature::Rendezvous, 35),
    (Feature::ChannelValues, 30),
    (Feature::RichReceive, 50),
    (Feature::ChannelQueries, 35),
    (Feature::Run, 45),
    (Feature::Atomic, 50),
    (Feature::DStep, 30),
    (Feature::Unless, 25),
    (Feature::Goto, 35),
    (Feature::Do, 55),
    (Feature::For, 25),
    (Feature::Timeout, 25),
    (Feature::Else, 60),
    (Feature::Compound, 35),
    (Feature::Wide, 35),
    (Feature::Locals, 60),
    (Feature::Remote, 30),
    (Feature::Provided, 12),
    (Feature::Inline, 20),
    (Feature::Predefined, 30),
    (Feature::Assert, 60),
    (Feature::Mtype, 35),
    (Feature::RichExpressions, 35),
    (Feature::Labels, 50),
    (Feature::Messages, 20),
    (Feature::Rare, 30),
];

/// The features of one model.
#[derive(Clone, Debug)]
pub(super) struct Features {
    drawn: Vec<Feature>,
    /// Whether its infinite runs are asked about: then most processes go round in loops, and none asks how many
    /// processes there are, because SPIN counts a claim as one.
    pub(super) runs: bool,
}

impl Features {
    /// Draws the features of a model.
    pub(super) fn draw(random: &mut Random) -> Features {
        let drawn = ALL.iter().filter(|(_, percent)| random.chance(*percent));
        Features { drawn: drawn.map(|(feature, _)| *feature).collect(), runs: false }
    }

    /// Draws the features of a model whose runs are asked about.
    pub(super) fn draw_for_runs(random: &mut Random) -> Features {
        let mut drawn = Features::draw(random).drawn;
        let set = [Feature::Predefined, Feature::Assert, Feature::Do, Feature::Labels];
        drawn.retain(|feature| !set.contains(feature));
        drawn.extend([Feature::Do, Feature::Labels]);
        // SPIN forgets an escape that was taken when it takes back the send of another that nobody receives.
        let rendezvous = [Feature::Rendezvous, Feature::ChannelValues, Feature::Messages];
        if drawn.iter().any(|feature| rendezvous.contains(feature)) {
            drawn.retain(|feature| *feature != Feature::Unless);
        }
        Features { drawn, runs: true }
    }

    /// Whether the model has this feature.
    pub(super) fn has(&self, feature: Feature) -> bool {
        self.drawn.contains(&feature)
    }

    /// So much weight if the model has this feature, else none.
    pub(super) fn weight(&self, feature: Feature, weight: usize) -> usize {
        if self.has(feature) { weight } else { 0 }
    }
}
