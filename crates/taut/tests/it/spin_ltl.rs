//! Random formulas about random Promela models in Taut and in SPIN: the same verdicts under SC, with weak fairness
//! and without. The same for models with priorities of processes.
//!
//! SPIN runs for real, without its reductions (`pan -a` and `pan -a -f`); `make test` installs it, and without
//! it this test fails. The formula is an `ltl` of the model in SPIN; Taut reads it there and from outside. Every
//! fourth formula, which may then have `X`, comes as the never claim that Taut writes for its negation. A model
//! that SPIN refuses or does not finish is thrown away and counted. What the two differ on is made small
//! before it is printed. `TAUT_SEED=n` runs one seed, `TAUT_SOAK=n` as many times more of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use taut::ir::MemoryFairness;
use taut::load::{LoadOptions, Loaded, from_bytes, from_text};
use taut::{Check, Emptiness, ExtraProperty, Fairness, Verdict};
use taut_ltl::Automaton;
use taut_testkit::promela::{
    ENDLESS, Formula, Model, generate_with_formula, generate_with_formula_and_priorities,
};
use taut_testkit::seeds::{Difference as Differs, Seeds};
use taut_testkit::spin::{PLAIN, Verifier};

/// Seeds in an ordinary run: where SPIN's verifiers compile fast, and where each of them takes half a second.
const SEEDS: (u64, u64) = (600, 120);
/// The same for models with priorities.
const SEEDS_WITH_PRIORITIES: (u64, u64) = (240, 60);
/// Verdicts of each kind that must have been compared in an ordinary run, in a hundred of the seeds.
const AT_LEAST: usize = 20;

/// Which runs count: all, or those that are fair to processes.
const FAIR: [Fairness; 2] = [
    Fairness { process: false, memory: MemoryFairness::None },
    Fairness { process: true, memory: MemoryFairness::None },
];

/// Whether the formula is violated by some run, and by a fair one.
type Violated = [bool; 2];

/// A formula about a model, or the never claim for its negation.
#[derive(Clone)]
struct Question {
    model: Model,
    formula: Formula,
    never: bool,
}

/// Whether the formula of a seed comes as a never claim.
fn is_never(seed: u64) -> bool {
    seed % 4 == 3
}

/// Makes a model and a formula from a seed; whether the formula may have `X`.
type Generate = fn(u64, bool) -> (Model, Formula);

impl Question {
    fn new(seed: u64, generate: Generate) -> Question {
        let never = is_never(seed);
        let (model, formula) = generate(seed, never);
        Question { model, formula, never }
    }

    /// The model with the formula in it.
    fn text(&self) -> String {
        let claim = match self.never {
            true => claim(&self.formula.quoted()),
            false => format!("ltl p {{ {} }}\n", self.formula.text()),
        };
        self.model.text() + &claim
    }

    /// A smaller question that still fails.
    fn reduce(&self, fails: impl Fn(&Question) -> bool) -> Question {
        let with_formula =
            |formula: &Formula| Question { formula: formula.clone(), ..self.clone() };
        let formula = self.formula.reduce(|f| fails(&with_formula(f)));
        let with_model =
            |model: &Model| Question { model: model.clone(), ..with_formula(&formula) };
        with_model(&self.model.reduce(|m| fails(&with_model(m))))
    }
}

/// The never claim that the runs match which do not satisfy a formula.
fn claim(formula: &str) -> String {
    let parsed = taut_ltl::parse(formula).expect("a formula");
    let automaton = Automaton::of(&taut_ltl::Formula::not(parsed.formula), parsed.atoms.len());
    taut_ltl::never::write(&automaton.expect("not too large"), &parsed.atoms, "")
}

/// What SPIN says; none if it refuses the model or does not finish.
fn by_spin(text: &str) -> Option<Violated> {
    let verifier = Verifier::quick(text, PLAIN, &["-DNOREDUCE", "-DMEMLIM=40"]).ok()?;
    // The models have no assertions and end states do not count, so that all errors are runs that match the
    // claim. Not `-A`: SPIN's claim for a formula such as `[] p` is an assertion.
    let usual = ["-E", "-n", "-m20000", "-w14", "-Q1", "-a"];
    let fair: Vec<_> = usual.into_iter().chain(["-f"]).collect();
    let violated = |args: &[&str]| {
        let figures = verifier.run(args).ok()?;
        (figures.errors > 0 || figures.complete).then_some(figures.errors > 0)
    };
    Some([violated(&usual)?, violated(&fair)?])
}

/// What Taut says, or why it says nothing.
fn by_taut(question: &Question) -> Result<Violated, String> {
    let run = AssertUnwindSafe(|| -> Result<Violated, String> {
        let inside =
            from_text("model.pml", &question.text()).map_err(|e| format!("refused: {e}"))?;
        let by_components = verdicts(&inside, Emptiness::Components)?;
        let outside = match question.never {
            true => inside,
            false => from_outside(question)?,
        };
        let by_nested = verdicts(&outside, Emptiness::Nested)?;
        match by_components == by_nested {
            true => Ok(by_components),
            false => Err(format!("not of one mind: {by_components:?}, {by_nested:?}")),
        }
    });
    catch_unwind(run).unwrap_or_else(|_| Err("a panic".into()))
}

/// The model with the formula asked from outside of it.
fn from_outside(question: &Question) -> Result<Loaded, String> {
    let asked = vec![ExtraProperty::Ltl(question.formula.text())];
    let options = LoadOptions { asked, ..LoadOptions::default() };
    let loaded = from_bytes("model.pml", question.model.text().into_bytes(), options);
    loaded.map_err(|e| format!("refused from outside: {e}"))
}

fn verdicts(loaded: &Loaded, emptiness: Emptiness) -> Result<Violated, String> {
    let mut violated = [false; 2];
    for (violated, fairness) in violated.iter_mut().zip(FAIR) {
        let check = Check::of(loaded).fairness(fairness).emptiness(emptiness).all(true);
        let report = check.max_states(Some(2_000_000)).run();
        let report = report.map_err(|e| format!("engine fault: {e}"))?;
        if report.violations().any(|(result, _)| result.kind == taut::QuestionKind::Fault) {
            return Err(FAULT.into());
        }
        let mut temporal_properties =
            report.results.iter().filter(|r| ["ltl", "never"].contains(&r.kind.word()));
        *violated = match &temporal_properties.next().ok_or("no answer")?.verdict {
            Verdict::Violated(_) => true,
            Verdict::Holds(coverage) if coverage.is_everything() => false,
            other => return Err(format!("no answer: {}", other.coverage())),
        };
    }
    Ok(violated)
}

/// Why nothing is said of a model in which a step can go wrong: SPIN counts that as an error, too.
const FAULT: &str = "a fault";

/// How the two differ, in a few words that stay the same while a question is made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Difference {
    Nothing(String),
    Violated(Violated, Violated),
}

/// What Taut says, and how that differs from what SPIN says.
fn difference(question: &Question, spin: Violated) -> (Option<Violated>, Option<Difference>) {
    match by_taut(question) {
        Err(why) if why == FAULT => (None, None),
        Err(why) => (None, Some(Difference::Nothing(why.chars().take(40).collect()))),
        Ok(taut) => {
            let same = taut == spin || is_overlooked(question, spin, taut);
            (Some(taut), (!same).then_some(Difference::Violated(spin, taut)))
        }
    }
}

/// Whether SPIN may have overlooked a fair run, as it does in some of [`WHERE_SPIN_ERRS`]: only where runs can end
/// or a process can be held back by `provided` or by priorities. The run that Taut found then was still judged by its replayer.
fn is_overlooked(question: &Question, spin: Violated, taut: Violated) -> bool {
    let text = question.text();
    let stopped = text.contains(" provided (") || text.contains("priority");
    let unsure = !text.contains(ENDLESS) || stopped;
    unsure && spin == [true, false] && taut == [true, true]
}

/// The verdicts that both gave, which are the same; none where there is nothing to compare.
type Compared = [Option<bool>; 2];

/// Compares on the question of a seed.
fn compare(seed: u64, generate: Generate) -> Result<Compared, Differs> {
    let question = Question::new(seed, generate);
    let Some(spin) = by_spin(&question.text()) else { return Ok([None; 2]) };
    let (taut, found) = difference(&question, spin);
    let Some(found) = found else {
        let same = |i: usize| taut.map(|taut| taut[i]).filter(|taut| *taut == spin[i]);
        return Ok([same(0), same(1)]);
    };
    let differs = |candidate: &Question| {
        let spin = by_spin(&candidate.text());
        spin.is_some_and(|spin| difference(candidate, spin).1.as_ref() == Some(&found))
    };
    let small = question.reduce(differs);
    let (model, formula) = (small.text(), small.formula.text());
    let (spin, taut) = (by_spin(&model), by_taut(&small));
    Err(Differs { seed, model, said: format!("{formula}\nSPIN: {spin:?}\nTaut: {taut:?}") })
}

/// How often verdicts were compared.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Among all and among fair runs: how often it holds, and how often it is violated.
    verdicts: [[usize; 2]; 2],
    /// How often some run violates it and no fair one does.
    fairness_matters: usize,
}

impl Tally {
    fn count(&mut self, compared: Compared) {
        for (of, violated) in self.verdicts.iter_mut().zip(compared) {
            if let Some(violated) = violated {
                of[usize::from(violated)] += 1;
            }
        }
        self.fairness_matters += usize::from(compared == [Some(true), Some(false)]);
    }

    fn compared(&self) -> usize {
        self.verdicts[0].iter().sum()
    }
}

/// Compares on the questions of all seeds: how often verdicts were compared, of formulas and of never claims, and
/// the number of seeds.
fn compare_all(count: (u64, u64), generate: Generate) -> ([Tally; 2], usize) {
    let seeds = Seeds::of_verifiers(count);
    let tallies = Mutex::new([Tally::default(); 2]);
    seeds.compare(|seed| {
        let compared = compare(seed, generate)?;
        let never = usize::from(is_never(seed));
        tallies.lock().expect("no panic")[never].count(compared);
        Ok(())
    });
    let (tallies, all) = (tallies.into_inner().expect("no panic"), seeds.count());
    println!("of {all} seeds, as formulas {:?} and as claims {:?}", tallies[0], tallies[1]);
    (tallies, all)
}

#[test]
fn random_formulas_about_random_models_have_the_same_verdicts_in_spin() {
    let (tallies, all) = compare_all(SEEDS, generate_with_formula);
    if all > 1 {
        check_tallies(&tallies, all);
    }
}

#[test]
fn random_formulas_about_models_with_priorities_have_the_same_verdicts_in_spin() {
    let generate = generate_with_formula_and_priorities;
    let (tallies, all) = compare_all(SEEDS_WITH_PRIORITIES, generate);
    if all > 1 {
        check_tallies(&tallies, all);
    }
}

fn check_tallies(tallies: &[Tally; 2], all: usize) {
    let compared: usize = tallies.iter().map(Tally::compared).sum();
    assert!(compared * 5 >= all * 4, "more than a fifth thrown away: {compared} of {all}");
    for (tally, of) in tallies.iter().zip([all * 3 / 4, all / 4]) {
        let fewest = tally.verdicts.as_flattened().iter().min().copied().unwrap_or(0);
        assert!(fewest * 100 >= of * AT_LEAST, "a verdict is too rare: {tally:?}");
        assert!(tally.fairness_matters * 100 >= of, "fairness matters too rarely: {tally:?}");
    }
}

/// Models on which the two differ and SPIN is wrong, with what each of them says.
const WHERE_SPIN_ERRS: &[(&str, &str, Violated, Violated)] = &[
    (
        "a run that ends is fair, but `-f` does not count what a claim accepts in its last state",
        "byte x;
         active proctype P() { x == 2 }
         ltl p { <> [] (x == 1) }",
        [true, false],
        [true, true],
    ),
    (
        "and then overlooks runs that do not end, too",
        "bool x;
         active proctype P() { false }
         active proctype Q() { do :: x = 1 :: true -> break od }
         never { T0: do :: true -> goto accept_S1 od; accept_S1: do :: true -> goto T0 od }",
        [true, false],
        [true, true],
    ),
    (
        "`-f` does not look at all processes again after one that its `provided` holds back",
        "byte x;
         active proctype P() provided (x != 1) { do :: x = (x + 1) % 3 od }
         active [2] proctype Q() provided (x != 2) { do :: skip; skip od }
         ltl p { <> [] (x == 0) }",
        [true, false],
        [true, true],
    ),
    (
        "what a process accepts is taken for what the claim accepts",
        "byte x;
         active [2] proctype P() { do :: x = 1; accept: x = 0 od }
         ltl p { [] <> (P[0]@accept) }",
        [true, true],
        [true, false],
    ),
];

#[test]
fn where_spin_errs_taut_does_not() {
    for &(about, text, by, own) in WHERE_SPIN_ERRS {
        assert_eq!(by_spin(text), Some(by), "SPIN: {about}");
        let loaded = from_text("model.pml", text).expect("a model");
        for emptiness in [Emptiness::Components, Emptiness::Nested] {
            assert_eq!(verdicts(&loaded, emptiness), Ok(own), "{about}");
        }
    }
}

/// Models with priorities on which SPIN and Taut agree, with whether some run and some fair run violates the formula.
const PRIORITIES: &[(&str, &str, Violated)] = &[
    (
        "a process that priorities stop need not move in a fair run",
        "byte x;
         active proctype A() priority 2 { byte a; do :: x = 1 :: x = 2 od }
         active proctype B() { byte b; do :: x = 3 od }
         ltl p { <> (x == 3) }",
        [true, true],
    ),
    (
        "a process that is let go again and again and then stopped need not move either",
        "byte x;
         active proctype A() priority 2 { byte a; do :: x == 0 -> x = 1 od }
         active proctype B() { byte b; do :: x == 1 -> x = 0 od }
         ltl p { [] <> (x == 1) }",
        [false, false],
    ),
    (
        "among processes of the highest priority weak fairness is as usual",
        "byte x;
         active proctype A() priority 2 { byte a; do :: x = 1 :: x = 2 od }
         active proctype B() priority 2 { byte b; x = 3; b = 1 }
         ltl p { <> (x == 3) }",
        [true, false],
    ),
    (
        "`enabled` ignores priorities",
        "byte x;
         active proctype A() priority 3 { byte a; x = 1; x = 2 }
         active proctype B() { byte b; b = 2 }
         never { do :: x == 1 && enabled(1) -> break :: else od }",
        [true, true],
    ),
    (
        "`enabled` of a process that waits",
        "byte x;
         active proctype A() priority 3 { byte a; x = 1; x = 2 }
         active proctype B() { byte b; x == 2 -> b = 2 }
         never { do :: x == 1 && enabled(1) -> break :: else od }",
        [false, false],
    ),
];

#[test]
fn models_with_priorities_have_the_same_verdicts_in_spin() {
    for &(about, text, expected) in PRIORITIES {
        assert_eq!(by_spin(text), Some(expected), "SPIN: {about}");
        let loaded = from_text("model.pml", text).expect("a model");
        for emptiness in [Emptiness::Components, Emptiness::Nested] {
            assert_eq!(verdicts(&loaded, emptiness), Ok(expected), "{about}");
        }
    }
}
