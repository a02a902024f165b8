//! Names that Promela accepts, all different.

use std::collections::HashSet;

use taut_ir::{ChanId, PointId, ProcId, Program, PropId, RegId, VarId};

/// Words that an export cannot use besides the reserved words of Promela: those of formulas, what is built
/// in, and what an export declares itself.
const TAKEN: &[&str] = &[
    "always",
    "ended",
    "ending",
    "equivalent",
    "eventually",
    "holder",
    "implies",
    "in",
    "living",
    "machine",
    "mem",
    "memory",
    "monitor",
    "next",
    "over",
    "release",
    "stronguntil",
    "top",
    "until",
    "weakuntil",
    "_",
    "_last",
    "_nr_pr",
    "_pid",
];

/// The names of everything in an export.
pub(super) struct Names {
    vars: Vec<String>,
    processes: Vec<String>,
    registers: Vec<Vec<String>>,
    channels: Vec<String>,
    claims: Vec<String>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Names {
        let words = taut_promela::KEYWORDS.iter().chain(TAKEN);
        let mut taken: HashSet<String> = words.map(|s| s.to_string()).collect();
        let mut fresh = |name: &str| fresh(&mut taken, name);
        let processes: Vec<_> = program.processes.iter().map(|p| fresh(&p.name)).collect();
        let vars = program.vars.iter().map(|v| fresh(&v.name)).collect();
        let channels = program.channels.iter().map(|c| fresh(&c.name)).collect();
        let registers = program.process_ids().map(|p| {
            let owner = &processes[p.index()];
            let registers = program.def_of(p).registers.iter();
            registers.map(|r| fresh(&format!("{owner}_{}", r.name))).collect()
        });
        let registers = registers.collect();
        let claims = program.properties.iter().map(|p| fresh(&p.name)).collect();
        Names { vars, processes, registers, channels, claims }
    }

    pub(super) fn var(&self, id: VarId) -> &str {
        &self.vars[id.index()]
    }

    pub(super) fn process(&self, id: ProcId) -> &str {
        &self.processes[id.index()]
    }

    pub(super) fn register(&self, process: ProcId, id: RegId) -> &str {
        &self.registers[process.index()][id.index()]
    }

    pub(super) fn channel(&self, id: ChanId) -> &str {
        &self.channels[id.index()]
    }

    /// The claim that a property becomes.
    pub(super) fn claim(&self, id: PropId) -> &str {
        &self.claims[id.index()]
    }

    /// Something that belongs to a process and is no register: two underscores, which no other name has.
    pub(super) fn own(&self, process: ProcId, what: &str) -> String {
        format!("{}__{what}", self.process(process))
    }
}

/// The label of a program point, where a process does or does not hold the others.
pub(super) fn label(point: PointId, may_end: bool, holds: bool) -> String {
    let prefix = if may_end { "end_" } else { "" };
    let letter = if holds { 'H' } else { 'L' };
    format!("{prefix}{letter}{}", point.0)
}

/// A Promela name like the given one that is not taken yet.
fn fresh(taken: &mut HashSet<String>, name: &str) -> String {
    let mut base = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // One underscore at a time: two are for what an export adds.
        if c != '_' || !base.ends_with('_') {
            base.push(c);
        }
    }
    let base = base.trim_matches('_');
    let starts_well = base.starts_with(|c: char| c.is_ascii_alphabetic());
    let base = if starts_well { base.to_string() } else { format!("n{base}") };
    let mut candidate = base.clone();
    let mut number = 2;
    while is_temporary(&candidate) || !taken.insert(candidate.clone()) {
        candidate = format!("{base}_{number}");
        number += 1;
    }
    candidate
}

/// Whether an export has a temporary of this name.
fn is_temporary(name: &str) -> bool {
    let number = ["tmp", "idx", "msg"].iter().find_map(|word| name.strip_prefix(word));
    number.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}
