//! What SPIN refuses, Taut refuses: random models with odd constructs, read by both.
//!
//! SPIN runs for real; it generates a verifier or says why not. A model on which the two differ is made small
//! before it is printed. `TAUT_SEED=n` runs one seed, `TAUT_SOAK=n` as many times more of them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use taut::load::from_text;
use taut_testkit::promela::{Model, generate_odd};
use taut_testkit::spin;

/// What Taut refuses and SPIN does not, as the book says: `else` that does not begin an option, `run` inside of
/// a larger expression, what Taut does not do at all, a label that stands twice in different blocks, and one
/// variable in two fields of a receive in a `d_step`.
const NAMED: [&str; 5] = ["P0302", "P0214", "P0400", "P0106", "P0217"];
/// Seeds in an ordinary run.
const SEEDS: u64 = 400;
/// Differences after which there is no need for more: each takes a while to make small.
const ENOUGH: usize = 5;

fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("TAUT_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..SEEDS * number("TAUT_SOAK").unwrap_or(1),
    }
}

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
fn made_small(seed: u64, model: &Model) -> String {
    let by_spin = Said::about(model).spin.is_some();
    let small = model.reduce(|candidate| {
        let said = Said::about(candidate);
        said.differs() && said.spin.is_some() == by_spin
    });
    let Said { spin, taut } = Said::about(&small);
    format!("TAUT_SEED={seed}, made small:\n{}SPIN: {spin:?}\nTaut: {taut:?}\n", small.text())
}

#[test]
fn what_spin_refuses_is_refused() {
    let next = AtomicU64::new(seeds().start);
    let (accepted, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let different = Mutex::new(Vec::new());
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= seeds().end || different.lock().expect("no panic").len() >= ENOUGH {
            return;
        }
        let model = generate_odd(seed);
        let said = Said::about(&model);
        if said.differs() {
            different.lock().expect("no panic").push(made_small(seed, &model));
        }
        let count = if said.spin.is_some() { &refused } else { &accepted };
        count.fetch_add(1, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let different = different.into_inner().expect("no panic");
    assert!(different.is_empty(), "{} models differ:\n\n{}", different.len(), different.join("\n"));
    let (accepted, refused) = (accepted.into_inner(), refused.into_inner());
    println!("SPIN accepts {accepted} models and refuses {refused}, and so does Taut");
    assert!(seeds().count() == 1 || accepted > 100 && refused > 100, "{accepted}, {refused}");
}
