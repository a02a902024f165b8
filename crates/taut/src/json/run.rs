//! What was seen on the real processor, beside what the models allow.

use serde::Serialize;

/// A run on the real processor, as the schema `run` describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunDocument {
    /// The file of the program, as it was named.
    pub file: String,
    /// The architecture of the processor.
    pub processor: String,
    /// What the compiler says about its version.
    pub compiler: String,
    /// Processors that threads were spread over.
    pub processors: u64,
    /// Most threads of a round.
    pub threads: u64,
    /// The time for rounds, in seconds.
    pub seconds: f64,
    /// Rounds that were begun.
    pub rounds: u64,
    /// Rounds that came to their end.
    pub finished: u64,
    /// Rounds that were ended because they took too long.
    pub cut: u64,
    /// Rounds that ended at an assumption that was false.
    pub assumed: u64,
    /// The memory models, in the order of all lists of answers.
    pub models: Vec<&'static str>,
    /// The names of what is watched in final states.
    pub watched: Vec<String>,
    /// Final states that were seen or that a model allows, those seen most often first.
    pub states: Vec<FinalStateDocument>,
    /// Rounds whose final state is not listed, because there are too many.
    pub others: u64,
    /// The condition of a litmus test.
    pub condition: Option<SeenConditionDocument>,
    /// The properties, and what else went wrong.
    pub properties: Vec<SeenPropertyDocument>,
    /// What was seen though TSO forbids it, on a processor that has TSO: a sentence each.
    pub contradictions: Vec<String>,
    /// What else is to be known: a sentence each.
    pub notes: Vec<String>,
}

/// A final state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinalStateDocument {
    /// The values of what is watched.
    pub values: Vec<i64>,
    /// The number of rounds that ended in it.
    pub seen: u64,
    /// Whether each model allows it; none where a limit was met.
    pub allowed: Vec<Option<bool>>,
}

/// The condition of a litmus test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenConditionDocument {
    /// The condition with its quantifier.
    pub text: String,
    /// The number of rounds whose final state satisfies it, without its quantifier.
    pub seen: u64,
    /// Whether each model has a final state that satisfies it; none where a limit was met.
    pub allowed: Vec<Option<bool>>,
}

/// A property, or something else that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenPropertyDocument {
    /// Its name.
    pub name: String,
    /// The kind of question that it is; `other` for what no model was asked about.
    pub kind: &'static str,
    /// The line in the source, if it is known.
    pub line: Option<u32>,
    /// The number of rounds that violated it.
    pub seen: u64,
    /// The verdict under each model: `holds`, `violated`, `unknown`; `not asked` if there is none.
    pub verdicts: Vec<&'static str>,
}

impl RunDocument {
    /// Whether something was seen that must not be.
    pub fn is_violated(&self) -> bool {
        !self.contradictions.is_empty() || self.properties.iter().any(|p| p.seen > 0)
    }

    /// Whether a limit left an answer of a model open.
    pub fn is_open(&self) -> bool {
        let states = self.states.iter().any(|s| s.allowed.contains(&None));
        states || self.properties.iter().any(|p| p.verdicts.contains(&"unknown"))
    }
}
