//! A repair: the places of its set, what they cost, and whether nothing cheaper is enough.
//!
//! | file | idea |
//! | --- | --- |
//! | `places.rs` | the places of a text, and the programs that sets of them make |
//! | `cheapest.rs` | runs that show that no cheaper set is enough |

mod cheapest;
mod places;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use taut_ir::Program;
use taut_proof::{Claim, Repair, sha256};

use crate::Refusal;
use cheapest::set_of;
pub use cheapest::{cheaper, is_within};
pub use places::{Place, Places};

/// The most that a place may cost.
const MOST: u64 = 1_000_000;

/// A repair that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The SHA-256 of the text as it was and as it is.
    pub sha256: (String, String),
    /// The places, each in words.
    pub places: Vec<String>,
    /// What they cost together.
    pub cost: u64,
    /// Why no cheaper set is enough, in words; none if that is not claimed.
    pub cheapest: Option<String>,
    /// The costs of all places, in words.
    pub costs: String,
}

impl Fixed {
    /// The text that the claims are about: the one that a repair makes.
    pub(crate) fn text(places: &Places, repair: &Repair, text: &[u8]) -> Result<Vec<u8>, Refusal> {
        places.fixed(&set_of(places, &repair.set)?, text)
    }

    /// Checks a repair, after the claims about the text that it makes.
    pub(crate) fn check(
        places: &Places,
        repair: &Repair,
        claims: &[Claim],
        (text, fixed): (&[u8], &Program),
    ) -> Result<Fixed, Refusal> {
        let has_costs = repair.costs.len() == places.all().len();
        if !has_costs || !repair.costs.iter().all(|cost| (1..=MOST).contains(cost)) {
            return Err(Refusal::proof(format!("a place has no cost from 1 to {MOST}")));
        }
        let set = set_of(places, &repair.set)?;
        let cost = set.iter().map(|&place| repair.costs[place]).sum();
        let runs = repair.runs.as_ref();
        let words = |&place: &usize| {
            let Place { kind, line, words, .. } = &places.all()[place];
            format!("{} at line {line}, {words}, cost {}", kind.word(), repair.costs[place])
        };
        Ok(Fixed {
            sha256: (sha256(repair.original.as_bytes()), sha256(text)),
            places: set.iter().map(words).collect(),
            cost,
            cheapest: runs
                .map(|runs| cheapest::check(places, fixed, runs, (&repair.costs, cost), claims))
                .transpose()?,
            costs: costs(places.all(), &repair.costs),
        })
    }
}

/// The places by what they cost: `3 for a fence at lines 4, 7`.
fn costs(places: &[Place], costs: &[u64]) -> String {
    let mut lines: BTreeMap<(u64, &str), BTreeSet<u32>> = BTreeMap::new();
    for (place, &cost) in places.iter().zip(costs) {
        lines.entry((cost, place.kind.word())).or_default().insert(place.line);
    }
    let words = lines.iter().map(|((cost, kind), lines)| {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        format!("{cost} per {kind} at {}", lines.join(" "))
    });
    words.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "fixed from sha256 {} to sha256 {}:", self.sha256.0, self.sha256.1)?;
        self.places.iter().try_for_each(|place| writeln!(f, "  put in    {place}"))?;
        writeln!(f, "  cost      {}, of places that cost (by lines) {}", self.cost, self.costs)?;
        let cheapest = self.cheapest.as_deref();
        write!(f, "  cheapest  {}", cheapest.unwrap_or("not claimed: a cheaper set may be enough"))
    }
}
