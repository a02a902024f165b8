//! Random models with priorities of processes: a random model, without rendezvous, to which they are added.
//!
//! The statements that are added assign constants only, so models stay finite. Two mistakes of SPIN's verifiers are
//! kept clear of:
//!
//! - In the state of a process without local variables, the priority is taken for padding and ignored when states
//!   are compared. So every process gets a local variable.
//! - `set_priority` of a pid that no process has changes nothing, but taking it back sets the priority of some
//!   process. So every pid that is set belongs to a process that lives.

use super::rng::Random;
use super::tree::{Model, Piece};

/// Gives a model priorities, and assertions about them if `asserts` says so.
pub(super) fn add(model: &mut Model, random: &mut Random, asserts: bool) {
    for piece in &mut model.pieces {
        let Piece::Block { open, body, .. } = piece else { continue };
        if !open.contains("proctype ") && !open.starts_with("init") {
            continue;
        }
        *open = declared(open, random);
        in_body(open, body, asserts, random);
        body.insert(0, Piece::line("byte rank;"));
    }
    for piece in &mut model.pieces {
        if let Piece::Line(text) = piece {
            *text = line(text, random);
        }
    }
    if !model.text().contains("priority") {
        model.pieces.push(Piece::line("active proctype Low() priority 1 { byte rank; rank = 1 }"));
    }
}

/// Adds to the body of a block inside of a process.
fn in_body(open: &str, body: &mut Vec<Piece>, asserts: bool, random: &mut Random) {
    for piece in body.iter_mut() {
        match piece {
            Piece::Line(text) => *text = line(text, random),
            Piece::Block { open, body, .. } => in_body(open, body, asserts, random),
        }
    }
    if !is_choice(open) && random.chance(35) {
        insert(body, asserts, random);
    }
}

/// A block whose pieces are options or parts of an `unless`, not statements.
fn is_choice(open: &str) -> bool {
    let word = open.rsplit(": ").next().unwrap_or(open).trim();
    matches!(word, "if" | "do" | "")
}

/// A line without rendezvous channels, whose `run` says a priority.
fn line(text: &str, random: &mut Random) -> String {
    let text = text.replace("[0] of", "[1] of");
    match text.strip_suffix(");") {
        Some(run) if text.contains("run ") && random.chance(60) => {
            format!("{run}) priority {};", random.between(1, 3))
        }
        _ => text,
    }
}

/// The head of a proctype with a priority.
fn declared(open: &str, random: &mut Random) -> String {
    if !random.chance(60) {
        return open.to_owned();
    }
    let at = open.find(" provided").or_else(|| open.rfind(" {")).unwrap_or(open.len());
    format!("{} priority {}{}", &open[..at], random.between(1, 4), &open[at..])
}

/// Puts a statement about priorities behind one of the others.
///
/// Pids are positions on a stack, so that those up to the own pid belong to processes that live.
fn insert(body: &mut Vec<Piece>, asserts: bool, random: &mut Random) {
    if body.is_empty() {
        return;
    }
    let (pid, value) = (random.below(4), random.between(1, 4));
    let text = match random.below(if asserts { 7 } else { 5 }) {
        0 => format!("set_priority(_pid, {value});"),
        1 => format!("set_priority(0, {value});"),
        2 => format!("set_priority((_pid > {pid} -> {pid} : _pid), {value});"),
        3 => format!("_priority = {value};"),
        4 => format!("if :: get_priority({pid}) > {value} -> skip :: else -> skip fi;"),
        5 => format!("assert(get_priority({pid}) != {value});"),
        _ => "assert(_priority < 4);".to_owned(),
    };
    body.insert(random.between(1, body.len()), Piece::line(text));
}
