//! Random models with odd constructs, many of which SPIN refuses: to compare who accepts what.
//!
//! An odd model is a random model with a few changes that know nothing of the language: a line in another
//! place, a label before a line, another word before a block, a name in the place of another.

use super::rng::Random;
use super::tree::{Model, Piece};

/// Labels that a changed line can get; some of them are those of the model.
const LABELS: [&str; 5] = ["odd0", "odd1", "end_odd", "accept_odd", "progress_odd"];

/// Lines that are added, odd by themselves or odd in some places.
const LINES: [&str; 24] = [
    "goto odd0",
    "goto odd1",
    "break",
    "skip",
    "else",
    "timeout",
    "chan odd_c = [1] of { byte, byte }; odd_c!1, 2",
    "chan odd_c; skip",
    "byte odd_x; odd_x = _",
    "byte odd_x; odd_x = odd_g + 1",
    "byte odd_a[2]; odd_a[odd_a[0]] = 1",
    "byte odd_x; odd_q?odd_x, odd_x",
    "odd_q?odd_g, _",
    "odd_q!odd_g, odd_g",
    "if :: odd_q?1, 2 :: else fi",
    "xr odd_q",
    "run Odd(1)",
    "odd_g = run Odd(2)",
    "d_step { odd0: odd_g = 1; skip }",
    "odd1: d_step { odd_g = 0; skip }",
    "{ odd_g = 1 } unless { odd_g = 2 }",
    "byte odd_i; for (odd_i : 0 .. 1) { odd_g = odd_i }",
    "byte odd_i; select (odd_i : 0 .. 1)",
    "hidden byte odd_h; odd_h = 1",
];

/// What can stand before a block of statements.
const OPENERS: [&str; 4] = ["{", "atomic {", "d_step {", "odd0: {"];

/// Declarations that the added lines need.
const NEEDED: [&str; 3] = [
    "byte odd_g;",
    "chan odd_q = [1] of { byte, byte };",
    "proctype Odd(byte odd_p) { odd_g = odd_p }",
];

/// Changes a model a few times.
pub(super) fn change(model: &mut Model, random: &mut Random) {
    for _ in 0..random.between(1, 3) {
        let blocks = bodies(&mut model.pieces, false).len();
        if blocks > 0 {
            change_once(model, random, blocks);
        }
    }
    let needed = NEEDED.iter().map(|line| Piece::line(*line));
    model.pieces.splice(0..0, needed);
}

fn change_once(model: &mut Model, random: &mut Random, blocks: usize) {
    let chosen = random.below(blocks);
    match random.below(10) {
        0 => {
            let from = random.below(blocks);
            let taken = take(bodies(&mut model.pieces, false).swap_remove(from), random);
            insert(bodies(&mut model.pieces, false).swap_remove(chosen), taken, random);
        }
        1 | 2 => label(bodies(&mut model.pieces, false).swap_remove(chosen), random),
        3 => reopen(&mut model.pieces, chosen, random),
        _ => {
            let line = Some(Piece::line(format!("{};", random.pick(&LINES))));
            insert(bodies(&mut model.pieces, false).swap_remove(chosen), line, random);
        }
    }
}

/// The bodies of all blocks of statements.
fn bodies(pieces: &mut [Piece], inside: bool) -> Vec<&mut Vec<Piece>> {
    let mut all = Vec::new();
    for piece in pieces {
        let Piece::Block { open, body, .. } = piece else { continue };
        let runs = inside || open.contains("proctype") || open.starts_with("init");
        if runs {
            // A body is borrowed once: the innermost blocks stand for those around them.
            match body.iter().any(|p| matches!(p, Piece::Block { .. })) {
                true => all.extend(bodies(body, true)),
                false => all.push(body),
            }
        }
    }
    all
}

fn take(body: &mut Vec<Piece>, random: &mut Random) -> Option<Piece> {
    (body.len() > 1).then(|| body.remove(random.below(body.len())))
}

fn insert(body: &mut Vec<Piece>, piece: Option<Piece>, random: &mut Random) {
    let at = random.below(body.len() + 1);
    body.splice(at..at, piece);
}

fn label(body: &mut [Piece], random: &mut Random) {
    if body.is_empty() {
        return;
    }
    let at = random.below(body.len());
    let label: &str = LABELS[random.below(LABELS.len())];
    body[at] = body[at].clone().labelled(label);
}

/// Gives a block of statements another word before it.
fn reopen(pieces: &mut [Piece], mut left: usize, random: &mut Random) {
    for piece in pieces {
        let Piece::Block { open, body, .. } = piece else { continue };
        let word = open.trim_end_matches('{').trim_end();
        if matches!(word, "atomic" | "d_step" | "") {
            if left == 0 {
                *open = (*random.pick(&OPENERS)).into();
                return;
            }
            left -= 1;
        }
        reopen(body, left, random);
    }
}
