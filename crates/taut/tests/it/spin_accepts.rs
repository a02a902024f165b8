//! What SPIN refuses, Taut refuses: random models with odd constructs, read by both.
//!
//! SPIN runs for real; it generates a verifier or says why not. A model on which the two differ is made small
//! before it is printed. `TAUT_SEED=n` runs one seed, `TAUT_SOAK=n` as many times more of them.

use taut::load::from_text;
use taut_testkit::promela::{Model, generate_odd};
use taut_testkit::seeds::{Difference, Seeds};
use taut_testkit::spin;
use taut_testkit::tally::Tally;

/// What Taut refuses and SPIN does not, as the book says: `else` that does not begin an option, `run` inside of
/// a larger expression, what Taut does not do at all, a label that stands twice in different blocks, and one
/// variable in two fields of a receive in a `d_step`.
const NAMED: [&str; 5] = ["P0302", "P0214", "P0400", "P0106", "P0217"];
/// Seeds in an ordinary run.
const SEEDS: u64 = 400;

/// What the two say against a model.
struct Said {
    spin: Option<String>,
    taut: Option<String>,
}

impl Said {
    fn about(model: &Model) -> Said {
        let text = model.text();
        Said {
            spin: spin::refusal(&text).expect("SPIN runs"),
            taut: from_text("model.pml", &text).err().map(|error| error.to_string()),
        }
    }

    /// Whether only one of them refuses the model, without a reason that has a name.
    fn differs(&self) -> bool {
        let named = |said: &String| NAMED.iter().any(|code| said.contains(code));
        self.spin.is_some() != self.taut.is_some() && !self.taut.as_ref().is_some_and(named)
    }
}

/// The model of a seed made small, with what is said about it.
fn made_small(seed: u64, model: &Model) -> Difference {
    let by_spin = Said::about(model).spin.is_some();
    let small = model.reduce(|candidate| {
        let said = Said::about(candidate);
        said.differs() && said.spin.is_some() == by_spin
    });
    let Said { spin, taut } = Said::about(&small);
    let said = format!("SPIN: {spin:?}\nTaut: {taut:?}");
    Difference { seed, model: small.text(), said }
}

#[test]
fn what_spin_refuses_is_refused() {
    let (seeds, tally) = (Seeds::new(SEEDS), Tally::new());
    seeds.compare(|seed| {
        let model = generate_odd(seed);
        let said = Said::about(&model);
        if said.differs() {
            return Err(made_small(seed, &model));
        }
        let named = said.taut.is_some() && said.spin.is_none();
        tally.count(if said.spin.is_some() { "refused" } else { "accepted" });
        tally.add("refused by Taut alone, as the book says", u64::from(named));
        Ok(())
    });
    println!("of {} models: {tally}", seeds.count());
    if !seeds.is_one() {
        tally.at_least("accepted", 101).at_least("refused", 101);
    }
}
