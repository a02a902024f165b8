//! A set of states that has the initial one, that no step leaves, and in which nothing is wrong.
//!
//! **Why that is a proof.** Every reachable state is in the set, by induction on the length of a run: the initial one is,
//! and each step of a state in the set leads into the set. Whatever can go wrong goes wrong in a state or in a step that
//! was looked at. The set may have more states than are reachable; that costs time and proves no less.
//!
//! States in which a process holds the others are not listed. They are passed through from each state that leads to
//! them, and looked at on the way.
//!
//! A step that a bound holds back, and a step that faults, has no successor: what would come after it is not covered.
//! All of that is collected, and the claim must name it.

use std::collections::HashSet;

use taut_budget::tick;
use taut_ir::{Finding, Memory, Program};
use taut_proof::{Claim, Cut, Kind, Parts, Reader, Rows};
use taut_witness::{BoundsMet, Machine, Outcome, State, Successors, describe_action};

use crate::{Accepted, Refusal, shown};

/// Checks a claim by its states.
pub(crate) fn check(
    program: &Program,
    memory: Memory,
    claim: &Claim,
    body: &[u8],
) -> Result<Accepted, Refusal> {
    let mut reader = Reader::new(body);
    let rows = Rows::read(Parts::new(program), &mut reader)?;
    reader.end()?;
    let machine = Machine::new(program, memory);
    let wanted = Wanted::of(program, claim)?;
    let cut = Closed { machine, rows: &rows, looker: Looker::new(machine, wanted) }.check()?;
    let evidence = format!("{} states, none left out", rows.len());
    Accepted::new(program, memory, claim, cut, evidence)
}

/// What must not be found.
pub(crate) struct Wanted {
    absent: Vec<Finding>,
    faults: bool,
}

impl Wanted {
    pub(crate) fn of(program: &Program, claim: &Claim) -> Result<Wanted, Refusal> {
        if claim.holds.is_empty() {
            return Err(Refusal::proof("it claims nothing"));
        }
        let mut wanted = Wanted { absent: Vec::new(), faults: false };
        for proven in &claim.holds {
            match proven.kind {
                Kind::Deadlock => wanted.absent.push(Finding::Deadlock),
                Kind::FullBuffer => wanted.absent.push(Finding::FullBuffer),
                Kind::Fault => wanted.faults = true,
                Kind::Property => wanted.property(program, &proven.name)?,
            }
        }
        Ok(wanted)
    }

    /// All properties of a name, each of which must be about states or steps.
    fn property(&mut self, program: &Program, name: &str) -> Result<(), Refusal> {
        let before = self.absent.len();
        for id in program.property_ids().filter(|&id| program.property(id).name == name) {
            if program.property(id).kind.is_temporal() {
                let why = format!("`{name}` is about runs, and its evidence is about states");
                return Err(Refusal::Proof(why));
            }
            self.absent.push(Finding::Property(id));
        }
        match self.absent.len() > before {
            true => Ok(()),
            false => Err(Refusal::Proof(format!("the program has no property `{name}`"))),
        }
    }

    pub(crate) fn forbids(&self, finding: Finding) -> bool {
        match finding {
            Finding::Fault(_) => self.faults,
            other => self.absent.contains(&other),
        }
    }
}

/// A set of states that no step may leave.
pub(crate) struct Closed<'a, 'p> {
    machine: Machine<'p>,
    rows: &'a Rows<'p>,
    looker: Looker<'p>,
}

impl<'a, 'p> Closed<'a, 'p> {
    /// A set in which everything may happen.
    pub(crate) fn of_nothing(machine: Machine<'p>, rows: &'a Rows<'p>) -> Closed<'a, 'p> {
        let wanted = Wanted { absent: Vec::new(), faults: false };
        Closed { machine, rows, looker: Looker::new(machine, wanted) }
    }

    /// Looks at every state; what ends runs.
    pub(crate) fn check(mut self) -> Result<Cut, Refusal> {
        let initial = self.machine.initial();
        if self.rows.find(&initial).is_none() {
            return Err(Refusal::proof("the initial state is not in the set"));
        }
        for number in 0..self.rows.len() {
            tick();
            let Some(state) = self.rows.state(number) else {
                return Err(Refusal::Proof(format!(
                    "state {number} has no processes or no memory"
                )));
            };
            self.leaves_no(&state).map_err(|why| {
                let text = shown::state(self.machine.program(), &state);
                Refusal::Proof(format!("{why}, in state {number}: {text}"))
            })?;
        }
        Ok(self.looker.cut)
    }

    /// Whether everything that can happen in a state leads into the set, through states in which a process holds the
    /// others; or why not.
    fn leaves_no(&mut self, state: &State) -> Result<(), String> {
        let mut passed = HashSet::new();
        let mut left = vec![state.clone()];
        while let Some(at) = left.pop() {
            tick();
            let next = self.machine.successors(&at);
            self.looker.look_at(&at, &next)?;
            for (action, done) in next.moves {
                let Outcome::State(after) = done.outcome else { continue };
                if after.holder.is_none() {
                    if self.rows.find(&after).is_none() {
                        let words = describe_action(self.machine.program(), action);
                        return Err(format!("a step leaves the set ({words})"));
                    }
                } else if passed.insert(after.clone()) {
                    left.push(after);
                }
            }
        }
        Ok(())
    }
}

/// What is looked for in states and steps, and what was seen to end runs.
pub(crate) struct Looker<'p> {
    machine: Machine<'p>,
    wanted: Wanted,
    /// What ended runs so far.
    pub(crate) cut: Cut,
}

impl<'p> Looker<'p> {
    /// Nothing was seen yet.
    pub(crate) fn new(machine: Machine<'p>, wanted: Wanted) -> Looker<'p> {
        Looker { machine, wanted, cut: Cut::default() }
    }

    /// Whether nothing is wrong in a state and in its steps; or what is. What is cut there is noted.
    pub(crate) fn look_at(&mut self, state: &State, next: &Successors) -> Result<(), String> {
        for finding in self.machine.findings_before(state, next) {
            self.judge(finding)?;
        }
        for (_, done) in &next.moves {
            for failure in done.record.all_failed() {
                self.judge(failure.finding)?;
            }
            if let Outcome::Failure(failure) = &done.outcome {
                self.judge(failure.finding)?;
                self.cut.fault |= matches!(failure.finding, Finding::Fault(_));
                self.cut.buffer |= failure.finding == Finding::FullBuffer;
            }
        }
        let BoundsMet { buffer, threads, calls } = next.bounds;
        self.cut.buffer |= buffer;
        self.cut.threads |= threads;
        self.cut.calls |= calls;
        Ok(())
    }

    fn judge(&self, finding: Finding) -> Result<(), String> {
        match self.wanted.forbids(finding) {
            true => Err(format!("`{}` is violated", finding.name(self.machine.program()))),
            false => Ok(()),
        }
    }
}
