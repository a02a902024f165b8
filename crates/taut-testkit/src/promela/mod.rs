//! Random Promela programs as text, for comparison with SPIN.
//!
//! [`generate`] makes a model from a seed: always the same from the same seed, small, finite, and nearly
//! always accepted by SPIN. Each model uses only some features of the language, drawn at random, so that
//! features meet in small models and not only all at once. A [`Model`] is a tree of lines, and [`Model::reduce`]
//! takes away whatever a failure does not need.
//!
//! What keeps models finite: a statement that may be repeated assigns only constants, copies, and values
//! modulo 3. What keeps SPIN's searches finite: no way leads back inside of `atomic`, where SPIN stores no
//! states; loops there count.

mod channel;
mod control;
mod declare;
mod expression;
mod features;
mod formula;
mod message;
mod odd;
mod priorities;
mod process;
mod rng;
mod scope;
mod statement;
mod traces;
mod tree;

pub use formula::Formula;
pub use traces::{Traced, generate_with_trace};
pub use tree::{Model, Piece};

use features::Features;
use formula::Subjects;
use process::Processes;
use rng::Random;

/// The random model of a seed.
pub fn generate(seed: u64) -> Model {
    let mut random = Random::new(seed);
    let features = Features::draw(&mut random);
    let (globals, mut pieces) = declare::globals(&mut random, &features);
    let mut processes = Processes::plan(&mut random, &features, &globals);
    pieces.extend(processes.write(&mut random));
    Model { pieces }
}

/// The random model of a seed with odd constructs added, which SPIN often refuses.
pub fn generate_odd(seed: u64) -> Model {
    let mut random = Random::new(seed ^ 0x0dd);
    let mut model = generate(seed);
    odd::change(&mut model, &mut random);
    model
}

/// The random model of a seed, without rendezvous, with priorities added.
pub fn generate_with_priorities(seed: u64) -> Model {
    let mut random = Random::new(seed ^ 0x9107);
    let mut model = generate(seed);
    priorities::add(&mut model, &mut random, true);
    model
}

/// The model and the formula of a seed ([`generate_with_formula`]), without rendezvous, with priorities added.
pub fn generate_with_formula_and_priorities(seed: u64, next: bool) -> (Model, Formula) {
    let mut random = Random::new(seed ^ 0x9107);
    let (mut model, formula) = generate_with_formula(seed, next);
    priorities::add(&mut model, &mut random, false);
    (model, formula)
}

/// A process that can always move: no run of a model with it ends. SPIN refuses to search a model with a loop
/// around nothing but `skip`.
pub const ENDLESS: &str = "active proctype Idle() { do :: _pid < 9 od }";

/// A random model of a seed, other than that of [`generate`], and a random formula about its runs, which may
/// have `X` if `next` says so. The model keeps clear of what means something else in SPIN beside a claim. Every
/// other one is [`ENDLESS`].
pub fn generate_with_formula(seed: u64, next: bool) -> (Model, Formula) {
    let mut random = Random::new(seed);
    let features = Features::draw_for_runs(&mut random);
    let (globals, mut pieces) = declare::globals(&mut random, &features);
    let mut processes = Processes::plan(&mut random, &features, &globals);
    pieces.extend(processes.write(&mut random));
    if random.chance(50) {
        pieces.push(Piece::line(ENDLESS));
    }
    let subjects = Subjects { globals: &globals, processes: &processes.asked() };
    (Model { pieces }, formula::draw(&mut random, &subjects, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_model_and_seeds_give_many() {
        let texts: Vec<String> = (0..50).map(|seed| generate(seed).text()).collect();
        assert_eq!(generate(7).text(), texts[7]);
        let mut distinct = texts.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), texts.len());
    }

    #[test]
    fn every_feature_comes_up() {
        let all: String = (0..600).map(|seed| generate(seed).text()).collect();
        for word in [
            "bit ",
            "bool ",
            "byte ",
            "short ",
            "int ",
            "unsigned ",
            "mtype ",
            "typedef",
            "active",
            "init",
            "run ",
            "chan ",
            "[0] of",
            "[1] of",
            "!!",
            "??",
            "?<",
            "eval(",
            "?[",
            "len(",
            "full(",
            "empty(",
            "nfull(",
            "nempty(",
            "if",
            "do",
            "for (",
            "select(",
            "unless",
            "goto ",
            "break",
            "else",
            "timeout",
            "atomic",
            "d_step",
            "end",
            "progress",
            "accept",
            "assert",
            "printf",
            "_pid",
            "_nr_pr",
            "@",
            "]:",
            "inline",
            "provided",
            "->",
            "_last",
            "of { M }",
            "in cm",
            "printm",
            "mtype:",
            "{ 1, 0 }",
        ] {
            assert!(all.contains(word), "no model has `{word}`");
        }
    }

    #[test]
    fn every_operator_and_kind_of_atom_comes_up() {
        let asked: Vec<_> = (0..600).map(|seed| generate_with_formula(seed, true)).collect();
        let formulas: String = asked.iter().map(|(_, formula)| formula.text()).collect();
        for word in [
            "[]", "<>", "(! ", "(X ", " U ", " V ", " W ", "&&", "||", "->", "<->", "true", "len(",
            "?[", "]@", "]:", "P0@", "P0:",
        ] {
            assert!(formulas.contains(word), "no formula has `{word}`");
        }
        let models: String = asked.iter().map(|(model, _)| model.text()).collect();
        for word in ["_nr_pr", "_last", "accept"] {
            assert!(!models.contains(word), "a model has `{word}`");
        }
    }
}
