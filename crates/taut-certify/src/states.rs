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
//!
//! The set may be smaller: with the processes of each state sorted ([`crate::alike`]), and with the steps of one process
//! only from some states ([`crate::chosen`]).

use std::collections::HashSet;

use taut_budget::tick;
use taut_ir::{Expr, Finding, Memory, ProcId, Program};
use taut_proof::{Claim, Cut, Kind, Parts, Reader, Rows};
use taut_witness::{BoundsMet, Machine, Outcome, State, Successors, describe_action};

use crate::alike::Alike;
use crate::chosen::Chooser;
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
    let looker = Looker::new(machine, Wanted::of(program, claim)?);
    let cut = Closed { machine, rows: &rows, looker, less: None }.check()?;
    let evidence = format!("{} states, none left out", rows.len());
    Accepted::new(program, memory, claim, cut, evidence)
}

/// Checks a claim by fewer states: groups of processes that may change places, and for each state a number. It is 0, or
/// says whose steps are enough and the rank of the state.
pub(crate) fn check_fewer(
    program: &Program,
    memory: Memory,
    claim: &Claim,
    groups: &[Vec<u32>],
    body: &[u8],
) -> Result<Accepted, Refusal> {
    let mut reader = Reader::new(body);
    let rows = Rows::read(Parts::new(program), &mut reader)?;
    let read = (0..rows.len()).map(|_| reader.below(u32::MAX as usize, "rank"));
    let ranked = read.map(|number| Ok(number? as u32)).collect::<Result<Vec<u32>, Refusal>>()?;
    reader.end()?;
    let (machine, wanted) = (Machine::new(program, memory), Wanted::of(program, claim)?);
    let alike = Alike::new(program, &wanted.claimed(program), groups).map_err(Refusal::Proof)?;
    let chooser = Chooser::new(program, memory, wanted.claimed(program));
    let chosen = ranked.iter().filter(|&&code| code > 0).count();
    let mut evidence = format!("{} states, {chosen} with the steps of one process", rows.len());
    if !groups.is_empty() {
        let equal = groups.iter().map(Vec::len).sum::<usize>();
        evidence += &format!(", {equal} processes that may change places");
    }
    let less = Some(Less { alike, chooser, processes: program.processes.len() as u32, ranked });
    let closed = Closed { machine, rows: &rows, looker: Looker::new(machine, wanted), less };
    Accepted::new(program, memory, claim, closed.check()?, evidence)
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

    /// The expressions of claimed properties.
    fn claimed<'p>(&self, program: &'p Program) -> Vec<&'p Expr> {
        let of = |finding: &Finding| match finding {
            Finding::Property(id) => program.property(*id).kind.exprs(),
            _ => Vec::new(),
        };
        self.absent.iter().flat_map(of).collect()
    }

    pub(crate) fn forbids(&self, finding: Finding) -> bool {
        match finding {
            Finding::Fault(_) => self.faults,
            other => self.absent.contains(&other),
        }
    }
}

/// What makes the set smaller.
struct Less<'p> {
    alike: Alike<'p>,
    chooser: Chooser<'p>,
    /// The number of processes.
    processes: u32,
    /// For each state 0, or 1 + the chosen process + the number of processes times the rank below it.
    ranked: Vec<u32>,
}

impl Less<'_> {
    fn chosen(&self, number: usize) -> Option<ProcId> {
        self.ranked[number].checked_sub(1).map(|code| ProcId(code % self.processes))
    }

    /// The rank of a state: 0 if all of its steps are followed.
    fn rank(&self, number: usize) -> u32 {
        self.ranked[number].checked_sub(1).map_or(0, |code| code / self.processes + 1)
    }
}

/// A set of states that no step may leave.
pub(crate) struct Closed<'a, 'p> {
    machine: Machine<'p>,
    rows: &'a Rows<'p>,
    looker: Looker<'p>,
    less: Option<Less<'p>>,
}

impl<'a, 'p> Closed<'a, 'p> {
    /// A set in which everything may happen.
    pub(crate) fn of_nothing(machine: Machine<'p>, rows: &'a Rows<'p>) -> Closed<'a, 'p> {
        let wanted = Wanted { absent: Vec::new(), faults: false };
        Closed { machine, rows, looker: Looker::new(machine, wanted), less: None }
    }

    /// Looks at every state; what ends runs.
    pub(crate) fn check(mut self) -> Result<Cut, Refusal> {
        if self.find(self.machine.initial()).is_none() {
            return Err(Refusal::proof("the initial state is not in the set"));
        }
        for number in 0..self.rows.len() {
            tick();
            let Some(state) = self.rows.state(number) else {
                return Err(Refusal::Proof(format!(
                    "state {number} has no processes or no memory"
                )));
            };
            self.leaves_no(&state, number).map_err(|why| {
                let text = shown::state(self.machine.program(), &state);
                Refusal::Proof(format!("{why}, in state {number}: {text}"))
            })?;
        }
        Ok(self.looker.cut)
    }

    /// The number of a state in which no process holds the others.
    fn find(&self, state: State) -> Option<usize> {
        match &self.less {
            None => self.rows.find(&state),
            Some(less) => self.rows.find(&less.alike.sorted(state)),
        }
    }

    /// What is followed from a state, and the rank that must fall if that is not all.
    fn followed(&self, state: &State, number: usize) -> Result<(Successors, u32), String> {
        let chosen = self.less.as_ref().and_then(|less| Some((less, less.chosen(number)?)));
        let Some((less, process)) = chosen else { return Ok((self.machine.successors(state), 0)) };
        let next = less.chooser.steps(state, process);
        Ok((next.ok_or("the steps of the chosen process are not enough")?, less.rank(number)))
    }

    /// Whether what is followed from a state leads into the set, through states in which a process holds the others; or
    /// why not.
    fn leaves_no(&mut self, state: &State, number: usize) -> Result<(), String> {
        let mut passed = HashSet::new();
        let (next, rank) = self.followed(state, number)?;
        let mut left = vec![(state.clone(), next)];
        while let Some((at, next)) = left.pop() {
            tick();
            self.looker.look_at(&at, &next)?;
            for (action, done) in next.moves {
                let Outcome::State(after) = done.outcome else { continue };
                if after.holder.is_some() {
                    if passed.insert(after.clone()) {
                        let next = self.machine.successors(&after);
                        left.push((after, next));
                    }
                    continue;
                }
                let words = || describe_action(self.machine.program(), action);
                let reached = self.find(after);
                let reached =
                    reached.ok_or_else(|| format!("a step leaves the set ({})", words()))?;
                if rank > 0 && self.less.as_ref().is_some_and(|less| less.rank(reached) >= rank) {
                    return Err(format!("the rank does not fall ({})", words()));
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
